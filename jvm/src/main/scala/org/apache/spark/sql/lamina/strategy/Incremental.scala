package org.apache.spark.sql.lamina.strategy

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.lamina.rowlevel._
import org.apache.spark.sql.lamina.schema.Comparison
import org.apache.spark.sql.lamina.settings.{Settings, StrategyKind}

/** Rows of the source update the table's rows of their key, or are inserted when there is none. */
object Incremental extends RowLevelStrategy {

  override def kind: StrategyKind = StrategyKind.Incremental

  override def comparesOneByOne(settings: Settings): Boolean = !settings.invalidatesAbsent

  override def changes(input: MergeInput, settings: Settings): RowChanges = {
    val batch = input.batch
    val removeAbsent = settings.invalidatesAbsent
    val rows = if (removeAbsent) input.fullyJoined(identity) else input.joined(identity)
    val target = input.target.columns
    val differs = Comparison.anyDiffers(
      target.zip(batch.updated).filter { case (column, _) => batch.has(column) })
    val known = And(rows.inBatch, And(rows.inTarget, Not(isOlder(input))))
    val kept = Not(batch.isDeleted)
    val deleted = And(known, batch.isDeleted)
    val absent = And(Not(rows.inBatch), rows.inTarget)
    val actions = Seq(
      RowAction(
        ChangeKind.Insert,
        And(rows.inBatch, And(Not(rows.inTarget), kept)),
        batch.inserted),
      RowAction(ChangeKind.Update, And(known, And(kept, differs)), batch.updated),
      RowAction(ChangeKind.Delete, if (removeAbsent) Or(deleted, absent) else deleted, target))
    RowChanges(ChangedRows(rows, input.target, actions), None)
  }

  /** NULL is older than everything. A watermark that the table does not keep tells only duplicates apart. */
  private def isOlder(input: MergeInput): Expression = {
    val batch = input.batch
    val pair = for {
      column <- batch.sequence
      kept <- column.target
    } yield (Cast(column.source, kept.dataType), kept)
    pair.fold[Expression](Literal.FalseLiteral) { case (incoming, kept) =>
      And(IsNotNull(kept), Or(IsNull(incoming), LessThan(incoming, kept)))
    }
  }
}
