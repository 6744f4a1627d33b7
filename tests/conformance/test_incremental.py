"""The strategy incremental: upsert on the key."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from steps import commits, figures, given, refused, rows, sort, write

KEY = "MERGE STRATEGY incremental UNIQUE KEY (id)"


def test_new_keys_are_inserted_changed_rows_updated_and_others_untouched(
    spark: SparkSession, target: str, layout: str
) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b'), (3, NULL)", layout)
    result = write(spark, target, KEY, "SELECT * FROM VALUES (2, 'B'), (4, 'd'), (1, 'a'), (3, NULL) AS s(id, v)")
    assert figures(result) == ("changed", 1, 1, 0, 0)
    assert result.strategy == "incremental"
    assert rows(spark, target) == sort((1, "a"), (2, "B"), (3, None), (4, "d"))


def test_null_and_value_differ_both_ways(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, NULL), (2, 'b')")
    result = write(spark, target, KEY, "SELECT * FROM VALUES (1, 'a'), (2, NULL) AS s(id, v)")
    assert figures(result) == ("changed", 0, 2, 0, 0)
    assert rows(spark, target) == sort((1, "a"), (2, None))


def test_the_same_rows_again_make_no_snapshot(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v STRING, d DATE", "(1, NULL, NULL), (2, 'b', DATE'2024-01-01')", layout)
    result = write(spark, target, KEY, f"TABLE {target}")
    assert figures(result) == ("unchanged", 0, 0, 0, 0)


def test_an_empty_source_makes_no_snapshot(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    assert figures(write(spark, target, KEY, "SELECT 1 AS id, 'x' AS v WHERE false")) == ("unchanged", 0, 0, 0, 0)
    assert rows(spark, target) == [(1, "a")]


def test_identical_duplicates_collapse(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    result = write(spark, target, KEY, "SELECT * FROM VALUES (1, 'b'), (1, 'b'), (2, NULL), (2, NULL) AS s(id, v)")
    assert figures(result) == ("changed", 1, 1, 0, 0)
    assert rows(spark, target) == sort((1, "b"), (2, None))


def test_identical_duplicates_collapse_deeply(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, d DOUBLE, m MAP<STRING, INT>, a ARRAY<STRUCT<x: DOUBLE>>")
    query = """SELECT 1 AS id, double('NaN') AS d, map('a', 1, 'b', 2) AS m, array(named_struct('x', 0.0D)) AS a
        UNION ALL SELECT 1, double('NaN'), map('b', 2, 'a', 1), array(named_struct('x', -0.0D))"""
    assert figures(write(spark, target, KEY, query)) == ("changed", 1, 0, 0, 0)


def test_different_duplicates_are_an_error_that_shows_the_key(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    query = "SELECT * FROM VALUES (4711, 'b'), (4711, 'c'), (2, 'd') AS s(id, v)"
    assert "4711" in refused(spark, f"INSERT INTO {target} {KEY} {query}", "LAMINA_DUPLICATE_KEY", target)


def test_duplicates_that_differ_by_null_are_an_error(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING")
    query = "SELECT * FROM VALUES (1, 'b'), (1, NULL) AS s(id, v)"
    refused(spark, f"INSERT INTO {target} {KEY} {query}", "LAMINA_DUPLICATE_KEY", target)


@pytest.mark.parametrize("clause", ["WATERMARK ts", "SEQUENCE BY ts"])
def test_the_greatest_watermark_wins_among_duplicates(spark: SparkSession, target: str, clause: str) -> None:
    given(spark, target, "id INT, v STRING, ts INT", "(1, 'a', 1)")
    query = "SELECT * FROM VALUES (1, 'c', 3), (1, 'b', 2), (2, 'x', NULL), (2, 'y', 0) AS s(id, v, ts)"
    assert figures(write(spark, target, f"{KEY} {clause}", query)) == ("changed", 1, 1, 0, 0)
    assert rows(spark, target) == sort((1, "c", 3), (2, "y", 0))


def test_a_tie_of_the_watermark_between_different_rows_is_an_error(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING, ts INT", "(1, 'a', 1)")
    query = "SELECT * FROM VALUES (1, 'b', 3), (1, 'c', 3), (1, 'd', 2) AS s(id, v, ts)"
    refused(spark, f"INSERT INTO {target} {KEY} WATERMARK ts {query}", "LAMINA_DUPLICATE_KEY", target)


def test_a_tie_below_the_winner_is_no_error(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING, ts INT", "(1, 'a', 1)")
    query = "SELECT * FROM VALUES (1, 'b', 2), (1, 'c', 2), (1, 'd', 3), (1, 'd', 3) AS s(id, v, ts)"
    write(spark, target, f"{KEY} WATERMARK ts", query)
    assert rows(spark, target) == [(1, "d", 3)]


def test_a_tie_of_null_watermarks_between_different_rows_is_an_error(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING, ts INT")
    query = "SELECT 1 AS id, 'b' AS v, CAST(NULL AS INT) AS ts UNION ALL SELECT 1, 'c', NULL"
    refused(spark, f"INSERT INTO {target} {KEY} WATERMARK ts {query}", "LAMINA_DUPLICATE_KEY", target)


def test_an_older_row_updates_nothing_and_an_equally_old_one_does(
    spark: SparkSession, target: str, layout: str
) -> None:
    given(spark, target, "id INT, v STRING, ts INT", "(1, 'a', 5), (2, 'b', 5), (3, 'c', 5)", layout)
    query = "SELECT * FROM VALUES (1, 'x', 4), (2, 'y', 5), (3, 'z', 6), (4, 'n', 0) AS s(id, v, ts)"
    assert figures(write(spark, target, f"{KEY} WATERMARK ts", query)) == ("changed", 1, 2, 0, 0)
    assert rows(spark, target) == sort((1, "a", 5), (2, "y", 5), (3, "z", 6), (4, "n", 0))


def test_a_null_watermark_is_older_than_everything(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING, ts INT", "(1, 'a', 5), (2, 'b', NULL), (3, 'c', NULL)")
    query = "SELECT * FROM VALUES (1, 'x', NULL), (2, 'y', -9), (3, 'z', NULL) AS s(id, v, ts)"
    assert figures(write(spark, target, f"{KEY} WATERMARK ts", query)) == ("changed", 0, 2, 0, 0)
    assert rows(spark, target) == sort((1, "a", 5), (2, "y", -9), (3, "z", None))


def test_watermark_and_sequence_by_together_are_an_error(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, ts INT", "(1, 1)")
    statement = f"INSERT INTO {target} {KEY} WATERMARK ts SEQUENCE BY ts SELECT 1 AS id, 2 AS ts"
    with pytest.raises(Exception, match="LAMINA_"):
        spark.sql(statement)
    assert rows(spark, target) == [(1, 1)]


def test_columns_that_the_source_lacks_keep_their_value_and_are_null_on_insert(
    spark: SparkSession, target: str, layout: str
) -> None:
    given(spark, target, "id INT, v STRING, kept STRING", "(1, 'a', 'k'), (2, 'b', NULL)", layout)
    query = "SELECT * FROM VALUES (1, 'A'), (2, 'b'), (3, 'c') AS s(id, v)"
    result = write(spark, target, f"{KEY} ON SCHEMA CHANGE append_new_columns", query)
    assert figures(result) == ("changed", 1, 1, 0, 0)
    assert result.columns_padded == ["kept"]
    assert rows(spark, target) == sort((1, "A", "k"), (2, "b", None), (3, "c", None))


def test_a_struct_field_that_the_source_lacks_is_kept_on_update_and_null_on_insert(
    spark: SparkSession, target: str
) -> None:
    given(
        spark,
        target,
        "id INT, s STRUCT<a: INT, b: STRUCT<c: INT, d: INT>>",
        "(1, named_struct('a', 1, 'b', named_struct('c', 2, 'd', 3)))",
    )
    query = """SELECT id, named_struct('b', named_struct('c', c)) AS s
        FROM VALUES (1, 20), (2, 30) AS v(id, c)"""
    result = write(spark, target, f"{KEY} ON SCHEMA CHANGE ignore", query)
    assert figures(result) == ("changed", 1, 1, 0, 0)
    assert sorted(result.columns_padded) == ["s.a", "s.b.d"]
    assert rows(spark, target) == sort((1, (1, (20, 3))), (2, (None, (30, None))))


def test_the_same_partial_struct_again_is_no_change(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, s STRUCT<a: INT, b: INT>", "(1, named_struct('a', 1, 'b', 2))")
    query = "SELECT 1 AS id, named_struct('b', 2) AS s"
    assert write(spark, target, f"{KEY} ON SCHEMA CHANGE ignore", query).status == "unchanged"


def test_a_partial_struct_meets_a_null_struct(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, s STRUCT<a: INT, b: INT>", "(1, NULL), (2, named_struct('a', 1, 'b', 2))")
    query = "SELECT 1 AS id, named_struct('b', 7) AS s UNION ALL SELECT 2, NULL"
    write(spark, target, f"{KEY} ON SCHEMA CHANGE ignore", query)
    assert rows(spark, target)[0] == (1, (None, 7))


def test_inside_array_elements_a_missing_field_is_null(spark: SparkSession, target: str) -> None:
    given(
        spark,
        target,
        "id INT, a ARRAY<STRUCT<x: INT, y: INT>>, m MAP<STRING, STRUCT<x: INT, y: INT>>",
        "(1, array(named_struct('x', 1, 'y', 2)), map('k', named_struct('x', 1, 'y', 2)))",
    )
    query = "SELECT 1 AS id, array(named_struct('x', 5)) AS a, map('k', named_struct('x', 6)) AS m"
    result = write(spark, target, f"{KEY} ON SCHEMA CHANGE ignore", query)
    assert figures(result) == ("changed", 0, 1, 0, 0)
    assert rows(spark, target) == [(1, [(5, None)], {"k": (6, None)})]


def test_delete_when_removes_the_matched_row(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')", layout)
    query = "SELECT * FROM VALUES (1, 'x', 'D'), (2, 'y', NULL), (9, 'z', 'D'), (4, 'n', 'I') AS s(id, v, op)"
    result = write(spark, target, f"{KEY} DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)", query)
    assert figures(result) == ("changed", 1, 1, 0, 1)
    assert rows(spark, target) == sort((2, "y"), (3, "c"), (4, "n"))


def test_delete_when_sees_a_column_left_out_by_the_policy(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b')")
    query = "SELECT * FROM VALUES (1, 'x', true), (2, 'b', false) AS s(id, v, gone)"
    result = write(spark, target, f"{KEY} DELETE WHEN gone ON SCHEMA CHANGE ignore", query)
    assert figures(result) == ("changed", 0, 0, 0, 1)
    assert result.columns_ignored == ["gone"]


def test_the_winning_row_decides_about_the_delete(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING, ts INT", "(1, 'a', 0), (2, 'b', 0)")
    query = """SELECT * FROM VALUES (1, 'x', 1, 'D'), (1, 'y', 2, 'U'), (2, 'z', 2, 'D'), (2, 'w', 1, 'U')
        AS s(id, v, ts, op)"""
    result = write(spark, target, f"{KEY} WATERMARK ts DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)", query)
    assert figures(result) == ("changed", 0, 1, 0, 1)
    assert rows(spark, target) == [(1, "y", 2)]


def test_a_delete_older_than_the_watermark_does_nothing(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING, ts INT", "(1, 'a', 5), (2, 'b', 5), (3, 'c', 5)")
    query = "SELECT * FROM VALUES (1, 'x', 4, 'D'), (2, 'y', 5, 'D'), (3, 'z', NULL, 'D') AS s(id, v, ts, op)"
    result = write(spark, target, f"{KEY} WATERMARK ts DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)", query)
    assert figures(result) == ("changed", 0, 0, 0, 1)
    assert rows(spark, target) == sort((1, "a", 5), (3, "c", 5))


def test_equal_duplicates_of_which_one_deletes_are_an_error(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a')")
    statement = f"""INSERT INTO {target} {KEY} DELETE WHEN op = 'D' COLUMNS * EXCEPT (op)
        SELECT * FROM VALUES (1, 'b', 'D'), (1, 'b', 'U') AS s(id, v, op)"""
    refused(spark, statement, "LAMINA_DUPLICATE_KEY", target)


def test_hard_deletes_invalidate_removes_rows_whose_key_is_absent(
    spark: SparkSession, target: str, layout: str
) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')", layout)
    query = "SELECT * FROM VALUES (1, 'a'), (2, 'B'), (4, 'd') AS s(id, v)"
    result = write(spark, target, f"{KEY} HARD DELETES invalidate", query)
    assert figures(result) == ("changed", 1, 1, 0, 1)
    assert rows(spark, target) == sort((1, "a"), (2, "B"), (4, "d"))


def test_hard_deletes_ignore_is_the_default(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b')")
    assert write(spark, target, f"{KEY} HARD DELETES ignore", "SELECT 1 AS id, 'a' AS v").status == "unchanged"


def test_an_empty_source_with_hard_deletes_is_refused_unless_allowed(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b')")
    query = "SELECT 1 AS id, 'x' AS v WHERE false"
    refused(spark, f"INSERT INTO {target} {KEY} HARD DELETES invalidate {query}", "LAMINA_EMPTY_SOURCE", target)
    result = write(spark, target, f"{KEY} HARD DELETES invalidate ALLOW EMPTY SOURCE", query)
    assert figures(result) == ("changed", 0, 0, 0, 2)
    assert rows(spark, target) == []


def test_hard_deletes_with_an_older_row_keep_the_row(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING, ts INT", "(1, 'a', 5), (2, 'b', 5)")
    result = write(spark, target, f"{KEY} WATERMARK ts HARD DELETES invalidate", "SELECT 1 AS id, 'old' AS v, 1 AS ts")
    assert figures(result) == ("changed", 0, 0, 0, 1)
    assert rows(spark, target) == [(1, "a", 5)]


def test_the_source_may_read_the_target(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, n INT", "(1, 1), (2, 2)", layout)
    query = f"SELECT id, n * 10 AS n FROM {target} UNION ALL SELECT id + 2, n FROM {target}"
    assert figures(write(spark, target, KEY, query)) == ("changed", 2, 2, 0, 0)
    assert rows(spark, target) == sort((1, 10), (2, 20), (3, 1), (4, 2))


def test_a_refusal_leaves_no_column_behind(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT", "(1)")
    before = commits(spark, target)
    statement = f"""INSERT INTO {target} {KEY} ON SCHEMA CHANGE append_new_columns
        SELECT * FROM VALUES (1, 'b'), (1, 'c') AS s(id, extra)"""
    refused(spark, statement, "LAMINA_DUPLICATE_KEY", target)
    assert spark.table(target).columns == ["id"]
    assert commits(spark, target) == before


def test_duplicates_that_differ_where_the_table_gets_nothing_are_identical(spark: SparkSession, target: str) -> None:
    given(spark, target, "id INT, v STRING, s STRUCT<a: INT>", "(1, 'a', NULL)")
    query = (
        "SELECT * FROM VALUES (1, 'b', 1, named_struct('a', 1, 'b', 1)), (1, 'b', 2, named_struct('a', 1, 'b', 2)) "
        "AS s(id, v, z, s)"
    )
    result = write(spark, target, f"{KEY} ON SCHEMA CHANGE ignore", query)
    assert (*figures(result), result.columns_ignored) == ("changed", 0, 1, 0, 0, ["z", "s.b"])
    assert rows(spark, target) == [(1, "b", (1,))]


def test_a_null_struct_does_not_take_the_fields_that_the_source_lacks(
    spark: SparkSession, target: str, layout: str
) -> None:
    given(spark, target, "id INT, s STRUCT<a: INT, b: INT>", "(1, struct(1, 5)), (2, struct(1, NULL))", layout)
    query = "SELECT id, CAST(NULL AS STRUCT<a: INT>) AS s FROM VALUES (1), (2), (3) AS v(id)"
    result = write(spark, target, f"{KEY} ON SCHEMA CHANGE ignore", query)
    assert figures(result) == ("changed", 1, 2, 0, 0)
    assert rows(spark, target) == sort((1, (None, 5)), (2, None), (3, None))
    assert write(spark, target, f"{KEY} ON SCHEMA CHANGE ignore", query).status == "unchanged"
