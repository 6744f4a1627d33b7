"""Schema and rows land in one commit, whatever the catalog, the format, the write mode and the partitioning."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product, starmap
from typing import NamedTuple

import pytest
from _pytest.mark import ParameterSet
from chispa import assert_df_equality
from pyspark.sql import Row, SparkSession

from catalogs.metadata import assert_one_snapshot, read_metadata

DAY = "TIMESTAMP'2024-05-01 08:00:00'"
NEXT_DAY = "TIMESTAMP'2024-05-02 08:00:00'"
PARTITIONINGS = {
    "unpartitioned": "",
    "identity": "PARTITIONED BY (region)",
    "days": "PARTITIONED BY (days(seen))",
    "bucket": "PARTITIONED BY (bucket(2, id))",
}
FIVE_ROWS = [
    f"(1, 'Ann', 'eu', {DAY}, NULL)",
    f"(2, 'Ben', 'eu', {DAY}, NULL)",
    f"(3, 'Cleo', 'us', {NEXT_DAY}, NULL)",
    f"(4, 'Dora', 'us', {NEXT_DAY}, NULL)",
    "(5, NULL, NULL, NULL, NULL)",
]


class Layout(NamedTuple):
    """How a table keeps its rows."""

    version: int
    mode: str
    partitioning: str

    def __str__(self) -> str:
        return f"v{self.version}-{self.mode}-{self.partitioning}"


def layouts() -> Iterator[ParameterSet]:
    for layout in starmap(Layout, product((2, 3), ("copy-on-write", "merge-on-read"), PARTITIONINGS)):
        marks = [pytest.mark.smoke] if layout == (3, "merge-on-read", "days") else []
        yield pytest.param(layout, marks=marks, id=str(layout))


@pytest.fixture(params=layouts())
def table(request: pytest.FixtureRequest, spark: SparkSession, target: str) -> str:
    """Five rows. A merge-on-read table had a sixth, and a delete file says that it is gone."""
    layout: Layout = request.param
    create(spark, target, layout)
    if layout.mode == "copy-on-write":
        insert(spark, target, FIVE_ROWS)
    else:
        insert(spark, target, [*FIVE_ROWS, f"(6, 'Finn', 'us', {NEXT_DAY}, NULL)"])
        spark.sql(f"DELETE FROM {target} WHERE id = 6")
        assert read_metadata(spark, target).summary["total-position-deletes"] == "1"
    return target


def create(spark: SparkSession, table: str, layout: Layout) -> None:
    properties = {
        "format-version": layout.version,
        "write.delete.mode": layout.mode,
        "write.merge.mode": layout.mode,
        "write.update.mode": layout.mode,
        "write.distribution-mode": "none",
    }
    spark.sql(
        f"""CREATE TABLE {table} (id INT, name STRING, region STRING, seen TIMESTAMP) USING iceberg
        {PARTITIONINGS[layout.partitioning]}
        TBLPROPERTIES ({", ".join(f"'{key}' = '{value}'" for key, value in properties.items())})"""
    )


def insert(spark: SparkSession, table: str, rows: list[str]) -> None:
    """One file in each partition, so that a deleted row has neighbours."""
    spark.sql(
        f"""INSERT INTO {table} SELECT /*+ COALESCE(1) */ id, name, region, seen
        FROM VALUES {", ".join(rows)} AS rows(id, name, region, seen, email)"""
    )


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


def assert_rows(spark: SparkSession, table: str, columns: str, rows: list[str]) -> None:
    expected = spark.sql(f"SELECT * FROM VALUES {', '.join(rows)} AS rows({columns})")
    assert_df_equality(spark.table(table), expected, ignore_row_order=True, ignore_nullable=True)


def test_schema_and_rows(spark: SparkSession, table: str) -> None:
    created = read_metadata(spark, table)
    result = append(spark, table)
    appended = read_metadata(spark, table)
    assert_one_snapshot(created, appended, result)
    assert (result.status, result.rows_inserted, result.rows_deleted) == ("changed", 1, 0)
    assert (result.columns_added, result.columns_padded) == (["email"], ["name"])
    assert appended.columns == {**created.columns, "email": created.content["last-column-id"] + 1}
    new_row = f"(7, NULL, 'eu', {NEXT_DAY}, 'gus@x')"
    assert_rows(spark, table, "id, name, region, seen, email", [*FIVE_ROWS, new_row])

    result = refresh(spark, table)
    refreshed = read_metadata(spark, table)
    assert_one_snapshot(appended, refreshed, result)
    assert (result.status, result.rows_inserted, result.rows_deleted) == ("changed", 1, 6)
    assert (result.columns_added, result.columns_padded) == (["age"], ["email"])
    assert refreshed.columns == {**appended.columns, "age": appended.content["last-column-id"] + 1}
    assert refreshed.summary["total-delete-files"] == "0"
    assert_rows(spark, table, "id, name, region, seen, email, age", [f"(8, 'Hal', 'us', {DAY}, CAST(NULL AS STRING), 80)"])
