package org.apache.spark.sql.lamina.schema

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.lamina.ErrorAssertions
import org.apache.spark.sql.lamina.settings.PolicyKind
import org.apache.spark.sql.types._

/** What each policy makes of the differences. */
class SchemaChangeSuite extends AnyFunSuite with ErrorAssertions {

  private def decide(policy: PolicyKind, source: String, target: String): SchemaChange = {
    val diff = SchemaDiff.compare(
      StructType.fromDDL(source),
      StructType.fromDDL(target),
      NameMatch(caseSensitive = false))
    SchemaChange.decide(diff, policy, "lake.db.t")
  }

  private def names(change: SchemaChange) =
    (change.added.map(_.name), change.padded.map(_.name), change.ignored.map(_.name))

  private val source = "id INT, new STRING, s STRUCT<a: INT, n: INT>"
  private val target = "id BIGINT, old DATE, s STRUCT<a: INT, o: INT>"

  PolicyKind.all.foreach { policy =>
    if (SchemaChange.available.contains(policy)) {
      test(s"${policy.name}: a source that only needs casting up is no change") {
        assert(decide(policy, "ID INT, s STRUCT<a: SMALLINT>", "s STRUCT<a: INT>, id BIGINT") ==
          SchemaChange.none)
      }
      test(s"${policy.name}: a type that cannot be stored is an error") {
        val thrown = analysisError("LAMINA_TYPE_CHANGED")(
          decide(policy, "s STRUCT<a: ARRAY<BIGINT>>, new INT", "s STRUCT<a: ARRAY<INT>>"))
        assert(thrown.getMessageParameters.get("column") == "s.a.element")
        assert(thrown.getMessageParameters.get("sourceType") == "BIGINT")
        assert(thrown.getMessageParameters.get("targetType") == "INT")
        assert(thrown.getMessageParameters.get("table") == "lake.db.t")
      }
    } else {
      test(s"${policy.name} is not available yet") {
        val thrown =
          analysisError("LAMINA_UNSUPPORTED_FEATURE")(decide(policy, source, target))
        assert(thrown.getMessage.contains(s"ON SCHEMA CHANGE ${policy.name}"))
        assert(thrown.getMessage.contains("fail, ignore, append_new_columns"))
      }
    }
  }

  test("fail: an error that names what is new and what is missing") {
    val thrown = analysisError("LAMINA_SCHEMA_CHANGED")(decide(PolicyKind.Fail, source, target))
    assert(thrown.getMessageParameters.get("added") == "new, s.n")
    assert(thrown.getMessageParameters.get("missing") == "old, s.o")
    val onlyNew =
      analysisError("LAMINA_SCHEMA_CHANGED")(decide(PolicyKind.Fail, "a INT, `b c` INT", "a INT"))
    assert(onlyNew.getMessageParameters.get("added") == "`b c`")
    assert(onlyNew.getMessageParameters.get("missing") == "none")
    analysisError("LAMINA_SCHEMA_CHANGED")(decide(PolicyKind.Fail, "a INT", "a INT, b INT"))
  }

  test("ignore: new ones are left out and reported, missing ones filled with NULL") {
    assert(names(decide(PolicyKind.Ignore, source, target)) ==
      ((Nil, Seq("old", "s.o"), Seq("new", "s.n"))))
  }

  test("append_new_columns: new ones are added, missing ones filled with NULL") {
    assert(names(decide(PolicyKind.AppendNewColumns, source, target)) ==
      ((Seq("new", "s.n"), Seq("old", "s.o"), Nil)))
  }

  test("append_new_columns: new columns are nullable, whatever the source says") {
    val change = decide(PolicyKind.AppendNewColumns, "a INT, b INT NOT NULL", "a INT")
    assert(change.added.map(_.field.nullable) == Seq(true))
  }

  Seq(PolicyKind.Ignore, PolicyKind.AppendNewColumns).foreach { policy =>
    test(s"${policy.name}: a missing column that is NOT NULL is an error") {
      val thrown = analysisError("LAMINA_NOT_NULL_COLUMN")(decide(
        policy,
        "a INT, s STRUCT<x: INT>",
        "a INT, b INT NOT NULL, c INT, d INT NOT NULL, s STRUCT<x: INT, y: INT NOT NULL>"))
      assert(thrown.getMessageParameters.get("columns") == "b, d, s.y")
      assert(thrown.getMessage.contains("ALTER COLUMN b DROP NOT NULL"))
    }
  }

  test("the change as a person would write it") {
    val change = decide(
      PolicyKind.AppendNewColumns,
      "a INT, `b c` DECIMAL(10, 2), s STRUCT<x: INT, y: ARRAY<INT>>, d INT COMMENT 'it\\'s new'",
      "a INT, s STRUCT<x: INT>")
    assert(change.alterStatement("lake.db.t").contains(
      "ALTER TABLE lake.db.t ADD COLUMNS (`b c` DECIMAL(10,2), d INT COMMENT 'it\\'s new', " +
        "s.y ARRAY<INT>)"))
    assert(SchemaChange.none.alterStatement("lake.db.t").isEmpty)
    assert(decide(PolicyKind.Ignore, "a INT, b INT", "a INT").alterStatement("t").isEmpty)
  }
}
