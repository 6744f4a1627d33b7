package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.lamina.iceberg.SnapshotRecord
import org.apache.spark.sql.lamina.settings.ColumnList
import org.apache.spark.sql.types._

/** The one row that a statement returns. The same figures are in the snapshot's summary. */
case class InsertResult(
    status: String,
    strategy: String,
    rows: RowFigures,
    columns: ColumnFigures,
    snapshotId: Option[Long]) {

  def toRow(durationMs: Long): Row = Row(
    status,
    strategy,
    rows.inserted,
    rows.updated,
    rows.closed,
    rows.deleted,
    columns.added,
    columns.padded,
    columns.ignored,
    columns.widened,
    snapshotId.map(Long.box).orNull,
    durationMs)
}

case class RowFigures(inserted: Long, updated: Long, closed: Long, deleted: Long)

/** Names of columns, quoted where they need it. */
case class ColumnFigures(
    added: Seq[String],
    padded: Seq[String],
    ignored: Seq[String],
    widened: Seq[String])

object InsertResult {

  val RunIdKey = "lamina.run-id"
  private val StrategyKey = "lamina.strategy"

  def attributes: Seq[Attribute] = {
    def column(name: String, dataType: DataType, nullable: Boolean = false) =
      AttributeReference(name, dataType, nullable)()
    val names = ArrayType(StringType, containsNull = false)
    Seq(
      column("status", StringType),
      column("strategy", StringType),
      column("rows_inserted", LongType),
      column("rows_updated", LongType),
      column("rows_closed", LongType),
      column("rows_deleted", LongType),
      column("columns_added", names),
      column("columns_padded", names),
      column("columns_ignored", names),
      column("columns_widened", names),
      column("snapshot_id", LongType, nullable = true),
      column("duration_ms", LongType))
  }

  def toSummary(
      strategy: String,
      rows: RowFigures,
      columns: ColumnFigures,
      runId: Option[String]): Map[String, String] =
    Map(
      StrategyKey -> strategy,
      "lamina.rows-inserted" -> rows.inserted.toString,
      "lamina.rows-updated" -> rows.updated.toString,
      "lamina.rows-closed" -> rows.closed.toString,
      "lamina.rows-deleted" -> rows.deleted.toString,
      "lamina.columns-added" -> columns.added.mkString(", "),
      "lamina.columns-padded" -> columns.padded.mkString(", "),
      "lamina.columns-ignored" -> columns.ignored.mkString(", "),
      "lamina.columns-widened" -> columns.widened.mkString(", ")) ++
      runId.map(RunIdKey -> _)

  /** The result of a run that was committed before, read back from its snapshot. */
  def skipped(snapshot: SnapshotRecord): InsertResult = {
    val summary = snapshot.summary
    def rows(kind: String) = summary.get(s"lamina.rows-$kind").map(_.toLong).getOrElse(0L)
    def columns(kind: String) =
      summary
        .get(s"lamina.columns-$kind")
        .flatMap(ColumnList.parse)
        .getOrElse(Nil)
        .map(ColumnList.name)
    InsertResult(
      "skipped",
      summary.getOrElse(StrategyKey, ""),
      RowFigures(rows("inserted"), rows("updated"), rows("closed"), rows("deleted")),
      ColumnFigures(columns("added"), columns("padded"), columns("ignored"), columns("widened")),
      Some(snapshot.id))
  }
}
