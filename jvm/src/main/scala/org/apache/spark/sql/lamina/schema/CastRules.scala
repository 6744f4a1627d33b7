package org.apache.spark.sql.lamina.schema

import org.apache.spark.sql.types._

/** Which types may be stored as which others: only where every value stays what it is. */
object CastRules {

  /** Whether every value of `source` is also a value of `target`. Not for struct, array and map. */
  def canStore(source: DataType, target: DataType): Boolean = (source, target) match {
    case (same, other) if same == other => true
    case (NullType, _) => true
    case (_: CharType | _: VarcharType | _: StringType, StringType) => true
    case (from: IntegralType, to: IntegralType) => from.defaultSize <= to.defaultSize
    case (from: IntegralType, to: DecimalType) => to.precision - to.scale >= digits(from)
    case (ByteType | ShortType | IntegerType, DoubleType) => true
    case (FloatType, DoubleType) => true
    case (from: DecimalType, to: DecimalType) =>
      to.scale >= from.scale && to.precision - to.scale >= from.precision - from.scale
    case _ => false
  }

  private def digits(integral: IntegralType): Int = integral match {
    case ByteType => 3
    case ShortType => 5
    case IntegerType => 10
    case _ => 19
  }
}
