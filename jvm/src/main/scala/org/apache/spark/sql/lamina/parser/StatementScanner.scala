package org.apache.spark.sql.lamina.parser

import java.util.Locale

import org.antlr.v4.runtime.{CommonToken, Token}

import org.apache.spark.sql.lamina.parser.LaminaSqlLexer._

/**
 * Finds where the clauses may stand in a statement, looking only at words and parentheses. What lies
 * between is Spark's to parse.
 *
 * @param tokens the visible tokens of the whole statement
 */
class StatementScanner(tokens: IndexedSeq[Token]) {

  /** The clauses directly after the target: no statement of Spark's own looks like this. */
  lazy val clauseBeforeQuery: Option[Int] = queryStart.filter(startsClause)

  /** Places behind the query that read like a clause, first one first. */
  lazy val clausesAfterQuery: Seq[Int] =
    queryStart.toSeq.flatMap(start => topLevel(start).filter(namesClause))

  /** The tokens from `start` on, each expression in an option folded into one EXPRESSION token. */
  def clauseTokens(start: Int): Seq[Token] = {
    val folded = Seq.newBuilder[Token]
    var i = start
    def copyTo(end: Int): Unit = {
      folded ++= tokens.slice(i, end)
      i = end
    }
    def foldTo(end: Int): Unit = if (i < end) {
      folded += fold(i, end)
      i = end
    }
    while (i < tokens.length) {
      if (at(i, DELETE, WHEN)) {
        copyTo(i + 2)
        foldTo(expressionEnd(i, closing = Set.empty))
      } else if (at(i, CHUNK, BY)) {
        copyTo(afterName(i + 2))
        StatementScanner.chunkBounds.foreach { case (word, closing) =>
          if (kind(i) == word) {
            copyTo(i + 1)
            foldTo(expressionEnd(i, closing))
          }
        }
      } else copyTo(i + 1)
    }
    folded.result()
  }

  private def kind(i: Int): Int = if (tokens.indices.contains(i)) tokens(i).getType else Token.EOF

  private def word(i: Int): String =
    if (tokens.indices.contains(i)) tokens(i).getText.toUpperCase(Locale.ROOT) else ""

  private def at(i: Int, kinds: Int*): Boolean =
    kinds.indices.forall(offset => kind(i + offset) == kinds(offset))

  /** Index of the first token behind `INSERT INTO target (columns) BY NAME`. */
  private lazy val queryStart: Option[Int] =
    Some(afterWith(afterExplain)).filter(at(_, INSERT, INTO)).map(i =>
      afterModifiers(afterTarget(i + 2)))

  private def afterExplain: Int =
    if (kind(0) != EXPLAIN) 0
    else if (StatementScanner.explainModes.contains(word(1))) 2
    else 1

  private def afterWith(start: Int): Int =
    if (kind(start) != WITH) start
    else topLevel(start).find(at(_, INSERT, INTO)).getOrElse(start)

  private def afterTarget(start: Int): Int = {
    val first = if (kind(start) == TABLE && !startsClause(start + 1)) start + 1 else start
    if (word(first) == "IDENTIFIER" && kind(first + 1) == LEFT_PAREN) afterGroup(first + 1)
    else afterName(first)
  }

  private def afterName(first: Int): Int =
    Iterator.iterate(first + 1)(_ + 2).dropWhile(kind(_) == DOT).next()

  private def afterModifiers(start: Int): Int =
    if (at(start, LEFT_PAREN) && isColumnList(start)) afterModifiers(afterGroup(start))
    else if (at(start, BY, NAME)) afterModifiers(start + 2)
    else if (at(start, WITH, LEFT_PAREN)) afterModifiers(afterGroup(start + 1))
    else if (at(start, PARTITION, LEFT_PAREN)) afterModifiers(afterGroup(start + 1))
    else start

  private def isColumnList(open: Int): Boolean = {
    val inside = open + 1 until afterGroup(open) - 1
    inside.nonEmpty && inside.zipWithIndex.forall { case (i, n) =>
      (kind(i) == COMMA) == (n % 2 == 1)
    }
  }

  private def afterGroup(open: Int): Int = {
    var depth = 0
    var i = open
    do {
      if (kind(i) == LEFT_PAREN) depth += 1 else if (kind(i) == RIGHT_PAREN) depth -= 1
      i += 1
    } while (depth > 0 && i < tokens.length)
    i
  }

  /** Indices outside of parentheses, from `start` on. */
  private def topLevel(start: Int): Iterator[Int] =
    Iterator
      .iterate(start)(i => if (kind(i) == LEFT_PAREN) afterGroup(i) else i + 1)
      .takeWhile(_ < tokens.length)

