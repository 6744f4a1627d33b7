package org.apache.spark.sql.lamina.iceberg

import scala.util.Try

import org.apache.iceberg.{MetadataUpdate, Schema, Snapshot, SnapshotParser, TableMetadata, TableOperations}
import org.apache.iceberg.encryption.EncryptionManager
import org.apache.iceberg.exceptions.{CleanableFailure, CommitFailedException}
import org.apache.iceberg.io.{FileIO, LocationProvider}

import org.apache.spark.sql.lamina.JavaCollections

/** How a staged table ended: what the one commit of a statement did. */
sealed trait CommitOutcome

object CommitOutcome {
  case object Pending extends CommitOutcome

  /** `snapshot` is empty when only the schema changed. */
  case class Committed(snapshot: Option[SnapshotRecord]) extends CommitOutcome

  case object NothingToCommit extends CommitOutcome
}

/** What is known of a snapshot once it is committed. */
case class SnapshotRecord(id: Long, summary: Map[String, String])

object SnapshotRecord {
  private[iceberg] def apply(snapshot: Snapshot): SnapshotRecord =
    SnapshotRecord(snapshot.snapshotId(), JavaCollections.map(snapshot.summary()))
}

/** Another writer changed the table so that the rows, as written, no longer fit it. Plan again. */
class StaleSchemaException(table: String)
    extends RuntimeException(s"The schema of $table changed while its rows were written")
    with CleanableFailure

/** Another writer committed the same run while its rows were written. Plan again, and find it done. */
class RepeatedRunException(table: String)
    extends RuntimeException(s"The run was committed to $table while its rows were written")
    with CleanableFailure

/**
 * A table as it will be: its metadata with a change that is not committed yet. The change lands in the
 * same commit as the snapshot that is written to this table, or, when that snapshot holds nothing, by
 * itself, or, when there is no change either, not at all. Dropped unused, it leaves no trace.
 *
 * @param real the table's own operations
 * @param start the metadata that the statement was planned on
 * @param change applied to the current metadata, and again to newer metadata after a lost race
 * @param annotate from the snapshot's summary to entries that are added to it
 */
class StagedOperations(
    table: String,
    real: TableOperations,
    start: TableMetadata,
    change: TableMetadata => TableMetadata,
    annotate: Map[String, String] => Map[String, String]) extends TableOperations {

  private var base: TableMetadata = start
  private var staged: TableMetadata = change(base)
  private var discarded: Option[TableMetadata] = None
  private var result: CommitOutcome = CommitOutcome.Pending

  def outcome: CommitOutcome = result

  override def current(): TableMetadata = result match {
    case CommitOutcome.Pending => staged
    case _ => discarded.getOrElse(real.current())
  }

  override def refresh(): TableMetadata = result match {
    case CommitOutcome.Pending =>
      val latest = real.refresh()
      if (latest ne base) restage(latest)
      staged
    case _ => discarded.getOrElse(real.refresh())
  }

  override def commit(from: TableMetadata, updated: TableMetadata): Unit = {
    if (from ne staged) throw new CommitFailedException("The table metadata is stale")
    val changes = JavaCollections.seq(updated.changes()).drop(base.changes().size)
    val snapshot = changes.collectFirst { case add: MetadataUpdate.AddSnapshot => add.snapshot() }
    snapshot.filterNot(SnapshotFigures.changesRows) match {
      case Some(empty) => commitWithout(empty, updated)
      case None => commitAll(changes, snapshot)
    }
  }

  private def commitAll(changes: Seq[MetadataUpdate], snapshot: Option[Snapshot]): Unit = {
    val annotated = snapshot.map(withAnnotations)
    val replayed = changes.map {
      case _: MetadataUpdate.AddSnapshot => new MetadataUpdate.AddSnapshot(annotated.get)
      case other => other
    }
    real.commit(base, replay(replayed))
    result = CommitOutcome.Committed(annotated.map(SnapshotRecord(_)))
  }

  /** The writer goes on to look for its snapshot, so the metadata that holds it stays visible here. */
  private def commitWithout(empty: Snapshot, updated: TableMetadata): Unit = {
    val schemaChanges = JavaCollections.seq(staged.changes()).drop(base.changes().size)
    if (schemaChanges.nonEmpty) real.commit(base, replay(schemaChanges))
    discarded = Some(updated)
    result =
      if (schemaChanges.isEmpty) CommitOutcome.NothingToCommit else CommitOutcome.Committed(None)
    leftover = Some(empty.manifestListLocation())
  }

  private var leftover: Option[String] = None

  /** Removes the manifest list of a snapshot that was not committed; one that stays does no harm. */
  def cleanUp(): Unit = leftover.foreach(file => Try(real.io().deleteFile(file)))

  private def replay(changes: Seq[MetadataUpdate]): TableMetadata = {
    val builder = TableMetadata.buildFrom(base)
    changes.foreach(_.applyTo(builder))
    builder.build()
  }

  private def withAnnotations(snapshot: Snapshot): Snapshot = {
    val added = annotate(JavaCollections.map(snapshot.summary()))
    SnapshotParser.fromJson(SnapshotJson.addToSummary(SnapshotParser.toJson(snapshot), added))
  }

  private def restage(latest: TableMetadata): Unit = {
    val restaged = change(latest)
    // A column that another writer added in between is not one that this statement adds.
    val addsTheSame =
      restaged.lastColumnId() - latest.lastColumnId() == staged.lastColumnId() - base.lastColumnId()
    if (!addsTheSame || !StagedOperations.holds(restaged.schema(), staged.schema())) {
      throw new StaleSchemaException(table)
    }
    base = latest
    staged = restaged
  }

  override def io(): FileIO = real.io()
  override def encryption(): EncryptionManager = real.encryption()
  override def locationProvider(): LocationProvider = real.locationProvider()
  override def metadataFileLocation(name: String): String = real.metadataFileLocation(name)
  override def newSnapshotId(): Long = real.newSnapshotId()
  override def requireStrictCleanup(): Boolean = real.requireStrictCleanup()
  override def temp(metadata: TableMetadata): TableOperations = real.temp(metadata)
}

object StagedOperations {

  /** Data files name columns by id: files written under `written` must mean the same under `current`. */
  private def holds(current: Schema, written: Schema): Boolean =
    JavaCollections.map(written.idToName()).forall { case (id, name) =>
      current.findColumnName(id) == name && current.findType(id) == written.findType(id)
    }
}
