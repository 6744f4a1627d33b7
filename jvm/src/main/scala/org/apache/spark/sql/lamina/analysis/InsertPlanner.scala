package org.apache.spark.sql.lamina.analysis

import io.lamina.LaminaConf

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.lamina.{LaminaErrors, Sessions}
import org.apache.spark.sql.lamina.iceberg.{IcebergCatalogs, IcebergTarget, SchemaUpdates}
import org.apache.spark.sql.lamina.parser.StrategyInsert
import org.apache.spark.sql.lamina.schema.{FieldPaths, NameMatch, NewField, SchemaChange, SchemaDiff}
import org.apache.spark.sql.lamina.settings.{SessionSettings, SettingField, SettingSource, Settings, StrategyKind}
import org.apache.spark.sql.lamina.strategy.Strategy
import org.apache.spark.sql.types.{DataType, DoubleType, FloatType, StringType, StructField, StructType}

/** Decides what a statement will do. Reads catalogs and settings; writes nothing. */
class InsertPlanner(session: SparkSession) extends Logging {

  private val names = new TargetNames(session)
  private val conf = new SessionSettings(session.conf.getOption(_))
  private val sameName = NameMatch(Sessions.state(session).conf.caseSensitiveAnalysis)

  def plan(insert: StrategyInsert): InsertPlan = plan(insert, None)

  /** The same statement on the table as it is now, with the source that was read before. */
  def planAgain(insert: StrategyInsert, before: InsertPlan): InsertPlan =
    plan(insert, Some(SourceRows(before.source, before.deleted)))

  /** The statement with the table's names for columns that are matched by their place. */
  def named(insert: StrategyInsert): StrategyInsert = {
    val Destination(name, target, settings) = destination(insert)
    if (insert.columns.nonEmpty) {
      SourceColumns.requireDistinct(insert.columns.map(Seq(_)), "column list", sameName)
      SourceColumns.rename(insert, insert.columns, name.sql)
    } else {
      val columns = target.map(_.schema.fieldNames.toSeq).getOrElse {
        throw LaminaErrors.targetNotFound(
          "table",
          name.sql,
          "VALUES gives its columns no names, so add a column list for the table to be created.")
      }
      val own = Strategy.of(settings.strategy, false).ownColumns(settings, StructType(Nil))
      val theirs = columns.filterNot(c => own.exists(o => sameName.same(o.name, c)))
      SourceColumns.rename(insert, theirs, name.sql)
    }
  }

  private case class Destination(
      name: TargetName,
      table: Option[IcebergTarget],
      settings: Settings)

  private def destination(insert: StrategyInsert): Destination = {
    val name = names.resolve(insert.target)
    val target = IcebergCatalogs.load(name.catalog, name.ident, name.sql)
    val settings = withoutMissingOption(
      Settings.merge(insert.clauses, target.map(_.properties).getOrElse(Map.empty), conf.get),
      target,
      name)
    target match {
      case Some(table) => requireHistoryKept(table, settings, name)
      case None => requireCreatable(settings, name)
    }
    OptionChecks.requireOptions(settings, name.sql)
    OptionChecks.requireCompatible(settings)
    OptionChecks.requireDistinct(settings, sameName)
    requireAvailable(settings)
    Destination(name, target, settings)
  }

  private def withoutMissingOption(
      settings: Settings,
      target: Option[IcebergTarget],
      name: TargetName): Settings = {
    val refresh = StrategyKind.FullRefresh.name
    def mayRefresh = conf.word(LaminaConf.MissingOption, Seq("error", refresh)) == refresh &&
      !target.exists(holdsHistory(_, settings))
    OptionChecks.missingOption(settings) match {
      case Some(field) if mayRefresh =>
        logWarning(s"MERGE STRATEGY ${settings.strategy.name} on ${name.sql} has no " +
          s"${field.clause}: all rows of the table are replaced")
        settings.as(StrategyKind.FullRefresh)
      case _ => settings
    }
  }

  private def plan(insert: StrategyInsert, known: Option[SourceRows]): InsertPlan = {
    val Destination(name, target, settings) = destination(insert)
    val strategy = Strategy.of(settings.strategy, hasOwnPartitions(target, settings))
    val source = known.getOrElse(DeleteFlag.add(session, insert, settings))
    val columns = source.columns
    SourceColumns.requireDistinct(
      FieldPaths.of(DataTypeUtils.fromAttributes(columns)),
      "source",
      sameName)
    target.foreach(t => SourceColumns.requireDistinct(FieldPaths.of(t.schema), name.sql, sameName))
    val kept = target.toSeq.flatMap(t => DataTypeUtils.toAttributes(t.schema))
    OptionChecks.requireColumns(settings, columns, kept, sameName)
    val own = strategy.ownColumns(settings, DataTypeUtils.fromAttributes(columns))

    val plan = InsertPlan(
      name,
      target,
      strategy,
      DeleteFlag.withBoundParameters(session, insert, settings),
      runId(insert),
      source.plan,
      source.deleted,
      leftOut(columns, settings),
      own,
      SchemaChange.none,
      sameName,
      insert.writeOptions)
    StrategyColumns.requireNotReserved(plan)
    val complete = plan.copy(change = schemaChange(plan.stored, target, own, settings, name))
    new StrategyColumns(complete).check()
    complete
  }

