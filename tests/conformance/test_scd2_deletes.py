"""scd2: DELETE WHEN and HARD DELETES."""

from __future__ import annotations

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
    snapshots,
    summary_figures,
    unchanged,
    values,
)

NAMES = "id, name, op"
DELETE = "DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)"
ABSENT = "HARD DELETES invalidate"


@each_layout
def test_a_delete_closes_the_open_row_and_a_key_that_comes_back_leaves_a_gap(
    spark: SparkSession, target: str, layout: str
) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}", layout)
    scd2(spark, target, values(NAMES, "(1, 'A', 'U'), (2, 'B', 'U')"), DELETE)
    gone = scd2(spark, target, values(NAMES, "(1, 'other', 'D')"), DELETE)
    assert figures(gone) == summary_figures(spark, target, gone.snapshot_id) == {"rows_closed": 1}
    scd2(spark, target, values(NAMES, "(2, 'BB', 'U')"), DELETE)
    back = scd2(spark, target, values(NAMES, "(1, 'A', 'U')"), DELETE)
    assert figures(back) == {"rows_inserted": 1}
    same(history(spark, target, "id", "name"), (1, "A", 1, 2), (1, "A", 4, None), (2, "B", 1, 3), (2, "BB", 3, None))
    unchanged(spark, target, values(NAMES, "(1, 'A', 'U')"), DELETE)


def test_a_delete_of_a_closed_or_unknown_key_does_nothing(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values(NAMES, "(1, 'A', 'U')"), DELETE)
    scd2(spark, target, values(NAMES, "(1, 'A', 'D')"), DELETE)
    unchanged(spark, target, values(NAMES, "(1, 'A', 'D'), (7, 'G', 'D')"), DELETE)


@pytest.mark.parametrize("predicate", ["op = 'D'", "op <> 'U'", "NOT (op = 'U')", "op IN ('D', NULL)"])
def test_a_null_predicate_is_not_true(spark: SparkSession, target: str, predicate: str) -> None:
    options = f"DELETE WHEN {predicate} COLUMNS * EXCEPT (op)"
    scd2(spark, target, values(NAMES, "(1, 'A', 'U'), (2, 'B', NULL), (3, 'C', 'D')"), options)
    same(history(spark, target, "id", "name"), (1, "A", 1, None), (2, "B", 1, None))
    result = scd2(spark, target, values(NAMES, "(1, 'A', 'D'), (2, 'BB', NULL)"), options)
    assert figures(result) == {"rows_inserted": 1, "rows_closed": 2}


def test_a_delete_on_the_first_run_inserts_nothing(spark: SparkSession, target: str) -> None:
    result = scd2(spark, target, values(NAMES, "(1, 'A', 'D'), (2, 'B', 'U')"), DELETE)
    assert (result.status, figures(result)) == ("created", {"rows_inserted": 1})
    same(history(spark, target, "id", "name"), (2, "B", 1, None))


def test_a_first_run_of_deletes_alone_makes_an_empty_table(spark: SparkSession, target: str) -> None:
    assert scd2(spark, target, values(NAMES, "(1, 'A', 'D')"), DELETE).status == "created"
    assert raw(spark, target) == []


def test_a_delete_and_an_update_of_one_key_are_different_rows(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values(NAMES, "(1, 'A', 'U')"), DELETE)
    assert refused_scd2(spark, target, values(NAMES, "(1, 'A', 'U'), (1, 'A', 'D')"), DELETE) == "LAMINA_DUPLICATE_KEY"


def test_the_predicate_sees_a_column_that_the_policy_leaves_out(spark: SparkSession, target: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}")
    scd2(spark, target, values("id, name", "(1, 'A'), (2, 'B')"))
    result = scd2(spark, target, values(NAMES, "(1, 'A', 'D'), (2, 'B', 'U')"), "DELETE WHEN op = 'D'", policy="ignore")
    assert (figures(result), list(result.columns_ignored)) == ({"rows_closed": 1}, ["op"])


@each_layout
def test_hard_deletes_close_absent_keys(spark: SparkSession, target: str, layout: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}, now BOOLEAN", layout)
    options = f"{ABSENT} CURRENT FLAG now"
    scd2(spark, target, values("id, name", "(1, 'A'), (2, 'B'), (3, NULL), (4, 'D')"), options)
    result = scd2(spark, target, values("id, name", "(1, 'A'), (2, 'BB'), (5, 'E')"), options)
    assert figures(result) == {"rows_inserted": 2, "rows_closed": 3}
    assert summary_figures(spark, target, result.snapshot_id) == figures(result)
    same(history(spark, target, "id", "name", "now"), (1, "A", True, 1, None), (2, "B", False, 1, 2),
         (2, "BB", True, 2, None), (3, None, False, 1, 2), (4, "D", False, 1, 2), (5, "E", True, 2, None))  # fmt: skip
    unchanged(spark, target, values("id, name", "(1, 'A'), (2, 'BB'), (5, 'E')"), options)
    scd2(spark, target, values("id, name", "(1, 'A'), (2, 'BB'), (5, 'E'), (4, 'D')"), options)
    assert (4, "D", True, 3, None) in history(spark, target, "id", "name", "now")


