package org.apache.spark.sql.lamina.strategy

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{Count, Max}
import org.apache.spark.sql.catalyst.plans.logical.Filter
import org.apache.spark.sql.lamina.rowlevel._
import org.apache.spark.sql.lamina.schema.Comparison
import org.apache.spark.sql.lamina.settings.{SettingField, Settings, StrategyKind}
import org.apache.spark.sql.types._

/** History: a change closes the open row of its key and opens a new one. */
object Scd2 extends RowLevelStrategy {

  override def kind: StrategyKind = StrategyKind.Scd2

  override def ownColumns(settings: Settings, source: StructType): Seq[StructField] = {
    val moment = settings.column(SettingField.SequenceBy)
      .flatMap(path => source.fields.find(_.name.equalsIgnoreCase(path.head)))
      .map(_.dataType match {
        case ByteType | ShortType => IntegerType // as Iceberg stores it
        case other => other
      })
      .getOrElse(TimestampType)
    val validity = Seq(SettingField.ValidFrom, SettingField.ValidTo)
      .flatMap(settings.column)
      .map(path => StructField(path.head, moment))
    validity ++
      settings.column(SettingField.CurrentFlag).map(path => StructField(path.head, BooleanType))
  }

  override def comparesOneByOne(settings: Settings): Boolean =
    settings.column(SettingField.SequenceBy).isEmpty && !settings.invalidatesAbsent

  override def changes(input: MergeInput, settings: Settings): RowChanges = {
    val columns = new HistoryColumns(input, settings)
    val changed = settings.column(SettingField.SequenceBy) match {
      case None => atThisMoment(input, columns, settings.invalidatesAbsent)
      case Some(_) => new Timeline(input, columns).changes
    }
    RowChanges(changed, None)
  }

  /** Without a sequence, a row of the source is the state of its key now. */
  private def atThisMoment(
      input: MergeInput,
      columns: HistoryColumns,
      closeAbsent: Boolean): ChangedRows = {
    import columns._
    val batch = input.batch
    val last = LastRows.of(input, columns)
    val joined = if (closeAbsent) input.fullyJoined(last.in) else input.joined(last.in)

    val isOpen = And(joined.inTarget, IsNull(validTo))
    val opened = If(isOpen, validFrom, Literal(null, validFrom.dataType))
    val start = Greatest(
      Seq(input.now, last.end, MicrosToTimestamp(Add(UnixMicros(opened), Literal(1L)))))

    val after = input.target.columns.zip(batch.updated).toMap
    def differs(columns: Seq[Attribute]) =
      Comparison.anyDiffers(columns.filter(batch.has).map(c => c -> after(c)))

    val present = And(joined.inBatch, Not(batch.isDeleted))
    val gone = Or(Not(joined.inBatch), batch.isDeleted)
    val changed = And(present, And(isOpen, differs(tracked)))
    val isNew = And(present, Not(isOpen))
    val sameVersion = And(present, And(isOpen, Not(differs(tracked))))
    val open = columns.version(batch.inserted, start, Literal(null, validTo.dataType))
    val closed = columns.version(input.target.columns, validFrom, start)
    val ambiguous = And(joined.inBatch, GreaterThan(last.openRows, Literal(1L)))
    val actions = Seq(
      RowAction(ChangeKind.Close, Or(changed, And(isOpen, gone)), closed),
      RowAction(ChangeKind.Insert, Or(changed, isNew), open),
      RowAction(
        ChangeKind.Update,
        And(sameVersion, differs(untracked)),
        columns.set(input.target.columns, untracked.map(c => c -> after(c)).toMap)),
      RowAction(ChangeKind.SeveralOpenRows, ambiguous, input.target.columns),
      RowAction(ChangeKind.Unclear, And(joined.inTarget, last.unclear), input.target.columns))
    ChangedRows(joined, input.target, actions)
  }
}

/**
 * The open rows of the table, and for a key without one a row that ends in the future: what is opened
 * now must not overlap with it, whatever clock wrote it.
 */
private trait LastRows {

  def in(rows: TargetRows): TargetRows

  /** How many open rows the key has. */
  def openRows: Expression

  /** Where the key's last row ends. */
  def end: Expression

  /** Whether the row alone does not tell. */
  def unclear: Expression
}

private object LastRows {

  def of(input: MergeInput, columns: HistoryColumns): LastRows = input.meeting match {
    case Meeting.Outer(_) => new LastRowsOfKeys(input, columns)
    case _ => new SingleRows(input, columns)
  }

  def recent(input: MergeInput, columns: HistoryColumns): Expression =
    Or(IsNull(columns.validTo), GreaterThan(columns.validTo, input.now))
}

/** Every key has no more than one such row, and it is open; a row that is not is unclear. */
private class SingleRows(input: MergeInput, columns: HistoryColumns) extends LastRows {

  import columns._

  override def in(rows: TargetRows): TargetRows = rows.where(LastRows.recent(input, columns))
  override def openRows: Expression = Literal(1L)
  override def end: Expression = Literal(null, validTo.dataType)
  override def unclear: Expression = IsNotNull(validTo)
}

/** All such rows of a key are seen together. */
private class LastRowsOfKeys(input: MergeInput, columns: HistoryColumns) extends LastRows {

  import columns._

  private val openCount =
    Alias(window.all(Count(If(IsNull(validTo), Literal(1), Literal(null, IntegerType)))), "open")()
  private val lastEnd = Alias(window.all(Max(validTo)), "end")()
  private val place = Alias(window.soFar(Count(Literal(1))), "place")()

  private def window = Windows.by(input.batch.keys.map(_.target), validTo)

  override def openRows: Expression = Coalesce(Seq(openCount.toAttribute, Literal(0L)))
  override def end: Expression = lastEnd.toAttribute
  override def unclear: Expression = Literal.FalseLiteral

  override def in(rows: TargetRows): TargetRows = {
    val recent = rows.where(LastRows.recent(input, columns))
    val marked = window.add(Seq(openCount, lastEnd, place), recent.plan)
    val first = And(
      EqualTo(openCount.toAttribute, Literal(0L)),
      EqualTo(place.toAttribute, Literal(1L)))
    rows.copy(plan = Filter(Or(IsNull(validTo), first), marked))
  }
}
