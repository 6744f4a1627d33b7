package org.apache.spark.sql.lamina.schema

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types._

/** What differs between a source and its target, at every depth. */
class SchemaDiffSuite extends AnyFunSuite {

  private def diff(source: String, target: String, caseSensitive: Boolean = false): SchemaDiff =
    SchemaDiff.compare(
      StructType.fromDDL(source),
      StructType.fromDDL(target),
      NameMatch(caseSensitive))

  private def added(diff: SchemaDiff) = diff.added.map(a => s"${a.name} ${a.field.dataType.sql}")
  private def missing(diff: SchemaDiff) = diff.missing.map(_.name)
  private def changed(diff: SchemaDiff) =
    diff.typeChanges.map(c => s"${c.name} ${c.source.sql} -> ${c.target.sql}")

  test("equal schemas differ in nothing") {
    val schema =
      "a INT, s STRUCT<b: STRING, c: ARRAY<STRUCT<d: INT>>>, m MAP<STRING, STRUCT<e: DATE>>"
    assert(diff(schema, schema) == SchemaDiff.none)
    assert(SchemaDiff.compare(new StructType, new StructType, NameMatch(true)) == SchemaDiff.none)
  }

  test("order and nullability are no difference") {
    assert(diff("b INT, a STRING", "a STRING NOT NULL, b INT") == SchemaDiff.none)
    assert(diff("s STRUCT<b: INT, a: INT>", "s STRUCT<a: INT NOT NULL, b: INT>") == SchemaDiff.none)
  }

  test("new and missing columns, in the order of their schema") {
    val d = diff("z INT, a INT, y STRING", "a INT, c INT, b INT")
    assert(added(d) == Seq("z INT", "y STRING"))
    assert(missing(d) == Seq("c", "b"))
    assert(changed(d) == Nil)
  }

  test("a missing column that is NOT NULL is told apart") {
    val d = diff("a INT", "a INT, b INT NOT NULL, s STRUCT<c: INT NOT NULL>")
    assert(d.missing.map(m => m.name -> m.nullable) == Seq("b" -> false, "s" -> true))
    val nested = diff("s STRUCT<a: INT>", "s STRUCT<a: INT, c: INT NOT NULL>")
    assert(nested.missing.map(m => m.name -> m.nullable) == Seq("s.c" -> false))
  }

  private val depths = Seq(
    "a struct" -> (("STRUCT<%s>", "c")),
    "a struct in a struct" -> (("STRUCT<p: STRUCT<%s>>", "c.p")),
    "an array of structs" -> (("ARRAY<STRUCT<%s>>", "c.element")),
    "an array of arrays" -> (("ARRAY<ARRAY<STRUCT<%s>>>", "c.element.element")),
    "the values of a map" -> (("MAP<STRING, STRUCT<%s>>", "c.value")),
    "a struct in a map in an array" ->
      (("ARRAY<MAP<INT, STRUCT<p: STRUCT<%s>>>>", "c.element.value.p")))

  depths.foreach { case (where, (shape, path)) =>
    test(s"inside $where") {
      val d = diff(
        s"c ${shape.format("a: INT, x: DATE, t: STRING")}",
        s"c ${shape.format("t: INT, a: BIGINT, y: INT, z: INT NOT NULL")}")
      assert(added(d) == Seq(s"$path.x DATE"))
      assert(d.added.map(_.parent) == Seq(path.split('.').toSeq))
      assert(d.missing == Seq(
        MissingField((path + ".y").split('.').toSeq, nullable = true),
        MissingField((path + ".z").split('.').toSeq, nullable = false)))
      assert(changed(d) == Seq(s"$path.t STRING -> INT"))
    }
  }

  test("a type that the target holds without loss is no difference, at every depth") {
    assert(diff(
      "a INT, s STRUCT<b: FLOAT>, l ARRAY<SMALLINT>, m MAP<INT, DECIMAL(5, 2)>, n VOID",
      "a BIGINT, s STRUCT<b: DOUBLE>, l ARRAY<INT>, m MAP<BIGINT, DECIMAL(9, 3)>, n STRING") ==
      SchemaDiff.none)
  }

