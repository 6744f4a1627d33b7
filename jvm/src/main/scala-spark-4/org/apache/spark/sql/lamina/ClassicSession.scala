package org.apache.spark.sql.lamina

import org.apache.spark.sql.{classic, SparkSession}

/** The session with its inside: what runs in the server is never a Spark Connect client. */
object ClassicSession {

  def apply(session: SparkSession): classic.SparkSession =
    session.asInstanceOf[classic.SparkSession]
}
