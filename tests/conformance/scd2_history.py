"""What the tests of scd2 share: statements, and a table's history as plain tuples."""

from __future__ import annotations

from typing import Any

import pytest
from lamina.errors import spark_condition
from pyspark.errors import PySparkException
from pyspark.sql import Row, SparkSession

LAYOUTS = {
    "cow-v2": "'write.merge.mode' = 'copy-on-write', 'format-version' = '2'",
    "mor-v2": "'write.merge.mode' = 'merge-on-read', 'format-version' = '2'",
    "mor-v3": "'write.merge.mode' = 'merge-on-read', 'format-version' = '3'",
}
FIGURES = ("rows_inserted", "rows_updated", "rows_closed", "rows_deleted")
VALIDITY = "valid_from TIMESTAMP, valid_to TIMESTAMP"
each_layout = pytest.mark.parametrize("layout", ["cow-v2", "mor-v3"])


def create(spark: SparkSession, table: str, columns: str, layout: str = "cow-v2", partitioning: str = "") -> None:
    spark.sql(f"CREATE TABLE {table} ({columns}) USING iceberg {partitioning} TBLPROPERTIES ({LAYOUTS[layout]})")


def values(columns: str, rows: str) -> str:
    return f"SELECT * FROM VALUES {rows} AS v({columns})"


def scd2(spark: SparkSession, table: str, query: str, options: str = "", *, key: str = "id", policy: str = "") -> Row:
    clause = f"ON SCHEMA CHANGE {policy}" if policy else ""
    row = spark.sql(f"INSERT INTO {table} MERGE STRATEGY scd2 UNIQUE KEY ({key}) {options} {clause} {query}").first()
    assert row is not None
    return row


def refused(spark: SparkSession, statement: str) -> str:
    """The condition of the error that the statement ends with."""
    with pytest.raises(PySparkException) as error:
        spark.sql(statement).collect()
    return str(spark_condition(error.value))


def refused_scd2(spark: SparkSession, table: str, query: str, options: str = "", *, key: str = "id") -> str:
    return refused(spark, f"INSERT INTO {table} MERGE STRATEGY scd2 UNIQUE KEY ({key}) {options} {query}")


def raw(spark: SparkSession, table: str, *columns: str) -> list[tuple[Any, ...]]:
    frame = spark.table(table)
    return in_order([tuple(row) for row in (frame.select(*columns) if columns else frame).collect()])


def history(spark: SparkSession, table: str, *columns: str) -> list[tuple[Any, ...]]:
    """The columns and the interval of each row, where a moment is its number among the table's moments."""
    rows = raw(spark, table, *columns, "valid_from", "valid_to")
    moments = sorted({moment for row in rows for moment in row[-2:] if moment is not None})
    number: dict[Any, Any] = {moment: i + 1 for i, moment in enumerate(moments)} | {None: None}
    return in_order([(*row[:-2], number[row[-2]], number[row[-1]]) for row in rows])


def in_order(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=repr)


def same(actual: list[tuple[Any, ...]], *expected: tuple[Any, ...]) -> None:
    assert in_order(actual) == in_order(list(expected))


def figures(result: Row) -> dict[str, int]:
    """The figures that are not zero."""
    return {name: result[name] for name in FIGURES if result[name]}


def summary_figures(spark: SparkSession, table: str, snapshot_id: int) -> dict[str, int]:
    row = spark.table(f"{table}.snapshots").where(f"snapshot_id = {snapshot_id}").first()
    assert row is not None
    found = {name: int(row.summary["lamina." + name.replace("_", "-")]) for name in FIGURES}
    return {name: count for name, count in found.items() if count}


def snapshots(spark: SparkSession, table: str) -> int:
    return spark.table(f"{table}.snapshots").count()


def unchanged(spark: SparkSession, table: str, query: str, options: str = "", *, key: str = "id") -> None:
    """The statement changes no row and makes no snapshot."""
    # As text, because Python's NaN is not itself.
    before = str(raw(spark, table)), snapshots(spark, table)
    result = scd2(spark, table, query, options, key=key)
    assert (result.status, figures(result), result.snapshot_id) == ("unchanged", {}, None)
    assert (str(raw(spark, table)), snapshots(spark, table)) == before
