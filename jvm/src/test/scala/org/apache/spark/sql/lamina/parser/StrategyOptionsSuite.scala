package org.apache.spark.sql.lamina.parser

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.lamina.settings.{PolicyKind, SettingField, StrategyKind}
import org.apache.spark.sql.lamina.settings.SettingField._

/** Every option of both clauses, and the value it is parsed to. */
class StrategyOptionsSuite extends AnyFunSuite with ParserFixture {

  private case class Case(strategy: String, text: String, field: SettingField, value: String)

  private val strategyOptions = Seq(
    Case("incremental", "UNIQUE KEY (a, b)", UniqueKey, "a, b"),
    Case("delete_insert", "UNIQUE KEY (a)", UniqueKey, "a"),
    Case("scd2", "UNIQUE KEY (person.id, `odd, name`)", UniqueKey, "person.id, `odd, name`"),
    Case("incremental", "WATERMARK updated_at", Watermark, "updated_at"),
    Case("incremental", "WATERMARK meta.updated_at", Watermark, "meta.updated_at"),
    Case("snapshot", "PARTITION COLUMN day", PartitionColumn, "day"),
    Case("snapshot", "PARTITION COLUMNS (day, region)", PartitionColumn, "day, region"),
    Case("scd2", "VALID FROM starts", ValidFrom, "starts"),
    Case("scd2", "VALID TO ends", ValidTo, "ends"),
    Case("scd2", "CURRENT FLAG is_current", CurrentFlag, "is_current"),
    Case("scd2", "SEQUENCE BY seq", SequenceBy, "seq"),
    Case("incremental", "SEQUENCE BY seq", SequenceBy, "seq"),
    Case("scd2", "TRACK HISTORY ON (a, b)", TrackHistory, "a, b"),
    Case("scd2", "TRACK HISTORY ON * EXCEPT (a)", TrackHistoryExcept, "a"),
    Case("scd2", "DELETE WHEN op = 'D'", DeleteWhen, "op = 'D'"),
    Case("incremental", "DELETE WHEN op = 'D'", DeleteWhen, "op = 'D'"),
    Case("scd2", "HARD DELETES ignore", HardDeletes, "ignore"),
    Case("incremental", "HARD DELETES INVALIDATE", HardDeletes, "invalidate"),
    Case("scd2", "ALLOW EMPTY SOURCE", AllowEmptySource, "true"),
    Case("incremental", "ALLOW EMPTY SOURCE", AllowEmptySource, "true")) ++
    StrategyKind.names.flatMap { strategy =>
      Seq(
        Case(strategy, "COLUMNS * EXCEPT (op, loaded_at)", ExceptColumns, "op, loaded_at"),
        Case(strategy, "RUN ID 'nightly 7'", RunId, "'nightly 7'"))
    }

  strategyOptions.foreach { option =>
    test(s"MERGE STRATEGY ${option.strategy} ${option.text}") {
      val clause = s"MERGE STRATEGY ${option.strategy} ${option.text}"
      val expected = Seq("merge_strategy" -> option.strategy, option.field.name -> option.value)
      assert(options(s"INSERT INTO t $clause SELECT 1 AS a") == expected)
      assert(options(s"INSERT INTO t SELECT 1 AS a FROM x $clause") == expected)
    }
  }

  StrategyKind.names.foreach { strategy =>
    test(s"MERGE STRATEGY $strategy without options") {
      assert(options(s"INSERT INTO t MERGE STRATEGY $strategy SELECT 1 AS a") ==
        Seq("merge_strategy" -> strategy))
    }
  }

  PolicyKind.names.diff(Seq("full_incremental_refresh")).foreach { policy =>
    test(s"ON SCHEMA CHANGE $policy") {
      assert(options(s"INSERT INTO t ON SCHEMA CHANGE $policy SELECT 1 AS a") ==
        Seq("on_schema_change" -> policy))
    }
  }

  Seq("append_new_columns", "sync_all_columns").foreach { policy =>
    test(s"ON SCHEMA CHANGE $policy WIDEN TYPES") {
      assert(options(s"INSERT INTO t ON SCHEMA CHANGE $policy WIDEN TYPES SELECT 1 AS a") ==
        Seq("on_schema_change" -> policy, "widen_types" -> "true"))
    }
  }

  test("ON SCHEMA CHANGE full_incremental_refresh CHUNK BY") {
    val sql = "INSERT INTO t ON SCHEMA CHANGE full_incremental_refresh " +
      "CHUNK BY day FROM DATE'2024-01-01' TO current_date() STEP INTERVAL 1 MONTH TABLE x"
    assert(options(sql) == Seq(
      "on_schema_change" -> "full_incremental_refresh",
      "chunk_by" -> "day",
      "chunk_from" -> "DATE'2024-01-01'",
      "chunk_to" -> "current_date()",
      "chunk_step" -> "INTERVAL 1 MONTH"))
    assert(insert(sql).values.map(_.field) == Seq("chunk_from", "chunk_to", "chunk_step"))
  }

  test("all options of scd2 at once, in an order of the writer's choice") {
    val sql =
      """INSERT INTO dim.customer
        |MERGE STRATEGY scd2
        |  RUN ID '7'
        |  DELETE WHEN op = 'D'
        |  VALID TO ends VALID FROM starts
        |  TRACK HISTORY ON * EXCEPT (loaded_at)
        |  UNIQUE KEY (id)
        |  HARD DELETES invalidate ALLOW EMPTY SOURCE
        |  SEQUENCE BY seq
        |  COLUMNS * EXCEPT (op)
        |  CURRENT FLAG is_current
        |ON SCHEMA CHANGE append_new_columns WIDEN TYPES
        |SELECT * FROM raw.customer""".stripMargin
    assert(options(sql).map(_._1) == Seq(
      "merge_strategy", "run_id", "delete_when", "scd_valid_to", "scd_valid_from",
      "track_history_except", "unique_key", "hard_deletes", "allow_empty_source", "sequence_by",
      "except_columns", "scd_current_flag", "on_schema_change", "widen_types"))
    assert(insert(sql).target == Seq("dim", "customer"))
  }

  test("an option remembers where it was written") {
    val sql = "INSERT INTO t MERGE STRATEGY append_only\n  RUN ID '7' SELECT 1 AS a"
    val origin = insert(sql).clauses.last.origin
    assert((origin.line, origin.startPosition) == ((Some(2), Some(2))))
  }
}
