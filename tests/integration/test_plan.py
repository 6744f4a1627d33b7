"""`lamina.plan` says what `lamina.write` would do, and does nothing."""

from __future__ import annotations

import lamina
import pytest
from lamina.plan import Setting
from pyspark.sql import SparkSession

SOURCE = "SELECT 1 AS id, 'a@x' AS email, 'b' AS `odd name`"


@pytest.mark.smoke
def test_the_schema_change_is_foretold(spark: SparkSession, target: str) -> None:
    spark.sql(f"CREATE TABLE {target} (id INT, phone STRING) USING iceberg")
    before = spark.table(f"{target}.metadata_log_entries").count()
    plan = lamina.plan(
        spark.sql(SOURCE), target, strategy="append_only", on_schema_change="append_new_columns", run_id="r"
    )
    assert plan.strategy == "append_only"
    assert plan.columns_added == ("email", "`odd name`")
    assert plan.columns_padded == ("phone",)
    assert plan.alter_statement == f"ALTER TABLE {target} ADD COLUMNS (email STRING, `odd name` STRING)"
    assert plan.settings["on_schema_change"] == Setting("append_new_columns", "statement")
    assert plan.statement.endswith("SELECT * FROM `source`")
    assert spark.table(target).columns == ["id", "phone"]
    assert spark.table(f"{target}.metadata_log_entries").count() == before


def test_a_plan_of_the_first_run_creates_nothing(spark: SparkSession, target: str) -> None:
    plan = lamina.plan(spark.sql(SOURCE), target, strategy="append_only")
    assert plan.strategy == "append_only"
    assert not spark.catalog.tableExists(target)


def test_what_was_foretold_comes_true(spark: SparkSession, target: str) -> None:
    spark.sql(f"CREATE TABLE {target} (id INT, phone STRING) USING iceberg")
    plan = lamina.plan(spark.sql(SOURCE), target, on_schema_change="append_new_columns")
    result = lamina.write(spark.sql(SOURCE), target, on_schema_change="append_new_columns")
    assert plan.columns_added == result.columns_added
    assert plan.columns_padded == result.columns_padded
    assert plan.columns_ignored == result.columns_ignored


def test_a_refusal_is_foretold_too(spark: SparkSession, target: str) -> None:
    spark.sql(f"CREATE TABLE {target} (id INT) USING iceberg")
    with pytest.raises(lamina.errors.StatementError) as refused:
        lamina.plan(spark.sql(SOURCE), target, on_schema_change="fail")
    assert refused.value.condition == "LAMINA_SCHEMA_CHANGED"
