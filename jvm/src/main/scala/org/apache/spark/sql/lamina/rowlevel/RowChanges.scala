package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Expand, Filter, LogicalPlan, Union}
import org.apache.spark.sql.types.IntegerType

/** What a statement does to one row of the table, or why it must not be carried out. */
sealed abstract class ChangeKind(val code: Int)

object ChangeKind {
  case object Insert extends ChangeKind(1)
  case object Update extends ChangeKind(2)
  case object Close extends ChangeKind(3)
  case object Delete extends ChangeKind(4)

  /** Nothing happens to the row, but it must be known that it is there. */
  case object Same extends ChangeKind(0)

  /** The rows of the key must be looked at together. */
  case object Unclear extends ChangeKind(7)

  /** The table holds another row of the same key and sequence value. */
  case object SequenceConflict extends ChangeKind(5)

  /** The table holds several open rows of the key. */
  case object SeveralOpenRows extends ChangeKind(6)

  val errors: Seq[ChangeKind] = Seq(SequenceConflict, SeveralOpenRows)

  val all: Seq[ChangeKind] = Seq(Same, Insert, Update, Close, Delete, Unclear) ++ errors
}

/**
 * One thing that may happen to a row of the plan a strategy made.
 *
 * @param values the row as it will be, a value for each column of the table
 */
case class RowAction(kind: ChangeKind, when: Expression, values: Seq[Expression])

/**
 * Rows that change, each once: what happens, where the row is now, and the row as it will be.
 *
 * @param kind the code of a [[ChangeKind]]
 * @param position the table's row identifiers; NULL for a row that is inserted
 * @param values a column for each column of the table
 */
case class ChangedRows(
    plan: LogicalPlan,
    kind: Attribute,
    position: Seq[Attribute],
    values: Seq[Attribute]) {

  def output: Seq[Attribute] = kind +: (position ++ values)

  /** These and others, which have the same columns. */
  def and(others: ChangedRows): ChangedRows = copy(plan = Union(plan, others.plan))

  /** Only what is to be written. */
  def effective: ChangedRows =
    copy(plan = Filter(Not(EqualTo(kind, Literal(ChangeKind.Same.code))), plan))
}

object ChangedRows {

  def apply(rows: Joined, target: TargetRows, actions: Seq[RowAction]): ChangedRows = {
    val nothing = Not(actions.map(_.when).reduce(Or(_, _)))
    rows.unchanged match {
      case Some(values) =>
        of(rows.plan, target, actions :+ RowAction(ChangeKind.Same, nothing, values))
      case None => ChangedRows(rows.plan, target, actions)
    }
  }

  /** Every row goes through all actions: those whose condition holds become changes. */
  def apply(rows: LogicalPlan, target: TargetRows, actions: Seq[RowAction]): ChangedRows =
    of(Filter(actions.map(_.when).reduce(Or(_, _)), rows), target, actions)

  private def of(rows: LogicalPlan, target: TargetRows, actions: Seq[RowAction]): ChangedRows = {
    val kind = AttributeReference("change", IntegerType)()
    val position = target.position.map(fresh)
    val values = target.columns.map(fresh)
    val projections = actions.map { action =>
      val code = If(action.when, Literal(action.kind.code), Literal(null, IntegerType))
      val where = action.kind match {
        case ChangeKind.Insert | ChangeKind.Same =>
          target.position.map(p => Literal(null, p.dataType))
        case _ => target.position
      }
      code +: (where ++ action.values)
    }
    val expanded = Expand(projections, kind +: (position ++ values), rows)
    ChangedRows(Filter(IsNotNull(kind), expanded), kind, position, values)
  }

  private def fresh(attribute: Attribute): Attribute = attribute.newInstance().withNullability(true)
}
