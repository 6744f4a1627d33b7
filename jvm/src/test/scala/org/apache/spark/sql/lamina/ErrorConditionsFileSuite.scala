package org.apache.spark.sql.lamina

import com.fasterxml.jackson.core.JsonParser
import com.fasterxml.jackson.core.util.{DefaultIndenter, DefaultPrettyPrinter}
import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.scalatest.funsuite.AnyFunSuite

/** Keeps `error/lamina-error-conditions.json` in order. */
class ErrorConditionsFileSuite extends AnyFunSuite {

  private val mapper = new ObjectMapper().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)

  private def text(resource: String): String = {
    val stream = getClass.getClassLoader.getResourceAsStream(resource)
    try new String(stream.readAllBytes(), "UTF-8")
    finally stream.close()
  }

  private val file = text("error/lamina-error-conditions.json")

  /** Reading it fails when a condition is there twice. */
  private val conditions: JsonNode = mapper.readTree(file)

  private def names(node: JsonNode): Seq[String] =
    JavaCollections.seq(() => node.fieldNames())

  private def message(condition: String): String =
    JavaCollections.seq(conditions.get(condition).get("message")).map(_.asText).mkString("\n")

  test("conditions are sorted and named LAMINA_...") {
    assert(names(conditions).size >= 17)
    assert(names(conditions) == names(conditions).sorted)
    names(conditions).foreach(name => assert(name.matches("LAMINA(_[A-Z]+)+"), name))
  }

  test("each condition has a message and a SQLSTATE, and nothing else") {
    names(conditions).foreach { name =>
      assert(names(conditions.get(name)) == Seq("message", "sqlState"), name)
      assert(conditions.get(name).get("sqlState").asText.matches("[0-9A-Z]{5}"), name)
      assert(message(name).nonEmpty, name)
    }
  }

  test("the file is written as Spark writes its own") {
    val indenter = new DefaultIndenter("  ", "\n")
    val printer = new DefaultPrettyPrinter()
    printer.indentArraysWith(indenter)
    printer.indentObjectsWith(indenter)
    assert(file.trim == mapper.writer(printer).writeValueAsString(conditions))
  }

  test("no condition is one of Spark's") {
    val spark = names(mapper.readTree(text(ErrorConditions.sparkFile)))
    assert(spark.size > 300)
    assert(names(conditions).intersect(spark) == Nil)
  }

  test("the SQLSTATE of each condition is of a class that Spark uses too") {
    val spark = mapper.readTree(text(ErrorConditions.sparkFile))
    val classes = names(spark).flatMap(name => Option(spark.get(name).get("sqlState")))
      .map(_.asText.take(2))
      .toSet
    names(conditions).foreach { name =>
      val state = conditions.get(name).get("sqlState").asText
      assert((classes + "40").contains(state.take(2)), s"$name $state")
    }
  }

  /** How a sentence begins that tells the reader what to do. */
  private val remedy =
    "(?i)(add|cast|check|close|correct|create|keep|leave|name|rename|run|set|store|use|write)\\b|accepted:|available:|its columns are:"

  test("each message ends with a sentence that says what to do") {
    names(conditions).foreach { name =>
      // What was found comes last where it is a list of rows.
      val text = message(name).replaceAll(" (Rows|Keys|Found): <samples>\\.$", "")
      val sentences = text.split("(?<=\\.)\\s+(?=[A-Z<])")
      assert(sentences.size >= 2, name)
      assert(text.endsWith(".") || text.endsWith("<remedy>"), name)
      val last = sentences.last.replaceAll("\\.?<remedy>$", ".")
      val advice = last.split(": ", 2).map(_.trim) :+ sentences.last
      assert(
        sentences.last == "<remedy>" || advice.exists(_.matches(s"(?s)($remedy).*")),
        s"$name: ${sentences.last}")
    }
  }
}
