package org.apache.spark.sql.lamina.settings

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** Lists of columns survive being stored as a table property. */
class ColumnListSuite extends AnyFunSuite {

  private val odd = Seq(
    "id", "Id", "a b", "a,b", "a.b", "`", "``", "a`b", "`a`", "", " ", ",", ".", "größe", "列", "1",
    "1a", "_", "select", "new\nline", "tab\t", "it's", "\"", "\uD83D\uDE80", "a\\b", "$", "*",
    "(a)",
    "-- a", "/* a */")

  test("ordinary names are stored as they are") {
    assert(ColumnList.render(Seq(Seq("id"), Seq("address", "zip"))) == "id, address.zip")
  }

  test("odd names are quoted") {
    assert(ColumnList.render(Seq(Seq("a,b"), Seq("c.d", "e`f"))) == "`a,b`, `c.d`.`e``f`")
  }

  odd.foreach { name =>
    test(s"[$name] comes back") {
      val lists = Seq(Seq(Seq(name)), Seq(Seq("a", name), Seq(name, name), Seq("b")))
      lists.foreach(list => assert(ColumnList.parse(ColumnList.render(list)).contains(list)))
    }
  }

  test("random lists of odd names come back") {
    val random = new Random(7)
    def name() = Seq.fill(random.nextInt(4))(odd(random.nextInt(odd.size))).mkString
    (1 to 500).foreach { _ =>
      val list = List.fill(1 + random.nextInt(4))(List.fill(1 + random.nextInt(3))(name()))
      assert(ColumnList.parse(ColumnList.render(list)).contains(list))
    }
  }

  test("lists written by hand") {
    assert(ColumnList.parse("a,b").contains(Seq(Seq("a"), Seq("b"))))
    assert(ColumnList.parse("  a ,\n b . c ").contains(Seq(Seq("a"), Seq("b", "c"))))
    assert(ColumnList.parse("`a`,`b`.`c`").contains(Seq(Seq("a"), Seq("b", "c"))))
    assert(ColumnList.parse("größe, select").contains(Seq(Seq("größe"), Seq("select"))))
  }

  test("nothing is an empty list") {
    assert(ColumnList.parse("").contains(Nil))
    assert(ColumnList.parse("  ").contains(Nil))
  }

  test("what is no list of columns is told apart") {
    Seq(
      ",", "a,", ",a", "a,,b", "a b", "a.", ".a", "a..b", "`a", "a`", "`a``", "(a, b)", "a; b",
      "'a'",
      "*").foreach(text => assert(ColumnList.parse(text).isEmpty, text))
  }
}
