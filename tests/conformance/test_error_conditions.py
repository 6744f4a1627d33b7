"""Every error is a LAMINA condition that names the object, and nothing is written."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from steps import given, refused, rows

WRONG = [
    ("MERGE STRATEGY upsert", "LAMINA_UNKNOWN_STRATEGY", ["upsert", "delete_insert", "pos"]),
    ("ON SCHEMA CHANGE whatever", "LAMINA_UNKNOWN_POLICY", ["whatever", "append_new_columns", "pos"]),
    (
        "MERGE STRATEGY append_only UNIQUE KEY (id)",
        "LAMINA_OPTION_NOT_APPLICABLE",
        ["UNIQUE KEY", "append_only", "pos"],
    ),
    ("MERGE STRATEGY full_refresh WATERMARK id", "LAMINA_OPTION_NOT_APPLICABLE", ["WATERMARK", "pos"]),
    ("MERGE STRATEGY incremental UNIQUE KEY (id) VALID FROM v", "LAMINA_OPTION_NOT_APPLICABLE", ["VALID FROM", "pos"]),
    ("MERGE STRATEGY incremental UNIQUE KEY (id) PARTITION COLUMN v", "LAMINA_OPTION_NOT_APPLICABLE", ["PARTITION"]),
    ("MERGE STRATEGY incremental UNIQUE KEY (id) TRACK HISTORY ON (v)", "LAMINA_OPTION_NOT_APPLICABLE", ["TRACK"]),
    ("MERGE STRATEGY snapshot PARTITION COLUMN id ALLOW EMPTY SOURCE", "LAMINA_OPTION_NOT_APPLICABLE", ["ALLOW"]),
    ("ON SCHEMA CHANGE fail WIDEN TYPES", "LAMINA_OPTION_NOT_APPLICABLE", ["WIDEN TYPES"]),
    ("ON SCHEMA CHANGE ignore CHUNK BY id FROM 1 TO 2 STEP 1", "LAMINA_OPTION_NOT_APPLICABLE", ["CHUNK BY"]),
    ("MERGE STRATEGY incremental UNIQUE KEY (id) UNIQUE KEY (v)", "LAMINA_DUPLICATE_OPTION", ["UNIQUE KEY", "pos"]),
    ("MERGE STRATEGY append_only RUN ID 'a' RUN ID 'a'", "LAMINA_DUPLICATE_OPTION", ["RUN ID", "pos"]),
    ("MERGE STRATEGY incremental", "LAMINA_MISSING_OPTION", ["UNIQUE KEY"]),
    ("MERGE STRATEGY delete_insert", "LAMINA_MISSING_OPTION", ["UNIQUE KEY"]),
    ("MERGE STRATEGY snapshot", "LAMINA_MISSING_OPTION", ["PARTITION COLUMN"]),
    ("MERGE STRATEGY incremental UNIQUE KEY (id) WATERMARK nope", "LAMINA_COLUMN_NOT_FOUND", ["nope", "pos"]),
    ("MERGE STRATEGY incremental UNIQUE KEY (nope)", "LAMINA_COLUMN_NOT_FOUND", ["nope", "pos"]),
    ("MERGE STRATEGY append_only COLUMNS * EXCEPT (nope)", "LAMINA_COLUMN_NOT_FOUND", ["nope", "pos"]),
    ("MERGE STRATEGY append_only COLUMNS * EXCEPT (s.a)", "LAMINA_COLUMN_NOT_FOUND", ["s.a", "pos"]),
    ("MERGE STRATEGY scd2 UNIQUE KEY (id) TRACK HISTORY ON (s.a)", "LAMINA_COLUMN_NOT_FOUND", ["s.a", "pos"]),
    ("MERGE STRATEGY scd2 UNIQUE KEY (id) TRACK HISTORY ON * EXCEPT (s.a)", "LAMINA_COLUMN_NOT_FOUND", ["s.a", "pos"]),
    ("MERGE STRATEGY incremental UNIQUE KEY (id, ID)", "LAMINA_", ["id"]),
]


@pytest.mark.parametrize("at", range(len(WRONG)))
def test_the_error_names_what_is_wrong(spark: SparkSession, target: str, at: int) -> None:
    clauses, condition, words = WRONG[at]
    given(spark, target, "id INT, v STRING, s STRUCT<a: INT>", "(1, 'a', NULL)")
    statement = f"INSERT INTO {target} {clauses} SELECT 1 AS id, 'b' AS v, named_struct('a', 1) AS s"
    if condition == "LAMINA_":
        with pytest.raises(Exception, match="LAMINA_"):
            spark.sql(statement)
        return
    message = refused(spark, statement, condition, target)
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize("position", ["before", "after"])
def test_a_repeated_clause_is_an_error(spark: SparkSession, target: str, position: str) -> None:
    given(spark, target, "id INT", "(1)")
    clauses = "ON SCHEMA CHANGE fail ON SCHEMA CHANGE ignore"
    query = "SELECT 2 AS id"
    with pytest.raises(Exception, match=r"LAMINA_DUPLICATE_OPTION|PARSE_SYNTAX_ERROR"):
        spark.sql(f"INSERT INTO {target} " + (f"{clauses} {query}" if position == "before" else f"{query} {clauses}"))
    assert rows(spark, target) == [(1,)]


def test_a_view_as_target_is_refused(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT", "(1)")
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW conformance_view AS SELECT * FROM {target}")
    refused(spark, "INSERT INTO conformance_view MERGE STRATEGY append_only SELECT 2 AS id", "LAMINA_UNSUPPORTED_TABLE")


def test_a_table_that_is_not_iceberg_is_refused(spark: SparkSession) -> None:
    spark.sql("CREATE TABLE spark_catalog.default.conformance_parquet (id INT) USING parquet")
    try:
        statement = "INSERT INTO spark_catalog.default.conformance_parquet MERGE STRATEGY append_only SELECT 2 AS id"
        refused(spark, statement, "LAMINA_UNSUPPORTED_TABLE")
    finally:
        spark.sql("DROP TABLE spark_catalog.default.conformance_parquet")


def test_a_metadata_table_is_refused(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT", "(1)")
    statement = f"INSERT INTO {target}.snapshots MERGE STRATEGY append_only SELECT 2 AS id"
    refused(spark, statement, "LAMINA_UNSUPPORTED_TABLE", target)


def test_a_table_that_keeps_history_takes_no_other_strategy(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT", "(1)", properties="'lamina.merge-strategy' = 'scd2'")
    for strategy in ("full_refresh", "append_only", "snapshot PARTITION COLUMN id", "delete_insert UNIQUE KEY (id)"):
        statement = f"INSERT INTO {target} MERGE STRATEGY {strategy} SELECT 2 AS id"
        refused(spark, statement, "LAMINA_HISTORY_REWRITE", target)


@pytest.mark.parametrize(
    "key", ["lamina.unique-key", "lamina.watermark-column", "lamina.on-schema-change", "lamina.hard-deletes"]
)
def test_a_stored_setting_that_is_wrong_is_an_error(spark: SparkSession, target: str, key: str) -> None:
    stored = ", ".join(f"'{name}' = '{value}'" for name, value in {"lamina.unique-key": "id", key: "no such"}.items())
    given(spark, target, "id INT", "(1)", properties=stored)
    with pytest.raises(Exception, match="LAMINA_"):
        spark.sql(f"INSERT INTO {target} MERGE STRATEGY incremental SELECT 2 AS id")
    assert rows(spark, target) == [(1,)]


def test_null_in_a_not_null_column_writes_nothing(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, must INT NOT NULL")
    spark.sql(f"INSERT INTO {target} VALUES (1, 1)")
    for strategy in ("append_only", "incremental UNIQUE KEY (id)", "delete_insert UNIQUE KEY (id)", "full_refresh"):
        with pytest.raises(Exception, match=r"(?i)null"):
            spark.sql(f"INSERT INTO {target} MERGE STRATEGY {strategy} SELECT 1 AS id, IF(rand() < 2, NULL, 1) AS must")
    assert rows(spark, target) == [(1, 1)]
