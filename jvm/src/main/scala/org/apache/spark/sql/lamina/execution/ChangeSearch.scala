package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeMap, EqualTo, Expression, Literal, Not}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.execution.{LocalTableScanExec, QueryExecution, SparkPlan}
import org.apache.spark.sql.lamina.Sessions
import org.apache.spark.sql.lamina.rowlevel._
import org.apache.spark.sql.lamina.settings.Settings
import org.apache.spark.sql.lamina.strategy.{RowChanges, RowLevelStrategy}

/**
 * The rows that change, found once and kept.
 *
 * @param counts how many of each kind
 */
case class FoundChanges(
    changed: ChangedRows,
    added: Option[LogicalPlan],
    counts: Map[Int, Long]) {

  def count(kind: ChangeKind): Long = counts.getOrElse(kind.code, 0L)

  def total: Long = counts.values.sum - count(ChangeKind.Same)

  def and(others: FoundChanges): FoundChanges = FoundChanges(
    changed.and(others.changed),
    added,
    (counts.toSeq ++ others.counts).groupBy(_._1).map { case (kind, n) => kind -> n.map(_._2).sum })
}

/** Finds the rows that change: by sending a small batch to the table's rows, or by joining both. */
class ChangeSearch(
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
    oneByOne.getOrElse {
      val joined = changes(Meeting.Outer(fewKeys(facts)), facts.keyBounds)
      keep(joined, facts)(_.executedPlan)
    }
  }

  /** Nothing where the table holds several rows of some key, which must be seen together. */
  private def oneByOne(facts: BatchFacts): Option[FoundChanges] = {
    def found(changes: RowChanges) = keep(changes, facts) { execution =>
      HeldLiterals.hold(Sessions.asPlanned(session, execution), literals(facts))
    }
    val met = found(changes(Meeting.InTable, facts.keyBounds))
    // A row that met one of the table's is inserted only beside the one it closes.
    val seen = met.counts.values.sum - met.count(ChangeKind.Insert)
    if (met.count(ChangeKind.Unclear) > 0 || seen > facts.rows) None
    else if (seen == facts.rows && meetsEachKeyOnce(met.changed)) Some(met)
    else {
      val rest = found(changes(Meeting.NotInTable(keysOf(met.changed)), None))
      if (seen + rest.counts.values.sum == facts.rows) Some(met.and(rest)) else None
    }
  }

  /** A row of the batch may meet two of the table's while another meets none. */
  private def meetsEachKeyOnce(met: ChangedRows): Boolean = {
    val isMet = Not(EqualTo(met.kind, Literal(ChangeKind.Insert.code)))
    val keys = keysOf(met.copy(plan = Filter(isMet, Pinned.local(met.plan))))
    KeyColumns(keys, keys.output.map(_.dataType)).look(session).looksUnique
  }

  private def changes(meeting: Meeting, bounds: Option[Expression]): RowChanges =
    strategy.changes(MergeInput(target, batch, meeting, bounds, now), settings)

  private def keep(changes: RowChanges, facts: BatchFacts)(
      physical: QueryExecution => SparkPlan): FoundChanges = {
    val plan = changes.changed.plan
    val prepared = physical(Sessions.execute(session, plan))
    val pinned =
      if (facts.rows <= Pinned.FewRows) Pinned.ofFew(session, plan, prepared)
      else Pinned.of(session, plan, prepared)
    release = pinned.release +: release
    val changed = changes.changed.copy(plan = pinned.plan)
    FoundChanges(changed, changes.added, countByKind(changed))
  }

  private def literals(facts: BatchFacts): Set[Literal] =
    facts.keyBounds.toSet[Expression].flatMap(_.collect { case l: Literal => l }) + now

  private def keysOf(changed: ChangedRows): LogicalPlan = {
    val columns = AttributeMap(target.columns.zip(changed.values))
    val keys = batch.keys.map(key => key.target.transform { case a: Attribute => columns(a) })
    Project(keys.map(key => Alias(key, "key")()), changed.plan)
  }

  /** Without a shuffle: there are but a few kinds. */
  private def countByKind(changed: ChangedRows): Map[Int, Long] = {
    val kinds = Project(Seq(changed.kind), Pinned.local(changed.plan))
    val execution = Sessions.execute(session, kinds)
    val counts = execution.executedPlan match {
      case local: LocalTableScanExec => Seq(ChangeSearch.count(local.executeCollect().iterator))
      case _ =>
        execution.toRdd.mapPartitions(rows => Iterator.single(ChangeSearch.count(rows))).collect().toSeq
    }
    counts
      .flatMap(_.zipWithIndex)
      .groupBy(_._2)
      .map { case (kind, parts) => kind -> parts.map(_._1).sum }
      .filter(_._2 > 0)
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

object ChangeSearch {

  private def count(kinds: Iterator[InternalRow]): Array[Long] = {
    val counts = new Array[Long](ChangeKind.all.map(_.code).max + 1)
    kinds.foreach(row => counts(row.getInt(0)) += 1)
    counts
  }

  private val MaxBroadcastRows = 1000000L
  private val MaxBroadcastBytes = 64L << 20
  private val MaxBatchBytes = 32L << 20
}
