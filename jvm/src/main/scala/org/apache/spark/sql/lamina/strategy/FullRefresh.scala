package org.apache.spark.sql.lamina.strategy

import org.apache.spark.sql.catalyst.analysis.NamedRelation
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, OverwriteByExpression}
import org.apache.spark.sql.lamina.settings.StrategyKind

/** The table's rows become the source's rows. Identity, properties and older snapshots stay. */
object FullRefresh extends DirectStrategy {

  override def kind: StrategyKind = StrategyKind.FullRefresh

  override def write(
      target: NamedRelation,
      source: LogicalPlan,
      options: Map[String, String]): LogicalPlan =
    OverwriteByExpression.byPosition(target, source, Literal.TrueLiteral, options)
}
