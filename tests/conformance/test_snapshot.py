"""The strategy snapshot: the partitions that occur in the source are replaced."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from steps import figures, given, refused, rows, sort, summary, write

BY_P = "MERGE STRATEGY snapshot PARTITION COLUMN p"


@pytest.mark.parametrize(
    ("layout", "partitioned"),
    [
        ("copy_on_write_2", "p"),
        ("merge_on_read_2", "bucket(3, p)"),
        ("merge_on_read_3", ""),
        ("copy_on_write_2", "truncate(1, p)"),
        ("merge_on_read_3", "p, id"),
        ("merge_on_read_2", "bucket(2, id)"),
    ],
)
def test_the_partitions_of_the_source_are_replaced_and_the_others_stay(
    spark: SparkSession, target: str, layout: str, partitioned: str
) -> None:
    given(spark, target, "p STRING, id INT", "('aa', 1), ('aa', 2), ('ab', 3), (NULL, 4)", layout, partitioned)
    query = "SELECT * FROM VALUES ('aa', 9), ('aa', 9), ('c', 5) AS s(p, id)"
    assert figures(write(spark, target, BY_P, query)) == ("changed", 3, 0, 0, 2)
    assert rows(spark, target) == sort(("aa", 9), ("aa", 9), ("ab", 3), ("c", 5), (None, 4))


@pytest.mark.parametrize(("layout", "partitioned"), [("copy_on_write_2", "p"), ("merge_on_read_2", "")])
def test_null_is_a_partition(spark: SparkSession, target: str, layout: str, partitioned: str) -> None:
    given(spark, target, "p STRING, id INT", "('a', 1), (NULL, 4), (NULL, 5)", layout, partitioned)
    query = "SELECT CAST(NULL AS STRING) AS p, 7 AS id"
    assert figures(write(spark, target, BY_P, query)) == ("changed", 1, 0, 0, 2)
    assert rows(spark, target) == sort(("a", 1), (None, 7))


def test_null_is_a_value_in_each_of_several_partition_columns(spark: SparkSession, target: str) -> None:
    held = "(1, 'x', 0), (1, NULL, 1), (NULL, 'x', 2), (NULL, NULL, 3)"
    given(spark, target, "a INT, b STRING, id INT", held, partitioned="a")
    query = "SELECT CAST(NULL AS INT) AS a, 'x' AS b, 20 AS id UNION ALL SELECT 1, NULL, 10"
    result = write(spark, target, "MERGE STRATEGY snapshot PARTITION COLUMNS (a, b)", query)
    assert figures(result) == ("changed", 2, 0, 0, 2)
    assert rows(spark, target) == sort((1, "x", 0), (1, None, 10), (None, "x", 20), (None, None, 3))


def test_an_empty_source_changes_nothing(spark: SparkSession, target: str) -> None:
    given(spark, target, "p STRING, id INT", "('a', 1), (NULL, 2)", partitioned="p")
    assert figures(write(spark, target, BY_P, f"SELECT * FROM {target} WHERE false")) == ("unchanged", 0, 0, 0, 0)


def test_equal_rows_are_replaced_too(spark: SparkSession, target: str) -> None:
    given(spark, target, "p STRING, id INT", "('a', 1), ('b', 2)", partitioned="p")
    assert figures(write(spark, target, BY_P, "SELECT 'a' AS p, 1 AS id")) == ("changed", 1, 0, 0, 1)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_the_overwrite_mode_of_the_session_does_not_matter(spark: SparkSession, target: str, mode: str) -> None:
    given(spark, target, "p STRING, id INT", "('a', 1), ('b', 2)", partitioned="p")
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", mode)
    try:
        write(spark, target, BY_P, "SELECT 'a' AS p, 9 AS id")
    finally:
        spark.conf.unset("spark.sql.sources.partitionOverwriteMode")
    assert rows(spark, target) == sort(("a", 9), ("b", 2))


def test_a_day_partition_is_not_the_partition_of_a_timestamp_column(spark: SparkSession, target: str) -> None:
    held = "(TIMESTAMP'2024-05-01 01:00:00', 1), (TIMESTAMP'2024-05-01 02:00:00', 2)"
    given(spark, target, "ts TIMESTAMP, id INT", held, partitioned="days(ts)")
    query = "SELECT TIMESTAMP'2024-05-01 01:00:00' AS ts, 9 AS id"
    result = write(spark, target, "MERGE STRATEGY snapshot PARTITION COLUMN ts", query)
    assert figures(result) == ("changed", 1, 0, 0, 1)
    assert rows(spark, target, "id") == [(2,), (9,)]


@pytest.mark.parametrize("layout", ["copy_on_write_2", "merge_on_read_3"])
def test_an_evolved_partition_spec(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "p STRING, q INT, id INT", "('a', 1, 1), ('b', 1, 2)", layout, "q")
    spark.sql(f"ALTER TABLE {target} ADD PARTITION FIELD p")
    spark.sql(f"INSERT INTO {target} VALUES ('a', 2, 3), (NULL, 2, 4)")
    spark.sql(f"ALTER TABLE {target} DROP PARTITION FIELD q")
    spark.sql(f"INSERT INTO {target} VALUES ('a', 3, 5), ('c', 3, 6)")
    assert figures(write(spark, target, BY_P, "SELECT 'a' AS p, 9 AS q, 10 AS id")) == ("changed", 1, 0, 0, 3)
    assert rows(spark, target) == sort(("a", 9, 10), ("b", 1, 2), (None, 2, 4), ("c", 3, 6))


def test_double_partitions_compare_by_value(spark: SparkSession, target: str) -> None:
    given(spark, target, "p DOUBLE, id INT", "(double('NaN'), 1), (-0.0D, 2), (1.0D, 3)")
    query = "SELECT double('NaN') AS p, 10 AS id UNION ALL SELECT 0.0D, 20"
    assert figures(write(spark, target, BY_P, query)) == ("changed", 2, 0, 0, 2)
    assert rows(spark, target, "*") == sort((float("nan"), 10), (0.0, 20), (1.0, 3))


def test_files_of_other_partitions_are_kept(spark: SparkSession, target: str) -> None:
    given(spark, target, "p STRING, id INT", "('a', 1), ('b', 2), ('c', 3)", partitioned="p")
    before = {path for path, p in rows(spark, f"{target}.files", "file_path, partition.p") if p != "a"}
    result = write(spark, target, BY_P, "SELECT 'a' AS p, 9 AS id")
    after = {path for (path,) in rows(spark, f"{target}.files", "file_path")}
    assert before < after
    assert summary(spark, target, result.snapshot_id)["rows_deleted"] == 1


def test_columns_that_the_source_lacks_are_null(spark: SparkSession, target: str) -> None:
    given(spark, target, "p STRING, id INT, kept INT", "('a', 1, 1), ('b', 2, 2)", partitioned="p")
    write(spark, target, f"{BY_P} ON SCHEMA CHANGE ignore", "SELECT 'a' AS p, 1 AS id")
    assert rows(spark, target) == sort(("a", 1, None), ("b", 2, 2))


def test_the_partition_column_is_required_and_must_exist(spark: SparkSession, target: str) -> None:
    given(spark, target, "p STRING, id INT", "('a', 1)", partitioned="p")
    query = "SELECT 'a' AS p, 9 AS id"
    refused(spark, f"INSERT INTO {target} MERGE STRATEGY snapshot {query}", "LAMINA_MISSING_OPTION", target)
    message = refused(
        spark,
        f"INSERT INTO {target} MERGE STRATEGY snapshot PARTITION COLUMN nope {query}",
        "LAMINA_COLUMN_NOT_FOUND",
        target,
    )
    assert "nope" in message


def test_a_source_without_the_partition_column_is_an_error(spark: SparkSession, target: str) -> None:
    given(spark, target, "p STRING, id INT", "('a', 1)", partitioned="p")
    statement = f"INSERT INTO {target} {BY_P} ON SCHEMA CHANGE ignore SELECT 9 AS id"
    refused(spark, statement, "LAMINA_COLUMN_NOT_FOUND", target)


def test_the_source_may_read_the_target(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "p STRING, id INT", "('a', 1), ('b', 2)", layout, "p")
    result = write(spark, target, BY_P, f"SELECT p, id + 100 AS id FROM {target} WHERE p = 'a'")
    assert figures(result) == ("changed", 1, 0, 0, 1)
    assert rows(spark, target) == sort(("a", 101), ("b", 2))


@pytest.mark.parametrize("layout", ["copy_on_write_2", "merge_on_read_3"])
def test_columns_that_are_not_null(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "p STRING NOT NULL, id INT NOT NULL", "('a', 1), ('b', 2)", layout)
    assert figures(write(spark, target, BY_P, "SELECT 'a' AS p, 9 AS id")) == ("changed", 1, 0, 0, 1)
    assert rows(spark, target) == sort(("a", 9), ("b", 2))


@pytest.mark.parametrize("kind", ["DOUBLE", "FLOAT"])
def test_partitions_of_zero_and_minus_zero_are_one(spark: SparkSession, target: str, kind: str) -> None:
    given(spark, target, f"p {kind}, id INT", "(0.0, 1), (1.0, 2)", partitioned="p")
    query = f"SELECT CAST('-0.0' AS {kind}) AS p, 3 AS id"
    assert figures(write(spark, target, BY_P, query)) == ("changed", 1, 0, 0, 1)
    assert rows(spark, target, "id") == sort((2,), (3,))


@pytest.mark.parametrize("partitioned", ["p", ""])
def test_an_empty_source_with_a_new_column_commits_the_schema_alone(
    spark: SparkSession, target: str, partitioned: str
) -> None:
    given(spark, target, "p STRING, id INT", "('a', 1)", partitioned=partitioned)
    query = "SELECT 'a' AS p, 1 AS id, 2 AS extra WHERE false"
    result = write(spark, target, f"{BY_P} ON SCHEMA CHANGE append_new_columns", query)
    assert (result.status, result.columns_added, result.snapshot_id) == ("changed", ["extra"], None)
    assert rows(spark, target) == [("a", 1, None)]


def test_a_new_column_comes_with_the_partitions(spark: SparkSession, target: str) -> None:
    given(spark, target, "p STRING, id INT", "('a', 1), ('b', 2)", partitioned="p")
    query = "SELECT 'a' AS p, 1 AS id, 2 AS extra"
    result = write(spark, target, f"{BY_P} ON SCHEMA CHANGE append_new_columns", query)
    assert (*figures(result), result.columns_added) == ("changed", 1, 0, 0, 1, ["extra"])
    assert rows(spark, target) == sort(("a", 1, 2), ("b", 2, None))


def test_a_new_table_is_not_partitioned_by_a_struct(spark: SparkSession, target: str) -> None:
    statement = f"INSERT INTO {target} {BY_P} SELECT named_struct('a', 1) AS p, 1 AS id"
    assert "STRUCT" in refused(spark, statement, "LAMINA_INVALID_KEY")
