"""The table of supported Spark lines, with the versions each one is built and tested against."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lamina.errors import LaminaError


class UnsupportedSparkError(LaminaError):
    """The PySpark version belongs to no line that Lamina is built for."""


@dataclass(frozen=True)
class SparkLine:
    """A Spark version line, such as 4.1, and the versions that go with it."""

    line: str
    scala: str
    spark: str
    pyspark: str
    iceberg: str

    @property
    def scala_binary(self) -> str:
        """The Scala version as artifact names carry it: ``2.13``."""
        return _major_minor(self.scala)

    @property
    def iceberg_runtime(self) -> str:
        """The Maven coordinates of the Iceberg runtime for this line."""
        artifact = f"iceberg-spark-runtime-{self.line}_{self.scala_binary}"
        return f"org.apache.iceberg:{artifact}:{self.iceberg}"

    @property
    def jar_name(self) -> str:
        """The file name of Lamina's jar for this line."""
        return f"lamina-spark-{self.line}_{self.scala_binary}-{load().lamina}.jar"


@dataclass(frozen=True)
class Versions:
    """The whole table."""

    lamina: str
    default: str
    java: tuple[int, ...]
    sqlite_jdbc: str
    lines: tuple[SparkLine, ...]

    @property
    def sqlite_jdbc_package(self) -> str:
        """The Maven coordinates of the JDBC driver that the embedded lake needs."""
        return f"org.xerial:sqlite-jdbc:{self.sqlite_jdbc}"


@cache
def load() -> Versions:
    """Reads the table, once per process."""
    table = json.loads(_table_file().read_text(encoding="utf-8"))
    return Versions(
        lamina=table["lamina"],
        default=table["default"],
        java=tuple(table["java"]),
        sqlite_jdbc=table["sqliteJdbc"],
        lines=tuple(
            SparkLine(row["line"], row["scala"], row["spark"], row["pyspark"], row["iceberg"]) for row in table["lines"]
        ),
    )


def default_line() -> SparkLine:
    """The line that an installation from source builds unless it is told otherwise.

    >>> default_line().line
    '4.1'
    """
    return line_for(load().default)


def line_for(pyspark_version: str) -> SparkLine:
    """The line of a PySpark version; raises `UnsupportedSparkError` for a Spark without one.

    >>> line_for("3.5.9").iceberg_runtime
    'org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.12.0'
    """
    wanted = _major_minor(pyspark_version)
    for line in load().lines:
        if line.line == wanted:
            return line
    supported = ", ".join(line.line for line in load().lines)
    raise UnsupportedSparkError(
        f"Lamina {load().lamina} does not support Spark {pyspark_version}; it supports {supported}"
    )


def _major_minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _table_file() -> Path:
    """In a wheel the table is beside this module; in a source tree it is where the build reads it."""
    packaged = Path(__file__).with_name("versions.json")
    if packaged.exists():
        return packaged
    return Path(__file__).resolve().parents[2] / "project" / "versions.json"
