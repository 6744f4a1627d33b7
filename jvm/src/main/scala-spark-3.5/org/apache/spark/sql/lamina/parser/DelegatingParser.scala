package org.apache.spark.sql.lamina.parser

/** Spark 3.5: parameters are bound after parsing, so there is nothing to add. */
trait DelegatingParser extends ParserDelegation
