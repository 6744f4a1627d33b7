package org.apache.spark.sql.lamina.parser

import scala.collection.mutable
import scala.util.Try

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** A statement without the clauses is Spark's own and reaches Spark untouched. */
class PassThroughSuite extends AnyFunSuite with ParserFixture {

  /** Notes every statement that it is given. */
  private class Recorder(protected val delegate: ParserInterface) extends DelegatingParser {
    val seen: mutable.Buffer[String] = mutable.Buffer.empty
    override protected def parseStatement(sqlText: String, spark: PieceParser): LogicalPlan = {
      seen += sqlText
      spark.parseWhole(sqlText)
    }
  }

  private val statements = Seq(
    "SELECT 1",
    "",
    "  \n\t ",
    "-- only a comment",
    "INSERT INTO t SELECT * FROM x",
    "INSERT INTO t SELECT 'MERGE STRATEGY append_only'",
    "INSERT INTO t SELECT \"ON SCHEMA CHANGE ignore\" -- MERGE STRATEGY scd2",
    "INSERT INTO t /* MERGE STRATEGY append_only */ TABLE x",
    "INSERT INTO t /*+ not a hint here, MERGE STRATEGY append_only */ TABLE x",
    "INSERT INTO t SELECT `MERGE STRATEGY append_only` FROM x",
    "INSERT INTO t SELECT r'\\MERGE STRATEGY append_only'",
    "INSERT INTO t SELECT merge strategy FROM x",
    "INSERT INTO t SELECT (SELECT merge strategy FROM x)",
    "INSERT INTO merge strategy",
    "INSERT OVERWRITE t MERGE STRATEGY append_only SELECT 1",
    "INSERT",
    "INSERT INTO",
    "INSERT INTO t",
    "INSERT INTO strategy (",
    "EXPLAIN strategy",
    "WITH strategy",
    "CREATE SCHEMA change",
    "ALTER TABLE t SET TBLPROPERTIES ('lamina.merge-strategy' = 'scd2')",
    "DESCRIBE SCHEMA strategy",
    "SET spark.sql.lamina.mergeStrategy = scd2",
    "SELECT * FROM x WHERE note = 'ON SCHEMA CHANGE \uD83D\uDE80'",
    "CREATE VIEW v AS SELECT 'INSERT INTO t MERGE STRATEGY append_only TABLE x' AS s",
    "SELECT ${strategy}",
    "SELECT '${",
    "INSERT INTO t SELECT 'unclosed MERGE STRATEGY append_only FROM x",
    "INSERT INTO t SELECT 1 /* unclosed MERGE STRATEGY append_only")

  statements.zipWithIndex.foreach { case (sql, i) =>
    test(s"untouched $i: $sql") {
      val recorder = new Recorder(spark)
      val plan = Try(new LaminaParser(recorder).parsePlan(sql))
      assert(recorder.seen.last eq sql)
      assert(recorder.seen.forall(_ == sql))
      assert(outcome(plan) == outcome(Try(spark.parsePlan(sql))))
    }
  }

  private def outcome(plan: Try[LogicalPlan]): String =
    plan.fold(error => error.getMessage, shape)

  test("an ordinary statement is not even tokenized") {
    Seq(
      "SELECT 1",
      "INSERT INTO t SELECT * FROM x",
      "MERGE INTO t USING x ON a WHEN MATCHED THEN DELETE")
      .foreach(sql => assert(!LaminaParser.mayHaveClauses(sql), sql))
  }

  test("everything but statements is left to Spark") {
    assert(parser.parseExpression("a + 1") == spark.parseExpression("a + 1"))
    assert(shape(parser.parseQuery("SELECT 1")) == shape(spark.parseQuery("SELECT 1")))
    assert(parser.parseDataType("struct<a: int>") == spark.parseDataType("struct<a: int>"))
    assert(parser.parseTableSchema("a INT, b STRING") == spark.parseTableSchema("a INT, b STRING"))
    assert(parser.parseMultipartIdentifier("a.`b.c`") == Seq("a", "b.c"))
    assert(parser.parseTableIdentifier("a.b") == spark.parseTableIdentifier("a.b"))
    assert(parser.parseFunctionIdentifier("a.f") == spark.parseFunctionIdentifier("a.f"))
  }

  test("long statements cost a small multiple of what Spark's own parser takes") {
    val rows = (1 to 4000).map(i => s"($i, 'from $i to step')").mkString(", ")
    def nanos(parse: => Any): Long = {
      val start = System.nanoTime()
      assert(parse != null)
      System.nanoTime() - start
    }
    val times = (1 to 2).map { _ =>
      val plain = nanos(spark.parsePlan(s"INSERT INTO t VALUES $rows"))
      val ours = nanos(parser.parsePlan(s"INSERT INTO t MERGE STRATEGY append_only VALUES $rows"))
      (ours, plain)
    }
    assert(times.map(_._1).min < times.map(_._2).min * 4, times)
  }

  test("text that is never closed does not take forever") {
    val comments = "/* " * 300
    assert(Try(parser.parsePlan(s"INSERT INTO t MERGE STRATEGY append_only $comments")).isFailure)
    assert(Try(parser.parsePlan("INSERT INTO t MERGE STRATEGY append_only " + "(" * 50)).isFailure)
    assert(Try(parser.parsePlan("INSERT INTO t ON SCHEMA CHANGE " + "'" * 3001)).isFailure)
  }
}
