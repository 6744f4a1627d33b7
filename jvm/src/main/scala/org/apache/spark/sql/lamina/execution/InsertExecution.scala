package org.apache.spark.sql.lamina.execution

import scala.annotation.tailrec
import scala.util.{Failure, Success, Try}
import scala.util.control.NonFatal

import io.lamina.LaminaConf

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.lamina.{LaminaErrors, Sessions}
import org.apache.spark.sql.lamina.analysis.{InsertPlanner, TargetName}
import org.apache.spark.sql.lamina.iceberg.IcebergCatalogs
import org.apache.spark.sql.lamina.parser.StrategyInsert
import org.apache.spark.sql.lamina.settings.SessionSettings

/** Carries a statement out: at most once per run id, again when another writer was faster. */
class InsertExecution(session: SparkSession, statement: StrategyInsert) extends Logging {

  private val maxAttempts =
    new SessionSettings(session.conf.getOption(_)).positive(LaminaConf.MaxAttempts)

  def run(first: InsertAttempt): InsertResult = {
    val result = attempt(first, number = 1)
    forgetOldState(first.plan.name)
    result
  }

  /** The rows are committed by now: whatever goes wrong here must not look like a failed statement. */
  private def forgetOldState(name: TargetName): Unit =
    try Sessions.forgetTable(session, name.catalog, name.ident, name.sql)
    catch {
      case NonFatal(e) => logWarning(s"Cached data of ${name.sql} may be out of date", e)
    }

  @tailrec
  private def attempt(current: InsertAttempt, number: Int): InsertResult =
    committedBefore(current) match {
      case Some(result) => result
      case None =>
        Try(current.run()) match {
          case Success(result) => result
          case Failure(e) if !IcebergCatalogs.isLostRace(e) => throw e
          case Failure(e) if number >= maxAttempts =>
            throw LaminaErrors.concurrentWrite(current.plan.name.sql, number, e)
          case Failure(_) =>
            forget(current.plan.name)
            attempt(planAgain(), number + 1)
        }
    }

  private def committedBefore(attempt: InsertAttempt): Option[InsertResult] =
    for {
      id <- attempt.plan.runId
      table <- attempt.plan.target
      snapshot <- table.findSnapshot(InsertResult.RunIdKey, id)
    } yield InsertResult.skipped(snapshot)

  /** The source has its names by now, so they are not given a second time. */
  private def planAgain(): InsertAttempt = {
    val named = statement.copy(columns = Nil, unnamed = false)
    new InsertAttempt(session, new InsertPlanner(session).plan(named))
  }

  private def forget(name: TargetName): Unit = name.catalog.invalidateTable(name.ident)
}
