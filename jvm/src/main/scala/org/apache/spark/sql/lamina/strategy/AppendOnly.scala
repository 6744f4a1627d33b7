package org.apache.spark.sql.lamina.strategy

import org.apache.spark.sql.catalyst.analysis.NamedRelation
import org.apache.spark.sql.catalyst.plans.logical.{AppendData, LogicalPlan}
import org.apache.spark.sql.lamina.settings.StrategyKind

/** Every row of the source is added; nothing else is touched. */
object AppendOnly extends DirectStrategy {

  override def kind: StrategyKind = StrategyKind.AppendOnly

  override def write(
      target: NamedRelation,
      source: LogicalPlan,
      options: Map[String, String]): LogicalPlan =
    AppendData.byPosition(target, source, options)
}