  private def hasOwnPartitions(target: Option[IcebergTarget], settings: Settings): Boolean = {
    val columns = settings.columns(SettingField.PartitionColumn)
    // Rows that delete files name make the figures of a replaced file inexact.
    target.forall { table =>
      val fields =
        columns.flatMap(c => table.schema.fields.find(f => sameName.same(f.name, c.head)))
      columns.forall(_.size == 1) && fields.forall(f => isOnePartition(f.dataType)) &&
      table.isPartitionedBy(fields.map(_.name)) && !table.hasDeletes
    }
  }

  /** Of 0.0 and -0.0, and of strings that a collation takes for equal, Iceberg makes several partitions. */
  private def isOnePartition(dataType: DataType): Boolean = dataType match {
    case FloatType | DoubleType => false
    case string: StringType => string == StringType
    case _ => true
  }

  private def schemaChange(
      source: LogicalPlan,
      target: Option[IcebergTarget],
      own: Seq[StructField],
      settings: Settings,
      name: TargetName): SchemaChange = target match {
    case Some(table) =>
      val data = table.schema.fields.filterNot(f => own.exists(o => sameName.same(o.name, f.name)))
      val diff = SchemaDiff.compare(source.schema, StructType(data), sameName)
      val change = SchemaChange.decide(diff, settings.policy, name.sql)
      change.added.foreach(requireStorable)
      change.added.find(a => !table.canHold(a.field.dataType)).foreach { a =>
        throw LaminaErrors.typeNeedsUpgrade(
          a.name,
          a.field.dataType,
          name.sql,
          table.formatVersion)
      }
      val paths = FieldPaths.of(table.schema) ++ change.added.flatMap(FieldPaths.of)
      SourceColumns.requireDistinct(paths, name.sql, sameName)
      change
    case None =>
      source.schema.fields.foreach(field => requireStorable(NewField(Nil, field)))
      SchemaChange.none
  }

  /** On a first run too: what is stored on the table must work for the statements after it. */
  private def requireAvailable(settings: Settings): Unit = {
    SchemaChange.requireAvailable(settings.policy)
    if (settings.get(SettingField.WidenTypes).exists(_.text.toBoolean)) {
      throw LaminaErrors.unsupportedFeature("WIDEN TYPES", SchemaChange.available.map(_.name))
    }
  }

  private def requireStorable(added: NewField): Unit =
    if (!SchemaUpdates.canHold(added.field.dataType)) {
      throw LaminaErrors.unsupportedType(added.name, added.field.dataType)
    }

  private def leftOut(columns: Seq[Attribute], settings: Settings): Seq[String] = {
    val except = settings.columns(SettingField.ExceptColumns)
    columns.map(_.name).filter(name =>
      except.exists(e => e.size == 1 && sameName.same(e.head, name)))
  }

  private def requireHistoryKept(
      table: IcebergTarget,
      settings: Settings,
      name: TargetName): Unit = {
    if (isStoredAsHistory(table) && settings.strategy != StrategyKind.Scd2 &&
      !conf.flag(LaminaConf.AllowHistoryRewrite)) {
      throw LaminaErrors.historyRewrite(name.sql, s"MERGE STRATEGY ${settings.strategy.name}")
    }
  }

  private def isStoredAsHistory(table: IcebergTarget): Boolean =
    table.properties
      .get(SettingField.MergeStrategy.property)
      .flatMap(StrategyKind.find)
      .contains(StrategyKind.Scd2)

  private def holdsHistory(table: IcebergTarget, settings: Settings): Boolean = {
    val validity = Seq(SettingField.ValidFrom, SettingField.ValidTo).flatMap(settings.column)
    isStoredAsHistory(table) || settings.strategy == StrategyKind.Scd2 &&
    validity.forall(path => table.schema.exists(f => sameName.same(f.name, path.head)))
  }

  private def requireCreatable(settings: Settings, name: TargetName): Unit = {
    names.requireNamespace(name)
    if (!settings.get(SettingField.MergeStrategy).exists(_.source == SettingSource.Statement)) {
      throw LaminaErrors.targetNotFound(
        "table",
        name.sql,
        "Create it first, or write MERGE STRATEGY to have it created.")
    }
    if (!conf.flag(LaminaConf.CreateTarget)) {
      throw LaminaErrors.targetNotFound(
        "table",
        name.sql,
        s"Create it first, or set ${LaminaConf.CreateTarget.key} to true to have it created.")
    }
    if (!IcebergCatalogs.canCreate(name.catalog)) {
      throw LaminaErrors.unsupportedTable(name.sql, "in a catalog that is not an Iceberg catalog")
    }
  }

  private def runId(insert: StrategyInsert): Option[String] =
    insert.values.find(_.field == SettingField.RunId.name).map { value =>
      Option(value.child.eval()).map(_.toString).filter(_.nonEmpty).getOrElse {
        throw LaminaErrors.invalidSetting("RUN ID", "", Seq("a string that is not empty"))
      }
    }
}
