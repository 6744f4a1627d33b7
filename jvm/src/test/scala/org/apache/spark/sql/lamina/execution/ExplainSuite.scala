package org.apache.spark.sql.lamina.execution

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.lamina.LakeSession

/** EXPLAIN shows what a statement would do, and does none of it. */
class ExplainSuite extends AnyFunSuite with LakeSession {

  private def explain(statement: String, mode: String = ""): String =
    sql(s"EXPLAIN $mode $statement").collect().map(_.getString(0)).mkString("\n")

  Seq("", "EXTENDED", "FORMATTED", "COST").foreach { mode =>
    test(s"EXPLAIN $mode changes nothing and shows the ALTER") {
      val t = newTable("id INT, old INT", "(1, 1)")
      val (before, files) = (metadata(t).metadataFileLocation(), this.files(t))
      val text = explain(
        s"INSERT INTO $t MERGE STRATEGY append_only ON SCHEMA CHANGE append_new_columns " +
          "SELECT 2 AS id, CAST(raise_error('never run') AS STRING) AS name, 1.5D AS `n 2`",
        mode)
      assert(text.contains(s"ALTER TABLE $t ADD COLUMNS (name STRING, `n 2` DOUBLE)"))
      assert(text.contains("added=[name, `n 2`]") && text.contains("padded=[old]"))
      assert(text.contains("AppendData"))
      assert(metadata(t).metadataFileLocation() == before)
      assert(this.files(t) == files)
      assert(columns(t) == Seq("id", "old"))
    }
  }

  test("settings are shown with the place they come from") {
    val t = newTable("id INT")
    sql(s"ALTER TABLE $t SET TBLPROPERTIES ('lamina.on-schema-change' = 'ignore')")
    val text = explain(s"INSERT INTO $t MERGE STRATEGY full_refresh SELECT 1 AS id")
    assert(text.contains("merge_strategy=full_refresh (statement)"))
    assert(text.contains("on_schema_change=ignore (table property)"))
    assert(text.contains("OverwriteByExpression"))
    assert(!text.contains("ALTER TABLE"))
  }

  test("a first run shows the CREATE and creates nothing") {
    val t = newName()
    val text =
      explain(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS id, 'a' AS `odd name`")
    assert(text.contains(s"CREATE TABLE $t (id INT, `odd name` STRING) USING iceberg"))
    assert(text.contains("'lamina.merge-strategy' = 'append_only'"))
    assert(!spark.catalog.tableExists(t))
    assert(!java.nio.file.Files.exists(location(t)))
  }

  test("a statement that would fail shows its error") {
    val t = newTable("id INT", "(1)")
    Seq("", "EXTENDED").foreach { mode =>
      val shown =
        try explain(s"INSERT INTO $t MERGE STRATEGY append_only SELECT 1 AS other", mode)
        catch { case e: Exception => e.getMessage }
      assert(shown.contains("LAMINA_SCHEMA_CHANGED"))
    }
  }
}
