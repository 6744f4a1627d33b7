package org.apache.spark.sql.lamina.parser

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.lamina.settings.SettingField
import org.apache.spark.sql.lamina.settings.SettingField._

/** Options whose value is an expression: where it ends, and that Spark parses it. */
class ExpressionOptionsSuite extends AnyFunSuite with ParserFixture {

  private val predicates = Seq(
    "deleted",
    "op = 'D'",
    "op = 'it''s FROM' OR op = \"MERGE STRATEGY\"",
    "NOT active AND op IS NOT NULL",
    "op IS DISTINCT FROM 'U'",
    "op IS NOT DISTINCT FROM other",
    "EXTRACT(YEAR FROM ts) < 2000",
    "SUBSTRING(op FROM 1 FOR 1) = 'D'",
    "TRIM(BOTH 'x' FROM op) = ''",
    "id IN (SELECT id FROM gone)",
    "id IN (1, 2, 3) OR (a, b) IN ((1, 2))",
    "EXISTS (SELECT 1 FROM gone WHERE gone.id = x.id)",
    "(SELECT max(ts) FROM gone) > ts",
    "CASE WHEN op = 'D' THEN true WHEN op = 'U' THEN false ELSE NULL END",
    "CASE op WHEN 'D' THEN true END",
    "age BETWEEN 1 AND 2",
    "op NOT LIKE 'a%' ESCAPE '!'",
    "op RLIKE '^D'",
    "op LIKE ANY ('a', 'b')",
    "ts < TIMESTAMP'2024-01-01 00:00:00' - INTERVAL '1' DAY",
    "ts < now() - INTERVAL '1-6' YEAR TO MONTH",
    "ts - started > INTERVAL '1 02:03:04' DAY TO SECOND",
    "ts < now() - INTERVAL 1 DAY",
    "CAST(op AS INT) > 1.5e-3",
    "a.b.c[0]['k'].d",
    "exists(ops, o -> o = 'D')",
    "transform(ops, (o, i) -> o)[0] = 1",
    "values > 1 AND table = 2 OR from = 3",
    "-step < +to",
    "delete AND when = watermark",
    "struct(1 AS a).a = 1",
    "`FROM` = 1 AND t.`select` = 2",
    "op = 'D' -- FROM here\n AND gone",
    "count(*) FILTER (WHERE a > 1) OVER (PARTITION BY b ORDER BY c) > 1")

  private val following = Seq(
    "query" -> "SELECT * FROM x",
    "VALUES" -> "VALUES (1)",
    "TABLE" -> "TABLE x",
    "FROM" -> "FROM x SELECT *",
    "WITH" -> "WITH c AS (SELECT 1) SELECT * FROM c",
    "an option" -> "UNIQUE KEY (id) SELECT 1",
    "a WATERMARK" -> "WATERMARK ts SELECT 1",
    "the other clause" -> "ON SCHEMA CHANGE ignore SELECT 1")

  predicates.foreach { predicate =>
    test(s"DELETE WHEN $predicate") {
      val expected = spark.parseExpression(predicate)
      following.foreach { case (what, rest) =>
        val sql = s"INSERT INTO t MERGE STRATEGY incremental DELETE WHEN $predicate $rest"
        withClue(s"before $what: ")(assertExpression(sql, DeleteWhen, expected.sql))
      }
      assertExpression(
        s"INSERT INTO t TABLE x MERGE STRATEGY incremental DELETE WHEN $predicate;",
        DeleteWhen,
        expected.sql)
    }
  }

  private def assertExpression(sql: String, field: SettingField, expected: String): Unit =
    assert(value(sql, field).sql == expected): Unit

