"""Schema and rows land in one commit, whatever the catalog, the format, the write mode and the partitioning."""

from __future__ import annotations

from pathlib import Path

import lamina
import pytest
from chispa import assert_df_equality
from pyspark.sql import Row, SparkSession

from catalogs.layouts import DAY, FIVE_ROWS, LAYOUTS, NEXT_DAY, Layout, create_table
from catalogs.metadata import assert_one_snapshot, read_metadata

SMOKE = Layout(3, "merge-on-read", "days")


@pytest.fixture(params=[pytest.param(x, id=str(x), marks=[pytest.mark.smoke] * (x == SMOKE)) for x in LAYOUTS])
def table(request: pytest.FixtureRequest, spark: SparkSession, target: str) -> str:
    create_table(spark, target, request.param)
    return target


def append(spark: SparkSession, table: str) -> Row:
    """Adds the column email, and lacks the column name."""
    return spark.sql(
        f"""INSERT INTO {table} MERGE STRATEGY append_only ON SCHEMA CHANGE append_new_columns
        SELECT 7 AS id, 'eu' AS region, {NEXT_DAY} AS seen, 'gus@x' AS email"""
    ).collect()[0]


def refresh(spark: SparkSession, table: str) -> Row:
    """Adds the column age, and lacks the column email."""
    return spark.sql(
        f"""INSERT INTO {table} MERGE STRATEGY full_refresh ON SCHEMA CHANGE append_new_columns
        SELECT 8 AS id, 'Hal' AS name, 'us' AS region, {DAY} AS seen, 80 AS age"""
    ).collect()[0]


def assert_rows(spark: SparkSession, table: str, expected: str) -> None:
    assert_df_equality(spark.table(table), spark.sql(expected), ignore_row_order=True, ignore_nullable=True)


APPENDED_ROWS = f"""
SELECT *, CAST(NULL AS STRING) AS email FROM VALUES {", ".join(FIVE_ROWS)} AS rows(id, name, region, seen)
UNION ALL SELECT 7, NULL, 'eu', {NEXT_DAY}, 'gus@x'"""
REFRESHED_ROWS = f"""
SELECT 8 AS id, 'Hal' AS name, 'us' AS region, {DAY} AS seen, CAST(NULL AS STRING) AS email, 80 AS age"""


def test_schema_and_rows(request: pytest.FixtureRequest, spark: SparkSession, table: str) -> None:
    created = read_metadata(spark, table)
    assert (created.summary["total-position-deletes"] == "1") == ("merge-on-read" in request.node.name)

    result = append(spark, table)
    appended = read_metadata(spark, table)
    assert_one_snapshot(created, appended, result)
    assert (result.status, result.rows_inserted, result.rows_deleted) == ("changed", 1, 0)
    assert (result.columns_added, result.columns_padded) == (["email"], ["name"])
    assert appended.columns == {**created.columns, "email": created.content["last-column-id"] + 1}
    assert_rows(spark, table, APPENDED_ROWS)

    result = refresh(spark, table)
    refreshed = read_metadata(spark, table)
    assert_one_snapshot(appended, refreshed, result)
    assert (result.status, result.rows_inserted, result.rows_deleted) == ("changed", 1, 6)
    assert (result.columns_added, result.columns_padded) == (["age"], ["email"])
    assert refreshed.columns == {**appended.columns, "age": appended.content["last-column-id"] + 1}
    assert refreshed.summary["total-delete-files"] == "0"
    assert_rows(spark, table, REFRESHED_ROWS)


@pytest.mark.parametrize("target", ["jdbc"], indirect=True)
@pytest.mark.parametrize("layout", [x for x in LAYOUTS if x.partitioning == "days"], ids=str)
def test_pyiceberg_sees_the_same(spark: SparkSession, lake: Path, target: str, layout: Layout) -> None:
    create_table(spark, target, layout)
    result = append(spark, target)
    metadata = read_metadata(spark, target)

    table = lamina.local_catalog(lake).load_table(target.removeprefix("lake."))
    assert {field.name: field.field_id for field in table.schema().fields} == metadata.columns
    assert [snapshot.snapshot_id for snapshot in table.snapshots()] == [x["snapshot-id"] for x in metadata.snapshots]
    current = table.current_snapshot()
    assert current is not None
    assert (current.snapshot_id, current.schema_id) == (result.snapshot_id, table.schema().schema_id)
    rows = table.scan(selected_fields=("id", "name", "email")).to_arrow().to_pylist()
    assert sorted((row["id"], row["name"], row["email"]) for row in rows) == [
        (1, "Ann", None),
        (2, "Ben", None),
        (3, "Cleo", None),
        (4, "Dora", None),
        (5, None, None),
        (7, None, "gus@x"),
    ]


@pytest.mark.parametrize("target", ["jdbc"], indirect=True)
def test_a_refresh_counts_only_rows_that_were_there(spark: SparkSession, target: str) -> None:
    spark.sql(
        f"""CREATE TABLE {target} (id INT) USING iceberg TBLPROPERTIES (
        'format-version' = '2', 'write.delete.mode' = 'merge-on-read', 'write.delete.granularity' = 'partition')"""
    )
    for first in (0, 100):
        spark.sql(f"INSERT INTO {target} SELECT /*+ COALESCE(1) */ INT(id) + {first} FROM range(10)")
    spark.sql(f"DELETE FROM {target} WHERE id IN (3, 103)")
    # One delete file speaks of both data files, so it stays when the first of them is rewritten.
    spark.sql(
        f"""CALL lake.system.rewrite_data_files(table => '{target}', where => 'id < 100',
        options => map('rewrite-all', 'true'))"""
    )
    result = spark.sql(f"INSERT INTO {target} MERGE STRATEGY full_refresh SELECT 1 AS id").collect()[0]
    assert result.rows_deleted == 18
