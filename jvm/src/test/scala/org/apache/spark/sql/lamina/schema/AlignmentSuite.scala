package org.apache.spark.sql.lamina.schema

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.types._

/** Rows of the source in the shape of the target. */
class AlignmentSuite extends AnyFunSuite {

  private def align(source: String, target: String, caseSensitive: Boolean = false)(
      values: Any*): Row =
    Rows.align(
      Row.fromSeq(values),
      StructType.fromDDL(source),
      StructType.fromDDL(target),
      NameMatch(caseSensitive))

  test("columns are put in the target's order, by name") {
    assert(align("b STRING, a INT", "a INT, b STRING")("x", 1) == Row(1, "x"))
  }

  test("a column that the source lacks is NULL, one that the target lacks is left out") {
    assert(align("b STRING, x INT", "a INT, b STRING, s STRUCT<c: INT>")("x", 1) ==
      Row(null, "x", null))
  }

  test("names are matched by the rule in force, at every depth") {
    assert(align("A INT, S STRUCT<X: INT>", "a INT, s STRUCT<x: INT>")(1, Row(2)) ==
      Row(1, Row(2)))
    assert(align("A INT, s STRUCT<X: INT, y: INT>", "a INT, s STRUCT<x: INT, y: INT>", true)(
      1,
      Row(2, 3)) == Row(null, Row(null, 3)))
  }

  test("columns have the target's names and types") {
    val target = StructType.fromDDL("Id BIGINT, s STRUCT<B: DOUBLE, c: INT>, l ARRAY<BIGINT>")
    val source = StructType.fromDDL("ID INT, l ARRAY<INT>, s STRUCT<b: FLOAT>")
    val columns =
      Alignment.columns(DataTypeUtils.toAttributes(source), target, NameMatch(false))
    assert(columns.map(_.name) == target.fieldNames.toSeq)
    columns.zip(target.fields).foreach { case (column, field) =>
      assert(DataTypeUtils.equalsIgnoreNullability(column.dataType, field.dataType))
    }
  }

  test("values are cast up") {
    assert(align("a INT, b FLOAT, c DECIMAL(5, 2)", "a BIGINT, b DOUBLE, c DECIMAL(9, 3)")(
      Int.MaxValue,
      1.5f,
      BigDecimal("1.25").bigDecimal) ==
      Row(Int.MaxValue.toLong, 1.5, BigDecimal("1.250").bigDecimal))
  }

  test("structs: fields by name, NULL where there is none, cast up where narrower") {
    assert(align(
      "s STRUCT<b: INT, a: STRING, x: INT>",
      "s STRUCT<a: STRING, b: BIGINT, c: STRUCT<d: INT>>")(Row(1, "v", 9)) ==
      Row(Row("v", 1L, null)))
  }

  test("a NULL struct stays NULL and does not become a struct of NULLs") {
    assert(align("s STRUCT<b: INT>", "s STRUCT<a: INT, b: BIGINT>")(null) == Row(null))
    assert(align("s STRUCT<p: STRUCT<b: INT>>", "s STRUCT<p: STRUCT<b: BIGINT>, q: INT>")(
      Row(null)) == Row(Row(null, null)))
    assert(align("s STRUCT<p: STRUCT<b: INT>>", "s STRUCT<p: STRUCT<b: BIGINT>>")(null) ==
      Row(null))
  }

  test("a struct of NULLs stays a struct") {
    assert(align("s STRUCT<b: INT>", "s STRUCT<a: INT, b: BIGINT>")(Row(null)) ==
      Row(Row(null, null)))
  }

  test("arrays: each element, NULL elements and NULL arrays included") {
    val (source, target) = ("l ARRAY<STRUCT<b: INT>>", "l ARRAY<STRUCT<a: STRING, b: BIGINT>>")
    assert(align(source, target)(Seq(Row(1), null, Row(null))) ==
      Row(Seq(Row(null, 1L), null, Row(null, null))))
    assert(align(source, target)(Nil) == Row(Nil))
    assert(align(source, target)(null) == Row(null))
    assert(align("l ARRAY<ARRAY<INT>>", "l ARRAY<ARRAY<BIGINT>>")(Seq(Seq[Any](1, null), null)) ==
      Row(Seq(Seq[Any](1L, null), null)))
  }

  test("maps: each key and value, NULL values and NULL maps included") {
    val (source, target) =
      ("m MAP<INT, STRUCT<b: INT>>", "m MAP<BIGINT, STRUCT<a: STRING, b: BIGINT>>")
    assert(align(source, target)(Map(1 -> Row(2), 3 -> null)) ==
      Row(Map(1L -> Row(null, 2L), 3L -> null)))
    assert(align(source, target)(Map.empty[Int, Row]) == Row(Map.empty))
    assert(align(source, target)(null) == Row(null))
  }

  test("a map whose keys are structs") {
    assert(align("m MAP<STRUCT<b: INT, a: INT>, INT>", "m MAP<STRUCT<a: BIGINT, b: INT>, BIGINT>")(
      Map(Row(1, 2) -> 3)) == Row(Map(Row(2L, 1) -> 3L)))
  }

  test("everything at once, several levels deep") {
    val source = "o STRUCT<items: ARRAY<STRUCT<tags: MAP<STRING, STRUCT<n: INT>>, id: INT>>>"
    val target =
      "k INT, o STRUCT<id: INT, items: ARRAY<STRUCT<id: BIGINT, tags: MAP<STRING, STRUCT<m: INT, n: BIGINT>>>>>"
    assert(align(source, target)(
      Row(Seq(Row(Map("t" -> Row(1), "u" -> null), 7), Row(null, null)))) ==
      Row(
        null,
        Row(null, Seq(Row(7L, Map("t" -> Row(null, 1L), "u" -> null)), Row(null, null)))))
  }

  test("a NULL of no type takes the target's") {
    assert(align("a VOID, s VOID", "a INT, s STRUCT<b: INT>")(null, null) == Row(null, null))
  }

  test("a name with a dot is one name") {
    assert(align("`a.b` INT, a STRUCT<b: INT>", "a STRUCT<b: INT>, `a.b` INT")(1, Row(2)) ==
      Row(Row(2), 1))
  }
}
