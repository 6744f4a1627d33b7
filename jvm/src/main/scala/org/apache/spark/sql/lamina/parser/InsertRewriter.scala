package org.apache.spark.sql.lamina.parser

import org.apache.spark.sql.catalyst.analysis.{PlanWithUnresolvedIdentifier, UnresolvedAlias, UnresolvedInlineTable, UnresolvedRelation}
import org.apache.spark.sql.catalyst.expressions.{Alias, Expression}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.command.ExplainCommand
import org.apache.spark.sql.lamina.{JavaCollections, LaminaErrors, SqlPosition}

/** Puts the clauses back: turns Spark's plan of the bare INSERT into a [[StrategyInsert]]. */
private[parser] object InsertRewriter {

  def rewrite(
      plan: LogicalPlan,
      clauses: Seq[ClauseOption],
      values: Seq[OptionValue],
      sql: String): LogicalPlan = plan match {
    case insert: InsertIntoStatement => strategyInsert(insert, clauses, values, sql)
    case explain: ExplainCommand =>
      explain.copy(logicalPlan = explained(rewrite(explain.logicalPlan, clauses, values, sql)))
    case ctes: UnresolvedWith =>
      ctes.withNewChildren(Seq(rewrite(ctes.child, clauses, values, sql)))
    case later: PlanWithUnresolvedIdentifier => rewriteLater(later, clauses, values, sql)
    case _ =>
      throw LaminaErrors.optionNotApplicable(
        clauses.head.field.clause,
        "INSERT INTO with REPLACE or with several targets",
        Nil,
        SqlPosition(clauses.head.origin, sql))
  }

  private def explained(plan: LogicalPlan): LogicalPlan = plan.transform {
    case insert: StrategyInsert => insert.copy(explained = true)
    case later: PlanWithUnresolvedIdentifier =>
      later.copy(planBuilder = (ident, children) => explained(later.planBuilder(ident, children)))
  }

  /** The expression of `SELECT <expression>`, unless there is more than one or something behind it. */
  def onlyExpression(plan: LogicalPlan): Option[Expression] = plan match {
    case Project(Seq(alias: UnresolvedAlias), _: OneRowRelation) => Some(alias.child)
    case Project(Seq(_: Alias), _) => None
    case Project(Seq(expression), _: OneRowRelation) => Some(expression)
    case _ => None
  }

  /**
   * The target is `IDENTIFIER(...)`: the INSERT is built only when the name is known. Until then the
   * expressions ride on top of the query, where Spark binds their parameters and resolves their names.
   */
  private def rewriteLater(
      later: PlanWithUnresolvedIdentifier,
      clauses: Seq[ClauseOption],
      values: Seq[OptionValue],
      sql: String): LogicalPlan = {
    val carrier = Project(values.map(v => Alias(v.child, v.field)()), later.children.head)
    later.copy(
      children = if (values.isEmpty) later.children else Seq(carrier),
      planBuilder = (ident, children) => {
        val (query, carried) = children.head match {
          case Project(list, query) if values.nonEmpty =>
            (query, list.collect { case Alias(value, field) => OptionValue(field, value) })
          case query => (query, Nil)
        }
        rewrite(later.planBuilder(ident, Seq(query)), clauses, carried, sql)
      })
  }

  private def strategyInsert(
      insert: InsertIntoStatement,
      clauses: Seq[ClauseOption],
      values: Seq[OptionValue],
      sql: String): LogicalPlan = {
    if (insert.partitionSpec.nonEmpty) {
      throw LaminaErrors.optionNotApplicable(
        "PARTITION (...)",
        clauses.head.field.clause,
        Seq("partition values as columns of the query"),
        SqlPosition(clauses.head.origin, sql))
    }
    val relation = insert.table.asInstanceOf[UnresolvedRelation]
    StrategyInsert(
      relation.multipartIdentifier,
      insert.userSpecifiedCols,
      givesNoNames(insert.query),
      JavaCollections.map(relation.options.asCaseSensitiveMap()) - requiredPrivileges,
      insert.query,
      clauses,
      values)
  }

  private def givesNoNames(query: LogicalPlan): Boolean = query match {
    case table: UnresolvedInlineTable => areDefaultNames(table.names)
    case table: LocalRelation => areDefaultNames(table.output.map(_.name))
    case SubqueryAlias(_, child) => givesNoNames(child)
    case GlobalLimit(_, child) => givesNoNames(child)
    case LocalLimit(_, child) => givesNoNames(child)
    case offset: Offset => givesNoNames(offset.child)
    case sort: Sort => givesNoNames(sort.child)
    case ctes: UnresolvedWith => givesNoNames(ctes.child)
    case Distinct(child) => givesNoNames(child)
    case set @ (_: Union | _: SetOperation) => givesNoNames(set.children.head)
    case _ => false
  }

  /** The names that Spark gives to the columns of VALUES. */
  private def areDefaultNames(names: Seq[String]): Boolean =
    names == names.indices.map(i => s"col${i + 1}")

  private val requiredPrivileges = "__required_write_privileges__"
}
