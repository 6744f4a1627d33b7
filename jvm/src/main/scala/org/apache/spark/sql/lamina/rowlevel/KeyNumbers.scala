package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.catalyst.expressions.{Expression, Predicate, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}

/**
 * The numbers of a batch's keys, in so little room that it stays near the processor: a table's row that has none
 * of these keys is passed over without a look at the batch.
 */
final class KeyNumbers private (words: Array[Long]) extends Serializable {

  private val mask = words.length * 64 - 1

  /** Always true for a number that is there, rarely for another. */
  def mayHave(number: Long): Boolean = {
    val bit = number.toInt & mask
    (words(bit >>> 6) & (1L << bit)) != 0
  }
}

object KeyNumbers {

  private val bitsPerKey = 12

  def of(numbers: Array[Long]): KeyNumbers = {
    val bits = Integer.highestOneBit(math.max(numbers.length * bitsPerKey, 64) * 2 - 1)
    val words = new Array[Long](bits / 64)
    numbers.foreach { number =>
      val bit = number.toInt & (bits - 1)
      words(bit >>> 6) |= 1L << bit
    }
    new KeyNumbers(words)
  }
}

/** Whether a number may be that of a key. */
case class HasKeyNumber(child: Expression, numbers: KeyNumbers) extends UnaryExpression
    with Predicate {

  override def nullable: Boolean = false

  override protected def nullSafeEval(number: Any): Any = numbers.mayHave(number.asInstanceOf[Long])

  override protected def doGenCode(context: CodegenContext, code: ExprCode): ExprCode = {
    val known = context.addReferenceObj("numbers", numbers)
    defineCodeGen(context, code, number => s"$known.mayHave($number)")
  }

  override def toString: String = s"$child in batch"

  override protected def withNewChildInternal(child: Expression): Expression = copy(child = child)
}
