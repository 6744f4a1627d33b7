package io.lamina

import org.apache.spark.sql.SparkSessionExtensions

class LaminaExtensions extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = ()
}
