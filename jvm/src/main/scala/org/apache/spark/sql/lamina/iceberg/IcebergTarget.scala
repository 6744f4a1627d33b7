package org.apache.spark.sql.lamina.iceberg

import org.apache.iceberg.{BaseTable, SnapshotRef, TableMetadata, TableOperations}
import org.apache.iceberg.spark.SparkSchemaUtil
import org.apache.iceberg.util.SnapshotUtil

import org.apache.spark.sql.connector.catalog.TableCatalog
import org.apache.spark.sql.lamina.JavaCollections
import org.apache.spark.sql.lamina.schema.NewField
import org.apache.spark.sql.types.StructType

/** An Iceberg table that exists, or a branch of one, as a statement found it. */
final class IcebergTarget(
    catalog: TableCatalog,
    name: String,
    operations: TableOperations,
    branch: Option[String]) {

  private val metadata = operations.refresh()

  val schema: StructType = SparkSchemaUtil.convert(metadata.schema())

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
    new StagedTable(catalog, new BaseTable(staged, name), branch, staged, () => ())
  }
}
