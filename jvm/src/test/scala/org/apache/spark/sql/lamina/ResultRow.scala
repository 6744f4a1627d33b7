package org.apache.spark.sql.lamina

import org.apache.spark.sql.{DataFrame, Row}

/** The one row that a statement returns, by name. */
case class ResultRow(row: Row) {

  def status: String = row.getAs[String]("status")
  def strategy: String = row.getAs[String]("strategy")
  def inserted: Long = row.getAs[Long]("rows_inserted")
  def updated: Long = row.getAs[Long]("rows_updated")
  def closed: Long = row.getAs[Long]("rows_closed")
  def deleted: Long = row.getAs[Long]("rows_deleted")
  def added: Seq[String] = names("columns_added")
  def padded: Seq[String] = names("columns_padded")
  def ignored: Seq[String] = names("columns_ignored")
  def widened: Seq[String] = names("columns_widened")
  def snapshotId: Option[Long] = Option(row.getAs[java.lang.Long]("snapshot_id")).map(_.longValue)
  def durationMs: Long = row.getAs[Long]("duration_ms")

  /** Status, rows inserted, rows deleted. */
  def figures: (String, Long, Long) = (status, inserted, deleted)

  private def names(column: String): Seq[String] = row.getSeq[String](row.fieldIndex(column)).toList
}

object ResultRow {

  def apply(result: DataFrame): ResultRow = {
    val rows = result.collect()
    assert(rows.length == 1, s"a statement returns one row, this one ${rows.length}")
    ResultRow(rows.head)
  }
}
