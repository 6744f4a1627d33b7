"""Given a table, this statement, that table: the steps of the conformance tests."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from lamina.errors import spark_condition
from pyspark.errors import PySparkException
from pyspark.sql import Row, SparkSession

COUNTS = ("rows_inserted", "rows_updated", "rows_closed", "rows_deleted")
NAMES = ("columns_added", "columns_padded", "columns_ignored", "columns_widened")


def layout_properties(layout: str) -> str:
    mode, version = layout.rsplit("_", 1)
    mode = mode.replace("_", "-")
    modes = ", ".join(f"'write.{operation}.mode' = '{mode}'" for operation in ("merge", "update", "delete"))
    return f"'format-version' = '{version}', {modes}"


def given(
    spark: SparkSession,
    target: str,
    columns: str,
    rows: str = "",
    layout: str = "copy_on_write_2",
    partitioned: str = "",
    properties: str = "",
) -> None:
    """Creates the table with these rows, each row list one commit."""
    spark.sql(
        f"CREATE TABLE {target} ({columns}) USING iceberg "
        + (f"PARTITIONED BY ({partitioned}) " if partitioned else "")
        + f"TBLPROPERTIES ({layout_properties(layout)}{', ' + properties if properties else ''})"
    )
    if rows:
        spark.sql(f"INSERT INTO {target} VALUES {rows}")


def plain(value: Any) -> Any:
    """A value that compares by value: rows as tuples, NaN as text."""
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    if isinstance(value, tuple):
        return tuple(plain(part) for part in value)
    if isinstance(value, list):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in sorted(value.items())}
    if isinstance(value, bytearray):
        return bytes(value)
    return value


def rows(spark: SparkSession, relation: str, columns: str = "*") -> list[tuple[Any, ...]]:
    found = [plain(tuple(row)) for row in spark.sql(f"SELECT {columns} FROM {relation}").collect()]
    return sorted(found, key=repr)


def sort(*expected: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    return sorted((plain(row) for row in expected), key=repr)


def metadata(spark: SparkSession, table: str) -> dict[str, Any]:
    """The table's current metadata file, read beside Spark."""
    _, namespace, name = table.split(".", 2)
    catalog = spark.conf.get("spark.sql.catalog.lake.uri").removeprefix("jdbc:sqlite:")
    with closing(sqlite3.connect(catalog)) as connection:
        (location,) = connection.execute(
            "SELECT metadata_location FROM iceberg_tables WHERE table_namespace = ? AND table_name = ?",
            (namespace, name.replace("`", "")),
        ).fetchone()
    content: dict[str, Any] = json.loads(Path(location.removeprefix("file:")).read_text(encoding="utf-8"))
    return content


def commits(spark: SparkSession, table: str) -> tuple[int, int]:
    """How many snapshots and how many metadata files the table has."""
    content = metadata(spark, table)
    return len(content.get("snapshots", [])), len(content.get("metadata-log", [])) + 1


def figures(result: Row) -> tuple[Any, ...]:
    """Status, rows inserted, updated, closed, deleted."""
    return (result.status, *(result[name] for name in COUNTS))


def execute(spark: SparkSession, statement: str, args: Mapping[str, Any] | list[Any] | None = None) -> Row:
    returned = (spark.sql(statement, args) if args else spark.sql(statement)).collect()
    assert len(returned) == 1
    return returned[0]


def write(
    spark: SparkSession,
    target: str,
    clauses: str,
    query: str,
    columns: str = "",
    args: Mapping[str, Any] | list[Any] | None = None,
    into: str = "",
) -> Row:
    """Runs the statement on an existing table, and checks what holds for every statement."""
    before, old_columns = commits(spark, target), spark.table(target).dtypes
    relation = into or target
    old_count = spark.table(relation).count()
    result = execute(spark, f"INSERT INTO {relation} {columns} {clauses} {query}", args)
    after, new_columns = commits(spark, target), spark.table(target).dtypes
    assert [name for name, _ in new_columns][: len(old_columns)] == [name for name, _ in old_columns]
    grown = 0 if result.status == "skipped" else result.rows_inserted - result.rows_deleted
    assert spark.table(relation).count() == old_count + grown
    if result.status in ("unchanged", "skipped"):
        assert after == before
        assert result.status == "skipped" or [result[name] for name in COUNTS] == [0, 0, 0, 0]
    else:
        assert result.status == "changed"
        assert after[1] == before[1] + 1
        assert after[0] - before[0] in ((0,) if result.snapshot_id is None else (1,))
    if after[0] > before[0]:
        assert summary(spark, target, result.snapshot_id) == {name: result[name] for name in COUNTS}
    return result


def summary(spark: SparkSession, table: str, snapshot: int) -> dict[str, int]:
    """The statement's counts in the snapshot's summary."""
    found = [entry["summary"] for entry in metadata(spark, table)["snapshots"] if entry["snapshot-id"] == snapshot]
    assert len(found) == 1
    return {name: int(found[0].get("lamina." + name.replace("_", "-"), "0")) for name in COUNTS}


def refused(
    spark: SparkSession,
    statement: str,
    condition: str,
    table: str = "",
    args: Mapping[str, Any] | list[Any] | None = None,
) -> str:
    """The message of the refusal; the table must be as before."""
    before = (commits(spark, table), spark.table(table).dtypes, rows(spark, table)) if table else None
    with pytest.raises(PySparkException) as raised:
        (spark.sql(statement, args) if args else spark.sql(statement)).collect()
    assert spark_condition(raised.value) == condition, str(raised.value)[:1000]
    if condition.startswith("LAMINA_"):
        assert raised.value.getSqlState()
    if table:
        assert (commits(spark, table), spark.table(table).dtypes, rows(spark, table)) == before
    return str(raised.value)
