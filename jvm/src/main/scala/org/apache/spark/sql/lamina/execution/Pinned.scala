package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.LogicalRDD
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.lamina.{ClassicSession, Sessions}
import org.apache.spark.storage.StorageLevel

/** Rows that are computed at most once and are the same whenever they are read, until they are released. */
final class Pinned private (val plan: LogicalPlan, val release: () => Unit)

object Pinned {

  /** A lost part is computed again where that gives the same rows; otherwise its loss is an error. */
  def apply(session: SparkSession, rows: LogicalPlan): Pinned = rows match {
    case local: LocalRelation => new Pinned(local, () => ())
    case _ if isRepeatable(rows) => kept(session, rows)
    case _ => checkpointed(session, rows)
  }

  private def kept(session: SparkSession, rows: LogicalPlan): Pinned = {
    val relation =
      InMemoryRelation(StorageLevel.MEMORY_AND_DISK, Sessions.execute(session, rows), None)
    new Pinned(relation, () => relation.cacheBuilder.clearCache())
  }

  private def checkpointed(session: SparkSession, rows: LogicalPlan): Pinned = {
    val execution = Sessions.execute(session, rows)
    val rdd = execution.toRdd.map(_.copy()).localCheckpoint()
    rdd.count()
    val relation = LogicalRDD(rows.output, rdd)(ClassicSession(session))
    new Pinned(relation, () => rdd.unpersist(blocking = false))
  }

  /** Stands in a plan that is only shown. */
  def example(session: SparkSession, rows: LogicalPlan): LogicalPlan =
    LogicalRDD(rows.output, session.sparkContext.emptyRDD[InternalRow])(ClassicSession(session))

  private def isRepeatable(rows: LogicalPlan): Boolean = !rows.exists {
    case _: GlobalLimit | _: LocalLimit | _: Tail | _: Offset | _: Sample => true
    case node => node.expressions.exists(!_.deterministic)
  }
}
