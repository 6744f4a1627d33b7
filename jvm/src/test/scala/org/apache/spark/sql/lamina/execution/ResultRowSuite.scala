package org.apache.spark.sql.lamina.execution

import java.util.concurrent.atomic.AtomicInteger

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.{JavaCollections, LakeSession}

/** What a statement returns, and that the snapshot's summary says the same. */
class ResultRowSuite extends AnyFunSuite with LakeSession {

  private def summary(t: String): Map[String, String] =
    JavaCollections.map(load(t).currentSnapshot().summary())

  test("the columns of the result and their types") {
    val t = newTable("id INT")
    val schema = sql(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS id").schema
    assert(schema.map(field => s"${field.name} ${field.dataType.sql}") == Seq(
      "status STRING",
      "strategy STRING",
      "rows_inserted BIGINT",
      "rows_updated BIGINT",
      "rows_closed BIGINT",
      "rows_deleted BIGINT",
      "columns_added ARRAY<STRING>",
      "columns_padded ARRAY<STRING>",
      "columns_ignored ARRAY<STRING>",
      "columns_widened ARRAY<STRING>",
      "snapshot_id BIGINT",
      "duration_ms BIGINT"))
  }

  test("the figures in the row are the figures in the summary") {
    val t = newTable("id INT, `o,ld` STRING", "(1, 'a')", "(2, 'b')")
    val result = run(
      s"INSERT INTO $t MERGE STRATEGY full_refresh RUN ID 'r''1' ON SCHEMA CHANGE append_new_columns " +
        "SELECT CAST(id AS INT) AS id, 'x' AS n1, 'y' AS `n 2` FROM range(3)")
    val stored = summary(t)
    assert(result.snapshotId.contains(load(t).currentSnapshot().snapshotId()))
    assert((result.status, result.strategy) == (("changed", "full_refresh")))
    assert((result.inserted, result.updated, result.closed, result.deleted) == ((3L, 0L, 0L, 2L)))
    assert(result.added == Seq("n1", "`n 2`"))
    assert(result.padded == Seq("`o,ld`"))
    assert(result.ignored == Nil && result.widened == Nil)
    assert(result.durationMs >= 0)
    assert(stored.filter(_._1.startsWith("lamina.")) - "lamina.run-id" == Map(
      "lamina.strategy" -> "full_refresh",
      "lamina.rows-inserted" -> "3",
      "lamina.rows-updated" -> "0",
      "lamina.rows-closed" -> "0",
      "lamina.rows-deleted" -> "2",
      "lamina.columns-added" -> "n1, `n 2`",
      "lamina.columns-padded" -> "`o,ld`",
      "lamina.columns-ignored" -> "",
      "lamina.columns-widened" -> ""))
    assert(stored("added-records") == "3")
    assert(stored("deleted-records") == "2")
  }

  test("ignored columns are reported") {
    val t = newTable("id INT")
    val result = run(
      s"INSERT INTO $t ON SCHEMA CHANGE ignore SELECT 1 AS id, 2 AS extra, named_struct('a', 1) AS s")
    assert(result.ignored == Seq("extra", "s"))
    assert(result.strategy == "append_only")
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1)))
    assert(summary(t)("lamina.columns-ignored") == "extra, s")
  }

  test("columns are matched by name, and VALUES and column lists by position") {
    val t = newTable("id INT, name STRING")
    run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 'a' AS NAME, 1 AS ID")
    run(s"INSERT INTO $t MERGE STRATEGY append_only VALUES (2, 'b')")
    run(s"INSERT INTO $t (name, id) MERGE STRATEGY append_only VALUES ('c', 3)")
    run(s"INSERT INTO $t (name, id) MERGE STRATEGY append_only SELECT 'd', 4")
    run(s"INSERT INTO $t (id) ON SCHEMA CHANGE ignore VALUES (5)")
    run(s"INSERT INTO $t ON SCHEMA CHANGE ignore SELECT * FROM VALUES ('f', 6) AS v(name, id)")
    assert(rows(s"SELECT * FROM $t ORDER BY id") ==
      Seq(Row(1, "a"), Row(2, "b"), Row(3, "c"), Row(4, "d"), Row(5, null), Row(6, "f")))
  }

  test("too many and too few values are Spark's errors") {
    val t = newTable("id INT, name STRING")
    analysisError("INSERT_COLUMN_ARITY_MISMATCH.TOO_MANY_DATA_COLUMNS")(
      sql(s"INSERT INTO $t MERGE STRATEGY append_only VALUES (1, 'a', 2)"))
    analysisError("INSERT_COLUMN_ARITY_MISMATCH.NOT_ENOUGH_DATA_COLUMNS")(
      sql(s"INSERT INTO $t (id, name) MERGE STRATEGY append_only VALUES (1)"))
    analysisError("LAMINA_AMBIGUOUS_COLUMN")(
      sql(s"INSERT INTO $t (id, ID) MERGE STRATEGY append_only VALUES (1, 2)"))
  }

  test("narrower values are cast up, wider ones refused") {
    val t = newTable("a BIGINT, b DOUBLE, c DECIMAL(20, 2), s STRUCT<x: BIGINT>")
    run(s"""INSERT INTO $t MERGE STRATEGY append_only SELECT
           |1 AS a, CAST(1.5 AS FLOAT) AS b, 7 AS c, named_struct('x', 3) AS s""".stripMargin)
    assert(rows(s"SELECT a, b, c, s.x FROM $t") ==
      Seq(Row(1L, 1.5, new java.math.BigDecimal("7.00"), 3L)))
    val thrown = analysisError("LAMINA_TYPE_CHANGED")(sql(
      s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS a, 9000000000 AS b, 7 AS c, named_struct('x', 3) AS s"))
    assert(thrown.getMessageParameters.get("column") == "b")
  }

  test("the source is evaluated once") {
    val t = newTable("id INT")
    ResultRowSuite.calls.set(0)
    spark.udf.register("lamina_count", (i: Int) => ResultRowSuite.count(i))
    run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT lamina_count(CAST(id AS INT)) AS id FROM range(10)")
    assert(ResultRowSuite.calls.get() == 10)
  }
}

object ResultRowSuite {
  private val calls = new AtomicInteger()

  private def count(i: Int): Int = {
    calls.incrementAndGet()
    i
  }
}
