"""scd2 when the source's columns are not the table's."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from scd2_history import VALIDITY, create, figures, history, raw, refused, same, scd2, snapshots, unchanged, values

ADD = "append_new_columns"


def test_a_new_column_is_null_in_old_rows_and_opens_a_version_where_it_has_a_value(
    spark: SparkSession, target: str
) -> None:
    scd2(spark, target, values("id, name", "(1, 'A'), (2, 'B'), (3, 'C')"))
    source = values("id, tier, name", "(1, 'gold', 'A'), (2, NULL, 'B'), (4, 'new', 'D')")
    result = scd2(spark, target, source, policy=ADD)
    assert (figures(result), list(result.columns_added)) == ({"rows_inserted": 2, "rows_closed": 1}, ["tier"])
    assert spark.table(target).columns == ["id", "name", "valid_from", "valid_to", "tier"]
    assert snapshots(spark, target) == 2
    same(history(spark, target, "id", "name", "tier"), (1, "A", None, 1, 2), (1, "A", "gold", 2, None),
         (2, "B", None, 1, None), (3, "C", None, 1, None), (4, "D", "new", 2, None))  # fmt: skip


def test_a_new_column_of_nulls_commits_the_schema_alone(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, name", "(1, 'A')"))
    result = scd2(spark, target, "SELECT 1 AS id, 'A' AS name, CAST(NULL AS INT) AS age", policy=ADD)
    assert (result.status, figures(result), result.snapshot_id) == ("changed", {}, None)
    assert snapshots(spark, target) == 1
    same(history(spark, target, "id", "name", "age"), (1, "A", None, 1, None))


def test_a_column_that_the_source_lacks_is_not_compared_and_is_null_in_new_versions(
    spark: SparkSession, target: str
) -> None:
    scd2(spark, target, values("id, name, age", "(1, 'A', 7), (2, 'B', 8)"))
    result = scd2(spark, target, values("id, name", "(1, 'A'), (2, 'BB')"), policy="ignore")
    assert (figures(result), list(result.columns_padded)) == ({"rows_inserted": 1, "rows_closed": 1}, ["age"])
    same(history(spark, target, "id", "name", "age"), (1, "A", 7, 1, None), (2, "B", 8, 1, 2), (2, "BB", None, 2, None))


@pytest.mark.parametrize(("columns", "rows"), [("id", "(1)"), ("id, name, x", "(1, 'B', 2)"), ("id, x", "(1, 2)")])
def test_fail_is_the_default_and_changes_nothing(spark: SparkSession, target: str, columns: str, rows: str) -> None:
    scd2(spark, target, values("id, name", "(1, 'A')"))
    statement = f"INSERT INTO {target} MERGE STRATEGY scd2 UNIQUE KEY (id) {values(columns, rows)}"
    assert refused(spark, statement) == "LAMINA_SCHEMA_CHANGED"
    assert (spark.table(target).columns[:2], snapshots(spark, target)) == (["id", "name"], 1)


def test_ignore_leaves_new_columns_out_and_reports_them(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, name", "(1, 'A')"))
    result = scd2(spark, target, values("id, name, x", "(1, 'A', 1)"), policy="ignore")
    assert (result.status, list(result.columns_ignored)) == ("unchanged", ["x"])
    assert snapshots(spark, target) == 1


def test_a_struct_field_that_the_source_lacks_is_not_compared_and_null_in_new_versions(
    spark: SparkSession, target: str
) -> None:
    row = "SELECT 1 AS id, named_struct('a', 1, 'in', named_struct('x', 2, 'y', 3)) AS s"
    scd2(spark, target, row)
    lacking = "SELECT 1 AS id, named_struct('a', 1, 'in', named_struct('y', {0})) AS s"
    assert scd2(spark, target, lacking.format(3), policy="ignore").status == "unchanged"
    result = scd2(spark, target, lacking.format(4), policy="ignore")
    assert list(result.columns_padded) == ["s.in.x"]
    same(history(spark, target, "s.a", "s.in.x", "s.in.y"), (1, 2, 3, 1, 2), (1, None, 4, 2, None))


def test_a_struct_field_that_the_source_lacks_is_kept_in_an_untracked_column(spark: SparkSession, target: str) -> None:
    scd2(spark, target, "SELECT 1 AS id, 'A' AS t, named_struct('x', 1, 'y', 2) AS s", "TRACK HISTORY ON (t)")
    result = scd2(spark, target, "SELECT 1 AS id, 'A' AS t, named_struct('y', 9) AS s", "TRACK HISTORY ON (t)",
                  policy="ignore")  # fmt: skip
    assert figures(result) == {"rows_updated": 1}
    same(history(spark, target, "s.x", "s.y"), (1, 9, 1, None))


def test_a_new_struct_field_opens_a_version_where_it_has_a_value(spark: SparkSession, target: str) -> None:
    scd2(spark, target, "SELECT id, named_struct('x', 1) AS s FROM VALUES (1), (2) AS v(id)")
    source = "SELECT id, named_struct('y', y, 'x', 1) AS s FROM VALUES (1, 5), (2, NULL) AS v(id, y)"
    result = scd2(spark, target, source, policy=ADD)
    assert (figures(result), list(result.columns_added)) == ({"rows_inserted": 1, "rows_closed": 1}, ["s.y"])
    same(history(spark, target, "id", "s.x", "s.y"), (1, 1, None, 1, 2), (1, 1, 5, 2, None), (2, 1, None, 1, None))


def test_a_new_field_in_array_elements_and_map_values(spark: SparkSession, target: str) -> None:
    old = (
        "SELECT id, array(named_struct('x', 1)) AS a, map('k', named_struct('x', 1)) AS m FROM VALUES (1), (2) AS v(id)"
    )
    new = "named_struct('x', 1, 'y', y)"
    scd2(spark, target, old)
    source = f"SELECT id, array({new}) AS a, map('k', {new}) AS m FROM VALUES (1, 5), (2, NULL) AS v(id, y)"
    assert figures(scd2(spark, target, source, policy=ADD)) == {"rows_inserted": 1, "rows_closed": 1}
    unchanged(spark, target, source)
    same(history(spark, target, "id", "a.y"), (1, [None], 1, 2), (1, [5], 2, None), (2, [None], 1, None))


def test_names_differ_in_case_only(spark: SparkSession, target: str) -> None:
    scd2(spark, target, "SELECT 1 AS Id, 'A' AS `First Name`, named_struct('Zip', 1) AS addr")
    unchanged(spark, target, "SELECT named_struct('ZIP', 1) AS ADDR, 'A' AS `FIRST name`, 1 AS ID")
    assert spark.table(target).columns[:3] == ["Id", "First Name", "addr"]


def test_case_sensitive_names_are_different_columns(spark: SparkSession, target: str) -> None:
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        scd2(spark, target, "SELECT 1 AS id, 'A' AS name")
        scd2(spark, target, "SELECT 1 AS id, 'A' AS name, 'N' AS NAME, 2 AS ID", policy=ADD)
        assert spark.table(target).columns == ["id", "name", "valid_from", "valid_to", "NAME", "ID"]
        assert len(raw(spark, target)) == 2
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


@pytest.mark.parametrize("policy", ["fail", "ignore", ADD])
@pytest.mark.parametrize("value", ["9000000000L", "'7'", "1.5D", "DATE'2024-01-01'"])
def test_a_wider_or_other_type_is_an_error(spark: SparkSession, target: str, value: str, policy: str) -> None:
    create(spark, target, f"id INT, x INT, {VALIDITY}")
    statement = f"INSERT INTO {target} MERGE STRATEGY scd2 UNIQUE KEY (id) ON SCHEMA CHANGE {policy} SELECT 1 AS id, "
    assert refused(spark, f"{statement} {value} AS x") == "LAMINA_TYPE_CHANGED"
    assert snapshots(spark, target) == 0


def test_the_sequence_may_be_a_column_that_this_statement_adds(spark: SparkSession, target: str) -> None:
    create(spark, target, "id INT, name STRING, valid_from INT, valid_to INT")
    source = values("id, name, s", "(1, 'B', 2), (1, 'A', 1)")
    scd2(spark, target, source, "SEQUENCE BY s", policy=ADD)
    same(raw(spark, target), (1, "A", 1, 2, 1), (1, "B", 2, None, 2))


@pytest.mark.parametrize("policy", ["sync_all_columns", "full_refresh", "recreate_empty", f"{ADD} WIDEN TYPES"])
def test_policies_to_come_are_refused(spark: SparkSession, target: str, policy: str) -> None:
    scd2(spark, target, values("id, name", "(1, 'A')"))
    statement = f"INSERT INTO {target} MERGE STRATEGY scd2 ON SCHEMA CHANGE {policy} SELECT 1 AS id"
    assert refused(spark, statement) == "LAMINA_UNSUPPORTED_FEATURE"


def test_a_failed_write_leaves_no_new_column(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, name", "(1, 'A')"))
    source = values("id, name, x", "(1, 'A', 1), (1, 'B', 2)")
    statement = f"INSERT INTO {target} MERGE STRATEGY scd2 ON SCHEMA CHANGE {ADD} {source}"
    assert refused(spark, statement) == "LAMINA_DUPLICATE_KEY"
    assert spark.table(target).columns == ["id", "name", "valid_from", "valid_to"]


def test_explain_changes_nothing(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, name", "(1, 'A')"))
    source = values("id, name, x", "(1, 'B', 1)")
    plan = spark.sql(f"EXPLAIN INSERT INTO {target} MERGE STRATEGY scd2 ON SCHEMA CHANGE {ADD} {source}").first()[0]
    assert "ADD COLUMNS" in plan
    assert (spark.table(target).columns[-1], snapshots(spark, target)) == ("valid_to", 1)
