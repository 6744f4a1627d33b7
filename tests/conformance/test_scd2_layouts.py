"""scd2 on tables of every layout, under every setting of Spark: the rows are the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from lamina.lake import local_catalog
from pyspark.sql import SparkSession
from scd2_history import (
    LAYOUTS,
    VALIDITY,
    create,
    each_layout,
    figures,
    history,
    raw,
    same,
    scd2,
    snapshots,
    unchanged,
    values,
)

PARTITIONINGS = [
    "PARTITIONED BY (name)",
    "PARTITIONED BY (days(valid_from))",
    "PARTITIONED BY (months(valid_to), bucket(3, id))",
    "PARTITIONED BY (truncate(1, name), now)",
]
CONFS = [
    ("spark.sql.ansi.enabled", "false"),
    ("spark.sql.caseSensitive", "true"),
    ("spark.sql.adaptive.enabled", "false"),
    ("spark.sql.autoBroadcastJoinThreshold", "-1"),
    ("spark.sql.codegen.wholeStage", "true"),
    ("spark.sql.sources.partitionOverwriteMode", "dynamic"),
    ("spark.sql.storeAssignmentPolicy", "LEGACY"),
    ("spark.sql.shuffle.partitions", "7"),
    ("spark.sql.join.preferSortMergeJoin", "false"),
    ("spark.sql.mapKeyDedupPolicy", "LAST_WIN"),
    ("spark.sql.legacy.createHiveTableByDefault", "true"),
]
OPTIONS = "CURRENT FLAG now DELETE WHEN name = 'gone'"


def three_statements(spark: SparkSession, table: str) -> None:
    first = scd2(spark, table, values("id, name", "(1, 'Ann'), (2, 'Ben'), (3, NULL), (4, 'Dan')"), OPTIONS)
    second = scd2(spark, table, values("id, name", "(1, 'Bob'), (2, 'Ben'), (3, 'Cleo'), (4, 'gone')"), OPTIONS)
    third = scd2(spark, table, values("id, name", "(4, 'Dan'), (1, NULL), (9, 'gone')"), OPTIONS)
    assert [figures(r) for r in (first, second, third)] == [
        {"rows_inserted": 4}, {"rows_inserted": 2, "rows_closed": 3}, {"rows_inserted": 2, "rows_closed": 1}
    ]  # fmt: skip
    same(history(spark, table, "id", "name", "now"), (1, "Ann", False, 1, 2), (1, "Bob", False, 2, 3),
         (1, None, True, 3, None), (2, "Ben", True, 1, None), (3, None, False, 1, 2), (3, "Cleo", True, 2, None),
         (4, "Dan", False, 1, 2), (4, "Dan", True, 3, None))  # fmt: skip


@pytest.mark.parametrize(("partitioning", "layout"), list(zip(PARTITIONINGS, [*LAYOUTS, "mor-v2"], strict=True)))
def test_partitioned_tables(spark: SparkSession, target: str, partitioning: str, layout: str) -> None:
    target = target[:60].rstrip("_") + str(PARTITIONINGS.index(partitioning))
    create(spark, target, f"id INT, name STRING, {VALIDITY}, now BOOLEAN", layout, partitioning)
    three_statements(spark, target)


@pytest.mark.parametrize(("name", "value"), CONFS)
def test_settings_of_spark_do_not_change_the_rows(spark: SparkSession, target: str, name: str, value: str) -> None:
    before = spark.conf.get(name)
    spark.conf.set(name, value)
    try:
        create(spark, target, f"id INT, name STRING, {VALIDITY}, now BOOLEAN", "mor-v2")
        three_statements(spark, target)
    finally:
        spark.conf.set(name, before)


@each_layout
def test_a_partitioning_that_changed(spark: SparkSession, target: str, layout: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}", layout, "PARTITIONED BY (name)")
    scd2(spark, target, values("id, name", "(1, 'A'), (2, 'B'), (3, NULL)"))
    spark.sql(f"ALTER TABLE {target} REPLACE PARTITION FIELD name WITH bucket(4, id)")
    spark.sql(f"ALTER TABLE {target} ADD PARTITION FIELD days(valid_from)")
    scd2(spark, target, values("id, name", "(1, 'AA'), (2, 'B'), (3, 'C')"))
    same(history(spark, target, "id", "name"), (1, "A", 1, 2), (1, "AA", 2, None), (2, "B", 1, None),
         (3, None, 1, 2), (3, "C", 2, None))  # fmt: skip


def test_columns_that_were_renamed_moved_dropped_and_added_again(spark: SparkSession, target: str) -> None:
    create(spark, target, f"id INT, name STRING, x INT, {VALIDITY}")
    scd2(spark, target, values("id, name, x", "(1, 'A', 7), (2, 'B', 8)"))
    spark.sql(f"ALTER TABLE {target} DROP COLUMN x")
    spark.sql(f"ALTER TABLE {target} ADD COLUMN x INT")
    spark.sql(f"ALTER TABLE {target} RENAME COLUMN name TO title")
    spark.sql(f"ALTER TABLE {target} ALTER COLUMN title FIRST")
    scd2(spark, target, values("id, title, x", "(1, 'A', NULL), (2, 'B', 8)"))
    same(
        history(spark, target, "id", "title", "x"), (1, "A", None, 1, None), (2, "B", None, 1, 2), (2, "B", 8, 2, None)
    )


@each_layout
def test_a_branch_is_written_alone(spark: SparkSession, target: str, layout: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}", layout)
    scd2(spark, target, values("id, name", "(1, 'A'), (2, 'B')"))
    spark.sql(f"ALTER TABLE {target} CREATE BRANCH x")
    branch = f"{target}.branch_x"
    scd2(spark, branch, values("id, name", "(1, 'AA'), (2, 'B')"))
    same(history(spark, target, "id", "name"), (1, "A", 1, None), (2, "B", 1, None))
    same(history(spark, branch, "id", "name"), (1, "A", 1, 2), (1, "AA", 2, None), (2, "B", 1, None))
    before = snapshots(spark, target)
    assert scd2(spark, branch, values("id, name", "(1, 'AA')")).status == "unchanged"
    assert snapshots(spark, target) == before
    scd2(spark, target, values("id, name", "(1, 'main')"))
    assert (1, "main", 2, None) in history(spark, target, "id", "name")


@pytest.mark.parametrize("layout", ["cow-v2", "mor-v2"])
def test_pyiceberg_reads_the_same_rows(spark: SparkSession, target: str, lake: Path, layout: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}, now BOOLEAN", layout)
    three_statements(spark, target)
    table = local_catalog(lake).load_table(target.removeprefix("lake."))
    read = [(r["id"], r["name"], r["now"], r["valid_to"] is None) for r in table.scan().to_arrow().to_pylist()]
    same(read, *[(*row[:3], row[3] is None) for row in raw(spark, target, "id", "name", "now", "valid_to")])


def test_the_table_keeps_its_identity_and_only_its_columns(spark: SparkSession, target: str, lake: Path) -> None:
    scd2(spark, target, values("id, name", "(1, 'A')"))
    table = local_catalog(lake).load_table(target.removeprefix("lake."))
    scd2(spark, target, values("id, name", "(1, 'B'), (2, 'C')"))
    now = local_catalog(lake).load_table(target.removeprefix("lake."))
    assert now.metadata.table_uuid == table.metadata.table_uuid
    assert [field.name for field in now.schema().fields] == ["id", "name", "valid_from", "valid_to"]
    assert len(now.metadata.metadata_log) == len(table.metadata.metadata_log) + 1


def test_a_table_whose_columns_are_named_like_the_clauses(spark: SparkSession, target: str) -> None:
    columns = "merge, strategy, track, `sequence`, `a.b`, `c d`, `e``f`, __lamina, _file, _pos"
    batch = (
        f"SELECT * FROM VALUES (1, 2, 3, 4, 5, 6, 7, 8, 9, {{0}}) AS v({columns.replace('_file, _pos', 'file, pos')})"
    )
    options = "SEQUENCE BY `sequence` TRACK HISTORY ON (strategy, `e``f`, pos) VALID FROM valid VALID TO `to.x`"
    scd2(spark, target, batch.format(10), options, key="merge, `a.b`")
    unchanged(spark, target, batch.format(10), options, key="merge, `a.b`")
    again = batch.format(11).replace("3, 4,", "3, 5,")
    assert figures(scd2(spark, target, again, options, key="merge, `a.b`")) == {"rows_inserted": 1, "rows_closed": 1}
