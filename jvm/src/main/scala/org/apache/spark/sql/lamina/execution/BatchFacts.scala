package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.util.TypeUtils
import org.apache.spark.sql.execution.LocalTableScanExec
import org.apache.spark.sql.lamina.Sessions
import org.apache.spark.sql.lamina.rowlevel.{Batch, HasKeyNumber, KeyMatch, KeyNumbers, Lookup}
import org.apache.spark.sql.types._

/**
 * What is known of a batch before it meets the table.
 *
 * @param rows how many
 * @param unique whether no two rows have the same key; and sequence value, where that tells rows apart
 * @param hasNullKey whether some key column is NULL somewhere
 * @param hasNullSequence the same for the sequence, where that tells rows apart
 * @param keyBounds holds for every row of the table whose key is in the source
 */
case class BatchFacts(
    rows: Long,
    unique: Boolean,
    hasNullKey: Boolean,
    hasNullSequence: Boolean,
    keyBounds: Option[Expression])

object BatchFacts {

  /** @param distinct what tells the rows of one batch apart: its keys, and what follows them */
  def of(session: SparkSession, batch: Batch, distinct: Seq[Expression]): BatchFacts = {
    val columns = KeyColumns(Pinned.local(batch.rows), distinct)
    val seen = columns.look(session)
    val (nullKeys, nullSequence) = seen.hasNull.splitAt(batch.keys.size)
    val hasNullKey = nullKeys.contains(true)
    val inRange =
      if (hasNullKey && batch.keyMatch == KeyMatch.NullIsValue) Nil
      else ranges(batch, seen)
    BatchFacts(
      seen.rows,
      seen.looksUnique || columns.areUnique(session),
      hasNullKey,
      nullSequence.contains(true),
      (inRange ++ hasNumber(batch, distinct, seen)).reduceOption[Expression](And(_, _)))
  }

  private def ranges(batch: Batch, seen: KeysSeen): Seq[Expression] =
    batch.keys.zip(seen.ranges).flatMap { case (key, range) =>
      range.map { case (low, high) =>
        val dataType = key.source.dataType
        And(
          GreaterThanOrEqual(key.target, Literal(low, dataType)),
          LessThanOrEqual(key.target, Literal(high, dataType)))
      }
    }

  private def hasNumber(
      batch: Batch,
      distinct: Seq[Expression],
      seen: KeysSeen): Option[Expression] =
    seen.numbers.filter(_ => distinct.size == batch.keys.size).map { numbers =>
      HasKeyNumber(Lookup.number(batch.keys.map(_.target)), KeyNumbers.of(numbers))
    }

  /** Types whose smallest and greatest values Iceberg keeps for each file. */
  private[execution] def hasBounds(dataType: DataType): Boolean = dataType match {
    case _: IntegralType | _: DecimalType | DateType | TimestampType | TimestampNTZType => true
    case StringType => true
    case _ => false
  }

  def collect(session: SparkSession, plan: LogicalPlan): Seq[InternalRow] =
    Sessions.execute(session, plan).executedPlan.executeCollect().toSeq
}

/** The columns of a batch that tell its rows apart. */
private case class KeyColumns(rows: LogicalPlan, columns: Seq[Expression]) {

  private val named = columns.zipWithIndex.map { case (e, i) => Alias(e, s"k$i")() }
  private val number =
    if (Lookup.hasNumber(columns)) Some(Alias(Lookup.number(columns), "number")()) else None

  /** In one pass, with nothing sent from task to task. */
  def look(session: SparkSession): KeysSeen = {
    val types = columns.map(_.dataType)
    val numbered = number.nonEmpty
    val execution = Sessions.execute(session, Project(named ++ number, rows))
    execution.executedPlan match {
      case local: LocalTableScanExec =>
        KeysSeen.of(local.executeCollect().iterator, types, numbered)
      case _ =>
        val parts = execution.toRdd
          .mapPartitions(rows => Iterator.single(KeysSeen.of(rows, types, numbered)))
          .collect()
        parts.foldLeft(KeysSeen.of(Iterator.empty, types, numbered))(_.and(_, types))
    }
  }

  def areUnique(session: SparkSession): Boolean = {
    val keys = named.map(_.toAttribute)
    val count = Alias(Count(Literal(1)).toAggregateExpression(), "rows")()
    val groups = Aggregate(keys, keys :+ count, Project(named, rows))
    val several = Filter(GreaterThan(count.toAttribute, Literal(1L)), groups)
    BatchFacts.collect(session, Limit(Literal(1), several)).isEmpty
  }
}

