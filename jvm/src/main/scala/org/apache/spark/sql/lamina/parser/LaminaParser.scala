package org.apache.spark.sql.lamina.parser

import scala.util.{Failure, Success, Try}

import org.antlr.v4.runtime.{CharStreams, CommonTokenStream, ListTokenSource, Token}

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.parser.{ParseException, ParserInterface}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.VariableSubstitution
import org.apache.spark.sql.lamina.JavaCollections

/**
 * Spark's parser plus the clauses of `INSERT INTO`. The clauses are cut out and parsed by our own
 * grammar; the statement without them, and every expression in them, is parsed by Spark. A statement
 * that has no such clause goes to Spark untouched.
 */
class LaminaParser(protected val delegate: ParserInterface) extends DelegatingParser {

  private lazy val substitution = new VariableSubstitution()

  override protected def parseStatement(sqlText: String, spark: PieceParser): LogicalPlan =
    if (!LaminaParser.mayHaveClauses(sqlText)) spark.parseWhole(sqlText)
    else
      strategyInsert(substitution.substitute(sqlText), spark).getOrElse(spark.parseWhole(sqlText))

  private def strategyInsert(sql: String, spark: PieceParser): Option[LogicalPlan] = {
    val tokens = LaminaParser.tokens(sql)
    val scanner = new StatementScanner(tokens)
    scanner.clauseBeforeQuery match {
      case Some(start) =>
        val found = clauses(sql, scanner.clauseTokens(start))
        SyntaxErrors.requireQuery(found.next, sql)
        Some(insert(sql, found, tokens, spark))
      case None if scanner.clausesAfterQuery.isEmpty => None
      // `SELECT merge strategy FROM t` is a query: what Spark understands stays Spark's.
      case None if Try(spark.parseWhole(sql)).isSuccess => None
      case None => Some(insertWithTrailing(sql, scanner, tokens, spark))
    }
  }

  /** The clauses start at the first place behind the query that leaves a query and nothing but clauses. */
  private def insertWithTrailing(
      sql: String,
      scanner: StatementScanner,
      tokens: Seq[Token],
      spark: PieceParser): LogicalPlan = {
    val attempts = scanner.clausesAfterQuery.map { start =>
      Try {
        val found = clauses(sql, scanner.clauseTokens(start))
        SyntaxErrors.requireEnd(found.next, sql)
        insert(sql, found, tokens, spark)
      }
    }
    attempts.find(_.isSuccess).getOrElse(attempts.head).get
  }

  private def clauses(sql: String, tokens: Seq[Token]): FoundClauses = {
    val list = new java.util.ArrayList[Token]()
    tokens.foreach(list.add)
    val stream = new CommonTokenStream(new ListTokenSource(list))
    val parser = new LaminaSqlParser(stream)
    parser.removeErrorListeners()
    parser.addErrorListener(new SyntaxErrors(sql))
    val tree = parser.clauses()
    FoundClauses(
      new ClauseBuilder(delegate, sql).build(tree),
      tree.getStart,
      tree.getStop,
      selectAt = tokens(1),
      next = parser.getCurrentToken)
  }

  private def insert(
      sql: String,
      found: FoundClauses,
      tokens: Seq[Token],
      spark: PieceParser): LogicalPlan = {
    val markers = tokens.filter(_.getType == LaminaSqlLexer.QUESTION).map(_.getStartIndex)
    def markersIn(inside: Int => Boolean): Seq[Int] =
      markers.zipWithIndex.collect { case (at, ordinal) if inside(at) => ordinal }

    def optionValue(token: Token): Expression = {
      val (start, stop) = (token.getStartIndex, token.getStopIndex)
      val piece = SqlText.selectOnly(sql, found.selectAt.getStartIndex, start, stop)
      val plan = spark.parse(piece, markersIn(at => at >= start && at <= stop))
      InsertRewriter.onlyExpression(plan).getOrElse(throw SyntaxErrors.at(token, sql))
    }

    val values = found.clauses.expressions.map { case (field, token) =>
      OptionValue(field.name, withOriginalText(sql)(optionValue(token)))
    }
    val (first, last) = (found.first.getStartIndex, found.last.getStopIndex)
    val statement = withOriginalText(sql) {
      spark.parse(SqlText.without(sql, first, last), markersIn(at => at < first || at > last))
    }
    InsertRewriter.rewrite(statement, found.clauses.options, values, sql)
  }

  /** Spark saw a piece of the statement; its error should show all of it. */
  private def withOriginalText[A](sql: String)(parse: => A): A = Try(parse) match {
    case Success(plan) => plan
    case Failure(e: ParseException) => throw e.withCommand(sql)
    case Failure(e) => throw e
  }
}

/**
 * @param selectAt the clause's second word, long enough to be written over by SELECT
 *  @param next the token that ended the clauses
 */
private case class FoundClauses(
    clauses: Clauses,
    first: Token,
    last: Token,
    selectAt: Token,
    next: Token)

object LaminaParser {

  /**
   * A cheap look at the text for `MERGE STRATEGY`, `SCHEMA CHANGE` or a variable that may hold them:
   * all that an ordinary statement pays for the extension.
   */
  private[lamina] def mayHaveClauses(sql: String): Boolean =
    sql.contains("${") || (hasSecondWord(sql) && hasBothWords(sql))

  /** Looks for the letter that both second words have: Java finds a letter faster than we find a word. */
  private def hasSecondWord(sql: String): Boolean = has(sql, 'g') || has(sql, 'G')

  private def has(sql: String, letter: Char): Boolean = {
    var i = sql.indexOf(letter.toInt)
    while (i >= 0) {
      if (wordAt(sql, i - 6, "strategy") || wordAt(sql, i - 4, "change")) return true
      i = sql.indexOf(letter.toInt, i + 1)
    }
    false
  }

  private def hasBothWords(sql: String): Boolean =
    sql.indices.exists { i =>
      sql.charAt(i) match {
        case 'm' | 'M' => followedBy(sql, i, "merge", "strategy")
        case 's' | 'S' => followedBy(sql, i, "schema", "change")
        case _ => false
      }
    }

  /** Whether `first` stands at `i` and `second`, or a comment that may hide it, comes next. */
  private def followedBy(sql: String, i: Int, first: String, second: String): Boolean =
    wordAt(sql, i, first) && {
      var next = i + first.length
      while (next < sql.length && isSpace(sql.charAt(next))) next += 1
      wordAt(sql, next, second) || sql.startsWith("--", next) || sql.startsWith("/*", next)
    }

  private def isSpace(c: Char): Boolean = Character.isWhitespace(c) || Character.isSpaceChar(c)

  private def wordAt(sql: String, i: Int, word: String): Boolean =
    sql.regionMatches(true, i, word, 0, word.length)

  private[lamina] def tokens(sql: String): IndexedSeq[Token] = {
    val lexer = new LaminaSqlLexer(CharStreams.fromString(sql))
    lexer.removeErrorListeners()
    JavaCollections
      .seq(lexer.getAllTokens.asInstanceOf[java.util.List[Token]])
      .filter(_.getChannel == Token.DEFAULT_CHANNEL)
      .toIndexedSeq
  }
}
