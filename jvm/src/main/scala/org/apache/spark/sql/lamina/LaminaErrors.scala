package org.apache.spark.sql.lamina

import org.apache.spark.{ErrorClassesJsonReader, QueryContext}
import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.types.DataType

/**
 * Every error a user of Lamina can get. The texts are in `error/lamina-error-conditions.json`; the
 * functions here say which facts each one shows.
 */
object LaminaErrors {

  private[lamina] lazy val conditions = new ErrorClassesJsonReader(
    Seq(getClass.getClassLoader.getResource("error/lamina-error-conditions.json")))

  def unknownStrategy(name: String, accepted: Seq[String], sql: SqlPosition): ParseException =
    parse("LAMINA_UNKNOWN_STRATEGY", sql, "name" -> quoted(name), "accepted" -> list(accepted))

  def unknownPolicy(name: String, accepted: Seq[String], sql: SqlPosition): ParseException =
    parse("LAMINA_UNKNOWN_POLICY", sql, "name" -> quoted(name), "accepted" -> list(accepted))

  def duplicateOption(option: String, sql: SqlPosition): ParseException =
    parse("LAMINA_DUPLICATE_OPTION", sql, "option" -> option)

  def invalidOption(
      option: String,
      value: String,
      accepted: Seq[String],
      sql: SqlPosition): ParseException =
    parse(
      "LAMINA_INVALID_SETTING",
      sql,
      "setting" -> option,
      "value" -> quoted(value),
      "accepted" -> list(accepted))

  def optionNotApplicable(
      option: String,
      user: String,
      accepted: Seq[String],
      sql: SqlPosition): ParseException =
    parse(
      "LAMINA_OPTION_NOT_APPLICABLE",
      sql,
      "option" -> option,
      "user" -> user,
      "accepted" -> list(accepted))

  def invalidSetting(setting: String, value: String, accepted: Seq[String]): AnalysisException =
    analysis(
      "LAMINA_INVALID_SETTING",
      "setting" -> setting,
      "value" -> quoted(value),
      "accepted" -> list(accepted))

  def missingOption(
      strategy: String,
      option: String,
      property: String,
      table: String): AnalysisException =
    analysis(
      "LAMINA_MISSING_OPTION",
      "strategy" -> strategy,
      "option" -> option,
      "property" -> property,
      "table" -> table)

  def columnNotFound(
      option: String,
      column: String,
      where: String,
      columns: Seq[String],
      origin: Origin): AnalysisException =
    analysisAt(
      "LAMINA_COLUMN_NOT_FOUND",
      origin,
      "option" -> option,
      "column" -> column,
      "where" -> where,
      "columns" -> list(columns),
      "remedy" -> "")

  def ambiguousColumn(where: String, column: String, columns: Seq[String]): AnalysisException =
    analysis(
      "LAMINA_AMBIGUOUS_COLUMN",
      "where" -> where,
      "column" -> column,
      "columns" -> list(columns))

  def schemaChanged(table: String, added: Seq[String], missing: Seq[String]): AnalysisException =
    analysis(
      "LAMINA_SCHEMA_CHANGED",
      "table" -> table,
      "added" -> list(added),
      "missing" -> list(missing))

  def typeChanged(
      table: String,
      column: String,
      source: DataType,
      target: DataType): AnalysisException =
    analysis(
      "LAMINA_TYPE_CHANGED",
      "table" -> table,
      "column" -> column,
      "sourceType" -> source.sql,
      "targetType" -> target.sql)

  def notNullColumn(table: String, columns: Seq[String]): AnalysisException =
    analysis(
      "LAMINA_NOT_NULL_COLUMN",
      "table" -> table,
      "columns" -> list(columns),
      "column" -> columns.head)

  def unsupportedType(column: String, dataType: DataType): AnalysisException =
    analysis(
      "LAMINA_UNSUPPORTED_TYPE",
      "column" -> column,
      "type" -> dataType.sql,
      "table" -> "an Iceberg table",
      "more" -> "")

  /** A type that the table could hold if its format were newer. */
  def typeNeedsUpgrade(
      column: String,
      dataType: DataType,
      table: String,
      version: Int): AnalysisException =
    analysis(
      "LAMINA_UNSUPPORTED_TYPE",
      "column" -> column,
      "type" -> dataType.sql,
      "table" -> s"$table, of format version $version,",
      "more" -> (s", or ALTER TABLE $table SET TBLPROPERTIES ('format-version' = '3') " +
        "if every reader of the table knows that version"))

  /** One column in two places that exclude each other. */
  def columnNamedTwice(column: String, options: Seq[String], origin: Origin): AnalysisException =
    new LaminaAnalysisException(
      "LAMINA_DUPLICATE_OPTION",
      Map("option" -> s"The column $column of ${options.distinct.mkString(" and ")}"),
      origin,
      None)

  def unsupportedTable(table: String, kind: String): AnalysisException =
    analysis("LAMINA_UNSUPPORTED_TABLE", "table" -> table, "kind" -> kind)

  def unsupportedFeature(feature: String, available: Seq[String]): AnalysisException =
    analysis("LAMINA_UNSUPPORTED_FEATURE", "feature" -> feature, "available" -> list(available))

