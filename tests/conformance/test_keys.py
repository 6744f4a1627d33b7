"""Keys, for every keyed strategy."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from steps import execute, figures, given, refused, rows, sort, write

STRATEGIES = ["incremental", "delete_insert"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_null_in_any_key_column_is_an_error_that_shows_rows(spark: SparkSession, target: str, strategy: str) -> None:
    given(spark, target, "a INT, b STRING, v STRING", "(1, 'x', 'v')")
    query = "SELECT * FROM VALUES (4711, CAST(NULL AS STRING), 'v'), (1, 'x', 'w') AS s(a, b, v)"
    statement = f"INSERT INTO {target} MERGE STRATEGY {strategy} UNIQUE KEY (a, b) {query}"
    assert "4711" in refused(spark, statement, "LAMINA_NULL_KEY", target)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_null_key_is_an_error_on_the_first_run_too(spark: SparkSession, target: str, strategy: str) -> None:
    query = "SELECT CAST(NULL AS INT) AS id, 1 AS v UNION ALL SELECT 2, 2"
    refused(spark, f"INSERT INTO {target} MERGE STRATEGY {strategy} UNIQUE KEY (id) {query}", "LAMINA_NULL_KEY")
    assert not spark.catalog.tableExists(target)


def test_a_null_struct_is_a_null_key(spark: SparkSession, target: str) -> None:
    given(spark, target, "s STRUCT<id: INT>, v INT", "(named_struct('id', 1), 1)")
    query = "SELECT CAST(NULL AS STRUCT<id: INT>) AS s, 2 AS v"
    statement = f"INSERT INTO {target} MERGE STRATEGY incremental UNIQUE KEY (s.id) {query}"
    refused(spark, statement, "LAMINA_NULL_KEY", target)


@pytest.mark.parametrize(
    "kind", ["FLOAT", "DOUBLE", "MAP<STRING, INT>", "ARRAY<MAP<STRING, INT>>", "STRUCT<d: DOUBLE>"]
)
def test_a_key_of_a_type_without_order_is_an_error(spark: SparkSession, target: str, kind: str) -> None:
    given(spark, target, f"id {kind}, v INT")
    statement = (
        f"INSERT INTO {target} MERGE STRATEGY incremental UNIQUE KEY (id) SELECT CAST(NULL AS {kind}) AS id, 1 AS v"
    )
    assert "id" in refused(spark, statement, "LAMINA_INVALID_KEY", target)
    statement = statement.replace(target, f"{target}_new")
    refused(spark, statement, "LAMINA_INVALID_KEY")


KINDS = {
    "DECIMAL(20, 3)": "CAST(12345678901234567.125 AS DECIMAL(20, 3))",
    "DATE": "DATE'2024-02-29'",
    "TIMESTAMP": "TIMESTAMP'2024-02-29 12:34:56.123456'",
    "TIMESTAMP_NTZ": "TIMESTAMP_NTZ'2024-02-29 12:34:56.123456'",
    "STRING": "'O''Brien \\u00e9 \\n'",
    "BINARY": "X'00FF00'",
    "BIGINT": "9223372036854775807L",
    "SMALLINT": "CAST(-7 AS SMALLINT)",
    "BOOLEAN": "true",
    "STRUCT<a: STRUCT<b: INT>>": "named_struct('a', named_struct('b', 7))",
}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_keys_of_every_orderable_type_match(spark: SparkSession, target: str, strategy: str) -> None:
    for at, (kind, value) in enumerate(KINDS.items()):
        table = f"{target}_{at}"
        key = "k.a.b" if kind.startswith("STRUCT") else "k"
        given(spark, table, f"k {kind}, v INT")
        spark.sql(f"INSERT INTO {table} SELECT {value}, 1")
        result = execute(
            spark, f"INSERT INTO {table} MERGE STRATEGY {strategy} UNIQUE KEY ({key}) SELECT {value} AS k, 2 AS v"
        )
        assert result.rows_updated + result.rows_deleted == 1, kind
        assert rows(spark, table, "v") == [(2,)], kind


def test_a_narrower_key_matches_by_value(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id BIGINT, d DECIMAL(10, 3), v STRING", "(1, 1.500, 'a')", layout)
    query = "SELECT CAST(1 AS TINYINT) AS id, CAST(1.5 AS DECIMAL(2, 1)) AS d, 'b' AS v"
    result = write(spark, target, "MERGE STRATEGY incremental UNIQUE KEY (id, d)", query)
    assert figures(result) == ("changed", 0, 1, 0, 0)


def test_a_wider_key_is_a_changed_type(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    statement = f"INSERT INTO {target} MERGE STRATEGY incremental UNIQUE KEY (id) SELECT 4294967297L AS id, 'b' AS v"
    refused(spark, statement, "LAMINA_TYPE_CHANGED", target)


def test_composite_keys_do_not_run_together(spark: SparkSession, target: str) -> None:
    given(spark, target, "a STRING, b STRING, v INT", "('a', 'bc', 1), ('', 'x', 2)")
    query = "SELECT * FROM VALUES ('ab', 'c', 3), ('x', '', 4), ('a', 'bc', 5) AS s(a, b, v)"
    result = write(spark, target, "MERGE STRATEGY incremental UNIQUE KEY (a, b)", query)
    assert figures(result) == ("changed", 2, 1, 0, 0)


def test_a_key_named_by_another_letter_case(spark: SparkSession, target: str) -> None:
    given(spark, target, "Id INT, Val STRING", "(1, 'a')")
    result = write(spark, target, "merge strategy INCREMENTAL unique key (ID)", "SELECT 'b' AS VAL, 1 AS iD")
    assert figures(result) == ("changed", 0, 1, 0, 0)
    assert spark.table(target).columns == ["Id", "Val"]


def test_keys_with_odd_names(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "`a.b` INT, `tick``s` INT, `ключ 鍵` INT, `select` INT", "(1, 1, 1, 1)", layout)
    query = "SELECT 1 AS `a.b`, 1 AS `tick``s`, 1 AS `ключ 鍵`, 9 AS `select`"
    clauses = "MERGE STRATEGY incremental UNIQUE KEY (`a.b`, `tick``s`, `ключ 鍵`) WATERMARK `select`"
    assert figures(write(spark, target, clauses, query)) == ("changed", 0, 1, 0, 0)
    assert rows(spark, target) == [(1, 1, 1, 9)]


def test_odd_names_survive_the_tables_properties(spark: SparkSession, target: str) -> None:
    first = f"""INSERT INTO {target} MERGE STRATEGY incremental UNIQUE KEY (`a,b`, `c.d`, s.`x y`, `tick``s`)
        SELECT 1 AS `a,b`, 2 AS `c.d`, named_struct('x y', 3) AS s, 4 AS `tick``s`, 'a' AS v"""
    assert execute(spark, first).status == "created"
    query = "SELECT 1 AS `a,b`, 2 AS `c.d`, named_struct('x y', 3) AS s, 4 AS `tick``s`, 'b' AS v"
    assert figures(write(spark, target, "ON SCHEMA CHANGE fail", query)) == ("changed", 0, 1, 0, 0)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_missing_key_is_an_error(spark: SparkSession, target: str, strategy: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    insert = f"INSERT INTO {target} MERGE STRATEGY {strategy}"
    refused(spark, f"{insert} SELECT 1 AS id, 'b' AS v", "LAMINA_MISSING_OPTION", target)
    message = refused(
        spark, f"{insert} UNIQUE KEY (id, nope) SELECT 1 AS id, 'b' AS v", "LAMINA_COLUMN_NOT_FOUND", target
    )
    assert "nope" in message


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_source_without_the_key_is_an_error(spark: SparkSession, target: str, strategy: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    statement = (
        f"INSERT INTO {target} MERGE STRATEGY {strategy} UNIQUE KEY (id) ON SCHEMA CHANGE ignore SELECT 'b' AS v"
    )
    refused(spark, statement, "LAMINA_COLUMN_NOT_FOUND", target)


def test_the_key_may_not_be_left_out(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    statement = f"""INSERT INTO {target} MERGE STRATEGY incremental UNIQUE KEY (id) COLUMNS * EXCEPT (id)
        ON SCHEMA CHANGE ignore SELECT 1 AS id, 'b' AS v"""
    with pytest.raises(Exception, match="LAMINA_"):
        spark.sql(statement)
    assert rows(spark, target) == [(1, "a")]


def test_a_key_that_the_table_gets_by_this_statement(spark: SparkSession, target: str) -> None:
    given(spark, target, "v STRING", "('a')")
    clauses = "MERGE STRATEGY incremental UNIQUE KEY (id) ON SCHEMA CHANGE append_new_columns"
    result = write(spark, target, clauses, "SELECT 1 AS id, 'b' AS v")
    assert figures(result) == ("changed", 1, 0, 0, 0)
    assert rows(spark, target) == sort(("a", None), ("b", 1))


@pytest.mark.parametrize("strategy", ["incremental", "delete_insert", "scd2"])
def test_a_table_that_starts_with_a_map(spark: SparkSession, target: str, strategy: str, layout: str) -> None:
    validity = ", valid_from TIMESTAMP, valid_to TIMESTAMP" if strategy == "scd2" else ""
    given(spark, target, f"m MAP<STRING, INT>, id INT{validity}", layout=layout)
    statement = f"MERGE STRATEGY {strategy} UNIQUE KEY (id)"
    write(spark, target, statement, "SELECT map('a', 1) AS m, 1 AS id")
    write(spark, target, statement, "SELECT map('a', 2) AS m, 1 AS id")
    assert (({"a": 2}, 1)) in rows(spark, target, "m, id")


@pytest.mark.parametrize("kind", ["TINYINT", "SMALLINT", "INT"])
def test_a_narrow_sequence(spark: SparkSession, target: str, kind: str) -> None:
    clauses = "MERGE STRATEGY scd2 UNIQUE KEY (id) SEQUENCE BY s"
    for moment in (1, 2):
        query = f"SELECT 1 AS id, CAST({moment} AS {kind}) AS s"
        spark.sql(f"INSERT INTO {target} {clauses} {query}").collect()
    assert rows(spark, target, "s, valid_from, valid_to") == sort((1, 1, 2), (2, 2, None))


def test_a_sequence_narrower_than_the_tables(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, s BIGINT, valid_from BIGINT, valid_to BIGINT", "(1, 1, 1, NULL)")
    write(spark, target, "MERGE STRATEGY scd2 UNIQUE KEY (id) SEQUENCE BY s", "SELECT 1 AS id, 5 AS s")
    assert rows(spark, target) == sort((1, 1, 1, 5), (1, 5, 5, None))


def test_a_sequence_of_another_type_than_the_validity_is_refused(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, s INT, valid_from TIMESTAMP, valid_to TIMESTAMP")
    statement = f"INSERT INTO {target} MERGE STRATEGY scd2 UNIQUE KEY (id) SEQUENCE BY s SELECT 1 AS id, 5 AS s"
    refused(spark, statement, "LAMINA_TYPE_CHANGED", target)
