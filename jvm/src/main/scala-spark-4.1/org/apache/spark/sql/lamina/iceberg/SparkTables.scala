package org.apache.spark.sql.lamina.iceberg

import org.apache.iceberg.Table
import org.apache.iceberg.spark.source.SparkTable

/** Spark's view of an Iceberg table that is already at hand. */
private[iceberg] object SparkTables {

  def create(table: Table, branch: Option[String]): SparkTable =
    branch.fold(new SparkTable(table))(SparkTable.create(table, _))
}
