package org.apache.spark.sql.lamina.schema

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, GetStructField}
import org.apache.spark.sql.types.StructType

/** A column, or a field inside one, by its name. */
object ColumnPath {

  def find(columns: Seq[Attribute], path: Seq[String], sameName: NameMatch): Option[Expression] =
    columns.find(c => sameName.same(c.name, path.head)).flatMap { column =>
      path.tail.foldLeft(Option[Expression](column)) { (found, name) =>
        found.flatMap(field(_, name, sameName))
      }
    }

  private def field(of: Expression, name: String, sameName: NameMatch): Option[Expression] =
    of.dataType match {
      case struct: StructType =>
        val i = struct.fieldNames.indexWhere(sameName.same(_, name))
        if (i < 0) None else Some(GetStructField(of, i, Some(struct.fieldNames(i))))
      case _ => None
    }
}
