package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.{FullOuter, Inner, LeftAnti, LeftOuter}
import org.apache.spark.sql.catalyst.plans.logical._

/** Which rows are looked at, and which side of a join goes to the other. */
sealed trait Meeting

object Meeting {

  /** All rows of the batch, each with the table's rows of its key: both sides move, unless the keys are few. */
  case class Outer(fewKeys: Boolean) extends Meeting

  /** Only the rows that meet: the batch goes to the table's rows, which do not move at all. */
  case object InTable extends Meeting

  /** Only the rows of the batch that met none; `known` has the keys of those that did. */
  case class NotInTable(known: LogicalPlan) extends Meeting
}

/**
 * What a keyed strategy is given.
 *
 * @param keyBounds holds for every row of the table whose key is in the batch
 * @param now the moment of the statement
 */
case class MergeInput(
    target: TargetRows,
    batch: Batch,
    meeting: Meeting,
    keyBounds: Option[Expression],
    now: Expression) {

  /** The table's rows whose key is in the batch. */
  def touched: TargetRows = {
    val few = meeting == Meeting.Outer(fewKeys = true)
    val (keys, sameKey) = batch.keysOnly(few)
    bounded.matching(keys, sameKey, few)
  }

  private def bounded: TargetRows = keyBounds.foldLeft(target)(_.where(_))

  /** Each row of the batch with the table's rows of its key, or with none. */
  def joined(prepare: TargetRows => TargetRows): Joined = meeting match {
    case Meeting.Outer(fewKeys) =>
      // When the keys are many, the join itself moves both sides anyway.
      val rows = Joined.marked(prepare(if (fewKeys) touched else bounded).plan)
      Joined(
        Join(batch.rows, rows, LeftOuter, Some(batch.sameKey), JoinHint.NONE),
        inBatch = Literal.TrueLiteral,
        inTarget = IsNotNull(rows.output.last))
    case Meeting.InTable =>
      val table = prepare(bounded).plan
      Joined(
        Join(table, batch.rows, Inner, Some(batch.sameKeyAtHand), Broadcast.right),
        inBatch = Literal.TrueLiteral,
        inTarget = Literal.TrueLiteral,
        unchanged = Some(keysOfTarget))
    case Meeting.NotInTable(known) =>
      val rows =
        Join(batch.rows, known, LeftAnti, Some(batch.sameKeyIn(known)), Broadcast.right)
      val nothing = (target.columns ++ target.position).map { column =>
        Alias(Literal(null, column.dataType), column.name)(exprId = column.exprId)
      }
      Joined(
        Project(batch.rows.output ++ nothing, rows),
        inBatch = Literal.TrueLiteral,
        inTarget = Literal.FalseLiteral,
        unchanged = Some(target.columns.map(column => Literal(null, column.dataType))))
  }

  /** The key columns of the table's row, and nothing else of it. */
  private def keysOfTarget: Seq[Expression] = {
    val keys = AttributeSet(batch.keys.map(_.target))
    target.columns.map(c => if (keys.contains(c)) c else Literal(null, c.dataType))
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

/**
 * Rows of the batch beside rows of the table; either side may be missing.
 *
 * @param unchanged what is kept of a row to which nothing happens, where such rows must be known
 */
case class Joined(
    plan: LogicalPlan,
    inBatch: Expression,
    inTarget: Expression,
    unchanged: Option[Seq[Expression]] = None)

object Joined {

  /** With a last column that is never NULL, so that a missing side can be told from NULLs. */
  private[rowlevel] def marked(rows: LogicalPlan): LogicalPlan =
    Project(rows.output :+ Alias(Literal.TrueLiteral, "present")(), rows)
}
