package org.apache.spark.sql.lamina

import org.apache.spark.sql.SparkSession

/** The session with its inside: before Spark 4, every session has it. */
object ClassicSession {

  def apply(session: SparkSession): SparkSession = session
}
