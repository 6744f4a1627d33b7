package org.apache.spark.sql.lamina.execution

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.LakeSession

/** `T := S`, atomically; all else about the table stays. */
class FullRefreshSuite extends AnyFunSuite with LakeSession {

  test("the rows are replaced; identity, properties, partitioning and old snapshots are kept") {
    val t = newName()
    sql(s"CREATE TABLE $t (id INT, p INT) USING iceberg PARTITIONED BY (p) TBLPROPERTIES ('my.own' = 'kept')")
    sql(s"INSERT INTO $t VALUES (1, 1), (2, 2)")
    val before = metadata(t)
    val result = run(s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT 3 AS id, 2 AS p")
    val after = metadata(t)
    assert(result.figures == (("changed", 1L, 2L)))
    assert(rows(s"SELECT * FROM $t") == Seq(Row(3, 2)))
    assert(after.uuid() == before.uuid())
    assert(after.location() == before.location())
    assert(after.properties() == before.properties())
    assert(after.spec() == before.spec())
    assert(after.snapshots().size() == 2)
    val old = before.currentSnapshot().snapshotId()
    assert(rows(s"SELECT * FROM $t VERSION AS OF $old ORDER BY id") == Seq(Row(1, 1), Row(2, 2)))
  }

  test("an empty source empties the table") {
    val t = newTable("id INT", "(1)", "(2)")
    val result = run(s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT id FROM $t WHERE false")
    assert(result.figures == (("changed", 0L, 2L)))
    assert(result.snapshotId.nonEmpty)
    assert(rows(s"SELECT * FROM $t") == Nil)
  }

  test("equal rows replace too, and the table may be its own source") {
    val t = newTable("id INT", "(1)", "(2)")
    val result = run(s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT id FROM $t")
    assert(result.figures == (("changed", 2L, 2L)))
    assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(1), Row(2)))
    assert(snapshotIds(t).size == 2)
  }

  test("columns are added in the same commit, and columns the source lacks stay") {
    val t = newTable("id INT, old STRING", "(1, 'o')")
    val files = metadataFiles(t)
    val result = run(
      s"INSERT INTO $t MERGE STRATEGY full_refresh ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'n' AS new")
    assert(result.added == Seq("new") && result.padded == Seq("old"))
    assert(columns(t) == Seq("id", "old", "new"))
    assert(rows(s"SELECT * FROM $t") == Seq(Row(2, null, "n")))
    assert(metadataFiles(t).size == files.size + 1)
  }

  test("it does not depend on the session's overwrite mode") {
    Seq("static", "dynamic").foreach { mode =>
      withSetting("spark.sql.sources.partitionOverwriteMode", mode) {
        val t = newName()
        sql(s"CREATE TABLE $t (id INT, p INT) USING iceberg PARTITIONED BY (p)")
        sql(s"INSERT INTO $t VALUES (1, 1), (2, 2)")
        run(s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT 3 AS id, 2 AS p")
        assert(rows(s"SELECT * FROM $t") == Seq(Row(3, 2)), mode)
      }
    }
  }

  test("rows that deletes had removed before are not counted again") {
    val t = newName()
    sql(s"CREATE TABLE $t (id INT) USING iceberg TBLPROPERTIES ('format-version' = '2', " +
      "'write.delete.mode' = 'merge-on-read')")
    sql(s"INSERT INTO $t SELECT /*+ COALESCE(1) */ CAST(id AS INT) FROM range(5)")
    sql(s"DELETE FROM $t WHERE id = 3")
    val result = run(s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT 9 AS id")
    assert(result.figures == (("changed", 1L, 4L)))
    assert(rows(s"SELECT * FROM $t") == Seq(Row(9)))
  }

  test("a failed refresh leaves the old rows") {
    val t = newTable("id INT", "(1)")
    val files = this.files(t)
    intercept[Exception](
      sql(
        s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT CAST(raise_error('no') AS INT) AS id"))
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1)))
    assert(this.files(t) == files)
  }

  test("a table that holds history takes no other strategy") {
    val t = newTable("id INT", "(1)")
    Seq("scd2", "SCD2").foreach { stored =>
      sql(s"ALTER TABLE $t SET TBLPROPERTIES ('lamina.merge-strategy' = '$stored')")
      Seq("full_refresh", "append_only").foreach { strategy =>
        analysisError("LAMINA_HISTORY_REWRITE")(
          sql(s"INSERT INTO $t MERGE STRATEGY $strategy SELECT 2 AS id"))
      }
    }
    withSetting("spark.sql.lamina.allowHistoryRewrite", "true") {
      assert(run(s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT 2 AS id").status == "changed")
    }
  }
}
