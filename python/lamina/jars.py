"""Finds the jar of the Spark extension that belongs to the installed PySpark."""

from __future__ import annotations

from pathlib import Path

from lamina.errors import MissingJarError
from lamina.versions import SparkLine, line_for


def jar_path(pyspark_version: str | None = None) -> Path:
    """The extension's jar for a PySpark version, by default for the one that is installed.

    Raises `MissingJarError`, which names the command that builds the jar, if this installation does not hold it.

    >>> jar_path().suffix
    '.jar'
    """
    if pyspark_version is None:
        import pyspark

        pyspark_version = pyspark.__version__
    line = line_for(pyspark_version)
    for folder in _jar_folders():
        jar = folder / line.jar_name
        if jar.exists():
            return jar
    raise MissingJarError(_missing(line, pyspark_version))


def _jar_folders() -> list[Path]:
    """The package's own folder in a wheel; sbt's output folder in a source tree."""
    here = Path(__file__).resolve()
    return [here.parent / "jars", here.parents[2] / "jvm" / "target" / "jars"]


def _missing(line: SparkLine, pyspark_version: str) -> str:
    return (
        f"this installation of Lamina holds no jar for Spark {line.line} (pyspark {pyspark_version}); in Lamina's "
        f"source tree, run `LAMINA_SPARK_LINES={line.line} pip install .`, or `make wheel` for a wheel with every line"
    )
