"""What an ordinary statement pays for the extension: parse time with Lamina's parser less that of the one behind it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median
from typing import Any

from pyspark.sql import SparkSession

ROUNDS = 400

LIMIT_MS = 0.2


@dataclass(frozen=True)
class ParseTime:
    """Medians over all rounds, in milliseconds; ``overhead_ms`` is the median of the differences within a round."""

    statement: str
    characters: int
    spark_ms: float
    overhead_ms: float


def ordinary_statements() -> dict[str, str]:
    """Statements that are Spark's alone, from a one-liner to a generated one, some with the words Lamina looks for."""
    columns = ", ".join(f"t.column_{i} AS schema_{i}" for i in range(200))
    rows = ", ".join(f"({i}, 'merge {i}', 'some schema text {i}')" for i in range(2000))
    return {
        "SELECT 1": "SELECT 1",
        "SHOW SCHEMAS": "SHOW SCHEMAS",
        "MERGE INTO": "MERGE INTO a USING b ON a.id = b.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
        "SELECT of 200 columns": f"SELECT {columns} FROM t WHERE merge = 'strategy'",
        "INSERT of 2,000 rows": f"INSERT INTO t VALUES {rows}",
    }


def measure(spark: SparkSession) -> list[ParseTime]:
    """Parses each statement with both parsers in turn, first one first and then the other: both see the same noise."""
    with_lamina = spark._jsparkSession.sessionState().sqlParser()
    without = with_lamina.delegate()
    return [_compare(name, sql, with_lamina, without) for name, sql in ordinary_statements().items()]


def _compare(name: str, sql: str, with_lamina: Any, without: Any) -> ParseTime:
    rounds = ROUNDS if len(sql) < 10_000 else ROUNDS // 10
    for _ in range(rounds // 4):
        without.parsePlan(sql)
        with_lamina.parsePlan(sql)
    pairs = [_time_both(sql, with_lamina, without, lamina_first=n % 2 == 0) for n in range(rounds)]
    return ParseTime(name, len(sql), median(spark for _, spark in pairs), median(ours - spark for ours, spark in pairs))


def _time_both(sql: str, with_lamina: Any, without: Any, *, lamina_first: bool) -> tuple[float, float]:
    if lamina_first:
        ours = _time(with_lamina, sql)
        return ours, _time(without, sql)
    spark = _time(without, sql)
    return _time(with_lamina, sql), spark


def _time(parser: Any, sql: str) -> float:
    start = time.perf_counter()
    parser.parsePlan(sql)
    return (time.perf_counter() - start) * 1000
