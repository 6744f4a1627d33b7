package org.apache.spark.sql.lamina

/**
 * A `ParseException` of a Lamina condition. Spark's constructors accept only Spark's own conditions,
 * so one of those is passed up and everything a caller can read is overridden.
 */
class LaminaParseException(
    override protected val condition: String,
    parameters: Map[String, String],
    sql: SqlPosition) extends SqlSyntaxError("a clause", "", sql) {

  override def getSqlState: String = LaminaErrors.conditions.getSqlState(condition)

  override def getMessageParameters: java.util.Map[String, String] =
    JavaCollections.javaMap(parameters)

  /** The statement, with an arrow under the word that the message speaks of. */
  override def getMessage: String = {
    val headline = LaminaErrors.message(condition, parameters)
    val line = sql.origin.line.getOrElse(1)
    val column = sql.origin.startPosition.getOrElse(0)
    val (above, below) = sql.sql.split("\n", -1).splitAt(line)
    val arrow = "-" * column + "^^^"
    (s"\n$headline (line $line, pos $column)\n\n== SQL ==" +: above :+ arrow) ++ below
  }.mkString("\n")
}
