"""scd2: what is refused, by which condition, and that nothing is written."""

from __future__ import annotations

import pytest
from lamina.errors import spark_condition
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from scd2_history import VALIDITY, create, raw, refused, refused_scd2, same, scd2, snapshots, values

AB = values("id, name, s", "(1, 'A', 1)")
REFUSED = {
    "MERGE STRATEGY scd3 UNIQUE KEY (id)": "LAMINA_UNKNOWN_STRATEGY",
    "MERGE STRATEGY scd2": "LAMINA_MISSING_OPTION",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) UNIQUE KEY (id)": "LAMINA_DUPLICATE_OPTION",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) SEQUENCE BY s SEQUENCE BY s": "LAMINA_DUPLICATE_OPTION",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) WATERMARK s": "LAMINA_OPTION_NOT_APPLICABLE",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) PARTITION COLUMN s": "LAMINA_OPTION_NOT_APPLICABLE",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) PARTITION COLUMNS (s)": "LAMINA_OPTION_NOT_APPLICABLE",
    "MERGE STRATEGY append_only VALID FROM f": "LAMINA_OPTION_NOT_APPLICABLE",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) ON SCHEMA CHANGE maybe": "LAMINA_UNKNOWN_POLICY",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) ON SCHEMA CHANGE ignore WIDEN TYPES": "LAMINA_OPTION_NOT_APPLICABLE",
    "MERGE STRATEGY scd2 UNIQUE KEY (nope)": "LAMINA_COLUMN_NOT_FOUND",
    "MERGE STRATEGY scd2 UNIQUE KEY (id, `s.x`)": "LAMINA_COLUMN_NOT_FOUND",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) SEQUENCE BY nope": "LAMINA_COLUMN_NOT_FOUND",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) TRACK HISTORY ON (nope)": "LAMINA_COLUMN_NOT_FOUND",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) TRACK HISTORY ON * EXCEPT (nope)": "LAMINA_COLUMN_NOT_FOUND",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) COLUMNS * EXCEPT (nope)": "LAMINA_COLUMN_NOT_FOUND",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) VALID FROM name": "LAMINA_RESERVED_COLUMN",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) VALID TO NAME": "LAMINA_RESERVED_COLUMN",
    "MERGE STRATEGY scd2 UNIQUE KEY (id) CURRENT FLAG `name`": "LAMINA_RESERVED_COLUMN",
}


@pytest.mark.parametrize("there", [False, True], ids=["first run", "table there"])
@pytest.mark.parametrize("clauses", REFUSED)
def test_a_refused_statement_writes_nothing(spark: SparkSession, target: str, clauses: str, there: bool) -> None:
    target = target[:150].rstrip("_") + ("_there" if there else "_first")
    if there:
        create(spark, target, f"id INT, name STRING, s INT, {VALIDITY}")
    assert refused(spark, f"INSERT INTO {target} {clauses} {AB}") == REFUSED[clauses]
    assert spark.catalog.tableExists(target) == there
    if there:
        assert snapshots(spark, target) == 0


@pytest.mark.parametrize(
    "clauses",
    [
        "UNIQUE KEY (id) TRACK HISTORY ON (name) TRACK HISTORY ON * EXCEPT (s)",
        "UNIQUE KEY (id, id)",
        "UNIQUE KEY (id) VALID FROM x VALID TO X",
        "UNIQUE KEY (id) VALID FROM x CURRENT FLAG x",
        "UNIQUE KEY (id) CURRENT FLAG valid_to",
        "UNIQUE KEY (id) COLUMNS * EXCEPT (id)",
        "UNIQUE KEY (id) SEQUENCE BY name",
        "UNIQUE KEY (id) SEQUENCE BY s HARD DELETES invalidate",
    ],
)
def test_settings_that_contradict_each_other_are_an_error(spark: SparkSession, target: str, clauses: str) -> None:
    target = target[:150].rstrip("_")
    condition = refused(spark, f"INSERT INTO {target} MERGE STRATEGY scd2 {clauses} {AB}")
    assert condition.startswith("LAMINA_")
    assert condition != "LAMINA_CONCURRENT_WRITE"
    assert not spark.catalog.tableExists(target)


@pytest.mark.parametrize("column", ["valid_from", "VALID_TO", "Flag"])
def test_the_source_must_not_carry_the_columns_of_the_strategy(spark: SparkSession, target: str, column: str) -> None:
    create(spark, target, f"id INT, name STRING, s INT, {VALIDITY}, flag BOOLEAN")
    source = f"SELECT *, NULL AS {column} FROM ({AB})"
    assert refused_scd2(spark, target, source, "CURRENT FLAG flag") == "LAMINA_RESERVED_COLUMN"
    assert refused_scd2(spark, target + "_new", source, "CURRENT FLAG flag") == "LAMINA_RESERVED_COLUMN"


def test_left_out_columns_of_the_strategy_are_no_error(spark: SparkSession, target: str) -> None:
    scd2(spark, target, f"SELECT *, current_timestamp() AS valid_from FROM ({AB})", "COLUMNS * EXCEPT (valid_from)")
    assert len(raw(spark, target)) == 1


