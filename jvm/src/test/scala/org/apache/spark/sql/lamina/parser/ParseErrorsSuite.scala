package org.apache.spark.sql.lamina.parser

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.parser.ParseException

/** What is wrong, and at which word: `^` stands before it. */
class ParseErrorsSuite extends AnyFunSuite with ParserFixture {

  test("an unknown strategy") {
    val thrown = assertError(
      "LAMINA_UNKNOWN_STRATEGY",
      "INSERT INTO t MERGE STRATEGY ^upsert UNIQUE KEY (id) SELECT 1 AS id")
    assert(thrown.getMessage.contains("'upsert'"))
    assert(thrown.getMessage.contains(
      "full_refresh, incremental, append_only, delete_insert, scd2, snapshot"))
    assertError("LAMINA_UNKNOWN_STRATEGY", "INSERT INTO t TABLE x\nMERGE STRATEGY ^upsert")
    assertError("LAMINA_UNKNOWN_STRATEGY", "INSERT INTO t MERGE STRATEGY ^`scd 2` TABLE x")
    assertError("LAMINA_UNKNOWN_STRATEGY", "INSERT INTO t MERGE STRATEGY ^merge TABLE x")
  }

  test("an unknown policy") {
    val thrown = assertError(
      "LAMINA_UNKNOWN_POLICY",
      "INSERT INTO t\n  ON SCHEMA CHANGE ^evolve\nSELECT 1 AS id")
    assert(thrown.getMessage.contains("'evolve'"))
    assert(thrown.getMessage.contains("fail, ignore, append_new_columns, sync_all_columns"))
    assertError("LAMINA_UNKNOWN_POLICY", "INSERT INTO t TABLE x ON SCHEMA CHANGE ^evolve")
    assertError(
      "LAMINA_UNKNOWN_POLICY",
      "INSERT INTO t TABLE x ON SCHEMA CHANGE ^evolve MERGE STRATEGY append_only")
  }

  private val repeated = Seq(
    "MERGE STRATEGY scd2 UNIQUE KEY (a) ^UNIQUE KEY (a)",
    "MERGE STRATEGY scd2 VALID FROM a VALID TO b\n^VALID FROM c",
    "MERGE STRATEGY scd2 TRACK HISTORY ON (a) ^TRACK HISTORY ON * EXCEPT (b)",
    "MERGE STRATEGY scd2 TRACK HISTORY ON * EXCEPT (b) ^TRACK HISTORY ON (a)",
    "MERGE STRATEGY snapshot PARTITION COLUMN a ^PARTITION COLUMNS (b)",
    "MERGE STRATEGY append_only RUN ID 'a' ^RUN ID 'b'",
    "MERGE STRATEGY incremental DELETE WHEN a ^DELETE WHEN b",
    "MERGE STRATEGY append_only ^MERGE STRATEGY append_only",
    "ON SCHEMA CHANGE fail ^ON SCHEMA CHANGE ignore",
    "ON SCHEMA CHANGE append_new_columns WIDEN TYPES ^WIDEN TYPES",
    "ON SCHEMA CHANGE full_incremental_refresh CHUNK BY a FROM 1 TO 2 STEP 1 ^CHUNK BY b FROM 1 TO 2 STEP 1",
    "MERGE STRATEGY append_only ON SCHEMA CHANGE fail ^MERGE STRATEGY scd2")

  repeated.foreach { clauses =>
    test(s"given twice: $clauses") {
      assertError("LAMINA_DUPLICATE_OPTION", s"INSERT INTO t $clauses SELECT 1 AS a")
      assertError("LAMINA_DUPLICATE_OPTION", s"INSERT INTO t SELECT 1 AS a $clauses")
    }
  }

  private val notApplicable = Seq(
    "append_only" -> "^UNIQUE KEY (a)",
    "full_refresh" -> "RUN ID 'a' ^WATERMARK c",
    "delete_insert" -> "UNIQUE KEY (a) ^SEQUENCE BY b",
    "delete_insert" -> "^DELETE WHEN a",
    "snapshot" -> "^UNIQUE KEY (a)",
    "incremental" -> "^PARTITION COLUMN a",
    "incremental" -> "^VALID FROM a",
    "incremental" -> "^TRACK HISTORY ON (a)",
    "scd2" -> "UNIQUE KEY (a)\n ^WATERMARK c",
    "snapshot" -> "^HARD DELETES ignore",
    "append_only" -> "^ALLOW EMPTY SOURCE",
    "snapshot" -> "^CURRENT FLAG a")

