package org.apache.spark.sql.lamina.analysis

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.lamina.LaminaErrors
import org.apache.spark.sql.lamina.schema.NameMatch
import org.apache.spark.sql.lamina.settings.{ColumnList, Setting, SettingField, Settings, SettingSource, StrategyKind}
import org.apache.spark.sql.types.{DataType, StructType}

/** Whether the options of a statement fit its strategy and its source. */
private[analysis] object OptionChecks {

  def requireOptions(settings: Settings, table: String): Unit =
    missingOption(settings).foreach { field =>
      throw LaminaErrors.missingOption(settings.strategy.name, field.clause, field.property, table)
    }

  def missingOption(settings: Settings): Option[SettingField] =
    settings.strategy.required.find(settings.get(_).isEmpty)

  /** Options that contradict each other, whatever the data. */
  def requireCompatible(settings: Settings): Unit = {
    def has(field: SettingField) = settings.get(field).nonEmpty
    def refuse(field: SettingField, beside: String) = throw LaminaErrors.contradictingOptions(
      field.clause,
      s"${settings.strategy.name} with $beside",
      settings.strategy.options.filterNot(_ == field).map(_.clause))

    if (settings.strategy == StrategyKind.Incremental && has(SettingField.Watermark) &&
      has(SettingField.SequenceBy)) {
      refuse(SettingField.SequenceBy, "WATERMARK")
    }
    if (settings.strategy == StrategyKind.Scd2 && settings.invalidatesAbsent &&
      has(SettingField.SequenceBy)) {
      refuse(SettingField.SequenceBy, "HARD DELETES invalidate")
    }
    if (has(SettingField.TrackHistory) && has(SettingField.TrackHistoryExcept)) {
      refuse(SettingField.TrackHistoryExcept, "TRACK HISTORY ON")
    }
  }

  /** A column has one part to play: a key is given once, and what the strategy fills is not filled twice. */
  def requireDistinct(settings: Settings, sameName: NameMatch): Unit = {
    val own = Seq(SettingField.ValidFrom, SettingField.ValidTo, SettingField.CurrentFlag)
    val groups = own +: Seq(SettingField.UniqueKey, SettingField.PartitionColumn).map(Seq(_))
    groups.foreach { fields =>
      val named = fields.flatMap(field => settings.columns(field).map(field -> _))
      sameName.clashes(named.map(_._2)).headOption.foreach { clash =>
        val users = named.collect { case (field, path) if clash.contains(path) => field }
        throw LaminaErrors.columnNamedTwice(
          ColumnList.name(clash.head),
          users.map(_.clause),
          settings.get(users.last).get.origin)
      }
    }
  }

  /** Every column that an option names must be a column of the source, or one that the source may lack today. */
  def requireColumns(
      settings: Settings,
      source: Seq[Attribute],
      target: Seq[Attribute],
      sameName: NameMatch): Unit =
    for {
      field <- neededColumns ++ trackedColumns :+ SettingField.ExceptColumns
      setting <- settings.get(field)
      known = if (trackedColumns.contains(field)) source ++ target else source
      column <- settings.columns(field)
      whole = wholeColumns.contains(field) && column.size > 1
      if whole || !isColumn(column, known, sameName) && !isLeftOutAnyway(setting)
    } throw LaminaErrors.columnNotFound(
      field.clause,
      ColumnList.name(column),
      "the source",
      source.map(c => quoteIfNeeded(c.name)),
      setting.origin)

  private def isLeftOutAnyway(setting: Setting): Boolean =
    setting.field == SettingField.ExceptColumns && setting.source != SettingSource.Statement

  private val neededColumns = Seq(
    SettingField.UniqueKey,
    SettingField.Watermark,
    SettingField.SequenceBy,
    SettingField.PartitionColumn)

  private val trackedColumns = Seq(SettingField.TrackHistory, SettingField.TrackHistoryExcept)

  /** Options that do not go into a column, to its fields. */
  private val wholeColumns = trackedColumns :+ SettingField.ExceptColumns

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
