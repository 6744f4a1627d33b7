"""The strategies full_refresh and append_only."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from steps import commits, execute, figures, given, rows, sort, write

REFRESH, APPEND = "MERGE STRATEGY full_refresh", "MERGE STRATEGY append_only"


def test_full_refresh_makes_the_table_the_source(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b'), (2, 'b')", layout)
    result = write(spark, target, REFRESH, "SELECT * FROM VALUES (2, 'b'), (2, 'b') AS s(id, v)")
    assert figures(result) == ("changed", 2, 0, 0, 3)
    assert rows(spark, target) == [(2, "b"), (2, "b")]


@pytest.mark.parametrize(("mode", "partitioned"), [("static", "id"), ("dynamic", "id"), ("dynamic", "bucket(2, id)")])
def test_full_refresh_replaces_every_partition(spark: SparkSession, target: str, mode: str, partitioned: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b'), (NULL, 'c')", partitioned=partitioned)
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", mode)
    try:
        assert figures(write(spark, target, REFRESH, "SELECT 1 AS id, 'z' AS v")) == ("changed", 1, 0, 0, 3)
    finally:
        spark.conf.unset("spark.sql.sources.partitionOverwriteMode")
    assert rows(spark, target) == [(1, "z")]


def test_an_empty_source_empties_the_table(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b')")
    assert figures(write(spark, target, REFRESH, "SELECT 1 AS id, 'a' AS v WHERE false")) == ("changed", 0, 0, 0, 2)
    assert rows(spark, target) == []


def test_full_refresh_keeps_identity_properties_partitioning_and_old_snapshots(
    spark: SparkSession, target: str
) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')", partitioned="id", properties="'owner.team' = 'x'")
    old = spark.table(f"{target}.snapshots").head().snapshot_id
    uuid = spark.sql(f"SHOW CREATE TABLE {target}").head()[0]
    write(spark, target, REFRESH, "SELECT 7 AS id, 'z' AS v")
    properties = {row.key: row.value for row in spark.sql(f"SHOW TBLPROPERTIES {target}").collect()}
    assert properties["owner.team"] == "x"
    assert "PARTITIONED BY (id)" in uuid
    assert "PARTITIONED BY (id)" in spark.sql(f"SHOW CREATE TABLE {target}").head()[0]
    assert rows(spark, f"{target} VERSION AS OF {old}") == [(1, "a")]


def test_full_refresh_does_not_drop_columns_that_the_source_lacks(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, kept STRING", "(1, 'a')")
    result = write(spark, target, f"{REFRESH} ON SCHEMA CHANGE ignore", "SELECT 2 AS id")
    assert result.columns_padded == ["kept"]
    assert rows(spark, target) == [(2, None)]


def test_full_refresh_from_the_target_itself(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v INT", "(1, 1), (2, 2), (3, 3)", layout)
    result = write(spark, target, REFRESH, f"SELECT id, v * 2 AS v FROM {target} WHERE id < 3")
    assert figures(result) == ("changed", 2, 0, 0, 3)
    assert rows(spark, target) == sort((1, 2), (2, 4))


def test_full_refresh_counts_only_rows_that_were_alive(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')", "merge_on_read_2")
    spark.sql(f"DELETE FROM {target} WHERE id = 2")
    assert figures(write(spark, target, REFRESH, "SELECT 1 AS id, 'a' AS v")) == ("changed", 1, 0, 0, 2)


def test_append_only_adds_every_row(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    query = "SELECT * FROM VALUES (1, 'a'), (1, 'a'), (NULL, NULL) AS s(id, v)"
    assert figures(write(spark, target, APPEND, query)) == ("changed", 3, 0, 0, 0)
    assert rows(spark, target) == sort((1, "a"), (1, "a"), (1, "a"), (None, None))


def test_append_only_of_no_row_makes_no_snapshot(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    assert figures(write(spark, target, APPEND, f"SELECT * FROM {target} WHERE false")) == ("unchanged", 0, 0, 0, 0)


def test_append_only_of_the_table_itself(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT", "(1), (2)")
    assert figures(write(spark, target, APPEND, f"TABLE {target}")) == ("changed", 2, 0, 0, 0)


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        (APPEND, {"main": [1, 2], "audit": [1, 3, 9]}),
        (REFRESH, {"main": [1, 2], "audit": [9]}),
        ("MERGE STRATEGY incremental UNIQUE KEY (id)", {"main": [1, 2], "audit": [1, 3, 9]}),
        ("MERGE STRATEGY delete_insert UNIQUE KEY (id)", {"main": [1, 2], "audit": [1, 3, 9]}),
        ("MERGE STRATEGY snapshot PARTITION COLUMN id", {"main": [1, 2], "audit": [1, 3, 9]}),
        ("MERGE STRATEGY incremental UNIQUE KEY (id) HARD DELETES invalidate", {"main": [1, 2], "audit": [9]}),
    ],
)
def test_a_branch_is_written_and_main_is_not(
    spark: SparkSession, target: str, clauses: str, expected: dict[str, list[int]]
) -> None:
    given(spark, target, "id INT", "(1)")
    spark.sql(f"ALTER TABLE {target} CREATE BRANCH audit")
    spark.sql(f"INSERT INTO {target} VALUES (2)")
    spark.sql(f"INSERT INTO {target}.branch_audit VALUES (3)")
    result = write(spark, target, clauses, "SELECT 9 AS id", into=f"{target}.branch_audit")
    assert result.rows_inserted == 1
    assert [row[0] for row in rows(spark, target)] == expected["main"]
    assert [row[0] for row in rows(spark, f"{target}.branch_audit")] == expected["audit"]


def test_a_matched_row_of_a_branch_is_updated_there(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b')", layout)
    spark.sql(f"ALTER TABLE {target} CREATE BRANCH audit")
    spark.sql(f"DELETE FROM {target} WHERE id = 2")
    query = "SELECT * FROM VALUES (1, 'z'), (2, 'y') AS s(id, v)"
    clauses = "MERGE STRATEGY incremental UNIQUE KEY (id)"
    result = write(spark, target, clauses, query, into=f"{target}.branch_audit")
    assert figures(result) == ("changed", 0, 2, 0, 0)
    assert rows(spark, target) == [(1, "a")]
    again = write(spark, target, clauses, query, into=f"{target}.branch_audit")
    assert again.status == "unchanged"


def test_the_snapshot_of_one_statement_is_the_tables_newest(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT", "(1)")
    before = commits(spark, target)
    result = execute(spark, f"INSERT INTO {target} {APPEND} SELECT 2 AS id")
    assert commits(spark, target) == (before[0] + 1, before[1] + 1)
    newest = spark.table(f"{target}.refs").where("name = 'main'").head()
    assert newest is not None
    assert newest.snapshot_id == result.snapshot_id
    assert result.duration_ms >= 0
