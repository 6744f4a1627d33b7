package org.apache.spark.sql.lamina.parser

import org.apache.spark.sql.catalyst.expressions.{Expression, UnaryExpression, Unevaluable}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, SupportsSubquery, UnaryParsedStatement}
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.lamina.settings.SettingField
import org.apache.spark.sql.types.DataType

/**
 * `INSERT INTO target (columns) clauses query`, exactly as it was parsed.
 *
 * @param target name parts of the table
 * @param columns the explicit column list, or nothing
 * @param unnamed whether the query gives its columns no names (`VALUES`), so that they go by position
 * @param writeOptions Spark's `WITH (key = value)` behind the target
 * @param clauses the options that were written, in their order
 * @param values the expressions among them; here so that Spark binds parameters and resolves names
 * @param explained whether EXPLAIN stands in front
 */
case class StrategyInsert(
    target: Seq[String],
    columns: Seq[String],
    unnamed: Boolean,
    writeOptions: Map[String, String],
    query: LogicalPlan,
    clauses: Seq[ClauseOption],
    values: Seq[OptionValue],
    explained: Boolean = false) extends UnaryParsedStatement
    with SupportsSubquery {

  override def child: LogicalPlan = query

  /** Whether the columns of the query are matched by their place. */
  def isPositional: Boolean = columns.nonEmpty || unnamed

  override def simpleString(maxFields: Int): String =
    s"StrategyInsert ${target.mkString(".")} [${clauses.map(_.text).mkString(", ")}]"

  override protected def withNewChildInternal(newChild: LogicalPlan): StrategyInsert =
    copy(query = newChild)
}

/** One option as written: its text is in the form that a table property would hold. */
case class ClauseOption(field: SettingField, text: String, origin: Origin)

/** The expression of an option, such as the predicate of DELETE WHEN. */
case class OptionValue(field: String, child: Expression) extends UnaryExpression with Unevaluable {

  override def dataType: DataType = child.dataType

  override protected def withNewChildInternal(newChild: Expression): OptionValue =
    copy(child = newChild)
}
