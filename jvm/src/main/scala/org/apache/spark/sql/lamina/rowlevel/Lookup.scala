package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.lamina.schema.Comparison

/** How rows that are sent to every task are found there. */
object Lookup {

  /**
   * Equality by a number that is spread evenly. Spark's own table of numbers becomes a list where keys come at
   * even distances, and texts take long to compare.
   */
  def same(pairs: Seq[(Expression, Expression)]): Expression =
    if (!hasNumber(pairs.map(_._1))) {
      pairs.map { case (a, b) => EqualTo(a, b) }.reduce[Expression](And(_, _))
    } else {
      val sameNumber = EqualTo(number(pairs.map(_._1)), number(pairs.map(_._2)))
      // The same as an equality, which Spark would look the rows up by.
      val sameValues = pairs.map { case (a, b) =>
        And(LessThanOrEqual(a, b), GreaterThanOrEqual(a, b))
      }
      (sameNumber +: sameValues).reduce[Expression](And(_, _))
    }

  /** The same for equal values; rarely for others. */
  def number(values: Seq[Expression]): Expression = XxHash64(values, 42L)

  def hasNumber(values: Seq[Expression]): Boolean =
    values.forall(value => Comparison.isEqualByBytes(value.dataType))
}