def test_a_null_key_is_an_error_that_shows_rows(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, b, name", "(1, 'x', 'A')"), key="id, b")
    for row, shown in (("(NULL, 'yy', 'A')", "yy"), ("(4711, NULL, 'A')", "4711")):
        source = values("id, b, name", f"(2, 'z', NULL), {row}")
        statement = f"INSERT INTO {target} MERGE STRATEGY scd2 {source}"
        with pytest.raises(PySparkException, match=shown) as error:
            spark.sql(statement)
        assert spark_condition(error.value) == "LAMINA_NULL_KEY"
    assert snapshots(spark, target) == 1


@pytest.mark.parametrize(
    "query",
    [
        "SELECT CAST(NULL AS STRUCT<k: INT>) AS s, 1 AS id",
        "SELECT named_struct('k', CAST(NULL AS INT)) AS s, 1 AS id",
    ],
)
def test_a_null_struct_has_a_null_key(spark: SparkSession, target: str, query: str) -> None:
    assert refused_scd2(spark, target, query, key="s.k") == "LAMINA_NULL_KEY"
    assert not spark.catalog.tableExists(target)


@pytest.mark.parametrize(
    "value", ["1D", "CAST(1 AS FLOAT)", "map(1, 1)", "named_struct('m', map(1, 1))", "named_struct('d', 1D)"]
)
def test_a_key_that_has_no_order_is_an_error(spark: SparkSession, target: str, value: str) -> None:
    assert refused_scd2(spark, target, f"SELECT {value} AS id, 1 AS x") == "LAMINA_INVALID_KEY"
    assert not spark.catalog.tableExists(target)


def test_a_field_of_a_struct_that_is_a_double_is_no_key(spark: SparkSession, target: str) -> None:
    assert refused_scd2(spark, target, "SELECT named_struct('d', 1D) AS id", key="id.d") == "LAMINA_INVALID_KEY"


def test_two_columns_that_differ_in_case_are_an_error(spark: SparkSession, target: str) -> None:
    assert refused_scd2(spark, target, "SELECT 1 AS id, 2 AS a, 3 AS A") == "LAMINA_AMBIGUOUS_COLUMN"
    scd2(spark, target, "SELECT 1 AS id, 2 AS a")
    assert refused_scd2(spark, target, "SELECT 1 AS id, 2 AS a, 3 AS A") == "LAMINA_AMBIGUOUS_COLUMN"


def test_a_table_without_the_validity_columns_gets_the_alter_to_run(spark: SparkSession, target: str) -> None:
    create(spark, target, "id INT, name STRING, s INT")
    with pytest.raises(PySparkException, match=r"(?s)ALTER TABLE.*valid_from TIMESTAMP.*valid_to TIMESTAMP"):
        scd2(spark, target, AB)
    with pytest.raises(PySparkException, match=r"(?s)ALTER TABLE.*s2 INT.*to`? INT"):
        scd2(spark, target, AB, "SEQUENCE BY s VALID FROM s2 VALID TO `to`")
    assert spark.table(target).columns == ["id", "name", "s"]


@pytest.mark.parametrize(("kind", "sequence"), [("TIMESTAMP", True), ("TIMESTAMP_NTZ", False), ("DATE", False)])
def test_validity_columns_of_another_type_are_an_error(
    spark: SparkSession, target: str, kind: str, sequence: bool
) -> None:
    create(spark, target, f"id INT, name STRING, s INT, valid_from {kind}, valid_to {kind}")
    assert refused_scd2(spark, target, AB, "SEQUENCE BY s" if sequence else "").startswith("LAMINA_")
    assert snapshots(spark, target) == 0


def test_history_takes_no_other_strategy(spark: SparkSession, target: str) -> None:
    scd2(spark, target, AB)
    for clause in ("append_only", "full_refresh", "incremental UNIQUE KEY (id)", "delete_insert UNIQUE KEY (id)",
                   "snapshot PARTITION COLUMN id"):  # fmt: skip
        statement = f"INSERT INTO {target} MERGE STRATEGY {clause} ON SCHEMA CHANGE ignore {AB}"
        assert refused(spark, statement) == "LAMINA_HISTORY_REWRITE"
    spark.conf.set("spark.sql.lamina.allowHistoryRewrite", "true")
    try:
        spark.sql(f"INSERT INTO {target} MERGE STRATEGY full_refresh ON SCHEMA CHANGE ignore {AB}")
    finally:
        spark.conf.unset("spark.sql.lamina.allowHistoryRewrite")
    same(raw(spark, target), (1, "A", 1, None, None))


def test_views_and_missing_namespaces_are_no_target(spark: SparkSession, target: str) -> None:
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW scd2_view AS SELECT 1 AS id")
    assert refused_scd2(spark, "scd2_view", "SELECT 1 AS id") == "LAMINA_UNSUPPORTED_TABLE"
    assert refused_scd2(spark, "lake.nowhere.t", "SELECT 1 AS id") == "LAMINA_TARGET_NOT_FOUND"
    spark.conf.set("spark.sql.lamina.createTarget", "false")
    try:
        assert refused_scd2(spark, target, "SELECT 1 AS id") == "LAMINA_TARGET_NOT_FOUND"
    finally:
        spark.conf.unset("spark.sql.lamina.createTarget")


def test_a_missing_not_null_column_is_an_error_before_anything_is_written(spark: SparkSession, target: str) -> None:
    create(spark, target, f"id INT, name STRING NOT NULL, s INT, {VALIDITY}")
    statement = f"INSERT INTO {target} MERGE STRATEGY scd2 UNIQUE KEY (id) ON SCHEMA CHANGE ignore SELECT 1 AS id"
    assert refused(spark, statement) == "LAMINA_NOT_NULL_COLUMN"
    assert snapshots(spark, target) == 0
