package org.apache.spark.sql.lamina.parser

import org.apache.spark.sql.catalyst.{FunctionIdentifier, TableIdentifier}
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.types.{DataType, StructType}

/** Everything but whole statements is left to the parser that was there before. */
trait ParserDelegation extends ParserInterface {

  protected def delegate: ParserInterface

  protected def parseStatement(sqlText: String, spark: PieceParser): LogicalPlan

  override def parsePlan(sqlText: String): LogicalPlan =
    parseStatement(
      sqlText,
      new PieceParser {
        override def parseWhole(sql: String): LogicalPlan = delegate.parsePlan(sql)
        override def parse(piece: String, markers: Seq[Int]): LogicalPlan =
          delegate.parsePlan(piece)
      })

  override def parseQuery(sqlText: String): LogicalPlan = delegate.parseQuery(sqlText)

  override def parseExpression(sqlText: String): Expression = delegate.parseExpression(sqlText)

  override def parseTableIdentifier(sqlText: String): TableIdentifier =
    delegate.parseTableIdentifier(sqlText)

  override def parseFunctionIdentifier(sqlText: String): FunctionIdentifier =
    delegate.parseFunctionIdentifier(sqlText)

  override def parseMultipartIdentifier(sqlText: String): Seq[String] =
    delegate.parseMultipartIdentifier(sqlText)

  override def parseTableSchema(sqlText: String): StructType = delegate.parseTableSchema(sqlText)

  override def parseDataType(sqlText: String): DataType = delegate.parseDataType(sqlText)
}
