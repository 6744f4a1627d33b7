package org.apache.spark.sql.lamina.analysis

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.connector.catalog.{Identifier, TableCatalog}
import org.apache.spark.sql.lamina.iceberg.IcebergTarget
import org.apache.spark.sql.lamina.schema.{NameMatch, SchemaChange}
import org.apache.spark.sql.lamina.settings.Settings
import org.apache.spark.sql.lamina.strategy.Strategy

/** A table by its full name. */
case class TargetName(catalog: TableCatalog, ident: Identifier, sql: String)

/**
 * Everything that is decided about a statement before any data is read.
 *
 * @param target the table, or nothing when the statement will create it
 * @param source the query, its columns named as in the table
 * @param leftOut columns of the source that the table does not get
 * @param change what happens to the table's columns
 */
case class InsertPlan(
    name: TargetName,
    target: Option[IcebergTarget],
    strategy: Strategy,
    settings: Settings,
    runId: Option[String],
    source: LogicalPlan,
    leftOut: Seq[String],
    change: SchemaChange,
    sameName: NameMatch,
    writeOptions: Map[String, String]) {

  /** The source less the columns that are left out. */
  def stored: LogicalPlan =
    if (leftOut.isEmpty) source
    else Project(source.output.filterNot(column => leftOut.contains(column.name)), source)

  /** What is said about the plan before Spark's part of it: one line each. */
  def notes: Seq[String] = {
    def list(names: Seq[String]) = names.mkString("[", ", ", "]")
    val columns = Seq(
      "added" -> change.added.map(_.name),
      "padded" -> change.padded.map(_.name),
      "ignored" -> change.ignored.map(_.name),
      "widened" -> Nil)
    Seq(
      s"Settings ${list(settings.values.map(_.toString))}",
      s"SchemaChange ${list(columns.map { case (what, names) => s"$what=${list(names)}" })}") ++
      change.alterStatement(name.sql) ++
      (if (target.isEmpty) Some(createStatement) else None)
  }

  private def createStatement: String = {
    val columns = stored.output
      .map(c => s"${quoteIfNeeded(c.name)} ${c.dataType.asNullable.sql}")
      .mkString(", ")
    val properties = settings.toProperties.toSeq.sorted
      .map { case (key, value) => s"'$key' = '${value.replace("'", "\\'")}'" }
      .mkString(", ")
    s"CREATE TABLE ${name.sql} ($columns) USING iceberg TBLPROPERTIES ($properties)"
  }
}
