package org.apache.spark.sql.lamina.schema

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.{CatalystTypeConverters, InternalRow}
import org.apache.spark.sql.catalyst.expressions.{BindReferences, Expression}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.types.StructType

/** Evaluates aligned columns on a row, with no session. */
object Rows {

  /** The columns that [[Alignment]] makes of the source, as a row of the target. */
  def align(row: Row, source: StructType, target: StructType, sameName: NameMatch): Row = {
    val input = DataTypeUtils.toAttributes(source)
    val columns = Alignment.columns(input, target, sameName)
    val internal = CatalystTypeConverters
      .createToCatalystConverter(source)(row)
      .asInstanceOf[InternalRow]
    val values = columns.map { column =>
      val bound = BindReferences.bindReference[Expression](column, input)
      CatalystTypeConverters.createToScalaConverter(column.dataType)(bound.eval(internal))
    }
    Row.fromSeq(values)
  }
}
