package org.apache.spark.sql.lamina.analysis

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.lamina.LaminaErrors
import org.apache.spark.sql.lamina.schema.NameMatch
import org.apache.spark.sql.lamina.settings.ColumnList

/** @param deleted the column that says whether DELETE WHEN holds; the last one, if there is one */
private[analysis] case class SourceRows(plan: LogicalPlan, deleted: Option[Attribute]) {
  def columns: Seq[Attribute] = plan.output.filterNot(deleted.contains)
}

/** Which column of the query is which column of the table. */
private[analysis] object SourceColumns {

  /** The query with the names of an explicit column list, matched by position. */
  def rename(source: SourceRows, names: Seq[String], table: String): SourceRows = {
    if (names.size != source.columns.size) throw arityMismatch(source.columns, names, table)
    val renamed = source.columns.zip(names).map { case (column, name) => Alias(column, name)() }
    source.copy(plan = Project(renamed ++ source.deleted, source.plan))
  }

  def requireDistinct(paths: Seq[Seq[String]], where: String, sameName: NameMatch): Unit =
    sameName.clashes(paths).headOption.map(_.map(ColumnList.name)).foreach { clash =>
      throw LaminaErrors.ambiguousColumn(where, clash.head, clash)
    }

  private def arityMismatch(columns: Seq[Attribute], names: Seq[String], table: String) = {
    val reason =
      if (columns.size > names.size) "TOO_MANY_DATA_COLUMNS" else "NOT_ENOUGH_DATA_COLUMNS"
    def list(names: Seq[String]) = names.map(name => s"`$name`").mkString(", ")
    new AnalysisException(
      s"INSERT_COLUMN_ARITY_MISMATCH.$reason",
      Map(
        "tableName" -> table,
        "tableColumns" -> list(names),
        "dataColumns" -> list(columns.map(_.name))))
  }
}