  private def startsClause(i: Int): Boolean = at(i, MERGE, STRATEGY) || at(i, ON, SCHEMA, CHANGE)

  private def namesClause(i: Int): Boolean = {
    val name = if (kind(i) == MERGE) i + 2 else i + 3
    startsClause(i) && StatementScanner.canBeName(kind(name))
  }

  private def startsOption(i: Int): Boolean =
    StatementScanner.optionStarts.exists(at(i, _: _*)) ||
      (kind(i) == WATERMARK && StatementScanner.canBeName(kind(i + 1)))

  private def startsQuery(i: Int): Boolean =
    if (kind(i) == LEFT_PAREN) !canBeCalled(i - 1) || kind(i + 1) == SELECT
    else StatementScanner.queryWords.contains(kind(i))

  /** Whether a parenthesis behind it may hold arguments. */
  private def canBeCalled(i: Int): Boolean = kind(i) match {
    case RIGHT_PAREN | STRING | OTHER => false
    case _ => !StatementScanner.constants.contains(word(i)) && !Character.isDigit(word(i).head)
  }

  /**
   * First index behind `start` where an expression may end and something else begins.
   * @param closing the words of CHUNK BY that may stand behind this expression
   */
  private def expressionEnd(start: Int, closing: Set[Int]): Int =
    topLevel(start)
      .find(i => i > start && endsExpression(i - 1) && (startsNext(i) || closes(i, closing)))
      .getOrElse(tokens.lastIndexWhere(_.getType != SEMICOLON) + 1)

  private def startsNext(i: Int): Boolean =
    kind(i) == SEMICOLON || startsOption(i) || startsClause(i) || startsQuery(i)

  /** Not the TO of `INTERVAL '1-6' YEAR TO MONTH`. */
  private def closes(i: Int, closing: Set[Int]): Boolean =
    closing.contains(kind(i)) && !Seq(i - 3, i - 4).exists(word(_) == "INTERVAL")

  /** A word of the language may be a column too: it ends an expression only behind an operand. */
  private def endsExpression(i: Int): Boolean = kind(i) match {
    case OTHER => tokens(i).getText == "]"
    case DISTINCT => kind(i + 1) != FROM
    case ASTERISK | COMMA | COLON | DOT | WHEN => false
    case _ => !StatementScanner.operators.contains(word(i))
  }

  private def fold(start: Int, end: Int): Token = {
    val folded = new CommonToken(tokens(start))
    folded.setType(LaminaSqlParser.EXPRESSION)
    folded.setStopIndex(tokens(end - 1).getStopIndex)
    folded
  }
}

object StatementScanner {

  val queryWords: Set[Int] = Set(SELECT, VALUES, TABLE, FROM, WITH, MAP, REDUCE)

  private val explainModes = Set("LOGICAL", "FORMATTED", "EXTENDED", "CODEGEN", "COST")

  private val optionStarts = Seq(
    Seq(UNIQUE, KEY),
    Seq(PARTITION, COLUMN),
    Seq(PARTITION, COLUMNS),
    Seq(VALID, FROM),
    Seq(VALID, TO),
    Seq(CURRENT, FLAG),
    Seq(SEQUENCE, BY),
    Seq(TRACK, HISTORY),
    Seq(DELETE, WHEN),
    Seq(HARD, DELETES),
    Seq(ALLOW, EMPTY),
    Seq(COLUMNS, ASTERISK),
    Seq(RUN, ID),
    Seq(WIDEN, TYPES),
    Seq(CHUNK, BY))

  private val operators = Set(
    "AND",
    "OR",
    "NOT",
    "IN",
    "LIKE",
    "ILIKE",
    "RLIKE",
    "REGEXP",
    "BETWEEN",
    "IS",
    "EXISTS",
    "CASE",
    "THEN",
    "ELSE",
    "ESCAPE",
    "DIV",
    "ANY",
    "ALL",
    "SOME",
    "INTERVAL")

  private val constants = Set("NULL", "TRUE", "FALSE", "END")

  /** The words of CHUNK BY that an expression follows, each with the words that end it. */
  private val chunkBounds = Seq(FROM -> Set(TO, STEP), TO -> Set(STEP), STEP -> Set.empty[Int])

  private def canBeName(kind: Int): Boolean =
    kind != Token.EOF && kind <= WORD && !queryWords.contains(kind) &&
      !Set(ASTERISK, COLON, COMMA, DOT, LEFT_PAREN, QUESTION, RIGHT_PAREN, SEMICOLON, STRING)
        .contains(kind)
}
