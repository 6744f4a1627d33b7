package org.apache.spark.sql.lamina

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.connector.catalog.{Identifier, TableCatalog}
import org.apache.spark.sql.execution.{CommandExecutionMode, QueryExecution}
import org.apache.spark.sql.internal.{SessionState, SQLConf}

/** The inside of a session. */
object Sessions {

  def state(session: SparkSession): SessionState = ClassicSession(session).sessionState

  /** Spark's execution of a plan; a command in it runs only when its physical plan is run. */
  def execute(session: SparkSession, plan: LogicalPlan): QueryExecution =
    state(session).executePlan(plan, CommandExecutionMode.SKIP)

  /** The same for a plan with nothing left to decide: Spark takes longer to look at it again than a small one runs. */
  def executeAsPlanned(session: SparkSession, plan: LogicalPlan): QueryExecution = {
    val conf = state(session).conf.clone()
    conf.setConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED, false)
    SQLConf.withExistingConf(conf) {
      val execution = execute(session, plan)
      execution.executedPlan
      execution
    }
  }

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
