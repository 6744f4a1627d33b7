package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.{AppendData, LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.lamina.Sessions
import org.apache.spark.sql.lamina.analysis.InsertPlan
import org.apache.spark.sql.lamina.iceberg.{CommitOutcome, IcebergCatalogs, SnapshotFigures, StagedTable}
import org.apache.spark.sql.lamina.schema.Alignment
import org.apache.spark.sql.lamina.strategy.{DirectStrategy, FullRefresh, RowLevelStrategy}

/**
 * One try at carrying out a plan: a staged table, and Spark's plan for writing it.
 *
 * @param now the moment of the statement, the same for every try
 */
class InsertAttempt(session: SparkSession, val plan: InsertPlan, now: Literal) {

  /** The physical plans, in the order in which they run; of the source alone when the table must be created first. */
  def shownPlans: Seq[QueryPlan[_]] = {
    val executions = (plan.target, plan.strategy) match {
      case (None, _) => Seq(Sessions.execute(session, plan.stored))
      case (_, direct: DirectStrategy) => Seq(directWrite(direct))
      case (_, strategy: RowLevelStrategy) => rowLevel(strategy).shown
    }
    executions.map(_.executedPlan)
  }

  def run(): InsertResult = plan.strategy match {
    case direct: DirectStrategy =>
      alreadyGone = rowsGoneBefore()
      val write = directWrite(direct)
      // A write of no row may not even try to commit.
      commit(() => write.executedPlan.executeCollect()) match {
        case InsertResult("unchanged", _, _, _, _) => commitColumns()
        case result => result
      }
    case strategy: RowLevelStrategy =>
      val attempt = rowLevel(strategy)
      try {
        val (rows, write) = attempt.prepare()
        counted = Some(rows)
        write.map(commit).getOrElse(commitColumns())
      } finally attempt.close()
  }

  /** A write that removes whole files is told of the rows in them, not of those that were deleted before. */
  private def rowsGoneBefore(): Long = plan.target.filter(_.hasDeletes) match {
    case Some(table) if plan.strategy == FullRefresh =>
      table.recordsInFiles - RowCount.of(session, staged.relation)
    case _ => 0L
  }

  private var alreadyGone = 0L

  private def commit(write: () => Any): InsertResult = staged.commit(write) match {
    case CommitOutcome.Committed(Some(snapshot)) =>
      result("changed", rowFigures(snapshot.summary), Some(snapshot.id))
    case CommitOutcome.Committed(None) => result("changed", noRows, None)
    case _ => result("unchanged", noRows, None)
  }

  /** No row changes, so there is nothing to commit but a new column, or a new table. */
  private def commitColumns(): InsertResult =
    if (plan.target.nonEmpty && plan.change.added.isEmpty) result("unchanged", noRows, None)
    else {
      val nothing = LocalRelation(staged.relation.output.map(_.newInstance()))
      val write = Sessions.execute(session, AppendData.byPosition(staged.relation, nothing))
      commit(() => write.executedPlan.executeCollect())
    }

  private lazy val staged: StagedTable = plan.target match {
    case Some(table) =>
      table.stage(plan.change.added, plan.runId.map(InsertResult.RunIdKey -> _), annotate)
    case None =>
      IcebergCatalogs.stageNew(
        plan.name.catalog,
        plan.name.ident,
        plan.name.sql,
        plan.createdSchema,
        plan.partitionedBy,
        plan.settings.toProperties,
        annotate)
  }

  private def directWrite(strategy: DirectStrategy): QueryExecution = {
    val stored = plan.stored
    val columns = Alignment.columns(stored.output, staged.relation.schema, plan.sameName)
    val source: LogicalPlan = Project(columns, stored)
    Sessions.execute(session, strategy.write(staged.relation, source, plan.writeOptions))
  }

  private def rowLevel(strategy: RowLevelStrategy): RowLevelAttempt =
    new RowLevelAttempt(session, plan, strategy, staged, now)

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

  /** Figures that were found before the write; a direct write has them in its snapshot only. */
  private var counted: Option[RowFigures] = None

  private def rowFigures(summary: Map[String, String]): RowFigures = counted.getOrElse(
    RowFigures(
      SnapshotFigures.rowsAdded(summary),
      0,
      0,
      SnapshotFigures.rowsRemoved(summary, alreadyGone)))

  private def annotate(summary: Map[String, String]): Map[String, String] =
    InsertResult.toSummary(
      plan.strategy.kind.name,
      rowFigures(summary),
      columnFigures,
      plan.runId)
}
