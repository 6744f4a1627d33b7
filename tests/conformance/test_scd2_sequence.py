"""scd2 with a sequence: an event has its place in history, whenever it arrives."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pyspark.sql import SparkSession
from scd2_history import create, each_layout, figures, raw, refused_scd2, same, scd2, snapshots, unchanged, values

SEQUENCE = "SEQUENCE BY s DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)"
NAMES = "id, city, s, op"
NULL = "CAST(NULL AS STRING)"
VALIDITY = "valid_from BIGINT, valid_to BIGINT"
TYPES = {
    "TIMESTAMP": ("TIMESTAMP'1900-01-01 00:00:00'", "TIMESTAMP'2024-03-31 02:30:00'", "TIMESTAMP'2999-01-01 00:00:00'"),
    "TIMESTAMP_NTZ": (
        "TIMESTAMP_NTZ'0099-01-01 00:00:00'",
        "TIMESTAMP_NTZ'2024-03-31 02:30:00.000001'",
        "TIMESTAMP_NTZ'2024-03-31 02:30:00.000002'",
    ),
    "DATE": ("DATE'0001-01-01'", "DATE'2024-02-29'", "DATE'9999-12-31'"),
    "BIGINT": ("-9223372036854775808L", "-1L", "9223372036854775807L"),
    "INT": ("-2147483648", "0", "2147483647"),
}


def events(*rows: tuple[Any, ...]) -> str:
    """(id, city, s) or (id, s) for a delete."""
    literals = [f"({r[0]}, '{r[1]}', {r[2]}L, 'U')" if len(r) == 3 else f"({r[0]}, {NULL}, {r[1]}L, 'D')" for r in rows]
    return values(NAMES, ", ".join(literals))


@each_layout
def test_a_late_row_takes_its_place(spark: SparkSession, target: str, layout: str) -> None:
    create(spark, target, f"id INT, city STRING, s BIGINT, {VALIDITY}", layout)
    scd2(spark, target, events((1, "Oslo", 10), (1, "Rome", 30), (2, "Bern", 10)), SEQUENCE)
    middle = scd2(spark, target, events((1, "Graz", 20)), SEQUENCE)
    assert figures(middle) == {"rows_inserted": 1, "rows_updated": 1}
    early = scd2(spark, target, events((1, "Bonn", -5)), SEQUENCE)
    assert figures(early) == {"rows_inserted": 1}
    newest = scd2(spark, target, events((1, "Lima", 40)), SEQUENCE)
    assert figures(newest) == {"rows_inserted": 1, "rows_closed": 1}
    same(raw(spark, target), (1, "Bonn", -5, -5, 10), (1, "Oslo", 10, 10, 20), (1, "Graz", 20, 20, 30),
         (1, "Rome", 30, 30, 40), (1, "Lima", 40, 40, None), (2, "Bern", 10, 10, None))  # fmt: skip


@pytest.mark.parametrize("kind", TYPES)
def test_the_sequence_gives_both_bounds_in_its_own_type(spark: SparkSession, target: str, kind: str) -> None:
    first, second, third = TYPES[kind]
    result = scd2(spark, target, values("id, city, s", f"(1, 'C', {third}), (1, 'A', {first})"), "SEQUENCE BY s")
    assert result.status == "created"
    scd2(spark, target, values("id, city, s", f"(1, 'B', {second})"), "SEQUENCE BY s")
    types = dict(spark.table(target).dtypes)
    assert types["valid_from"] == types["valid_to"] == types["s"] == kind.lower()
    ordered = spark.sql(f"SELECT city, valid_from = s, lead(s) OVER (ORDER BY s) <=> valid_to FROM {target} ORDER BY s")
    assert [tuple(row) for row in ordered.collect()] == [("A", True, True), ("B", True, True), ("C", True, True)]


@pytest.mark.parametrize("kind", ["TIMESTAMP", "DATE"])
def test_the_session_time_zone_does_not_move_an_event(spark: SparkSession, target: str, kind: str) -> None:
    late = "2024-11-03 09:30:00Z" if kind == "TIMESTAMP" else "2024-11-03"
    batch = values("id, city, s", f"(1, 'A', {kind}'2024-03-31'), (1, 'B', {kind}'{late}')")
    try:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
        scd2(spark, target, batch, "SEQUENCE BY s")
        spark.conf.set("spark.sql.session.timeZone", "Pacific/Auckland")
        query = f"SELECT id, city, s FROM {target}"
        unchanged(spark, target, query, "SEQUENCE BY s")
        spark.conf.set("spark.sql.session.timeZone", "America/New_York")
        scd2(spark, target, values("id, city, s", f"(1, 'C', {kind}'2025-01-01')"), "SEQUENCE BY s")
    finally:
        spark.conf.unset("spark.sql.session.timeZone")
    assert spark.table(target).where("valid_from <> s").count() == 0
    assert spark.sql(f"SELECT count(*) FROM {target} a JOIN {target} b ON a.valid_to = b.valid_from").first()[0] == 2


@pytest.mark.parametrize("rows", ["(1, 'A', NULL)", "(1, 'A', 5), (2, 'B', NULL)"])
def test_a_null_in_the_sequence_is_an_error(spark: SparkSession, target: str, rows: str) -> None:
    scd2(spark, target, values("id, city, s", "(1, 'A', 1)"), "SEQUENCE BY s")
    source = f"SELECT id, city, CAST(s AS INT) AS s FROM VALUES {rows} AS v(id, city, s)"
    assert refused_scd2(spark, target, source, "SEQUENCE BY s") == "LAMINA_NULL_SEQUENCE"
    assert (len(raw(spark, target)), snapshots(spark, target)) == (1, 1)


def test_an_event_given_again_is_nothing_new(spark: SparkSession, target: str) -> None:
    batch = [(1, "A", 10), (1, "B", 20), (1, 30), (1, "C", 40), (2, 5), (2, 6), (3, "Z", 1)]
    scd2(spark, target, events(*batch), SEQUENCE)
    unchanged(spark, target, events(*batch), SEQUENCE)
    unchanged(spark, target, events(*batch, *batch), SEQUENCE)
    for event in batch:
        unchanged(spark, target, events(event), SEQUENCE)


@pytest.mark.parametrize(
    ("there", "again"),
    [
        ([(1, "A", 10), (1, "B", 20)], [(1, "X", 10)]),
        ([(1, "A", 10), (1, "B", 20)], [(1, "X", 20)]),
        ([(1, "A", 10), (1, "B", 20)], [(1, 20)]),
        ([(1, "A", 10), (1, "B", 20)], [(1, 10)]),
        ([(1, "A", 10), (1, 20)], [(1, "B", 20)]),
        ([(1, 20)], [(1, "B", 20)]),
        ([(2, "A", 10)], [(1, "B", 20), (1, "C", 20)]),
        ([(2, "A", 10)], [(1, "B", 20), (1, 20)]),
    ],
    ids=str,
)
def test_a_different_event_at_the_same_moment_is_an_error(
    spark: SparkSession, target: str, there: list[tuple[Any, ...]], again: list[tuple[Any, ...]]
) -> None:
    scd2(spark, target, events(*there), SEQUENCE)
    before = raw(spark, target)
    assert refused_scd2(spark, target, events(*again), SEQUENCE) == "LAMINA_SEQUENCE_CONFLICT"
    assert (raw(spark, target), snapshots(spark, target)) == (before, 1)


def test_two_deletes_at_one_moment_are_one_delete_whatever_else_they_say(spark: SparkSession, target: str) -> None:
    scd2(spark, target, events((1, "A", 10)), SEQUENCE)
    deletes = values(NAMES, "(1, NULL, 20L, 'D'), (1, 'A', 20L, 'D')")
    scd2(spark, target, deletes, SEQUENCE)
    same(raw(spark, target), (1, "A", 10, 10, 20))
    unchanged(spark, target, values(NAMES, "(1, 'other', 20L, 'D')"), SEQUENCE)


@each_layout
def test_a_delete_that_finds_no_version_is_kept_as_an_empty_interval(
    spark: SparkSession, target: str, layout: str
) -> None:
    create(spark, target, f"id INT, city STRING, s BIGINT, {VALIDITY}, now BOOLEAN", layout)
    options = SEQUENCE + " CURRENT FLAG now"
    scd2(spark, target, events((1, 20)), options)
    same(raw(spark, target, "id", "s", "valid_from", "valid_to", "now"), (1, 20, 20, 20, False))
    scd2(spark, target, events((1, "A", 10)), options)
    same(raw(spark, target), (1, "A", 10, 10, 20, False))
    scd2(spark, target, events((1, 15)), options)
    same(raw(spark, target, "id", "s", "valid_from", "valid_to", "now"), (1, 10, 10, 15, False), (1, 20, 20, 20, False))
    scd2(spark, target, events((1, "B", 18)), options)
    same(raw(spark, target), (1, "A", 10, 10, 15, False), (1, "B", 18, 18, 20, False))
    scd2(spark, target, events((1, "B", 25)), options)
    same(raw(spark, target), (1, "A", 10, 10, 15, False), (1, "B", 18, 18, 20, False), (1, "B", 25, 25, None, True))


def test_no_as_of_query_returns_an_early_delete(spark: SparkSession, target: str) -> None:
    scd2(spark, target, events((1, 20)), SEQUENCE)
    as_of = "valid_from <= {0} AND (valid_to > {0} OR valid_to IS NULL)"
    assert [spark.table(target).where(as_of.format(moment)).count() for moment in (19, 20, 21)] == [0, 0, 0]
    assert spark.table(target).where("valid_to IS NULL").count() == 0


def model(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """(id, city, s, valid_from, valid_to) of all events that ever arrived; a kept delete shows no city."""
    result: list[tuple[Any, ...]] = []
    for key in {row[0] for row in rows}:
        line = sorted({row[-1]: row for row in rows if row[0] == key}.items())
        for i, (moment, event) in enumerate(line):
            until = line[i + 1][0] if i + 1 < len(line) else None
            if len(event) == 3:
                result.append((key, event[1], moment, moment, until))
            elif i == 0 or len(line[i - 1][1]) == 2:
                result.append((key, None, moment, moment, moment))
    return result


def shown(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [(r[0], None if r[3] == r[4] else r[1], *r[2:]) for r in rows]


@pytest.mark.parametrize(("seed", "layout"), [(1, "cow-v2"), (2, "mor-v2"), (3, "mor-v3"), (4, "cow-v2")])
def test_any_split_into_batches_in_any_order_gives_the_same_table(
    spark: SparkSession, target: str, layout: str, seed: int
) -> None:
    chance = random.Random(seed)
    rows: list[tuple[Any, ...]] = []
    for key in range(12):
        for moment in chance.sample(range(-20, 20), chance.randint(1, 9)):
            rows.append((key, moment) if chance.random() < 0.35 else (key, chance.choice("ABC"), moment))
    sorted_, shuffled = f"{target}_sorted", f"{target}_shuffled"
    for table in (sorted_, shuffled):
        create(spark, table, f"id INT, city STRING, s BIGINT, {VALIDITY}", layout)
    scd2(spark, sorted_, events(*sorted(rows, key=lambda row: row[-1])), SEQUENCE)
    chance.shuffle(rows)
    arrived: list[tuple[Any, ...]] = []
    for start in range(0, len(rows), 15):
        batch = rows[start : start + 15] + chance.sample(arrived, min(3, len(arrived)))
        arrived += batch
        before = raw(spark, shuffled)
        result = scd2(spark, shuffled, events(*batch), SEQUENCE)
        same(shown(raw(spark, shuffled)), *model(arrived))
        grown = result.rows_inserted - result.rows_deleted
        assert grown == len(raw(spark, shuffled)) - len(before)
    assert raw(spark, shuffled) == raw(spark, sorted_)
