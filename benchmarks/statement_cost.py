"""What a small statement costs beside Spark's own INSERT INTO, on the same table in the same run."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median

from pyspark.sql import SparkSession

ROUNDS = 15


@dataclass(frozen=True)
class StatementTime:
    """Median over all rounds, in milliseconds."""

    statement: str
    ms: float


def measure(spark: SparkSession) -> list[StatementTime]:
    """Runs every statement once per round, so that all see the same noise and the same growing tables."""
    spark.sql("CREATE SCHEMA IF NOT EXISTS lake.bench")
    for table in ("plain", "strategy", "padded"):
        spark.sql(f"CREATE TABLE lake.bench.{table} (id INT, name STRING) USING iceberg")
    statements = {
        "INSERT INTO … VALUES (Spark)": "INSERT INTO lake.bench.plain VALUES (1, 'a')",
        "… MERGE STRATEGY append_only VALUES": (
            "INSERT INTO lake.bench.strategy MERGE STRATEGY append_only VALUES (1, 'a')"
        ),
        "… ON SCHEMA CHANGE append_new_columns SELECT, one column missing": (
            "INSERT INTO lake.bench.padded ON SCHEMA CHANGE append_new_columns SELECT 1 AS id"
        ),
    }
    for sql in statements.values():
        spark.sql(sql)
    times = [{name: _time(spark, sql) for name, sql in statements.items()} for _ in range(ROUNDS)]
    return [StatementTime(name, median(round_[name] for round_ in times)) for name in statements]


def _time(spark: SparkSession, sql: str) -> float:
    start = time.perf_counter()
    spark.sql(sql).collect()
    return (time.perf_counter() - start) * 1000
