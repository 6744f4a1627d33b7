package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.lamina.Sessions

/**
 * Spark's own rewrite of a MERGE that updates and inserts whole rows. Its write node, and the layout of
 * the rows that node expects, are used for rows that we find ourselves.
 *
 * @param read the table as the operation reads it: its columns, then the row's identifiers
 * @param columns the columns of the table
 * @param values stand for the new values in `update` and `insert`
 */
case class MergeTemplate(
    write: V2WriteCommand,
    read: DataSourceV2Relation,
    columns: Seq[Attribute],
    values: Seq[Attribute],
    update: Seq[Seq[Expression]],
    insert: Seq[Expression],
    copy: Option[Seq[Expression]])

object MergeTemplate {

  def of(session: SparkSession, table: DataSourceV2Relation): MergeTemplate = {
    val values = table.output.map(c => AttributeReference(c.name, c.dataType, c.nullable)())
    val assignments = table.output.zip(values).map { case (to, from) => Assignment(to, from) }
    val merge = MergePlans.merge(
      table,
      LocalRelation(values),
      Literal.TrueLiteral,
      Seq(UpdateAction(None, assignments)),
      Seq(InsertAction(None, assignments)))
    val write = Sessions.execute(session, merge).analyzed.collectFirst {
      case write: V2WriteCommand => write
    }.get
    val rows = write.collectFirst { case rows: MergeRows => rows }.get
    MergeTemplate(
      write,
      rows.collectFirst { case relation: DataSourceV2Relation => relation }.get,
      table.output,
      values,
      rows.matchedInstructions.head.outputs,
      rows.notMatchedInstructions.head.outputs.head,
      if (write.isInstanceOf[ReplaceData]) rows.matchedInstructions(1).outputs.headOption else None)
  }
}
