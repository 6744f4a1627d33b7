package org.apache.spark.sql.lamina.parser

import org.antlr.v4.runtime.{BaseErrorListener, Parser, RecognitionException, Recognizer, Token}

import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.lamina.{JavaCollections, SqlPosition, SqlSyntaxError}

/** Syntax errors in the clauses: Spark's own condition, at the word that does not fit. */
class SyntaxErrors(sql: String) extends BaseErrorListener {

  override def syntaxError(
      recognizer: Recognizer[_, _],
      offending: Any,
      line: Int,
      charPositionInLine: Int,
      message: String,
      e: RecognitionException): Unit = {
    val hint = recognizer match {
      case parser: Parser => SyntaxErrors.expected(parser)
      case _ => ""
    }
    throw SyntaxErrors.near(offending.asInstanceOf[Token], hint, sql)
  }
}

object SyntaxErrors {

  def requireQuery(next: Token, sql: String): Unit = {
    val isQuery = next.getType == LaminaSqlLexer.LEFT_PAREN ||
      StatementScanner.queryWords.contains(next.getType)
    if (!isQuery) throw near(next, ", expected an option of the clause or the query", sql)
  }

  def requireEnd(next: Token, sql: String): Unit =
    if (next.getType != Token.EOF && next.getType != LaminaSqlLexer.SEMICOLON) {
      throw near(next, ", expected an option of the clause or the end of the statement", sql)
    }

  def at(expression: Token, sql: String): ParseException =
    near(expression, ", expected one expression", sql)

  /** Few enough words to be of help are shown; a list of all names that fit is not. */
  private def expected(parser: Parser): String = {
    val kinds = JavaCollections.seq(parser.getExpectedTokens.toList).map(_.intValue)
    val words = kinds.map { kind =>
      Option(parser.getVocabulary.getLiteralName(kind))
        .getOrElse(parser.getVocabulary.getSymbolicName(kind))
    }
    if (words.size > 6) ", expected a name" else words.mkString(", expected ", " or ", "")
  }

  private def near(token: Token, hint: String, sql: String): ParseException = {
    val found = if (token.getType == Token.EOF) "end of input" else s"'${token.getText}'"
    new SqlSyntaxError(found, hint, SqlPosition(SqlText.origin(token, sql), sql))
  }
}
