import com.simplytyped.Antlr4Plugin
import com.simplytyped.Antlr4Plugin.autoImport._
import sbt._
import sbt.Keys._

/** The settings of one Spark line. Every line compiles the same source tree plus its own shim folders. */
object LaminaBuild {

  def project(line: SparkLine, versions: Versions, root: File): Project =
    Project(line.id, root / "jvm" / "target" / line.id)
      .enablePlugins(Antlr4Plugin)
      .settings(
        name := s"lamina-spark-${line.line}",
        target := baseDirectory.value,
        scalaVersion := line.scala,
        crossPaths := false,
        sourceFolders(line, root / "jvm" / "src"),
        dependencies(line, versions),
        compiler(line),
        grammar(line, root / "jvm" / "src"),
        jar(line, versions, root / "jvm" / "target" / "jars"),
        tests)

  private def sourceFolders(line: SparkLine, src: File): SettingsDefinition =
    Seq(Compile -> "main", Test -> "test").flatMap { case (config, folder) =>
      val scalaFolders = "scala" +: line.shims.map("scala-spark-" + _)
      Seq(
        config / unmanagedSourceDirectories := scalaFolders.map(src / folder / _),
        config / unmanagedResourceDirectories := Seq(src / folder / "resources"))
    }

  /** Spark and Iceberg come from the session that loads the jar, so nothing is packaged. */
  private def dependencies(line: SparkLine, versions: Versions): SettingsDefinition =
    Seq(
      libraryDependencies ++= Seq(
        "org.apache.spark" %% "spark-sql" % line.spark % Provided,
        "org.apache.iceberg" % s"iceberg-spark-runtime-${line.line}_${line.scalaBinary}" %
          line.iceberg % Provided,
        "org.scalatest" %% "scalatest" % "3.2.19" % Test,
        "org.xerial" % "sqlite-jdbc" % versions.sqliteJdbc % Test),
      // A library may ask for a newer Scala than the one Spark ships; tests must not run on it.
      dependencyOverrides ++= Seq("scala-library", "scala-reflect")
        .map("org.scala-lang" % _ % line.scala))

  private def compiler(line: SparkLine): SettingsDefinition = {
    val fatal = if (line.scalaBinary == "2.12") "-Xfatal-warnings" else "-Werror"
    Seq(
      javacOptions ++= Seq("--release", "17"),
      scalacOptions ++= Seq("-encoding", "UTF-8", "-release", "17") ++
        Seq("-deprecation", "-feature", "-unchecked", "-Xlint", fatal),
      Compile / doc / Keys.sources := Nil)
  }

  /** The generator must match the ANTLR runtime that the Spark line ships: the two check each other. */
  private def grammar(line: SparkLine, src: File): SettingsDefinition =
    Seq(
      Antlr4 / sourceDirectory := src / "main" / "antlr4",
      Antlr4 / antlr4Version := line.antlr,
      Antlr4 / antlr4RuntimeDependency := "org.antlr" % "antlr4-runtime" % line.antlr % Provided,
      Antlr4 / antlr4PackageName := Some("org.apache.spark.sql.lamina.parser"),
      Antlr4 / antlr4GenVisitor := true,
      Antlr4 / antlr4GenListener := false,
      Antlr4 / antlr4TreatWarningsAsErrors := true)

  private def jar(line: SparkLine, versions: Versions, folder: File): SettingsDefinition =
    Compile / packageBin / artifactPath := folder / line.jarName(versions.lamina)

  private def tests: SettingsDefinition =
    Seq(
      Test / fork := true,
      Test / parallelExecution := false,
      Test / javaOptions ++= JvmOptions.spark ++ Seq("-Xmx2g", "-Dspark.ui.enabled=false"),
      Test / testOptions += Tests.Argument("-oDF"))
}
