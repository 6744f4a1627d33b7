package org.apache.spark.sql.lamina

import org.apache.spark.SparkRuntimeException

/** An error that only the data shows. Spark's own class looks its texts up in Spark's file, so they are given here. */
class LaminaRuntimeException(condition: String, parameters: Map[String, String])
    extends SparkRuntimeException("INTERNAL_ERROR", Map("message" -> condition)) {

  override def getMessage: String = LaminaErrors.message(condition, parameters)

  override def getErrorClass: String = condition

  override def getSqlState: String = LaminaErrors.conditions.getSqlState(condition)

  override def getMessageParameters: java.util.Map[String, String] =
    JavaCollections.javaMap(parameters)
}
