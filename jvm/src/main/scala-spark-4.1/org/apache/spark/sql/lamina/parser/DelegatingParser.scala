package org.apache.spark.sql.lamina.parser

import org.apache.spark.sql.catalyst.parser.{CatalystSqlParser, HybridParameterContext, NamedParameterContext, ParameterContext, PositionalParameterContext}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.types.StructType

/** Spark 4.1: parameters are put in while parsing, so each piece must get its own. */
trait DelegatingParser extends ParserDelegation {

  /** Not the delegate: Iceberg's parser refuses, and Spark's does the same as this one. */
  override def parseRoutineParam(sqlText: String): StructType =
    CatalystSqlParser.parseRoutineParam(sqlText)

  override def parsePlanWithParameters(
      sqlText: String,
      parameters: ParameterContext): LogicalPlan =
    parseStatement(
      sqlText,
      new PieceParser {
        override def parseWhole(sql: String): LogicalPlan =
          delegate.parsePlanWithParameters(sql, parameters)
        override def parse(piece: String, markers: Seq[Int]): LogicalPlan =
          delegate.parsePlanWithParameters(piece, only(markers, parameters))
      })

  private def only(markers: Seq[Int], parameters: ParameterContext): ParameterContext =
    parameters match {
      case named: NamedParameterContext => named
      case PositionalParameterContext(values) =>
        PositionalParameterContext(markers.flatMap(values.lift))
      case HybridParameterContext(values, names) if names.forall(_.isEmpty) =>
        HybridParameterContext(markers.flatMap(values.lift), markers.flatMap(names.lift))
      case hybrid => hybrid
    }
}
