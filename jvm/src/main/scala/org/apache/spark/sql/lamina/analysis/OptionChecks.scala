package org.apache.spark.sql.lamina.analysis

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.lamina.LaminaErrors
import org.apache.spark.sql.lamina.schema.NameMatch
import org.apache.spark.sql.lamina.settings.{ColumnList, SettingField, Settings}
import org.apache.spark.sql.types.{DataType, StructType}

/** Whether the options of a statement fit its strategy and its source. */
private[analysis] object OptionChecks {

  def requireOptions(settings: Settings, table: String): Unit =
    settings.strategy.required.find(settings.get(_).isEmpty).foreach { field =>
      throw LaminaErrors.missingOption(settings.strategy.name, field.clause, field.property, table)
    }

  /** Every column that an option names must be a column of the source. */
  def requireColumns(settings: Settings, source: Seq[Attribute], sameName: NameMatch): Unit =
    for {
      field <- columnOptions
      setting <- settings.get(field)
      column <- settings.columns(field)
      if !isColumn(column, source, sameName)
    } throw LaminaErrors.columnNotFound(
      field.clause,
      ColumnList.name(column),
      "the source",
      source.map(c => quoteIfNeeded(c.name)),
      setting.origin)

  private val columnOptions = Seq(
    SettingField.UniqueKey,
    SettingField.Watermark,
    SettingField.SequenceBy,
    SettingField.PartitionColumn,
    SettingField.TrackHistory,
    SettingField.TrackHistoryExcept,
    SettingField.ExceptColumns)

  private def isColumn(path: Seq[String], source: Seq[Attribute], sameName: NameMatch): Boolean =
    source.find(c => sameName.same(c.name, path.head)).exists(c =>
      isField(path.tail, c.dataType, sameName))

  private def isField(path: Seq[String], dataType: DataType, sameName: NameMatch): Boolean =
    (path, dataType) match {
      case (Nil, _) => true
      case (name +: rest, struct: StructType) =>
        sameName.lookup(struct)(name).exists(field => isField(rest, field.dataType, sameName))
      case _ => false
    }
}
