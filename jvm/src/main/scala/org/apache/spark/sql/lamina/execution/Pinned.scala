package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
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
    case _ => of(session, Sessions.execute(session, rows))
  }

  def of(session: SparkSession, execution: QueryExecution): Pinned =
    if (execution.optimizedPlan.maxRows.exists(_ <= FewRows)) collected(execution)
    else if (isRepeatable(execution.analyzed)) kept(execution)
    else checkpointed(session, execution)

  val FewRows = 1000L

  /** Rows that are known to be few are no distributed data: the jobs that read them need no shuffle. */
  private def collected(execution: QueryExecution): Pinned =
    local(execution.analyzed.output, execution.executedPlan.executeCollect().toSeq)

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

  /** Rows that will not be many, but nobody knows for certain: collected if they are not. */
  def ofFew(execution: QueryExecution): Pinned = {
    val limit = FewRows.toInt
    val first = execution.toRdd.mapPartitions(_.take(limit + 1).map(_.copy())).collect()
    if (first.length <= limit) local(execution.analyzed.output, first.toSeq) else kept(execution)
  }

  /** The same rows where they can be read without a job, if they are held here. */
  def local(pinned: LogicalPlan): LogicalPlan = pinned match {
    case Repartition(1, false, rows: LocalRelation) => rows
    case other => other
  }

  private def local(columns: Seq[Attribute], rows: Seq[InternalRow]): Pinned =
    new Pinned(Repartition(1, shuffle = false, LocalRelation(columns, rows)), () => ())

  /** Stands for few rows in a plan that is only shown. */
  def example(session: SparkSession, rows: LogicalPlan): LogicalPlan =
    LogicalRDD(rows.output, session.sparkContext.emptyRDD[InternalRow])(
      ClassicSession(session),
      Some(Statistics(sizeInBytes = 1)))

  private def isRepeatable(rows: LogicalPlan): Boolean = !rows.exists {
    case _: GlobalLimit | _: LocalLimit | _: Tail | _: Offset | _: Sample => true
    case node => node.expressions.exists(!_.deterministic)
  }
}
