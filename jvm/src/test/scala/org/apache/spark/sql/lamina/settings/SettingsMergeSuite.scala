package org.apache.spark.sql.lamina.settings

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.lamina.ErrorAssertions
import org.apache.spark.sql.lamina.parser.ClauseOption
import org.apache.spark.sql.lamina.settings.SettingField._

/** Statement over table property over session over default, field by field. */
class SettingsMergeSuite extends AnyFunSuite with ErrorAssertions {

  private val place = Origin(line = Some(3), startPosition = Some(7))

  private def merge(
      statement: Seq[(SettingField, String)] = Nil,
      table: Seq[(SettingField, String)] = Nil,
      session: Seq[(SettingField, String)] = Nil): Settings =
    Settings.merge(
      statement.map { case (field, text) => ClauseOption(field, text, place) },
      table.map { case (field, text) => field.property -> text }.toMap,
      session.map { case (field, text) => field.sessionKey -> text }.toMap.get)

  /** A value for each field, told apart by the place it is written in. */
  private def value(field: SettingField, place: Int): String =
    if (SettingField.words.contains(field)) SettingField.words(field)(place % 2) else s"c$place"

  /** The strategy or policy that uses the field. */
  private def user(field: SettingField): Seq[(SettingField, String)] =
    StrategyKind.all.find(_.uses(field)).map(kind => MergeStrategy -> kind.name).toSeq ++
      PolicyKind.all.find(_.uses(field)).map(kind => OnSchemaChange -> kind.name)

  SettingField.stored.diff(Seq(MergeStrategy, OnSchemaChange)).foreach { field =>
    test(s"${field.name}: statement, then table property, then session") {
      val (statement, table, session) =
        (field -> value(field, 0), field -> value(field, 1), field -> value(field, 2))
      def found(settings: Settings) = settings.get(field).map(s => (s.text, s.source))
      assert(found(merge(user(field) :+ statement, Seq(table), Seq(session))) ==
        Some((statement._2, SettingSource.Statement)))
      assert(found(merge(user(field), Seq(table), Seq(session))) ==
        Some((table._2, SettingSource.Table)))
      assert(found(merge(user(field), Nil, Seq(session))) ==
        Some((session._2, SettingSource.Session)))
    }
  }

  test("strategy and policy: statement, then table property, then session, then default") {
    def kinds(settings: Settings) = (settings.strategy.name, settings.policy.name)
    val statement = Seq(MergeStrategy -> "scd2", OnSchemaChange -> "ignore")
    val table = Seq(MergeStrategy -> "snapshot", OnSchemaChange -> "append_new_columns")
    val session = Seq(MergeStrategy -> "incremental", OnSchemaChange -> "recreate_empty")
    assert(kinds(merge(statement, table, session)) == (("scd2", "ignore")))
    assert(kinds(merge(Nil, table, session)) == (("snapshot", "append_new_columns")))
    assert(kinds(merge(Nil, Nil, session)) == (("incremental", "recreate_empty")))
    assert(kinds(merge()) == (("append_only", "fail")))
    assert(kinds(merge(statement.take(1), table, session)) == (("scd2", "append_new_columns")))
  }

  test("each field has its own source") {
    val settings = merge(
      Seq(MergeStrategy -> "scd2"),
      Seq(UniqueKey -> "id", OnSchemaChange -> "ignore"),
      Seq(SequenceBy -> "seq", UniqueKey -> "other"))
    assert(settings.values.map(s => s.field -> s.source).toMap == Map(
      MergeStrategy -> SettingSource.Statement,
      OnSchemaChange -> SettingSource.Table,
      UniqueKey -> SettingSource.Table,
      SequenceBy -> SettingSource.Session,
      ValidFrom -> SettingSource.Default,
      ValidTo -> SettingSource.Default,
      HardDeletes -> SettingSource.Default))
  }

  test("defaults") {
    val settings = merge(Seq(MergeStrategy -> "scd2", UniqueKey -> "id"))
    assert(settings.get(ValidFrom).map(_.text).contains("valid_from"))
    assert(settings.get(ValidTo).map(_.text).contains("valid_to"))
    assert(settings.get(HardDeletes).map(_.text).contains("ignore"))
    assert(Seq(CurrentFlag, SequenceBy, TrackHistory, DeleteWhen).flatMap(settings.get(_)) == Nil)
  }

  test("settings stored for another strategy or policy are ignored") {
    val stored = SettingField.stored
      .diff(Seq(MergeStrategy, OnSchemaChange))
      .map(field => field -> value(field, 0))
    val settings = merge(Seq(MergeStrategy -> "append_only", OnSchemaChange -> "fail"), stored)
    assert(settings.values.map(_.field) == Seq(MergeStrategy, OnSchemaChange, ExceptColumns))
    val snapshot = merge(Seq(MergeStrategy -> "snapshot"), stored)
    assert(snapshot.values.map(_.field) ==
      Seq(MergeStrategy, OnSchemaChange, PartitionColumn, ExceptColumns))
  }

  test("a nonsensical value stored for another strategy is ignored too") {
    val stored = Seq(HardDeletes -> "perhaps", UniqueKey -> ",", WidenTypes -> "perhaps")
    assert(merge(Seq(MergeStrategy -> "append_only"), stored).strategy == StrategyKind.AppendOnly)
  }

