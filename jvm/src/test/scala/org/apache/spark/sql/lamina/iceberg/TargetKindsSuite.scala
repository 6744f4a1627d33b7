package org.apache.spark.sql.lamina.iceberg

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.LakeSession

/** What may be written to, and what may not. */
class TargetKindsSuite extends AnyFunSuite with LakeSession {

  private val insert = "MERGE STRATEGY append_only SELECT 2 AS id"

  private def assertRefused(target: String, kind: String): Unit = {
    Seq(
      s"INSERT INTO $target $insert",
      s"INSERT INTO $target ON SCHEMA CHANGE ignore SELECT 2 AS id")
      .foreach { statement =>
        val thrown = analysisError("LAMINA_UNSUPPORTED_TABLE")(sql(statement))
        assert(thrown.getMessageParameters.get("kind").contains(kind))
      }
  }

  test("a temporary view and a global temporary view") {
    val t = newTable("id INT", "(1)")
    sql(s"CREATE OR REPLACE TEMPORARY VIEW lamina_view AS SELECT * FROM $t")
    sql(s"CREATE OR REPLACE GLOBAL TEMPORARY VIEW lamina_view AS SELECT * FROM $t")
    assertRefused("lamina_view", "a temporary view")
    assertRefused("global_temp.lamina_view", "a temporary view")
    sql("DROP VIEW lamina_view")
    sql("DROP VIEW global_temp.lamina_view")
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1)))
  }

  test("a view of the session catalog") {
    sql("CREATE OR REPLACE VIEW spark_catalog.default.lamina_stored_view AS SELECT 1 AS id")
    assertRefused("spark_catalog.default.lamina_stored_view", "view")
    sql("DROP VIEW spark_catalog.default.lamina_stored_view")
  }

  test("a view in an Iceberg catalog") {
    withSetting("spark.sql.catalog.memory", "org.apache.iceberg.spark.SparkCatalog") {
      withSetting(
        "spark.sql.catalog.memory.catalog-impl",
        "org.apache.iceberg.inmemory.InMemoryCatalog") {
        sql("CREATE NAMESPACE memory.db")
        sql("CREATE VIEW memory.db.v AS SELECT 1 AS id")
        assertRefused("memory.db.v", "view")
      }
    }
  }

  test("a parquet table") {
    sql("CREATE TABLE spark_catalog.default.lamina_parquet (id INT) USING parquet")
    assertRefused("spark_catalog.default.lamina_parquet", "parquet table")
    assert(rows("SELECT * FROM spark_catalog.default.lamina_parquet") == Nil)
    sql("DROP TABLE spark_catalog.default.lamina_parquet")
  }

  test("a missing table in a catalog that is not Iceberg's") {
    val thrown = analysisError("LAMINA_UNSUPPORTED_TABLE")(
      sql(s"INSERT INTO spark_catalog.default.lamina_absent $insert"))
    assert(thrown.getMessage.contains("not an Iceberg catalog"))
  }

  test("metadata tables") {
    val t = newTable("id INT", "(1)")
    Seq("snapshots", "files", "history").foreach(name => assertRefused(s"$t.$name", "metadata"))
  }

  test("a tag and a snapshot of the past") {
    val t = newTable("id INT", "(1)")
    val id = load(t).currentSnapshot().snapshotId()
    sql(s"ALTER TABLE $t CREATE TAG `first`")
    assertRefused(s"$t.tag_first", "past")
    assertRefused(s"$t.snapshot_id_$id", "past")
    assertRefused(s"$t.at_timestamp_${System.currentTimeMillis()}", "past")
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1)))
  }

  test("tables whose names look like selectors are tables") {
    Seq("tag_x", "branch_x", "snapshot_id_x", "files").foreach { name =>
      val t = s"lake.db.$name"
      assert(run(s"INSERT INTO $t $insert").status == "created")
      assert(run(s"INSERT INTO $t $insert").status == "changed")
      assert(rows(s"SELECT count(*) FROM $t") == Seq(Row(2)))
    }
  }

  test("names are those of the current catalog and schema") {
    sql("USE lake.db")
    try {
      assert(run(s"INSERT INTO here $insert").status == "created")
      assert(rows("SELECT * FROM lake.db.here") == Seq(Row(2)))
      assert(run(s"INSERT INTO db.here $insert").status == "changed")
    } finally sql("USE spark_catalog.default")
  }

  test("odd names of tables and columns") {
    val t = "lake.db.`odd ``name``, with; everything`"
    run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS `a``b`, 2 AS `c d`")
    run(
      s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 3 AS `a``b`, 4 AS `c d`, 5 AS `--`")
    assert(rows(s"SELECT `a``b`, `c d`, `--` FROM $t ORDER BY 1") == Seq(
      Row(1, 2, null),
      Row(3, 4, 5)))
  }

  test("a partitioned, sorted table") {
    val t = newName()
    sql(
      s"CREATE TABLE $t (id INT, day DATE) USING iceberg PARTITIONED BY (days(day), bucket(2, id))")
    sql(s"ALTER TABLE $t WRITE ORDERED BY id")
    run(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns " +
      "SELECT CAST(id AS INT) AS id, date_add(DATE'2024-01-01', CAST(id % 3 AS INT)) AS day, 'x' AS n FROM range(9)")
    assert(rows(s"SELECT count(*), count(n) FROM $t") == Seq(Row(9, 9)))
    assert(run(
      s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT 1 AS id, DATE'2024-01-01' AS day, 'y' AS n")
      .deleted == 9)
  }
}
