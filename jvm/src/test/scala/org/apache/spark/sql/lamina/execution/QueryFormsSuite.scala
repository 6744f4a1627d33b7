package org.apache.spark.sql.lamina.execution

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.LakeSession

/** Every kind of query that Spark accepts, run. */
class QueryFormsSuite extends AnyFunSuite with LakeSession {

  private lazy val source = newTable("id INT, name STRING", "(1, 'a')", "(2, 'b')", "(3, 'c')")

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sql(s"CREATE OR REPLACE TEMPORARY VIEW x AS SELECT * FROM $source")
  }

  private val forms = Seq(
    ("", "SELECT id, name FROM x WHERE id > 1", Seq(2, 3)),
    ("", "TABLE x", Seq(1, 2, 3)),
    ("", "FROM x SELECT id, name", Seq(1, 2, 3)),
    ("", "(SELECT * FROM x LIMIT 3)", Seq(1, 2, 3)),
    ("", "VALUES (7, 'a'), (8, 'b')", Seq(7, 8)),
    ("", "WITH c AS (SELECT * FROM x), d AS (SELECT * FROM c WHERE id = 1) TABLE d", Seq(1)),
    ("WITH c AS (SELECT * FROM x)", "SELECT * FROM c WHERE id < 3", Seq(1, 2)),
    (
      "WITH c AS (SELECT * FROM x)",
      "WITH d AS (SELECT * FROM c WHERE id = 3) SELECT c.* FROM c JOIN d USING (id)",
      Seq(3)),
    ("", "SELECT /*+ BROADCAST(b) */ a.id, b.name FROM x a JOIN x b ON a.id = b.id", Seq(1, 2, 3)),
    ("", "SELECT id, name FROM x UNION ALL SELECT id + 10, name FROM x", Seq(1, 2, 3, 11, 12, 13)),
    ("", "SELECT max(id) AS id, name FROM x GROUP BY name HAVING max(id) > 2", Seq(3)),
    ("", "SELECT id, name FROM x WHERE id IN (SELECT max(id) FROM x)", Seq(3)),
    (
      "",
      "SELECT id, name FROM x o WHERE EXISTS (SELECT 1 FROM x i WHERE i.id = o.id + 1)",
      Seq(1, 2)),
    (
      "",
      "SELECT e AS id, name FROM x LATERAL VIEW explode(array(id, id + 10)) AS e WHERE id = 1",
      Seq(1, 11)),
    ("", "SELECT row_number() OVER (ORDER BY id DESC) AS id, name FROM x", Seq(1, 2, 3)))

  forms.foreach { case (before, query, ids) =>
    test(s"$before INSERT $query".trim) {
      val t = newTable("id INT, name STRING")
      assert(run(s"$before INSERT INTO $t MERGE STRATEGY append_only $query").inserted == ids.size)
      assert(rows(s"SELECT id FROM $t ORDER BY id") == ids.map(Row(_)))
    }
  }

  test("clauses behind the query give the same") {
    val t = newTable("id INT, name STRING")
    run(s"INSERT INTO $t SELECT * FROM $source MERGE STRATEGY full_refresh ON SCHEMA CHANGE fail")
    assert(rows(s"SELECT count(*) FROM $t") == Seq(Row(3)))
  }

  test("the table may be its own source") {
    val t = newTable("id INT", "(1)", "(2)")
    assert(run(
      s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT id + 2 AS id, id AS n FROM $t")
      .inserted == 2)
    assert(rows(s"SELECT * FROM $t ORDER BY id") ==
      Seq(Row(1, null), Row(2, null), Row(3, 1), Row(4, 2)))
  }

  test("a DataFrame's view and a function of the session") {
    val t = newTable("id INT, name STRING")
    spark.udf.register("lamina_shout", (s: String) => s.toUpperCase)
    spark.range(2).selectExpr("CAST(id AS INT) AS id", "'v' AS name").createOrReplaceTempView(
      "lamina_frame")
    run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT id, lamina_shout(name) AS name FROM lamina_frame")
    assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(0, "V"), Row(1, "V")))
  }
}
