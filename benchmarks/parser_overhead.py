"""What an ordinary statement pays for the extension: a look at its text, before it goes to Spark untouched."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from pyspark.sql import SparkSession

ROUNDS = 400

LIMIT_MS = 0.2


@dataclass(frozen=True)
class ParseTime:
    """Medians over all rounds, in milliseconds.

    ``look_ms`` is what the extension adds, timed by itself: beside the parsing of a long statement it is lost in noise.
    """

    statement: str
    characters: int
    spark_ms: float
    lamina_ms: float
    look_ms: float


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
    return [_compare(spark, name, sql, with_lamina) for name, sql in ordinary_statements().items()]


def _compare(spark: SparkSession, name: str, sql: str, with_lamina: Any) -> ParseTime:
    rounds = ROUNDS if len(sql) < 10_000 else ROUNDS // 10
    lamina_ms, spark_ms = _medians(rounds, sql, with_lamina.parsePlan, with_lamina.delegate().parsePlan)
    jvm: Any = spark.sparkContext._jvm
    parser = getattr(getattr(jvm.org.apache.spark.sql.lamina.parser, "LaminaParser$"), "MODULE$")
    # Both calls carry the text to the JVM; what remains is the look at it.
    look_ms, call_ms = _medians(ROUNDS, sql, parser.mayHaveClauses, jvm.java.util.Objects.nonNull)
    return ParseTime(name, len(sql), spark_ms, lamina_ms, max(look_ms - call_ms, 0.0))


def _medians(rounds: int, sql: str, first: Callable[[str], Any], second: Callable[[str], Any]) -> tuple[float, float]:
    for _ in range(rounds // 4):
        first(sql)
        second(sql)
    pairs = [_time_both(sql, first, second, swap=n % 2 == 1) for n in range(rounds)]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)


def _time_both(
    sql: str, first: Callable[[str], Any], second: Callable[[str], Any], *, swap: bool
) -> tuple[float, float]:
    if swap:
        late = _time(second, sql)
        return _time(first, sql), late
    return _time(first, sql), _time(second, sql)


def _time(call: Callable[[str], Any], sql: str) -> float:
    start = time.perf_counter()
    call(sql)
    return (time.perf_counter() - start) * 1000