  notApplicable.foreach { case (strategy, options) =>
    test(s"not used by $strategy: $options") {
      val thrown = assertError(
        "LAMINA_OPTION_NOT_APPLICABLE",
        s"INSERT INTO t MERGE STRATEGY $strategy $options TABLE x")
      assert(thrown.getMessage.contains(s"not used by MERGE STRATEGY $strategy"))
      assert(thrown.getMessage.contains("COLUMNS * EXCEPT, RUN ID"))
    }
  }

  Seq(
    "fail ^WIDEN TYPES",
    "ignore ^WIDEN TYPES",
    "full_refresh ^WIDEN TYPES",
    "append_new_columns ^CHUNK BY a FROM 1 TO 2 STEP 1",
    "recreate_empty ^CHUNK BY a FROM 1 TO 2 STEP 1",
    "full_incremental_refresh ^WIDEN TYPES").foreach { policy =>
    test(s"not used by the policy: $policy") {
      assertError("LAMINA_OPTION_NOT_APPLICABLE", s"INSERT INTO t ON SCHEMA CHANGE $policy TABLE x")
    }
  }

  test("an option of one clause in the other") {
    assertError(
      "PARSE_SYNTAX_ERROR",
      "INSERT INTO t ON SCHEMA CHANGE ignore ^UNIQUE KEY (a) TABLE x")
    assertError(
      "PARSE_SYNTAX_ERROR",
      "INSERT INTO t MERGE STRATEGY append_only ^WIDEN TYPES TABLE x")
  }

  test("an unknown value of HARD DELETES") {
    val thrown = assertError(
      "LAMINA_INVALID_SETTING",
      "INSERT INTO t MERGE STRATEGY scd2 HARD DELETES ^purge TABLE x")
    assert(thrown.getMessage.contains("ignore, invalidate"))
  }

  private val misspelt = Seq(
    "MERGE STRATEGY scd2 ^UNIQE KEY (id) SELECT 1",
    "MERGE STRATEGY scd2 UNIQUE ^KEYS (id) SELECT 1",
    "MERGE STRATEGY scd2 UNIQUE KEY ^id SELECT 1",
    "MERGE STRATEGY scd2 UNIQUE KEY (^) SELECT 1",
    "MERGE STRATEGY scd2 UNIQUE KEY (a ^b) SELECT 1",
    "MERGE STRATEGY scd2 UNIQUE KEY (a, ^) SELECT 1",
    "MERGE STRATEGY scd2 VALID ^UNTIL c SELECT 1",
    "MERGE STRATEGY scd2 TRACK HISTORY ON ^a SELECT 1",
    "MERGE STRATEGY scd2 TRACK HISTORY ON * ^(a) SELECT 1",
    "MERGE STRATEGY scd2 HARD DELETES ^SELECT 1",
    "MERGE STRATEGY append_only ^WITHOUT SELECT 1",
    "MERGE STRATEGY append_only COLUMNS ^(a) SELECT 1",
    "MERGE STRATEGY append_only RUN ID ^7 SELECT 1",
    "MERGE STRATEGY append_only^, ON SCHEMA CHANGE ignore SELECT 1",
    "ON SCHEMA CHANGE append_new_columns WIDEN ^TYPE SELECT 1",
    "ON SCHEMA CHANGE full_incremental_refresh CHUNK BY a ^UNTIL 2 SELECT 1",
    "ON SCHEMA CHANGE full_incremental_refresh CHUNK BY a FROM 1 ^STEP 2 SELECT 1")

  misspelt.foreach { clauses =>
    test(s"a word that does not fit: $clauses") {
      assertError("PARSE_SYNTAX_ERROR", s"INSERT INTO t $clauses")
    }
  }

  test("a missing name of the strategy or the policy") {
    assertError("PARSE_SYNTAX_ERROR", "INSERT INTO t MERGE STRATEGY ^SELECT 1")
    assertError("PARSE_SYNTAX_ERROR", "INSERT INTO t MERGE STRATEGY ^(SELECT 1)")
    assertError("PARSE_SYNTAX_ERROR", "INSERT INTO t MERGE STRATEGY^")
    assertError("PARSE_SYNTAX_ERROR", "INSERT INTO t ON SCHEMA CHANGE ^VALUES (1)")
    assertError("PARSE_SYNTAX_ERROR", "INSERT INTO t MERGE STRATEGY ^'scd2' SELECT 1")
  }

