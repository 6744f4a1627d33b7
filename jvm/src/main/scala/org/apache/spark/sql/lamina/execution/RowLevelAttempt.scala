package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, AppendData, Deduplicate, Filter, LocalRelation, LogicalPlan, Project, Union}
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.lamina.{LaminaErrors, Sessions}
import org.apache.spark.sql.lamina.analysis.InsertPlan
import org.apache.spark.sql.lamina.iceberg.{FileFilter, StagedTable}
import org.apache.spark.sql.lamina.rowlevel._
import org.apache.spark.sql.lamina.schema.ColumnPath
import org.apache.spark.sql.lamina.settings.{ColumnList, StrategyKind}
import org.apache.spark.sql.lamina.strategy.RowLevelStrategy

/**
 * Finds the rows that change, counts them, and writes them in one row-level operation.
 *
 * @param source the rows of the statement, pinned
 */
class RowLevelAttempt(
    session: SparkSession,
    plan: InsertPlan,
    strategy: RowLevelStrategy,
    staged: StagedTable,
    now: Literal) {

  private val settings = plan.settings

  /** A table that does not exist yet has no rows to be changed. */
  private lazy val operation: Option[RowLevelWrite] =
    plan.target.map(_ => RowLevelWrite.of(MergeTemplate.of(session, staged.relation)))

  private lazy val target: TargetRows = operation.map(_.target).getOrElse {
    val columns = staged.relation.output.map(_.newInstance())
    TargetRows(LocalRelation(columns), columns, Nil)
  }

  private lazy val batch: Batch = {
    val rows = plan.source.output
    def path(names: Seq[String]) = ColumnPath.find(rows, names, plan.sameName)
    Batch(
      plan.source,
      plan.storedColumns,
      plan.deleted,
      settings.sequence.map { names =>
        val kept = ColumnPath.find(target.columns, names, plan.sameName)
        SequenceColumn(ColumnList.name(names), path(names).get, kept)
      },
      plan.keyPaths.map { names =>
        val kept = ColumnPath.find(target.columns, names, plan.sameName).get
        val incoming = path(names).get
        KeyColumn(
          ColumnList.name(names),
          if (incoming.dataType == kept.dataType) incoming else Cast(incoming, kept.dataType),
          kept)
      },
      if (strategy.kind == StrategyKind.Snapshot) KeyMatch.NullIsValue else KeyMatch.NullNever,
      target.columns,
      plan.sameName)
  }

  /** For a person to read: what finds the changes, and what writes them. */
  def shown: Seq[QueryExecution] = {
    val found = search(batch).shown
    val examples = found.map(c => c.changed.copy(plan = Pinned.example(session, c.changed.plan)))
    val write = writePlan(operation, examples.reduce(_.and(_)).effective, found.head.added)
    (found.map(_.changed.plan) :+ write).map(Sessions.execute(session, _))
  }

  /** @return the figures, and the write that makes them true; no write when nothing changes */
  def prepare(): (RowFigures, Option[() => Any]) = {
    val (unique, facts) = check()
    val found = search(unique).run(facts)
    requireNoConflict(found)
    val added = if (found.added.nonEmpty) facts.rows else 0L
    val figures = RowFigures(
      found.count(ChangeKind.Insert) + added,
      found.count(ChangeKind.Update),
      found.count(ChangeKind.Close),
      found.count(ChangeKind.Delete))
    if (found.total + added == 0) (figures, None)
    else {
      val isSmall = unique.rows.stats.sizeInBytes <= RowLevelAttempt.SmallBytes
      val shape = if (isSmall) operation.map(_.forRows(found.total + added)) else operation
      (figures, Some(() => write(shape, found.changed.effective, found.added)))
    }
  }

  private var searches: Seq[ChangeSearch] = Nil

  private def search(rows: Batch): ChangeSearch = {
    val search = new ChangeSearch(session, strategy, settings, target, rows, now)
    searches = search +: searches
    search
  }

  def close(): Unit = searches.foreach(_.close())

  private def check(): (Batch, BatchFacts) = {
    val checks = new BatchChecks(session, batch, plan.name.sql)
    val isTimeline = strategy.kind == StrategyKind.Scd2 && batch.sequence.nonEmpty
    val keyed = batch.keyMatch == KeyMatch.NullNever
    val distinct =
      batch.keys.map(_.source) ++ (if (isTimeline) batch.sequence.map(_.source) else None)
    val facts = BatchFacts.of(session, batch, distinct)
    if (keyed && facts.hasNullKey) throw checks.nullKeys
    if (facts.hasNullSequence) throw checks.nullSequence
    if (facts.rows == 0 && settings.invalidatesAbsent && !settings.allowsEmptySource &&
      plan.target.nonEmpty) {
      throw LaminaErrors.emptySource(plan.name.sql)
    }
    val unique = strategy.kind match {
      case StrategyKind.DeleteInsert | StrategyKind.Snapshot => batch
      case _ if facts.unique => batch
      case _ if isTimeline => checks.oncePerSequence()
      case _ => checks.latest()
    }
    (unique, facts)
  }

  private def requireNoConflict(found: FoundChanges): Unit =
    ChangeKind.errors.find(found.count(_) > 0).foreach { kind =>
      val changed = found.changed
      val rows = Filter(EqualTo(changed.kind, Literal(kind.code)), changed.plan)
      val names = plan.keyPaths ++
        (if (kind == ChangeKind.SequenceConflict) settings.sequence else None)
      val columns = names.flatMap(ColumnPath.find(changed.values, _, plan.sameName))
      val samples =
        SampleRows.of(session, Deduplicate(columns.flatMap(_.references), rows), columns)
      throw (kind match {
        case ChangeKind.SequenceConflict =>
          LaminaErrors.sequenceConflict(plan.name.sql, names.map(ColumnList.name), samples)
        case _ => LaminaErrors.severalOpenRows(plan.name.sql, names.map(ColumnList.name), samples)
      })
    }

  private def writePlan(
      shape: Option[RowLevelWrite],
      changed: ChangedRows,
      added: Option[LogicalPlan]): LogicalPlan =
    shape.map(_.plan(changed, added)).getOrElse {
      val inserted = Project(changed.values, changed.plan)
      AppendData.byPosition(staged.relation, added.map(Union(inserted, _)).getOrElse(inserted))
    }

  private def write(
      shape: Option[RowLevelWrite],
      changed: ChangedRows,
      added: Option[LogicalPlan]): Any = {
    val execution = Sessions.execute(session, writePlan(shape, changed, added))
    FileFilter.keepOnly(execution.optimizedPlan, () => touchedFiles(changed))
    execution.executedPlan.executeCollect()
  }

  private def touchedFiles(changed: ChangedRows): Seq[String] = {
    val file = changed.position.filter(_.name == FileFilter.column)
    val files = Aggregate(
      file,
      file,
      Filter(file.map(IsNotNull(_)).reduce[Expression](And(_, _)), changed.plan))
    BatchFacts.collect(session, files).map(_.getUTF8String(0).toString)
  }
}

object RowLevelAttempt {

  /** What one task or two may hold of a batch. */
  private val SmallBytes = 32L << 20
}
