package org.apache.spark.sql.lamina

import java.lang.reflect.{InvocationTargetException, Method, Modifier}

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.{ErrorMessageFormat, SparkThrowable, SparkThrowableHelper}
import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.types.{DataType, IntegerType}

/** Every function of LaminaErrors is called, and what it gives is read as a caller would. */
class LaminaErrorsSuite extends AnyFunSuite with ErrorAssertions {

  private val sql = "INSERT INTO t\nMERGE STRATEGY nope SELECT 1"
  private val place = Origin(
    line = Some(2),
    startPosition = Some(15),
    startIndex = Some(29),
    stopIndex = Some(32),
    sqlText = Some(sql))

  private val functions: Seq[Method] = LaminaErrors.getClass.getDeclaredMethods.toSeq
    .filter(method => Modifier.isPublic(method.getModifiers) && !method.isSynthetic)
    .filter(method => classOf[SparkThrowable].isAssignableFrom(method.getReturnType))
    .sortBy(_.getName)

  private def argument(kind: Class[_], i: Int): AnyRef =
    if (kind == classOf[String]) s"text $i"
    else if (kind == classOf[Int]) Int.box(i)
    else if (kind == classOf[DataType]) IntegerType
    else if (kind == classOf[Origin]) place
    else if (kind == classOf[SqlPosition]) SqlPosition(place, sql)
    else if (kind == classOf[Throwable]) new IllegalStateException("the cause")
    else if (kind.isAssignableFrom(classOf[List[_]])) List(s"item $i", "and another")
    else fail(s"no argument of $kind")

  private def call(function: Method): Throwable with SparkThrowable = {
    val arguments = function.getParameterTypes.toSeq.zipWithIndex.map { case (kind, i) =>
      argument(kind, i)
    }
    try function.invoke(LaminaErrors, arguments: _*).asInstanceOf[Throwable with SparkThrowable]
    catch { case e: InvocationTargetException => throw e.getCause }
  }

  private val errors = functions.map(function => function.getName -> call(function))

  test("all functions are found") {
    assert(functions.map(_.getName).contains("unknownStrategy"))
    assert(functions.map(_.getName).contains("concurrentWrite"))
    assert(functions.size >= 18)
  }

  test("every condition of the file is used, and every used one is in the file") {
    assert(errors.map(e => condition(e._2)).toSet == LaminaErrors.conditions.errorInfoMap.keySet)
  }

  errors.foreach { case (name, error) =>
    test(s"$name: condition, SQLSTATE, parameters and message") {
      val info = LaminaErrors.conditions.errorInfoMap(condition(error))
      assert(error.getSqlState == info.sqlState.get)
      val placeholders =
        "<([a-zA-Z]+)>".r.findAllMatchIn(info.messageTemplate).map(_.group(1)).toSet
      assert(JavaCollections.map(error.getMessageParameters).keySet == placeholders)
      val message = error.getMessage
      assert(message.contains(s"[${condition(error)}] "))
      assert(message.contains(s"SQLSTATE: ${error.getSqlState}"))
      placeholders.foreach(placeholder => assert(!message.contains(s"<$placeholder>")))
      JavaCollections.map(error.getMessageParameters).values.foreach { value =>
        assert(message.contains(value))
      }
    }

    test(s"$name: what Spark's shells and servers make of it") {
      val minimal = SparkThrowableHelper.getMessage(error, ErrorMessageFormat.MINIMAL)
      assert(minimal.contains(s""""${condition(error)}""""))
      assert(minimal.contains(s""""${error.getSqlState}""""))
      assert(SparkThrowableHelper.getMessage(error, ErrorMessageFormat.PRETTY) == error.getMessage)
    }
  }

  test("an error in the words of a statement is a ParseException with its place") {
    val parse = errors.collect { case (_, error: ParseException) => error }
    assert(parse.map(condition).toSet == Set(
      "LAMINA_UNKNOWN_STRATEGY",
      "LAMINA_UNKNOWN_POLICY",
      "LAMINA_DUPLICATE_OPTION",
      "LAMINA_INVALID_SETTING",
      "LAMINA_OPTION_NOT_APPLICABLE"))
    parse.foreach { error =>
      assert((error.line, error.startPosition) == ((Some(2), Some(15))))
      assert(error.command.contains(sql))
      assert(error.getMessage.endsWith(
        "\n\n== SQL ==\nINSERT INTO t\nMERGE STRATEGY nope SELECT 1\n---------------^^^"))
    }
  }

  test("an error that knows its place shows it") {
    val error =
      LaminaErrors.columnNotFound("UNIQUE KEY", "x", "the source", Seq("a", "b"), place)
    assert((error.line, error.startPosition) == ((Some(2), Some(15))))
    assert(error.getMessage.contains("line 2 pos 15"))
    assert(error.getMessage.contains("Its columns are: a, b."))
  }

  test("a lost race keeps its cause") {
    val cause = new IllegalStateException("lost")
    assert(LaminaErrors.concurrentWrite("t", 5, cause).getCause eq cause)
  }

  test("an empty list is said in words") {
    assert(LaminaErrors.schemaChanged("t", Nil, Seq("a")).getMessage.contains(
      "New in the source: none. Missing from the source: a."))
  }
}
