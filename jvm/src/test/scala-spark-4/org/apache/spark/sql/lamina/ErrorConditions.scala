package org.apache.spark.sql.lamina

import scala.annotation.nowarn

import org.apache.spark.SparkThrowable

/** Spark 4 has a new name for what was an error class, and keeps the old one. */
object ErrorConditions {

  /** The condition by every name that callers read it under. */
  @nowarn("cat=deprecation")
  def names(error: SparkThrowable): Seq[String] = Seq(error.getCondition, error.getErrorClass)

  val sparkFile = "error/error-conditions.json"
}
