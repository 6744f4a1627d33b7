import sbt._
import sjsonnew.shaded.scalajson.ast.unsafe.{JArray, JObject, JString, JValue}
import sjsonnew.support.scalajson.unsafe.Parser

/** One row of `project/versions.json`: a Spark version line and everything built against it. */
final case class SparkLine(
    line: String,
    scala: String,
    spark: String,
    iceberg: String,
    antlr: String) {

  /** `4.1` becomes `spark41`: the id of the line's sbt project. */
  val id: String = "spark" + line.replace(".", "")

  val scalaBinary: String = scala.split('.').take(2).mkString(".")

  /** Shim folders are named after the line (`4.1`) or after its major version (`4`). */
  val shims: Seq[String] = Seq(line, line.takeWhile(_ != '.'))

  def jarName(version: String): String = s"lamina-spark-${line}_$scalaBinary-$version.jar"
}

final case class Versions(lamina: String, sqliteJdbc: String, lines: Seq[SparkLine])

object Versions {

  def load(file: File): Versions = {
    val table = Parser.parseFromFile(file).get
    val rows = field(table, "lines") match {
      case JArray(values) => values.toList
      case _ => sys.error(s"$file: 'lines' is not a list")
    }
    Versions(text(table, "lamina"), text(table, "sqliteJdbc"), rows.map(sparkLine))
  }

  private def sparkLine(row: JValue): SparkLine =
    SparkLine(
      line = text(row, "line"),
      scala = text(row, "scala"),
      spark = text(row, "spark"),
      iceberg = text(row, "iceberg"),
      antlr = text(row, "antlr"))

  private def text(json: JValue, name: String): String =
    field(json, name) match {
      case JString(value) => value
      case _ => sys.error(s"versions.json: '$name' is not a string")
    }

  private def field(json: JValue, name: String): JValue =
    json match {
      case JObject(fields) =>
        fields
          .find(_.field == name)
          .map(_.value)
          .getOrElse(sys.error(s"versions.json: no field '$name'"))
      case _ => sys.error(s"versions.json: expected an object with the field '$name'")
    }
}
