"""What differs, what DELETE WHEN sees, and what is read once."""

from __future__ import annotations

from pathlib import Path

import pyspark
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.functions import udf
from pyspark.sql.types import IntegerType
from steps import execute, figures, given, metadata, refused, rows, sort, write

KEY = "MERGE STRATEGY incremental UNIQUE KEY (id)"

EQUAL = {
    "nan": ("DOUBLE", "double('NaN')", "double('NaN')"),
    "zero": ("DOUBLE", "0.0D", "-0.0D"),
    "float zero": ("FLOAT", "CAST(-0.0 AS FLOAT) * -1", "-CAST(0 AS FLOAT)"),
    "decimal": ("DECIMAL(10, 4)", "1.5000", "CAST(1.5 AS DECIMAL(2, 1))"),
    "map": ("MAP<STRING, INT>", "map('a', 1, 'b', NULL)", "map('b', NULL, 'a', 1)"),
    "map of maps": (
        "MAP<INT, MAP<STRING, DOUBLE>>",
        "map(1, map('x', 0.0D, 'y', double('NaN')), 2, map())",
        "map(2, map(), 1, map('y', double('NaN'), 'x', -0.0D))",
    ),
    "array of maps": ("ARRAY<MAP<INT, INT>>", "array(map(1, 1, 2, 2), NULL)", "array(map(2, 2, 1, 1), NULL)"),
    "struct with map": (
        "STRUCT<m: MAP<INT, ARRAY<DOUBLE>>>",
        "named_struct('m', map(1, array(-0.0D), 2, array()))",
        "named_struct('m', map(2, array(), 1, array(0.0D)))",
    ),
    "array of nan": ("ARRAY<DOUBLE>", "array(double('NaN'), NULL)", "array(double('NaN'), NULL)"),
    "map keyed by struct": (
        "MAP<STRUCT<a: INT, b: INT>, INT>",
        "map(named_struct('a', 1, 'b', 1), 1, named_struct('a', 2, 'b', NULL), 2)",
        "map(named_struct('a', 2, 'b', NULL), 2, named_struct('a', 1, 'b', 1), 1)",
    ),
    "binary": ("BINARY", "X'00FF'", "X'00FF'"),
    "integer to double": ("DOUBLE", "7.0D", "7"),
    "null struct": ("STRUCT<a: INT>", "NULL", "CAST(NULL AS STRUCT<a: INT>)"),
}

DIFFERENT = {
    "null struct and struct of nulls": ("STRUCT<a: INT>", "NULL", "named_struct('a', CAST(NULL AS INT))"),
    "empty array and null": ("ARRAY<INT>", "array()", "CAST(NULL AS ARRAY<INT>)"),
    "array order": ("ARRAY<INT>", "array(1, 2)", "array(2, 1)"),
    "null element": ("ARRAY<INT>", "array(1)", "array(1, NULL)"),
    "map value null": ("MAP<STRING, INT>", "map('a', NULL)", "map('b', NULL)"),
    "map smaller": ("MAP<STRING, INT>", "map('a', 1, 'b', 2)", "map('a', 1)"),
    "map larger": ("MAP<STRING, INT>", "map('a', 1)", "map('a', 1, 'b', 2)"),
    "map null value and value": ("MAP<STRING, INT>", "map('a', NULL)", "map('a', 0)"),
    "empty map and null": ("MAP<STRING, INT>", "map()", "CAST(NULL AS MAP<STRING, INT>)"),
    "letter case": ("STRING", "'a'", "'A'"),
    "trailing space": ("STRING", "'a'", "'a '"),
    "nan and null": ("DOUBLE", "double('NaN')", "CAST(NULL AS DOUBLE)"),
    "deep in array": (
        "ARRAY<STRUCT<x: STRUCT<m: MAP<STRING, INT>>>>",
        "array(named_struct('x', named_struct('m', map('k', 1))))",
        "array(named_struct('x', named_struct('m', map('k', 2))))",
    ),
}


