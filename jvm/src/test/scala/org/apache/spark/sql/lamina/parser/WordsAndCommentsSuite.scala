package org.apache.spark.sql.lamina.parser

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.lamina.settings.SettingField._

/** Letter case, comments, quoting, and words of the clauses used as names. */
class WordsAndCommentsSuite extends AnyFunSuite with ParserFixture {

  test("words are understood in any letter case") {
    val sql = "insert Into t mErGe sTrAtEgY Scd2 unique kEy (Id) hard DELETES Invalidate " +
      "on Schema cHANGE Append_New_Columns widen types select Id from x"
    assert(options(sql) == Seq(
      "merge_strategy" -> "scd2",
      "unique_key" -> "Id",
      "hard_deletes" -> "invalidate",
      "on_schema_change" -> "append_new_columns",
      "widen_types" -> "true"))
  }

  test("strategy and policy names may be quoted") {
    assert(
      options("INSERT INTO t MERGE STRATEGY `append_only` ON SCHEMA CHANGE `ignore` TABLE x") ==
        Seq("merge_strategy" -> "append_only", "on_schema_change" -> "ignore"))
  }

  test("comments may stand in and between the clauses") {
    val sql =
      """-- MERGE STRATEGY of the day; it's fine
        |INSERT /* the target ` ' " */ INTO t -- ON SCHEMA CHANGE fail
        |MERGE /* nested /* MERGE STRATEGY scd2 */ still a comment */ STRATEGY incremental
        |  UNIQUE /**/ KEY ( -- first
        |    a, /* second */ b
        |  )
        |  DELETE WHEN op = 'D' /* FROM */ AND -- TABLE
        |    gone
        |ON SCHEMA -- ; not the end
        |  CHANGE ignore
        |SELECT * FROM x /* MERGE STRATEGY scd2 */""".stripMargin
    assert(options(sql).map(_._1) ==
      Seq("merge_strategy", "unique_key", "delete_when", "on_schema_change"))
    assert(options(sql)(1) == "unique_key" -> "a, b")
    assert(value(sql, DeleteWhen) == spark.parseExpression("op = 'D' AND gone"))
  }

  test("comments may follow clauses behind the query") {
    val sql = "INSERT INTO t TABLE x /* now */ MERGE STRATEGY append_only -- the end"
    assert(options(sql) == Seq("merge_strategy" -> "append_only"))
  }

  test("quoted names keep ticks, dots, commas and line breaks") {
    val sql = "INSERT INTO t MERGE STRATEGY delete_insert " +
      "UNIQUE KEY (`a``b`, `c.d`.e, `f, g`, `h\ni`, `UNIQUE KEY`, `)`) SELECT 1 AS a"
    assert(options(sql).last ==
      "unique_key" -> "`a``b`, `c.d`.e, `f, g`, `h\ni`, `UNIQUE KEY`, `)`")
  }

  test("names in other scripts") {
    val sql = "INSERT INTO `größe` MERGE STRATEGY delete_insert UNIQUE KEY (`schlüssel`, `列`) " +
      "SELECT 1 AS `列`"
    assert(options(sql).last == "unique_key" -> "`schlüssel`, `列`")
  }

  /** All words that the grammar has a token for. */
  private val words = (1 to LaminaSqlLexer.VOCABULARY.getMaxTokenType)
    .map(kind => LaminaSqlLexer.VOCABULARY.getSymbolicName(kind))
    .takeWhile(_ != "ASTERISK")
    .filterNot(_ == "EXPRESSION")

  /** Words that Spark itself does not take for the name of a column in `SELECT word FROM x`. */
  private val notForSpark = words.filter { word =>
    scala.util.Try(spark.parsePlan(s"SELECT $word, 1 FROM x")).isFailure
  }

  test("all words of the clauses are words of the grammar") {
    assert(words.size > 40)
    assert(Seq("STRATEGY", "MERGE", "TRACK", "KEY", "ID", "VALUES").forall(words.contains))
  }

  words.diff(notForSpark).foreach { word =>
    test(s"$word as a name") {
      assert(insert(s"INSERT INTO db.$word MERGE STRATEGY append_only SELECT $word AS a FROM $word")
        .target == Seq("db", word))
      assert(insert(s"INSERT INTO t ($word) MERGE STRATEGY append_only SELECT a FROM x")
        .columns == Seq(word))
      assert(
        options(s"INSERT INTO t MERGE STRATEGY delete_insert UNIQUE KEY ($word, a.$word) TABLE x")
          .last == "unique_key" -> s"$word, a.$word")
      // Behind CASE, `when` starts a branch: as the last word of a predicate it must be quoted.
      val predicate = s"$word = 1 AND NOT a.$word OR " + (if (word == "WHEN") "b" else s"b > $word")
      assert(value(
        s"INSERT INTO t MERGE STRATEGY incremental DELETE WHEN $predicate SELECT $word FROM x",
        DeleteWhen) == spark.parseExpression(predicate))
    }
  }

  test("a table may have the name of a word that starts a clause") {
    assert(insert("INSERT INTO merge MERGE STRATEGY append_only TABLE x").target == Seq("merge"))
    assert(insert("INSERT INTO strategy ON SCHEMA CHANGE ignore TABLE x").target == Seq("strategy"))
    assert(
      insert("INSERT INTO TABLE merge TABLE x MERGE STRATEGY append_only").target == Seq("merge"))
  }

  private val sparksOwn = Seq(
    "INSERT INTO t SELECT merge strategy FROM x",
    "INSERT INTO t SELECT merge strategy",
    "INSERT INTO t SELECT merge strategy, id FROM x",
    "INSERT INTO t SELECT * FROM merge strategy WHERE strategy.id > 1",
    "INSERT INTO t SELECT * FROM merge strategy JOIN x",
    "INSERT INTO t SELECT * FROM a JOIN b ON schema",
    "INSERT INTO t SELECT * FROM a JOIN b ON schema WHERE change",
    "INSERT INTO strategy (merge, schema) VALUES (1, 2)",
    "INSERT INTO t (merge) SELECT strategy FROM x",
    "INSERT INTO merge TABLE strategy",
    "SELECT merge strategy FROM schema change",
    "CREATE TABLE t (merge INT, strategy STRING)",
    "MERGE INTO strategy USING x ON schema WHEN MATCHED THEN DELETE")

  sparksOwn.foreach { sql =>
    test(s"Spark's own: $sql") {
      assert(shape(parser.parsePlan(sql)) == shape(spark.parsePlan(sql)))
    }
  }

  test("clauses behind a query that itself uses their words") {
    val sql = "INSERT INTO t SELECT merge strategy, id FROM merge strategy WHERE id > 1 " +
      "MERGE STRATEGY append_only"
    assert(options(sql) == Seq("merge_strategy" -> "append_only"))
    assert(shape(insert(sql).query) ==
      shape(spark.parsePlan("SELECT merge strategy, id FROM merge strategy WHERE id > 1")))
  }
}
