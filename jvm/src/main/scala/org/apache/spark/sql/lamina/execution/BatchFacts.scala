package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.lamina.Sessions
import org.apache.spark.sql.lamina.rowlevel.{Batch, KeyMatch}
import org.apache.spark.sql.types._

/**
 * What one look at the source tells.
 *
 * @param mostRows of a key; of a key and sequence value where that tells rows apart
 * @param hasNullKey whether some key column is NULL somewhere
 * @param hasNullSequence the same for the sequence, where that tells rows apart
 * @param keyBounds holds for every row of the table whose key is in the source
 */
case class BatchFacts(
    rows: Long,
    mostRows: Long,
    hasNullKey: Boolean,
    hasNullSequence: Boolean,
    keyBounds: Option[Expression])

object BatchFacts {

  /** @param distinct what tells the rows of one batch apart */
  def of(session: SparkSession, batch: Batch, distinct: Seq[Expression]): BatchFacts = {
    val count = Alias(Count(Literal(1)).toAggregateExpression(), "rows")()
    val named = distinct.zipWithIndex.map { case (e, i) => Alias(e, s"k$i")() }
    val groups = Aggregate(distinct, named :+ count, batch.rows)
    val rows = count.toAttribute
    val bounded = batch.keys.zip(named).collect {
      case (key, column) if hasBounds(key.target.dataType) => (key, column.toAttribute)
    }
    val totals = Seq(Sum(rows), Max(rows)) ++
      bounded.flatMap { case (_, column) => Seq(Min(column), Max(column)) } ++
      named.map(column =>
        Count(If(IsNull(column.toAttribute), Literal(1), Literal(null, IntegerType))))
    val facts = collect(
      session,
      Aggregate(
        Nil,
        totals.zipWithIndex.map { case (f, i) => Alias(f.toAggregateExpression(), s"f$i")() },
        groups)).head
    val bounds = bounded.zipWithIndex.flatMap { case ((key, column), i) =>
      val (low, high) = (2 + 2 * i, 3 + 2 * i)
      if (facts.isNullAt(low)) None
      else Some(And(
        GreaterThanOrEqual(key.target, Literal(facts.get(low, column.dataType), column.dataType)),
        LessThanOrEqual(key.target, Literal(facts.get(high, column.dataType), column.dataType))))
    }
    val nulls = named.indices.map(i => facts.getLong(2 + 2 * bounded.size + i) > 0)
    val (nullKeys, nullSequence) = nulls.splitAt(batch.keys.size)
    val hasNullKey = nullKeys.contains(true)
    BatchFacts(
      if (facts.isNullAt(0)) 0 else facts.getLong(0),
      if (facts.isNullAt(1)) 0 else facts.getLong(1),
      hasNullKey,
      nullSequence.contains(true),
      if (hasNullKey && batch.keyMatch == KeyMatch.NullIsValue) None
      else bounds.reduceOption[Expression](And(_, _)))
  }

  /** Types whose smallest and greatest values Iceberg keeps for each file. */
  private def hasBounds(dataType: DataType): Boolean = dataType match {
    case _: IntegralType | _: DecimalType | DateType | TimestampType | TimestampNTZType => true
    case StringType => true
    case _ => false
  }

  def collect(session: SparkSession, plan: LogicalPlan): Seq[InternalRow] =
    Sessions.execute(session, plan).executedPlan.executeCollect().toSeq
}

object RowCount {

  def of(session: SparkSession, rows: LogicalPlan): Long = {
    val count = Alias(Count(Literal(1)).toAggregateExpression(), "rows")()
    BatchFacts.collect(session, Aggregate(Nil, Seq(count), rows)).head.getLong(0)
  }
}
