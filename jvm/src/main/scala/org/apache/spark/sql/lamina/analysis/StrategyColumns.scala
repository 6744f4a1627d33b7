package org.apache.spark.sql.lamina.analysis

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, RowOrdering}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.lamina.LaminaErrors
import org.apache.spark.sql.lamina.schema.{CastRules, ColumnPath}
import org.apache.spark.sql.lamina.settings.{ColumnList, SettingField, StrategyKind}
import org.apache.spark.sql.types._

/** Whether the columns that a strategy works with are there, and are of a kind it can work with. */
private[analysis] class StrategyColumns(plan: InsertPlan) {

  import plan.{sameName, settings}

  def check(): Unit = {
    requireOwn()
    requireKeys()
    requireTracked()
    requireSequence()
  }

  private def requireTracked(): Unit =
    settings.get(SettingField.TrackHistory).foreach { setting =>
      settings.columns(SettingField.TrackHistory).foreach { path =>
        if (ColumnPath.find(keptColumns, path, sameName).isEmpty) {
          throw LaminaErrors.columnNotFound(
            SettingField.TrackHistory.clause,
            ColumnList.name(path),
            s"the table ${plan.name.sql}",
            keptColumns.map(c => quoteIfNeeded(c.name)),
            setting.origin)
        }
      }
    }

  private def requireOwn(): Unit = plan.target.foreach { table =>
    val existing =
      plan.own.map(own => own -> table.schema.find(f => sameName.same(f.name, own.name)))
    val missing = existing.collect { case (own, None) => own }
    if (missing.nonEmpty) {
      throw LaminaErrors.missingOwnColumn(
        s"MERGE STRATEGY ${plan.strategy.kind.name}",
        quoteIfNeeded(missing.head.name),
        plan.name.sql,
        table.schema.fieldNames.toSeq.map(quoteIfNeeded),
        missing.map(f => s"${quoteIfNeeded(f.name)} ${f.dataType.sql}"))
    }
    existing.foreach {
      case (own, Some(field)) if !agree(own.dataType, field.dataType) =>
        throw LaminaErrors.typeChanged(
          plan.name.sql,
          quoteIfNeeded(field.name),
          own.dataType,
          field.dataType)
      case _ =>
    }
  }

  /** A sequence of integers may be narrower than the validity columns, whose type it is cast to. */
  private def agree(own: DataType, kept: DataType): Boolean = (own, kept) match {
    case (_: IntegralType, _: IntegralType) => CastRules.canStore(own, kept)
    case _ => own == kept
  }

  private def requireKeys(): Unit = plan.keyPaths.foreach { path =>
    val option =
      if (plan.strategy.kind == StrategyKind.Snapshot) SettingField.PartitionColumn
      else SettingField.UniqueKey
    def among(columns: Seq[Attribute], what: String): Expression =
      ColumnPath.find(columns, path, sameName).getOrElse {
        throw LaminaErrors.columnNotFound(
          option.clause,
          ColumnList.name(path),
          what,
          columns.map(c => quoteIfNeeded(c.name)),
          settings.get(option).get.origin)
      }
    // A row that is stored without its key could never be found again.
    among(plan.storedColumns, "the source, less the columns that are left out,")
    val kept = among(keptColumns, s"the table ${plan.name.sql}")
    val fits =
      if (option == SettingField.UniqueKey) isKey(kept.dataType)
      else if (plan.target.isEmpty) kept.dataType.isInstanceOf[AtomicType]
      else RowOrdering.isOrderable(kept.dataType)
    if (!fits) {
      throw LaminaErrors.invalidKey(
        option.clause,
        ColumnList.name(path),
        kept.dataType,
        "a type whose values are equal or not, such as a number without a fraction, a DECIMAL, a STRING or a DATE")
    }
  }

  /** The columns that the table has after the statement. */
  private def keptColumns: Seq[Attribute] = plan.target match {
    case None => plan.storedColumns
    case Some(table) =>
      DataTypeUtils.toAttributes(table.schema) ++
        plan.storedColumns.filter(c => plan.change.added.exists(a => a.path == Seq(c.name)))
  }

  private def isKey(dataType: DataType): Boolean =
    RowOrdering.isOrderable(dataType) &&
      !dataType.existsRecursively(t => t == FloatType || t == DoubleType)

  private def requireSequence(): Unit =
    for {
      field <- Seq(SettingField.SequenceBy, SettingField.Watermark)
      path <- settings.column(field)
      found <- ColumnPath.find(plan.source.output, path, sameName)
      if !isSequence(found.dataType, path)
    } throw LaminaErrors.invalidKey(
      field.clause,
      ColumnList.name(path),
      found.dataType,
      if (isHistory) "a TIMESTAMP, TIMESTAMP_NTZ, DATE or integer column"
      else "a type whose values have an order, such as a TIMESTAMP, a number or a STRING")

  private def isHistory: Boolean = plan.strategy.kind == StrategyKind.Scd2

  private def isSequence(dataType: DataType, path: Seq[String]): Boolean = dataType match {
    case _ if !isHistory => RowOrdering.isOrderable(dataType)
    case TimestampType | TimestampNTZType | DateType | _: IntegralType => path.size == 1
    case _ => false
  }
}

private[analysis] object StrategyColumns {

  /** What the strategy fills by itself must not come from the source. */
  def requireNotReserved(plan: InsertPlan): Unit =
    for {
      column <- plan.storedColumns
      own <- plan.own
      if plan.sameName.same(column.name, own.name)
    } throw LaminaErrors.reservedColumn(
      plan.name.sql,
      quoteIfNeeded(column.name),
      plan.strategy.kind.name)
}
