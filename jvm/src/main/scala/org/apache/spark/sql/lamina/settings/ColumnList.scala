package org.apache.spark.sql.lamina.settings

import org.apache.spark.sql.catalyst.util.quoteIfNeeded

/** Column lists as table properties hold them: `id, address.zip, `odd name``. */
object ColumnList {

  def render(columns: Seq[Seq[String]]): String = columns.map(name).mkString(", ")

  def name(parts: Seq[String]): String = parts.map(quoteIfNeeded).mkString(".")

  /** The columns of a list that was rendered or written by hand; nothing when it is no such list. */
  def parse(text: String): Option[Seq[Seq[String]]] =
    if (text.trim.isEmpty) Some(Nil)
    else if (!text.matches(list)) None
    else Some(column.r.findAllIn(text).map(parts).toList)

  private def parts(column: String): Seq[String] =
    part.r.findAllIn(column).map(unquoted).toList

  private def unquoted(part: String): String =
    if (part.startsWith("`")) part.substring(1, part.length - 1).replace("``", "`") else part

  // Names are those of Spark's grammar, but no word is reserved here.
  private val part = "(?:`[^`]*(?:``[^`]*)*`|[\\p{L}\\p{N}_]+)"
  private val column = s"\\s*$part(?:\\s*\\.\\s*$part)*\\s*"
  private val list = s"$column(?:,$column)*"
}
