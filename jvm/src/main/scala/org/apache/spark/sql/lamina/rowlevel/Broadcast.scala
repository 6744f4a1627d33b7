package org.apache.spark.sql.lamina.rowlevel

import org.apache.spark.sql.catalyst.plans.logical.{BROADCAST, HintInfo, JoinHint, LogicalPlan}

/** When the rows of one side of a join go to every task of the other. */
private[rowlevel] object Broadcast {

  /** For a right side that is known to be small. */
  val right: JoinHint = JoinHint(None, Some(HintInfo(strategy = Some(BROADCAST))))

  /** More than Spark sends by itself: what it saves is a shuffle of the table's files. */
  def rightIfSmall(rows: LogicalPlan): JoinHint =
    if (rows.stats.sizeInBytes <= maxBytes) right else JoinHint.NONE

  private val maxBytes = 64L << 20
}
