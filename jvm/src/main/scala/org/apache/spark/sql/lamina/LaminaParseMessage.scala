package org.apache.spark.sql.lamina

/** The message of a parse error, with the statement and an arrow under the word it speaks of. */
trait LaminaParseMessage {

  protected def position: SqlPosition
  protected def headline: String

  protected def pointedMessage: String = {
    val line = position.origin.line.getOrElse(1)
    val column = position.origin.startPosition.getOrElse(0)
    val (above, below) = position.sql.split("\n", -1).splitAt(line)
    val arrow = "-" * column + "^^^"
    (s"\n$headline (line $line, pos $column)\n\n== SQL ==" +: above :+ arrow) ++ below
  }.mkString("\n")
}
