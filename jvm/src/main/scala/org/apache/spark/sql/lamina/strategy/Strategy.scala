package org.apache.spark.sql.lamina.strategy

import org.apache.spark.sql.catalyst.analysis.NamedRelation
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.lamina.rowlevel.{ChangedRows, MergeInput}
import org.apache.spark.sql.lamina.settings.{Settings, StrategyKind}
import org.apache.spark.sql.types.{StructField, StructType}

/** How the rows of a source get into a table. */
sealed trait Strategy {

  def kind: StrategyKind

  /** Columns of the table that the strategy fills by itself, given the source's columns. */
  def ownColumns(settings: Settings, source: StructType): Seq[StructField] = Nil
}

/** A strategy that does not look at the table's rows: one of Spark's own writes. */
trait DirectStrategy extends Strategy {

  /**
   * @param target the table as it will be, with the columns that the statement adds
   * @param source the statement's rows, in the shape of the target
   */
  def write(
      target: NamedRelation,
      source: LogicalPlan,
      options: Map[String, String]): LogicalPlan
}

/** A strategy that finds the rows of the table that the source speaks of. */
trait RowLevelStrategy extends Strategy {

  def changes(input: MergeInput, settings: Settings): RowChanges

  /** Whether one row of the batch and one row of the table tell what happens, without their neighbours. */
  def comparesOneByOne(settings: Settings): Boolean = false
}

/** @param added rows in the shape of the table that are inserted whatever the table holds */
case class RowChanges(changed: ChangedRows, added: Option[LogicalPlan])

object Strategy {

  private val all: Seq[Strategy] =
    Seq(FullRefresh, Incremental, AppendOnly, DeleteInsert, Scd2, Snapshot)

  /** @param ownPartitions whether each partition of the table is one that the statement may replace as a whole */
  def of(kind: StrategyKind, ownPartitions: => Boolean): Strategy = kind match {
    case StrategyKind.Snapshot if ownPartitions => SnapshotOfPartitions
    case _ => all.find(_.kind == kind).get
  }
}
