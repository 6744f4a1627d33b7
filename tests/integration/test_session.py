"""Sessions in processes of their own: what `configure` starts, and what is said when Lamina is not there."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

RunPython = Callable[..., subprocess.CompletedProcess[str]]

CONFIGURED = """
import json
import lamina
from lamina.lake import QUICK_START
from pyspark.sql import SparkSession
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config(map=QUICK_START)
spark = lamina.configure(builder.appName("etl")).getOrCreate()
spark.conf.set("spark.sql.catalog.files", "org.apache.iceberg.spark.SparkCatalog")
spark.conf.set("spark.sql.catalog.files.type", "hadoop")
spark.conf.set("spark.sql.catalog.files.warehouse", "warehouse")
spark.sql("CREATE NAMESPACE files.db")
result = lamina.write(spark.range(3), "files.db.t", strategy="append_only")
print(json.dumps([spark.sparkContext.appName, result.status, spark.table("files.db.t").count()]))
"""

MISSING = """
import json
import lamina
from lamina.lake import QUICK_START
from pyspark.sql import SparkSession
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config(map=QUICK_START)

def failure(spark):
    try:
        lamina.write(spark.range(3), "t", strategy="append_only")
    except lamina.LaminaError as error:
        return [type(error).__name__, type(error.__cause__).__name__, str(error), len(spark.catalog.listTables())]

plain = builder.getOrCreate()
without_extension = failure(plain)
plain.stop()
named_only = builder.config("spark.sql.extensions", "io.lamina.LaminaExtensions").getOrCreate()
print(json.dumps([without_extension, failure(named_only)]))
"""

NO_JAVA = """
import lamina
try:
    lamina.local_session("lake")
except lamina.errors.SessionStartError as error:
    print(error)
"""


def last_line(output: str) -> str:
    return output.strip().splitlines()[-1]


@pytest.mark.smoke
def test_configure_starts_a_session_with_lamina(run_python: RunPython) -> None:
    assert json.loads(last_line(run_python(CONFIGURED).stdout)) == ["etl", "created", 3]


def test_a_session_without_lamina_is_told_what_is_missing(run_python: RunPython) -> None:
    without_extension, without_jar = json.loads(last_line(run_python(MISSING).stdout))
    assert without_extension[:2] == ["MissingExtensionError", "ParseException"]
    assert "spark.sql.extensions  io.lamina.LaminaExtensions" in without_extension[2]
    assert without_jar[:2] == ["MissingJarError", "ParseException"]
    assert "lamina.jar_path()" in without_jar[2]
    assert without_extension[3] == without_jar[3] == 0, "the temporary view is gone"


def test_a_spark_that_does_not_start_shows_the_end_of_its_log(
    run_python: RunPython, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "no-java-here"))
    message = run_python(NO_JAVA).stdout
    assert message.startswith(f"Spark did not start. The end of {tmp_path / 'lake' / 'spark.log'}:")
    assert "no-java-here/bin/java" in message
