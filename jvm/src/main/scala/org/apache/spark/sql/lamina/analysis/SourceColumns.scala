package org.apache.spark.sql.lamina.analysis

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeMap, AttributeReference}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.lamina.LaminaErrors
import org.apache.spark.sql.lamina.parser.{OptionValue, StrategyInsert}
import org.apache.spark.sql.lamina.schema.NameMatch
import org.apache.spark.sql.lamina.settings.ColumnList

/** @param deleted the column that says whether DELETE WHEN holds; the last one, if there is one */
private[analysis] case class SourceRows(plan: LogicalPlan, deleted: Option[Attribute]) {
  def columns: Seq[Attribute] = plan.output.filterNot(deleted.contains)
}

/** Which column of the query is which column of the table. */
private[analysis] object SourceColumns {

  /** The statement with other names for the columns of its query; what its expressions say stays the same. */
  def rename(insert: StrategyInsert, names: Seq[String], table: String): StrategyInsert = {
    val columns = insert.query.output
    if (names.size != columns.size) throw arityMismatch(columns, names, table)
    val renamed = columns.zip(names).map { case (column, name) => Alias(column, name)() }
    val current = AttributeMap(columns.zip(renamed.map(_.toAttribute)))
    insert.copy(
      columns = Nil,
      unnamed = false,
      query = Project(renamed, insert.query),
      values = insert.values.map(_.transform { case a: AttributeReference =>
        current.getOrElse(a, a)
      }
        .asInstanceOf[OptionValue]))
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
