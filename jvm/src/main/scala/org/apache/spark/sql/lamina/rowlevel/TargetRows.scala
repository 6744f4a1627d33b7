package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.LeftSemi
import org.apache.spark.sql.catalyst.plans.logical._

/**
 * The rows of the table as a strategy sees them.
 *
 * @param columns the table's columns
 * @param position the identifiers of a row, by which it can be removed
 */
case class TargetRows(plan: LogicalPlan, columns: Seq[Attribute], position: Seq[Attribute]) {

  def where(condition: Expression): TargetRows = copy(plan = Filter(condition, plan))

  /** Only the rows that match one of these. When they are few, they go to the table's rows, which need not move. */
  def matching(others: LogicalPlan, condition: Expression, few: Boolean): TargetRows = {
    val hint = if (few) Broadcast.right else JoinHint.NONE
    copy(plan = Join(plan, others, LeftSemi, Some(condition), hint))
  }
}
