package org.apache.spark.sql.lamina.parser

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.{LakeSession, ResultRow}

/** What a session puts into a statement: parameters, substitutions, settings of the parser. */
class SessionParsingSuite extends AnyFunSuite with LakeSession {

  private def runId(table: String): String =
    load(table).currentSnapshot().summary().get("lamina.run-id")

  private def named(text: String, args: (String, Any)*): ResultRow =
    ResultRow(spark.sql(text, args.toMap))

  private def positional(text: String, args: Any*): ResultRow =
    ResultRow(spark.sql(text, args.toArray))

  test("named parameter markers inside and outside the clauses") {
    val t = newTable("a INT, b STRING")
    named(
      s"INSERT INTO $t MERGE STRATEGY append_only RUN ID :run SELECT :a AS a, upper(:b) AS b",
      "a" -> 1,
      "b" -> "x",
      "run" -> "r1")
    assert(runId(t) == "r1")
    named(
      s"INSERT INTO $t SELECT :a AS a, upper(:b) AS b MERGE STRATEGY append_only RUN ID :run",
      "a" -> 2,
      "b" -> "y",
      "run" -> "r'2")
    assert(runId(t) == "r'2")
    assert(rows(s"SELECT * FROM $t ORDER BY a") == Seq(Row(1, "X"), Row(2, "Y")))
  }

  test("positional parameter markers before, inside and behind the clauses") {
    val t = newTable("a INT, b STRING")
    positional(
      s"INSERT INTO $t MERGE STRATEGY append_only RUN ID ? SELECT ? AS a, ? AS b",
      "r1",
      1,
      "x")
    assert(runId(t) == "r1")
    positional(
      s"INSERT INTO $t SELECT ? AS a, ? AS b MERGE STRATEGY append_only RUN ID ?",
      2,
      "y",
      "r2")
    assert(runId(t) == "r2")
    positional(
      s"WITH c AS (SELECT ? AS a) INSERT INTO $t MERGE STRATEGY append_only RUN ID ? SELECT a, ? AS b FROM c",
      3,
      "r3",
      "z")
    assert(runId(t) == "r3")
    assert(rows(s"SELECT * FROM $t ORDER BY a") == Seq(Row(1, "x"), Row(2, "y"), Row(3, "z")))
  }