  def historyRewrite(table: String, operation: String): AnalysisException =
    analysis("LAMINA_HISTORY_REWRITE", "table" -> table, "operation" -> operation)

  def targetNotFound(kind: String, name: String, remedy: String): AnalysisException =
    analysis("LAMINA_TARGET_NOT_FOUND", "object" -> s"The $kind $name", "remedy" -> remedy)

  def concurrentWrite(table: String, attempts: Int, cause: Throwable): AnalysisException =
    new LaminaAnalysisException(
      "LAMINA_CONCURRENT_WRITE",
      Map("table" -> table, "attempts" -> attempts.toString),
      Origin(),
      Some(cause))

  /** Two options that are fine each by itself. */
  def contradictingOptions(
      option: String,
      user: String,
      accepted: Seq[String]): AnalysisException =
    analysis(
      "LAMINA_OPTION_NOT_APPLICABLE",
      "option" -> option,
      "user" -> user,
      "accepted" -> list(accepted))

  def reservedColumn(table: String, column: String, strategy: String): AnalysisException =
    analysis(
      "LAMINA_RESERVED_COLUMN",
      "table" -> table,
      "column" -> column,
      "strategy" -> strategy)

  def missingOwnColumn(
      option: String,
      column: String,
      table: String,
      columns: Seq[String],
      toAdd: Seq[String]): AnalysisException =
    analysis(
      "LAMINA_COLUMN_NOT_FOUND",
      "option" -> option,
      "column" -> column,
      "where" -> table,
      "columns" -> list(columns),
      "remedy" -> s" Add what is missing: ALTER TABLE $table ADD COLUMNS (${list(toAdd)}).")

  def invalidKey(
      option: String,
      column: String,
      dataType: DataType,
      accepted: String): AnalysisException =
    analysis(
      "LAMINA_INVALID_KEY",
      "option" -> option,
      "column" -> column,
      "type" -> dataType.sql,
      "accepted" -> accepted)

  def nullKey(table: String, keys: Seq[String], rows: Seq[String]): LaminaRuntimeException =
    data("LAMINA_NULL_KEY", keys, rows, "table" -> table)

  def nullSequence(table: String, column: String, rows: Seq[String]): LaminaRuntimeException =
    data("LAMINA_NULL_SEQUENCE", Seq(column), rows, "table" -> table)

  def duplicateKey(table: String, keys: Seq[String], rows: Seq[String]): LaminaRuntimeException =
    data(
      "LAMINA_DUPLICATE_KEY",
      keys,
      rows,
      "found" -> s"The source of $table has different rows",
      "remedy" -> ("Keep one row for each key, or let a column tell which counts: SEQUENCE BY, " +
        "or WATERMARK for incremental."))

  def severalOpenRows(table: String, keys: Seq[String], rows: Seq[String]): LaminaRuntimeException =
    data(
      "LAMINA_DUPLICATE_KEY",
      keys,
      rows,
      "found" -> s"$table has more than one open row",
      "remedy" -> "Close all but one of them by hand.")

  def sequenceConflict(
      table: String,
      keys: Seq[String],
      rows: Seq[String]): LaminaRuntimeException =
    data("LAMINA_SEQUENCE_CONFLICT", keys, rows, "table" -> table)

  def emptySource(table: String): LaminaRuntimeException =
    new LaminaRuntimeException("LAMINA_EMPTY_SOURCE", Map("table" -> table))

  private def data(
      condition: String,
      columns: Seq[String],
      rows: Seq[String],
      parameters: (String, String)*): LaminaRuntimeException =
    new LaminaRuntimeException(
      condition,
      Map("columns" -> list(columns), "samples" -> list(rows)) ++ parameters)

  private[lamina] def message(condition: String, parameters: Map[String, String]): String =
    s"[$condition] ${conditions.getErrorMessage(condition, parameters)} " +
      s"SQLSTATE: ${conditions.getSqlState(condition)}"

  private def analysis(condition: String, parameters: (String, String)*): AnalysisException =
    new LaminaAnalysisException(condition, parameters.toMap, Origin(), None)

  private def analysisAt(
      condition: String,
      origin: Origin,
      parameters: (String, String)*): AnalysisException =
    new LaminaAnalysisException(condition, parameters.toMap, origin, None)

  private def parse(
      condition: String,
      sql: SqlPosition,
      parameters: (String, String)*): ParseException =
    new LaminaParseException(condition, parameters.toMap, sql)

  private def list(items: Seq[String]): String = if (items.isEmpty) "none" else items.mkString(", ")

  private def quoted(name: String): String = s"'$name'"
}

/** A place in the statement's text: where it starts, and the whole text to show it in. */
case class SqlPosition(origin: Origin, sql: String)

class LaminaAnalysisException(
    condition: String,
    parameters: Map[String, String],
    origin: Origin,
    because: Option[Throwable]) extends AnalysisException(
      LaminaErrors.message(condition, parameters),
      origin.line,
      origin.startPosition,
      because,
      Some(condition),
      parameters,
      Array.empty[QueryContext]) {

  override def getSqlState: String = LaminaErrors.conditions.getSqlState(condition)
}
