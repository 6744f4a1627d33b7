"""How the statement may be written."""

from __future__ import annotations

import pyspark
import pytest
from pyspark.sql import SparkSession
from steps import commits, execute, figures, given, refused, rows, sort, write

INC = "MERGE STRATEGY incremental UNIQUE KEY (id)"

FORMS = {
    "into_table": "INSERT INTO TABLE {t} {c} SELECT 1 AS id, 'b' AS v",
    "lower_case": "insert into {t} merge strategy INCREMENTAL Unique kEy (id) on schema change FAIL "
    "select 1 as id, 'b' as v",
    "policy_first": "INSERT INTO {t} ON SCHEMA CHANGE fail {c} SELECT 1 AS id, 'b' AS v",
    "after_the_query": "INSERT INTO {t} SELECT 1 AS id, 'b' AS v {c} ON SCHEMA CHANGE ignore",
    "after_the_query_policy_first": "INSERT INTO {t} SELECT 1 AS id, 'b' AS v ON SCHEMA CHANGE ignore {c}",
    "after_a_where": "INSERT INTO {t} SELECT id, v FROM VALUES (1, 'b') AS s(id, v) WHERE id > 0 {c}",
    "after_an_order_by": "INSERT INTO {t} SELECT id, v FROM VALUES (1, 'b') AS s(id, v) ORDER BY id LIMIT 1 {c}",
    "after_a_union": "INSERT INTO {t} SELECT 1 AS id, 'b' AS v UNION SELECT 1, 'b' {c}",
    "with_before_the_select": "INSERT INTO {t} {c} WITH q AS (SELECT 1 AS id, 'b' AS v) SELECT * FROM q",
    "with_before_the_insert": "WITH q AS (SELECT 1 AS id, 'b' AS v) INSERT INTO {t} {c} SELECT * FROM q",
    "from_select": "INSERT INTO {t} {c} FROM VALUES (1, 'b') AS s(id, v) SELECT id, v",
    "values": "INSERT INTO {t} {c} VALUES (1, 'b')",
    "values_after": "INSERT INTO {t} VALUES (1, 'b') {c}",
    "list_and_values": "INSERT INTO {t} (v, id) {c} VALUES ('b', 1)",
    "list_and_select": "INSERT INTO {t} (v, id) {c} SELECT 'b', 1",
    "by_name": "INSERT INTO {t} BY NAME {c} SELECT 'b' AS v, 1 AS id",
    "parentheses": "INSERT INTO {t} {c} (SELECT 1 AS id, 'b' AS v)",
    "semicolon": "INSERT INTO {t} {c} SELECT 1 AS id, 'b' AS v ;",
    "comments": "/* a */ INSERT -- MERGE STRATEGY scd2\n INTO {t} /* ON SCHEMA CHANGE x */ {c} "
    "-- 'it''s\n SELECT 1 AS id, 'b' AS v -- end",
    "hint": "INSERT INTO {t} {c} SELECT /*+ COALESCE(1) */ 1 AS id, 'b' AS v",
    "identifier": "INSERT INTO IDENTIFIER('{t}') {c} SELECT 1 AS id, 'b' AS v",
    "quoted": "INSERT INTO `lake`.`db`.`{n}` MERGE STRATEGY incremental UNIQUE KEY (`id`) SELECT 1 AS `id`, 'b' AS `v`",
    "words_in_strings": "INSERT INTO {t} {c} "
    "SELECT 1 AS id, replace('b MERGE STRATEGY append_only', ' MERGE STRATEGY append_only', '') AS v",
    "newlines": "INSERT\nINTO\n{t}\nMERGE\nSTRATEGY\nincremental\nUNIQUE\nKEY\n(\nid\n)\nSELECT\n1 AS id,\n'b' AS v\n",
    "table_words": "INSERT INTO {t} {c} "
    "SELECT merge AS id, strategy AS v FROM VALUES (1, 'b') AS history(merge, strategy)",
    "delete_when_before_values": "INSERT INTO {t} {c} DELETE WHEN v = 'D' VALUES (1, 'b')",
    "delete_when_before_with": "INSERT INTO {t} {c} DELETE WHEN id < 0 WITH q AS (SELECT 1 AS id, 'b' AS v) TABLE q",
    "delete_when_after": "INSERT INTO {t} SELECT 1 AS id, 'b' AS v {c} DELETE WHEN v = 'D' ON SCHEMA CHANGE ignore",
    "options_in_any_order": "INSERT INTO {t} MERGE STRATEGY incremental HARD DELETES ignore UNIQUE KEY (id) "
    "SELECT 1 AS id, 'b' AS v",
}