def test_what_is_equal_is_not_updated(spark: SparkSession, target: str, layout: str) -> None:
    columns = ", ".join(f"c{at} {kind}" for at, (kind, _, _) in enumerate(EQUAL.values()))
    given(spark, target, f"id INT, {columns}", layout=layout)
    spark.sql(f"INSERT INTO {target} SELECT 1, " + ", ".join(held for _, held, _ in EQUAL.values()))
    query = "SELECT 1 AS id, " + ", ".join(f"{come} AS c{at}" for at, (_, _, come) in enumerate(EQUAL.values()))
    result = write(spark, target, KEY, query)
    assert figures(result) == ("unchanged", 0, 0, 0, 0)


def test_what_differs_is_updated(spark: SparkSession, target: str) -> None:
    columns = ", ".join(f"c{at} {kind}" for at, (kind, _, _) in enumerate(DIFFERENT.values()))
    given(spark, target, f"id INT, {columns}")
    held = ", ".join(held for _, held, _ in DIFFERENT.values())
    spark.sql(
        f"INSERT INTO {target} SELECT id, v.* FROM range({len(DIFFERENT)}) "
        f"LATERAL VIEW inline(array(struct({held}))) v AS " + ", ".join(f"c{at}" for at in range(len(DIFFERENT)))
    )
    query = " UNION ALL ".join(
        f"SELECT {row} AS id, "
        + ", ".join(f"{come if row == at else held} AS c{at}" for at, (_, held, come) in enumerate(DIFFERENT.values()))
        for row in range(len(DIFFERENT))
    )
    assert figures(write(spark, target, KEY, query)) == ("changed", 0, len(DIFFERENT), 0, 0)


