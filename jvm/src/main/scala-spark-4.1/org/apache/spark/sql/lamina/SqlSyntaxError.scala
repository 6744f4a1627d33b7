package org.apache.spark.sql.lamina

import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.trees.Origin

/** Spark's own syntax error, whose constructor is not the same in every version. */
object SqlSyntaxError {

  def apply(found: String, hint: String, at: Origin, sql: String): ParseException =
    new ParseException(
      Some(sql),
      at,
      "PARSE_SYNTAX_ERROR",
      Map("error" -> found, "hint" -> hint))
}
