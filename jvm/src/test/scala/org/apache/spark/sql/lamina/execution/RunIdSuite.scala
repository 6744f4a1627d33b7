package org.apache.spark.sql.lamina.execution

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.LakeSession

/** At most one commit per run id and table. */
class RunIdSuite extends AnyFunSuite with LakeSession {

  private def insert(t: String, id: String, rest: String) =
    run(s"INSERT INTO $t MERGE STRATEGY append_only RUN ID '$id' $rest")

  test("the second statement of a run is skipped and reports what the first one did") {
    val t = newTable("id INT", "(1)")
    val first = run(
      s"INSERT INTO $t MERGE STRATEGY append_only RUN ID 'r' ON SCHEMA CHANGE append_new_columns " +
        "SELECT CAST(id AS INT) AS id, 'x' AS `odd, name` FROM range(3)")
    val files = this.files(t)
    val second =
      insert(t, "r", "SELECT CAST(raise_error('never read') AS INT) AS id, 'x' AS `odd, name`")
    assert(second.status == "skipped")
    assert(second.inserted == 3)
    assert(second.added == Seq("`odd, name`"))
    assert(second.strategy == "append_only")
    assert(second.snapshotId == first.snapshotId)
    assert(this.files(t) == files)
    assert(rows(s"SELECT count(*) FROM $t") == Seq(Row(4)))
  }

  test("the id is found behind later commits, and other ids are other runs") {
    val t = newTable("id INT")
    val first = insert(t, "a", "SELECT 1 AS id")
    insert(t, "b", "SELECT 2 AS id")
    sql(s"INSERT INTO $t VALUES (3)")
    assert(insert(t, "a", "SELECT 4 AS id").snapshotId == first.snapshotId)
    assert(insert(t, "A", "SELECT 5 AS id").status == "changed")
    assert(rows(s"SELECT id FROM $t ORDER BY id") == Seq(1, 2, 3, 5).map(Row(_)))
  }

  test("the run that created the table counts too") {
    val t = newName()
    assert(insert(t, "first", "SELECT 1 AS id").status == "created")
    assert(insert(t, "first", "SELECT 1 AS id").status == "skipped")
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1)))
  }

  test("a run that failed or changed nothing does not use the id up") {
    val t = newTable("id INT")
    intercept[Exception](sql(
      s"INSERT INTO $t MERGE STRATEGY append_only RUN ID 'r' SELECT CAST(raise_error('no') AS INT) AS id"))
    assert(insert(t, "r", "SELECT 1 AS id WHERE false").status == "unchanged")
    assert(insert(t, "r", "SELECT 1 AS id").status == "changed")
    assert(insert(t, "r", "SELECT 1 AS id").status == "skipped")
  }

  test("a rolled back run may be run again") {
    val t = newTable("id INT", "(1)")
    val before = load(t).currentSnapshot().snapshotId()
    insert(t, "r", "SELECT 2 AS id")
    load(t).manageSnapshots().rollbackTo(before).commit()
    sql(s"REFRESH TABLE $t")
    assert(insert(t, "r", "SELECT 3 AS id").status == "changed")
    assert(rows(s"SELECT id FROM $t ORDER BY id") == Seq(Row(1), Row(3)))
  }

  test("the same id on another table is another run") {
    val (t, u) = (newTable("id INT"), newTable("id INT"))
    assert(insert(t, "r", "SELECT 1 AS id").status == "changed")
    assert(insert(u, "r", "SELECT 1 AS id").status == "changed")
  }
}
