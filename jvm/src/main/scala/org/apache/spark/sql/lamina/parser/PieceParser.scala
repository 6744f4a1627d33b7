package org.apache.spark.sql.lamina.parser

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** Spark's parser, with the parameters that the caller gave for the whole statement. */
trait PieceParser {

  /** Parses a statement that is Spark's alone. */
  def parseWhole(sql: String): LogicalPlan

  /**
   * Parses a piece of a statement.
   * @param markers which of the statement's `?` markers, counted from 0, stand in this piece
   */
  def parse(piece: String, markers: Seq[Int]): LogicalPlan
}
