package org.apache.spark.sql.lamina.iceberg

import scala.util.Try

import org.apache.iceberg.{BaseTable, Schema, TableMetadata, TableOperations}
import org.apache.iceberg.io.{FileIO, LocationProvider}
import org.apache.iceberg.spark.SparkSchemaUtil

import org.apache.spark.sql.lamina.schema.NewField
import org.apache.spark.sql.types.{DataType, NullType, StructField, StructType}

/** Add-only schema changes, worked out in memory by Iceberg's own code. */
private[lamina] object SchemaUpdates {

  /** A column of NULLs has no type yet, so it waits until it has one. */
  def canHold(dataType: DataType): Boolean =
    !dataType.existsRecursively(_ == NullType) && Try(converted(dataType)).isSuccess

  def canHold(dataType: DataType, formatVersion: Int): Boolean =
    Try(Schema.checkCompatibility(converted(dataType), formatVersion)).isSuccess

  private def converted(dataType: DataType): Schema =
    SparkSchemaUtil.convert(StructType(Seq(StructField("c", dataType))))

  /** A field that a concurrent writer added in the meantime is not added twice. */
  def add(fields: Seq[NewField], real: TableOperations)(base: TableMetadata): TableMetadata = {
    val missing = fields.filter(f => base.schema().findField(f.path.mkString(".")) == null)
    if (missing.isEmpty) base
    else {
      val memory = new InMemoryOperations(base, real)
      val update = new BaseTable(memory, "staged").updateSchema()
      missing.foreach { f =>
        val parent = if (f.parent.isEmpty) null else f.parent.mkString(".")
        // That no value of this source is NULL says nothing about the next one.
        val converted = SparkSchemaUtil.convert(f.field.dataType.asNullable)
        update.addColumn(parent, f.field.name, converted, f.field.getComment().orNull)
      }
      update.commit()
      memory.current()
    }
  }
}

/** Keeps what is committed to it; files and ids are the real table's. */
private class InMemoryOperations(start: TableMetadata, real: TableOperations)
    extends TableOperations {

  private var metadata = start

  override def current(): TableMetadata = metadata
  override def refresh(): TableMetadata = metadata
  override def commit(base: TableMetadata, updated: TableMetadata): Unit = metadata = updated
  override def io(): FileIO = real.io()
  override def locationProvider(): LocationProvider = real.locationProvider()
  override def metadataFileLocation(name: String): String = real.metadataFileLocation(name)
}