def test_an_empty_source_is_refused_unless_allowed(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, name", "(1, 'A'), (2, 'B')"))
    nothing = values("id, name", "(1, 'A')") + " WHERE id > 1"
    assert refused_scd2(spark, target, nothing, ABSENT) == "LAMINA_EMPTY_SOURCE"
    assert snapshots(spark, target) == 1
    result = scd2(spark, target, nothing, f"{ABSENT} ALLOW EMPTY SOURCE")
    assert figures(result) == {"rows_closed": 2}
    same(history(spark, target, "id", "name"), (1, "A", 1, 2), (2, "B", 1, 2))
    unchanged(spark, target, nothing, f"{ABSENT} ALLOW EMPTY SOURCE")


def test_an_empty_source_without_hard_deletes_closes_nothing(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, name", "(1, 'A')"))
    unchanged(spark, target, values("id, name", "(1, 'A')") + " WHERE false", "HARD DELETES ignore")


def test_a_source_of_deletes_alone_is_not_empty(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values(NAMES, "(1, 'A', 'U'), (2, 'B', 'U')"), DELETE)
    result = scd2(spark, target, values(NAMES, "(1, 'A', 'D')"), f"{ABSENT} {DELETE}")
    assert figures(result) == {"rows_closed": 2}


def test_hard_deletes_do_not_touch_closed_rows_nor_null_keys(spark: SparkSession, target: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}")
    spark.sql(f"""INSERT INTO {target} VALUES
        (NULL, 'N', TIMESTAMP'2001-01-01 00:00:00', TIMESTAMP'2002-01-01 00:00:00'),
        (1, 'A', TIMESTAMP'2001-01-01 00:00:00', TIMESTAMP'2002-01-01 00:00:00'),
        (2, 'B', TIMESTAMP'2001-01-01 00:00:00', TIMESTAMP'2999-01-01 00:00:00')""")
    before = raw(spark, target)
    assert figures(scd2(spark, target, values("id, name", "(3, 'C')"), ABSENT)) == {"rows_inserted": 1}
    assert set(before) < set(raw(spark, target))


def test_hard_deletes_close_all_open_rows_of_an_absent_key(spark: SparkSession, target: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}")
    spark.sql(f"""INSERT INTO {target} VALUES (1, 'A', TIMESTAMP'2001-01-01 00:00:00', NULL),
        (2, 'B', TIMESTAMP'2001-01-01 00:00:00', NULL)""")
    scd2(spark, target, values("id, name", "(3, 'C')"), ABSENT)
    assert spark.table(target).where("valid_to IS NULL").count() == 1


def test_hard_deletes_do_not_go_with_a_sequence(spark: SparkSession, target: str) -> None:
    source = values("id, name, s", "(1, 'A', 1)")
    condition = refused_scd2(spark, target, source, f"{ABSENT} SEQUENCE BY s")
    assert condition.startswith("LAMINA_")
    assert not spark.catalog.tableExists(target)
    scd2(spark, target, source, "SEQUENCE BY s")
    assert refused_scd2(spark, target, source, f"{ABSENT} SEQUENCE BY s") == condition
    assert snapshots(spark, target) == 1


def test_stored_hard_deletes_need_not_be_said_again(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, name", "(1, 'A'), (2, 'B')"), ABSENT)
    stored = f"INSERT INTO {target} MERGE STRATEGY scd2 "
    assert figures(spark.sql(stored + values("id, name", "(1, 'A')")).first()) == {"rows_closed": 1}
    kept = spark.sql(f"{stored} HARD DELETES ignore {values('id, name', '(3, 1)')}".replace("1)", "'C')")).first()
    assert figures(kept) == {"rows_inserted": 1}


def test_a_delete_when_over_nested_fields_and_odd_names(spark: SparkSession, target: str) -> None:
    source = "SELECT 1 AS id, named_struct('kind', 'D', 'a b', 1) AS `m.e``t a`, 'x' AS `select`"
    options = "DELETE WHEN `m.e``t a`.kind = 'D' AND `m.e``t a`.`a b` = 1 AND `select` IS NOT NULL"
    scd2(spark, target, source.replace("'D'", "'U'"), options)
    assert figures(scd2(spark, target, source, options)) == {"rows_closed": 1}
    assert spark.table(target).columns == ["id", "m.e`t a", "select", "valid_from", "valid_to"]
