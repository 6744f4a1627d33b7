package org.apache.spark.sql.lamina.strategy

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.lamina.rowlevel.MergeInput
import org.apache.spark.sql.lamina.settings.{SettingField, Settings}

/** The columns of a table that keeps history, by their part in it. */
private[strategy] class HistoryColumns(input: MergeInput, settings: Settings) {

  private val columns = input.target.columns
  private val sameName = input.batch.sameName

  private def find(path: Seq[String]): Option[Attribute] =
    columns.find(c => sameName.same(c.name, path.head))

  private def column(field: SettingField): Option[Attribute] =
    settings.column(field).flatMap(find)

  val validFrom: Attribute = column(SettingField.ValidFrom).get
  val validTo: Attribute = column(SettingField.ValidTo).get
  val currentFlag: Option[Attribute] = column(SettingField.CurrentFlag)
  val sequence: Option[Attribute] = column(SettingField.SequenceBy)

  private val own: Seq[Attribute] = Seq(validFrom, validTo) ++ currentFlag

  /** The columns that hold the source's data, without the key. */
  val data: Seq[Attribute] = {
    val keys = settings.columns(SettingField.UniqueKey).filter(_.size == 1).flatMap(find)
    columns.filterNot(c => own.contains(c) || keys.contains(c))
  }

  /** A difference here makes a version. */
  val tracked: Seq[Attribute] = {
    val only = settings.columns(SettingField.TrackHistory).flatMap(find)
    val except = settings.columns(SettingField.TrackHistoryExcept).flatMap(find)
    if (settings.get(SettingField.TrackHistory).nonEmpty) only else data.filterNot(except.contains)
  }

  val untracked: Seq[Attribute] = data.filterNot(tracked.contains)

  /** Whether every event is a version, because its place in history is tracked itself. */
  val everyEventIsVersion: Boolean = sequence.forall(tracked.contains)

  /** A row with its validity in place of what it says itself. */
  def version(row: Seq[Expression], from: Expression, to: Expression): Seq[Expression] =
    columns.zip(row).map {
      case (`validFrom`, _) => from
      case (`validTo`, _) => to
      case (column, _) if currentFlag.contains(column) => IsNull(to)
      case (_, value) => value
    }

  def set(row: Seq[Expression], changed: Map[Attribute, Expression]): Seq[Expression] =
    columns.zip(row).map { case (column, value) => changed.getOrElse(column, value) }
}
