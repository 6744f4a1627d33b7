/** What Spark needs of a JVM newer than 8; Spark's own launcher passes the same list. */
object JvmOptions {

  private val opened = Seq(
    "java.lang",
    "java.lang.invoke",
    "java.lang.reflect",
    "java.io",
    "java.net",
    "java.nio",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "sun.nio.ch",
    "sun.nio.cs",
    "sun.security.action",
    "sun.util.calendar")

  val spark: Seq[String] =
    opened.map(name => s"--add-opens=java.base/$name=ALL-UNNAMED") ++ Seq(
      "-XX:+IgnoreUnrecognizedVMOptions",
      "-Djdk.reflect.useDirectMethodHandle=false",
      "-Dio.netty.tryReflectionSetAccessible=true")
}
