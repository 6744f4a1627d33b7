package org.apache.spark.sql.lamina.settings

import java.util.Locale

/**
 * One setting of a statement and the names it goes by: `clause` in SQL, `name` in pipelines and Python,
 * `property` on a table, `sessionKey` in the session.
 */
final case class SettingField private (name: String, clause: String) {

  val property: String = "lamina." + name.replace('_', '-')

  val sessionKey: String = {
    val words = name.split('_')
    "spark.sql.lamina." + words.head + words.tail.map(_.capitalize).mkString
  }

  override def toString: String = name
}

object SettingField {

  val MergeStrategy: SettingField = SettingField("merge_strategy", "MERGE STRATEGY")
  val UniqueKey: SettingField = SettingField("unique_key", "UNIQUE KEY")
  val Watermark: SettingField = SettingField("watermark_column", "WATERMARK")
  val PartitionColumn: SettingField = SettingField("partition_column", "PARTITION COLUMN")
  val ValidFrom: SettingField = SettingField("scd_valid_from", "VALID FROM")
  val ValidTo: SettingField = SettingField("scd_valid_to", "VALID TO")
  val CurrentFlag: SettingField = SettingField("scd_current_flag", "CURRENT FLAG")
  val SequenceBy: SettingField = SettingField("sequence_by", "SEQUENCE BY")
  val TrackHistory: SettingField = SettingField("track_history", "TRACK HISTORY ON")
  val TrackHistoryExcept: SettingField =
    SettingField("track_history_except", "TRACK HISTORY ON * EXCEPT")
  val DeleteWhen: SettingField = SettingField("delete_when", "DELETE WHEN")
  val HardDeletes: SettingField = SettingField("hard_deletes", "HARD DELETES")
  val AllowEmptySource: SettingField = SettingField("allow_empty_source", "ALLOW EMPTY SOURCE")
  val ExceptColumns: SettingField = SettingField("except_columns", "COLUMNS * EXCEPT")
  val RunId: SettingField = SettingField("run_id", "RUN ID")

  val OnSchemaChange: SettingField = SettingField("on_schema_change", "ON SCHEMA CHANGE")
  val WidenTypes: SettingField = SettingField("widen_types", "WIDEN TYPES")
  val ChunkBy: SettingField = SettingField("chunk_by", "CHUNK BY")
  val ChunkFrom: SettingField = SettingField("chunk_from", "CHUNK BY ... FROM")
  val ChunkTo: SettingField = SettingField("chunk_to", "CHUNK BY ... TO")
  val ChunkStep: SettingField = SettingField("chunk_step", "CHUNK BY ... STEP")

  /** The settings that a table or a session may keep for later statements: all but the run's own id. */
  val stored: Seq[SettingField] = Seq(
    MergeStrategy,
    UniqueKey,
    Watermark,
    PartitionColumn,
    ValidFrom,
    ValidTo,
    CurrentFlag,
    SequenceBy,
    TrackHistory,
    TrackHistoryExcept,
    DeleteWhen,
    HardDeletes,
    AllowEmptySource,
    ExceptColumns,
    OnSchemaChange,
    WidenTypes,
    ChunkBy,
    ChunkFrom,
    ChunkTo,
    ChunkStep)

  val columnLists: Set[SettingField] =
    Set(UniqueKey, PartitionColumn, TrackHistory, TrackHistoryExcept, ExceptColumns)

  val singleColumns: Set[SettingField] =
    Set(Watermark, ValidFrom, ValidTo, CurrentFlag, SequenceBy, ChunkBy)

  /** The settings that are one of a few words. */
  val words: Map[SettingField, Seq[String]] = Map(
    HardDeletes -> Seq("ignore", "invalidate"),
    AllowEmptySource -> Seq("true", "false"),
    WidenTypes -> Seq("true", "false"))

  private def apply(name: String, clause: String): SettingField =
    new SettingField(name.toLowerCase(Locale.ROOT), clause)
}
