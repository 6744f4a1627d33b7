val root = file(".").getCanonicalFile
val versions = Versions.load(root / "project" / "versions.json")

ThisBuild / organization := "io.lamina"
ThisBuild / version := versions.lamina

// One project per row of project/versions.json: spark41, spark40, spark35.
lazy val lines = new CompositeProject {
  val componentProjects = versions.lines.map(LaminaBuild.project(_, versions, root))
}

lazy val lamina = project
  .in(file("."))
  .aggregate(versions.lines.map(line => LocalProject(line.id)): _*)
  .settings(publish / skip := true)