  test("a missing query") {
    assertError("PARSE_SYNTAX_ERROR", "INSERT INTO t MERGE STRATEGY append_only^")
    assertError("PARSE_SYNTAX_ERROR", "INSERT INTO t MERGE STRATEGY append_only^;")
    assertError("PARSE_SYNTAX_ERROR", "INSERT INTO t ON SCHEMA CHANGE ignore^\n-- nothing")
    assertError("PARSE_SYNTAX_ERROR", "INSERT INTO t MERGE STRATEGY incremental DELETE WHEN^")
  }

  test("one clause before and one behind the query") {
    assertError(
      "PARSE_SYNTAX_ERROR",
      "INSERT INTO t MERGE STRATEGY append_only VALUES (1)\n^ON SCHEMA CHANGE ignore")
    assertError(
      "PARSE_SYNTAX_ERROR",
      "INSERT INTO t ON SCHEMA CHANGE ignore SELECT a FROM x MERGE ^STRATEGY append_only")
  }

  test("forms of INSERT that the clauses do not go with") {
    assertError(
      "LAMINA_OPTION_NOT_APPLICABLE",
      "INSERT INTO t REPLACE WHERE a = 1 SELECT 1 AS a ^MERGE STRATEGY append_only")
    assertError(
      "LAMINA_OPTION_NOT_APPLICABLE",
      "WITH c AS (SELECT 1) FROM c INSERT INTO t ^MERGE STRATEGY append_only SELECT * INSERT INTO u SELECT *")
    error[ParseException]("PARSE_SYNTAX_ERROR")(
      parser.parsePlan("INSERT OVERWRITE t MERGE STRATEGY append_only TABLE x"))
    error[ParseException]("PARSE_SYNTAX_ERROR")(
      parser.parsePlan("SELECT 1 MERGE STRATEGY append_only"))
  }

  test("the message shows the statement with an arrow under the word") {
    val thrown =
      assertError("LAMINA_UNKNOWN_POLICY", "INSERT INTO t\nON SCHEMA CHANGE ^evolve\nTABLE x")
    assert(thrown.getMessage.endsWith(
      """(line 2, pos 17)
        |
        |== SQL ==
        |INSERT INTO t
        |ON SCHEMA CHANGE evolve
        |-----------------^^^
        |TABLE x""".stripMargin))
  }

  test("Spark's error in the query shows its place in the whole statement") {
    val thrown = assertError(
      "PARSE_SYNTAX_ERROR",
      "INSERT INTO t\nMERGE STRATEGY append_only\nSELECT a b ^c FROM x")
    assert(thrown.getMessage.contains("\nMERGE STRATEGY append_only\n"))
  }

  test("positions are counted in code points") {
    val emoji = "/* \uD83D\uDE80\uD83D\uDE80 */"
    assertError("LAMINA_UNKNOWN_STRATEGY", s"$emoji INSERT INTO t MERGE STRATEGY ^upsert TABLE x")
    assertError(
      "LAMINA_DUPLICATE_OPTION",
      s"INSERT INTO `\uD83D\uDE80` MERGE STRATEGY append_only RUN ID '\uD834\uDD1E' ^RUN ID 'b' TABLE x")
    assertError(
      "PARSE_SYNTAX_ERROR",
      s"INSERT INTO t\nMERGE STRATEGY incremental DELETE WHEN a = '\uD83D\uDE80' AND ^= 1 TABLE x")
  }

  test("astral characters before, inside and behind the clauses stay what they are") {
    val rocket = "\uD83D\uDE80"
    val sql =
      s"/* $rocket */ INSERT INTO `$rocket` (`$rocket$rocket`) MERGE STRATEGY incremental " +
        s"UNIQUE KEY (`a$rocket`, b) DELETE WHEN op = '$rocket' RUN ID '$rocket' " +
        s"SELECT '$rocket' AS `$rocket`"
    val parsed = insert(sql)
    assert(parsed.target == Seq(rocket))
    assert(parsed.columns == Seq(rocket + rocket))
    assert(options(sql).map(_._2) ==
      Seq("incremental", s"`a$rocket`, b", s"op = '$rocket'", s"'$rocket'"))
    assert(parsed.values.map(_.child) ==
      Seq(s"op = '$rocket'", s"'$rocket'").map(spark.parseExpression))
    assert(shape(parsed.query) == shape(spark.parsePlan(s"SELECT '$rocket' AS `$rocket`")))
  }
}