@pytest.mark.skipif(pyspark.__version__ < "4", reason="Spark 3.5 has no collations")
def test_strings_differ_by_the_collation_of_the_table_s_column(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    query = "SELECT 1 AS id, 'A' COLLATE UTF8_LCASE AS v"
    assert figures(write(spark, target, KEY, query)) == ("changed", 0, 1, 0, 0)
    assert rows(spark, target) == sort((1, "A"))


def test_a_row_with_a_null_key_in_the_table_is_never_matched(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v STRING", "(NULL, 'n'), (NULL, 'm'), (1, 'a')", layout)
    assert figures(write(spark, target, KEY, "SELECT 1 AS id, 'b' AS v")) == ("changed", 0, 1, 0, 0)
    assert rows(spark, target) == sort((None, "n"), (None, "m"), (1, "b"))


def test_rows_of_one_key_in_the_table_are_all_treated_alike(spark: SparkSession, target: str, layout: str) -> None:
    given(
        spark,
        target,
        "id INT, v STRING, k INT",
        "(1, 'a', 1), (1, 'b', 2), (1, 'z', 3), (2, 'c', 4), (2, 'c', 4)",
        layout,
    )
    clauses = f"{KEY} DELETE WHEN id = 2 ON SCHEMA CHANGE ignore"
    result = write(spark, target, clauses, "SELECT * FROM VALUES (1, 'z'), (2, 'c') AS s(id, v)")
    assert figures(result) == ("changed", 0, 2, 0, 2)
    assert rows(spark, target) == sort((1, "z", 1), (1, "z", 2), (1, "z", 3))


def test_a_key_twice_in_the_table_hides_no_other_key(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (1, 'b'), (9, 'z')", layout)
    result = write(spark, target, KEY, "SELECT * FROM VALUES (1, 'c'), (2, 'd') AS s(id, v)")
    assert figures(result) == ("changed", 1, 2, 0, 0)
    assert rows(spark, target) == sort((1, "c"), (1, "c"), (2, "d"), (9, "z"))


def test_two_open_rows_beside_a_new_key_are_an_error(spark: SparkSession, target: str, layout: str) -> None:
    columns = "id INT, v STRING, valid_from TIMESTAMP, valid_to TIMESTAMP"
    open_row = "TIMESTAMP'2024-01-01', NULL"
    given(spark, target, columns, f"(1, 'a', {open_row}), (1, 'b', {open_row})", layout)
    query = "SELECT * FROM VALUES (1, 'c'), (2, 'd') AS s(id, v)"
    statement = f"INSERT INTO {target} MERGE STRATEGY scd2 UNIQUE KEY (id) {query}"
    refused(spark, statement, "LAMINA_DUPLICATE_KEY", target)


def test_hard_deletes_and_rows_with_a_null_key_in_the_table(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(NULL, 'n'), (1, 'a'), (1, 'b'), (2, 'c')")
    result = write(spark, target, f"{KEY} HARD DELETES invalidate", "SELECT 2 AS id, 'c' AS v")
    assert (result.rows_inserted, result.rows_updated) == (0, 0)
    assert rows(spark, target) == sort((None, "n"), (2, "c"))


def test_null_is_not_true_for_delete_when(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b')")
    query = "SELECT * FROM VALUES (1, 'a', NULL), (2, 'b', false) AS s(id, v, gone)"
    assert write(spark, target, f"{KEY} DELETE WHEN gone COLUMNS * EXCEPT (gone)", query).status == "unchanged"


def test_the_delete_predicate_may_be_any_expression(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')")
    predicate = "CASE WHEN v IN ('a', 'x') THEN id BETWEEN 1 AND 2 ELSE s.flag = 'D' END"
    clauses = f"{KEY} DELETE WHEN {predicate} COLUMNS * EXCEPT (s)"
    query = """SELECT * FROM VALUES (1, 'a', named_struct('flag', 'U')), (2, 'y', named_struct('flag', 'D')),
        (3, 'z', named_struct('flag', 'U')) AS q(id, v, s)"""
    assert figures(write(spark, target, clauses, query)) == ("changed", 0, 1, 0, 2)
    assert rows(spark, target) == [(3, "z")]


def test_the_watermark_may_be_a_column_that_the_statement_adds(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b')")
    clauses = f"{KEY} WATERMARK ts ON SCHEMA CHANGE append_new_columns"
    query = "SELECT * FROM VALUES (1, 'x', 1), (1, 'y', 2), (2, 'z', NULL) AS s(id, v, ts)"
    result = write(spark, target, clauses, query)
    assert figures(result) == ("changed", 0, 2, 0, 0)
    assert result.columns_added == ["ts"]
    assert rows(spark, target) == sort((1, "y", 2), (2, "z", None))


def test_a_new_column_of_nulls_changes_no_row_but_the_schema(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    clauses = f"{KEY} ON SCHEMA CHANGE append_new_columns"
    result = write(spark, target, clauses, "SELECT 1 AS id, 'a' AS v, CAST(NULL AS INT) AS extra")
    assert figures(result) == ("changed", 0, 0, 0, 0)
    assert len(metadata(spark, target)["snapshots"]) == 1
    assert rows(spark, target) == [(1, "a", None)]


@pytest.mark.parametrize("strategy", ["append_only", "incremental UNIQUE KEY (id)", "delete_insert UNIQUE KEY (id)"])
def test_an_empty_source_with_a_new_column_commits_the_schema_alone(
    spark: SparkSession, target: str, strategy: str
) -> None:
    given(spark, target, "id INT", "(1)")
    clauses = f"MERGE STRATEGY {strategy} ON SCHEMA CHANGE append_new_columns"
    result = write(spark, target, clauses, "SELECT 1 AS id, 2 AS extra WHERE false")
    assert result.status == "changed"
    assert len(metadata(spark, target)["snapshots"]) == 1
    assert spark.table(target).columns == ["id", "extra"]


@pytest.mark.parametrize(
    "clauses",
    [
        "MERGE STRATEGY full_refresh",
        "MERGE STRATEGY append_only",
        "MERGE STRATEGY incremental UNIQUE KEY (id) WATERMARK v HARD DELETES invalidate",
        "MERGE STRATEGY delete_insert UNIQUE KEY (id)",
        "MERGE STRATEGY snapshot PARTITION COLUMN id",
    ],
)
def test_the_source_is_read_once(spark: SparkSession, target: str, clauses: str, tmp_path: Path) -> None:
    log = str(tmp_path / "reads")

    def read(value: int) -> int:
        with open(log, "a") as reads:  # noqa: PTH123
            reads.write(f"{value}\n")
        return value

    spark.udf.register("seen_once", udf(read, IntegerType()).asNondeterministic())
    given(spark, target, "id INT, v INT", "(1, 1), (2, 2), (3, 3)", "merge_on_read_2")
    query = "SELECT id, seen_once(id * 10) AS v FROM VALUES (1), (2), (9) AS s(id)"
    write(spark, target, clauses, query)
    assert sorted(Path(log).read_text().split()) == ["10", "20", "90"]


def test_a_random_key_replaces_exactly_its_own_row(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v STRING", layout=layout)
    spark.sql(f"INSERT INTO {target} SELECT CAST(id AS INT), 'old' FROM range(1000)")
    query = "SELECT CAST(rand() * 1000 AS INT) AS id, uuid() AS v"
    for strategy in ("delete_insert UNIQUE KEY (id)", "incremental UNIQUE KEY (id)", "snapshot PARTITION COLUMN id"):
        write(spark, target, f"MERGE STRATEGY {strategy}", query)
        assert spark.sql(f"SELECT count(DISTINCT id), count(*) FROM {target}").head() == (1000, 1000)


def test_a_run_id_commits_once(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    clauses = f'{KEY} RUN ID "r\'1"'
    bad = f"INSERT INTO {target} {clauses} SELECT * FROM VALUES (1, 'x'), (1, 'y') AS s(id, v)"
    refused(spark, bad, "LAMINA_DUPLICATE_KEY", target)
    assert write(spark, target, clauses, "SELECT 1 AS id, 'a' AS v").status == "unchanged"
    assert write(spark, target, clauses, "SELECT 1 AS id, 'b' AS v").status == "changed"
    assert write(spark, target, clauses, "SELECT 1 AS id, 'c' AS v").status == "skipped"
    spark.sql(f"INSERT INTO {target} VALUES (2, 'other')")
    assert (
        write(spark, target, 'MERGE STRATEGY append_only RUN ID "r\'1"', "SELECT 5 AS id, 'd' AS v").status == "skipped"
    )
    by_parameter = write(spark, target, f"{KEY} RUN ID :run", "SELECT 1 AS id, :v AS v", args={"run": "r'1", "v": "e"})
    assert by_parameter.status == "skipped"
    positional = write(spark, target, f"{KEY} RUN ID ?", "SELECT ? AS id, 'f' AS v", args=["r2", 1])
    assert figures(positional) == ("changed", 0, 1, 0, 0)
    assert rows(spark, target) == sort((1, "f"), (2, "other"))


def test_no_helper_column_and_no_view_is_left(spark: SparkSession, target: str) -> None:
    statement = f"""INSERT INTO {target} MERGE STRATEGY incremental UNIQUE KEY (a, b) WATERMARK ts
        DELETE WHEN op = 'D' COLUMNS * EXCEPT (op) SELECT 1 AS a, 2 AS b, 3 AS ts, 'U' AS op"""
    execute(spark, statement)
    execute(spark, statement.replace("3 AS ts", "4 AS ts"))
    assert [field["name"] for field in metadata(spark, target)["schemas"][-1]["fields"]] == ["a", "b", "ts"]
    assert not [table for table in spark.catalog.listTables("lake.db") if table.isTemporary]
