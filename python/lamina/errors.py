"""What Lamina's wrappers raise. Every class here is a `LaminaError`.

An error that Spark raised with a condition ``LAMINA_…`` becomes a `StatementError`, which carries the
condition and chains Spark's exception. Every other Spark error reaches the caller unchanged.
"""

from __future__ import annotations

import re

_CONDITION_IN_MESSAGE = re.compile(r"\[([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)*)\]")


class LaminaError(Exception):
    """The base of everything that Lamina's wrappers raise themselves."""


class MissingJarError(LaminaError):
    """The session names Lamina's extension, but no Lamina jar is on its classpath."""


class MissingExtensionError(LaminaError):
    """The session runs without Lamina's extension."""


class SessionStartError(LaminaError):
    """Spark did not start; the message ends with the last lines of its log."""


class StatementError(LaminaError):
    """Lamina refused the statement, or its data. Nothing was written.

    >>> error = StatementError("[LAMINA_NULL_KEY] …", condition="LAMINA_NULL_KEY")
    >>> error.condition
    'LAMINA_NULL_KEY'
    """

    def __init__(self, message: str, *, condition: str) -> None:
        super().__init__(message)
        self.condition = condition


def spark_condition(error: BaseException) -> str | None:
    """The condition of a Spark error: ``getCondition()`` on 4.x, ``getErrorClass()`` on 3.5.

    Spark Connect 3.5 passes the condition on in the message only, so that is read last.

    >>> spark_condition(RuntimeError("[PARSE_SYNTAX_ERROR] Syntax error at or near 'MERGE'."))
    'PARSE_SYNTAX_ERROR'
    """
    accessor = getattr(error, "getCondition", None) or getattr(error, "getErrorClass", None)
    condition = accessor() if accessor else None
    if condition:
        return str(condition)
    found = _CONDITION_IN_MESSAGE.search(str(error))
    return found.group(1) if found else None


def statement_error(error: BaseException) -> StatementError | None:
    """The `StatementError` for a Spark error with a condition ``LAMINA_…``, ``None`` for any other."""
    condition = spark_condition(error)
    if condition is None or not condition.startswith("LAMINA_"):
        return None
    return StatementError(_without_plan(str(error)), condition=condition)


def _without_plan(message: str) -> str:
    """Spark appends the plan or the JVM's stack to some messages; neither helps the reader."""
    return re.split(r"\n\nJVM stacktrace:|;\n'?[A-Z+]", message, maxsplit=1)[0].strip()


def missing_extension(extension: str) -> MissingExtensionError:
    """The error for a session in which ``extension`` is not among ``spark.sql.extensions``."""
    return MissingExtensionError(
        f"This Spark session runs without Lamina. Two settings are missing:\n"
        f"  spark.jars            the path that lamina.jar_path() returns\n"
        f"  spark.sql.extensions  {extension}\n" + _WHERE_SETTINGS_GO
    )


def missing_jar(extension: str) -> MissingJarError:
    """The error for a session that names ``extension`` but could not load it."""
    return MissingJarError(
        f"spark.sql.extensions names {extension}, but Spark could not load it: "
        f"Lamina's jar is not on the classpath. One setting is missing, or names another Spark's jar:\n"
        f"  spark.jars            the path that lamina.jar_path() returns\n" + _WHERE_SETTINGS_GO
    )


# A JVM that runs already keeps its classpath, hence the new process.
_WHERE_SETTINGS_GO = (
    "Spark reads its settings when it starts. Put them where it starts, and begin in a new process:\n"
    "  your own session         lamina.configure(SparkSession.builder).getOrCreate()\n"
    "  spark-submit, spark-sql  conf/spark-defaults.conf; `lamina conf` prints the lines\n"
    "  a cluster, a server      its Spark settings; `lamina conf --format databricks|emr|json` prints them"
)
