package org.apache.spark.sql.lamina.execution

import org.apache.iceberg.types.{Type, Types}
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.lamina.LakeSession

/** Another writer commits while a statement, decided and planned, waits to be run. */
class LostRaceSuite extends AnyFunSuite with LakeSession {

  private def addColumn(t: String, name: String, kind: Type): Unit =
    load(t).updateSchema().addColumn(name, kind).commit()

  private def fieldId(t: String, column: String): Int = load(t).schema().findField(column).fieldId()

  test("a concurrent append is kept, and the new column lands on top of it") {
    val t = newTable("id INT", "(1)")
    val result =
      race(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'x' AS n") {
        sql(s"INSERT INTO $t VALUES (3)")
      }
    assert(result.figures == (("changed", 1L, 0L)))
    assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(1, null), Row(2, "x"), Row(3, null)))
    assert(snapshotIds(t).size == 3)
  }

  test("another column added in between: both columns hold their own values") {
    val t = newTable("id INT", "(1)")
    val result =
      race(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'ours' AS a") {
        // Takes the very field id that the statement had planned for its own column.
        addColumn(t, "b", Types.StringType.get())
        sql(s"REFRESH TABLE $t")
        sql(s"INSERT INTO $t VALUES (3, 'theirs')")
      }
    assert(result.status == "changed")
    assert(result.added == Seq("a") && result.padded == Seq("b"))
    assert(rows(s"SELECT id, a, b FROM $t ORDER BY id") ==
      Seq(Row(1, null, null), Row(2, "ours", null), Row(3, null, "theirs")))
    assert(fieldId(t, "a") != fieldId(t, "b"))
  }

  test("another column of another type added in between") {
    val t = newTable("id INT", "(1)")
    race(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'ours' AS a") {
      addColumn(t, "b", Types.IntegerType.get())
    }
    assert(rows(s"SELECT id, a, b FROM $t ORDER BY id") == Seq(
      Row(1, null, null),
      Row(2, "ours", null)))
  }

  test("the same column added in between is one column") {
    val t = newTable("id INT", "(1)")
    val statement = s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'x' AS a"
    val result = race(statement)(run(statement))
    assert(result.status == "changed")
    assert(result.added == Nil)
    assert(columns(t) == Seq("id", "a"))
    assert(rows(s"SELECT * FROM $t ORDER BY id, a") == Seq(Row(1, null), Row(2, "x"), Row(2, "x")))
  }

  test("the same column in other letters is one column too") {
    val t = newTable("id INT", "(1)")
    race(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'x' AS name") {
      addColumn(t, "NAME", Types.StringType.get())
    }
    assert(columns(t) == Seq("id", "NAME"))
    assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(1, null), Row(2, "x")))
  }

  test("the same column added in between with a type that does not fit is an error") {
    val t = newTable("id INT", "(1)")
    val prepared =
      prepare(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'x' AS a")
    addColumn(t, "a", Types.IntegerType.get())
    analysisError("LAMINA_TYPE_CHANGED")(prepared.run(spark))
    assert(rows(s"SELECT * FROM $t") == Seq(Row(1, null)))
  }

  test("a column dropped in between is added again, with an id of its own") {
    val t = newTable("id INT, a STRING", "(1, 'old')")
    val old = fieldId(t, "a")
    val result = race(
      s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'new' AS a") {
      load(t).updateSchema().deleteColumn("a").commit()
    }
    assert(result.added == Seq("a"))
    assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(1, null), Row(2, "new")))
    assert(fieldId(t, "a") != old)
  }

  test("a column added in between is NULL in rows that were planned without it") {
    val t = newTable("id INT", "(1)")
    val result = race(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 2 AS id") {
      addColumn(t, "a", Types.StringType.get())
    }
    assert(result.status == "changed")
    assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(1, null), Row(2, null)))
  }

  test("two first runs at once: one creates, the other appends") {
    val t = newName()
    val result = race(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS id") {
      run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 2 AS id")
    }
    assert(result.figures == (("changed", 1L, 0L)))
    assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(1), Row(2)))
    assert(snapshotIds(t).size == 2)
  }

  test("two first runs at once with different columns: the second follows its policy") {
    val t = newName()
    val result = race(
      s"INSERT INTO $t MERGE STRATEGY append_only ON SCHEMA CHANGE append_new_columns SELECT 1 AS id, 'x' AS a") {
      run(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 2 AS id, 'y' AS b")
    }
    assert(result.added == Seq("a") && result.padded == Seq("b"))
    assert(rows(s"SELECT id, a, b FROM $t ORDER BY id") == Seq(
      Row(1, "x", null),
      Row(2, null, "y")))
  }

  test("planning again keeps positions, column lists and columns left out") {
    def raced(t: String, statement: String) = race(statement) {
      addColumn(t, "other", Types.IntegerType.get())
    }
    val values = newTable("id INT")
    raced(
      values,
      s"INSERT INTO $values (id, a) ON SCHEMA CHANGE append_new_columns VALUES (1, 'x')")
    assert(rows(s"SELECT id, a FROM $values") == Seq(Row(1, "x")))
    val except = newTable("id INT")
    raced(
      except,
      s"INSERT INTO $except MERGE STRATEGY append_only COLUMNS * EXCEPT (op) " +
        "ON SCHEMA CHANGE append_new_columns SELECT 1 AS id, 'D' AS op, 'x' AS a")
    assert(rows(s"SELECT id, a FROM $except") == Seq(Row(1, "x")))
    assert(columns(except) == Seq("id", "other", "a"))
  }

  test("the same run committed in between is skipped") {
    val t = newTable("id INT", "(1)")
    val statement = s"INSERT INTO $t MERGE STRATEGY append_only RUN ID 'r' SELECT 2 AS id"
    val result = race(statement)(run(statement))
    assert(result.status == "skipped")
    assert(rows(s"SELECT * FROM $t ORDER BY id") == Seq(Row(1), Row(2)))
  }

  test("a lost race leaves no data file behind") {
    val t = newTable("id INT")
    race(s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'x' AS a") {
      addColumn(t, "b", Types.StringType.get())
    }
    assert(files(t).count(_.endsWith(".parquet")) == 1)
  }

  test("a full refresh after a concurrent append replaces those rows too") {
    val t = newTable("id INT", "(1)")
    val result = race(s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT 2 AS id") {
      sql(s"INSERT INTO $t VALUES (3)")
    }
    assert(result.figures == (("changed", 1L, 2L)))
    assert(rows(s"SELECT * FROM $t") == Seq(Row(2)))
  }

  test("a writer that loses every race gives up with an error, having written nothing") {
    val t = newTable("id INT")
    LostRaceSuite.onRow = () => {
      val n = load(t).schema().columns().size()
      addColumn(t, s"c$n", Types.IntegerType.get())
    }
    spark.udf.register("lamina_interfere", (i: Int) => LostRaceSuite.interfere(i))
    withSetting("spark.sql.lamina.maxAttempts", "2") {
      val thrown = analysisError("LAMINA_CONCURRENT_WRITE")(sql(
        s"INSERT INTO $t ON SCHEMA CHANGE append_new_columns SELECT lamina_interfere(1) AS id, 'x' AS a"))
      assert(thrown.getMessageParameters.get("attempts") == "2")
      assert(thrown.getCause != null)
    }
    assert(columns(t) == Seq("id", "c1", "c2"))
    assert(rows(s"SELECT * FROM $t") == Nil)
    assert(files(t).count(_.endsWith(".parquet")) == 0)
  }
}

object LostRaceSuite {

  /** What another writer does while a row of the source is read. */
  @volatile private var onRow: () => Unit = () => ()

  private def interfere(i: Int): Int = {
    onRow()
    i
  }
}
