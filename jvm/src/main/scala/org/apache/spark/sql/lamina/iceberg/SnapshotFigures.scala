package org.apache.spark.sql.lamina.iceberg

import org.apache.iceberg.{Snapshot, SnapshotSummary}

import org.apache.spark.sql.lamina.JavaCollections

/** What a snapshot's summary says about the rows it added and removed. */
object SnapshotFigures {

  def changesRows(snapshot: Snapshot): Boolean = {
    val summary = JavaCollections.map(snapshot.summary())
    fileCounts.exists(number(summary, _) > 0)
  }

  def rowsAdded(summary: Map[String, String]): Long =
    number(summary, SnapshotSummary.ADDED_RECORDS_PROP)

  /** @param alreadyGone rows of the removed files that were no rows any more, because delete files named them */
  def rowsRemoved(summary: Map[String, String], alreadyGone: Long): Long =
    number(summary, SnapshotSummary.DELETED_RECORDS_PROP) - alreadyGone

  def totalRecords(summary: Map[String, String]): Long =
    number(summary, SnapshotSummary.TOTAL_RECORDS_PROP)

  private val fileCounts = Seq(
    SnapshotSummary.ADDED_FILES_PROP,
    SnapshotSummary.DELETED_FILES_PROP,
    SnapshotSummary.ADDED_DELETE_FILES_PROP,
    SnapshotSummary.REMOVED_DELETE_FILES_PROP)

  private def number(summary: Map[String, String], key: String): Long =
    summary.get(key).map(_.toLong).getOrElse(0L)
}
