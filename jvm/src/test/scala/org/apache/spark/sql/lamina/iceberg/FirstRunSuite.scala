package org.apache.spark.sql.lamina.iceberg

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.{JavaCollections, LakeSession}

/** A statement whose target does not exist yet. */
class FirstRunSuite extends AnyFunSuite with LakeSession {

  private def settings(name: String): Map[String, String] =
    JavaCollections.map(load(name).properties()).filter(_._1.startsWith("lamina."))

  test("the table is created with the source's columns, rows and the statement's settings") {
    val t = newName()
    val result =
      run(s"INSERT INTO $t MERGE STRATEGY append_only RUN ID 'r' ON SCHEMA CHANGE ignore " +
        "SELECT 1 AS id, 'a' AS name, named_struct('x', 1.5) AS s")
    assert(result.figures == (("created", 1L, 0L)))
    assert(result.snapshotId.contains(load(t).currentSnapshot().snapshotId()))
    assert(rows(s"SELECT id, name, s.x FROM $t") == Seq(Row(1, "a", BigDecimal("1.5").bigDecimal)))
    assert(settings(t) ==
      Map("lamina.merge-strategy" -> "append_only", "lamina.on-schema-change" -> "ignore"))
    assert(spark.table(t).schema.forall(_.nullable))
  }

