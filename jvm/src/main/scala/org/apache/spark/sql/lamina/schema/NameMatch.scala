package org.apache.spark.sql.lamina.schema

import java.util.Locale

import org.apache.spark.sql.types.{StructField, StructType}

/** How column names are matched: `spark.sql.caseSensitive` decides. */
sealed abstract class NameMatch {

  protected def key(name: String): String

  def same(a: String, b: String): Boolean = key(a) == key(b)

  /** Looks fields up by name. The first of several that are one column under this rule wins. */
  def lookup(schema: StructType): String => Option[StructField] = {
    val byKey = schema.fields.reverseIterator.map(field => key(field.name) -> field).toMap
    name => byKey.get(key(name))
  }

  /**
   * Paths that are one under this rule, each group in its order; empty when all differ. Iceberg finds
   * fields by their names joined with dots, so a column `a.b` and the field `b` of `a` are one as well.
   */
  def clashes(paths: Seq[Seq[String]]): Seq[Seq[Seq[String]]] =
    paths
      .groupBy(path => key(path.mkString(".")))
      .values
      .filter(_.size > 1)
      .toSeq
      .sortBy(group => paths.indexOf(group.head))
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
