package org.apache.spark.sql.lamina.execution

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.expressions.codegen.CodeFormatter
import org.apache.spark.sql.execution.{SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.lamina.{LakeSession, Sessions}

/** What is new in each statement is beside its code, so that the code of the last one is used again. */
class HeldLiteralsSuite extends AnyFunSuite with LakeSession {

  private def physical(low: Long): SparkPlan = {
    val query = sql(s"SELECT id + ${low}L AS v FROM range(10) WHERE id >= ${low}L AND id <> 7L")
    HeldLiterals.hold(
      Sessions.asPlanned(spark, Sessions.execute(spark, query.queryExecution.analyzed)),
      Set(Literal(low)))
  }

  private def code(plan: SparkPlan): String =
    plan.collectFirst { case stage: WholeStageCodegenExec =>
      CodeFormatter.stripExtraNewLinesAndComments(stage.doCodeGen()._2.body)
    }.get

  test("the code is the same for other values") {
    assert(code(physical(3L)) == code(physical(5L)))
  }

  test("the rows are those of the values") {
    def rows(low: Long) = physical(low).executeCollect().map(_.getLong(0)).toSeq
    assert(rows(6L) == Seq(12L, 14L, 15L))
    assert(rows(8L) == Seq(16L, 17L))
  }

  test("other literals stay in the code") {
    assert(physical(3L).toString.contains("= 7"))
  }
}