/**
 * What one look at some rows tells of their columns.
 *
 * @param numbers of the rows' columns, as long as they are not too many to be kept
 * @param ranges smallest and greatest value of each column; nothing where all are NULL, or Iceberg keeps none
 */
private case class KeysSeen(
    rows: Long,
    numbers: Option[Array[Long]],
    hasNull: Seq[Boolean],
    ranges: Seq[Option[(Any, Any)]]) {

  /** True only if no two rows are the same. */
  def looksUnique: Boolean = numbers.exists(KeysSeen.areDistinct)

  def and(other: KeysSeen, dataTypes: Seq[DataType]): KeysSeen = KeysSeen(
    rows + other.rows,
    KeysSeen.together(numbers, other.numbers),
    hasNull.zip(other.hasNull).map { case (a, b) => a || b },
    dataTypes.indices.map { i =>
      val both = ranges(i).toSeq ++ other.ranges(i)
      lazy val order = TypeUtils.getInterpretedOrdering(dataTypes(i))
      if (both.isEmpty) None else Some((both.map(_._1).min(order), both.map(_._2).max(order)))
    })
}

private object KeysSeen {

  val MaxNumbers = 1000000

  def together(a: Option[Array[Long]], b: Option[Array[Long]]): Option[Array[Long]] =
    for (a <- a; b <- b if a.length + b.length <= MaxNumbers) yield a ++ b

  def areDistinct(numbers: Array[Long]): Boolean = {
    val sorted = numbers.clone()
    java.util.Arrays.sort(sorted)
    !(1 until sorted.length).exists(i => sorted(i) == sorted(i - 1))
  }

  /** @param numbered whether the column behind these is their number */
  def of(rows: Iterator[InternalRow], dataTypes: Seq[DataType], numbered: Boolean): KeysSeen = {
    val columns = dataTypes.zipWithIndex.map { case (dataType, i) => new ColumnSeen(dataType, i) }
    val numbers = new NumbersSeen(numbered)
    var count = 0L
    rows.foreach { row =>
      columns.foreach(_.add(row))
      numbers.add(row, dataTypes.size)
      count += 1
    }
    KeysSeen(
      count,
      numbers.result,
      columns.map(_.hasNull),
      columns.map(_.range))
  }
}

/** The numbers in a column, if there is one with numbers. */
private class NumbersSeen(numbered: Boolean) {

  private val kept = Array.newBuilder[Long]
  private var count = 0

  def add(row: InternalRow, i: Int): Unit =
    if (numbered && count <= KeysSeen.MaxNumbers) {
      kept += row.getLong(i)
      count += 1
    }

  def result: Option[Array[Long]] =
    if (numbered && count <= KeysSeen.MaxNumbers) Some(kept.result()) else None
}

private class ColumnSeen(dataType: DataType, i: Int) {

  private val isRange = BatchFacts.hasBounds(dataType)
  private lazy val order = TypeUtils.getInterpretedOrdering(dataType)

  var hasNull = false
  var range: Option[(Any, Any)] = None

  def add(row: InternalRow): Unit =
    if (row.isNullAt(i)) hasNull = true
    else if (isRange) widen(row.get(i, dataType))

  private def widen(value: Any): Unit = range = range match {
    case None => val kept = InternalRow.copyValue(value); Some((kept, kept))
    case Some((low, high)) if order.lt(value, low) => Some((InternalRow.copyValue(value), high))
    case Some((low, high)) if order.gt(value, high) => Some((low, InternalRow.copyValue(value)))
    case same => same
  }
}

object RowCount {

  def of(session: SparkSession, rows: LogicalPlan): Long = {
    val count = Alias(Count(Literal(1)).toAggregateExpression(), "rows")()
    BatchFacts.collect(session, Aggregate(Nil, Seq(count), rows)).head.getLong(0)
  }
}
