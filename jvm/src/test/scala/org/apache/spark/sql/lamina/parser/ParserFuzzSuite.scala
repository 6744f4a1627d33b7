package org.apache.spark.sql.lamina.parser

import scala.util.{Failure, Random, Success, Try}

import org.scalatest.concurrent.{ThreadSignaler, TimeLimits}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Minutes, Span}

import org.apache.spark.SparkThrowable

/** Statements with mistakes in them: an error or a plan, never anything else. */
class ParserFuzzSuite extends AnyFunSuite with ParserFixture with TimeLimits {

  private val seed = 20240229L
  private val rounds = 2000

  private val statements = Seq(
    "INSERT INTO lake . db . t ( a , b ) MERGE STRATEGY scd2 UNIQUE KEY ( a ) SEQUENCE BY s " +
      "TRACK HISTORY ON * EXCEPT ( b ) DELETE WHEN op = 'D' AND x IS DISTINCT FROM y " +
      "HARD DELETES ignore RUN ID 'r' SELECT a , b FROM x WHERE a > 1 ;",
    "EXPLAIN EXTENDED WITH c AS ( SELECT 1 AS a ) INSERT INTO t MERGE STRATEGY incremental " +
      "UNIQUE KEY ( a . b ) WATERMARK w ON SCHEMA CHANGE append_new_columns WIDEN TYPES TABLE c",
    "INSERT INTO t ON SCHEMA CHANGE full_incremental_refresh CHUNK BY d FROM DATE '2024-01-01' " +
      "TO current_date ( ) STEP INTERVAL '1-1' YEAR TO MONTH FROM x SELECT *",
    "INSERT INTO TABLE t SELECT * FROM a JOIN b ON a . id = b . id MERGE STRATEGY snapshot " +
      "PARTITION COLUMNS ( d , e ) ON SCHEMA CHANGE ignore",
    "INSERT INTO IDENTIFIER ( 'a.b' ) MERGE STRATEGY append_only COLUMNS * EXCEPT ( op ) " +
      "VALUES ( 1 , 'x' ) , ( 2 , \"y\" )",
    "INSERT INTO t BY NAME SELECT merge strategy , `schema change` FROM strategy " +
      "WHERE x = 'MERGE STRATEGY' /* ON SCHEMA CHANGE */ -- end\n",
    "INSERT INTO merge ( schema , change ) SELECT CASE delete WHEN 1 THEN 2 END , strategy FROM x",
    "SELECT merge strategy , on , schema , change FROM merge strategy JOIN x ON schema")

  private val stray =
    Seq("(", ")", ",", ";", "'", "`", "/*", "*/", "--", "?", ":p", "${v}", "\uD83D\uDE80")

  private def mutate(random: Random): String = {
    val tokens = statements(random.nextInt(statements.size)).split("(?<= )").toVector
    val edits = 1 + random.nextInt(3)
    (1 to edits).foldLeft(tokens)((text, _) => edit(text, random)).mkString
  }

  private def edit(tokens: Vector[String], random: Random): Vector[String] =
    if (tokens.size < 2) tokens
    else {
      val i = random.nextInt(tokens.size)
      val j = random.nextInt(tokens.size)
      random.nextInt(6) match {
        case 0 => tokens.patch(i, Nil, 1)
        case 1 => tokens.patch(i, Seq(tokens(i), tokens(i)), 1)
        case 2 => tokens.updated(i, tokens(j)).updated(j, tokens(i))
        case 3 => tokens.take(i + 1)
        case 4 => tokens.patch(i, Seq(stray(random.nextInt(stray.size)) + " "), 0)
        case _ => tokens.updated(i, tokens(i).take(random.nextInt(tokens(i).length + 1)))
      }
    }

  test(s"$rounds mutated statements, seed $seed") {
    val random = new Random(seed)
    val outcomes = failAfter(Span(3, Minutes)) {
      Seq.fill(rounds)(mutate(random)).map(check)
    }(ThreadSignaler)
    // The mutations are worth something only if they leave some of each kind.
    assert(outcomes.count(_ == "clauses") > 50)
    assert(outcomes.count(_ == "Spark's") > 50)
    assert(outcomes.count(_ == "error") > 100)
  }

  private def check(sql: String): String = withClue(s"seed $seed, statement:\n$sql\n") {
    (Try(parser.parsePlan(sql)), Try(spark.parsePlan(sql))) match {
      case (Success(ours), Success(plain)) =>
        assert(shape(ours) == shape(plain))
        "Spark's"
      case (Success(ours), Failure(_)) =>
        assert(onlyInsert(ours).clauses.nonEmpty)
        "clauses"
      case (Failure(error), Success(_)) => fail("Spark parses it, Lamina does not", error)
      case (Failure(error: SparkThrowable), _) =>
        assert(condition(error) != null, error)
        "error"
      case (Failure(error), _) => fail(s"not an error for users: $error", error)
    }
  }
}
