package org.apache.spark.sql.lamina.iceberg

import org.apache.iceberg.{BaseTable, Snapshot, SnapshotRef, TableMetadata, TableOperations, TableProperties}
import org.apache.iceberg.spark.SparkSchemaUtil
import org.apache.iceberg.util.SnapshotUtil

import org.apache.spark.sql.connector.catalog.TableCatalog
import org.apache.spark.sql.lamina.JavaCollections
import org.apache.spark.sql.lamina.schema.NewField
import org.apache.spark.sql.types.{DataType, StructType}

/** An Iceberg table that exists, or a branch of one, as a statement found it. */
final class IcebergTarget(
    catalog: TableCatalog,
    name: String,
    operations: TableOperations,
    branch: Option[String]) {

  private val metadata = operations.refresh()

  val schema: StructType = SparkSchemaUtil.convert(metadata.schema())

  val formatVersion: Int = metadata.formatVersion()

  /** Whether the table's format has the type. */
  def canHold(dataType: DataType): Boolean = SchemaUpdates.canHold(dataType, formatVersion)

  /** Whether a write sorts its rows over all tasks, for which Spark samples them first. */
  val isOrdered: Boolean = metadata.sortOrder().isSorted

  val properties: Map[String, String] = JavaCollections.map(metadata.properties())

  /** The snapshot in this table's history whose summary has this entry. */
  def findSnapshot(key: String, value: String): Option[SnapshotRecord] =
    findSnapshot(metadata, key, value)

  private def findSnapshot(in: TableMetadata, key: String, value: String) = {
    val head = Option(in.ref(branch.getOrElse(SnapshotRef.MAIN_BRANCH)))
    val history = head.toSeq.flatMap { ref =>
      JavaCollections.seq(SnapshotUtil.ancestorsOf(ref.snapshotId(), id => in.snapshot(id)))
    }
    history.find(_.summary().get(key) == value).map(SnapshotRecord(_))
  }

  /** @param unique an entry of the snapshot's summary that no other snapshot may have */
  def stage(
      added: Seq[NewField],
      unique: Option[(String, String)],
      annotate: Map[String, String] => Map[String, String]): StagedTable = {
    // What was there before is the caller's to see; here only another writer can have been faster.
    def isTaken(base: TableMetadata) = (base ne metadata) && unique.exists {
      case (key, value) => findSnapshot(base, key, value).nonEmpty
    }
    val change = (base: TableMetadata) => {
      if (isTaken(base)) throw new RepeatedRunException(name)
      SchemaUpdates.add(added, operations)(base)
    }
    val staged = new StagedOperations(name, operations, metadata, change, annotate)
    new StagedTable(catalog, new ValidatedTable(staged, name), branch, staged, () => ())
  }

  private val head: Option[Snapshot] =
    Option(metadata.ref(branch.getOrElse(SnapshotRef.MAIN_BRANCH)))
      .map(ref => metadata.snapshot(ref.snapshotId()))

  /** Rows in data files, among them those that delete files have removed. */
  def recordsInFiles: Long =
    head.map(s => SnapshotFigures.totalRecords(JavaCollections.map(s.summary()))).getOrElse(0L)

  def hasDeletes: Boolean =
    head.exists(s => !s.deleteManifests(operations.io()).isEmpty)

  /** Whether each partition holds the rows of one value of these columns, all of them, in files of its own. */
  def isPartitionedBy(columns: Seq[String]): Boolean = {
    val spec = metadata.spec()
    val sources = JavaCollections.seq(spec.fields()).map { field =>
      if (field.transform().isIdentity) metadata.schema().findColumnName(field.sourceId()) else ""
    }
    val specsInUse = head.toSeq.flatMap(s =>
      JavaCollections.seq(s.dataManifests(operations.io())).map(_.partitionSpecId()))
    sources.nonEmpty && sources.toSet == columns.toSet && specsInUse.forall(_ == spec.specId())
  }
}

/** Whatever the table says, two writers must not both insert a key: row-level writes are always validated. */
private class ValidatedTable(operations: TableOperations, name: String)
    extends BaseTable(operations, name) {

  override def properties(): java.util.Map[String, String] = JavaCollections.javaMap(
    JavaCollections.map(super.properties()) +
      (TableProperties.MERGE_ISOLATION_LEVEL -> "serializable"))
}
