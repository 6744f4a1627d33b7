package org.apache.spark.sql.lamina.iceberg

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.connector.expressions.{Expression, FieldReference, LiteralValue}
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering
import org.apache.spark.sql.connector.write.RowLevelOperationTable
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String

/** A copy-on-write operation replaces the files it reads: this makes it read no more than it must. */
object FileFilter {

  val column = "_file"

  def keepOnly(plan: LogicalPlan, files: () => Seq[String]): Unit =
    plan.foreach {
      case read: DataSourceV2ScanRelation
          if read.relation.table.isInstanceOf[RowLevelOperationTable] =>
        read.scan match {
          case scan: SupportsRuntimeV2Filtering => scan.filter(Array(isIn(files())))
          case _ =>
        }
      case _ =>
    }

  private def isIn(files: Seq[String]): Predicate = {
    val values = files.map(file => LiteralValue(UTF8String.fromString(file), StringType))
    new Predicate("IN", (FieldReference(Seq(column)) +: values).toArray[Expression])
  }
}
