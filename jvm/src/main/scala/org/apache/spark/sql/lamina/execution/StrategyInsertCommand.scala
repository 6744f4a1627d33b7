package org.apache.spark.sql.lamina.execution

import java.util.concurrent.TimeUnit.NANOSECONDS

import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.catalyst.analysis.AnalysisContext
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.{AnalysisOnlyCommand, LeafNode, LogicalPlan}
import org.apache.spark.sql.execution.command.RunnableCommand
import org.apache.spark.sql.lamina.analysis.InsertPlan
import org.apache.spark.sql.lamina.parser.StrategyInsert

/**
 * A statement that is decided and can be run. Spark sees the source until it is analysed; EXPLAIN shows
 * the decisions and the write plan, which is the very plan that runs.
 */
case class StrategyInsertCommand(
    statement: StrategyInsert,
    plan: InsertPlan,
    isAnalyzed: Boolean = false) extends RunnableCommand
    with AnalysisOnlyCommand {

  override val output: Seq[Attribute] = InsertResult.attributes

  override def childrenToAnalyze: Seq[LogicalPlan] = Seq(plan.source)

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): LogicalPlan =
    copy(plan = plan.copy(source = newChildren.head))

  override def markAsAnalyzed(context: AnalysisContext): LogicalPlan = copy(isAnalyzed = true)

  override def nodeName: String = "LaminaInsert"

  override def simpleString(maxFields: Int): String = s"LaminaInsert ${plan.name.sql}"

  override protected def stringArgs: Iterator[Any] = Iterator(plan.name.sql)

  override def innerChildren: Seq[QueryPlan[_]] = if (isAnalyzed) shown else Nil

  override def run(session: SparkSession): Seq[Row] = {
    val start = System.nanoTime()
    val result = new InsertExecution(session, statement).run(plan)
    Seq(result.toRow(NANOSECONDS.toMillis(System.nanoTime() - start)))
  }

  /** Spark asks for this before it runs the command as well, where planning the write would be done twice. */
  @transient private lazy val shown: Seq[QueryPlan[_]] = {
    def plans = new InsertAttempt(SparkSession.active, plan, InsertExecution.now()).shownPlans
    plan.notes.map(PlanNote) ++ (if (statement.explained) plans else Nil)
  }
}

/** One line in the plan that EXPLAIN shows. */
private case class PlanNote(text: String) extends LeafNode {
  override def output: Seq[Attribute] = Nil
  override def nodeName: String = text
  override protected def stringArgs: Iterator[Any] = Iterator.empty
}
