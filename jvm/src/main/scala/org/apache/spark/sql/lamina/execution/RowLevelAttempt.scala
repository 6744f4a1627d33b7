package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{AppendData, Deduplicate, Filter, LocalRelation, LogicalPlan, Project, Union}
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
    val write = writePlan(
      examples.reduce(_.and(_)).effective,
      found.head.added,
      RowPlaces.none,
      tasks = Some(1))
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
      val tasks = if (isSmall) RowLevelWrite.tasks(found.total + added) else None
      (figures, Some(() => write(found.changed.effective, found.added, tasks)))
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
      changed: ChangedRows,
      added: Option[LogicalPlan],
      places: => RowPlaces,
      tasks: Option[Int]): LogicalPlan =
    operation.map(_.plan(changed, added, places, tasks)).getOrElse {
      val inserted = Project(changed.values, changed.plan)
      AppendData.byPosition(staged.relation, added.map(Union(inserted, _)).getOrElse(inserted))
    }

  private def write(changed: ChangedRows, added: Option[LogicalPlan], tasks: Option[Int]): Any = {
    lazy val places = placesOf(changed)
    val execution = Sessions.execute(session, writePlan(changed, added, places, tasks))
    FileFilter.keepOnly(execution.optimizedPlan, () => places.files)
    execution.executedPlan.executeCollect()
  }

  /** Of the rows that the table has now. */
  private def placesOf(changed: ChangedRows): RowPlaces = {
    val place = ReplaceWrite.place.map(name => changed.position.find(_.name == name).get)
    val rows = Project(place, Filter(IsNotNull(place.head), changed.plan))
    Sessions.execute(session, rows).toRdd
      .mapPartitions(rows => Iterator.single(RowPlaces.of(rows)))
      .collect()
      .foldLeft(RowPlaces.none)(_.and(_))
  }
}

object RowLevelAttempt {

  /** What one task or two may hold of a batch. */
  private val SmallBytes = 32L << 20
}
