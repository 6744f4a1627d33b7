"""Finds out what a session has. The only module that reaches behind Spark's public Python API."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lamina import errors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

EXTENSION = "io.lamina.LaminaExtensions"


def is_connect(session: Any) -> bool:
    """Whether ``session`` is a Spark Connect client, which has no JVM of its own."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def names_extension(session: SparkSession) -> bool:
    """Whether ``spark.sql.extensions`` of the session, or of the Connect server, names Lamina's."""
    extensions = session.conf.get("spark.sql.extensions", "") or ""
    return EXTENSION in [name.strip() for name in extensions.split(",")]


def has_jar(session: Any) -> bool | None:
    """Whether the session's JVM can load Lamina's classes; ``None`` when the JVM is out of reach."""
    if is_connect(session):
        return None
    jvm = session._jvm
    try:
        jvm.org.apache.spark.util.Utils.classForName(EXTENSION, False, False)
    except Exception:  # py4j wraps the ClassNotFoundException in an error of its own
        return False
    return True


def what_is_missing(session: SparkSession) -> errors.LaminaError | None:
    """The error that names the missing setting, or ``None`` when the session has all it needs."""
    if not names_extension(session):
        return errors.missing_extension(EXTENSION)
    if has_jar(session) is False:
        return errors.missing_jar(EXTENSION)
    return None


def jars_of_spark() -> list[str]:
    """The file names of the jars that come with the installed Spark."""
    from pyspark.find_spark_home import _find_spark_home

    spark_home: str = _find_spark_home()  # type: ignore[no-untyped-call]
    return [jar.name for jar in Path(spark_home, "jars").glob("*.jar")]


def spark_runs() -> bool:
    """Whether this process has a Spark context, whose classpath and static settings can no longer change."""
    from pyspark import SparkContext

    return SparkContext._active_spark_context is not None


def start_spark(settings: Mapping[str, str], log: Path) -> None:
    """Starts Spark with ``settings``; whatever its JVM writes to stdout or stderr goes to ``log``."""
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkRuntimeError
    from pyspark.java_gateway import launch_gateway

    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    # A JVM outlives its Spark context, and PySpark allows one JVM in a process.
    gateway = SparkContext._gateway
    if gateway is None:
        start_of_log = log.stat().st_size if log.exists() else 0
        with log.open("ab") as output:
            try:
                gateway = launch_gateway(conf, popen_kwargs={"stdout": output, "stderr": output})  # type: ignore[no-untyped-call]
            except PySparkRuntimeError as error:
                raise errors.SessionStartError(
                    f"Spark did not start. The end of {log}:\n{_last_lines(log, start_of_log)}"
                ) from error
    SparkContext(conf=conf, gateway=gateway)
    _raise_without_logging()


def _raise_without_logging() -> None:
    """PySpark 4 also writes every SQL error it raises to stderr, as JSON: once is enough."""
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:  # PySpark 3.5
        return
    PySparkLogger.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)


def _last_lines(log: Path, start: int, count: int = 12) -> str:
    written = log.read_bytes()[start:].decode(errors="replace")
    return "\n".join([line for line in written.splitlines() if line.strip()][-count:])
