package org.apache.spark.sql.lamina.schema

import org.apache.spark.sql.lamina.settings.ColumnList
import org.apache.spark.sql.types._

/** A field that the target lacks: `parent` is empty for a column, else the path of its struct. */
case class NewField(parent: Seq[String], field: StructField) {
  def path: Seq[String] = parent :+ field.name
  def name: String = ColumnList.name(path)
}

/** A field that the source lacks. */
case class MissingField(path: Seq[String], nullable: Boolean) {
  def name: String = ColumnList.name(path)
}

/** A field whose values the target cannot hold without loss. */
case class TypeChange(path: Seq[String], source: DataType, target: DataType) {
  def name: String = ColumnList.name(path)
}

/** Where the fields of a schema are, at every depth: columns first, then what is inside each. */
object FieldPaths {

  def of(schema: StructType): Seq[Seq[String]] = inside(schema, Nil)

  def of(added: NewField): Seq[Seq[String]] = added.path +: inside(added.field.dataType, added.path)

  private def inside(dataType: DataType, path: Seq[String]): Seq[Seq[String]] = dataType match {
    case struct: StructType =>
      struct.fieldNames.toSeq.map(path :+ _) ++
        struct.fields.flatMap(field => inside(field.dataType, path :+ field.name))
    case array: ArrayType => inside(array.elementType, path :+ "element")
    case map: MapType =>
      inside(map.keyType, path :+ "key") ++ inside(map.valueType, path :+ "value")
    case _ => Nil
  }
}

/**
 * What differs between a source and its target, at every depth. Elements of arrays and keys and values
 * of maps have the path parts `element`, `key` and `value`, as in Iceberg.
 */
case class SchemaDiff(
    added: Seq[NewField],
    missing: Seq[MissingField],
    typeChanges: Seq[TypeChange]) {

  private def ++(other: SchemaDiff): SchemaDiff =
    SchemaDiff(added ++ other.added, missing ++ other.missing, typeChanges ++ other.typeChanges)
}

object SchemaDiff {

  val none: SchemaDiff = SchemaDiff(Nil, Nil, Nil)

  def compare(source: StructType, target: StructType, sameName: NameMatch): SchemaDiff =
    fields(source, target, Nil, sameName)

  private def fields(
      source: StructType,
      target: StructType,
      path: Seq[String],
      sameName: NameMatch): SchemaDiff = {
    val inSource = sameName.lookup(source)
    val inTarget = sameName.lookup(target)
    val added = source.fields.filter(field => inTarget(field.name).isEmpty)
    val missing = target.fields.filter(field => inSource(field.name).isEmpty)
    val common = for {
      field <- source.fields.toSeq
      other <- inTarget(field.name)
    } yield types(field.dataType, other.dataType, path :+ other.name, sameName)
    common.foldLeft(
      SchemaDiff(
        added.toSeq.map(NewField(path, _)),
        missing.toSeq.map(field => MissingField(path :+ field.name, field.nullable)),
        Nil))(_ ++ _)
  }

  private def types(
      source: DataType,
      target: DataType,
      path: Seq[String],
      sameName: NameMatch): SchemaDiff = (source, target) match {
    case (from: StructType, to: StructType) => fields(from, to, path, sameName)
    case (ArrayType(from, _), ArrayType(to, _)) => types(from, to, path :+ "element", sameName)
    case (MapType(fromKey, fromValue, _), MapType(toKey, toValue, _)) =>
      keys(fromKey, toKey, path :+ "key", sameName) ++
        types(fromValue, toValue, path :+ "value", sameName)
    case (from, to) if CastRules.canStore(from, to) => none
    case (from, to) => SchemaDiff(Nil, Nil, Seq(TypeChange(path, from, to)))
  }

  /** The fields of a map's keys are fixed: without one of them, two keys could be the same. */
  private def keys(
      source: DataType,
      target: DataType,
      path: Seq[String],
      sameName: NameMatch): SchemaDiff = {
    val diff = types(source, target, path, sameName)
    if (diff.added.isEmpty && diff.missing.isEmpty) diff
    else SchemaDiff(Nil, Nil, Seq(TypeChange(path, source, target)))
  }
}