  test("a question mark in a string, a comment or a name is no marker") {
    val t = newTable("a INT, `b?` STRING")
    positional(
      s"/* ? */ INSERT INTO $t MERGE STRATEGY append_only -- ?\nRUN ID ? SELECT ? AS a, '?' AS `b?`",
      "r1",
      1)
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1, "?")))
  }

  test("parameter markers in the options of every expression") {
    val t = newTable("a INT, op STRING, d DATE")
    run(
      s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS a, 'D' AS op, DATE'2024-01-01' AS d")
    spark.sql(
      s"INSERT INTO $t MERGE STRATEGY incremental UNIQUE KEY (a) DELETE WHEN op = :op " +
        s"SELECT * FROM $t",
      Map("op" -> "D"))
    assert(rows(s"SELECT * FROM $t") == Nil)
    analysisError("LAMINA_UNSUPPORTED_FEATURE")(spark.sql(
      s"INSERT INTO $t ON SCHEMA CHANGE full_incremental_refresh " +
        s"CHUNK BY d FROM :from TO :to STEP :step SELECT 1 AS a",
      Map[String, Any](
        "from" -> java.sql.Date.valueOf("2024-01-01"),
        "to" -> java.sql.Date.valueOf("2024-02-01"),
        "step" -> 7)))
    spark.sql(
      s"INSERT INTO $t MERGE STRATEGY incremental UNIQUE KEY (a) DELETE WHEN op IN (?, ?) " +
        s"SELECT ? AS a, ? AS op, DATE'2024-01-01' AS d",
      Array[Any]("D", "X", 1, "U"))
    assert(rows(s"SELECT a, op FROM $t") == Seq(Row(1, "U")))
  }

  test("a parameter without a value is Spark's error") {
    val t = newTable("a INT")
    analysisError("UNBOUND_SQL_PARAMETER")(
      spark.sql(
        s"INSERT INTO $t MERGE STRATEGY append_only RUN ID :run SELECT 1 AS a",
        Map("x" -> 1)))
    analysisError("UNBOUND_SQL_PARAMETER")(
      spark.sql(s"INSERT INTO $t MERGE STRATEGY append_only SELECT :a AS a", Map("x" -> 1)))
  }

  test("a run id that is NULL or empty is an error") {
    val t = newTable("a INT")
    Seq(null, "").foreach { id =>
      analysisError("LAMINA_INVALID_SETTING")(spark.sql(
        s"INSERT INTO $t MERGE STRATEGY append_only RUN ID :run SELECT 1 AS a",
        Map("run" -> id)))
    }
    analysisError("LAMINA_INVALID_SETTING")(
      sql(s"INSERT INTO $t MERGE STRATEGY append_only RUN ID '' SELECT 1 AS a"))
    assert(rows(s"SELECT * FROM $t") == Nil)
  }

  test("IDENTIFIER with a string, an expression and a parameter") {
    val t = newTable("a INT")
    run(s"INSERT INTO IDENTIFIER('$t') MERGE STRATEGY append_only SELECT 1 AS a")
    run(s"INSERT INTO IDENTIFIER('lake.' || '${t.drop(5)}') SELECT 2 AS a MERGE STRATEGY append_only RUN ID 'r2'")
    assert(runId(t) == "r2")
    named(
      "INSERT INTO IDENTIFIER(:t) MERGE STRATEGY append_only RUN ID :run SELECT :a AS a",
      "t" -> t,
      "a" -> 3,
      "run" -> "r3")
    assert(runId(t) == "r3")
    named(
      "INSERT INTO IDENTIFIER(:t) (a) ON SCHEMA CHANGE ignore VALUES (:a)",
      "t" -> t,
      "a" -> 4)
    assert(rows(s"SELECT * FROM $t ORDER BY a") == Seq(1, 2, 3, 4).map(Row(_)))
  }

  test("IDENTIFIER around the target and in the query") {
    val t = newTable("a INT", "(1)")
    named(
      "INSERT INTO IDENTIFIER(:t) MERGE STRATEGY append_only " +
        "SELECT IDENTIFIER(:c) + 1 AS a FROM IDENTIFIER(:t)",
      "t" -> t,
      "c" -> "a")
    assert(rows(s"SELECT * FROM $t ORDER BY a") == Seq(Row(1), Row(2)))
  }

  test("substitution puts text into a statement, clauses included") {
    val t = newTable("a INT")
    withSetting("lamina.test.table", t) {
      withSetting("lamina.test.clause", "MERGE STRATEGY append_only RUN ID 'sub'") {
        run(s"INSERT INTO $${lamina.test.table} $${lamina.test.clause} SELECT 1 AS a")
        assert(runId(t) == "sub")
        run(s"INSERT INTO $${spark:lamina.test.table} MERGE STRATEGY append_only SELECT 2 AS a")
      }
    }
    assert(rows(s"SELECT * FROM $t ORDER BY a") == Seq(Row(1), Row(2)))
  }

  test("without substitution the text stays as it is") {
    val t = newTable("a STRING")
    withSetting("spark.sql.variable.substitute", "false") {
      run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT '$${x}' AS a")
    }
    assert(rows(s"SELECT * FROM $t") == Seq(Row("${x}")))
  }

  test("reserved words are Spark's alone, also when it enforces them") {
    val t = newTable("a INT, `select` INT")
    withSetting("spark.sql.ansi.enabled", "true") {
      withSetting("spark.sql.ansi.enforceReservedKeywords", "true") {
        run(s"INSERT INTO $t MERGE STRATEGY append_only ON SCHEMA CHANGE fail " +
          "SELECT 1 AS a, 2 AS `select`")
        run(s"INSERT INTO $t MERGE STRATEGY delete_insert UNIQUE KEY (`select`) TABLE $t")
        run(s"INSERT INTO $t MERGE STRATEGY append_only COLUMNS * EXCEPT (`table`) " +
          "SELECT 1 AS a, 2 AS `select`, 3 AS `table`")
      }
    }
    assert(rows(s"SELECT count(*) FROM $t") == Seq(Row(2)))
  }

  test("an error of the query itself is Spark's own") {
    val t = newTable("a INT")
    val insert = s"INSERT INTO $t MERGE STRATEGY append_only"
    analysisError("TABLE_OR_VIEW_NOT_FOUND")(sql(s"$insert SELECT * FROM lake.db.absent"))
    analysisError("UNRESOLVED_COLUMN.WITHOUT_SUGGESTION")(sql(s"$insert SELECT absent AS a"))
    analysisError("UNRESOLVED_COLUMN.WITH_SUGGESTION")(sql(
      s"INSERT INTO $t MERGE STRATEGY incremental UNIQUE KEY (a) DELETE WHEN absent SELECT 1 AS a"))
  }
}
