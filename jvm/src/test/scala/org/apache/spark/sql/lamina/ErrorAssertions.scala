package org.apache.spark.sql.lamina

import scala.reflect.ClassTag

import org.scalatest.Assertions

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.AnalysisException

/** Errors are told apart by their condition, as callers do. */
trait ErrorAssertions extends Assertions {

  def condition(error: SparkThrowable): String = {
    val names = ErrorConditions.names(error).distinct
    assert(names.size == 1, "the condition goes by different names")
    names.head
  }

  def analysisError(expected: String)(statement: => Any): AnalysisException =
    error[AnalysisException](expected)(statement)

  def error[E <: Exception with SparkThrowable: ClassTag](expected: String)(statement: => Any)
      : E = {
    val thrown = intercept[E](statement)
    assert(condition(thrown) == expected, s"\n${thrown.getMessage}")
    thrown
  }
}
