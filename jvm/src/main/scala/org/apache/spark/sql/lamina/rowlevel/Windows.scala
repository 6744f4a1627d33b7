package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Window}

/** Columns computed from the neighbours of a row: rows of the same key, in an order. */
class Windows(key: Seq[Expression], order: Seq[SortOrder]) {

  /** Of the row before; NULL for the first one. */
  def previous(value: Expression): Expression =
    over(First(value, ignoreNulls = false), frame(-1, -1))

  def soFar(value: AggregateFunction): Expression =
    over(value, SpecifiedWindowFrame(RowFrame, UnboundedPreceding, CurrentRow))

  def after(value: AggregateFunction): Expression =
    over(value, SpecifiedWindowFrame(RowFrame, Literal(1), UnboundedFollowing))

  def all(value: AggregateFunction): Expression =
    over(value, SpecifiedWindowFrame(RowFrame, UnboundedPreceding, UnboundedFollowing))

  /** The rows with further columns. */
  def add(columns: Seq[Alias], rows: LogicalPlan): LogicalPlan = Window(columns, key, order, rows)

  private def over(value: AggregateFunction, frame: WindowFrame): Expression =
    WindowExpression(value.toAggregateExpression(), WindowSpecDefinition(key, order, frame))

  private def frame(from: Int, to: Int) =
    SpecifiedWindowFrame(RowFrame, Literal(from), Literal(to))
}

object Windows {
  def by(key: Seq[Expression], order: Expression): Windows =
    new Windows(key, Seq(SortOrder(order, Ascending)))
}
