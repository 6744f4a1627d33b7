"""Several writers of one table at once: no row is lost, and no column is there twice.

A writer that is held has planned its write and has not committed it, so the other one is faster for sure.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from lamina.lake import Lake
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from catalogs.gate import SECONDS, Gate, can_wait
from catalogs.metadata import read_metadata
from catalogs.second_process import Run, second_process

# Who is faster than the writer that is held: another session of its application, or another application.
against = pytest.mark.parametrize(
    ("target", "faster"),
    [("hadoop", "session"), ("jdbc", "session"), ("rest", "session"), ("jdbc", "application")],
    indirect=True,
)
on_jdbc = pytest.mark.parametrize("target", ["jdbc"], indirect=True)


@pytest.fixture(scope="module")
def sessions(spark: SparkSession, lake: Path, settings: dict[str, str]) -> list[SparkSession]:
    """Sessions of one application, with catalogs of their own."""
    sessions = [spark.newSession() for _ in range(3)]
    for session in sessions:
        for name, value in {**Lake.at(lake).catalog_settings(), **settings}.items():
            session.conf.set(name, value)
        can_wait(session)
    return sessions


@pytest.fixture(scope="module")
def second_application(spark: SparkSession, lake: Path) -> Iterator[Run]:
    with second_process(lake) as run:
        yield run


@pytest.fixture
def faster(request: pytest.FixtureRequest) -> Run:
    if request.param == "session":
        return run_in(request.getfixturevalue("sessions")[1])
    run: Run = request.getfixturevalue("second_application")
    return run


def run_in(session: SparkSession) -> Run:
    return lambda sql: session.sql(sql).collect()[0].asDict()


def insert(target: str, columns: str, strategy: str = "append_only", condition: str = "true") -> str:
    return f"""INSERT INTO {target} MERGE STRATEGY {strategy} ON SCHEMA CHANGE append_new_columns
        SELECT {columns} WHERE {condition}"""


@contextmanager
def held(session: SparkSession, target: str, columns: str, strategy: str = "append_only") -> Iterator[Future[Any]]:
    """A statement that waits, having planned its write, until the block ends; then it is done."""
    with ThreadPoolExecutor(1) as pool, Gate() as gate:
        done = pool.submit(run_in(session), insert(target, columns, strategy, gate.condition))
        gate.wait_for_arrival()
        yield done


def rows(spark: SparkSession, target: str, *columns: str) -> list[tuple[object, ...]]:
    """Columns by name: whose column came first depends on who did."""
    spark.catalog.refreshTable(target)
    assert sorted(spark.table(target).columns) == sorted(columns)
    return sorted((tuple(row) for row in spark.table(target).select(*columns).collect()), key=str)


def assert_history(spark: SparkSession, target: str, *, commits: int, data_files: int) -> None:
    """Every commit is in the log, and the attempts that failed left no data behind."""
    metadata = read_metadata(spark, target)
    assert len(metadata.log) == commits
    assert len(list(Path(metadata.content["location"]).rglob("*.parquet"))) == data_files


@against
def test_the_same_new_column(spark: SparkSession, sessions: list[SparkSession], target: str, faster: Run) -> None:
    spark.sql(f"CREATE TABLE {target} (id INT) USING iceberg")
    with held(sessions[0], target, "1 AS id, 'a@x' AS email") as slower:
        assert faster(insert(target, "2 AS id, 'b@x' AS email"))["columns_added"] == ["email"]
    assert (slower.result()["rows_inserted"], slower.result()["columns_added"]) == (1, [])
    assert rows(spark, target, "id", "email") == [(1, "a@x"), (2, "b@x")]
    assert_history(spark, target, commits=3, data_files=2)


@against
def test_different_new_columns(spark: SparkSession, sessions: list[SparkSession], target: str, faster: Run) -> None:
    spark.sql(f"CREATE TABLE {target} (id INT) USING iceberg")
    with held(sessions[0], target, "1 AS id, 'a@x' AS email") as slower:
        assert faster(insert(target, "2 AS id, '+43' AS phone"))["columns_added"] == ["phone"]
    assert slower.result()["columns_added"] == ["email"]
    assert slower.result()["columns_padded"] == ["phone"]
    assert rows(spark, target, "id", "email", "phone") == [(1, "a@x", None), (2, None, "+43")]
    assert_history(spark, target, commits=3, data_files=2)


@against
def test_some_of_the_new_columns(spark: SparkSession, sessions: list[SparkSession], target: str, faster: Run) -> None:
    spark.sql(f"CREATE TABLE {target} (id INT) USING iceberg")
    with held(sessions[0], target, "1 AS id, 'a@x' AS email, '+1' AS phone") as slower:
        assert faster(insert(target, "2 AS id, 'b@x' AS email"))["columns_added"] == ["email"]
    assert slower.result()["columns_added"] == ["phone"]
    assert rows(spark, target, "id", "email", "phone") == [(1, "a@x", "+1"), (2, "b@x", None)]
    assert read_metadata(spark, target).summary["lamina.columns-added"] == "phone"
    assert_history(spark, target, commits=3, data_files=2)


@against
def test_two_first_runs(spark: SparkSession, sessions: list[SparkSession], target: str, faster: Run) -> None:
    with held(sessions[0], target, "1 AS id, 'a@x' AS email") as slower:
        assert faster(insert(target, "2 AS id, '+43' AS phone"))["status"] == "created"
    assert (slower.result()["status"], slower.result()["columns_added"]) == ("changed", ["email"])
    assert rows(spark, target, "id", "email", "phone") == [(1, "a@x", None), (2, None, "+43")]
    assert_history(spark, target, commits=2, data_files=2)


@on_jdbc
def test_the_same_new_column_of_another_type(spark: SparkSession, sessions: list[SparkSession], target: str) -> None:
    spark.sql(f"CREATE TABLE {target} (id INT) USING iceberg")
    with held(sessions[0], target, "1 AS id, 'a@x' AS email") as slower:
        run_in(sessions[1])(insert(target, "2 AS id, DATE'2024-05-01' AS email"))
    with pytest.raises(PySparkException, match="LAMINA_TYPE_CHANGED"):
        slower.result()
    assert [row[0] for row in rows(spark, target, "id", "email")] == [2]
    assert_history(spark, target, commits=2, data_files=1)


@on_jdbc
def test_a_refresh_counts_the_rows_that_came_meanwhile(
    spark: SparkSession, sessions: list[SparkSession], target: str
) -> None:
    spark.sql(f"CREATE TABLE {target} USING iceberg AS SELECT 1 AS id")
    with held(sessions[0], target, "2 AS id, 'b@x' AS email", "full_refresh") as slower:
        run_in(sessions[1])(insert(target, "3 AS id, 'c@x' AS email"))
    assert (slower.result()["rows_deleted"], slower.result()["rows_inserted"]) == (2, 1)
    assert rows(spark, target, "id", "email") == [(2, "b@x")]
    assert read_metadata(spark, target).summary["lamina.rows-deleted"] == "2"


@on_jdbc
def test_rows_come_after_a_refresh(spark: SparkSession, sessions: list[SparkSession], target: str) -> None:
    spark.sql(f"CREATE TABLE {target} USING iceberg AS SELECT 1 AS id")
    with held(sessions[0], target, "2 AS id, 'b@x' AS email") as slower:
        run_in(sessions[1])(insert(target, "3 AS id, 'c@x' AS email", "full_refresh"))
    assert slower.result()["rows_inserted"] == 1
    assert rows(spark, target, "id", "email") == [(2, "b@x"), (3, "c@x")]


@on_jdbc
@pytest.mark.parametrize("exists", [True, False], ids=["existing", "first run"])
def test_a_run_id_is_used_once(spark: SparkSession, sessions: list[SparkSession], target: str, exists: bool) -> None:
    if exists:
        spark.sql(f"CREATE TABLE {target} (id INT) USING iceberg")
    once = "append_only RUN ID 'monday'"
    with held(sessions[0], target, "1 AS id", once) as slower:
        first = run_in(sessions[1])(insert(target, "1 AS id", once))
    assert (slower.result()["status"], slower.result()["snapshot_id"]) == ("skipped", first["snapshot_id"])
    assert rows(spark, target, "id") == [(1,)]
    assert_history(spark, target, commits=1 + exists, data_files=1)


@on_jdbc
def test_all_at_once(spark: SparkSession, sessions: list[SparkSession], second_application: Run, target: str) -> None:
    spark.sql(f"CREATE TABLE {target} (id INT) USING iceberg")
    writers = [*map(run_in, sessions), second_application]
    start = threading.Barrier(len(writers), timeout=SECONDS)

    def write(number: int) -> Any:
        sql = insert(target, f"{number} AS id, {number} AS shared, {number} AS own_{number}")
        start.wait()
        return writers[number](sql)["rows_inserted"]

    with ThreadPoolExecutor(len(writers)) as pool:
        assert list(pool.map(write, range(len(writers)))) == [1, 1, 1, 1]
    own = [f"own_{number}" for number in range(len(writers))]
    assert rows(spark, target, "id", "shared", *own) == [
        (number, number, *(number if name == f"own_{number}" else None for name in own))
        for number in range(len(writers))
    ]
    assert_history(spark, target, commits=1 + len(writers), data_files=len(writers))
