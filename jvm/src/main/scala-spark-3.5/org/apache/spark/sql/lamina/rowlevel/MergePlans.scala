package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, MergeAction, MergeIntoTable}

/** Spark's node of a MERGE. */
private[rowlevel] object MergePlans {

  def merge(
      target: LogicalPlan,
      source: LogicalPlan,
      condition: Expression,
      matched: Seq[MergeAction],
      notMatched: Seq[MergeAction]): MergeIntoTable =
    MergeIntoTable(target, source, condition, matched, notMatched, Nil)
}