  test("a type that it does not hold") {
    assert(changed(diff("a BIGINT, b STRING", "a INT, b STRING")) == Seq("a BIGINT -> INT"))
    assert(changed(diff("a ARRAY<BIGINT>", "a ARRAY<INT>")) == Seq("a.element BIGINT -> INT"))
    assert(changed(diff("a MAP<BIGINT, DATE>", "a MAP<INT, INT>")) ==
      Seq("a.key BIGINT -> INT", "a.value DATE -> INT"))
  }

  test("a struct, an array and a map are not each other, nor a plain value") {
    val shapes = Seq("INT", "STRUCT<a: INT>", "ARRAY<INT>", "MAP<INT, INT>", "STRING")
    for (source <- shapes; target <- shapes if source != target) {
      assert(diff(s"c $source", s"c $target").typeChanges.map(_.path) == Seq(Seq("c")))
    }
  }

  test("a NULL fits everything") {
    Seq("INT", "STRUCT<a: INT>", "ARRAY<INT>", "MAP<INT, INT>").foreach { target =>
      assert(diff("c VOID", s"c $target") == SchemaDiff.none)
    }
  }

  test("the fields of a map's keys are fixed") {
    val more = diff("m MAP<STRUCT<a: INT, b: INT>, INT>", "m MAP<STRUCT<a: INT>, INT>")
    assert(changed(more) == Seq("m.key STRUCT<a: INT, b: INT> -> STRUCT<a: INT>"))
    assert(more.added == Nil)
    val less = diff("m MAP<STRUCT<a: INT>, INT>", "m MAP<STRUCT<a: INT, b: INT>, INT>")
    assert(changed(less).size == 1)
    assert(diff("m MAP<STRUCT<a: INT>, INT>", "m MAP<STRUCT<a: BIGINT>, INT>") == SchemaDiff.none)
  }

  test("names are matched in any letter case, and shown as the target has them") {
    val d = diff("ID BIGINT, S STRUCT<X: INT, Y: INT>, New INT", "id INT, s STRUCT<x: INT, z: INT>")
    assert(changed(d) == Seq("id BIGINT -> INT"))
    assert(added(d) == Seq("New INT", "s.Y INT"))
    assert(missing(d) == Seq("s.z"))
  }

  test("names are matched exactly when they are case-sensitive") {
    val d = diff("ID INT, s STRUCT<X: INT>", "id INT, s STRUCT<x: INT>", caseSensitive = true)
    assert(added(d) == Seq("ID INT", "s.X INT"))
    assert(missing(d) == Seq("id", "s.x"))
  }

  test("names with dots are not paths") {
    val d = diff("`a.b` INT, a STRUCT<c: INT>", "a STRUCT<b: INT, c: INT>")
    assert(added(d) == Seq("`a.b` INT"))
    assert(missing(d) == Seq("a.b"))
  }

  test("columns that are one under the rule, at every depth") {
    val paths = FieldPaths.of(StructType.fromDDL(
      "a INT, b INT, A INT, s STRUCT<x: INT, X: INT>, l ARRAY<STRUCT<y: INT, Y: INT>>, " +
        "m MAP<STRUCT<k: INT, K: INT>, STRUCT<v: STRUCT<w: INT, W: INT>>>"))
    assert(NameMatch(caseSensitive = false).clashes(paths).map(_.map(_.mkString("."))) == Seq(
      Seq("a", "A"),
      Seq("s.x", "s.X"),
      Seq("l.element.y", "l.element.Y"),
      Seq("m.key.k", "m.key.K"),
      Seq("m.value.v.w", "m.value.v.W")))
    assert(NameMatch(caseSensitive = true).clashes(paths) == Nil)
    assert(NameMatch(caseSensitive = true).clashes(Seq(Seq("a"), Seq("b"), Seq("a"))) ==
      Seq(Seq(Seq("a"), Seq("a"))))
  }

  test("a column with a dot in its name and a field of a struct may be one") {
    val paths = FieldPaths.of(StructType.fromDDL("a STRUCT<b: INT>, `a.b` INT, `a.c` INT"))
    assert(NameMatch(caseSensitive = true).clashes(paths) == Seq(Seq(Seq("a.b"), Seq("a", "b"))))
  }

  test("letter case is that of no particular language") {
    val rule = NameMatch(caseSensitive = false)
    assert(rule.same("ID", "id") && rule.same("GRÖSSE", "größse".replace("ß", "s")))
    assert(!rule.same("id", "ıd"))
  }
}
