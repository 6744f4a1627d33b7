package org.apache.spark.sql.lamina.execution

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{LeafExpression, Literal}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, CodeGenerator, ExprCode, FalseLiteral}
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.types.DataType

/**
 * Spark writes literals into the code that it generates. The moment of a statement and the bounds of its keys
 * are new each time, so the code would be too, and the JVM would have to make each statement's code fast anew.
 */
private[execution] object HeldLiterals {

  /** The plan with values beside its code in place of these literals in it. */
  def hold(plan: SparkPlan, literals: Set[Literal]): SparkPlan = plan.transformAllExpressions {
    case literal: Literal if literals.contains(literal) => HeldLiteral(literal)
  }
}

private case class HeldLiteral(literal: Literal) extends LeafExpression {

  override def nullable: Boolean = false

  override def dataType: DataType = literal.dataType

  override def eval(input: InternalRow): Any = literal.value

  override protected def doGenCode(context: CodegenContext, code: ExprCode): ExprCode = {
    val javaType = CodeGenerator.javaType(dataType)
    val reference = context.addReferenceObj("held", literal.value)
    val held = context.addMutableState(
      javaType,
      "held",
      v => s"$v = (${CodeGenerator.boxedType(dataType)}) $reference;")
    code.copy(code = code"final $javaType ${code.value} = $held;", isNull = FalseLiteral)
  }
}
