package org.apache.spark.sql.lamina.strategy

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.lamina.rowlevel._
import org.apache.spark.sql.lamina.schema.Comparison
import org.apache.spark.sql.types._

/**
 * History in the order of a sequence column. The table's rows are read back as the events that made
 * them, the source's rows are put among them, and what follows for each key is compared with what the
 * table holds.
 */
private[strategy] class Timeline(input: MergeInput, columns: HistoryColumns) {

  import columns._

  private val batch = input.batch
  private val target = input.target
  private val keys = batch.keys.map(key => AttributeReference(key.name, key.target.dataType)())
  private val moment = AttributeReference("moment", validFrom.dataType)()
  private val source = AttributeReference("source", IntegerType)()
  private val before = AttributeReference(
    "before",
    CreateStruct(target.columns ++ target.position).dataType)()
  private val after = AttributeReference("after", CreateStruct(target.columns).dataType)()
  private val layout = keys ++ Seq(moment, source, before, after)

  // Where an event is known from.
  private val versionStart = 0
  private val lastMerged = 1
  private val versionEnd = 2
  private val loneDelete = 3
  private val newRow = 4
  private val newDelete = 5

  def changes: ChangedRows = {
    val events = Union(eventsOfTable, eventsOfBatch)
    val known = oncePerMoment(events)
    val placed = versions(known)
    ChangedRows(placed, resultPosition, actions)
  }

  /** A version is an event at its start, at the last event merged into it, and where it ends a delete. */
  private def eventsOfTable: LogicalPlan = {
    val rows = input.touched.plan
    val row = CreateStruct(target.columns ++ target.position)
    val nothing = Literal(null, after.dataType)
    val isDelete = And(IsNotNull(validTo), EqualTo(validFrom, validTo))
    def event(kind: Int, at: Expression, when: Expression) =
      batch.keys.map(_.target) ++ Seq(
        If(when, at, Literal(null, at.dataType)),
        Literal(kind),
        row,
        nothing)
    val merged = sequence.filterNot(_ => everyEventIsVersion).map { column =>
      event(lastMerged, column, And(Not(isDelete), GreaterThan(column, validFrom)))
    }
    val kinds = Seq(
      event(versionStart, validFrom, Not(isDelete)),
      event(versionEnd, validTo, And(Not(isDelete), IsNotNull(validTo))),
      event(loneDelete, validFrom, isDelete)) ++ merged
    Filter(IsNotNull(moment), Expand(kinds, layout, rows))
  }

  private def eventsOfBatch: LogicalPlan = {
    val row = Literal(null, before.dataType)
    val kind = If(batch.isDeleted, Literal(newDelete), Literal(newRow))
    val values = batch.keys.map(_.source) ++
      Seq(
        Cast(batch.sequence.get.source, moment.dataType),
        kind,
        row,
        CreateStruct(named(batch.inserted)))
    Project(
      values.zip(layout).map { case (value, column) => Alias(value, column.name)() },
      batch.rows)
  }

  private def named(values: Seq[Expression]): Seq[Expression] =
    values.zip(target.columns).map { case (value, column) => Alias(value, column.name)() }

  private def first(what: Attribute, kind: Int, name: String): Alias = {
    val value = If(EqualTo(source, Literal(kind)), what, Literal(null, what.dataType))
    Alias(First(value, ignoreNulls = true).toAggregateExpression(), name)()
  }

  private val start = first(before, versionStart, "start")
  private val merged = first(before, lastMerged, "merged")
  private val marker = first(before, loneDelete, "marker")
  private val incoming = first(after, newRow, "incoming")
  private val ended = any(versionEnd, "ended")
  private val deleted = any(newDelete, "deleted")
  private val open = {
    val isOpen = And(EqualTo(source, Literal(versionStart)), IsNull(row(before, Seq(validTo)).head))
    Alias(
      Count(If(isOpen, Literal(1), Literal(null, IntegerType))).toAggregateExpression(),
      "open")()
  }

  private def any(kind: Int, name: String): Alias =
    Alias(Max(EqualTo(source, Literal(kind))).toAggregateExpression(), name)()

  /** One event for each key and moment, with everything that is known of it. */
  private def oncePerMoment(events: LogicalPlan): LogicalPlan =
    Aggregate(
      keys :+ moment,
      keys ++ Seq(moment, start, merged, marker, incoming, ended, deleted, open),
      events)

  private def row(of: Expression, columns: Seq[Attribute]): Seq[Expression] =
    columns.map { column =>
      val i = (target.columns ++ target.position).indexWhere(_.exprId == column.exprId)
      GetStructField(of, i, Some(column.name))
    }

  private val wasRow = Or(IsNotNull(start.toAttribute), IsNotNull(merged.toAttribute))
  private val wasDelete = And(Not(wasRow), Or(IsNotNull(marker.toAttribute), ended.toAttribute))
  private val isDelete = Alias(And(Not(wasRow), IsNull(incoming.toAttribute)), "is_delete")()
  private val isNew = Alias(And(Not(wasRow), IsNotNull(incoming.toAttribute)), "is_new")()

  /** Of the first of several merged events only the tracked columns are known. */
  private val conflict = Alias(
    Or(
      And(IsNotNull(incoming.toAttribute), Or(wasDelete, And(wasRow, differsFromIncoming))),
      And(deleted.toAttribute, Or(wasRow, IsNotNull(incoming.toAttribute)))),
    "conflict")()

  private def differsFromIncoming: Expression = {
    val known = Coalesce(Seq(merged.toAttribute, start.toAttribute))
    def differ(columns: Seq[Attribute]) = {
      val both = columns.filter(batch.has)
      Comparison.anyDiffers(row(known, both).zip(row(incoming.toAttribute, both)))
    }
    val firstOfMerged = sequence.filterNot(_ => everyEventIsVersion).map { column =>
      And(IsNull(merged.toAttribute), GreaterThan(row(start.toAttribute, Seq(column)).head, moment))
    }
    firstOfMerged.fold(differ(data))(first => If(first, differ(tracked), differ(data)))
  }

  private val values = {
    val known = Coalesce(Seq(merged.toAttribute, start.toAttribute))
    val fields = row(known, target.columns).zip(row(incoming.toAttribute, target.columns))
    Alias(
      CreateStruct(named(fields.map { case (old, added) =>
        If(isNew.child, added, old)
      })),
      "values")()
  }

  private val inOrder = Windows.by(keys, moment)
  private val previous = Alias(inOrder.previous(values.toAttribute), "previous")()
  private val afterDelete = Alias(inOrder.previous(isDelete.toAttribute), "after_delete")()
  private val afterNew = Alias(inOrder.previous(isNew.toAttribute), "after_new")()

  private val boundary = Alias(
    Or(
      isDelete.toAttribute,
      Or(IsNull(afterDelete.toAttribute), Or(afterDelete.toAttribute, startsVersion))),
    "boundary")()

  private def startsVersion: Expression =
    if (everyEventIsVersion) Literal.TrueLiteral
    else {
      val (compared, notInSource) = tracked.partition(batch.has)
      def differ(columns: Seq[Attribute]) = Comparison.anyDiffers(
        row(previous.toAttribute, columns).zip(row(values.toAttribute, columns)))
      val bothKnown = Not(Or(isNew.toAttribute, afterNew.toAttribute))
      Or(differ(compared), And(bothKnown, differ(notInSource)))
    }

  private val group = Alias(
    inOrder.soFar(Count(If(boundary.toAttribute, Literal(1), Literal(null, IntegerType)))),
    "version")()
  private val next = Alias(
    inOrder.after(Min(If(boundary.toAttribute, moment, Literal(null, moment.dataType)))),
    "next")()

  private val inVersion = Windows.by(keys :+ group.toAttribute, moment)
  private val lastValues =
    Alias(inVersion.all(Last(values.toAttribute, ignoreNulls = false)), "last_values")()
  private val lastMoment = Alias(inVersion.all(Max(moment)), "last_moment")()

  private val openRows = Alias(inOrder.all(Sum(open.toAttribute)), "open_rows")()

  private val oldRow = Coalesce(Seq(start.toAttribute, marker.toAttribute))
  private val oldPosition = target.position.map { p =>
    Alias(row(oldRow, Seq(p)).head, p.name)()
  }
  private val resultPosition =
    TargetRows(target.plan, target.columns, oldPosition.map(_.toAttribute))

  private def versions(events: LogicalPlan): LogicalPlan = {
    val told = Project(
      events.output ++ Seq(isDelete, isNew, conflict, values),
      events)
    val ordered = inOrder.add(Seq(previous, afterDelete, afterNew, openRows), told)
    val bounded = Project(ordered.output :+ boundary, ordered)
    val grouped = inOrder.add(Seq(group, next), bounded)
    val complete = inVersion.add(Seq(lastValues, lastMoment), grouped)
    Project(complete.output ++ oldPosition, complete)
  }

  private def actions: Seq[RowAction] = {
    val isFirst = boundary.toAttribute
    val isVersion = And(isFirst, Not(isDelete.toAttribute))
    // A delete that ends nothing is kept as an empty interval, so that order of arrival does not matter.
    val isLone = And(
      isDelete.toAttribute,
      Or(IsNull(afterDelete.toAttribute), afterDelete.toAttribute))
    val old = row(start.toAttribute, target.columns)
    val last = row(lastValues.toAttribute, target.columns)
    val withSequence =
      columns.set(last, sequence.map(_ -> (lastMoment.toAttribute: Expression)).toMap)
    val now = columns.version(withSequence, moment, next.toAttribute)
    val changed = Comparison.anyDiffers(old.zip(now))
    val had = IsNotNull(start.toAttribute)
    val wasOpen = IsNull(row(start.toAttribute, Seq(validTo)).head)
    val closes = And(wasOpen, IsNotNull(next.toAttribute))
    val touched = And(isVersion, And(had, changed))
    val lost = Or(
      And(had, Not(isFirst)),
      And(IsNotNull(marker.toAttribute), Not(isLone)))
    Seq(
      RowAction(ChangeKind.SequenceConflict, conflict.toAttribute, eventRow),
      RowAction(
        ChangeKind.SeveralOpenRows,
        GreaterThan(openRows.toAttribute, Literal(1L)),
        eventRow),
      RowAction(ChangeKind.Close, And(touched, closes), now),
      RowAction(ChangeKind.Update, And(touched, Not(closes)), now),
      RowAction(ChangeKind.Insert, And(isVersion, Not(had)), now),
      RowAction(
        ChangeKind.Insert,
        And(isLone, IsNull(marker.toAttribute)),
        columns.version(eventRow, moment, moment)),
      RowAction(ChangeKind.Delete, lost, target.columns.map(c => Literal(null, c.dataType))))
  }

  /** Nothing but key and moment. */
  private def eventRow: Seq[Expression] = {
    val known = batch.keys.zip(keys).collect {
      case (KeyColumn(_, _, column: Attribute), value) => column -> (value: Expression)
    }.toMap ++ sequence.map(_ -> (moment: Expression))
    columns.set(target.columns.map(c => Literal(null, c.dataType)), known)
  }
}
