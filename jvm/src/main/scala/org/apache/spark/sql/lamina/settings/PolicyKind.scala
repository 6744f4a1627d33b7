package org.apache.spark.sql.lamina.settings

import java.util.Locale

import org.apache.spark.sql.lamina.settings.SettingField._

/** A schema policy as the statement names it, and the options it takes. */
final case class PolicyKind private (
    name: String,
    required: Seq[SettingField],
    optional: Seq[SettingField]) {

  val options: Seq[SettingField] = required ++ optional

  def uses(field: SettingField): Boolean = options.contains(field)
}

object PolicyKind {

  val Fail: PolicyKind = PolicyKind("fail", Nil, Nil)
  val Ignore: PolicyKind = PolicyKind("ignore", Nil, Nil)
  val AppendNewColumns: PolicyKind = PolicyKind("append_new_columns", Nil, Seq(WidenTypes))
  val SyncAllColumns: PolicyKind = PolicyKind("sync_all_columns", Nil, Seq(WidenTypes))
  val FullRefresh: PolicyKind = PolicyKind("full_refresh", Nil, Nil)
  val FullIncrementalRefresh: PolicyKind =
    PolicyKind("full_incremental_refresh", Seq(ChunkBy, ChunkFrom, ChunkTo, ChunkStep), Nil)
  val RecreateEmpty: PolicyKind = PolicyKind("recreate_empty", Nil, Nil)

  val all: Seq[PolicyKind] = Seq(
    Fail,
    Ignore,
    AppendNewColumns,
    SyncAllColumns,
    FullRefresh,
    FullIncrementalRefresh,
    RecreateEmpty)

  val names: Seq[String] = all.map(_.name)

  def find(name: String): Option[PolicyKind] =
    all.find(_.name == name.trim.toLowerCase(Locale.ROOT))
}
