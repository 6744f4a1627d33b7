package org.apache.spark.sql.lamina.strategy

import org.apache.spark.sql.catalyst.analysis.NamedRelation
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, OverwritePartitionsDynamic}
import org.apache.spark.sql.lamina.rowlevel.MergeInput
import org.apache.spark.sql.lamina.settings.{Settings, StrategyKind}

/** The partitions that occur in the source are replaced by the source's rows. */
object Snapshot extends RowLevelStrategy {

  override def kind: StrategyKind = StrategyKind.Snapshot

  override def changes(input: MergeInput, settings: Settings): RowChanges =
    DeleteInsert.changes(input, settings)
}

/** The same where the table is partitioned by just these columns: whole files go, and no row is looked at. */
object SnapshotOfPartitions extends DirectStrategy {

  override def kind: StrategyKind = StrategyKind.Snapshot

  override def write(
      target: NamedRelation,
      source: LogicalPlan,
      options: Map[String, String]): LogicalPlan =
    OverwritePartitionsDynamic.byPosition(target, source, options)
}
