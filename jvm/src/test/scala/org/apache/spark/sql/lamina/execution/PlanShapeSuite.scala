package org.apache.spark.sql.lamina.execution

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.execution.joins.{BaseJoinExec, BroadcastHashJoinExec}
import org.apache.spark.sql.lamina.LakeSession

/**
 * How often each strategy reads the table, how it joins it, and what it leaves to Iceberg to skip: what its
 * speed rests on.
 */
class PlanShapeSuite extends AnyFunSuite with LakeSession with AdaptiveSparkPlanHelper {

  private val source =
    "(SELECT * FROM VALUES (1, 'a', TIMESTAMP'2024-01-01'), (2, 'b', TIMESTAMP'2024-01-01') AS v(id, v, at))"

  private val columns = "id INT, v STRING, at TIMESTAMP"
  private val history = s"$columns, valid_from TIMESTAMP, valid_to TIMESTAMP"

  private def plans(mode: String, columns: String, strategy: String): Seq[SparkPlan] = {
    val t = newTable(columns)
    sql(s"ALTER TABLE $t SET TBLPROPERTIES ('write.merge.mode' = '$mode')")
    sql(s"INSERT INTO $t SELECT *${if (columns == history) ", at, NULL" else ""} FROM $source")
    val command = prepare(s"INSERT INTO $t MERGE STRATEGY $strategy SELECT * FROM $source")
    new InsertAttempt(spark, command.plan, InsertExecution.now()).shownPlans
      .map(_.asInstanceOf[SparkPlan])
  }

  /** Reads of the target: the columns that are read, and the filters that Iceberg gets. */
  private def reads(plan: SparkPlan): Seq[String] = collect(plan) {
    case scan: BatchScanExec =>
      val filters = "filters=(.*?), (runtimeFilters|groupedBy)".r
        .findFirstMatchIn(scan.scan.description()).map(_.group(1)).getOrElse("")
      s"${scan.output.map(_.name).mkString(",")} where ${filters.replaceAll("\\d{10,}", "now")}"
  }

  private def joins(plan: SparkPlan): Seq[String] = collect(plan) {
    case join: BroadcastHashJoinExec => s"${join.joinType} broadcast ${join.buildSide}"
    case join: BaseJoinExec => s"${join.joinType} ${join.nodeName}"
  }

  private val open = "(valid_to IS NULL OR valid_to > now)"

  /** In the order of the plan, from the top. */
  private val found = Seq(
    ("incremental UNIQUE KEY (id)", columns, "", Seq("Inner broadcast BuildRight")),
    (
      "incremental UNIQUE KEY (id) HARD DELETES invalidate",
      columns,
      "id IS NOT NULL",
      Seq("FullOuter")),
    ("delete_insert UNIQUE KEY (id)", columns, "", Seq("LeftSemi broadcast BuildRight")),
    ("snapshot PARTITION COLUMN id", columns, "", Seq("LeftSemi broadcast BuildRight")),
    ("scd2 UNIQUE KEY (id)", history, open, Seq("Inner broadcast BuildRight")),
    ("scd2 UNIQUE KEY (id) SEQUENCE BY at", history, "", Seq("LeftSemi broadcast BuildRight")))

  for ((strategy, columns, filter, expected) <- found) {

    Seq("merge-on-read", "copy-on-write").foreach { mode =>
      test(s"$strategy, $mode: one read finds the changes") {
        val find = plans(mode, columns, strategy).head
        assert(reads(find).size == 1)
        assert(reads(find).head.split(" where ").lift(1).getOrElse("").contains(filter))
        val kinds = joins(find)
        assert(kinds.size == expected.size, kinds)
        kinds.zip(expected).foreach { case (kind, start) => assert(kind.startsWith(start), kinds) }
      }
    }

    test(s"$strategy, merge-on-read: the table is not read again to be written") {
      assert(reads(plans("merge-on-read", columns, strategy).last) == Nil)
    }

    test(s"$strategy, copy-on-write: the files to be replaced are read once, beside the changes") {
      val write = plans("copy-on-write", columns, strategy).last
      assert(reads(write).size == 1)
      assert(joins(write) == Nil)
    }
  }

  for ((strategy, columns) <- Seq("incremental" -> columns, "scd2" -> history)) {
    test(s"$strategy: the rows that are new are found without the table") {
      val rest = plans("merge-on-read", columns, s"$strategy UNIQUE KEY (id)")(1)
      assert(reads(rest) == Nil)
      assert(joins(rest).map(_.takeWhile(_ != ' ')) == Seq("LeftAnti"))
    }
  }

  test("delete_insert reads nothing but keys and places") {
    val find = plans("merge-on-read", columns, "delete_insert UNIQUE KEY (id)").head
    assert(reads(find).head.startsWith("id,_file,_pos,_spec_id,_partition where"))
  }
}
