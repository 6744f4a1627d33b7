"""The settings that put Lamina into a Spark session, and `configure`, which adds them to a builder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lamina.gateway import EXTENSION, jars_of_spark
from lamina.jars import jar_path
from lamina.versions import SparkLine, line_for

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Spark lets the last extension see a statement first. Lamina's parser passes parameter markers on; Iceberg's may not.
EXTENSIONS = ("org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions", EXTENSION)

_JAR_SETTINGS = ("spark.jars", "spark.jars.packages", "spark.driver.extraClassPath")


def spark_conf(jar: str | None = None) -> dict[str, str]:
    """The settings that a cluster needs; ``jar`` is where the cluster finds Lamina's jar, by default `jar_path`.

    >>> spark_conf("s3://bucket/lamina.jar")["spark.jars"]
    's3://bucket/lamina.jar'
    """
    return {
        "spark.jars": jar or str(jar_path()),
        "spark.jars.packages": installed_line().iceberg_runtime,
        "spark.sql.extensions": ",".join(EXTENSIONS),
    }


def configure(builder: SparkSession.Builder) -> SparkSession.Builder:
    """The builder with Lamina's jar and extension and Iceberg's runtime added to what it has.

    Lists are appended to, whether they come from the builder or from ``spark-defaults.conf``; an Iceberg runtime
    that is already there stays the only one. A builder of a Spark Connect client is returned as it is: these
    settings are the server's.

    >>> from pyspark.sql import SparkSession
    >>> spark = configure(SparkSession.builder.appName("etl")).getOrCreate()
    """
    options: Mapping[str, str] = getattr(builder, "_options", {})
    if str(options.get("spark.remote", "")).startswith("sc:"):
        return builder
    for name, value in with_lamina({**cluster_defaults(), **options}).items():
        builder = builder.config(name, value)
    return builder


def with_lamina(settings: Mapping[str, str]) -> dict[str, str]:
    """The settings to change so that ``settings`` has Lamina: each one's old value with the missing parts appended."""
    wanted = spark_conf()
    there = ",".join([*(settings.get(name, "") for name in _JAR_SETTINGS), *jars_of_spark()])
    if "iceberg-spark-runtime" in there:
        del wanted["spark.jars.packages"]
    if "lamina-spark-" in there:
        del wanted["spark.jars"]
    return {name: _appended(settings.get(name, ""), value) for name, value in wanted.items()}


def installed_line() -> SparkLine:
    """The Spark line of the PySpark that is installed."""
    import pyspark

    return line_for(pyspark.__version__)


def cluster_defaults() -> dict[str, str]:
    """What ``spark-defaults.conf`` sets. A builder's setting would replace it, so that it must be appended to."""
    spark_home = os.environ.get("SPARK_HOME", "")
    folder = os.environ.get("SPARK_CONF_DIR") or (str(Path(spark_home, "conf")) if spark_home else "")
    defaults = Path(folder, "spark-defaults.conf")
    if not folder or not defaults.is_file():
        return {}
    return dict(_parse_defaults(defaults.read_text(encoding="utf-8").splitlines()))


def _parse_defaults(lines: Iterable[str]) -> Iterable[tuple[str, str]]:
    for line in lines:
        setting = re.fullmatch(r"\s*([^#\s=:]+)[\s=:]+(.*?)\s*", line)
        if setting:
            yield setting.group(1), setting.group(2)


def _appended(old: str, new: str) -> str:
    """Two comma-separated lists as one, each entry once, the old ones first."""
    entries = [entry.strip() for entry in f"{old},{new}".split(",")]
    return ",".join(dict.fromkeys(entry for entry in entries if entry))
