package org.apache.spark.sql.lamina.strategy

import org.apache.spark.sql.catalyst.analysis.NamedRelation
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.lamina.LaminaErrors
import org.apache.spark.sql.lamina.settings.StrategyKind

/** How the rows of a source get into a table: builds the one write plan of a statement. */
trait Strategy {

  def kind: StrategyKind

  /**
   * @param target the table as it will be, with the columns that the statement adds
   * @param source the statement's rows, in the shape of the target
   */
  def write(
      target: NamedRelation,
      source: LogicalPlan,
      options: Map[String, String]): LogicalPlan
}

object Strategy {

  private val available: Seq[Strategy] = Seq(AppendOnly, FullRefresh)

  def of(kind: StrategyKind): Strategy = available.find(_.kind == kind).getOrElse {
    throw LaminaErrors.unsupportedFeature(
      s"MERGE STRATEGY ${kind.name}",
      available.map(_.kind.name))
  }
}
