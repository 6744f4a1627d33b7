package org.apache.spark.sql.lamina.analysis

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.analysis.{Parameter, UnresolvedAttribute}
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Coalesce, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical.Project
import org.apache.spark.sql.lamina.Sessions
import org.apache.spark.sql.lamina.parser.StrategyInsert
import org.apache.spark.sql.lamina.settings.{Setting, SettingField, Settings}

/** The predicate of DELETE WHEN as a column of the source: it sees every column, under the source's names. */
private[analysis] object DeleteFlag {

  def add(session: SparkSession, insert: StrategyInsert, settings: Settings): SourceRows =
    predicate(session, insert, settings) match {
      case None => SourceRows(insert.query, None)
      case Some(condition) =>
        // NULL is not true.
        val flag = Alias(Coalesce(Seq(condition, Literal.FalseLiteral)), "deleted")()
        val flagged = Project(insert.query.output :+ flag, insert.query)
        val analyzed = Sessions.execute(session, flagged).analyzed
        SourceRows(analyzed, Some(analyzed.output.last))
    }

  /** Later statements do not have the values of this one's parameters, so what is stored has them in it. */
  def withBoundParameters(
      session: SparkSession,
      insert: StrategyInsert,
      settings: Settings): Settings = {
    def parse(text: String) = Sessions.state(session).sqlParser.parseExpression(text)
    def bound(setting: Setting): Option[String] = for {
      value <- insert.values.find(_.field == SettingField.DeleteWhen.name)
      if parse(setting.text).exists(_.isInstanceOf[Parameter])
    } yield value.child.transform { case a: Attribute => UnresolvedAttribute.quoted(a.name) }.sql
    settings.copy(values = settings.values.map {
      case setting if setting.field == SettingField.DeleteWhen =>
        bound(setting).fold(setting)(text => setting.copy(text = text))
      case setting => setting
    })
  }

  private def predicate(
      session: SparkSession,
      insert: StrategyInsert,
      settings: Settings): Option[Expression] =
    insert.values.find(_.field == SettingField.DeleteWhen.name).map(_.child).orElse {
      settings.get(SettingField.DeleteWhen).map { stored =>
        Sessions.state(session).sqlParser.parseExpression(stored.text)
      }
    }
}
