package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.lamina.Sessions
import org.apache.spark.sql.lamina.analysis.InsertPlan
import org.apache.spark.sql.lamina.iceberg.{CommitOutcome, IcebergCatalogs, SnapshotFigures, StagedTable}
import org.apache.spark.sql.lamina.schema.Alignment

/** One try at carrying out a plan: a staged table, and Spark's plan for writing it. */
class InsertAttempt(session: SparkSession, val plan: InsertPlan) {

  /** The physical plan of the write; of the source alone when the table must be created first. */
  def shownPlan: QueryPlan[_] = plan.target match {
    case Some(_) => write.executedPlan
    case None => Sessions.execute(session, plan.stored).executedPlan
  }

  def run(): InsertResult = staged.commit(() => write.executedPlan.executeCollect()) match {
    case CommitOutcome.Committed(Some(snapshot)) =>
      result("changed", rowFigures(snapshot.summary), Some(snapshot.id))
    case CommitOutcome.Committed(None) => result("changed", noRows, None)
    case _ => result("unchanged", noRows, None)
  }

  private lazy val staged: StagedTable = plan.target match {
    case Some(table) =>
      table.stage(plan.change.added, plan.runId.map(InsertResult.RunIdKey -> _), annotate)
    case None =>
      IcebergCatalogs.stageNew(
        plan.name.catalog,
        plan.name.ident,
        plan.name.sql,
        plan.stored.schema.asNullable,
        plan.settings.toProperties,
        annotate)
  }

  private lazy val write: QueryExecution = {
    val stored = plan.stored
    val columns = Alignment.columns(stored.output, staged.relation.schema, plan.sameName)
    val source: LogicalPlan = Project(columns, stored)
    Sessions.execute(session, plan.strategy.write(staged.relation, source, plan.writeOptions))
  }

  private def result(status: String, rows: RowFigures, snapshotId: Option[Long]): InsertResult = {
    val outcome = if (plan.target.isEmpty) "created" else status
    InsertResult(outcome, plan.strategy.kind.name, rows, columnFigures, snapshotId)
  }

  private val columnFigures = ColumnFigures(
    plan.change.added.map(_.name),
    plan.change.padded.map(_.name),
    plan.change.ignored.map(_.name),
    Nil)

  private val noRows = RowFigures(0, 0, 0, 0)

  private def rowFigures(summary: Map[String, String]): RowFigures =
    RowFigures(SnapshotFigures.rowsAdded(summary), 0, 0, SnapshotFigures.rowsRemoved(summary))

  private def annotate(summary: Map[String, String]): Map[String, String] =
    InsertResult.toSummary(
      plan.strategy.kind.name,
      rowFigures(summary),
      columnFigures,
      plan.runId)
}
