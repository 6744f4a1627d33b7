package org.apache.spark.sql.lamina.iceberg

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.LakeSession

/** The schema change and the rows land together, or not at all. */
class OneCommitSuite extends AnyFunSuite with LakeSession {

  test("new columns and rows are one metadata file and one snapshot with the new schema") {
    val t = newTable("id INT", "(1)")
    val (before, files) = (metadata(t), metadataFiles(t))
    val result = run(
      s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'x' AS name, 1.5D AS n")
    val after = metadata(t)
    assert(result.figures == (("changed", 1L, 0L)))
    assert(result.added == Seq("name", "n"))
    assert(metadataFiles(t).size == files.size + 1)
    assert(after.snapshots().size() == before.snapshots().size() + 1)
    assert(after.currentSchemaId() == before.currentSchemaId() + 1)
    assert(after.currentSnapshot().schemaId() == after.currentSchemaId())
    assert(after.currentSnapshot().parentId() == before.currentSnapshot().snapshotId())
    assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(1, null, null), Row(2, "x", 1.5)))
  }

  test("new columns come last, nullable, and with their comments") {
    val t = newTable("b INT, a INT")
    sql(
      s"CREATE OR REPLACE TEMPORARY VIEW commented (z COMMENT 'the last', a, b) AS VALUES (3, 1, 2)")
    run(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns TABLE commented")
    assert(columns(t) == Seq("b", "a", "z"))
    assert(spark.table(t).schema("z").nullable)
    assert(spark.table(t).schema("z").getComment().contains("the last"))
    assert(rows(s"SELECT * FROM $t") == Seq(Row(2, 1, 3)))
  }

  test("fields are added inside structs, arrays and maps; old rows have NULL there") {
    val t = newTable(
      "s STRUCT<a: INT>, l ARRAY<STRUCT<a: INT>>, m MAP<STRING, STRUCT<a: INT>>",
      "(named_struct('a', 1), array(named_struct('a', 1)), map('k', named_struct('a', 1)))")
    val result = run(s"""INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT
                        |named_struct('b', 'x', 'a', 2) AS s,
                        |array(named_struct('a', 2, 'b', 'x')) AS l,
                        |map('k', named_struct('a', 2, 'b', 'x')) AS m""".stripMargin)
    assert(result.added.toSet == Set("s.b", "l.element.b", "m.value.b"))
    val (old, now) = (Row(1, null), Row(2, "x"))
    assert(rows(s"SELECT s, l, m FROM $t ORDER BY s.a") ==
      Seq(old, now).map(struct => Row(struct, Seq(struct), Map("k" -> struct))))
    assert(spark.table(t).select("s.*").columns.toSeq == Seq("a", "b"))
  }

  test("a column with a dot in its name, and one that Iceberg could not tell from a field") {
    val t = newTable("a STRUCT<b: INT>", "(named_struct('b', 1))")
    val insert = s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns"
    run(s"$insert SELECT named_struct('b', 2) AS a, 3 AS `a.c`")
    assert(rows(s"SELECT a.b, `a.c` FROM $t ORDER BY 1") == Seq(Row(1, null), Row(2, 3)))
    analysisError("LAMINA_AMBIGUOUS_COLUMN")(sql(s"$insert SELECT 4 AS `a.b`"))
    analysisError("LAMINA_AMBIGUOUS_COLUMN")(
      sql(s"$insert SELECT named_struct('b', 2, 'c', 3) AS a, 5 AS `a.c`"))
    analysisError("LAMINA_AMBIGUOUS_COLUMN")(
      sql(s"$insert SELECT named_struct('b', 2, 'c', 3) AS a"))
    assert(columns(t) == Seq("a", "a.c"))
  }

  test("a failed write leaves schema, snapshots and files as they were") {
    val t = newTable("id INT", "(1)")
    val (before, files) = (metadata(t), this.files(t))
    intercept[Exception](sql(
      s"""INSERT INTO $t ON SCHEMA CHANGE append_new_columns
         |SELECT CAST(id AS INT) AS id, if(id = 99, raise_error('no'), 'x') AS name
         |FROM range(0, 100, 1, 1)""".stripMargin))
    assert(metadata(t).metadataFileLocation() == before.metadataFileLocation())
    assert(columns(t) == Seq("id"))
    assert(this.files(t) == files)
  }

  test("a schema change that a policy refuses is found before anything is read") {
    val t = newTable("id INT", "(1)")
    val files = this.files(t)
    val insert = s"INSERT INTO $t MERGE STRATEGY append_only"
    analysisError("LAMINA_SCHEMA_CHANGED")(sql(s"$insert SELECT 1 AS id, raise_error('no') AS n"))
    analysisError("LAMINA_TYPE_CHANGED")(
      sql(s"$insert ON SCHEMA CHANGE append_new_columns SELECT 1L AS id, raise_error('no') AS n"))
    analysisError("LAMINA_UNSUPPORTED_TYPE")(
      sql(s"$insert ON SCHEMA CHANGE append_new_columns SELECT 1 AS id, NULL AS n"))
    assert(this.files(t) == files)
  }

  test("without rows the schema is committed alone") {
    val t = newTable("id INT", "(1)")
    val (before, files) = (metadata(t), this.files(t))
    val result = run(
      s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 1 AS id, 'x' AS name WHERE false")
    assert(result.figures == (("changed", 0L, 0L)))
    assert(result.added == Seq("name"))
    assert(result.snapshotId.isEmpty)
    assert(columns(t) == Seq("id", "name"))
    assert(metadata(t).snapshots().size() == before.snapshots().size())
    val more = this.files(t).diff(files)
    assert(more.size == 1 && more.head.endsWith(".metadata.json"))
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1, null)))
  }

  test("when nothing changes there is no snapshot, no metadata file and no file left over") {
    val t = newTable("id INT", "(1)")
    val files = this.files(t)
    Seq(
      s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS id WHERE false",
      s"INSERT INTO $t ON SCHEMA CHANGE ignore SELECT 1 AS id, 2 AS n WHERE false",
      s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT CAST(id AS INT) FROM range(0)")
      .foreach { statement =>
        val result = run(statement)
        assert(result.figures == (("unchanged", 0L, 0L)))
        assert(result.snapshotId.isEmpty)
      }
    assert(this.files(t) == files)
  }

  test("a table without a snapshot stays without one") {
    val t = newTable("id INT")
    assert(run(s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT 1 AS id WHERE false").status ==
      "unchanged")
    assert(load(t).currentSnapshot() == null)
    assert(metadataFiles(t).size == 1)
  }
}
