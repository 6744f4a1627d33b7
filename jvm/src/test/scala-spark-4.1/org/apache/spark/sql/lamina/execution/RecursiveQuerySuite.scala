package org.apache.spark.sql.lamina.execution

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.LakeSession

/** Queries that refer to themselves, which Spark understands from 4.1 on. */
class RecursiveQuerySuite extends AnyFunSuite with LakeSession {

  private val numbers =
    "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 4)"

  test("WITH RECURSIVE in front of the query") {
    val t = newTable("n INT")
    assert(run(
      s"INSERT INTO $t MERGE STRATEGY append_only $numbers SELECT n FROM numbers").inserted == 4)
    assert(rows(s"SELECT n FROM $t ORDER BY n") == Seq(1, 2, 3, 4).map(Row(_)))
  }

  test("WITH RECURSIVE in front of INSERT") {
    val t = newTable("n INT")
    assert(run(
      s"$numbers INSERT INTO $t MERGE STRATEGY append_only SELECT n FROM numbers").inserted == 4)
    assert(run(s"$numbers INSERT INTO $t SELECT n + 4 AS n FROM numbers MERGE STRATEGY append_only")
      .inserted == 4)
    assert(rows(s"SELECT count(*), max(n) FROM $t") == Seq(Row(8, 8)))
  }
}
