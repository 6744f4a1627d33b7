package org.apache.spark.sql.lamina.strategy

import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.lamina.rowlevel.{ChangeKind, ChangedRows, MergeInput, RowAction}
import org.apache.spark.sql.lamina.settings.{Settings, StrategyKind}

/** The table's rows whose key is in the source are removed, and every row of the source is added. */
object DeleteInsert extends RowLevelStrategy {

  override def kind: StrategyKind = StrategyKind.DeleteInsert

  override def changes(input: MergeInput, settings: Settings): RowChanges = {
    val replaced = input.touched
    // Nothing but the places of these rows is read.
    val nothing = replaced.columns.map(column => Literal(null, column.dataType))
    val removed =
      ChangedRows(
        replaced.plan,
        replaced,
        Seq(RowAction(ChangeKind.Delete, Literal.TrueLiteral, nothing)))
    RowChanges(removed, Some(input.batch.insertedRows))
  }
}
