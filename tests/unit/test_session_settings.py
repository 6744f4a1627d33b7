"""How Lamina's settings join those that are there."""

from __future__ import annotations

from pathlib import Path

import pyspark
import pytest
from lamina import session
from lamina.versions import line_for
from pyspark.sql import SparkSession

ICEBERG = "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
LAMINA = "io.lamina.LaminaExtensions"
RUNTIME = line_for(pyspark.__version__).iceberg_runtime


@pytest.fixture(autouse=True)
def jar(monkeypatch: pytest.MonkeyPatch) -> str:
    """A jar that need not exist, and no spark-defaults.conf of this machine."""
    monkeypatch.setattr(session, "jar_path", lambda: Path("lib", "lamina-spark-x.jar"))
    for variable in ("SPARK_HOME", "SPARK_CONF_DIR"):
        monkeypatch.delenv(variable, raising=False)
    return str(Path("lib", "lamina-spark-x.jar"))


def test_an_empty_session_gets_all_three(jar: str) -> None:
    assert session.with_lamina({}) == {
        "spark.jars": jar,
        "spark.jars.packages": RUNTIME,
        "spark.sql.extensions": f"{ICEBERG},{LAMINA}",
    }


def test_what_is_set_stays_and_comes_first(jar: str) -> None:
    there = {"spark.jars": "mine.jar", "spark.jars.packages": "a:b:1", "spark.sql.extensions": f"other.Ext, {ICEBERG}"}
    assert session.with_lamina(there) == {
        "spark.jars": f"mine.jar,{jar}",
        "spark.jars.packages": f"a:b:1,{RUNTIME}",
        "spark.sql.extensions": f"other.Ext,{ICEBERG},{LAMINA}",
    }


@pytest.mark.parametrize(
    "there",
    [
        {"spark.jars": "libs/iceberg-spark-runtime-4.1_2.13-1.12.0.jar"},
        {"spark.jars.packages": "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0"},
        {"spark.driver.extraClassPath": "libs/iceberg-spark-runtime.jar"},
    ],
)
def test_an_iceberg_runtime_stays_the_only_one(there: dict[str, str]) -> None:
    assert "spark.jars.packages" not in session.with_lamina(there)


def test_a_runtime_among_sparks_own_jars_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "jars_of_spark", lambda: ["iceberg-spark-runtime-4.1_2.13-1.12.0.jar"])
    assert "spark.jars.packages" not in session.with_lamina({})


def test_configuring_twice_is_configuring_once() -> None:
    once = session.with_lamina({})
    assert {**once, **session.with_lamina(once)} == once


def test_spark_defaults_are_appended_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    defaults = "# ours\nspark.sql.extensions  other.Ext\nspark.master=yarn\n\nspark.app.name: etl\n"
    (tmp_path / "spark-defaults.conf").write_text(defaults)
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert session.cluster_defaults() == {
        "spark.sql.extensions": "other.Ext",
        "spark.master": "yarn",
        "spark.app.name": "etl",
    }
    builder = session.configure(SparkSession.Builder())
    assert builder._options["spark.sql.extensions"] == f"other.Ext,{ICEBERG},{LAMINA}"


def test_configure_keeps_what_the_builder_has() -> None:
    builder = session.configure(SparkSession.Builder().appName("etl").config("spark.sql.extensions", "other.Ext"))
    assert builder._options["spark.app.name"] == "etl"
    assert builder._options["spark.sql.extensions"] == f"other.Ext,{ICEBERG},{LAMINA}"


def test_a_connect_client_is_left_alone() -> None:
    builder = SparkSession.Builder().config("spark.remote", "sc://somewhere")
    assert session.configure(builder)._options == {"spark.remote": "sc://somewhere"}
