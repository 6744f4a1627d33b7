"""Runs the scripts in ``examples`` the way their first lines say."""

from __future__ import annotations

import os
import runpy
import subprocess
from pathlib import Path

import lamina
import pyspark
import pytest
from lamina.cli import main
from lamina.cli.conf import spark_defaults
from lamina.lake import QUICK_START
from pyspark.sql import SparkSession

EXAMPLES = Path(__file__).parents[2] / "examples"

CUSTOMERS = [(1, "Ann", None), (2, "Ben", None), (3, "Cleo", "Rome"), (4, None, "Bern"), (5, "Eve", "Oslo")]

PRINTED = """\
monday: created, 2 rows
tuesday would run: ALTER TABLE lake.first_steps.orders ADD COLUMNS (due DATE)
tuesday: changed, columns added: due
wednesday: LAMINA_TYPE_CHANGED
+---+-----+----------+
| id|state|       due|
+---+-----+----------+
|  1| open|      NULL|
|  2| open|      NULL|
|  3| open|2024-05-07|
+---+-----+----------+
"""


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SparkSession:
    """A session on the lake that the scripts find in the current folder."""
    monkeypatch.chdir(tmp_path)
    return lamina.local_session("./lake", QUICK_START)


def test_the_sql_script_in_lamina_sql(lake: SparkSession) -> None:
    assert main(["sql", "-f", str(EXAMPLES / "first-steps.sql")]) == 0
    assert [tuple(row) for row in lake.table("lake.first_steps.customers").orderBy("id").collect()] == CUSTOMERS


def test_the_python_script(lake: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "first_steps.py"), run_name="__main__")
    assert capsys.readouterr().out.strip() == PRINTED.strip()


def test_the_sql_script_in_the_sql_shell(tmp_path: Path) -> None:
    """With the settings that ``lamina conf`` prints and a catalog of files, as the install page tells."""
    (tmp_path / "lamina.conf").write_text(spark_defaults(lamina.spark_conf()))
    home = Path(pyspark.__file__).parent
    catalog = "spark.sql.catalog.lake"
    settings = [
        f"{catalog}=org.apache.iceberg.spark.SparkCatalog",
        f"{catalog}.type=hadoop",
        f"{catalog}.warehouse=warehouse",
        "spark.ui.enabled=false",
    ]
    shell = subprocess.run(
        [
            *[str(home / "bin" / "spark-sql"), "--master", "local[2]", "--properties-file", "lamina.conf"],
            *(word for setting in settings for word in ("--conf", setting)),
            *["-f", str(EXAMPLES / "first-steps.sql")],
        ],
        cwd=tmp_path,
        env={**os.environ, "SPARK_HOME": str(home)},
        text=True,
        capture_output=True,
        check=False,
    )
    assert shell.returncode == 0, shell.stderr
    rows = [tuple(line.split("\t")) for line in shell.stdout.splitlines()[-len(CUSTOMERS) :]]
    assert rows == [tuple("NULL" if value is None else str(value) for value in row) for row in CUSTOMERS]
