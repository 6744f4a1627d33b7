package org.apache.spark.sql.lamina.schema

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.types._

/** Brings the columns of a source into the shape of its target: order, types, NULL where it has none. */
object Alignment {

  def columns(
      source: Seq[Attribute],
      target: StructType,
      sameName: NameMatch): Seq[Alias] = {
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

  /** The row after an update: what the source has is the source's, what it lacks stays the target's. */
  def updates(
      source: Seq[Attribute],
      target: Seq[Attribute],
      sameName: NameMatch): Seq[Expression] =
    target.map { column =>
      source.find(c => sameName.same(c.name, column.name)) match {
        case Some(found) => update(found, found.dataType, column, column.dataType, sameName)
        case None => column
      }
    }

  /** Inside arrays and maps there is no old value to keep: it could be that of another element. */
  private def update(
      value: Expression,
      from: DataType,
      old: Expression,
      to: DataType,
      sameName: NameMatch): Expression = (from, to) match {
    case _ if DataTypeUtils.equalsIgnoreNullability(from, to) => value
    case (source: StructType, target: StructType) =>
      val inSource = sameName.lookup(source)
      val fields = target.fields.toSeq.zipWithIndex.flatMap { case (field, i) =>
        val before = GetStructField(old, i, Some(field.name))
        val after = inSource(field.name) match {
          case Some(found) =>
            val read = GetStructField(value, source.fieldIndex(found.name), Some(found.name))
            update(read, found.dataType, before, field.dataType, sameName)
          case None => before
        }
        Seq(Literal(field.name), after)
      }
      val updated = CreateNamedStruct(fields)
      // A struct that is NULL in the source says nothing about the fields that the source does not have.
      val nothingKept = updated.valExprs.map(v => IsNull(v): Expression).reduce(And(_, _))
      If(And(IsNull(value), nothingKept), Literal(null, target), updated)
    case _ => align(value, from, to, sameName)
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
