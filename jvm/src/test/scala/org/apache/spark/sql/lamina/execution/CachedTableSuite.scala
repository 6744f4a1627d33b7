package org.apache.spark.sql.lamina.execution

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.LakeSession

/** After a write nobody in the session sees the old state. */
class CachedTableSuite extends AnyFunSuite with LakeSession {

  test("a cached table shows new rows and new columns") {
    val t = newTable("id INT", "(1)")
    sql(s"CACHE TABLE $t")
    try {
      assert(rows(s"SELECT * FROM $t") == Seq(Row(1)))
      run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 2 AS id")
      assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(1), Row(2)))
      run(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 3 AS id, 'x' AS n")
      assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(1, null), Row(2, null), Row(3, "x")))
    } finally sql(s"UNCACHE TABLE IF EXISTS $t")
  }

  test("a cached query over the table shows new rows") {
    val t = newTable("id INT", "(1)")
    val cached = sql(s"SELECT id + 10 AS n FROM $t").cache()
    try {
      assert(cached.collect().toSeq == Seq(Row(11)))
      run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 2 AS id")
      assert(rows(s"SELECT id + 10 AS n FROM $t ORDER BY n") == Seq(Row(11), Row(12)))
    } finally cached.unpersist()
  }

  test("a temporary view over the table shows new rows") {
    val t = newTable("id INT", "(1)")
    sql(s"CREATE OR REPLACE TEMPORARY VIEW lamina_over AS SELECT * FROM $t")
    run(s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT 2 AS id")
    assert(rows("SELECT * FROM lamina_over") == Seq(Row(2)))
    sql("DROP VIEW lamina_over")
  }

  test("a source that is cached is read from the cache") {
    val t = newTable("id INT")
    val source = spark.range(3).selectExpr("CAST(id AS INT) AS id").cache()
    try {
      source.createOrReplaceTempView("lamina_source")
      assert(run(s"INSERT INTO $t MERGE STRATEGY append_only TABLE lamina_source").inserted == 3)
    } finally source.unpersist()
  }

  test("another session sees the commit at once") {
    val t = newTable("id INT", "(1)")
    val other = spark.newSession()
    LakeSession.catalog("lake", folder).foreach { case (key, value) => other.conf.set(key, value) }
    assert(other.table(t).count() == 1)
    run(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'x' AS n")
    other.sql(s"REFRESH TABLE $t")
    assert(other.table(t).orderBy("id").collect().toSeq == Seq(Row(1, null), Row(2, "x")))
  }

  test("Spark's own statements go on working after ours, and ours after Spark's") {
    val t = newTable("id INT", "(1)")
    run(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'x' AS n")
    sql(s"INSERT INTO $t VALUES (3, 'y')")
    sql(s"ALTER TABLE $t ADD COLUMN m INT")
    run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 4 AS id, 'z' AS n, 5 AS m")
    sql(s"DELETE FROM $t WHERE id = 1")
    assert(rows(s"SELECT * FROM $t ORDER BY id") ==
      Seq(Row(2, "x", null), Row(3, "y", null), Row(4, "z", 5)))
  }
}
