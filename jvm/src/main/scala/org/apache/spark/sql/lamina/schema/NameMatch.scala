package org.apache.spark.sql.lamina.schema

import java.util.Locale

import org.apache.spark.sql.types.{ArrayType, DataType, MapType, StructField, StructType}

/** How column names are matched: `spark.sql.caseSensitive` decides. */
sealed abstract class NameMatch {

  protected def key(name: String): String

  def same(a: String, b: String): Boolean = key(a) == key(b)

  /** Looks fields up by name. The first of several that are one column under this rule wins. */
  def lookup(schema: StructType): String => Option[StructField] = {
    val byKey = schema.fields.reverseIterator.map(field => key(field.name) -> field).toMap
    name => byKey.get(key(name))
  }

  /** Names that are one column under this rule, each group in its order; empty when all differ. */
  def clashes(names: Seq[String]): Seq[Seq[String]] =
    names.groupBy(key).values.filter(_.size > 1).toSeq.sortBy(group => names.indexOf(group.head))

  /** The same for the columns of a schema and the fields of its structs at every depth, as paths. */
  def clashes(schema: StructType): Seq[Seq[Seq[String]]] = clashes(schema, Nil)

  private def clashes(dataType: DataType, path: Seq[String]): Seq[Seq[Seq[String]]] =
    dataType match {
      case struct: StructType =>
        clashes(struct.fieldNames.toSeq).map(_.map(path :+ _)) ++
          struct.fields.flatMap(field => clashes(field.dataType, path :+ field.name))
      case array: ArrayType => clashes(array.elementType, path :+ "element")
      case map: MapType =>
        clashes(map.keyType, path :+ "key") ++ clashes(map.valueType, path :+ "value")
      case _ => Nil
    }
}

object NameMatch {

  def apply(caseSensitive: Boolean): NameMatch = if (caseSensitive) Exact else IgnoreCase

  case object Exact extends NameMatch {
    override protected def key(name: String): String = name
  }

  case object IgnoreCase extends NameMatch {
    override protected def key(name: String): String = name.toLowerCase(Locale.ROOT)
  }
}