  test("table and rows appear together: one metadata file, one snapshot") {
    val t = newName()
    run(s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT id FROM range(5)")
    assert(metadataFiles(t).size == 1)
    assert(snapshotIds(t).size == 1)
  }

  test("an empty source creates an empty table without a snapshot") {
    val t = newName()
    val result = run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS id WHERE false")
    assert(result.figures == (("created", 0L, 0L)))
    assert(result.snapshotId.isEmpty)
    assert(columns(t) == Seq("id"))
    assert(load(t).currentSnapshot() == null)
    assert(files(t).count(_.endsWith(".avro")) == 0)
  }

  test("later statements may leave out what the first one said") {
    val t = newName()
    run(s"INSERT INTO $t MERGE STRATEGY full_refresh ON SCHEMA CHANGE append_new_columns SELECT 1 AS id")
    val result = run(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 3 AS n")
    assert(result.strategy == "full_refresh")
    assert(rows(s"SELECT * FROM $t") == Seq(Row(2, 3)))
  }

  test("a column list names the columns") {
    val t = newName()
    run(s"INSERT INTO $t (id, `odd name`) MERGE STRATEGY append_only VALUES (1, 'a')")
    assert(columns(t) == Seq("id", "odd name"))
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1, "a")))
  }

  test("VALUES without names needs a column list") {
    val t = newName()
    val thrown = analysisError("LAMINA_TARGET_NOT_FOUND")(
      sql(s"INSERT INTO $t MERGE STRATEGY append_only VALUES (1, 'a')"))
    assert(thrown.getMessage.contains("column list"))
    assert(!spark.catalog.tableExists(t))
  }

  test("columns left out are not created") {
    val t = newName()
    run(
      s"INSERT INTO $t MERGE STRATEGY append_only COLUMNS * EXCEPT (OP) SELECT 1 AS id, 'D' AS op")
    assert(columns(t) == Seq("id"))
  }

  test("a missing schema is named") {
    val thrown = analysisError("LAMINA_TARGET_NOT_FOUND")(
      sql("INSERT INTO lake.absent.t MERGE STRATEGY append_only SELECT 1 AS id"))
    assert(thrown.getMessage.contains("lake.absent"))
    assert(thrown.getMessage.contains("CREATE SCHEMA lake.absent"))
  }

  test("ON SCHEMA CHANGE alone creates nothing") {
    val t = newName()
    analysisError("LAMINA_TARGET_NOT_FOUND")(
      sql(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 1 AS id"))
    assert(!spark.catalog.tableExists(t))
  }

  test("creating can be turned off") {
    val t = newName()
    withSetting("spark.sql.lamina.createTarget", "false") {
      val thrown = analysisError("LAMINA_TARGET_NOT_FOUND")(
        sql(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS id"))
      assert(thrown.getMessage.contains("spark.sql.lamina.createTarget"))
    }
    withSetting("spark.sql.lamina.createTarget", "perhaps") {
      analysisError("LAMINA_INVALID_SETTING")(
        sql(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS id"))
    }
    assert(!spark.catalog.tableExists(t))
  }

  test("a type that Iceberg cannot store is named") {
    val t = newName()
    Seq("INTERVAL '1' DAY", "NULL", "array(NULL)", "named_struct('a', NULL)").foreach { value =>
      val thrown = analysisError("LAMINA_UNSUPPORTED_TYPE")(
        sql(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS id, $value AS odd"))
      assert(thrown.getMessageParameters.get("column") == "odd")
    }
    assert(!spark.catalog.tableExists(t))
  }

  test("columns that differ only in case are an error, at every depth") {
    val t = newName()
    Seq(
      "1 AS id, 2 AS ID",
      "named_struct('a', 1, 'A', 2) AS s",
      "named_struct('b', 1) AS a, 2 AS `a.b`").foreach { select =>
      analysisError("LAMINA_AMBIGUOUS_COLUMN")(
        sql(s"INSERT INTO $t MERGE STRATEGY append_only SELECT $select"))
    }
    withSetting("spark.sql.caseSensitive", "true") {
      run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS id, 2 AS ID")
      assert(rows(s"SELECT id, ID FROM $t") == Seq(Row(1, 2)))
    }
  }

  test("a first run that fails leaves no table") {
    val t = newName()
    intercept[Exception](
      sql(s"INSERT INTO $t MERGE STRATEGY append_only SELECT raise_error('no') AS id"))
    assert(!spark.catalog.tableExists(t))
    assert(run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS id").status == "created")
  }

  test("every strategy makes its table: the source's columns, its own, its settings") {
    val made = Seq(
      "full_refresh" -> "id INT,v STRING",
      "incremental UNIQUE KEY (id)" -> "id INT,v STRING",
      "append_only" -> "id INT,v STRING",
      "delete_insert UNIQUE KEY (id)" -> "id INT,v STRING",
      "scd2 UNIQUE KEY (id) CURRENT FLAG now" ->
        "id INT,v STRING,valid_from TIMESTAMP,valid_to TIMESTAMP,now BOOLEAN",
      "scd2 UNIQUE KEY (v) SEQUENCE BY id VALID FROM since VALID TO until" ->
        "id INT,v STRING,since INT,until INT",
      "snapshot PARTITION COLUMNS (v)" -> "id INT,v STRING")
    made.foreach { case (strategy, columns) =>
      val t = newName()
      val result = run(s"INSERT INTO $t MERGE STRATEGY $strategy SELECT 1 AS id, 'x' AS v")
      assert(result.status == "created", strategy)
      assert(result.inserted == 1, strategy)
      assert(spark.table(t).schema.toDDL == columns)
    }
  }

  test("a snapshot's table is partitioned by its partition columns") {
    val t = newName()
    run(s"INSERT INTO $t MERGE STRATEGY snapshot PARTITION COLUMNS (d, v) " +
      "SELECT 1 AS id, 'x' AS v, DATE'2024-01-01' AS d")
    assert(rows(s"SELECT partition.d, partition.v FROM $t.files") ==
      Seq(Row(java.sql.Date.valueOf("2024-01-01"), "x")))
  }

  test("a strategy without its required option, and an option that names no column") {
    val t = newName()
    val missing = analysisError("LAMINA_MISSING_OPTION")(
      sql(s"INSERT INTO $t MERGE STRATEGY snapshot SELECT 1 AS id"))
    assert(missing.getMessage.contains("PARTITION COLUMN"))
    assert(missing.getMessage.contains("lamina.partition-column"))
    val absent = analysisError("LAMINA_COLUMN_NOT_FOUND")(
      sql(s"INSERT INTO $t\nMERGE STRATEGY scd2 UNIQUE KEY (id, s.y)\nSELECT 1 AS id, named_struct('x', 1) AS s"))
    assert(absent.getMessageParameters.get("column") == "s.y")
    assert((absent.line, absent.startPosition) == ((Some(2), Some(20))))
  }
}
