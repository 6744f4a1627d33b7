"""The commits at the edges: the first run, a change of the schema alone, and the statements that commit nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import Row, SparkSession

from catalogs.metadata import Metadata, assert_one_snapshot, assert_schema_only, assert_summary_is_result, read_metadata

NO_ROW = "WHERE 1 = 0"


@pytest.fixture
def table(spark: SparkSession, target: str) -> str:
    """Two rows."""
    spark.sql(f"CREATE TABLE {target} USING iceberg AS SELECT * FROM VALUES (1, 'Ann'), (2, 'Ben') AS rows(id, name)")
    return target


def run(spark: SparkSession, statement: str) -> Row:
    return spark.sql(statement).collect()[0]


def rows(spark: SparkSession, table: str) -> list[tuple[object, ...]]:
    return sorted(tuple(row) for row in spark.table(table).collect())


def files(metadata: Metadata) -> set[Path]:
    """Everything in the table's folder, but for checksums, which Hadoop keeps beside its files."""
    folder = Path(metadata.log[-1]).parent.parent
    return {path for path in folder.rglob("*") if path.is_file() and path.suffix != ".crc"}


@pytest.mark.smoke
def test_first_run(spark: SparkSession, target: str) -> None:
    result = run(spark, f"INSERT INTO {target} MERGE STRATEGY append_only SELECT 1 AS id, 'Ann' AS name")
    assert (result.status, result.rows_inserted) == ("created", 1)
    metadata = read_metadata(spark, target)
    assert metadata.files == set(metadata.log) == {metadata.log[-1]}
    assert metadata.columns == {"id": 1, "name": 2}
    assert metadata.content["properties"]["lamina.merge-strategy"] == "append_only"
    (snapshot,) = metadata.snapshots
    assert (snapshot["snapshot-id"], snapshot["schema-id"]) == (result.snapshot_id, 0)
    assert_summary_is_result(snapshot["summary"], result)
    assert rows(spark, target) == [(1, "Ann")]


def test_first_run_of_no_row(spark: SparkSession, target: str) -> None:
    result = run(spark, f"INSERT INTO {target} MERGE STRATEGY full_refresh SELECT 1 AS id {NO_ROW}")
    assert (result.status, result.rows_inserted, result.snapshot_id) == ("created", 0, None)
    metadata = read_metadata(spark, target)
    assert (len(metadata.files), metadata.snapshots) == (1, [])
    assert metadata.content["properties"]["lamina.merge-strategy"] == "full_refresh"
    assert rows(spark, target) == []


def test_first_run_that_fails(spark: SparkSession, target: str, lake: Path) -> None:
    # PySpark 3.5 has no class of its own for it.
    with pytest.raises(Exception, match="no good"):
        run(spark, f"INSERT INTO {target} MERGE STRATEGY append_only SELECT INT(raise_error('no good')) AS id")
    assert not spark.catalog.tableExists(target)
    assert not list(lake.rglob(target.split(".")[-1] + "/metadata/*"))


def test_settings_of_the_first_run_hold_later(spark: SparkSession, target: str) -> None:
    run(spark, f"INSERT INTO {target} MERGE STRATEGY full_refresh SELECT 1 AS id")
    before = read_metadata(spark, target)
    result = run(spark, f"INSERT INTO {target} ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'Ben' AS name")
    assert (result.strategy, result.rows_deleted, result.columns_added) == ("full_refresh", 1, ["name"])
    assert_one_snapshot(before, read_metadata(spark, target), result)
    assert rows(spark, target) == [(2, "Ben")]


def test_no_row_and_no_column_leave_nothing(spark: SparkSession, table: str) -> None:
    before = read_metadata(spark, table)
    there = files(before)
    result = run(spark, f"INSERT INTO {table} MERGE STRATEGY append_only SELECT 3 AS id, 'Cleo' AS name {NO_ROW}")
    assert (result.status, result.rows_inserted, result.snapshot_id) == ("unchanged", 0, None)
    assert read_metadata(spark, table) == before
    assert files(before) == there


