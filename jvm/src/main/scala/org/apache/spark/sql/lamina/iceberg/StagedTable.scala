package org.apache.spark.sql.lamina.iceberg

import org.apache.iceberg.BaseTable

import org.apache.spark.sql.connector.catalog.TableCatalog
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation

/**
 * A table that can be analysed, scanned and written as it will be after the statement.
 *
 * @param catalog has the functions that partition transforms are made of
 * @param publish what remains to be done after the write for it to be seen
 */
final class StagedTable(
    catalog: TableCatalog,
    table: BaseTable,
    branch: Option[String],
    operations: StagedOperations,
    publish: () => Unit) {

  /** Without an identifier, so that Spark does not load the table of that name from the catalog instead. */
  val relation: DataSourceV2Relation =
    DataSourceV2Relation.create(SparkTables.create(table, branch), Some(catalog), None)

  /** Runs the write, makes it visible, and says what was committed. */
  def commit(write: () => Any): CommitOutcome = {
    try {
      write()
      publish()
    } finally
      operations.cleanUp()
    operations.outcome
  }
}
