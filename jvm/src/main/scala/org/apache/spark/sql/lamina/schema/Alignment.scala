package org.apache.spark.sql.lamina.schema

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.types._

/** Brings the columns of a source into the shape of its target: order, types, NULL where it has none. */
object Alignment {

  def columns(
      source: Seq[Attribute],
      target: StructType,
      sameName: NameMatch): Seq[NamedExpression] = {
    val inSource = sameName.lookup(DataTypeUtils.fromAttributes(source))
    val byName = source.map(column => column.name -> column).toMap
    target.fields.toSeq.map { field =>
      val value = inSource(field.name).map(found => byName(found.name)) match {
        case Some(column) => align(column, column.dataType, field.dataType, sameName)
        case None => Literal(null, field.dataType)
      }
      Alias(value, field.name)()
    }
  }

  private def align(
      value: Expression,
      from: DataType,
      to: DataType,
      sameName: NameMatch): Expression = (from, to) match {
    case _ if DataTypeUtils.equalsIgnoreNullability(from, to) => value
    case (source: StructType, target: StructType) => struct(value, source, target, sameName)
    case (ArrayType(source, nullable), ArrayType(target, _)) =>
      val element = NamedLambdaVariable("element", source, nullable)
      ArrayTransform(
        value,
        LambdaFunction(align(element, source, target, sameName), Seq(element)))
    case (MapType(fromKey, fromValue, nullable), MapType(toKey, toValue, _)) =>
      val key = NamedLambdaVariable("key", fromKey, nullable = false)
      val item = NamedLambdaVariable("value", fromValue, nullable)
      val keys =
        TransformKeys(value, LambdaFunction(align(key, fromKey, toKey, sameName), Seq(key, item)))
      val newKey = NamedLambdaVariable("key", toKey, nullable = false)
      TransformValues(
        keys,
        LambdaFunction(align(item, fromValue, toValue, sameName), Seq(newKey, item)))
    case _ => Cast(value, to)
  }

  private def struct(
      value: Expression,
      source: StructType,
      target: StructType,
      sameName: NameMatch): Expression = {
    val inSource = sameName.lookup(source)
    val fields = target.fields.toSeq.flatMap { field =>
      val aligned = inSource(field.name) match {
        case Some(found) =>
          val read = GetStructField(value, source.fieldIndex(found.name), Some(found.name))
          align(read, found.dataType, field.dataType, sameName)
        case None => Literal(null, field.dataType)
      }
      Seq(Literal(field.name), aligned)
    }
    If(IsNull(value), Literal(null, target), CreateNamedStruct(fields))
  }
}
