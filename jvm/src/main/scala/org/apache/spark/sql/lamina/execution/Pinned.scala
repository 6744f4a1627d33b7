package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.{LogicalRDD, QueryExecution, SparkPlan}
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
      if (execution.optimizedPlan.maxRows.exists(_ <= FewRows)) collected(execution)
      else of(session, rows, execution.executedPlan)
  }

  val FewRows = 1000L

  /** Rows that are known to be few are no distributed data: the jobs that read them need no shuffle. */
  private def collected(execution: QueryExecution): Pinned =
    local(execution.analyzed.output, execution.executedPlan.executeCollect().toSeq)

  /** @param physical computes the rows */
  def of(session: SparkSession, rows: LogicalPlan, physical: SparkPlan): Pinned = {
    val columns = rows.output
    val blocks = RowBlocks.of(physical.execute(), columns.map(_.dataType))
    if (isRepeatable(rows)) blocks.persist(StorageLevel.MEMORY_AND_DISK)
    else blocks.localCheckpoint()
    val bytes = blocks.map(_.length.toLong).fold(0L)(_ + _)
    val kept = LogicalRDD(columns, RowBlocks.rows(blocks, columns.size))(
      ClassicSession(session),
      Some(Statistics(sizeInBytes = bytes)))
    new Pinned(kept, () => blocks.unpersist(blocking = false))
  }

  /** Rows that will not be many, but nobody knows for certain: collected if they are not. */
  def ofFew(session: SparkSession, rows: LogicalPlan, physical: SparkPlan): Pinned = {
    val limit = FewRows.toInt
    val first = physical.execute().mapPartitions(_.take(limit + 1).map(_.copy())).collect()
    if (first.length <= limit) local(rows.output, first.toSeq) else of(session, rows, physical)
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
