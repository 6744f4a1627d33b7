package org.apache.spark.sql.lamina.rowlevel

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.unsafe.types.UTF8String

/** Places of rows are found again, in whatever order they are asked for. */
class RowPlacesSuite extends AnyFunSuite {

  private def text(file: String) = UTF8String.fromString(file)

  private def places(rows: (String, Long)*): RowPlaces =
    RowPlaces.of(rows.iterator.map { case (file, position) => InternalRow(text(file), position) })

  private def found(places: RowPlaces, asked: (String, Long)*): Seq[(String, Long)] = {
    val lookup = places.lookup()
    asked.filter { case (file, position) => lookup.has(text(file), position) }
  }

  test("in order, backwards, and from file to file") {
    val known = Seq("a" -> 0L, "a" -> 7L, "b" -> 7L, "b" -> 5000000000L)
    val asked = for (file <- Seq("a", "b", "c"); n <- Seq(0L, 1L, 7L, 8L, 5000000000L))
      yield file -> n
    val of = places(known: _*)
    assert(found(of, asked: _*) == known)
    assert(found(of, asked.reverse: _*) == known.reverse)
    assert(found(of, asked.sortBy(_._2): _*).toSet == known.toSet)
    assert(found(of, "a" -> 7L, "a" -> 7L, "a" -> 0L).size == 3)
  }

  test("of several tasks together") {
    val both = places("a" -> 1L, "b" -> 2L).and(places("c" -> 3L, "a" -> 4L))
    assert(both.files == Seq("a", "b", "c"))
    assert(found(both, "a" -> 1L, "a" -> 2L, "a" -> 4L, "c" -> 3L).size == 3)
  }

  test("none") {
    assert(RowPlaces.none.files == Nil)
    assert(found(RowPlaces.none, "a" -> 0L) == Nil)
  }

  test("the expression without generated code") {
    val in = IsAtPlace(Literal("a"), Literal(4L), places("a" -> 4L))
    assert(in.eval() == true)
    assert(in.copy(position = Literal(5L)).eval() == false)
  }
}
