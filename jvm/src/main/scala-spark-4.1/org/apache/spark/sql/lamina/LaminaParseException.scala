package org.apache.spark.sql.lamina

import org.apache.spark.sql.catalyst.parser.ParseException

/**
 * A `ParseException` of a Lamina condition. Spark's constructors accept only Spark's own conditions,
 * so one of those is passed up and everything a caller can read is overridden.
 */
class LaminaParseException(condition: String, parameters: Map[String, String], sql: SqlPosition)
    extends ParseException(
      Some(sql.sql),
      sql.origin,
      "PARSE_SYNTAX_ERROR",
      Map("error" -> "a clause", "hint" -> ""))
    with LaminaParseMessage {

  override protected def position: SqlPosition = sql
  override protected def headline: String = LaminaErrors.message(condition, parameters)
  override def getMessage: String = pointedMessage
  override def getCondition: String = condition
  override def getSqlState: String = LaminaErrors.conditions.getSqlState(condition)
  override def getMessageParameters: java.util.Map[String, String] =
    JavaCollections.javaMap(parameters)
}
