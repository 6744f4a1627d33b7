"""What a small statement costs beside Spark's own INSERT INTO, on the same table in the same run."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median

from pyspark.sql import SparkSession
from strategies import rolled_back

ROUNDS = 15
WARM_UP = 3


@dataclass(frozen=True)
class StatementTime:
    """Median over all rounds, in milliseconds."""

    statement: str
    ms: float


SPARK = "INSERT INTO … VALUES (Spark)"
LIMIT_MS = 250
ROW = "SELECT {n} AS id, 'a' AS name"


def statements() -> dict[str, tuple[str, str]]:
    """For each statement the columns of its table, and its text with ``{table}`` and the round's ``{n}``."""
    columns, validity = "id INT, name STRING", ", valid_from TIMESTAMP, valid_to TIMESTAMP"
    keyed = ("incremental", "delete_insert", "scd2")
    return {
        SPARK: (columns, "INSERT INTO {table} VALUES ({n}, 'a')"),
        "append_only": (columns, "INSERT INTO {table} MERGE STRATEGY append_only VALUES ({n}, 'a')"),
        "append_only, one column missing": (
            columns,
            "INSERT INTO {table} ON SCHEMA CHANGE append_new_columns SELECT {n} AS id",
        ),
        **{
            name: (
                columns + (validity if name == "scd2" else ""),
                f"INSERT INTO {{table}} MERGE STRATEGY {name} UNIQUE KEY (id) {ROW}",
            )
            for name in keyed
        },
        "snapshot": (columns, f"INSERT INTO {{table}} MERGE STRATEGY snapshot PARTITION COLUMN id {ROW}"),
    }


def measure(spark: SparkSession) -> list[StatementTime]:
    """Runs every statement once per round, so that all see the same noise, on a table of one row."""
    spark.sql("CREATE SCHEMA IF NOT EXISTS lake.bench")
    tables = {name: f"lake.bench.one_row_{number}" for number, name in enumerate(statements())}
    for name, (columns, _) in statements().items():
        spark.sql(
            f"CREATE TABLE {tables[name]} ({columns}) USING iceberg "
            "TBLPROPERTIES ('write.merge.mode' = 'merge-on-read')"
        )
        start = ", TIMESTAMP '2020-01-01', NULL" if "valid_to" in columns else ""
        spark.sql(f"INSERT INTO {tables[name]} VALUES (-1, 'z'{start})")
    times: dict[str, list[float]] = {name: [] for name in tables}
    for number in range(ROUNDS + WARM_UP):
        for name, (_, sql) in statements().items():
            with rolled_back(spark, tables[name]):
                milliseconds = _time(spark, sql.format(table=tables[name], n=number))
            if number >= WARM_UP:
                times[name].append(milliseconds)
    return [StatementTime(name, median(values)) for name, values in times.items()]


def _time(spark: SparkSession, sql: str) -> float:
    start = time.perf_counter()
    spark.sql(sql).collect()
    return (time.perf_counter() - start) * 1000
