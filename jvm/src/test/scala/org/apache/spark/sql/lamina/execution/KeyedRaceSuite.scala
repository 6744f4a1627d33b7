package org.apache.spark.sql.lamina.execution

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.LakeSession

/** Two writers of one key: whatever the mode and however the race goes, the key is there as often as it should be. */
class KeyedRaceSuite extends AnyFunSuite with LakeSession {

  // What the table says about isolation does not matter: the weaker one is as safe.
  private val modes = Seq("copy-on-write" -> "serializable", "merge-on-read" -> "snapshot")

  private def table(mode: String, isolation: String, columns: String, values: String*): String = {
    val t = newTable(columns)
    sql(s"ALTER TABLE $t SET TBLPROPERTIES ('write.merge.mode' = '$mode', " +
      s"'write.merge.isolation-level' = '$isolation')")
    if (values.nonEmpty) sql(s"INSERT INTO $t VALUES ${values.mkString(", ")}")
    t
  }

  for ((mode, isolation) <- modes) {
    val where = s"$mode, $isolation"

    for (start <- Seq(Nil, Seq("(1, 'a')"))) {
      val begun = if (start.isEmpty) "an empty table" else "a table with rows"

      test(s"$where: incremental, a new key twice into $begun is one row") {
        val t = table(mode, isolation, "id INT, v STRING", start: _*)
        def statement(v: String) =
          s"INSERT INTO $t MERGE STRATEGY incremental UNIQUE KEY (id) SELECT 2 AS id, '$v' AS v"
        val result = race(statement("ours"))(run(statement("theirs")))
        assert(rows(s"SELECT v FROM $t WHERE id = 2") == Seq(Row("ours")))
        assert((result.inserted, result.updated) == ((0L, 1L)))
      }

      test(s"$where: incremental, a key that an INSERT adds in between is one row ($begun)") {
        val t = table(mode, isolation, "id INT, v STRING", start: _*)
        race(
          s"INSERT INTO $t MERGE STRATEGY incremental UNIQUE KEY (id) SELECT 2 AS id, 'x' AS v") {
          sql(s"INSERT INTO $t VALUES (2, 'theirs')")
        }
        assert(rows(s"SELECT v FROM $t WHERE id = 2") == Seq(Row("x")))
      }

      test(s"$where: scd2, a new key twice into $begun has one open row") {
        val t = table(
          mode,
          isolation,
          "id INT, v STRING, valid_from TIMESTAMP, valid_to TIMESTAMP",
          start.map(_.replace(")", ", TIMESTAMP'2020-01-01', NULL)")): _*)
        def statement(v: String) =
          s"INSERT INTO $t MERGE STRATEGY scd2 UNIQUE KEY (id) SELECT 2 AS id, '$v' AS v"
        race(statement("ours"))(run(statement("theirs")))
        assert(rows(s"SELECT v FROM $t WHERE id = 2 AND valid_to IS NULL") == Seq(Row("ours")))
        assert(rows(s"SELECT count(*) FROM $t WHERE valid_to <= valid_from") == Seq(Row(0L)))
      }

      test(s"$where: delete_insert, one key twice into $begun is one writer's rows") {
        val t = table(mode, isolation, "id INT, v STRING", start: _*)
        def statement(v: String) =
          s"INSERT INTO $t MERGE STRATEGY delete_insert UNIQUE KEY (id) SELECT 2 AS id, '$v' AS v"
        race(statement("ours"))(run(statement("theirs")))
        assert(rows(s"SELECT v FROM $t WHERE id = 2") == Seq(Row("ours")))
      }
    }

    test(s"$where: different keys of one file are both there") {
      val t = table(mode, isolation, "id INT, v STRING", "(1, 'a')", "(2, 'b')", "(3, 'c')")
      def statement(id: Int) =
        s"INSERT INTO $t MERGE STRATEGY incremental UNIQUE KEY (id) SELECT $id AS id, 'new' AS v"
      race(statement(1))(run(statement(2)))
      assert(rows(s"SELECT * FROM $t ORDER BY id") ==
        Seq(Row(1, "new"), Row(2, "new"), Row(3, "c")))
    }

    test(s"$where: a compaction in between moves the row, and it is updated where it went") {
      val t = table(mode, isolation, "id INT, v STRING", "(1, 'a')")
      sql(s"INSERT INTO $t VALUES (2, 'b')")
      race(
        s"INSERT INTO $t MERGE STRATEGY incremental UNIQUE KEY (id) SELECT 1 AS id, 'new' AS v") {
        sql(s"CALL lake.system.rewrite_data_files(table => '${t.stripPrefix("lake.")}', " +
          "options => map('rewrite-all', 'true'))")
      }
      assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(1, "new"), Row(2, "b")))
    }

    test(s"$where: a row that is deleted in between is inserted again, not lost") {
      val t = table(mode, isolation, "id INT, v STRING", "(1, 'a')", "(2, 'b')")
      race(
        s"INSERT INTO $t MERGE STRATEGY incremental UNIQUE KEY (id) SELECT 1 AS id, 'new' AS v") {
        sql(s"DELETE FROM $t WHERE id = 1")
      }
      assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(1, "new"), Row(2, "b")))
    }

    test(s"$where: snapshot of a table that is not partitioned, the same partition twice") {
      val t = table(mode, isolation, "day INT, v STRING", "(1, 'a')", "(2, 'b')")
      def statement(v: String) =
        s"INSERT INTO $t MERGE STRATEGY snapshot PARTITION COLUMN day SELECT 1 AS day, '$v' AS v"
      race(statement("ours"))(run(statement("theirs")))
      assert(rows(s"SELECT * FROM $t ORDER BY day") == Seq(Row(1, "ours"), Row(2, "b")))
    }
  }

  test("snapshot of a table's own partitions, the same partition twice") {
    val t = newName()
    run(s"INSERT INTO $t MERGE STRATEGY snapshot PARTITION COLUMN day SELECT 1 AS day, 'a' AS v")
    def statement(v: String) = s"INSERT INTO $t MERGE STRATEGY snapshot SELECT 1 AS day, '$v' AS v"
    race(statement("ours"))(run(statement("theirs")))
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1, "ours")))
  }

  test("two first runs of a keyed strategy: both end correctly, the key is there once") {
    val t = newName()
    def statement(v: String) =
      s"INSERT INTO $t MERGE STRATEGY incremental UNIQUE KEY (id) SELECT 1 AS id, '$v' AS v"
    val result = race(statement("ours"))(run(statement("theirs")))
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1, "ours")))
    assert(result.status == "changed")
  }
}
