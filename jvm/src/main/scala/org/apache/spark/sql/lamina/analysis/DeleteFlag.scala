package org.apache.spark.sql.lamina.analysis

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Alias, Coalesce, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical.Project
import org.apache.spark.sql.lamina.Sessions
import org.apache.spark.sql.lamina.parser.StrategyInsert
import org.apache.spark.sql.lamina.settings.{SettingField, Settings}

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
