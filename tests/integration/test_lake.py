"""The embedded lake: Spark and PyIceberg on the same files, several lakes on one Spark."""

from __future__ import annotations

from pathlib import Path

import lamina
import pyarrow as pa
import pytest
from chispa import assert_df_equality
from pyspark.sql import SparkSession

ROWS = pa.table({"id": pa.array([1, 2], pa.int64()), "name": ["Ann", "Ben"]})


@pytest.mark.smoke
def test_pyiceberg_reads_what_spark_wrote(spark: SparkSession, lake: Path, target: str) -> None:
    spark.sql(f"CREATE TABLE {target} USING iceberg AS SELECT 1L AS id, 'Ann' AS name")
    table = lamina.local_catalog(lake).load_table(target.removeprefix("lake."))
    assert table.scan().to_arrow().to_pylist() == [{"id": 1, "name": "Ann"}]


def test_spark_reads_what_pyiceberg_wrote(spark: SparkSession, lake: Path, target: str) -> None:
    table = lamina.local_catalog(lake).create_table(target.removeprefix("lake."), schema=ROWS.schema)
    table.append(ROWS)
    expected = spark.createDataFrame([(1, "Ann"), (2, "Ben")], "id LONG, name STRING")
    assert_df_equality(spark.table(target), expected, ignore_row_order=True)


def test_each_goes_on_where_the_other_stopped(spark: SparkSession, lake: Path, target: str) -> None:
    catalog = lamina.local_catalog(lake)
    name = target.removeprefix("lake.")
    catalog.create_table(name, schema=ROWS.schema).append(ROWS)
    spark.sql(f"INSERT INTO {target} VALUES (3, 'Cleo')")
    catalog.load_table(name).append(ROWS.slice(0, 1))
    spark.sql(f"REFRESH TABLE {target}")
    assert sorted(row.id for row in spark.table(target).collect()) == [1, 1, 2, 3]
    assert len(catalog.load_table(name).snapshots()) == 3


def test_a_lake_may_lie_in_a_folder_with_spaces(tmp_path: Path) -> None:
    spark = lamina.local_session(tmp_path / "my lake")
    spark.sql("CREATE NAMESPACE lake.db")
    spark.sql("CREATE TABLE lake.db.t USING iceberg AS SELECT 1 AS id")
    table = lamina.local_catalog(tmp_path / "my lake").load_table("db.t")
    assert table.scan().to_arrow().to_pylist() == [{"id": 1}]


def test_two_lakes_do_not_see_each_other(spark: SparkSession, tmp_path: Path, target: str) -> None:
    other = lamina.local_session(tmp_path)
    other.sql("CREATE NAMESPACE lake.db")
    other.sql(f"CREATE TABLE {target} USING iceberg AS SELECT 'other' AS lake")
    spark.sql(f"CREATE TABLE {target} USING iceberg AS SELECT 'first' AS lake")
    assert [row.lake for row in other.table(target).collect()] == ["other"]
    assert [row.lake for row in spark.table(target).collect()] == ["first"]


def test_the_lake_is_the_default_catalog(spark: SparkSession, target: str) -> None:
    spark.sql(f"CREATE TABLE {target} USING iceberg AS SELECT 1 AS id")
    assert spark.table(target.removeprefix("lake.")).count() == 1


def test_a_relative_path_is_the_same_lake_from_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lamina.local_session("lake").sql("CREATE NAMESPACE lake.db")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert lamina.local_catalog("../lake").list_namespaces() == [("db",)]
