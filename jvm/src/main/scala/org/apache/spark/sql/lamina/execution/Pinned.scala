package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.{LogicalRDD, QueryExecution}
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.lamina.{ClassicSession, Sessions}
import org.apache.spark.storage.StorageLevel

/** Rows that are computed at most once and are the same whenever they are read, until they are released. */
final class Pinned private (val plan: LogicalPlan, val release: () => Unit)

object Pinned {

  /** A lost part is computed again where that gives the same rows; otherwise its loss is an error. */
  def apply(session: SparkSession, rows: LogicalPlan): Pinned = rows match {
    case local: LocalRelation => new Pinned(local, () => ())
    case _ =>
      val execution = Sessions.execute(session, rows)
      if (execution.optimizedPlan.maxRows.exists(_ <= fewRows)) collected(execution)
      else if (isRepeatable(rows)) kept(execution)
      else checkpointed(session, execution)
  }

  private val fewRows = 1000L

  /** Rows that are known to be few are no distributed data: the jobs that read them need no shuffle. */
  private def collected(execution: QueryExecution): Pinned = {
    val columns = execution.analyzed.output
    val rows = execution.executedPlan.executeCollect().toSeq
    new Pinned(Repartition(1, shuffle = false, LocalRelation(columns, rows)), () => ())
  }

  private def kept(execution: QueryExecution): Pinned = {
    val relation = InMemoryRelation(StorageLevel.MEMORY_AND_DISK, execution, None)
    new Pinned(relation, () => relation.cacheBuilder.clearCache())
  }

  private def checkpointed(session: SparkSession, execution: QueryExecution): Pinned = {
    val rdd = execution.toRdd.map(_.copy()).localCheckpoint()
    rdd.count()
    val relation = LogicalRDD(execution.analyzed.output, rdd)(ClassicSession(session))
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
