package org.apache.spark.sql.lamina

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.connector.catalog.{Identifier, TableCatalog}
import org.apache.spark.sql.execution.{CommandExecutionMode, QueryExecution, SparkPlan}
import org.apache.spark.sql.internal.SessionState

/** The inside of a session. */
object Sessions {

  def state(session: SparkSession): SessionState = ClassicSession(session).sessionState

  /** Spark's execution of a plan; a command in it runs only when its physical plan is run. */
  def execute(session: SparkSession, plan: LogicalPlan): QueryExecution =
    state(session).executePlan(plan, CommandExecutionMode.SKIP)

  /** Without a second look while it runs, which takes longer than a small plan that has nothing left to decide. */
  def asPlanned(session: SparkSession, execution: QueryExecution): SparkPlan =
    QueryExecution.prepareExecutedPlan(ClassicSession(session), execution.sparkPlan)

  /** After a commit past the catalog, neither it nor Spark's cached data may show the old state. */
  def forgetTable(
      session: SparkSession,
      catalog: TableCatalog,
      ident: Identifier,
      name: String): Unit = {
    catalog.invalidateTable(ident)
    if (!ClassicSession(session).sharedState.cacheManager.isEmpty) {
      session.catalog.refreshTable(name)
    }
  }
}
