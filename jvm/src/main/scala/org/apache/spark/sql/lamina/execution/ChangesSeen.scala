package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, BindReferences, Expression, UnsafeProjection}
import org.apache.spark.sql.lamina.rowlevel.{ChangedRows, ChangeKind, Lookup}

/**
 * What one look at changed rows tells.
 *
 * @param counts how many of each kind, by its code
 * @param numbers of the keys of those that the table has, as long as they are not too many to be kept
 */
private[execution] case class ChangesSeen(counts: Seq[Long], numbers: Option[Array[Long]]) {

  def count(kind: ChangeKind): Long = counts(kind.code)

  def rows: Long = counts.sum

  def and(other: ChangesSeen): ChangesSeen = ChangesSeen(
    counts.zip(other.counts).map { case (a, b) => a + b },
    KeysSeen.together(numbers, other.numbers))

  /** True only if each key is there once. */
  def hasEachKeyOnce: Boolean = numbers.exists(KeysSeen.areDistinct)
}

private[execution] object ChangesSeen {

  private val kinds = ChangeKind.all.map(_.code).max + 1

  val none: ChangesSeen = ChangesSeen(Seq.fill(kinds)(0L), Some(Array.emptyLongArray))

  /** @param keys the key columns among the values of the rows */
  def look(changed: ChangedRows, keys: Seq[Expression]): Iterator[InternalRow] => ChangesSeen = {
    val columns: Seq[Attribute] = changed.plan.output
    val number = if (Lookup.hasNumber(keys)) Some(Lookup.number(keys)) else None
    val looked =
      (changed.kind +: number.toSeq).map(e => BindReferences.bindReference[Expression](e, columns))
    val numbered = number.nonEmpty
    rows => of(rows.map(UnsafeProjection.create(looked)), numbered)
  }

  private def of(rows: Iterator[InternalRow], numbered: Boolean): ChangesSeen = {
    val counts = new Array[Long](kinds)
    val numbers = new NumbersSeen(numbered)
    rows.foreach { row =>
      val kind = row.getInt(0)
      counts(kind) += 1
      if (kind != ChangeKind.Insert.code) numbers.add(row, 1)
    }
    ChangesSeen(counts.toSeq, numbers.result)
  }
}
