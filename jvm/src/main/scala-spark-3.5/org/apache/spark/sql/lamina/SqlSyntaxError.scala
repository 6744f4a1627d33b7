package org.apache.spark.sql.lamina

import org.apache.spark.sql.catalyst.parser.ParseException

/** Spark's own syntax error, which every version builds and names a little differently. */
class SqlSyntaxError(found: String, hint: String, sql: SqlPosition)
    extends ParseException(
      Some(sql.sql),
      sql.origin,
      sql.origin,
      "PARSE_SYNTAX_ERROR",
      Map("error" -> found, "hint" -> hint)) {

  protected def condition: String = "PARSE_SYNTAX_ERROR"

  override def getErrorClass: String = condition
}
