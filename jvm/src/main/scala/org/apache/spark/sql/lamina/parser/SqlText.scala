package org.apache.spark.sql.lamina.parser

import org.antlr.v4.runtime.Token

import org.apache.spark.sql.catalyst.trees.Origin

/**
 * Cutting statements into pieces. ANTLR counts code points, so all positions here do too, and every
 * piece keeps the positions of the whole, so that errors and parameters point to the original text.
 */
object SqlText {

  def slice(sql: String, start: Int, stop: Int): String =
    sql.substring(sql.offsetByCodePoints(0, start), sql.offsetByCodePoints(0, stop + 1))

  /** The statement with `start` to `stop` (inclusive) blanked out; line breaks stay. */
  def without(sql: String, start: Int, stop: Int): String =
    mapCodePoints(sql)((i, c) => if (i >= start && i <= stop) blank(c) else c)

  /** Nothing but `SELECT` written over position `at`, and the text from `start` to `stop`. */
  def selectOnly(sql: String, at: Int, start: Int, stop: Int): String =
    mapCodePoints(sql) { (i, c) =>
      if (i >= at && i < at + select.length) select.charAt(i - at).toInt
      else if (i >= start && i <= stop) c
      else blank(c)
    }

  def origin(token: Token, sql: String): Origin =
    Origin(
      line = Some(token.getLine),
      startPosition = Some(token.getCharPositionInLine),
      startIndex = Some(token.getStartIndex),
      stopIndex = Some(token.getStopIndex),
      sqlText = Some(sql))

  private val select = "SELECT"

  private def blank(codePoint: Int): Int =
    if (codePoint == '\n' || codePoint == '\r') codePoint else ' '

  private def mapCodePoints(sql: String)(f: (Int, Int) => Int): String = {
    val points = sql.codePoints().toArray
    val mapped = points.indices.map(i => f(i, points(i))).toArray
    new String(mapped, 0, mapped.length)
  }
}
