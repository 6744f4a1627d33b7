"""`lamina.write` and `lamina.plan` on real tables."""

from __future__ import annotations

import lamina
import pytest
from chispa import assert_df_equality
from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame, SparkSession


def customers(spark: SparkSession, *rows: tuple[object, ...], columns: str = "id INT, name STRING") -> DataFrame:
    return spark.createDataFrame(list(rows), columns)


def snapshots(spark: SparkSession, table: str) -> int:
    return spark.table(f"{table}.snapshots").count()


@pytest.mark.smoke
def test_the_first_run_creates_the_table(spark: SparkSession, target: str) -> None:
    source = customers(spark, (1, "Ann"), (2, "Ben"))
    result = lamina.write(source, target, strategy="append_only")
    assert (result.status, result.strategy, result.rows_inserted) == ("created", "append_only", 2)
    assert result.columns_added == ()
    assert_df_equality(spark.table(target), source, ignore_row_order=True)


@pytest.mark.smoke
def test_a_new_column_and_its_rows_are_one_commit(spark: SparkSession, target: str) -> None:
    lamina.write(customers(spark, (1, "Ann")), target, strategy="append_only")
    wider = customers(spark, (2, "Ben", "b@x"), columns="id INT, name STRING, email STRING")
    result = lamina.write(wider, target, strategy="append_only", on_schema_change="append_new_columns")
    assert (result.status, result.columns_added) == ("changed", ("email",))
    assert snapshots(spark, target) == 2
    newest = spark.table(f"{target}.metadata_log_entries").orderBy("timestamp").tail(1)[0]
    assert newest.latest_snapshot_id == result.snapshot_id
    expected = customers(spark, (1, "Ann", None), (2, "Ben", "b@x"), columns="id INT, name STRING, email STRING")
    assert_df_equality(spark.table(target), expected, ignore_row_order=True)


def test_a_missing_column_is_padded_and_reported(spark: SparkSession, target: str) -> None:
    lamina.write(customers(spark, (1, "Ann")), target, strategy="append_only")
    result = lamina.write(spark.sql("SELECT 2 AS id"), target, on_schema_change="append_new_columns")
    assert result.columns_padded == ("name",)
    assert_df_equality(spark.table(target), customers(spark, (1, "Ann"), (2, None)), ignore_row_order=True)


def test_an_ignored_column_is_reported(spark: SparkSession, target: str) -> None:
    lamina.write(customers(spark, (1, "Ann")), target, strategy="append_only")
    result = lamina.write(spark.sql("SELECT 2 AS id, 'Ben' AS name, 7 AS age"), target, on_schema_change="ignore")
    assert result.columns_ignored == ("age",)
    assert spark.table(target).columns == ["id", "name"]


def test_full_refresh_replaces_every_row(spark: SparkSession, target: str) -> None:
    lamina.write(customers(spark, (1, "Ann"), (2, "Ben")), target, strategy="append_only")
    result = lamina.write(customers(spark, (3, "Cleo")), target, strategy="full_refresh")
    assert (result.rows_deleted, result.rows_inserted) == (2, 1)
    assert_df_equality(spark.table(target), customers(spark, (3, "Cleo")))


def test_a_run_id_is_used_once(spark: SparkSession, target: str) -> None:
    run_id = """it's the "first" \\ run: 100 % ; -- \n\\"""
    first = lamina.write(customers(spark, (1, "Ann")), target, strategy="append_only", run_id=run_id)
    again = lamina.write(customers(spark, (1, "Ann")), target, strategy="append_only", run_id=run_id)
    assert (first.status, again.status) == ("created", "skipped")
    assert spark.table(target).count() == 1


def test_odd_names_reach_the_table_unharmed(spark: SparkSession) -> None:
    target = "lake.db.`od``d.table; --`"
    names = ["a b", "tick`s", "dot.ted", "sélect", "quo'te"]
    source = spark.createDataFrame([(1, 2, 3, 4, 5)], names)
    lamina.write(spark.createDataFrame([(1,)], ["a b"]), target, strategy="append_only")
    result = lamina.write(
        source, target, strategy="append_only", except_columns="quo'te", on_schema_change="append_new_columns"
    )
    assert spark.table(target).columns == names[:-1]
    assert set(result.columns_added) == {"`tick``s`", "`dot.ted`", "`sélect`"}


@pytest.mark.smoke
def test_a_refusal_chains_sparks_exception(spark: SparkSession, target: str) -> None:
    lamina.write(customers(spark, (1, "Ann")), target, strategy="append_only")
    with pytest.raises(lamina.errors.StatementError) as refused:
        lamina.write(spark.sql("SELECT 2 AS id, 'x' AS extra"), target, on_schema_change="fail")
    assert refused.value.condition == "LAMINA_SCHEMA_CHANGED"
    assert isinstance(refused.value.__cause__, AnalysisException)
    assert "extra" in str(refused.value)
    assert snapshots(spark, target) == 1


@pytest.mark.parametrize(
    ("options", "condition"),
    [
        ({"strategy": "upsert"}, "LAMINA_UNKNOWN_STRATEGY"),
        ({"strategy": "not; a word"}, "LAMINA_UNKNOWN_STRATEGY"),
        ({"on_schema_change": "whatever"}, "LAMINA_UNKNOWN_POLICY"),
        ({"strategy": "append_only", "unique_key": "id"}, "LAMINA_OPTION_NOT_APPLICABLE"),
        ({"strategy": "append_only", "except_columns": "nope"}, "LAMINA_COLUMN_NOT_FOUND"),
    ],
)
def test_conditions(spark: SparkSession, target: str, options: dict[str, str], condition: str) -> None:
    with pytest.raises(lamina.errors.StatementError) as refused:
        lamina.write(customers(spark, (1, "Ann")), target, **options)
    assert refused.value.condition == condition


def test_sparks_own_errors_pass_unchanged(spark: SparkSession, target: str) -> None:
    failing = spark.sql("SELECT CAST(raise_error('broken source') AS INT) AS id")
    with pytest.raises((PySparkException, Py4JJavaError), match="broken source"):
        lamina.write(failing, target, strategy="append_only")


def test_a_syntax_error_in_a_predicate_is_sparks_own(spark: SparkSession, target: str) -> None:
    with pytest.raises(PySparkException, match="PARSE_SYNTAX_ERROR"):
        lamina.write(
            customers(spark, (1, "Ann")), target, strategy="incremental", unique_key="id", delete_when="id = = 1"
        )


def test_no_view_is_left_behind(spark: SparkSession, target: str) -> None:
    lamina.write(customers(spark, (1, "Ann")), target, strategy="append_only")
    with pytest.raises(lamina.errors.StatementError):
        lamina.write(customers(spark, (1, "Ann")), target, strategy="nonsense")
    assert not [table.name for table in spark.catalog.listTables("lake.db") if table.isTemporary]
