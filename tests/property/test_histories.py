"""Random histories, carried out by the statement and by the model: after every statement both hold the same table."""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import histories
import pytest
from histories import KINDS, History, Kind, Step
from model import Row
from pyspark.sql import SparkSession

SEED = int(os.environ.get("LAMINA_SEED", "1"))
TOGETHER = int(os.environ.get("LAMINA_HISTORIES", "15"))
STATEMENTS = 5
LAYOUTS = {
    "copy-on-write": "'write.merge.mode' = 'copy-on-write', 'format-version' = '2'",
    "merge-on-read": "'write.merge.mode' = 'merge-on-read', 'format-version' = '3'",
}
COLUMNS = {"h": "INT", "id": "INT", "a": "STRING", "b": "INT", "s": "INT", "c": "INT"}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_table_is_what_the_model_says(spark: SparkSession, target: str, kind: Kind, layout: str) -> None:
    steps = histories.steps(kind, SEED, TOGETHER, STATEMENTS)
    failure = first_difference(spark, target, kind, layout, steps)
    if failure:
        small = shrunk(spark, target, kind, layout, steps, failure[0])
        pytest.fail(f"{failure[1]}\nLAMINA_SEED={SEED}, the same with fewer rows:\n" + "\n".join(map(str, small)))


def first_difference(
    spark: SparkSession, target: str, kind: Kind, layout: str, steps: list[Step]
) -> tuple[int, str] | None:
    """The number of the history that went wrong, and how; nothing when all went right."""
    chance = random.Random(SEED)
    spark.sql(f"DROP TABLE IF EXISTS {target} PURGE")
    create(spark, target, kind, layout)
    history = History()
    moments: dict[Any, int] = {}
    for number, step in enumerate(steps):
        history.statement = number
        history.rows = kind.apply(history, step.rows, [c for c in step.columns if c != "op"])
        statement = sql(target, kind, step, chance)
        status = spark.sql(statement).first()["status"]
        actual = read(spark, target, kind, moments, number)
        wrong = difference(history.rows, actual) or broken_history(kind, actual)
        if wrong:
            return wrong[0], f"statement {number} ({status}): {wrong[1]}\n{statement}"
        if not kind.replaces:
            before = snapshots(spark, target)
            again = spark.sql(statement).first()["status"]
            if again != "unchanged" or snapshots(spark, target) != before:
                return -1, f"statement {number} given twice was {again}\n{statement}"
    return None


def create(spark: SparkSession, target: str, kind: Kind, layout: str) -> None:
    moment = "INT" if kind.sequence else "TIMESTAMP"
    validity = f", valid_from {moment}, valid_to {moment}" if kind.is_history else ""
    columns = ", ".join(f"{name} {COLUMNS[name]}" for name in ("h", "id", "a", "b", "s"))
    spark.sql(f"CREATE TABLE {target} ({columns}{validity}) USING iceberg TBLPROPERTIES ({LAYOUTS[layout]})")


def sql(target: str, kind: Kind, step: Step, chance: random.Random) -> str:
    columns = [*step.columns, "op"]
    types = {**COLUMNS, "op": "STRING"}
    empty = ", ".join(f"CAST(NULL AS {types[c]})" for c in columns)
    rows = ", ".join("(" + ", ".join(literal(row[c]) for c in columns) + ")" for row in step.rows)
    names = ", ".join(c.upper() if chance.random() < 0.3 else c for c in columns)
    values = f"SELECT * FROM VALUES {rows} AS v({names}) UNION ALL " if rows else ""
    return (
        f"INSERT INTO {target} MERGE STRATEGY {kind.clause} COLUMNS * EXCEPT (op) "
        f"ON SCHEMA CHANGE append_new_columns {values}SELECT {empty_named(empty, columns)} WHERE false"
    )


def empty_named(values: str, columns: list[str]) -> str:
    return ", ".join(f"{value} AS {name}" for value, name in zip(values.split(", "), columns, strict=True))


def literal(value: Any) -> str:
    return "NULL" if value is None else repr(value)


def read(spark: SparkSession, target: str, kind: Kind, moments: dict[Any, int], number: int) -> list[Row]:
    """The table's rows; a moment that was not there before is the number of the statement."""
    rows = [{name.lower(): value for name, value in row.asDict().items()} for row in spark.table(target).collect()]
    if kind.is_history and not kind.sequence:
        for row in rows:
            for column in ("valid_from", "valid_to"):
                if row[column] is not None:
                    row[column] = moments.setdefault(row[column], number)
    return rows


def difference(expected: list[Row], actual: list[Row]) -> tuple[int, str] | None:
    def counted(rows: list[Row]) -> Counter[tuple[Any, ...]]:
        return Counter(tuple(sorted((k, v) for k, v in row.items() if v is not None)) for row in rows)

    missing = counted(expected) - counted(actual)
    extra = counted(actual) - counted(expected)
    if not missing and not extra:
        return None
    first = next(iter(missing or extra))
    return dict(first)["h"], f"missing {list(missing)[:3]}, not expected {list(extra)[:3]}"


def broken_history(kind: Kind, rows: list[Row]) -> tuple[int, str] | None:
    """One open row per key; intervals are half-open and do not overlap."""
    if not kind.is_history:
        return None
    by_key: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        by_key.setdefault((row["h"], row["id"]), []).append(row)
    for key, versions in by_key.items():
        ordered = sorted(versions, key=lambda row: row["valid_from"])
        for row, following in pairwise(ordered):
            if row["valid_to"] is None or row["valid_to"] > following["valid_from"]:
                return key[0], f"{row} overlaps with {following}"
    return None


def snapshots(spark: SparkSession, target: str) -> int:
    return spark.table(f"{target}.snapshots").count()


def shrunk(spark: SparkSession, target: str, kind: Kind, layout: str, steps: list[Step], failing: int) -> list[Step]:
    """Fewer rows that still go wrong."""
    if failing >= 0:
        steps = [replace(step, rows=[row for row in step.rows if row["h"] == failing]) for step in steps]
    for number in range(len(steps)):
        for row in list(steps[number].rows):
            fewer = list(steps)
            fewer[number] = replace(steps[number], rows=[r for r in steps[number].rows if r is not row])
            if first_difference(spark, target, kind, layout, fewer):
                steps = fewer
    return steps
