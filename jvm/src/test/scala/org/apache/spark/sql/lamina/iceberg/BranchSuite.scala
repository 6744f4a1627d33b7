package org.apache.spark.sql.lamina.iceberg

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.LakeSession

/** Writing to a branch: `t.branch_x`. */
class BranchSuite extends AnyFunSuite with LakeSession {

  test("a branch is written, the main branch is not") {
    val t = newTable("id INT", "(1)")
    sql(s"ALTER TABLE $t CREATE BRANCH audit")
    val main = load(t).currentSnapshot().snapshotId()
    val result = run(s"INSERT INTO $t.branch_audit MERGE STRATEGY append_only SELECT 2 AS id")
    assert(result.figures == (("changed", 1L, 0L)))
    assert(result.snapshotId.contains(load(t).refs().get("audit").snapshotId()))
    assert(load(t).currentSnapshot().snapshotId() == main)
    assert(rows(s"SELECT id FROM $t.branch_audit ORDER BY id") == Seq(Row(1), Row(2)))
    assert(rows(s"SELECT id FROM $t") == Seq(Row(1)))
  }

  test("a branch is refreshed alone") {
    val t = newTable("id INT", "(1)", "(2)")
    sql(s"ALTER TABLE $t CREATE BRANCH audit")
    val result = run(s"INSERT INTO $t.branch_audit MERGE STRATEGY full_refresh SELECT 3 AS id")
    assert(result.figures == (("changed", 1L, 2L)))
    assert(rows(s"SELECT id FROM $t.branch_audit") == Seq(Row(3)))
    assert(rows(s"SELECT id FROM $t ORDER BY id") == Seq(Row(1), Row(2)))
  }

  test("a new column lands with the branch's rows; other branches show NULL") {
    val t = newTable("id INT", "(1)")
    sql(s"ALTER TABLE $t CREATE BRANCH audit")
    val files = metadataFiles(t)
    run(s"INSERT INTO $t.branch_audit ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'x' AS n")
    assert(metadataFiles(t).size == files.size + 1)
    assert(rows(s"SELECT id, n FROM $t.branch_audit ORDER BY id") == Seq(Row(1, null), Row(2, "x")))
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1, null)))
  }

  test("an unknown branch is an error, and is not made") {
    val t = newTable("id INT", "(1)")
    intercept[Exception](
      sql(s"INSERT INTO $t.branch_absent MERGE STRATEGY append_only SELECT 2 AS id"))
    assert(!load(t).refs().containsKey("absent"))
    assert(rows(s"SELECT id FROM $t") == Seq(Row(1)))
  }

  test("a run id counts per branch") {
    val t = newTable("id INT", "(1)")
    sql(s"ALTER TABLE $t CREATE BRANCH audit")
    val insert = "MERGE STRATEGY append_only RUN ID 'r' SELECT 2 AS id"
    assert(run(s"INSERT INTO $t.branch_audit $insert").status == "changed")
    assert(run(s"INSERT INTO $t $insert").status == "changed")
    assert(run(s"INSERT INTO $t.branch_audit $insert").status == "skipped")
    assert(run(s"INSERT INTO $t $insert").status == "skipped")
  }

  test("the main branch by its name") {
    val t = newTable("id INT", "(1)")
    run(s"INSERT INTO $t.branch_main MERGE STRATEGY append_only SELECT 2 AS id")
    assert(rows(s"SELECT id FROM $t ORDER BY id") == Seq(Row(1), Row(2)))
  }
}
