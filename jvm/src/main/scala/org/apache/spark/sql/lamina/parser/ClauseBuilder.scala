package org.apache.spark.sql.lamina.parser

import org.antlr.v4.runtime.{ParserRuleContext, Token}

import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.lamina.{JavaCollections, LaminaErrors, SqlPosition}
import org.apache.spark.sql.lamina.parser.LaminaSqlParser._
import org.apache.spark.sql.lamina.settings.{ColumnList, PolicyKind, SettingField, StrategyKind}

/** The options of the clauses, and the places of the expressions among them that Spark must parse. */
case class Clauses(options: Seq[ClauseOption], expressions: Seq[(SettingField, Token)])

/** From the parse tree of the clauses to options, with every check that the words alone allow. */
class ClauseBuilder(names: ParserInterface, sql: String) {

  def build(tree: ClausesContext): Clauses = {
    val parsed = JavaCollections.seq(tree.clause()).map(clause)
    val options = parsed.flatMap(_._1)
    options.groupBy(_.field).values.filter(_.size > 1).map(_(1)).toSeq
      .sortBy(_.origin.startIndex)
      .foreach(second => throw LaminaErrors.duplicateOption(second.field.clause, position(second)))
    checkTracking(options)
    Clauses(options, parsed.flatMap(_._2))
  }

  private type Parsed = (Seq[ClauseOption], Seq[(SettingField, Token)])

  private def clause(tree: ClauseContext): Parsed = (tree: @unchecked) match {
    case merge: MergeStrategyContext =>
      val kind = StrategyKind.find(nameOf(merge.name())).getOrElse {
        throw LaminaErrors.unknownStrategy(
          nameOf(merge.name()),
          StrategyKind.names,
          position(merge.name()))
      }
      val options = JavaCollections.seq(merge.strategyOption()).map(strategyOption)
      options.flatMap(_._1).find(o => !kind.uses(o.field)).foreach { option =>
        throw notApplicable(option, s"MERGE STRATEGY ${kind.name}", kind.options)
      }
      prepend(option(SettingField.MergeStrategy, kind.name, merge), options)
    case change: OnSchemaChangeContext =>
      val kind = PolicyKind.find(nameOf(change.name())).getOrElse {
        throw LaminaErrors.unknownPolicy(
          nameOf(change.name()),
          PolicyKind.names,
          position(change.name()))
      }
      val options = JavaCollections.seq(change.policyOption()).map(policyOption)
      options.flatMap(_._1).find(o => !kind.uses(o.field)).foreach { option =>
        throw notApplicable(option, s"ON SCHEMA CHANGE ${kind.name}", kind.options)
      }
      prepend(option(SettingField.OnSchemaChange, kind.name, change), options)
  }

  private def prepend(first: ClauseOption, rest: Seq[Parsed]): Parsed =
    (first +: rest.flatMap(_._1), rest.flatMap(_._2))

  private def strategyOption(tree: StrategyOptionContext): Parsed = (tree: @unchecked) match {
    case o: UniqueKeyContext => only(option(SettingField.UniqueKey, list(o.columns()), o))
    case o: WatermarkContext => only(option(SettingField.Watermark, list(o.column()), o))
    case o: PartitionColumnsContext =>
      val names = if (o.column() != null) list(o.column()) else list(o.columns())
      only(option(SettingField.PartitionColumn, names, o))
    case o: ValidFromContext => only(option(SettingField.ValidFrom, list(o.column()), o))
    case o: ValidToContext => only(option(SettingField.ValidTo, list(o.column()), o))
    case o: CurrentFlagContext => only(option(SettingField.CurrentFlag, list(o.column()), o))
    case o: SequenceByContext => only(option(SettingField.SequenceBy, list(o.column()), o))
    case o: TrackHistoryContext => only(option(SettingField.TrackHistory, list(o.columns()), o))
    case o: TrackHistoryExceptContext =>
      only(option(SettingField.TrackHistoryExcept, list(o.columns()), o))
    case o: DeleteWhenContext => expression(SettingField.DeleteWhen, o.EXPRESSION().getSymbol, o)
    case o: HardDeletesContext =>
      val accepted = SettingField.words(SettingField.HardDeletes)
      val value = accepted.find(_.equalsIgnoreCase(nameOf(o.name()))).getOrElse {
        throw LaminaErrors.invalidOption(
          "HARD DELETES",
          nameOf(o.name()),
          accepted,
          position(o.name()))
      }
      only(option(SettingField.HardDeletes, value, o))
    case o: AllowEmptySourceContext => only(option(SettingField.AllowEmptySource, "true", o))
    case o: ExceptColumnsContext => only(option(SettingField.ExceptColumns, list(o.columns()), o))
    case o: RunIdContext => expression(SettingField.RunId, spanOf(o.text()), o)
  }

  private def policyOption(tree: PolicyOptionContext): Parsed = (tree: @unchecked) match {
    case o: WidenTypesContext => only(option(SettingField.WidenTypes, "true", o))
    case o: ChunkByContext =>
      val bounds = Seq(
        expression(SettingField.ChunkFrom, o.from, o),
        expression(SettingField.ChunkTo, o.to, o),
        expression(SettingField.ChunkStep, o.step, o))
      prepend(option(SettingField.ChunkBy, list(o.column()), o), bounds)
  }

  /** The two forms of TRACK HISTORY are one option, stored under two names. */
  private def checkTracking(options: Seq[ClauseOption]): Unit = {
    val forms = options.filter { o =>
      o.field == SettingField.TrackHistory || o.field == SettingField.TrackHistoryExcept
    }
    forms.drop(1).foreach(o => throw LaminaErrors.duplicateOption("TRACK HISTORY ON", position(o)))
  }

  private def notApplicable(option: ClauseOption, user: String, accepted: Seq[SettingField]) =
    LaminaErrors.optionNotApplicable(
      option.field.clause,
      user,
      accepted.map(_.clause),
      position(option))

  private def only(option: ClauseOption): Parsed = (Seq(option), Nil)

  private def expression(field: SettingField, token: Token, tree: ParserRuleContext): Parsed = {
    val text = SqlText.slice(sql, token.getStartIndex, token.getStopIndex)
    (Seq(option(field, text, tree)), Seq(field -> token))
  }

  private def option(field: SettingField, text: String, tree: ParserRuleContext): ClauseOption =
    ClauseOption(field, text, origin(tree))

  private def list(tree: ColumnsContext): String =
    ColumnList.render(JavaCollections.seq(tree.column()).map(parts))

  private def list(tree: ColumnContext): String = ColumnList.render(Seq(parts(tree)))

  private def parts(tree: ColumnContext): Seq[String] = names.parseMultipartIdentifier(textOf(tree))

  private def nameOf(tree: NameContext): String = textOf(tree).stripPrefix("`").stripSuffix("`")

  private def textOf(tree: ParserRuleContext): String =
    SqlText.slice(sql, tree.getStart.getStartIndex, tree.getStop.getStopIndex)

  private def spanOf(tree: ParserRuleContext): Token = {
    val span = new org.antlr.v4.runtime.CommonToken(tree.getStart)
    span.setStopIndex(tree.getStop.getStopIndex)
    span
  }

  private def origin(tree: ParserRuleContext): Origin = SqlText.origin(tree.getStart, sql)

  private def position(tree: ParserRuleContext): SqlPosition = SqlPosition(origin(tree), sql)

  private def position(option: ClauseOption): SqlPosition = SqlPosition(option.origin, sql)
}
