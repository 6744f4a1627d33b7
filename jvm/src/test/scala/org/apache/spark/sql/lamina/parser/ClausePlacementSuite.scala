package org.apache.spark.sql.lamina.parser

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.plans.logical.UnresolvedWith
import org.apache.spark.sql.execution.{CostMode, ExtendedMode, FormattedMode, SimpleMode}
import org.apache.spark.sql.execution.command.ExplainCommand

/** Where the clauses may stand, and what may stand around them. */
class ClausePlacementSuite extends AnyFunSuite with ParserFixture {

  private val strategy = "MERGE STRATEGY append_only RUN ID 'r'"
  private val policy = "ON SCHEMA CHANGE append_new_columns"
  private val both =
    Set(
      "merge_strategy" -> "append_only",
      "run_id" -> "'r'",
      "on_schema_change" -> "append_new_columns")

  for {
    (order, clauses) <- Seq(
      "strategy first" -> s"$strategy $policy",
      "policy first" -> s"$policy $strategy")
    (place, sql) <- Seq(
      "before" -> s"INSERT INTO t $clauses SELECT a FROM x",
      "behind" -> s"INSERT INTO t SELECT a FROM x $clauses")
  } test(s"both clauses $place the query, $order") {
    assert(options(sql).toSet == both)
    assert(shape(insert(sql).query) == shape(spark.parsePlan("SELECT a FROM x")))
  }

  /** Everything that Spark accepts as the query of an INSERT. */
  private val queries = Seq(
    "SELECT a, b FROM x WHERE a > 1 ORDER BY b LIMIT 3",
    "SELECT /*+ BROADCAST(y), COALESCE(3) */ * FROM x JOIN y USING (id)",
    "SELECT a FROM x UNION ALL SELECT b FROM y",
    "SELECT a, count(*) AS n FROM x GROUP BY a HAVING count(*) > 1",
    "SELECT a FROM x LATERAL VIEW explode(b) e AS c",
    "VALUES (1, 'a'), (2, 'b')",
    "VALUES (1, 'a') AS v(id, name)",
    "TABLE x",
    "FROM x SELECT a",
    "FROM x SELECT a WHERE a > 1",
    "(SELECT a FROM x)",
    "((SELECT a FROM x) UNION (SELECT b FROM y))",
    "WITH c AS (SELECT 1 AS a), d AS (SELECT * FROM c) SELECT * FROM d",
    "MAP a USING 'cat' AS (a) FROM x",
    "REDUCE a USING 'cat' AS (a) FROM x")

  queries.foreach { query =>
    test(s"query: $query") {
      val expected = shape(spark.parsePlan(s"INSERT INTO t $query").children.head)
      Seq(s"INSERT INTO t $strategy $query", s"INSERT INTO t $query $strategy").foreach { sql =>
        assert(options(sql) == Seq("merge_strategy" -> "append_only", "run_id" -> "'r'"))
        assert(shape(insert(sql).query) == expected)
      }
    }
  }

  test("WITH in front of INSERT") {
    val sql = s"WITH c AS (SELECT 1 AS a) INSERT INTO t $strategy SELECT * FROM c"
    parser.parsePlan(sql) match {
      case ctes: UnresolvedWith =>
        assert(ctes.child.isInstanceOf[StrategyInsert])
        assert(ctes.cteRelations.map(_._1) == Seq("c"))
      case other => fail(other.toString)
    }
    assert(options(s"WITH c AS (SELECT 1 AS a) INSERT INTO t SELECT * FROM c $strategy").size == 2)
  }

  test("words of the clauses inside a WITH list are not the clauses") {
    val sql = s"""WITH merge AS (SELECT merge strategy FROM strategy), strategy AS (SELECT 1)
                 |INSERT INTO t $policy SELECT * FROM merge""".stripMargin
    assert(options(sql) == Seq("on_schema_change" -> "append_new_columns"))
  }

