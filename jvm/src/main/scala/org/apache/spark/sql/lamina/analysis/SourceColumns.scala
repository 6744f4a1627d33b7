package org.apache.spark.sql.lamina.analysis

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.expressions.Alias
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.lamina.LaminaErrors
import org.apache.spark.sql.lamina.schema.NameMatch
import org.apache.spark.sql.lamina.settings.ColumnList

/** Which column of the query is which column of the table. */
private[analysis] object SourceColumns {

  /** The query with the names of an explicit column list, matched by position. */
  def rename(query: LogicalPlan, names: Seq[String], table: String): LogicalPlan = {
    if (names.size != query.output.size) throw arityMismatch(query, names, table)
    Project(
      query.output.zip(names).map { case (column, name) => Alias(column, name)() },
      query)
  }

  def requireDistinct(paths: Seq[Seq[String]], where: String, sameName: NameMatch): Unit =
    sameName.clashes(paths).headOption.map(_.map(ColumnList.name)).foreach { clash =>
      throw LaminaErrors.ambiguousColumn(where, clash.head, clash)
    }

  private def arityMismatch(query: LogicalPlan, names: Seq[String], table: String) = {
    val reason =
      if (query.output.size > names.size) "TOO_MANY_DATA_COLUMNS" else "NOT_ENOUGH_DATA_COLUMNS"
    def list(columns: Seq[String]) = columns.map(name => s"`$name`").mkString(", ")
    new AnalysisException(
      s"INSERT_COLUMN_ARITY_MISMATCH.$reason",
      Map(
        "tableName" -> table,
        "tableColumns" -> list(names),
        "dataColumns" -> list(query.output.map(_.name))))
  }
}