@pytest.mark.parametrize("form", FORMS)
def test_the_statement_may_be_written(spark: SparkSession, target: str, form: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'k')")
    statement = FORMS[form].format(t=target, c=INC, n=target.rsplit(".", 1)[1])
    assert figures(execute(spark, statement)) == ("changed", 0, 1, 0, 0)
    assert rows(spark, target) == sort((1, "b"), (2, "k"))


def test_named_parameters(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    statement = f"INSERT INTO IDENTIFIER(:t) {INC} DELETE WHEN v = :gone SELECT :id AS id, :v AS v"
    args = {"t": target, "gone": "D", "id": 1, "v": "it's"}
    assert figures(execute(spark, statement, args)) == ("changed", 0, 1, 0, 0)
    assert figures(execute(spark, statement, {**args, "v": "D"})) == ("changed", 0, 0, 0, 1)


def test_positional_parameters_count_from_left_to_right(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    statement = f"INSERT INTO {target} {INC} DELETE WHEN v = ? SELECT * FROM VALUES (?, ?), (?, 'D') AS s(id, v)"
    assert figures(execute(spark, statement, ["D", 7, "x", 1])) == ("changed", 1, 0, 0, 1)
    assert rows(spark, target) == [(7, "x")]


@pytest.mark.skipif(pyspark.__version__ < "4", reason="Spark 3.5 has no SQL variables")
def test_sql_variables(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b')")
    spark.sql("DECLARE OR REPLACE VARIABLE wanted STRING DEFAULT 'x'")
    query = "SELECT * FROM VALUES (1, 'x'), (2, 'y') AS s(id, v)"
    assert figures(write(spark, target, f"{INC} DELETE WHEN v = wanted", query)) == ("changed", 0, 1, 0, 1)


def test_columns_are_matched_by_name(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, a STRING, b STRING", "(1, 'a', 'b')")
    write(spark, target, "MERGE STRATEGY append_only", "SELECT 'B' AS b, 'A' AS a, 2 AS id")
    assert rows(spark, target) == sort((1, "a", "b"), (2, "A", "B"))


def test_two_columns_that_differ_only_in_case_are_an_error(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    for strategy in ("append_only", "incremental UNIQUE KEY (id)"):
        statement = f"INSERT INTO {target} MERGE STRATEGY {strategy} SELECT 1 AS id, 'x' AS v, 'y' AS V"
        refused(spark, statement, "LAMINA_AMBIGUOUS_COLUMN", target)
        refused(spark, statement.replace(target, f"{target}_new"), "LAMINA_AMBIGUOUS_COLUMN")
    nested = f"""INSERT INTO {target} ON SCHEMA CHANGE append_new_columns
        SELECT 1 AS id, 'x' AS v, named_struct('a', 1, 'A', 2) AS s"""
    refused(spark, nested, "LAMINA_AMBIGUOUS_COLUMN", target)


def test_two_columns_of_one_name_are_an_error_though_left_out(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT", "(1)")
    statement = f"INSERT INTO {target} MERGE STRATEGY append_only SELECT 1 AS id, 2 AS id"
    refused(spark, statement, "LAMINA_AMBIGUOUS_COLUMN", target)


def test_case_sensitive_names_are_two_columns(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        statement = f"INSERT INTO {target} {INC} SELECT 1 AS ID, 'x' AS v"
        refused(spark, statement, "LAMINA_COLUMN_NOT_FOUND", target)
        result = write(
            spark, target, f"{INC} ON SCHEMA CHANGE append_new_columns", "SELECT 1 AS id, 'x' AS v, 'y' AS V"
        )
        assert result.columns_added == ["V"]
        assert rows(spark, target) == [(1, "x", "y")]
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


def test_the_new_words_are_not_reserved(spark: SparkSession) -> None:
    words = (
        "merge strategy unique key watermark track history schema change policy run hard deletes invalidate "
        "sequence valid current flag widen types empty chunk"
    )
    names = words.split()
    spark.sql(f"CREATE TABLE lake.db.strategy ({', '.join(f'{name} INT' for name in names)}) USING iceberg")
    spark.sql(f"INSERT INTO lake.db.strategy SELECT {', '.join(f'{at} AS {name}' for at, name in enumerate(names))}")
    statement = """INSERT INTO lake.db.strategy MERGE STRATEGY incremental UNIQUE KEY (key) WATERMARK watermark
        DELETE WHEN merge = 99 AND history IS NOT NULL TABLE lake.db.strategy"""
    result = execute(spark, statement)
    assert result.status == "unchanged"


def test_a_plain_insert_is_sparks_own(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')", properties="'lamina.merge-strategy' = 'full_refresh'")
    assert spark.sql(f"INSERT INTO {target} SELECT 2, 'b'").columns == []
    assert rows(spark, target) == sort((1, "a"), (2, "b"))


@pytest.mark.parametrize("mode", ["", "EXTENDED", "FORMATTED", "COST"])
def test_explain_shows_the_alter_table_and_changes_nothing(spark: SparkSession, target: str, mode: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    before = commits(spark, target)
    statement = (
        f"EXPLAIN {mode} INSERT INTO {target} {INC} ON SCHEMA CHANGE append_new_columns SELECT 1 AS id, 2 AS extra"
    )
    plan = spark.sql(statement).head()[0]
    assert "ADD COLUMNS (extra INT)" in plan
    assert commits(spark, target) == before
    assert spark.table(target).columns == ["id", "v"]


def test_a_column_list_with_by_name_is_sparks_error(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    refused(spark, f"INSERT INTO {target} (id, v) BY NAME {INC} SELECT 1 AS id, 'b' AS v", "PARSE_SYNTAX_ERROR", target)


def test_a_list_of_another_length_is_an_error(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    for query in ("VALUES (1)", "VALUES (1, 'b', 3)", "SELECT 1"):
        with pytest.raises(Exception, match=r"INSERT_COLUMN_ARITY_MISMATCH|LAMINA_"):
            spark.sql(f"INSERT INTO {target} (id, v) {INC} {query}")
    assert rows(spark, target) == [(1, "a")]


def test_a_list_that_repeats_a_column_is_an_error(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    with pytest.raises(Exception, match=r"COLUMN_ALREADY_EXISTS|LAMINA_AMBIGUOUS_COLUMN"):
        spark.sql(f"INSERT INTO {target} (id, ID) {INC} VALUES (1, 2)")
    assert rows(spark, target) == [(1, "a")]


def test_errors_of_the_query_are_sparks_own(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    refused(spark, f"INSERT INTO {target} {INC} SELECT nope FROM {target}", "UNRESOLVED_COLUMN.WITH_SUGGESTION", target)
    refused(spark, f"INSERT INTO {target} {INC} TABLE lake.db.no_such_source", "TABLE_OR_VIEW_NOT_FOUND", target)
    refused(spark, f"INSERT INTO {target} {INC} SELECT (1 AS id", "PARSE_SYNTAX_ERROR", target)
    spark.conf.set("spark.sql.ansi.enabled", "true")  # Spark 3.5 has 1 / 0 as NULL otherwise
    try:
        divided = f"INSERT INTO {target} {INC} SELECT CAST(1 / 0 AS INT) AS id, 'x' AS v"
        refused(spark, divided, "DIVIDE_BY_ZERO", target)
    finally:
        spark.conf.unset("spark.sql.ansi.enabled")