  test("of two fields that say the same in two ways, the one closer to the statement counts") {
    def fields(settings: Settings) = settings.values.map(_.field)
    val onA = TrackHistory -> "a"
    val exceptB = TrackHistoryExcept -> "b"
    val scd2 = Seq(MergeStrategy -> "scd2")
    assert(!fields(merge(scd2 :+ onA, Seq(exceptB))).contains(TrackHistoryExcept))
    assert(!fields(merge(scd2 :+ exceptB, Seq(onA))).contains(TrackHistory))
    assert(!fields(merge(scd2, Seq(exceptB), Seq(onA))).contains(TrackHistory))
    assert(fields(merge(scd2, Seq(exceptB, onA))).intersect(Seq(onA._1, exceptB._1)).size == 2)
    val upsert = Seq(MergeStrategy -> "incremental", SequenceBy -> "s")
    assert(!fields(merge(upsert, Seq(Watermark -> "w"))).contains(Watermark))
  }

  test("a run id on a table or in a session is nobody's") {
    val stored = Seq(RunId -> "'a'")
    assert(merge(Seq(MergeStrategy -> "append_only"), stored, stored).get(RunId).isEmpty)
    assert(merge(Seq(RunId -> "'c'"), stored).get(RunId).map(_.text).contains("'c'"))
  }

  test("a setting remembers its place in the statement") {
    val settings = merge(Seq(MergeStrategy -> "scd2", UniqueKey -> "id"), Seq(SequenceBy -> "s"))
    assert(settings.get(UniqueKey).map(_.origin).contains(place))
    assert(settings.get(SequenceBy).map(_.origin).contains(Origin()))
    assert(settings.get(UniqueKey).map(_.toString).contains("unique_key=id (statement)"))
  }

  test("columns are read as names") {
    val settings = merge(Seq(MergeStrategy -> "scd2"), Seq(UniqueKey -> "a, `b, c`.d"))
    assert(settings.columns(UniqueKey) == Seq(Seq("a"), Seq("b, c", "d")))
    assert(settings.columns(SequenceBy) == Nil)
  }

  test("a first run stores what the statement said, and nothing else") {
    val settings = merge(
      Seq(MergeStrategy -> "scd2", UniqueKey -> "id", RunId -> "'r'", OnSchemaChange -> "ignore"),
      Nil,
      Seq(SequenceBy -> "s"))
    assert(settings.toProperties == Map(
      "lamina.merge-strategy" -> "scd2",
      "lamina.unique-key" -> "id",
      "lamina.on-schema-change" -> "ignore"))
  }

  private val bad = Seq(
    (MergeStrategy, "upsert", Nil),
    (OnSchemaChange, "evolve", Nil),
    (UniqueKey, "a b", Seq(MergeStrategy -> "scd2")),
    (UniqueKey, "", Seq(MergeStrategy -> "incremental")),
    (PartitionColumn, "a,,b", Seq(MergeStrategy -> "snapshot")),
    (Watermark, "a, b", Seq(MergeStrategy -> "incremental")),
    (ValidFrom, "(a)", Seq(MergeStrategy -> "scd2")),
    (ValidTo, "a, b", Seq(MergeStrategy -> "scd2")),
    (CurrentFlag, "", Seq(MergeStrategy -> "scd2")),
    (SequenceBy, "`a", Seq(MergeStrategy -> "scd2")),
    (TrackHistory, "*", Seq(MergeStrategy -> "scd2")),
    (TrackHistoryExcept, ",", Seq(MergeStrategy -> "scd2")),
    (ExceptColumns, "a;b", Seq(MergeStrategy -> "append_only")),
    (HardDeletes, "purge", Seq(MergeStrategy -> "scd2")),
    (AllowEmptySource, "yes", Seq(MergeStrategy -> "scd2")),
    (WidenTypes, "1", Seq(OnSchemaChange -> "append_new_columns")),
    (ChunkBy, "a, b", Seq(OnSchemaChange -> "full_incremental_refresh")))

  bad.foreach { case (field, text, statement) =>
    test(s"${field.name} = [$text] is an error that names the key") {
      val stored = Seq(field -> text)
      assertNames(field.property, text)(merge(statement, table = stored))
      assertNames(field.sessionKey, text)(merge(statement, session = stored))
    }
  }

  private def assertNames(key: String, text: String)(settings: => Settings): Unit = {
    val thrown = analysisError("LAMINA_INVALID_SETTING")(settings)
    assert(thrown.getMessageParameters.get("setting") == key)
    assert(thrown.getMessageParameters.get("value") == s"'$text'")
    assert(thrown.getMessage.contains(key))
  }

  test("words are accepted in any letter case") {
    val settings = merge(
      Nil,
      Seq(MergeStrategy -> "SCD2", HardDeletes -> " Invalidate", AllowEmptySource -> "TRUE"),
      Seq(OnSchemaChange -> "Append_New_Columns", WidenTypes -> "False"))
    assert(settings.strategy == StrategyKind.Scd2)
    assert(settings.policy == PolicyKind.AppendNewColumns)
    assert(settings.get(HardDeletes).map(_.text).contains("invalidate"))
    assert(settings.get(AllowEmptySource).map(_.text).contains("true"))
    assert(settings.get(WidenTypes).map(_.text).contains("false"))
  }
}
