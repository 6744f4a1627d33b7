package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.util.TypeUtils
import org.apache.spark.sql.execution.LocalTableScanExec
import org.apache.spark.sql.lamina.Sessions
import org.apache.spark.sql.lamina.rowlevel.{Batch, KeyMatch}
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
    val named = distinct.zipWithIndex.map { case (e, i) => Alias(e, s"k$i")() }
    val columns = KeyColumns(Project(named, Pinned.local(batch.rows)), named.map(_.dataType))
    val seen = columns.look(session)
    val bounds = batch.keys.zip(seen.ranges).flatMap { case (key, range) =>
      range.map { case (low, high) =>
        val dataType = key.source.dataType
        And(
          GreaterThanOrEqual(key.target, Literal(low, dataType)),
          LessThanOrEqual(key.target, Literal(high, dataType)))
      }
    }
    val (nullKeys, nullSequence) = seen.hasNull.splitAt(batch.keys.size)
    val hasNullKey = nullKeys.contains(true)
    BatchFacts(
      seen.rows,
      seen.looksUnique || columns.areUnique(session),
      hasNullKey,
      nullSequence.contains(true),
      if (hasNullKey && batch.keyMatch == KeyMatch.NullIsValue) None
      else bounds.reduceOption[Expression](And(_, _)))
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
private case class KeyColumns(plan: LogicalPlan, dataTypes: Seq[DataType]) {

  /** In one pass, with nothing sent from task to task. */
  def look(session: SparkSession): KeysSeen = {
    val types = dataTypes
    val execution = Sessions.execute(session, plan)
    execution.executedPlan match {
      case local: LocalTableScanExec => KeysSeen.of(local.executeCollect().iterator, types)
      case _ =>
        val parts =
          execution.toRdd.mapPartitions(rows => Iterator.single(KeysSeen.of(rows, types))).collect()
        parts.foldLeft(KeysSeen.of(Iterator.empty, types))(_.and(_, types))
    }
  }

  def areUnique(session: SparkSession): Boolean = {
    val count = Alias(Count(Literal(1)).toAggregateExpression(), "rows")()
    val groups = Aggregate(plan.output, plan.output :+ count, plan)
    val several = Filter(GreaterThan(count.toAttribute, Literal(1L)), groups)
    BatchFacts.collect(session, Limit(Literal(1), several)).isEmpty
  }
}

/**
 * What one look at some rows tells of their columns.
 *
 * @param hashes of the rows, as long as they are not too many to be kept
 * @param ranges smallest and greatest value of each column; nothing where all are NULL, or Iceberg keeps none
 */
private case class KeysSeen(
    rows: Long,
    hashes: Option[Array[Long]],
    hasNull: Seq[Boolean],
    ranges: Seq[Option[(Any, Any)]]) {

  /** True only if no two rows are the same. */
  def looksUnique: Boolean = hashes.exists { kept =>
    val sorted = kept.clone()
    java.util.Arrays.sort(sorted)
    !(1 until sorted.length).exists(i => sorted(i) == sorted(i - 1))
  }

  def and(other: KeysSeen, dataTypes: Seq[DataType]): KeysSeen = KeysSeen(
    rows + other.rows,
    for (a <- hashes; b <- other.hashes if a.length + b.length <= KeysSeen.MaxHashes) yield a ++ b,
    hasNull.zip(other.hasNull).map { case (a, b) => a || b },
    dataTypes.indices.map { i =>
      val both = ranges(i).toSeq ++ other.ranges(i)
      lazy val order = TypeUtils.getInterpretedOrdering(dataTypes(i))
      if (both.isEmpty) None else Some((both.map(_._1).min(order), both.map(_._2).max(order)))
    })
}

private object KeysSeen {

  private val MaxHashes = 1000000

  def of(rows: Iterator[InternalRow], dataTypes: Seq[DataType]): KeysSeen = {
    val columns = dataTypes.zipWithIndex.map { case (dataType, i) => new ColumnSeen(dataType, i) }
    val hashable = dataTypes.forall(isEqualByBytes)
    val hashes = Array.newBuilder[Long]
    var count = 0L
    rows.foreach { row =>
      columns.foreach(_.add(row))
      if (hashable && count < MaxHashes) hashes += hash(row.asInstanceOf[UnsafeRow])
      count += 1
    }
    KeysSeen(
      count,
      if (hashable && count <= MaxHashes) Some(hashes.result()) else None,
      columns.map(_.hasNull),
      columns.map(_.range))
  }

  private def hash(row: UnsafeRow): Long =
    XXH64.hashUnsafeBytes(row.getBaseObject, row.getBaseOffset, row.getSizeInBytes, 42L)

  /** Equal values of other types may have different bytes. */
  private def isEqualByBytes(dataType: DataType): Boolean = dataType match {
    case string: StringType => string == StringType
    case _: IntegralType | _: DecimalType | DateType | TimestampType | TimestampNTZType => true
    case BooleanType | BinaryType => true
    case _ => false
  }
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