def test_a_new_column_without_rows(spark: SparkSession, table: str) -> None:
    before = read_metadata(spark, table)
    there = files(before)
    result = run(
        spark,
        f"""INSERT INTO {table} MERGE STRATEGY append_only ON SCHEMA CHANGE append_new_columns
        SELECT 3 AS id, 'c@x' AS email {NO_ROW}""",
    )
    assert (result.status, result.columns_added, result.snapshot_id) == ("changed", ["email"], None)
    after = read_metadata(spark, table)
    assert_schema_only(before, after)
    assert list(after.columns) == ["id", "name", "email"]
    assert {path.name for path in files(after) - there} - {"version-hint.text"} == {Path(after.log[-1]).name}
    assert rows(spark, table) == [(1, "Ann", None), (2, "Ben", None)]


def test_a_new_column_is_nullable_at_every_depth(spark: SparkSession, table: str) -> None:
    insert = f"INSERT INTO {table} MERGE STRATEGY append_only ON SCHEMA CHANGE append_new_columns"
    item, null_item = "named_struct('a', 1)", "named_struct('a', INT(NULL))"
    first = f"{insert} SELECT 3 AS id, array({item}) AS items, map('k', 1) AS tags"
    assert "ADD COLUMNS (items ARRAY<STRUCT<a: INT>>, tags MAP<STRING, INT>)" in run(spark, f"EXPLAIN {first}").plan
    run(spark, first)
    run(spark, f"{insert} SELECT 4 AS id, array({null_item}, NULL) AS items, map('k', INT(NULL)) AS tags")
    newest = spark.table(table).where("id = 4").collect()
    assert newest == [Row(id=4, name=None, items=[Row(a=None), None], tags={"k": None})]


def test_an_empty_refresh_with_a_new_column(spark: SparkSession, table: str) -> None:
    before = read_metadata(spark, table)
    result = run(
        spark,
        f"""INSERT INTO {table} MERGE STRATEGY full_refresh ON SCHEMA CHANGE append_new_columns
        SELECT 3 AS id, 'c@x' AS email {NO_ROW}""",
    )
    assert (result.status, result.rows_inserted, result.rows_deleted) == ("changed", 0, 2)
    assert_one_snapshot(before, read_metadata(spark, table), result)
    assert spark.table(table).columns == ["id", "name", "email"]
    assert rows(spark, table) == []


def test_a_write_that_fails_leaves_no_column(spark: SparkSession, table: str) -> None:
    before = read_metadata(spark, table)
    # PySpark 3.5 has no class of its own for it.
    with pytest.raises(Exception, match="no good"):
        run(
            spark,
            f"""INSERT INTO {table} MERGE STRATEGY append_only ON SCHEMA CHANGE append_new_columns
            SELECT INT(id) AS id, if(id < 5000, 'x', raise_error('no good')) AS email FROM range(10000)""",
        )
    assert read_metadata(spark, table) == before


@pytest.mark.parametrize("detail", ["", "EXTENDED", "FORMATTED", "COST"])
def test_explain_leaves_nothing(spark: SparkSession, table: str, detail: str) -> None:
    before = read_metadata(spark, table)
    there = files(before)
    plan = run(
        spark,
        f"""EXPLAIN {detail} INSERT INTO {table} MERGE STRATEGY append_only ON SCHEMA CHANGE append_new_columns
        SELECT 3 AS id, 'c@x' AS email""",
    ).plan
    assert "ADD COLUMNS (email STRING)" in plan
    assert read_metadata(spark, table) == before
    assert files(before) == there


def test_explain_of_a_first_run_creates_nothing(spark: SparkSession, target: str, lake: Path) -> None:
    plan = run(spark, f"EXPLAIN INSERT INTO {target} MERGE STRATEGY append_only SELECT 1 AS id").plan
    assert "CREATE TABLE" in plan
    assert not spark.catalog.tableExists(target)
    assert not list(lake.rglob(target.split(".")[-1]))
