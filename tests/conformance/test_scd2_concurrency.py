"""scd2 by two writers at once, and once per run id."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from pyspark.sql import Row, SparkSession
from scd2_history import VALIDITY, create, each_layout, figures, raw, refused, same, scd2, snapshots, values


def at_once(spark: SparkSession, table: str, *statements: str) -> list[Row]:
    barrier = Barrier(len(statements))

    def run(statement: str) -> Row:
        barrier.wait()
        row = spark.sql(f"INSERT INTO {table} MERGE STRATEGY scd2 {statement}").first()
        assert row is not None
        return row

    with ThreadPoolExecutor(len(statements)) as pool:
        return list(pool.map(run, statements))


@each_layout
def test_two_equal_statements_at_once_open_one_version(spark: SparkSession, target: str, layout: str) -> None:
    create(spark, target, f"id INT, name STRING, {VALIDITY}", layout)
    scd2(spark, target, values("id, name", "(1, 'A')"))
    statement = "UNIQUE KEY (id) " + values("id, name", "(1, 'B'), (2, 'new')")
    results = at_once(spark, target, statement, statement)
    assert sorted(result.status for result in results) == ["changed", "unchanged"]
    same(raw(spark, target, "id", "name"), (1, "A"), (1, "B"), (2, "new"))
    assert spark.table(target).where("valid_to IS NULL").count() == 2


def test_two_different_statements_at_once_keep_the_intervals_apart(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, name", "(1, 'A')"))
    at_once(spark, target, *[f"UNIQUE KEY (id) SELECT 1 AS id, '{name}' AS name" for name in "BC"])
    rows = sorted(raw(spark, target, "valid_from", "valid_to"), key=lambda row: row[0])
    assert [row[1] for row in rows] == [rows[1][0], rows[2][0], None]


def test_two_first_runs_at_once_both_end(spark: SparkSession, target: str) -> None:
    statements = [f"UNIQUE KEY (id) SEQUENCE BY s SELECT 1 AS id, {s} AS s" for s in (1, 2)]
    results = at_once(spark, target, *statements)
    assert "created" in [result.status for result in results]
    same(raw(spark, target), (1, 1, 1, 2), (1, 2, 2, None))


def test_a_run_id_is_used_once(spark: SparkSession, target: str) -> None:
    statement = f"INSERT INTO {target} MERGE STRATEGY scd2 UNIQUE KEY (id) RUN ID 'r1' "
    first = spark.sql(statement + values("id, name", "(1, 'A')")).first()
    again = spark.sql(statement + values("id, name", "(1, 'B')")).first()
    assert (first.status, again.status, len(raw(spark, target))) == ("created", "skipped", 1)
    failing = statement.replace("r1", "r2") + values("id, name", "(NULL, 'B')")
    assert refused(spark, failing.replace("NULL", "CAST(NULL AS INT)")) == "LAMINA_NULL_KEY"
    empty = spark.sql(statement.replace("r1", "r2") + values("id, name", "(1, 'A')")).first()
    assert empty.status == "unchanged"
    used = spark.sql(statement.replace("r1", "r2") + values("id, name", "(1, 'B')")).first()
    assert (used.status, figures(used)) == ("changed", {"rows_inserted": 1, "rows_closed": 1})


def test_a_first_run_stores_the_settings(spark: SparkSession, target: str) -> None:
    options = (
        "SEQUENCE BY `S q` TRACK HISTORY ON (name) VALID FROM `f` VALID TO t CURRENT FLAG now DELETE WHEN op = 'D'"
    )
    source = "SELECT 1 AS id, '{0}' AS name, {1} AS `s q`, '{2}' AS op"
    scd2(spark, target, source.format("A", 1, "U"), f"{options} COLUMNS * EXCEPT (op)")
    stored = f"INSERT INTO {target} MERGE STRATEGY scd2 "
    assert figures(spark.sql(stored + source.format("A", 2, "U")).first()) == {"rows_updated": 1}
    spark.sql(f"INSERT INTO {target} ON SCHEMA CHANGE fail " + source.format("x", 3, "D"))
    same(raw(spark, target), (1, "A", 2, 1, 3, False))
    properties = {row.key: row.value for row in spark.sql(f"SHOW TBLPROPERTIES {target}").collect()}
    assert properties["lamina.merge-strategy"] == "scd2"
    assert properties["lamina.unique-key"] == "id"
    assert properties["lamina.scd-current-flag"] == "now"


def test_a_clause_is_stronger_than_a_property_and_a_property_than_the_session(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("a, b, name", "(1, 1, 'A')"), key="a")
    spark.conf.set("spark.sql.lamina.uniqueKey", "name")
    spark.conf.set("spark.sql.lamina.trackHistory", "b")
    try:
        stored = f"INSERT INTO {target} MERGE STRATEGY scd2 "
        assert figures(spark.sql(stored + values("a, b, name", "(1, 1, 'B')")).first()) == {"rows_updated": 1}
        result = scd2(spark, target, values("a, b, name", "(1, 2, 'B')"), key="a, b")
        assert figures(result) == {"rows_inserted": 1}
    finally:
        spark.conf.unset("spark.sql.lamina.uniqueKey")
        spark.conf.unset("spark.sql.lamina.trackHistory")


def test_a_missing_option_never_refreshes_history(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, name", "(1, 'A')"))
    spark.sql(f"ALTER TABLE {target} UNSET TBLPROPERTIES ('lamina.unique-key')")
    spark.conf.set("spark.sql.lamina.missingOption", "full_refresh")
    spark.conf.set("spark.sql.lamina.allowHistoryRewrite", "true")
    try:
        for strategy in ("scd2", "incremental"):
            with pytest.raises(Exception, match="LAMINA_MISSING_OPTION"):
                spark.sql(f"INSERT INTO {target} MERGE STRATEGY {strategy} SELECT 2 AS id, 'B' AS name")
    finally:
        spark.conf.unset("spark.sql.lamina.missingOption")
        spark.conf.unset("spark.sql.lamina.allowHistoryRewrite")
    assert (len(raw(spark, target)), snapshots(spark, target)) == (1, 1)


def test_the_statement_in_its_other_forms(spark: SparkSession, target: str) -> None:
    spark.sql(f"INSERT INTO {target} (id, name) MERGE STRATEGY scd2 UNIQUE KEY (id) VALUES (1, 'A'), (2, 'B')")
    spark.sql(f"INSERT INTO {target} MERGE STRATEGY scd2 VALUES (1, 'B')")
    spark.sql(f"insert into table {target} select 1 as id, 'C' as name /* x */ merge strategy SCD2 unique key (ID);")
    spark.sql(f"WITH q AS (SELECT 1 AS id, :n AS name) INSERT INTO {target} MERGE STRATEGY scd2 FROM q SELECT *",
              args={"n": "D"})  # fmt: skip
    assert [row[0] for row in raw(spark, target, "name")] == ["A", "B", "B", "C", "D"]
    assert spark.table(target).where("valid_to IS NULL AND name IN ('D', 'B')").count() == 2
