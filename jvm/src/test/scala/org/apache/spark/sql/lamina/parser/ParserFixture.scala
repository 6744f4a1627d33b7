package org.apache.spark.sql.lamina.parser

import org.scalatest.Assertions

import org.apache.spark.sql.catalyst.analysis.PlanWithUnresolvedIdentifier
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.parser.{ParseException, ParserInterface}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkSqlParser
import org.apache.spark.sql.execution.command.ExplainCommand
import org.apache.spark.sql.lamina.ErrorAssertions
import org.apache.spark.sql.lamina.settings.SettingField

/** Lamina's parser in front of Spark's, with no session. */
trait ParserFixture extends Assertions with ErrorAssertions {

  protected val spark: ParserInterface = new SparkSqlParser()
  protected val parser: ParserInterface = new LaminaParser(spark)

  protected def insert(sql: String): StrategyInsert = onlyInsert(parser.parsePlan(sql))

  protected def onlyInsert(plan: LogicalPlan): StrategyInsert = plan match {
    case explain: ExplainCommand => onlyInsert(explain.logicalPlan)
    case later: PlanWithUnresolvedIdentifier =>
      onlyInsert(later.planBuilder(Seq("identified"), later.children))
    case _ =>
      plan.collect { case insert: StrategyInsert => insert } match {
        case Seq(insert) => insert
        case _ => fail(s"not one INSERT with clauses:\n$plan")
      }
  }

  /** The options as field names and texts, in the order in which they were written. */
  protected def options(sql: String): Seq[(String, String)] =
    insert(sql).clauses.map(option => option.field.name -> option.text)

  protected def value(sql: String, field: SettingField): Expression =
    insert(sql).values.find(_.field == field.name).map(_.child).getOrElse(fail(s"no $field"))

  /** Ids of expressions are given anew in each parse; all else must be equal. */
  protected def shape(plan: LogicalPlan): String = plan.treeString.replaceAll("#\\d+L?", "#")

  /** The error that parsing gives. In `marked` a `^` stands before the word that it must point to. */
  protected def assertError(expected: String, marked: String): ParseException = {
    val thrown = error[ParseException](expected)(parser.parsePlan(marked.replace("^", "")))
    val before = marked.takeWhile(_ != '^')
    val line = before.count(_ == '\n') + 1
    val lastLine = before.substring(before.lastIndexOf('\n') + 1)
    val place = (Some(line), Some(lastLine.codePointCount(0, lastLine.length)))
    assert((thrown.line, thrown.startPosition) == place, s"\n${thrown.getMessage}")
    thrown
  }
}
