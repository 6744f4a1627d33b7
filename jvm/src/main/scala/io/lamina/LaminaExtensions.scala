package io.lamina

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.lamina.analysis.ResolveStrategyInsert
import org.apache.spark.sql.lamina.parser.LaminaParser

/**
 * What Lamina adds to a Spark session. Turn it on with
 * {{{
 * spark.jars            = lamina-spark-4.1_2.13-<version>.jar
 * spark.sql.extensions  = io.lamina.LaminaExtensions
 * }}}
 */
class LaminaExtensions extends (SparkSessionExtensions => Unit) {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    // parser
    extensions.injectParser((_, parser) => new LaminaParser(parser))

    // analyzer
    extensions.injectResolutionRule(session => new ResolveStrategyInsert(session))
  }
}
