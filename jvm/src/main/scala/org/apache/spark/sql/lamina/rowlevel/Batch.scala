package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.lamina.schema.{Alignment, Comparison, NameMatch}

/** A column by which rows are matched: its value in the source, in the table's type, and in the table. */
case class KeyColumn(name: String, source: Expression, target: Expression)

/** What tells which of two rows is later; the table need not keep it. */
case class SequenceColumn(name: String, source: Expression, target: Option[Expression])

/** Whether NULL matches NULL. It does for the partitions of a snapshot, never for keys. */
sealed trait KeyMatch {

  def all(pairs: Seq[(Expression, Expression)]): Expression

  /** The same where the second of each pair is in a row that goes to every task. */
  def atHand(pairs: Seq[(Expression, Expression)]): Expression
}

object KeyMatch {

  case object NullNever extends KeyMatch {
    override def all(pairs: Seq[(Expression, Expression)]): Expression =
      pairs.map { case (a, b) => EqualTo(a, b) }.reduce[Expression](And(_, _))
    override def atHand(pairs: Seq[(Expression, Expression)]): Expression = Lookup.same(pairs)
  }

  case object NullIsValue extends KeyMatch {
    override def all(pairs: Seq[(Expression, Expression)]): Expression =
      pairs.map { case (a, b) => EqualNullSafe(a, b) }.reduce[Expression](And(_, _))
    override def atHand(pairs: Seq[(Expression, Expression)]): Expression = all(pairs)
  }
}

/**
 * The rows of the source, and how they relate to the table.
 *
 * @param rows the source: evaluated once, the same whenever it is read
 * @param stored the columns that the table gets
 * @param deleted whether DELETE WHEN holds for the row
 * @param sequence the column of SEQUENCE BY or WATERMARK
 * @param target the columns of the table
 */
case class Batch(
    rows: LogicalPlan,
    stored: Seq[Attribute],
    deleted: Option[Attribute],
    sequence: Option[SequenceColumn],
    keys: Seq[KeyColumn],
    keyMatch: KeyMatch,
    target: Seq[Attribute],
    sameName: NameMatch) {

  val isDeleted: Expression = deleted.getOrElse(Literal.FalseLiteral)

  /** The rows as they are inserted; NULL in the columns that the source lacks. */
  val inserted: Seq[Expression] =
    Alignment.columns(stored, DataTypeUtils.fromAttributes(target), sameName).map(_.child)

  /** The rows as they are after an update of the table's row. */
  val updated: Seq[Expression] = Alignment.updates(stored, target, sameName)

  def has(column: Attribute): Boolean = stored.exists(c => sameName.same(c.name, column.name))

  val sameKey: Expression = keyMatch.all(keys.map(key => (key.target, key.source)))

  /** The same where the batch goes to every task. */
  def sameKeyAtHand: Expression = keyMatch.atHand(keys.map(key => (key.target, key.source)))

  /** The same for rows that have the keys, in the table's types, as their columns, and go to every task. */
  def sameKeyIn(known: LogicalPlan): Expression =
    keyMatch.atHand(keys.zip(known.output).map { case (key, column) => (column, key.source) })

  /** Only what a semi join needs. */
  def keysOnly(few: Boolean): (LogicalPlan, Expression) = {
    val columns = keys.map(key => Alias(key.source, key.name)())
    val pairs = keys.zip(columns).map { case (key, column) => (key.target, column.toAttribute) }
    (Project(columns, rows), if (few) keyMatch.atHand(pairs) else keyMatch.all(pairs))
  }

  def insertedRows: LogicalPlan =
    Project(inserted.zip(target).map { case (value, c) => Alias(value, c.name)() }, rows)

  /** What the table gets of a row, in a form that can be compared. Of a delete nothing is kept, so all are alike. */
  def identity: Expression = {
    val values = CreateStruct(inserted.map(Comparison.comparable))
    CreateStruct(Seq(isDeleted, If(isDeleted, Literal(null, values.dataType), values)))
  }
}
