"""``lamina conf`` in each format."""

from __future__ import annotations

import json

import pytest
from lamina.cli import main
from lamina.cli.conf import FORMATS

SETTINGS = {"spark.jars": "l.jar", "spark.jars.packages": "a:b:1", "spark.sql.extensions": "E,F"}


def test_spark_defaults() -> None:
    assert FORMATS["spark-defaults"](SETTINGS).splitlines() == [
        "spark.jars            l.jar",
        "spark.jars.packages   a:b:1",
        "spark.sql.extensions  E,F",
    ]


def test_databricks_has_no_jar_settings() -> None:
    assert json.loads(FORMATS["databricks"](SETTINGS)) == {"spark_conf": {"spark.sql.extensions": "E,F"}}


def test_emr() -> None:
    assert json.loads(FORMATS["emr"](SETTINGS)) == [{"Classification": "spark-defaults", "Properties": SETTINGS}]


def test_json() -> None:
    assert json.loads(FORMATS["json"](SETTINGS)) == SETTINGS


def test_the_command_prints_the_jar_it_was_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conf", "--jar", "s3://bucket/l.jar", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["spark.jars"] == "s3://bucket/l.jar"
    assert printed["spark.sql.extensions"].endswith("io.lamina.LaminaExtensions")


def test_where_the_jar_goes_on_databricks_is_said_beside_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conf", "--jar", "s3://bucket/l.jar", "--format", "databricks"]) == 0
    captured = capsys.readouterr()
    assert list(json.loads(captured.out)) == ["spark_conf"]
    assert "init script" in captured.err
    assert "s3://bucket/l.jar" in captured.err
