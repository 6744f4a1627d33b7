package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeMap, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.joins.ShuffledJoin
import org.apache.spark.sql.execution.window.WindowExecBase
import org.apache.spark.sql.lamina.Sessions
import org.apache.spark.sql.lamina.rowlevel._
import org.apache.spark.sql.lamina.settings.Settings
import org.apache.spark.sql.lamina.strategy.{RowChanges, RowLevelStrategy}

/** The rows that change, found once and kept, and what was seen of them. */
private[execution] case class FoundChanges(
    changed: ChangedRows,
    added: Option[LogicalPlan],
    private val seen: ChangesSeen) {

  def count(kind: ChangeKind): Long = seen.count(kind)

  /** Rows of the batch that met a row of the table, once for each that they met. */
  def met: Long = rows - count(ChangeKind.Insert)

  def meetEachKeyOnce: Boolean = seen.hasEachKeyOnce

  /** Also those that stay as they are. */
  def rows: Long = seen.rows

  def total: Long = rows - count(ChangeKind.Same)

  def and(others: FoundChanges): FoundChanges =
    FoundChanges(changed.and(others.changed), added, seen.and(others.seen))
}

/** Finds the rows that change: by sending a small batch to the table's rows, or by joining both. */
private[execution] class ChangeSearch(
    session: SparkSession,
    strategy: RowLevelStrategy,
    settings: Settings,
    target: TargetRows,
    batch: Batch,
    now: Literal) {

  private var release: Seq[() => Unit] = Nil

  def close(): Unit = release.foreach(_.apply())

  /** For a person to read: the plans for a small batch. */
  def shown: Seq[RowChanges] =
    if (!strategy.comparesOneByOne(settings)) Seq(changes(Meeting.Outer(fewKeys = true), None))
    else {
      val met = changes(Meeting.InTable, None)
      val known = Pinned.example(session, keysOf(met.changed))
      Seq(met, changes(Meeting.NotInTable(known), None))
    }

  def run(facts: BatchFacts): FoundChanges = {
    def oneByOne = if (isSmall(facts)) this.oneByOne(facts) else None
    oneByOne.getOrElse(find(Meeting.Outer(fewKeys(facts)), facts, facts.keyBounds))
  }

  /** Nothing where the table holds several rows of some key, which must be seen together. */
  private def oneByOne(facts: BatchFacts): Option[FoundChanges] = {
    val met = find(Meeting.InTable, facts, facts.keyBounds)
    if (met.count(ChangeKind.Unclear) > 0 || met.met > facts.rows) None
    else if (met.met == facts.rows && met.meetEachKeyOnce) Some(met)
    else {
      val rest = find(Meeting.NotInTable(keysOf(met.changed)), facts, None)
      if (met.met + rest.rows == facts.rows) Some(met.and(rest)) else None
    }
  }

  private def changes(meeting: Meeting, bounds: Option[Expression]): RowChanges =
    strategy.changes(MergeInput(target, batch, meeting, bounds, now), settings)

  private def find(
      meeting: Meeting,
      facts: BatchFacts,
      bounds: Option[Expression]): FoundChanges = {
    val changes = this.changes(meeting, bounds)
    val plan = changes.changed.plan
    val prepared = physical(Sessions.execute(session, plan), facts)
    val look = ChangesSeen.look(changes.changed, keyColumns(changes.changed))
    val (pinned, seen) =
      if (facts.rows <= Pinned.FewRows) Pinned.ofFew(session, plan, prepared)(look)
      else Pinned.of(session, plan, prepared)(look)
    release = pinned.release +: release
    val changed = changes.changed.copy(plan = pinned.plan)
    FoundChanges(changed, changes.added, seen.foldLeft(ChangesSeen.none)(_.and(_)))
  }

  /** A plan that looks at each row alone leaves nothing to be decided while it runs. */
  private def physical(execution: QueryExecution, facts: BatchFacts): SparkPlan = {
    val seesNeighbours = execution.sparkPlan.exists {
      case _: BaseAggregateExec | _: WindowExecBase | _: ShuffledJoin => true
      case _ => false
    }
    if (seesNeighbours) execution.executedPlan
    else HeldLiterals.hold(Sessions.asPlanned(session, execution), literals(facts))
  }

  private def literals(facts: BatchFacts): Set[Literal] =
    facts.keyBounds.toSet[Expression].flatMap(_.collect { case l: Literal => l }) + now

  private def keysOf(changed: ChangedRows): LogicalPlan =
    Project(keyColumns(changed).map(key => Alias(key, "key")()), changed.plan)

  private def keyColumns(changed: ChangedRows): Seq[Expression] = {
    val columns = AttributeMap(target.columns.zip(changed.values))
    batch.keys.map(_.target.transform { case a: Attribute => columns(a) })
  }

  private def isSmall(facts: BatchFacts): Boolean =
    strategy.comparesOneByOne(settings) && fewKeys(facts) && facts.unique &&
      batch.rows.stats.sizeInBytes <= ChangeSearch.MaxBatchBytes

  /** Sent to every task only while that is cheaper than moving the table's rows. */
  private def fewKeys(facts: BatchFacts): Boolean = {
    val conf = Sessions.state(session).conf
    val bytes = facts.rows * batch.keys.map(_.target.dataType.defaultSize.toLong + 8).sum
    conf.autoBroadcastJoinThreshold >= 0 && facts.rows <= ChangeSearch.MaxBroadcastRows &&
    bytes <= ChangeSearch.MaxBroadcastBytes
  }
}

private[execution] object ChangeSearch {

  private val MaxBroadcastRows = 1000000L
  private val MaxBroadcastBytes = 64L << 20
  private val MaxBatchBytes = 32L << 20
}
