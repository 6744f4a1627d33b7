package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Limit, LogicalPlan, Project}

/** A few rows as text, for an error. */
object SampleRows {

  private val maxRows = 5
  private val maxCharacters = 100

  def of(session: SparkSession, rows: LogicalPlan, columns: Seq[Expression]): Seq[String] = {
    val texts = columns.map(column => Alias(ToPrettyString(column), "text")())
    val names = columns.map(nameOf)
    BatchFacts.collect(session, Limit(Literal(maxRows), Project(texts, rows))).map { row =>
      names.zipWithIndex
        .map { case (name, i) => s"$name=${shortened(row.getUTF8String(i).toString)}" }
        .mkString("(", ", ", ")")
    }
  }

  private def nameOf(column: Expression): String = column match {
    case cast: Cast => nameOf(cast.child)
    case field: GetStructField => s"${nameOf(field.child)}.${field.extractFieldName}"
    case attribute: Attribute => attribute.name
    case other => other.sql
  }

  private def shortened(text: String): String =
    if (text.length > maxCharacters) text.take(maxCharacters) + "…" else text
}
