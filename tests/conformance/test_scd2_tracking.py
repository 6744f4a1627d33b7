"""TRACK HISTORY: which columns open a version, and what happens to the others."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession
from scd2_history import (
    VALIDITY,
    create,
    each_layout,
    figures,
    history,
    raw,
    refused_scd2,
    same,
    scd2,
    summary_figures,
    unchanged,
    values,
)

NAMES = "id, city, note"
TRACKED = ["TRACK HISTORY ON (city)", "TRACK HISTORY ON * EXCEPT (NOTE)"]
MERGING = "SEQUENCE BY s TRACK HISTORY ON (city) DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)"


@each_layout
@pytest.mark.parametrize("track", TRACKED)
def test_a_change_in_untracked_columns_is_written_to_the_open_row(
    spark: SparkSession, target: str, track: str, layout: str
) -> None:
    create(spark, target, f"id INT, city STRING, note STRING, {VALIDITY}", layout)
    scd2(spark, target, values(NAMES, "(1, 'Oslo', 'a'), (2, 'Bern', NULL), (3, 'Rome', 'c')"), track)
    result = scd2(spark, target, values(NAMES, "(1, 'Graz', 'b'), (2, 'Bern', 'x'), (3, 'Rome', 'c')"), track)
    assert figures(result) == {"rows_inserted": 1, "rows_updated": 1, "rows_closed": 1}
    assert summary_figures(spark, target, result.snapshot_id) == figures(result)
    same(history(spark, target, "id", "city", "note"), (1, "Oslo", "a", 1, 2), (1, "Graz", "b", 2, None),
         (2, "Bern", "x", 1, None), (3, "Rome", "c", 1, None))  # fmt: skip
    again = scd2(spark, target, values(NAMES, "(1, 'Graz', NULL)"), track)
    assert figures(again) == {"rows_updated": 1}
    assert (1, "Oslo", "a", 1, 2) in history(spark, target, "id", "city", "note")
    assert (1, "Graz", None, 2, None) in history(spark, target, "id", "city", "note")
    unchanged(spark, target, values(NAMES, "(1, 'Graz', NULL), (2, 'Bern', 'x')"), track)


def test_tracking_a_key_column_alone_opens_no_second_version(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, city", "(1, 'Oslo')"), "TRACK HISTORY ON (id)")
    assert figures(scd2(spark, target, values("id, city", "(1, 'Rome')"), "TRACK HISTORY ON (id)")) == {
        "rows_updated": 1
    }


def test_an_untracked_column_that_the_source_lacks_is_kept(spark: SparkSession, target: str) -> None:
    create(spark, target, f"id INT, city STRING, note STRING, age INT, {VALIDITY}")
    track = "TRACK HISTORY ON (city)"
    scd2(spark, target, values("id, city, note, age", "(1, 'Oslo', 'a', 7), (2, 'Bern', 'b', 8)"), track)
    result = scd2(spark, target, values("id, city, age", "(1, 'Oslo', 9), (2, 'Graz', 8)"), track, policy="ignore")
    assert figures(result) == {"rows_inserted": 1, "rows_updated": 1, "rows_closed": 1}
    same(history(spark, target, "id", "city", "note", "age"), (1, "Oslo", "a", 9, 1, None), (2, "Bern", "b", 8, 1, 2),
         (2, "Graz", None, 8, 2, None))  # fmt: skip


def test_a_column_that_this_statement_adds_may_be_tracked(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, city", "(1, 'Oslo'), (2, 'Bern')"))
    source = values("id, city, tier", "(1, 'Graz', NULL), (2, 'Bern', 'gold')")
    result = scd2(spark, target, source, "TRACK HISTORY ON (tier)", policy="append_new_columns")
    assert figures(result) == {"rows_inserted": 1, "rows_updated": 1, "rows_closed": 1}
    same(history(spark, target, "id", "city", "tier"), (1, "Graz", None, 1, None), (2, "Bern", None, 1, 2),
         (2, "Bern", "gold", 2, None))  # fmt: skip


def test_an_added_column_that_is_left_out_of_tracking_opens_no_version(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, city", "(1, 'Oslo')"))
    source = values("id, city, tier", "(1, 'Oslo', 'gold')")
    result = scd2(spark, target, source, "TRACK HISTORY ON * EXCEPT (tier)", policy="append_new_columns")
    assert figures(result) == {"rows_updated": 1}
    same(history(spark, target, "id", "city", "tier"), (1, "Oslo", "gold", 1, None))


def test_a_stored_track_list_allows_a_source_that_lacks_the_column(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, city, tier, note", "(1, 'Oslo', 'gold', 'a')"), "TRACK HISTORY ON (city, tier)")
    lacking = f"INSERT INTO {target} MERGE STRATEGY scd2 ON SCHEMA CHANGE ignore "
    result = spark.sql(lacking + values("id, city, note", "(1, 'Oslo', 'b')")).first()
    assert figures(result) == {"rows_updated": 1}
    same(history(spark, target, "id", "city", "tier", "note"), (1, "Oslo", "gold", "b", 1, None))


def test_a_column_to_track_that_is_nowhere_is_an_error(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, city", "(1, 'Oslo')"))
    for track in ("TRACK HISTORY ON (nope)", "TRACK HISTORY ON * EXCEPT (nope)"):
        assert refused_scd2(spark, target, values("id, city", "(1, 'X')"), track) == "LAMINA_COLUMN_NOT_FOUND"


def batch(*rows: tuple[Any, ...]) -> str:
    """(s, city, note), or (s,) for a delete, of key 1."""
    null = "CAST(NULL AS STRING)"
    upsert, delete = "(1, '{1}', '{2}', {0}L, 'U')", f"(1, {null}, {null}, {{0}}L, 'D')"
    literals = [(upsert if len(row) == 3 else delete).format(*row) for row in rows]
    return values("id, city, note, s, op", ", ".join(literals))


def versions(spark: SparkSession, table: str) -> list[tuple[Any, ...]]:
    """(city, note, s, valid_from, valid_to); a kept delete shows neither city nor note."""
    rows = raw(spark, table, "city", "note", "s", "valid_from", "valid_to")
    return sorted(((None, None, *r[2:]) if r[3] == r[4] else r for r in rows), key=lambda row: row[3])


CASES: dict[str, tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], list[tuple[Any, ...]]]] = {
    "equal neighbours merge": ([(10, "O", "a")], [(20, "O", "b"), (30, "R", "c")],
                               [("O", "b", 20, 10, 30), ("R", "c", 30, 30, None)]),
    "a later equal row lengthens the open version": ([(10, "O", "a"), (20, "O", "b")], [(30, "O", "c")],
                                                     [("O", "c", 30, 10, None)]),
    "an equal late row inside changes nothing": ([(10, "O", "a"), (20, "O", "b")], [(15, "O", "x")],
                                                 [("O", "b", 20, 10, None)]),
    "an equal row before lengthens to the left": ([(10, "O", "a"), (20, "O", "b")], [(5, "O", "x")],
                                                  [("O", "b", 20, 5, None)]),
    "a different row before is a version": ([(10, "O", "a"), (20, "O", "b")], [(5, "R", "x")],
                                            [("R", "x", 5, 5, 10), ("O", "b", 20, 10, None)]),
    "a late row behind the last value merges to the right": (
        [(10, "O", "a"), (20, "O", "b"), (30, "R", "c")], [(25, "R", "x")],
        [("O", "b", 20, 10, 25), ("R", "c", 30, 25, None)]),
    "a late row behind the last value merges to the left": (
        [(10, "O", "a"), (20, "O", "b"), (30, "R", "c")], [(25, "O", "x")],
        [("O", "x", 25, 10, 30), ("R", "c", 30, 30, None)]),
    "a late row behind the last value is a version": (
        [(10, "O", "a"), (20, "O", "b"), (30, "R", "c")], [(25, "B", "x")],
        [("O", "b", 20, 10, 25), ("B", "x", 25, 25, 30), ("R", "c", 30, 30, None)]),
    "a delete behind the last value closes": ([(10, "O", "a"), (20, "O", "b")], [(25,)], [("O", "b", 20, 10, 25)]),
    "an early delete is kept": ([(10, "O", "a")], [(5,)], [(None, None, 5, 5, 5), ("O", "a", 10, 10, None)]),
    "equal rows do not merge across a delete": ([(10, "O", "a"), (20,)], [(30, "O", "b")],
                                                [("O", "a", 10, 10, 20), ("O", "b", 30, 30, None)]),
    "a late row in a gap merges to the right": ([(10, "O", "a"), (20,), (30, "O", "b")], [(25, "O", "x")],
                                                [("O", "a", 10, 10, 20), ("O", "b", 30, 25, None)]),
    "a late row before a delete merges to the left": ([(10, "O", "a"), (30,)], [(20, "O", "b")],
                                                      [("O", "b", 20, 10, 30)]),
    "a late different row before a delete": ([(10, "O", "a"), (30,)], [(20, "R", "b")],
                                             [("O", "a", 10, 10, 20), ("R", "b", 20, 20, 30)]),
    "a late delete before a delete": ([(10, "O", "a"), (30,)], [(20,)],
                                      [("O", "a", 10, 10, 20), (None, None, 30, 30, 30)]),
    "a row between two deletes takes the later one": ([(10, "O", "a"), (20,), (30,)], [(25, "R", "b")],
                                                      [("O", "a", 10, 10, 20), ("R", "b", 25, 25, 30)]),
    "a late delete twice": ([(10, "O", "a"), (20,), (30,)], [(20,), (30,)],
                            [("O", "a", 10, 10, 20), (None, None, 30, 30, 30)]),
    "a changed untracked column of the open row": ([(10, "O", "a")], [(11, "O", "z")], [("O", "z", 11, 10, None)]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_merged_versions(spark: SparkSession, target: str, case: str) -> None:
    there, then, expected = CASES[case]
    scd2(spark, target, batch(*there), MERGING)
    scd2(spark, target, batch(*then), MERGING)
    assert versions(spark, target) == expected
    unchanged(spark, target, batch(*[row for row in (*there, *then) if row[0] != 15 and row[-1] != "x"]), MERGING)


@pytest.mark.parametrize("case", [name for name in CASES if "inside" not in name])
def test_merged_versions_in_one_batch(spark: SparkSession, target: str, case: str) -> None:
    there, then, expected = CASES[case]
    scd2(spark, target, batch(*there, *then), MERGING)
    assert versions(spark, target) == expected


@each_layout
@pytest.mark.parametrize("closed", [False, True])
def test_a_late_row_inside_a_merged_version_splits_it(
    spark: SparkSession, target: str, closed: bool, layout: str
) -> None:
    create(spark, target, "id INT, city STRING, note STRING, s BIGINT, valid_from BIGINT, valid_to BIGINT", layout)
    end = 30 if closed else None
    rows = [(10, "O", "a"), (20, "O", "b"), *([(30, "B", "e")] if closed else [])]
    scd2(spark, target, batch(*rows), MERGING)
    result = scd2(spark, target, batch((15, "R", "x")), MERGING)
    first, late, after, *rest = versions(spark, target)
    assert (first[0], *first[3:]) == ("O", 10, 15)
    assert first[1] in ("a", "b")
    assert 10 <= first[2] < 15
    assert late == ("R", "x", 15, 15, 20)
    assert after == ("O", "b", 20, 20, end)
    assert rest == ([("B", "e", 30, 30, None)] if closed else [])
    assert result.rows_inserted == 2
    unchanged(spark, target, batch((15, "R", "x"), (20, "O", "b")), MERGING)


def test_a_delete_inside_a_merged_version_splits_it(spark: SparkSession, target: str) -> None:
    scd2(spark, target, batch((10, "O", "a"), (20, "O", "b")), MERGING)
    scd2(spark, target, batch((15,)), MERGING)
    first, after = versions(spark, target)
    assert (first[0], *first[3:]) == ("O", 10, 15)
    assert after == ("O", "b", 20, 20, None)
    unchanged(spark, target, batch((15,)), MERGING)


@pytest.mark.parametrize("again", [(20, "R", "b"), (20, "O", "z"), (10, "R", "a"), (20,)], ids=str)
def test_a_different_row_at_a_known_moment_of_a_merged_version_is_an_error(
    spark: SparkSession, target: str, again: tuple[Any, ...]
) -> None:
    scd2(spark, target, batch((10, "O", "a"), (20, "O", "b")), MERGING)
    assert refused_scd2(spark, target, batch(again), MERGING) == "LAMINA_SEQUENCE_CONFLICT"


@pytest.mark.parametrize("split", [1, 2, 3])
def test_sorted_batches_of_any_size_give_the_same_merged_table(spark: SparkSession, target: str, split: int) -> None:
    line: list[tuple[Any, ...]] = [
        (1, "O", "a"),
        (2, "O", "b"),
        (3, "R", "c"),
        (4,),
        (5,),
        (6, "R", "d"),
        (7, "R", "e"),
    ]
    for start in range(0, len(line), split):
        scd2(spark, target, batch(*line[start : start + split]), MERGING)
    assert versions(spark, target) == [("O", "b", 2, 1, 3), ("R", "c", 3, 3, 4), (None, None, 5, 5, 5),
                                       ("R", "e", 7, 6, None)]  # fmt: skip
