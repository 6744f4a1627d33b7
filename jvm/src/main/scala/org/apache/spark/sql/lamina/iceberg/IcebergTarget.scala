package org.apache.spark.sql.lamina.iceberg

import org.apache.iceberg.{BaseTable, SnapshotRef, TableOperations}
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
    branch: Option[String]
) {

  private val metadata = operations.refresh()

  val schema: StructType = SparkSchemaUtil.convert(metadata.schema())

  val properties: Map[String, String] = JavaCollections.map(metadata.properties())

  /** The snapshot in this table's history whose summary has this entry. */
  def findSnapshot(key: String, value: String): Option[SnapshotRecord] = {
    val head = Option(metadata.ref(branch.getOrElse(SnapshotRef.MAIN_BRANCH)))
    val history = head.toSeq.flatMap { ref =>
      JavaCollections.seq(SnapshotUtil.ancestorsOf(ref.snapshotId(), id => metadata.snapshot(id)))
    }
    history.find(_.summary().get(key) == value).map(SnapshotRecord(_))
  }

  def stage(
      added: Seq[NewField],
      annotate: Map[String, String] => Map[String, String]
  ): StagedTable = {
    val change = SchemaUpdates.add(added, operations) _
    val staged = new StagedOperations(name, operations, metadata, change, annotate)
    new StagedTable(catalog, new BaseTable(staged, name), branch, staged, () => ())
  }
}
