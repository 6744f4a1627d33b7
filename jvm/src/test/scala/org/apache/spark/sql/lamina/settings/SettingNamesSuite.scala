package org.apache.spark.sql.lamina.settings

import org.scalatest.funsuite.AnyFunSuite

/** One setting, four names: in SQL, in Python and pipelines, on a table, in a session. */
class SettingNamesSuite extends AnyFunSuite {

  private val names = Seq(
    ("MERGE STRATEGY", "merge_strategy", "merge-strategy", "mergeStrategy"),
    ("UNIQUE KEY", "unique_key", "unique-key", "uniqueKey"),
    ("WATERMARK", "watermark_column", "watermark-column", "watermarkColumn"),
    ("PARTITION COLUMN", "partition_column", "partition-column", "partitionColumn"),
    ("VALID FROM", "scd_valid_from", "scd-valid-from", "scdValidFrom"),
    ("VALID TO", "scd_valid_to", "scd-valid-to", "scdValidTo"),
    ("CURRENT FLAG", "scd_current_flag", "scd-current-flag", "scdCurrentFlag"),
    ("SEQUENCE BY", "sequence_by", "sequence-by", "sequenceBy"),
    ("TRACK HISTORY ON", "track_history", "track-history", "trackHistory"),
    (
      "TRACK HISTORY ON * EXCEPT",
      "track_history_except",
      "track-history-except",
      "trackHistoryExcept"),
    ("DELETE WHEN", "delete_when", "delete-when", "deleteWhen"),
    ("HARD DELETES", "hard_deletes", "hard-deletes", "hardDeletes"),
    ("ALLOW EMPTY SOURCE", "allow_empty_source", "allow-empty-source", "allowEmptySource"),
    ("COLUMNS * EXCEPT", "except_columns", "except-columns", "exceptColumns"),
    ("ON SCHEMA CHANGE", "on_schema_change", "on-schema-change", "onSchemaChange"),
    ("WIDEN TYPES", "widen_types", "widen-types", "widenTypes"),
    ("CHUNK BY", "chunk_by", "chunk-by", "chunkBy"),
    ("CHUNK BY ... FROM", "chunk_from", "chunk-from", "chunkFrom"),
    ("CHUNK BY ... TO", "chunk_to", "chunk-to", "chunkTo"),
    ("CHUNK BY ... STEP", "chunk_step", "chunk-step", "chunkStep"))

  test("every setting that can be stored has its four names") {
    val actual =
      SettingField.stored.map(field => (field.clause, field.name, field.property, field.sessionKey))
    val expected = names.map { case (clause, name, property, key) =>
      (clause, name, s"lamina.$property", s"spark.sql.lamina.$key")
    }
    assert(actual.toSet == expected.toSet)
    assert(actual.size == expected.size)
  }

  test("the id of a run belongs to one statement and is not stored") {
    assert(SettingField.RunId.name == "run_id")
    assert(!SettingField.stored.contains(SettingField.RunId))
  }

  test("strategies and their options") {
    import SettingField._
    val own = Map(
      "full_refresh" -> Nil,
      "incremental" ->
        Seq(UniqueKey, Watermark, SequenceBy, DeleteWhen, HardDeletes, AllowEmptySource),
      "append_only" -> Nil,
      "delete_insert" -> Seq(UniqueKey),
      "scd2" -> Seq(
        UniqueKey, ValidFrom, ValidTo, CurrentFlag, SequenceBy, TrackHistory, TrackHistoryExcept,
        DeleteWhen, HardDeletes, AllowEmptySource),
      "snapshot" -> Seq(PartitionColumn))
    assert(StrategyKind.names.toSet == own.keySet)
    StrategyKind.all.foreach { kind =>
      assert(kind.options.toSet == (own(kind.name) ++ Seq(ExceptColumns, RunId)).toSet, kind.name)
    }
    assert(StrategyKind.all.map(kind => kind.name -> kind.required).toMap == Map(
      "full_refresh" -> Nil,
      "incremental" -> Seq(UniqueKey),
      "append_only" -> Nil,
      "delete_insert" -> Seq(UniqueKey),
      "scd2" -> Seq(UniqueKey),
      "snapshot" -> Seq(PartitionColumn)))
  }

  test("policies and their options") {
    import SettingField._
    assert(PolicyKind.all.map(kind => kind.name -> kind.options).toMap == Map(
      "fail" -> Nil,
      "ignore" -> Nil,
      "append_new_columns" -> Seq(WidenTypes),
      "sync_all_columns" -> Seq(WidenTypes),
      "full_refresh" -> Nil,
      "full_incremental_refresh" -> Seq(ChunkBy, ChunkFrom, ChunkTo, ChunkStep),
      "recreate_empty" -> Nil))
  }

  test("names of strategies and policies are found in any letter case, and only whole") {
    assert(StrategyKind.find("SCD2").contains(StrategyKind.Scd2))
    assert(StrategyKind.find(" scd2 ").contains(StrategyKind.Scd2))
    assert(PolicyKind.find("Append_New_Columns").contains(PolicyKind.AppendNewColumns))
    assert(Seq("", "scd", "scd 2", "scd2;").flatMap(StrategyKind.find(_)) == Nil)
    assert(Seq("", "append", "fails").flatMap(PolicyKind.find(_)) == Nil)
  }
}
