"""ON SCHEMA CHANGE: fail, ignore, append_new_columns."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from steps import commits, execute, figures, given, metadata, refused, rows, sort, write

APPEND = "MERGE STRATEGY append_only"
ADD = "ON SCHEMA CHANGE append_new_columns"


@pytest.mark.parametrize("clauses", [APPEND, f"{APPEND} ON SCHEMA CHANGE fail"])
@pytest.mark.parametrize("query", ["SELECT 1 AS id", "SELECT 1 AS id, 'x' AS v, 2 AS extra"])
def test_fail_refuses_new_and_missing_columns(spark: SparkSession, target: str, clauses: str, query: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    message = refused(spark, f"INSERT INTO {target} {clauses} {query}", "LAMINA_SCHEMA_CHANGED", target)
    assert ("extra" if "extra" in query else "Missing from the source: v") in message


def test_ignore_leaves_new_columns_out_at_every_depth_and_reports_them(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, s STRUCT<a: INT>, l ARRAY<STRUCT<a: INT>>, m MAP<STRING, STRUCT<a: INT>>")
    query = """SELECT 1 AS id, named_struct('z', 0, 'a', 1) AS s, array(named_struct('z', 0, 'a', 2)) AS l,
        map('k', named_struct('z', 0, 'a', 3)) AS m, 9 AS extra"""
    result = write(spark, target, f"{APPEND} ON SCHEMA CHANGE ignore", query)
    assert len(result.columns_ignored) == 4
    assert {"extra", "s.z"} <= set(result.columns_ignored)
    assert rows(spark, target) == [(1, (1,), [(2,)], {"k": (3,)})]


@pytest.mark.parametrize(
    "strategy",
    ["append_only", "full_refresh", "incremental UNIQUE KEY (id)", "delete_insert UNIQUE KEY (id)",
     "snapshot PARTITION COLUMN id"],
)  # fmt: skip
def test_the_new_columns_and_the_rows_are_one_commit(
    spark: SparkSession, target: str, strategy: str, layout: str
) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b')", layout)
    query = "SELECT * FROM VALUES (named_struct('x', 1), 'b', 7, 2) AS s(st, v, `new col`, id)"
    result = write(spark, target, f"MERGE STRATEGY {strategy} {ADD}", query)
    assert result.columns_added == ["st", "new col"] or sorted(result.columns_added) == ["`new col`", "st"]
    assert spark.table(target).columns == ["id", "v", "st", "new col"]
    content = metadata(spark, target)
    newest = next(s for s in content["snapshots"] if s["snapshot-id"] == content["current-snapshot-id"])
    assert newest["schema-id"] == content["current-schema-id"]
    assert (2, "b", (1,), 7) in rows(spark, target)
    assert all(field["required"] is False for field in content["schemas"][-1]["fields"])


def test_nested_columns_are_added_in_place_at_the_end_of_their_struct(spark: SparkSession, target: str) -> None:
    given(
        spark,
        target,
        "id INT, s STRUCT<a: INT, b: STRUCT<c: INT>>, z INT",
        "(1, named_struct('a', 1, 'b', named_struct('c', 2)), 3)",
    )
    query = "SELECT 1 AS id, named_struct('b', named_struct('n', 5, 'c', 2), 'm', 6, 'a', 1) AS s, 3 AS z"
    result = write(spark, target, f"MERGE STRATEGY incremental UNIQUE KEY (id) {ADD}", query)
    assert figures(result) == ("changed", 0, 1, 0, 0)
    assert sorted(result.columns_added) == ["s.b.n", "s.m"]
    assert spark.table(target).dtypes[1][1] == "struct<a:int,b:struct<c:int,n:int>,m:int>"
    assert rows(spark, target) == [(1, (1, (2, 5), 6), 3)]


UP = [
    ("BIGINT", "7", 7),
    ("BIGINT", "CAST(7 AS TINYINT)", 7),
    ("DECIMAL(10, 0)", "7", 7),
    ("DECIMAL(21, 2)", "CAST(7 AS BIGINT)", 7),
    ("DOUBLE", "7", 7.0),
    ("DOUBLE", "CAST(0.5 AS FLOAT)", 0.5),
    ("DECIMAL(12, 4)", "CAST(1.25 AS DECIMAL(5, 2))", 1.25),
    ("STRING", "CAST('ab' AS VARCHAR(5))", "ab"),
    ("ARRAY<BIGINT>", "array(1)", [1]),
    ("MAP<BIGINT, DOUBLE>", "map(1, CAST(1 AS FLOAT))", {1: 1.0}),
    ("STRUCT<a: ARRAY<STRUCT<b: BIGINT>>>", "named_struct('a', array(named_struct('b', 1)))", ([(1,)],)),
    ("INT", "NULL", None),
]


@pytest.mark.parametrize("at", range(len(UP)))
def test_a_narrower_source_is_cast_up_and_is_no_change(spark: SparkSession, target: str, at: int) -> None:
    kind, value, expected = UP[at]
    given(spark, target, f"v {kind}")
    write(spark, target, f"{APPEND} ON SCHEMA CHANGE fail", f"SELECT {value} AS v")
    assert rows(spark, target) == [(expected,)]


LOSSY = [
    ("INT", "CAST(7 AS BIGINT)"),
    ("DOUBLE", "CAST(7 AS BIGINT)"),
    ("FLOAT", "CAST(7 AS INT)"),
    ("FLOAT", "CAST(7 AS DOUBLE)"),
    ("DOUBLE", "CAST(7 AS DECIMAL(5, 1))"),
    ("DECIMAL(9, 0)", "7"),
    ("DECIMAL(10, 2)", "CAST(7 AS DECIMAL(10, 4))"),
    ("DECIMAL(10, 4)", "CAST(7 AS DECIMAL(10, 2))"),
    ("TIMESTAMP", "DATE'2024-01-01'"),
    ("TIMESTAMP", "TIMESTAMP_NTZ'2024-01-01 00:00:00'"),
    ("TIMESTAMP_NTZ", "TIMESTAMP'2024-01-01 00:00:00'"),
    ("INT", "'7'"),
    ("DATE", "'2024-01-01'"),
    ("BINARY", "'x'"),
    ("STRING", "7"),
    ("STRING", "DATE'2024-01-01'"),
    ("BOOLEAN", "1"),
    ("INT", "true"),
    ("ARRAY<INT>", "array(CAST(7 AS BIGINT))"),
    ("STRUCT<a: MAP<STRING, INT>>", "named_struct('a', map('k', CAST(7 AS BIGINT)))"),
    ("STRUCT<a: INT>", "map('a', 1)"),
    ("INT", "array(1)"),
]


@pytest.mark.parametrize("policy", ["fail", "ignore", "append_new_columns"])
def test_every_other_type_is_a_changed_type(spark: SparkSession, target: str, policy: str) -> None:
    columns = ", ".join(f"c{at} {kind}" for at, (kind, _) in enumerate(LOSSY))
    given(spark, target, columns)
    for at, (kind, value) in enumerate(LOSSY):
        others = "".join(f", CAST(NULL AS {k}) AS c{o}" for o, (k, _) in enumerate(LOSSY) if o != at)
        statement = f"INSERT INTO {target} ON SCHEMA CHANGE {policy} SELECT {value} AS c{at}{others}"
        message = refused(spark, statement, "LAMINA_TYPE_CHANGED")
        assert f"c{at}" in message, kind
    assert commits(spark, target) == (0, 1)


@pytest.mark.parametrize("policy", ["ignore", "append_new_columns"])
def test_a_missing_column_that_is_not_null_is_an_error(spark: SparkSession, target: str, policy: str) -> None:
    given(spark, target, "id INT, must INT NOT NULL, s STRUCT<a: INT, b: INT NOT NULL>")
    spark.sql(f"INSERT INTO {target} VALUES (1, 1, named_struct('a', 1, 'b', 2))")
    for query in (
        "SELECT 1 AS id, named_struct('a', 1, 'b', 2) AS s",
        "SELECT 1 AS id, 5 AS must, named_struct('a', 1) AS s",
    ):
        statement = f"INSERT INTO {target} {APPEND} ON SCHEMA CHANGE {policy} {query}"
        refused(spark, statement, "LAMINA_NOT_NULL_COLUMN", target)


@pytest.mark.parametrize(
    "clause", ["sync_all_columns", "full_refresh", "recreate_empty", "append_new_columns WIDEN TYPES"]
)
def test_what_is_not_built_says_so(spark: SparkSession, target: str, clause: str) -> None:
    given(spark, target, "id INT", "(1)")
    statement = f"INSERT INTO {target} {APPEND} ON SCHEMA CHANGE {clause} SELECT 2 AS id"
    refused(spark, statement, "LAMINA_UNSUPPORTED_FEATURE", target)


def test_a_write_that_fails_leaves_no_orphan_column(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT", "(1)")
    before = commits(spark, target)
    for strategy in ("append_only", "incremental UNIQUE KEY (id)", "snapshot PARTITION COLUMN id"):
        with pytest.raises(Exception, match="boom"):
            spark.sql(
                f"INSERT INTO {target} MERGE STRATEGY {strategy} {ADD} "
                "SELECT CAST(id AS INT) AS id, IF(id = 3, raise_error('boom'), 'x') AS extra FROM range(5)"
            ).collect()
    assert commits(spark, target) == before
    assert spark.table(target).columns == ["id"]


def test_the_policy_alone_takes_the_tables_strategy_else_append_only(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT", "(1)")
    assert execute(spark, f"INSERT INTO {target} {ADD} SELECT 2 AS id").strategy == "append_only"
    spark.sql(f"ALTER TABLE {target} SET TBLPROPERTIES ('lamina.merge-strategy' = 'full_refresh')")
    result = write(spark, target, ADD, "SELECT 3 AS id, 4 AS extra")
    assert (result.strategy, *figures(result)) == ("full_refresh", "changed", 1, 0, 0, 2)


def test_settings_from_strongest_to_weakest(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    query = "SELECT 1 AS id, 'a' AS v, 1 AS extra"
    spark.conf.set("spark.sql.lamina.onSchemaChange", "ignore")
    spark.conf.set("spark.sql.lamina.uniqueKey", "id")
    try:
        assert write(spark, target, "MERGE STRATEGY incremental", query).columns_ignored == ["extra"]
        refused(spark, f"INSERT INTO {target} {APPEND} ON SCHEMA CHANGE fail {query}", "LAMINA_SCHEMA_CHANGED", target)
        spark.sql(f"ALTER TABLE {target} SET TBLPROPERTIES ('lamina.on-schema-change' = 'append_new_columns')")
        assert write(spark, target, "MERGE STRATEGY incremental", query).columns_added == ["extra"]
    finally:
        spark.conf.unset("spark.sql.lamina.onSchemaChange")
        spark.conf.unset("spark.sql.lamina.uniqueKey")
    assert rows(spark, target) == sort((1, "a", 1))
