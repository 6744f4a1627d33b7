package org.apache.spark.sql.lamina.analysis

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.connector.catalog.{Identifier, TableCatalog}
import org.apache.spark.sql.lamina.iceberg.IcebergTarget
import org.apache.spark.sql.lamina.schema.{NameMatch, SchemaChange}
import org.apache.spark.sql.lamina.settings.{ColumnList, SettingField, Settings, StrategyKind}
import org.apache.spark.sql.lamina.strategy.Strategy
import org.apache.spark.sql.types.{StructField, StructType}

/** A table by its full name. */
case class TargetName(catalog: TableCatalog, ident: Identifier, sql: String)

/**
 * Everything that is decided about a statement before any data is read.
 *
 * @param target the table, or nothing when the statement will create it
 * @param source the query, its columns named as in the table
 * @param deleted the source's column that says whether DELETE WHEN holds
 * @param leftOut columns of the source that the table does not get
 * @param own columns that the strategy fills
 * @param change what happens to the table's columns
 */
case class InsertPlan(
    name: TargetName,
    target: Option[IcebergTarget],
    strategy: Strategy,
    settings: Settings,
    runId: Option[String],
    source: LogicalPlan,
    deleted: Option[Attribute],
    leftOut: Seq[String],
    own: Seq[StructField],
    change: SchemaChange,
    sameName: NameMatch,
    writeOptions: Map[String, String]) {

  /** The source's columns less those that are left out. */
  def storedColumns: Seq[Attribute] =
    source.output.filterNot(c => deleted.contains(c) || leftOut.contains(c.name))

  def stored: LogicalPlan =
    if (storedColumns == source.output) source else Project(storedColumns, source)

  /** The columns of a table that this statement creates. */
  def createdSchema: StructType = StructType(stored.schema.asNullable.fields ++ own)

  /** The columns that tell which of the table's rows a row of the source speaks of. */
  def keyPaths: Seq[Seq[String]] = strategy.kind match {
    case StrategyKind.Snapshot => settings.columns(SettingField.PartitionColumn)
    case _ => settings.columns(SettingField.UniqueKey)
  }

  /** The columns by which a table that this statement creates is partitioned. */
  def partitionedBy: Seq[Seq[String]] =
    if (strategy.kind == StrategyKind.Snapshot) keyPaths else Nil

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
    val columns = createdSchema.fields
      .map(c => s"${quoteIfNeeded(c.name)} ${c.dataType.sql}")
      .mkString(", ")
    val properties = settings.toProperties.toSeq.sorted
      .map { case (key, value) => s"'$key' = '${value.replace("'", "\\'")}'" }
      .mkString(", ")
    val partitions =
      if (partitionedBy.isEmpty) "" else s" PARTITIONED BY (${ColumnList.render(partitionedBy)})"
    s"CREATE TABLE ${name.sql} ($columns) USING iceberg$partitions TBLPROPERTIES ($properties)"
  }
}
