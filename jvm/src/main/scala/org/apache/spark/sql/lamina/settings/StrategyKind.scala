package org.apache.spark.sql.lamina.settings

import java.util.Locale

import org.apache.spark.sql.lamina.settings.SettingField._

/** A strategy as the statement names it, and the options it takes. What it does is in `strategy/`. */
final case class StrategyKind private (
    name: String,
    required: Seq[SettingField],
    optional: Seq[SettingField]) {

  def uses(field: SettingField): Boolean = options.contains(field)

  val options: Seq[SettingField] = required ++ optional ++ StrategyKind.forAll
}

object StrategyKind {

  private lazy val forAll = Seq(ExceptColumns, RunId)

  val FullRefresh: StrategyKind = StrategyKind("full_refresh", Nil, Nil)
  val Incremental: StrategyKind = StrategyKind(
    "incremental",
    Seq(UniqueKey),
    Seq(Watermark, SequenceBy, DeleteWhen, HardDeletes, AllowEmptySource))
  val AppendOnly: StrategyKind = StrategyKind("append_only", Nil, Nil)
  val DeleteInsert: StrategyKind = StrategyKind("delete_insert", Seq(UniqueKey), Nil)
  val Scd2: StrategyKind = StrategyKind(
    "scd2",
    Seq(UniqueKey),
    Seq(
      ValidFrom,
      ValidTo,
      CurrentFlag,
      SequenceBy,
      TrackHistory,
      TrackHistoryExcept,
      DeleteWhen,
      HardDeletes,
      AllowEmptySource))
  val Snapshot: StrategyKind = StrategyKind("snapshot", Seq(PartitionColumn), Nil)

  val all: Seq[StrategyKind] =
    Seq(FullRefresh, Incremental, AppendOnly, DeleteInsert, Scd2, Snapshot)

  val names: Seq[String] = all.map(_.name)

  def find(name: String): Option[StrategyKind] =
    all.find(_.name == name.trim.toLowerCase(Locale.ROOT))
}
