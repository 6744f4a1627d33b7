"""scd2 without a sequence: what a row of the source does to its key's history."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from lamina.errors import spark_condition
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

NAMES = "id, name"


@each_layout
def test_a_changed_key_is_closed_and_opened_a_new_key_is_opened_an_equal_one_is_untouched(
    spark: SparkSession, target: str, layout: str
) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}", layout)
    first = scd2(spark, target, values(NAMES, "(1, 'Ann'), (2, 'Ben')"))
    second = scd2(spark, target, values(NAMES, "(1, 'Anna'), (2, 'Ben'), (3, 'Cleo')"))
    same(history(spark, target, "id", "name"), (1, "Ann", 1, 2), (1, "Anna", 2, None), (2, "Ben", 1, None),
         (3, "Cleo", 2, None))  # fmt: skip
    assert figures(first) == {"rows_inserted": 2}
    assert figures(second) == {"rows_inserted": 2, "rows_closed": 1}
    assert summary_figures(spark, target, second.snapshot_id) == figures(second)
    assert (first.status, second.status, snapshots(spark, target)) == ("changed", "changed", 2)
    assert spark.table(target).columns == ["id", "name", "valid_from", "valid_to"]


@each_layout
def test_the_same_rows_again_make_no_snapshot(spark: SparkSession, target: str, layout: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}", layout)
    batch = values(NAMES, "(1, 'Ann'), (2, NULL)")
    scd2(spark, target, batch)
    unchanged(spark, target, batch)
    unchanged(spark, target, batch + " WHERE false")
    unchanged(spark, target, batch + " WHERE id = 2")


def test_a_difference_is_null_safe(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values(NAMES, "(1, 'Ann'), (2, NULL), (3, NULL)"))
    result = scd2(spark, target, values(NAMES, "(1, NULL), (2, 'Ben'), (3, NULL)"))
    assert figures(result) == {"rows_inserted": 2, "rows_closed": 2}
    same(history(spark, target, "id", "name"), (1, "Ann", 1, 2), (1, None, 2, None), (2, None, 1, 2),
         (2, "Ben", 2, None), (3, None, 1, None))  # fmt: skip


def test_keys_that_the_source_lacks_stay_open(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values(NAMES, "(1, 'Ann'), (2, 'Ben')"))
    scd2(spark, target, values(NAMES, "(1, 'Anna')"))
    assert (2, "Ben", 1, None) in history(spark, target, "id", "name")


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Tokyo"])
def test_now_is_the_real_moment_in_every_time_zone(spark: SparkSession, target: str, zone: str) -> None:
    scd2(spark, target, values(NAMES, "(1, 'Ann')"))
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        before = datetime.now(timezone.utc).timestamp()
        scd2(spark, target, values(NAMES, "(1, 'Anna')"))
        after = datetime.now(timezone.utc).timestamp()
    finally:
        spark.conf.unset("spark.sql.session.timeZone")
    times = "unix_micros(valid_from) / 1000000D AS f, unix_micros(valid_to) / 1000000D AS t"
    ((closed_from, closed_to), (open_from, open_to)) = sorted(
        tuple(row) for row in spark.sql(f"SELECT {times} FROM {target} ORDER BY 1").collect()
    )
    assert closed_from < closed_to == open_from
    assert open_to is None
    assert before - 0.01 <= open_from <= after + 0.01


def test_one_now_per_statement(spark: SparkSession, target: str) -> None:
    scd2(spark, target, "SELECT id, 'a' AS name FROM range(0, 500, 1, 4)")
    scd2(spark, target, "SELECT id, 'b' AS name FROM range(0, 500, 1, 4)")
    moments = spark.sql(f"SELECT DISTINCT valid_from, valid_to FROM {target}").collect()
    assert len(moments) == 2
    assert len({m for row in moments for m in row if m}) == 2


@pytest.mark.parametrize(
    ("options", "source"),
    [
        ("", "(1, 'Anna', 'U')"),
        ("DELETE WHEN op = 'D'", "(1, NULL, 'D')"),
        ("HARD DELETES invalidate", "(9, 'Ida', 'U')"),
    ],
)
def test_a_clock_that_runs_behind_makes_no_empty_interval(
    spark: SparkSession, target: str, options: str, source: str
) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}, open BOOLEAN")
    spark.sql(f"INSERT INTO {target} VALUES (1, 'Ann', TIMESTAMP'2999-01-01 00:00:00', NULL, true)")
    scd2(spark, target, values("id, name, op", source), f"CURRENT FLAG open {options} COLUMNS * EXCEPT (op)")
    rows = raw(spark, target, "name", "valid_from", "valid_to", "open")
    (closed,) = [row for row in rows if row[0] == "Ann"]
    assert closed[2] is not None
    assert closed[2] > closed[1] == datetime(2999, 1, 1)
    assert closed[3] is False
    for following in [row for row in rows if row[0] == "Anna"]:
        assert following[1:] == (closed[2], None, True)


def test_a_key_that_comes_back_does_not_overlap_a_closed_row_that_ends_in_the_future(
    spark: SparkSession, target: str
) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}")
    spark.sql(f"INSERT INTO {target} VALUES (1, 'Ann', TIMESTAMP'2001-01-01 00:00:00', TIMESTAMP'2999-01-01 00:00:00')")
    assert figures(scd2(spark, target, values(NAMES, "(1, 'Anna')"))) == {"rows_inserted": 1}
    ((start, end),) = [row[1:] for row in raw(spark, target, "name", "valid_from", "valid_to") if row[0] == "Anna"]
    assert end is None
    assert start >= datetime(2999, 1, 1)


def test_a_change_leaves_closed_rows_as_they_are(spark: SparkSession, target: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}")
    spark.sql(f"""INSERT INTO {target} VALUES
        (1, 'A', TIMESTAMP'2001-01-01 00:00:00', TIMESTAMP'2002-01-01 00:00:00'),
        (1, 'B', TIMESTAMP'2002-01-01 00:00:00', NULL)""")
    before = raw(spark, target)
    scd2(spark, target, values(NAMES, "(1, 'A')"))
    after = raw(spark, target)
    assert before[0] in after
    assert len(after) == 3


def test_two_open_rows_of_a_touched_key_are_an_error_naming_the_key(spark: SparkSession, target: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}")
    spark.sql(f"""INSERT INTO {target} VALUES (4711, 'A', TIMESTAMP'2001-01-01 00:00:00', NULL),
        (4711, 'B', TIMESTAMP'2002-01-01 00:00:00', NULL)""")
    before = raw(spark, target)
    with pytest.raises(Exception, match="4711") as error:
        scd2(spark, target, values(NAMES, "(4711, 'C')"))
    assert str(spark_condition(error.value)).startswith("LAMINA_")
    assert raw(spark, target) == before


def test_two_open_rows_of_an_untouched_key_are_no_error(spark: SparkSession, target: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}")
    spark.sql(f"""INSERT INTO {target} VALUES (1, 'A', TIMESTAMP'2001-01-01 00:00:00', NULL),
        (1, 'B', TIMESTAMP'2002-01-01 00:00:00', NULL), (NULL, 'N', TIMESTAMP'2002-01-01 00:00:00', NULL)""")
    before = raw(spark, target)
    assert figures(scd2(spark, target, values(NAMES, "(2, 'C')"))) == {"rows_inserted": 1}
    assert set(before) < set(raw(spark, target))


def test_rows_with_a_null_key_in_the_table_are_never_matched(spark: SparkSession, target: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}")
    spark.sql(f"INSERT INTO {target} VALUES (NULL, 'N', TIMESTAMP'2001-01-01 00:00:00', NULL)")
    before = raw(spark, target)
    scd2(spark, target, values(NAMES, "(1, 'A')"))
    assert set(before) < set(raw(spark, target))


def test_identical_rows_of_one_key_collapse(spark: SparkSession, target: str) -> None:
    result = scd2(spark, target, values(NAMES, "(1, 'A'), (1, 'A'), (2, NULL), (2, NULL)"))
    assert figures(result) == {"rows_inserted": 2}
    unchanged(spark, target, values(NAMES, "(1, 'A'), (1, 'A')"))


def test_different_rows_of_one_key_are_an_error(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values(NAMES, "(1, 'A')"))
    before = raw(spark, target)
    for rows in ("(1, 'A'), (1, 'B')", "(1, 'A'), (1, NULL)", "(5, 'A'), (5, NULL)"):
        assert refused_scd2(spark, target, values(NAMES, rows)) == "LAMINA_DUPLICATE_KEY"
    assert raw(spark, target) == before


@each_layout
def test_the_current_flag_says_whether_the_row_is_open(spark: SparkSession, target: str, layout: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}, `is current` BOOLEAN", layout)
    options = "CURRENT FLAG `is current` DELETE WHEN name = 'gone'"
    for rows in ("(1, 'A'), (2, 'B'), (3, 'C')", "(1, 'AA'), (2, 'gone')", "(2, 'B')", "(3, 'gone'), (4, 'gone')"):
        scd2(spark, target, values(NAMES, rows), options)
        assert spark.table(target).where("`is current` IS DISTINCT FROM (valid_to IS NULL)").count() == 0
    same(history(spark, target, "id", "name"), (1, "A", 1, 2), (1, "AA", 2, None), (2, "B", 1, 2), (2, "B", 3, None),
         (3, "C", 1, 4))  # fmt: skip


def test_the_source_may_read_the_table_itself(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values(NAMES, "(1, 'a'), (2, 'B')"))
    result = scd2(spark, target, f"SELECT id, upper(name) AS name FROM {target} WHERE valid_to IS NULL")
    assert figures(result) == {"rows_inserted": 1, "rows_closed": 1}
    same(history(spark, target, "id", "name"), (1, "a", 1, 2), (1, "A", 2, None), (2, "B", 1, None))


def test_a_source_that_is_different_at_each_reading_is_read_once(spark: SparkSession, target: str) -> None:
    seen = spark.sparkContext.accumulator(0)

    def count(value: int) -> int:
        seen.add(1)
        return value

    spark.udf.register("counted", spark.udf.register("counted_", count, "bigint").asNondeterministic())
    query = "SELECT id, counted(id) + CAST(floor(rand() * 1000000000) AS BIGINT) AS x FROM range(0, 20, 1, 3)"
    scd2(spark, target, query)
    assert seen.value == 20
    result = scd2(spark, target, query)
    assert seen.value == 40
    assert figures(result) == {"rows_inserted": 20, "rows_closed": 20}
    rows = spark.sql(f"SELECT id, count(*), count(valid_to), count(DISTINCT x) FROM {target} GROUP BY id").collect()
    assert [tuple(row)[1:] for row in rows] == [(2, 1, 2)] * 20


def test_validity_columns_may_have_other_names_and_stand_anywhere(spark: SparkSession, target: str) -> None:
    create(spark, target, "`To` TIMESTAMP, name STRING, `since``1.5` TIMESTAMP, id INT")
    options = "VALID FROM `since``1.5` VALID TO `to`"
    scd2(spark, target, values(NAMES, "(1, 'A')"), options)
    scd2(spark, target, values("NAME, ID", "('B', 1)"), options)
    rows = raw(spark, target, "name", "`since``1.5`", "To")
    assert rows[0][2] == rows[1][1]
    assert [row[0] for row in rows if row[2] is None] == ["B"]
    assert spark.table(target).columns == ["To", "name", "since`1.5", "id"]


def test_columns_except_serve_the_clauses_only(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, name, op", "(1, 'A', 'U'), (2, 'B', 'D')"),
         "DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)")  # fmt: skip
    assert spark.table(target).columns == ["id", "name", "valid_from", "valid_to"]
    same(history(spark, target, "id", "name"), (1, "A", 1, None))
    unchanged(spark, target, values("id, name, op", "(1, 'A', 'X')"), "DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)")
