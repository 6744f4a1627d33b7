package org.apache.spark.sql.lamina.execution

import java.time.Instant
import java.time.temporal.ChronoUnit

import scala.annotation.tailrec
import scala.util.{Failure, Success, Try}
import scala.util.control.NonFatal

import io.lamina.LaminaConf

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.lamina.{LaminaErrors, Sessions}
import org.apache.spark.sql.lamina.analysis.{InsertPlan, InsertPlanner, TargetName}
import org.apache.spark.sql.lamina.iceberg.IcebergCatalogs
import org.apache.spark.sql.lamina.parser.StrategyInsert
import org.apache.spark.sql.lamina.settings.SessionSettings
import org.apache.spark.sql.lamina.strategy.RowLevelStrategy
import org.apache.spark.sql.types.TimestampType

/** Carries a statement out: at most once per run id, again when another writer was faster. */
class InsertExecution(session: SparkSession, statement: StrategyInsert) extends Logging {

  private val now = InsertExecution.now()

  private val maxAttempts =
    new SessionSettings(session.conf.getOption(_)).positive(LaminaConf.MaxAttempts)

  def run(plan: InsertPlan): InsertResult =
    committedBefore(plan).getOrElse {
      val source = pinned(plan)
      try {
        val result = attempt(source.fold(plan)(s => plan.copy(source = s.plan)), number = 1)
        forgetOldState(plan.name)
        result
      } finally source.foreach(_.release())
    }

  /** Read several times by a strategy that compares it with the table; otherwise most often by the write alone. */
  private def pinned(plan: InsertPlan): Option[Pinned] = plan.strategy match {
    case _ if plan.target.exists(_.isOrdered) => Some(Pinned(session, plan.source))
    case _: RowLevelStrategy => Some(Pinned(session, plan.source))
    case _ => None
  }

  /** The rows are committed by now: whatever goes wrong here must not look like a failed statement. */
  private def forgetOldState(name: TargetName): Unit =
    try Sessions.forgetTable(session, name.catalog, name.ident, name.sql)
    catch {
      case NonFatal(e) => logWarning(s"Cached data of ${name.sql} may be out of date", e)
    }

  @tailrec
  private def attempt(plan: InsertPlan, number: Int): InsertResult =
    Try(new InsertAttempt(session, plan, now).run()) match {
      case Success(result) => result
      case Failure(e) if !IcebergCatalogs.isLostRace(e) => throw e
      case Failure(e) if number >= maxAttempts =>
        throw LaminaErrors.concurrentWrite(plan.name.sql, number, e)
      case Failure(_) =>
        forget(plan.name)
        val again = new InsertPlanner(session).planAgain(statement, plan)
        committedBefore(again) match {
          case Some(result) => result
          case None => attempt(again, number + 1)
        }
    }

  private def committedBefore(plan: InsertPlan): Option[InsertResult] =
    for {
      id <- plan.runId
      table <- plan.target
      snapshot <- table.findSnapshot(InsertResult.RunIdKey, id)
    } yield InsertResult.skipped(snapshot)

  private def forget(name: TargetName): Unit = name.catalog.invalidateTable(name.ident)
}

object InsertExecution {

  def now(): Literal =
    Literal(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()), TimestampType)
}
