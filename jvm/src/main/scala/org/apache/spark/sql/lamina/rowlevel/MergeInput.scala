package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.{FullOuter, LeftOuter}
import org.apache.spark.sql.catalyst.plans.logical._

/**
 * What a keyed strategy is given.
 *
 * @param fewKeys whether the keys of the batch may be sent to every task
 * @param keyBounds holds for every row of the table whose key is in the batch
 * @param now the moment of the statement
 */
case class MergeInput(
    target: TargetRows,
    batch: Batch,
    fewKeys: Boolean,
    keyBounds: Option[Expression],
    now: Expression) {

  /** The table's rows whose key is in the batch. */
  def touched: TargetRows = {
    val (keys, sameKey) = batch.keysOnly
    bounded.matching(keys, sameKey, fewKeys)
  }

  private def bounded: TargetRows = keyBounds.foldLeft(target)(_.where(_))

  /** Each row of the batch with the table's rows of its key, or with none. */
  def joined(prepare: TargetRows => TargetRows): Joined = {
    // When the keys are many, the join itself moves both sides anyway.
    val rows = Joined.marked(prepare(if (fewKeys) touched else bounded).plan)
    Joined(
      Join(batch.rows, rows, LeftOuter, Some(batch.sameKey), JoinHint.NONE),
      inBatch = Literal.TrueLiteral,
      inTarget = IsNotNull(rows.output.last))
  }

  /** Each row of the batch and each row of the table, together where their keys are the same. */
  def fullyJoined(prepare: TargetRows => TargetRows): Joined = {
    val hasKey = batch.keys.map(key => IsNotNull(key.target): Expression)
    val rows = Joined.marked(prepare(hasKey.foldLeft(target)(_.where(_))).plan)
    val source = Joined.marked(batch.rows)
    Joined(
      Join(source, rows, FullOuter, Some(batch.sameKey), JoinHint.NONE),
      inBatch = IsNotNull(source.output.last),
      inTarget = IsNotNull(rows.output.last))
  }
}

/** Rows of the batch beside rows of the table; either side may be missing. */
case class Joined(plan: LogicalPlan, inBatch: Expression, inTarget: Expression)

object Joined {

  /** With a last column that is never NULL, so that a missing side can be told from NULLs. */
  private[rowlevel] def marked(rows: LogicalPlan): LogicalPlan =
    Project(rows.output :+ Alias(Literal.TrueLiteral, "present")(), rows)
}
