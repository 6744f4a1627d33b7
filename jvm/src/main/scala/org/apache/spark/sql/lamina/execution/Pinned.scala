package org.apache.spark.sql.lamina.execution

import scala.reflect.ClassTag

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
      else of(session, rows, execution.executedPlan)(_.foreach(_ => ()))._1
  }

  val FewRows = 1000L

  /** Rows that are known to be few are no distributed data: the jobs that read them need no shuffle. */
  private def collected(execution: QueryExecution): Pinned =
    local(execution.analyzed.output, execution.executedPlan.executeCollect().toSeq)

  /**
   * @param physical computes the rows
   * @param look sees the rows of each task, all of them, as they are made
   */
  def of[A: ClassTag](session: SparkSession, rows: LogicalPlan, physical: SparkPlan)(
      look: Iterator[InternalRow] => A): (Pinned, Seq[A]) = {
    val columns = rows.output
    val blocks = RowBlocks.of(physical.execute(), columns.map(_.dataType))
    if (isRepeatable(rows)) blocks.persist(StorageLevel.MEMORY_AND_DISK)
    else blocks.localCheckpoint()
    val count = columns.size
    val (sizes, seen) = blocks
      .mapPartitions { made =>
        var bytes = 0L
        val counted = made.map { block => bytes += block.length; block }
        val one = look(RowBlocks.rowsIn(counted, count))
        Iterator.single((bytes, one))
      }
      .collect()
      .toSeq
      .unzip
    val kept = LogicalRDD(columns, RowBlocks.rows(blocks, count))(
      ClassicSession(session),
      Some(Statistics(sizeInBytes = sizes.sum)))
    (new Pinned(kept, () => blocks.unpersist(blocking = false)), seen)
  }

  /** Rows that will not be many, but nobody knows for certain: collected if they are not. */
  def ofFew[A: ClassTag](session: SparkSession, rows: LogicalPlan, physical: SparkPlan)(
      look: Iterator[InternalRow] => A): (Pinned, Seq[A]) = {
    val limit = FewRows.toInt
    val first = physical.execute().mapPartitions(_.take(limit + 1).map(_.copy())).collect()
    if (first.length > limit) of(session, rows, physical)(look)
    else (local(rows.output, first.toSeq), Seq(look(first.iterator)))
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
