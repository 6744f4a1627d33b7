package org.apache.spark.sql.lamina.parser

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.{LakeSession, ResultRow}

/** SQL variables, and statements that reach the parser by way of EXECUTE IMMEDIATE: from Spark 4 on. */
class SqlVariablesSuite extends AnyFunSuite with LakeSession {

  private def runId(table: String): String =
    load(table).currentSnapshot().summary().get("lamina.run-id")

  test("a variable in the query") {
    val t = newTable("a INT")
    sql("DECLARE OR REPLACE VARIABLE lamina_number INT DEFAULT 7")
    run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT lamina_number AS a")
    assert(rows(s"SELECT * FROM $t") == Seq(Row(7)))
    sql("DROP TEMPORARY VARIABLE lamina_number")
  }

  test("EXECUTE IMMEDIATE with positional parameters") {
    val t = newTable("a INT, b STRING")
    val result = ResultRow(sql(
      s"EXECUTE IMMEDIATE 'INSERT INTO $t MERGE STRATEGY append_only RUN ID ? SELECT ? AS a, ? AS b' " +
        "USING 'r1', 1, 'x'"))
    assert(result.inserted == 1)
    assert(runId(t) == "r1")
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1, "x")))
  }

  test("EXECUTE IMMEDIATE with named parameters") {
    val t = newTable("a INT, b STRING")
    sql(
      s"EXECUTE IMMEDIATE 'INSERT INTO $t SELECT :a AS a, :b AS b MERGE STRATEGY append_only RUN ID :id' " +
        "USING 1 AS a, 'x' AS b, 'r1' AS id")
    assert(runId(t) == "r1")
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1, "x")))
  }

  test("EXECUTE IMMEDIATE of a statement held in a variable") {
    val t = newTable("a INT")
    sql("DECLARE OR REPLACE VARIABLE lamina_text STRING")
    sql(s"SET VAR lamina_text = 'INSERT INTO $t MERGE STRATEGY append_only SELECT 7 AS a'")
    sql("EXECUTE IMMEDIATE lamina_text")
    assert(rows(s"SELECT * FROM $t") == Seq(Row(7)))
    sql("DROP TEMPORARY VARIABLE lamina_text")
  }
}
