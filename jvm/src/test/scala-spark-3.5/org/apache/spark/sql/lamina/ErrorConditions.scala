package org.apache.spark.sql.lamina

import org.apache.spark.SparkThrowable

/** Spark 3.5 calls an error condition an error class. */
object ErrorConditions {

  /** The condition by every name that callers read it under. */
  def names(error: SparkThrowable): Seq[String] = Seq(error.getErrorClass)

  val sparkFile = "error/error-classes.json"
}
