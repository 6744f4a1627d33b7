package org.apache.spark.sql.lamina.parser

import org.apache.spark.sql.catalyst.parser.CatalystSqlParser
import org.apache.spark.sql.types.StructType

/** Spark 4.0: parameters are bound after parsing; routine parameters are new. */
trait DelegatingParser extends ParserDelegation {

  /** Not the delegate: Iceberg's parser refuses, and Spark's does the same as this one. */
  override def parseRoutineParam(sqlText: String): StructType =
    CatalystSqlParser.parseRoutineParam(sqlText)
}