  Seq(
    "EXPLAIN" -> SimpleMode,
    "EXPLAIN EXTENDED" -> ExtendedMode,
    "EXPLAIN FORMATTED" -> FormattedMode,
    "EXPLAIN COST" -> CostMode,
    "explain extended" -> ExtendedMode).foreach { case (words, mode) =>
    test(s"$words in front") {
      Seq(
        s"$words INSERT INTO t $strategy SELECT a FROM x",
        s"$words INSERT INTO t SELECT a FROM x $strategy",
        s"$words WITH c AS (SELECT 1) INSERT INTO t $strategy TABLE c").foreach { sql =>
        parser.parsePlan(sql) match {
          case explain: ExplainCommand =>
            assert(explain.mode == mode)
            assert(onlyInsert(explain.logicalPlan).target == Seq("t"))
          case other => fail(other.toString)
        }
      }
    }
  }

  private val targets = Seq(
    "t" -> Seq("t"),
    "TABLE t" -> Seq("t"),
    "db.t" -> Seq("db", "t"),
    "lake . db . t" -> Seq("lake", "db", "t"),
    "lake.db.t.branch_audit" -> Seq("lake", "db", "t", "branch_audit"),
    "`odd name`.`a.b`" -> Seq("odd name", "a.b"),
    "`tick``s`" -> Seq("tick`s"),
    "`new\nline`" -> Seq("new\nline"))

  targets.foreach { case (text, parts) =>
    test(s"target: $text") {
      assert(insert(s"INSERT INTO $text $strategy SELECT a FROM x").target == parts)
      assert(insert(s"INSERT INTO $text SELECT a FROM x $strategy").target == parts)
    }
  }

  test("a column list") {
    val sql = s"INSERT INTO t (a, `b``c`) $strategy SELECT 1, 2"
    assert(insert(sql).columns == Seq("a", "b`c"))
    assert(insert(s"INSERT INTO t (a) SELECT 1 $strategy").columns == Seq("a"))
    assert(insert(s"INSERT INTO t $strategy (SELECT 1 AS a)").columns == Nil)
  }

  test("BY NAME says what is the case anyway") {
    assert(insert(s"INSERT INTO t BY NAME $strategy SELECT 1 AS a").columns == Nil)
    assert(insert(s"INSERT INTO t BY NAME SELECT 1 AS a $strategy").columns == Nil)
  }

  test("a column list together with BY NAME is Spark's error") {
    assertError("PARSE_SYNTAX_ERROR", s"INSERT INTO t BY NAME (^a) $strategy SELECT 1")
    assertError("PARSE_SYNTAX_ERROR", s"INSERT INTO t (a) ^BY NAME $strategy SELECT 1")
  }

  test("only VALUES gives its columns no names") {
    val unnamed = Seq(
      "VALUES (1, 2)", "(VALUES (1, 2))", "VALUES (1, 2) LIMIT 1", "VALUES (2), (1) ORDER BY 1",
      "VALUES (1) UNION ALL VALUES (2)", "WITH c AS (SELECT 1) VALUES (1)")
    val named = Seq(
      "VALUES (1, 2) AS v(a, b)", "SELECT 1, 2", "SELECT * FROM VALUES (1, 2)", "TABLE x",
      "SELECT 1 AS col1")
    unnamed.foreach(q => assert(insert(s"INSERT INTO t $strategy $q").unnamed, q))
    named.foreach(q => assert(!insert(s"INSERT INTO t $strategy $q").unnamed, q))
  }

  test("a static partition has no place beside the clauses") {
    val thrown = assertError(
      "LAMINA_OPTION_NOT_APPLICABLE",
      "INSERT INTO t PARTITION (p = 1) ^MERGE STRATEGY append_only TABLE x")
    assert(thrown.getMessage.contains("PARTITION (...)"))
  }

  test("trailing semicolons") {
    Seq(
      s"INSERT INTO t $strategy TABLE x;",
      s"INSERT INTO t TABLE x $strategy ;;\n",
      "INSERT INTO t TABLE x MERGE STRATEGY incremental DELETE WHEN a;").foreach { sql =>
      assert(insert(sql).target == Seq("t"))
    }
  }
}
