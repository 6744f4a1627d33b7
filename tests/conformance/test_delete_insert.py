"""The strategy delete_insert: the rows of the source's keys are replaced."""

from __future__ import annotations

from pyspark.sql import SparkSession
from steps import figures, given, refused, rows, sort, write

KEY = "MERGE STRATEGY delete_insert UNIQUE KEY (id)"


def test_every_row_of_the_sources_keys_goes_and_every_source_row_comes(
    spark: SparkSession, target: str, layout: str
) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (1, 'b'), (2, 'c'), (NULL, 'n')", layout)
    query = "SELECT * FROM VALUES (1, 'b'), (1, 'b'), (1, 'z'), (3, 'd') AS s(id, v)"
    assert figures(write(spark, target, KEY, query)) == ("changed", 4, 0, 0, 2)
    assert rows(spark, target) == sort((1, "b"), (1, "b"), (1, "z"), (3, "d"), (2, "c"), (None, "n"))


def test_equal_rows_are_replaced_too(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b')", layout)
    assert figures(write(spark, target, KEY, "SELECT 1 AS id, 'a' AS v")) == ("changed", 1, 0, 0, 1)
    assert rows(spark, target) == sort((1, "a"), (2, "b"))


def test_columns_that_the_source_lacks_are_null(spark: SparkSession, target: str) -> None:
    given(
        spark,
        target,
        "id INT, kept STRING, s STRUCT<a: INT, b: INT>",
        "(1, 'k', named_struct('a', 1, 'b', 2)), (2, 'l', NULL)",
    )
    query = "SELECT 1 AS id, named_struct('b', 9) AS s"
    result = write(spark, target, f"{KEY} ON SCHEMA CHANGE append_new_columns", query)
    assert figures(result) == ("changed", 1, 0, 0, 1)
    assert sorted(result.columns_padded) == ["kept", "s.a"]
    assert rows(spark, target) == sort((1, None, (None, 9)), (2, "l", None))


def test_an_empty_source_makes_no_snapshot(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    assert figures(write(spark, target, KEY, f"SELECT * FROM {target} WHERE id > 5")) == ("unchanged", 0, 0, 0, 0)


def test_keys_absent_from_the_target_are_only_inserted(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')", layout)
    query = "SELECT * FROM VALUES (8, 'x'), (8, 'y') AS s(id, v)"
    assert figures(write(spark, target, KEY, query)) == ("changed", 2, 0, 0, 0)


def test_a_composite_key_with_a_nested_field(spark: SparkSession, target: str, layout: str) -> None:
    row = "named_struct('b c', {0}, 'x', {1})"
    given(
        spark,
        target,
        "`a.b` INT, s STRUCT<`b c`: STRING, x: INT>",
        f"(1, {row.format(chr(39) + 'p' + chr(39), 1)}), (1, {row.format(chr(39) + 'q' + chr(39), 1)})",
        layout,
    )
    query = "SELECT 1 AS `a.b`, named_struct('b c', 'p', 'x', 7) AS s"
    result = write(spark, target, "MERGE STRATEGY delete_insert UNIQUE KEY (`a.b`, s.`b c`)", query)
    assert figures(result) == ("changed", 1, 0, 0, 1)
    assert rows(spark, target) == sort((1, ("p", 7)), (1, ("q", 1)))


def test_the_source_may_read_the_target(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v INT", "(1, 1), (1, 2), (2, 3)", layout)
    result = write(spark, target, KEY, f"SELECT id, v + 10 AS v FROM {target} WHERE id = 1")
    assert figures(result) == ("changed", 2, 0, 0, 2)
    assert rows(spark, target) == sort((1, 11), (1, 12), (2, 3))


def test_hard_deletes_and_delete_when_do_not_apply(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT", "(1)")
    for option in ("HARD DELETES invalidate", "DELETE WHEN id = 1", "WATERMARK id", "SEQUENCE BY id"):
        statement = f"INSERT INTO {target} {KEY} {option} SELECT 1 AS id"
        refused(spark, statement, "LAMINA_OPTION_NOT_APPLICABLE", target)


def test_values_that_the_key_equals_by_value(spark: SparkSession, target: str) -> None:
    given(spark, target, "id DECIMAL(12, 4), v STRING", "(1.5000, 'a'), (2, 'b')")
    query = "SELECT CAST(1.5 AS DECIMAL(3, 1)) AS id, 'x' AS v"
    assert figures(write(spark, target, KEY, query)) == ("changed", 1, 0, 0, 1)


def test_a_key_that_is_a_partition_of_the_table(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b'), (9, 'c')", layout, "bucket(4, id), truncate(1, v)")
    query = "SELECT * FROM VALUES (1, 'zz'), (9, 'yy') AS s(id, v)"
    assert figures(write(spark, target, KEY, query)) == ("changed", 2, 0, 0, 2)
    assert rows(spark, target) == sort((1, "zz"), (2, "b"), (9, "yy"))


def test_columns_that_are_not_null(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT NOT NULL, v STRING NOT NULL", "(1, 'a'), (2, 'b')", layout)
    result = write(spark, target, KEY, "SELECT * FROM VALUES (1, 'c'), (3, 'd') AS s(id, v)")
    assert figures(result) == ("changed", 2, 0, 0, 1)
    assert rows(spark, target) == sort((1, "c"), (2, "b"), (3, "d"))
