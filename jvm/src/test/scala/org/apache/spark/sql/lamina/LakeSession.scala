package org.apache.spark.sql.lamina

import java.nio.file.{Files, Path, Paths}
import java.util.Comparator
import java.util.concurrent.atomic.AtomicInteger

import io.lamina.LaminaExtensions
import org.apache.iceberg.{BaseTable, Table, TableMetadata}
import org.apache.iceberg.spark.Spark3Util
import org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions
import org.scalatest.{BeforeAndAfterAll, Suite}

import org.apache.spark.sql.{DataFrame, Row, SparkSession}
import org.apache.spark.sql.catalyst.expressions.GenericRowWithSchema
import org.apache.spark.sql.lamina.execution.StrategyInsertCommand

/** A Spark session with Lamina, and the Iceberg catalog `lake` in a folder of the suite's own. */
trait LakeSession extends BeforeAndAfterAll with ErrorAssertions { self: Suite =>

  protected lazy val folder: Path = Files.createTempDirectory("lamina-test")

  protected lazy val spark: SparkSession = {
    val session = LakeSession.root.newSession()
    LakeSession.catalog("lake", folder).foreach { case (key, value) =>
      session.conf.set(key, value)
    }
    session
  }

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    SparkSession.setActiveSession(spark)
    sql("CREATE NAMESPACE lake.db")
  }

  override protected def afterAll(): Unit =
    try {
      spark.catalog.clearCache()
      LakeSession.delete(folder)
    } finally super.afterAll()

  /** A name that no other test uses. */
  protected def newName(): String = s"lake.db.t${LakeSession.tables.incrementAndGet()}"

  /** An Iceberg table with these columns and rows. */
  protected def newTable(columns: String, values: String*): String = {
    val name = newName()
    sql(s"CREATE TABLE $name ($columns) USING iceberg")
    if (values.nonEmpty) sql(s"INSERT INTO $name VALUES ${values.mkString(", ")}")
    name
  }

  protected def sql(text: String): DataFrame = spark.sql(text)

  protected def rows(query: String): Seq[Row] = sql(query).collect().toSeq

  /** Runs a statement with clauses and reads the row it returns. */
  protected def run(statement: String): ResultRow = ResultRow(sql(statement))

  /** A statement that is decided and planned, but not run yet. */
  protected def prepare(statement: String): StrategyInsertCommand = {
    val parsed = Sessions.state(spark).sqlParser.parsePlan(statement)
    val command =
      Sessions.execute(spark, parsed).analyzed.asInstanceOf[StrategyInsertCommand]
    assert(command.innerChildren.nonEmpty)
    command
  }

  /** Decides and plans the statement, lets another writer commit, then runs it. */
  protected def race(statement: String)(other: => Any): ResultRow = {
    val prepared = prepare(statement)
    other
    val row = prepared.run(spark).head
    ResultRow(new GenericRowWithSchema(row.toSeq.toArray, prepared.schema))
  }

  /** The table as its files say, past every cache. */
  protected def load(name: String): Table = {
    val table = Spark3Util.loadIcebergTable(spark, name)
    table.refresh()
    table
  }

  protected def metadata(name: String): TableMetadata =
    load(name).asInstanceOf[BaseTable].operations().current()

  protected def columns(name: String): Seq[String] = spark.table(name).columns.toSeq

  protected def snapshotIds(name: String): Seq[Long] =
    JavaCollections.seq(metadata(name).snapshots()).map(_.snapshotId())

  /** All files of a table below its location, data and metadata. */
  protected def files(name: String): Set[String] = LakeSession.files(location(name))

  protected def metadataFiles(name: String): Set[String] =
    files(name).filter(_.endsWith(".metadata.json"))

  protected def location(name: String): Path =
    folder.resolve(Paths.get(name.split('.').drop(1).mkString("/")))

  /** Runs what is given with a session setting that is taken back afterwards. */
  protected def withSetting[A](key: String, value: String)(body: => A): A = {
    val before = spark.conf.getOption(key)
    spark.conf.set(key, value)
    try body
    finally before.fold(spark.conf.unset(key))(spark.conf.set(key, _))
  }
}

object LakeSession {

  private val tables = new AtomicInteger()

  /** Starting Spark takes seconds, so all suites share what is not the session's own. */
  lazy val root: SparkSession = SparkSession
    .builder()
    .master("local[2]")
    .appName("lamina-test")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.sql.warehouse.dir", Files.createTempDirectory("lamina-warehouse").toString)
    .config(
      "spark.sql.extensions",
      Seq(classOf[IcebergSparkSessionExtensions], classOf[LaminaExtensions])
        .map(_.getName)
        .mkString(","))
    .getOrCreate()

  def catalog(name: String, folder: Path): Map[String, String] = Map(
    s"spark.sql.catalog.$name" -> "org.apache.iceberg.spark.SparkCatalog",
    s"spark.sql.catalog.$name.type" -> "hadoop",
    s"spark.sql.catalog.$name.warehouse" -> folder.toString)

  def files(folder: Path): Set[String] = {
    val found = Files.walk(folder)
    try JavaCollections.seq(() => found.iterator())
        .filter(Files.isRegularFile(_))
        .map(folder.relativize(_).toString)
        .filterNot(_.endsWith(".crc"))
        .toSet
    finally found.close()
  }

  def delete(folder: Path): Unit = {
    val found = Files.walk(folder)
    try found.sorted(Comparator.reverseOrder[Path]()).forEach(path => Files.delete(path))
    finally found.close()
  }
}
