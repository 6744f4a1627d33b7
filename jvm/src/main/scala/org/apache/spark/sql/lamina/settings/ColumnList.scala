package org.apache.spark.sql.lamina.settings

import org.apache.spark.sql.catalyst.parser.CatalystSqlParser
import org.apache.spark.sql.catalyst.util.quoteIfNeeded

/** Column lists as table properties hold them: `id, address.zip, `odd name``. */
object ColumnList {

  def render(columns: Seq[Seq[String]]): String = columns.map(name).mkString(", ")

  def name(parts: Seq[String]): String = parts.map(quoteIfNeeded).mkString(".")

  def parse(text: String): Seq[Seq[String]] =
    split(text).map(part => CatalystSqlParser.parseMultipartIdentifier(part))

  /** Splits at the commas that are not inside backticks; a doubled backtick closes and opens again. */
  private def split(text: String): Seq[String] = {
    val pieces = text.split("`", -1).zipWithIndex.map { case (piece, i) =>
      if (i % 2 == 0) piece.replace(',', separator) else piece
    }
    pieces.mkString("`").split(separator).map(_.trim).filter(_.nonEmpty).toSeq
  }

  private val separator = '\u0000'
}
