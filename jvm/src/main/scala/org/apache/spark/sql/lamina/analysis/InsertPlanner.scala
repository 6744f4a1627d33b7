package org.apache.spark.sql.lamina.analysis

import io.lamina.LaminaConf

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.lamina.{LaminaErrors, Sessions}
import org.apache.spark.sql.lamina.iceberg.{IcebergCatalogs, IcebergTarget, SchemaUpdates}
import org.apache.spark.sql.lamina.parser.StrategyInsert
import org.apache.spark.sql.lamina.schema.{FieldPaths, NameMatch, NewField, SchemaChange, SchemaDiff}
import org.apache.spark.sql.lamina.settings.{SessionSettings, SettingField, SettingSource, Settings, StrategyKind}
import org.apache.spark.sql.lamina.strategy.Strategy

/** Decides what a statement will do. Reads catalogs and settings; writes nothing. */
class InsertPlanner(session: SparkSession) {

  private val names = new TargetNames(session)
  private val conf = new SessionSettings(session.conf.getOption(_))
  private val sameName = NameMatch(Sessions.state(session).conf.caseSensitiveAnalysis)

  def plan(insert: StrategyInsert): InsertPlan = {
    val name = names.resolve(insert.target)
    val target = IcebergCatalogs.load(name.catalog, name.ident, name.sql)
    val settings =
      Settings.merge(insert.clauses, target.map(_.properties).getOrElse(Map.empty), conf.get)
    target match {
      case Some(table) => requireHistoryKept(table, settings, name)
      case None => requireCreatable(settings, name)
    }

    val query = named(insert, target, name)
    SourceColumns.requireDistinct(FieldPaths.of(query.schema), "source", sameName)
    target.foreach(t => SourceColumns.requireDistinct(FieldPaths.of(t.schema), name.sql, sameName))
    OptionChecks.requireOptions(settings, name.sql)
    OptionChecks.requireColumns(settings, query.output, sameName)
    val strategy = Strategy.of(settings.strategy)
    requireAvailable(settings)

    val plan = InsertPlan(
      name,
      target,
      strategy,
      settings,
      runId(insert),
      query,
      leftOut(query, settings),
      SchemaChange.none,
      sameName,
      insert.writeOptions)
    plan.copy(change = schemaChange(plan.stored, target, settings, name))
  }

  private def schemaChange(
      source: LogicalPlan,
      target: Option[IcebergTarget],
      settings: Settings,
      name: TargetName): SchemaChange = target match {
    case Some(table) =>
      val diff = SchemaDiff.compare(source.schema, table.schema, sameName)
      val change = SchemaChange.decide(diff, settings.policy, name.sql)
      change.added.foreach(requireStorable)
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

  private def named(
      insert: StrategyInsert,
      target: Option[IcebergTarget],
      name: TargetName): LogicalPlan =
    if (insert.columns.nonEmpty) {
      SourceColumns.requireDistinct(insert.columns.map(Seq(_)), "column list", sameName)
      SourceColumns.rename(insert.query, insert.columns, name.sql)
    } else if (insert.unnamed) {
      val columns = target.map(_.schema.fieldNames.toSeq).getOrElse {
        throw LaminaErrors.targetNotFound(
          "table",
          name.sql,
          "VALUES gives its columns no names, so add a column list for the table to be created.")
      }
      SourceColumns.rename(insert.query, columns, name.sql)
    } else insert.query

  private def leftOut(query: LogicalPlan, settings: Settings): Seq[String] = {
    val except = settings.columns(SettingField.ExceptColumns)
    query.output.map(_.name).filter(name =>
      except.exists(e => e.size == 1 && sameName.same(e.head, name)))
  }

  private def requireHistoryKept(
      table: IcebergTarget,
      settings: Settings,
      name: TargetName): Unit = {
    val stored = table.properties.get(SettingField.MergeStrategy.property)
    if (stored.flatMap(StrategyKind.find).contains(
        StrategyKind.Scd2) && settings.strategy != StrategyKind.Scd2 &&
      !conf.flag(LaminaConf.AllowHistoryRewrite)) {
      throw LaminaErrors.historyRewrite(name.sql, s"MERGE STRATEGY ${settings.strategy.name}")
    }
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