  Seq("op = 'D'", "id IN (1)", "(gone)", "age > 7", "op IS NULL", "op = true", "gone", "a[0]",
    "CASE WHEN a THEN b END")
    .foreach { predicate =>
      test(s"a parenthesised query behind DELETE WHEN $predicate") {
        val sql =
          s"INSERT INTO t MERGE STRATEGY incremental DELETE WHEN $predicate (SELECT 1 AS id)"
        assertExpression(sql, DeleteWhen, spark.parseExpression(predicate).sql)
        assert(shape(insert(sql).query) == shape(spark.parsePlan("(SELECT 1 AS id)")))
      }
    }

  private val chunks = Seq(
    ("DATE'2024-01-01'", "DATE'2024-03-01'", "INTERVAL 1 MONTH"),
    ("1", "1000", "100"),
    ("date_sub(current_date(), 30)", "current_date()", "INTERVAL '7' DAY"),
    (
      "TIMESTAMP'2024-01-01 00:00:00'",
      "now() - INTERVAL '1 02' DAY TO HOUR",
      "INTERVAL '1-6' YEAR TO MONTH"),
    ("(SELECT min(a) FROM x)", "(SELECT max(a) FROM x)", "(1 + 1)"),
    ("d - INTERVAL '1-2' YEAR TO MONTH", "d", "INTERVAL 1 WEEK"),
    (":a", ":b", ":c"))

  chunks.foreach { case (from, to, step) =>
    test(s"CHUNK BY day FROM $from TO $to STEP $step") {
      val clause = "ON SCHEMA CHANGE full_incremental_refresh " +
        s"CHUNK BY o.day FROM $from TO $to STEP $step"
      Seq(
        s"INSERT INTO t $clause SELECT * FROM x",
        s"INSERT INTO t $clause MERGE STRATEGY append_only FROM x SELECT *",
        s"INSERT INTO t SELECT * FROM x $clause").foreach { sql =>
        assert(options(sql).contains("chunk_by" -> "o.day"))
        Seq(ChunkFrom -> from, ChunkTo -> to, ChunkStep -> step).foreach { case (field, text) =>
          assert(options(sql).contains(field.name -> text))
          assertExpression(sql, field, spark.parseExpression(text).sql)
        }
      }
    }
  }

  test("VALID FROM and VALID TO are not the bounds of a chunk") {
    val sql = "INSERT INTO t ON SCHEMA CHANGE full_incremental_refresh " +
      "CHUNK BY day FROM 1 TO 2 STEP 1 MERGE STRATEGY scd2 VALID FROM a VALID TO b SELECT 1"
    assert(options(sql).takeRight(2) == Seq("scd_valid_from" -> "a", "scd_valid_to" -> "b"))
  }

  test("RUN ID is a string or a parameter marker") {
    def runId(text: String) =
      value(s"INSERT INTO t MERGE STRATEGY append_only RUN ID $text SELECT 1", RunId)
    assert(runId("'a'") == Literal("a"))
    assert(runId("\"a\"") == Literal("a"))
    assert(runId("'a' 'b'") == Literal("ab"))
    assert(runId("r'a\\n'") == Literal("a\\n"))
    assert(runId("'SELECT \\' FROM'") == Literal("SELECT ' FROM"))
    assert(runId(":id").sql == spark.parseExpression(":id").sql)
    Seq("7", "concat('a', 'b')", "a").foreach { text =>
      error[ParseException]("PARSE_SYNTAX_ERROR")(runId(text))
    }
  }

  test("an expression is one expression") {
    val incremental = "INSERT INTO t MERGE STRATEGY incremental DELETE WHEN"
    assertError("PARSE_SYNTAX_ERROR", s"$incremental ^a, b SELECT 1")
    assertError("PARSE_SYNTAX_ERROR", s"$incremental ^a AS b SELECT 1")
  }

  test("an error inside an expression shows the place in the statement") {
    val thrown = assertError(
      "PARSE_SYNTAX_ERROR",
      "INSERT INTO t\nMERGE STRATEGY incremental DELETE WHEN a = ^= 1\nSELECT 1")
    assert(thrown.getMessage.contains("MERGE STRATEGY incremental"))
  }
}
