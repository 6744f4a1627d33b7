package org.apache.spark.sql.lamina.analysis

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.lamina.execution.StrategyInsertCommand
import org.apache.spark.sql.lamina.parser.StrategyInsert

/** Once Spark has resolved the query, decides everything about the statement. Changes nothing. */
class ResolveStrategyInsert(session: SparkSession) extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperators {
    case insert: StrategyInsert if insert.query.resolved && insert.isPositional =>
      new InsertPlanner(session).named(insert)
    case insert: StrategyInsert if insert.query.resolved && insert.values.forall(_.resolved) =>
      StrategyInsertCommand(insert, new InsertPlanner(session).plan(insert))
  }
}
