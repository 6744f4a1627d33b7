package org.apache.spark.sql.lamina.schema

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

/** Whether two values differ: NULL is a value, and maps are sets of entries, at every depth. */
object Comparison {

  def differ(a: Expression, b: Expression): Expression =
    Not(EqualNullSafe(comparable(a), comparable(b)))

  def anyDiffers(pairs: Seq[(Expression, Expression)]): Expression =
    pairs.map { case (a, b) => differ(a, b) }.reduceOption(Or(_, _)).getOrElse(Literal.FalseLiteral)

  /** The value in a form that Spark can compare and sort. */
  def comparable(value: Expression): Expression = comparable(value, value.dataType)

  /** Whether equal values are the same bytes in Spark's rows, so that their hashes are equal too. */
  def isEqualByBytes(dataType: DataType): Boolean = dataType match {
    case string: StringType => string == StringType
    case _: IntegralType | _: DecimalType | DateType | TimestampType | TimestampNTZType => true
    case BooleanType | BinaryType => true
    case _ => false
  }

  private def comparable(value: Expression, dataType: DataType): Expression = dataType match {
    case _ if isVariant(dataType) => Cast(value, StringType)
    case _ if !needsHelp(dataType) => value
    case struct: StructType =>
      val fields = struct.fields.toSeq.zipWithIndex.flatMap { case (field, i) =>
        Seq(
          Literal(field.name),
          comparable(GetStructField(value, i, Some(field.name)), field.dataType))
      }
      val rebuilt = CreateNamedStruct(fields)
      If(IsNull(value), Literal(null, rebuilt.dataType), rebuilt)
    case ArrayType(element, nullable) =>
      val item = NamedLambdaVariable("item", element, nullable)
      ArrayTransform(value, LambdaFunction(comparable(item, element), Seq(item)))
    case _: MapType =>
      val entries = comparable(MapEntries(value), MapEntries(value).dataType)
      SortArray(entries, Literal.TrueLiteral)
    case _ => value
  }

  private def needsHelp(dataType: DataType): Boolean =
    dataType.existsRecursively(t => t.isInstanceOf[MapType] || isVariant(t))

  // The type exists from Spark 4.0 on.
  private def isVariant(dataType: DataType): Boolean = dataType.typeName == "variant"
}
