"""The first run creates the table."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from steps import commits, execute, figures, given, refused, rows, sort, summary, write


def properties(spark: SparkSession, table: str) -> dict[str, str]:
    found = {row.key: row.value for row in spark.sql(f"SHOW TBLPROPERTIES {table}").collect()}
    return {key: value for key, value in found.items() if key.startswith("lamina.")}


@pytest.mark.parametrize(
    "strategy",
    [
        "full_refresh",
        "append_only",
        "incremental UNIQUE KEY (id)",
        "delete_insert UNIQUE KEY (id)",
        "snapshot PARTITION COLUMN id",
    ],
)
def test_a_missing_target_is_created(spark: SparkSession, target: str, strategy: str) -> None:
    result = execute(
        spark, f"INSERT INTO {target} MERGE STRATEGY {strategy} SELECT * FROM VALUES (1, 'a'), (2, NULL) AS s(id, v)"
    )
    assert figures(result) == ("created", 2, 0, 0, 0)
    assert spark.table(target).dtypes == [("id", "int"), ("v", "string")]
    assert rows(spark, target) == sort((1, "a"), (2, None))
    assert commits(spark, target)[0] == 1
    assert summary(spark, target, result.snapshot_id)["rows_inserted"] == 2


def test_snapshot_makes_a_table_partitioned_by_its_columns(spark: SparkSession, target: str) -> None:
    execute(
        spark,
        f"INSERT INTO {target} MERGE STRATEGY snapshot PARTITION COLUMNS (b, `a a`) SELECT 1 AS `a a`, 2 AS b, 3 AS c",
    )
    assert "PARTITIONED BY (b, `a a`)" in spark.sql(f"SHOW CREATE TABLE {target}").head()[0]


def test_the_settings_are_stored_and_later_statements_leave_them_out(spark: SparkSession, target: str) -> None:
    clauses = """MERGE STRATEGY incremental UNIQUE KEY (id) WATERMARK ts DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)
        HARD DELETES ignore RUN ID 'first' ON SCHEMA CHANGE append_new_columns"""
    execute(spark, f"INSERT INTO {target} {clauses} SELECT * FROM VALUES (1, 1, 'U'), (2, 1, 'D') AS s(id, ts, op)")
    stored = properties(spark, target)
    assert stored["lamina.merge-strategy"] == "incremental"
    assert stored["lamina.unique-key"] == "id"
    assert stored["lamina.watermark-column"] == "ts"
    assert stored["lamina.delete-when"] == "op = 'D'"
    assert stored["lamina.except-columns"] == "op"
    assert stored["lamina.on-schema-change"] == "append_new_columns"
    assert "lamina.run-id" not in stored
    assert rows(spark, target) == [(1, 1)]
    query = "SELECT * FROM VALUES (1, 2, 'D', 'x'), (3, 1, 'U', 'y') AS s(id, ts, op, extra)"
    result = write(spark, target, "MERGE STRATEGY incremental", query)
    assert figures(result) == ("changed", 1, 0, 0, 1)
    assert rows(spark, target) == [(3, 1, "y")]


def test_settings_of_one_strategy_are_ignored_by_another(spark: SparkSession, target: str) -> None:
    execute(
        spark,
        f"INSERT INTO {target} MERGE STRATEGY incremental UNIQUE KEY (id) WATERMARK ts DELETE WHEN id < 0 "
        "SELECT 1 AS id, 5 AS ts",
    )
    result = write(spark, target, "MERGE STRATEGY append_only", "SELECT -1 AS id, 1 AS ts")
    assert figures(result) == ("changed", 1, 0, 0, 0)
    assert figures(write(spark, target, "MERGE STRATEGY delete_insert", "SELECT -1 AS id, 0 AS ts")) == (
        "changed",
        1,
        0,
        0,
        1,
    )


def test_a_later_statement_does_not_change_the_stored_settings(spark: SparkSession, target: str) -> None:
    execute(spark, f"INSERT INTO {target} MERGE STRATEGY incremental UNIQUE KEY (id) SELECT 1 AS id, 5 AS ts")
    before = properties(spark, target)
    write(
        spark, target, "MERGE STRATEGY delete_insert UNIQUE KEY (ts) ON SCHEMA CHANGE ignore", "SELECT 1 AS id, 5 AS ts"
    )
    assert properties(spark, target) == before


def test_an_explicit_column_list_names_the_columns(spark: SparkSession, target: str) -> None:
    result = execute(
        spark, f"INSERT INTO {target} (id, `odd name`) MERGE STRATEGY append_only VALUES (1, 'a'), (2, 'b')"
    )
    assert figures(result) == ("created", 2, 0, 0, 0)
    assert spark.table(target).columns == ["id", "odd name"]


def test_a_list_names_the_columns_of_a_select(spark: SparkSession, target: str) -> None:
    execute(spark, f"INSERT INTO {target} (k, v) MERGE STRATEGY incremental UNIQUE KEY (k) SELECT 1 AS a, 2 AS b")
    assert spark.table(target).columns == ["k", "v"]


def test_values_without_names_need_a_column_list(spark: SparkSession, target: str) -> None:
    with pytest.raises(Exception, match="LAMINA_"):
        spark.sql(f"INSERT INTO {target} MERGE STRATEGY append_only VALUES (1, 'a')")
    assert not spark.catalog.tableExists(target)


def test_an_empty_source_creates_an_empty_table(spark: SparkSession, target: str) -> None:
    for at, strategy in enumerate(
        ["append_only", "full_refresh", "incremental UNIQUE KEY (id)", "snapshot PARTITION COLUMN id"]
    ):
        table = f"{target}{at}"
        result = execute(spark, f"INSERT INTO {table} MERGE STRATEGY {strategy} SELECT 1 AS id, 'x' AS v WHERE false")
        assert figures(result) == ("created", 0, 0, 0, 0)
        assert spark.table(table).dtypes == [("id", "int"), ("v", "string")]
        assert rows(spark, table) == []


def test_a_delete_whose_key_is_absent_inserts_nothing(spark: SparkSession, target: str) -> None:
    clauses = "MERGE STRATEGY incremental UNIQUE KEY (id) WATERMARK ts DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)"
    query = "SELECT * FROM VALUES (1, 1, 'U'), (1, 2, 'D'), (2, 1, 'D'), (2, 2, 'U'), (3, 1, NULL) AS s(id, ts, op)"
    assert figures(execute(spark, f"INSERT INTO {target} {clauses} {query}")) == ("created", 2, 0, 0, 0)
    assert rows(spark, target) == sort((2, 2), (3, 1))


def test_duplicates_on_the_first_run(spark: SparkSession, target: str) -> None:
    insert = f"INSERT INTO {target} MERGE STRATEGY incremental UNIQUE KEY (id)"
    refused(spark, f"{insert} SELECT * FROM VALUES (1, 'a'), (1, 'b') AS s(id, v)", "LAMINA_DUPLICATE_KEY")
    assert not spark.catalog.tableExists(target)
    result = execute(spark, f"{insert} SELECT * FROM VALUES (1, 'a'), (1, 'a'), (2, 'c') AS s(id, v)")
    assert figures(result) == ("created", 2, 0, 0, 0)


def test_a_failed_first_run_leaves_no_table(spark: SparkSession, target: str) -> None:
    with pytest.raises(Exception, match="boom"):
        spark.sql(
            f"INSERT INTO {target} MERGE STRATEGY append_only SELECT CAST(raise_error('boom') AS INT) AS id"
        ).collect()
    assert not spark.catalog.tableExists(target)


def test_without_merge_strategy_nothing_is_created(spark: SparkSession, target: str) -> None:
    refused(spark, f"INSERT INTO {target} ON SCHEMA CHANGE ignore SELECT 1 AS id", "LAMINA_TARGET_NOT_FOUND")
    assert not spark.catalog.tableExists(target)


def test_the_session_turns_creation_off(spark: SparkSession, target: str) -> None:
    spark.conf.set("spark.sql.lamina.createTarget", "false")
    try:
        message = refused(
            spark, f"INSERT INTO {target} MERGE STRATEGY append_only SELECT 1 AS id", "LAMINA_TARGET_NOT_FOUND"
        )
    finally:
        spark.conf.unset("spark.sql.lamina.createTarget")
    assert target.rsplit(".", 1)[1] in message
    assert not spark.catalog.tableExists(target)


def test_a_missing_namespace_is_named(spark: SparkSession) -> None:
    message = refused(
        spark, "INSERT INTO lake.nowhere.t MERGE STRATEGY append_only SELECT 1 AS id", "LAMINA_TARGET_NOT_FOUND"
    )
    assert "nowhere" in message


def test_a_run_id_on_the_first_run_is_used_up(spark: SparkSession, target: str) -> None:
    statement = f"INSERT INTO {target} MERGE STRATEGY append_only RUN ID 'one' SELECT 1 AS id"
    assert execute(spark, statement).status == "created"
    assert execute(spark, statement).status == "skipped"
    assert rows(spark, target) == [(1,)]


def test_explain_of_a_first_run_creates_nothing(spark: SparkSession, target: str) -> None:
    plan = spark.sql(f"EXPLAIN INSERT INTO {target} MERGE STRATEGY incremental UNIQUE KEY (id) SELECT 1 AS id").head()[
        0
    ]
    assert "CREATE TABLE" in plan
    assert not spark.catalog.tableExists(target)


def test_columns_made_by_the_first_run_take_a_later_source(spark: SparkSession, target: str) -> None:
    given(spark, f"{target}_source", "id INT NOT NULL, c CHAR(3), d DECIMAL(5, 2)", "(1, 'abc', 1.5)")
    execute(spark, f"INSERT INTO {target} MERGE STRATEGY append_only TABLE {target}_source")
    result = write(
        spark, target, "MERGE STRATEGY append_only ON SCHEMA CHANGE ignore", "SELECT CAST(1 AS DECIMAL(5, 2)) AS d"
    )
    assert sorted(result.columns_padded) == ["c", "id"]


@pytest.mark.parametrize("args", [{"gone": "D"}, ["D"]], ids=["named", "positional"])
def test_a_stored_delete_when_has_the_values_of_its_parameters(
    spark: SparkSession, target: str, args: dict[str, str] | list[str]
) -> None:
    marker = ":gone" if isinstance(args, dict) else "?"
    clauses = f"MERGE STRATEGY incremental UNIQUE KEY (id) DELETE WHEN `the op` = {marker} COLUMNS * EXCEPT (`the op`)"
    spark.sql(f"INSERT INTO {target} {clauses} SELECT s.* FROM VALUES (1, 'I') AS s(id, `the op`)", args).collect()
    later = f"INSERT INTO {target} MERGE STRATEGY incremental SELECT 1 AS id, 'D' AS `the op`"
    assert spark.sql(later).head().rows_deleted == 1


def test_a_missing_option_may_mean_a_full_refresh(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT", "(1), (2)")
    statement = f"INSERT INTO {target} MERGE STRATEGY incremental SELECT 3 AS id"
    refused(spark, statement, "LAMINA_MISSING_OPTION", target)
    spark.conf.set("spark.sql.lamina.missingOption", "full_refresh")
    try:
        result = execute(spark, statement)
        assert (result.strategy, *figures(result)) == ("full_refresh", "changed", 1, 0, 0, 2)
        spark.conf.set("spark.sql.lamina.missingOption", "guess")
        refused(spark, statement, "LAMINA_INVALID_SETTING", target)
    finally:
        spark.conf.unset("spark.sql.lamina.missingOption")
    assert rows(spark, target) == [(3,)]
