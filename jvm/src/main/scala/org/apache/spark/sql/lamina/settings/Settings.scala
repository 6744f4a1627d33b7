package org.apache.spark.sql.lamina.settings

import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.lamina.LaminaErrors
import org.apache.spark.sql.lamina.parser.ClauseOption

/** Where a setting's value came from, strongest first. */
sealed abstract class SettingSource(val name: String, val strength: Int)

object SettingSource {
  case object Statement extends SettingSource("statement", 3)
  case object Table extends SettingSource("table property", 2)
  case object Session extends SettingSource("session", 1)
  case object Default extends SettingSource("default", 0)
}

/** The value that counts for one field. `origin` is its place in the statement, if it has one. */
case class Setting(field: SettingField, text: String, source: SettingSource, origin: Origin) {
  override def toString: String = s"${field.name}=$text (${source.name})"
}

/** The settings of one statement, merged field by field over all places they can be written in. */
case class Settings(strategy: StrategyKind, policy: PolicyKind, values: Seq[Setting]) {

  def get(field: SettingField): Option[Setting] = values.find(_.field == field)

  def columns(field: SettingField): Seq[Seq[String]] =
    get(field).flatMap(setting => ColumnList.parse(setting.text)).getOrElse(Nil)

  def column(field: SettingField): Option[Seq[String]] = columns(field).headOption

  def invalidatesAbsent: Boolean =
    get(SettingField.HardDeletes).exists(_.text.equalsIgnoreCase("invalidate"))

  def allowsEmptySource: Boolean =
    get(SettingField.AllowEmptySource).exists(_.text.equalsIgnoreCase("true"))

  /** WATERMARK and SEQUENCE BY mean the same to a strategy that takes both. */
  def sequence: Option[Seq[String]] =
    column(SettingField.SequenceBy).orElse(column(SettingField.Watermark))

  /** The same statement by another strategy, which does not use all of the options. */
  def as(other: StrategyKind): Settings = {
    val unused = strategy.options.diff(other.options)
    copy(strategy = other, values = values.filterNot(v => unused.contains(v.field)))
  }

  /** What a first run stores on the table, so that later statements may leave it out. */
  def toProperties: Map[String, String] =
    values
      .filter(s => s.source == SettingSource.Statement && SettingField.stored.contains(s.field))
      .map(s => s.field.property -> s.text)
      .toMap
}

object Settings {

  /**
   * @param properties the table's properties, empty before the first run
   * @param session looks up a session setting by its key
   */
  def merge(
      clauses: Seq[ClauseOption],
      properties: Map[String, String],
      session: String => Option[String]): Settings = {
    def stored(field: SettingField): Option[Setting] =
      properties
        .get(field.property)
        .map(Setting(field, _, SettingSource.Table, Origin()))
        .orElse(session(field.sessionKey).map(Setting(field, _, SettingSource.Session, Origin())))
        .orElse(defaults.get(field).map(Setting(field, _, SettingSource.Default, Origin())))

    def find(field: SettingField): Option[Setting] =
      clauses
        .find(_.field == field)
        .map(clause => Setting(field, clause.text, SettingSource.Statement, clause.origin))
        .orElse(if (SettingField.stored.contains(field)) stored(field).map(checked) else None)

    val strategySetting = find(SettingField.MergeStrategy).get
    val policySetting = find(SettingField.OnSchemaChange).get
    val strategy = StrategyKind.find(strategySetting.text).get
    val policy = PolicyKind.find(policySetting.text).get
    val options = (strategy.options ++ policy.options).flatMap(field => find(field))
    Settings(strategy, policy, strategySetting +: policySetting +: withoutOverruled(options))
  }

  /** Fields that say the same thing in two ways: the one that is given closer to the statement counts. */
  private val alternatives = Seq(
    Set(SettingField.TrackHistory, SettingField.TrackHistoryExcept),
    Set(SettingField.Watermark, SettingField.SequenceBy))

  private def withoutOverruled(options: Seq[Setting]): Seq[Setting] =
    options.filterNot { option =>
      val others = alternatives.filter(_.contains(option.field)).flatten
      options.exists(o => others.contains(o.field) && o.source.strength > option.source.strength)
    }

  /** The setting as the statement itself would give it, or an error: nobody parsed it yet. */
  private def checked(setting: Setting): Setting = {
    val field = setting.field
    def oneOf(words: Seq[String]): Setting =
      words
        .find(_.equalsIgnoreCase(setting.text.trim))
        .map(word => setting.copy(text = word))
        .getOrElse(throw invalid(setting, words))

    def columns(accepted: String)(fits: Int => Boolean): Setting =
      if (ColumnList.parse(setting.text).exists(list => fits(list.size))) setting
      else throw invalid(setting, Seq(accepted))

    if (field == SettingField.MergeStrategy) oneOf(StrategyKind.names)
    else if (field == SettingField.OnSchemaChange) oneOf(PolicyKind.names)
    else if (SettingField.words.contains(field)) oneOf(SettingField.words(field))
    else if (SettingField.singleColumns.contains(field)) {
      columns("one column, an odd name in backticks")(_ == 1)
    } else if (SettingField.columnLists.contains(field)) {
      columns("columns separated by commas, odd names in backticks")(_ > 0)
    } else setting
  }

  private val defaults = Map(
    SettingField.MergeStrategy -> StrategyKind.AppendOnly.name,
    SettingField.OnSchemaChange -> PolicyKind.Fail.name,
    SettingField.ValidFrom -> "valid_from",
    SettingField.ValidTo -> "valid_to",
    SettingField.HardDeletes -> "ignore")

  private def invalid(setting: Setting, accepted: Seq[String]) = {
    val key = setting.source match {
      case SettingSource.Session => setting.field.sessionKey
      case _ => setting.field.property
    }
    LaminaErrors.invalidSetting(key, setting.text, accepted)
  }
}
