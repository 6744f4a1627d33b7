package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.lamina.LaminaErrors
import org.apache.spark.sql.lamina.rowlevel.Batch

/** Errors that only the source's rows show, found before anything is written. */
class BatchChecks(session: SparkSession, batch: Batch, table: String) {

  def nullKeys: Throwable = LaminaErrors.nullKey(
    table,
    batch.keys.map(_.name),
    rowsWithNull(batch.keys.map(_.source)))

  def nullSequence: Throwable = LaminaErrors.nullSequence(
    table,
    batch.sequence.map(_.name).mkString,
    rowsWithNull(batch.sequence.map(_.source).toSeq))

  private def rowsWithNull(columns: Seq[Expression]): Seq[String] = {
    val missing = columns.map(column => IsNull(column): Expression).reduce(Or(_, _))
    samples(Filter(missing, batch.rows), batch.stored)
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
    collapsed(
      ranked.getOrElse(batch.rows),
      key,
      LaminaErrors.duplicateKey(table, batch.keys.map(_.name), _))
  }

  /** One row for each key and sequence value. */
  def oncePerSequence(): Batch =
    collapsed(
      batch.rows,
      batch.keys.map(_.source) ++ batch.sequence.map(_.source),
      LaminaErrors.sequenceConflict(
        table,
        batch.keys.map(_.name) ++ batch.sequence.map(_.name),
        _))

  private def collapsed(
      rows: LogicalPlan,
      by: Seq[Expression],
      error: Seq[String] => Throwable): Batch = {
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
    if (keys.nonEmpty) throw error(keys)
    batch.copy(rows = Project(columns, groups))
  }

  private def samples(rows: LogicalPlan, columns: Seq[Expression]): Seq[String] =
    SampleRows.of(session, rows, columns)
}
