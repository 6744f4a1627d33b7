package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.lamina.{LaminaErrors, Sessions}
import org.apache.spark.sql.lamina.rowlevel.{Batch, KeyMatch}
import org.apache.spark.sql.types._

/**
 * What one look at the source tells.
 *
 * @param mostRows of a key; of a key and sequence value where that tells rows apart
 * @param keyBounds holds for every row of the table whose key is in the source
 */
case class BatchFacts(rows: Long, mostRows: Long, keyBounds: Option[Expression])

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
    val keyHasNull = nulls.take(batch.keys.size).contains(true)
    BatchFacts(
      if (facts.isNullAt(0)) 0 else facts.getLong(0),
      if (facts.isNullAt(1)) 0 else facts.getLong(1),
      if (keyHasNull && batch.keyMatch == KeyMatch.NullIsValue) None
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

/** Errors that only the source's rows show, found before anything is written. */
class BatchChecks(session: SparkSession, batch: Batch, table: String) {

  def requireKeys(): Unit = {
    val missing = batch.keys.map(key => IsNull(key.source): Expression).reduce(Or(_, _))
    val rows = samples(Filter(missing, batch.rows), batch.stored)
    if (rows.nonEmpty) throw LaminaErrors.nullKey(table, batch.keys.map(_.name), rows)
  }

  def requireSequence(): Unit = batch.sequence.foreach { column =>
    val rows = samples(Filter(IsNull(column.source), batch.rows), batch.stored)
    if (rows.nonEmpty) throw LaminaErrors.nullSequence(table, column.name, rows)
  }

  /** One row for each key: the latest, where a sequence tells; different rows that nothing tells apart are an error. */
  def latest(): Batch = {
    val key = batch.keys.map(_.source)
    val ranked = batch.sequence.map(_.source).map { sequence =>
      val order = SortOrder(sequence, Descending, NullsLast, Nil)
      val spec = WindowSpecDefinition(
        key,
        Seq(order),
        SpecifiedWindowFrame(RowFrame, UnboundedPreceding, CurrentRow))
      val rank = Alias(WindowExpression(Rank(Seq(sequence)), spec), "rank")()
      val window = Window(Seq(rank), key, Seq(order), batch.rows)
      Filter(EqualTo(rank.toAttribute, Literal(1)), window)
    }
    collapsed(ranked.getOrElse(batch.rows), key, LaminaErrors.duplicateKey(table, _, _))
  }

  /** One row for each key and sequence value. */
  def oncePerSequence(): Batch =
    collapsed(
      batch.rows,
      batch.keys.map(_.source) ++ batch.sequence.map(_.source),
      LaminaErrors.sequenceConflict(table, _, _))

  private def collapsed(
      rows: LogicalPlan,
      by: Seq[Expression],
      error: (Seq[String], Seq[String]) => Throwable): Batch = {
    val identity = batch.identity
    val least = Alias(Min(identity).toAggregateExpression(), "least")()
    val most = Alias(Max(identity).toAggregateExpression(), "most")()
    val any = Alias(
      First(CreateStruct(batch.rows.output), ignoreNulls = false).toAggregateExpression(),
      "row")()
    val groups = Aggregate(by, Seq(least, most, any), rows)
    val columns = batch.rows.output.zipWithIndex.map { case (column, i) =>
      val value = GetStructField(any.toAttribute, i, Some(column.name))
      Alias(value, column.name)(exprId = column.exprId)
    }
    val different = Filter(Not(EqualNullSafe(least.toAttribute, most.toAttribute)), groups)
    val keys = samples(Project(columns, different), by)
    if (keys.nonEmpty) throw error(batch.keys.map(_.name), keys)
    batch.copy(rows = Project(columns, groups))
  }

  private def samples(rows: LogicalPlan, columns: Seq[Expression]): Seq[String] =
    SampleRows.of(session, rows, columns)
}

/** A few rows as text, for an error. */
object SampleRows {

  private val limit = 5

  def of(session: SparkSession, rows: LogicalPlan, columns: Seq[Expression]): Seq[String] = {
    val named = columns.map {
      case column: NamedExpression => column
      case field: GetStructField => Alias(field, field.extractFieldName)()
      case Cast(column: NamedExpression, _, _, _) => Alias(column, column.name)()
      case other => Alias(other, other.sql)()
    }
    val plan = Limit(Literal(limit), Project(named, rows))
    val execution = Sessions.execute(session, plan)
    val types = execution.analyzed.schema
    execution.executedPlan.executeCollectPublic().toSeq.map { row =>
      types.fieldNames.toSeq.zip(row.toSeq).map { case (name, value) =>
        val text = if (value == null) "NULL" else value.toString
        s"$name=${if (text.length > 100) text.take(100) + "…" else text}"
      }.mkString("(", ", ", ")")
    }
  }
}
