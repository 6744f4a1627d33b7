"""The same statements and wrappers through a Spark Connect client and a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import lamina
import pytest
import servers
from lamina import gateway
from pyspark.sql import SparkSession
from pyspark.sql.connect.session import SparkSession as ConnectSession


def connect(address: str) -> SparkSession:
    """A client beside the classic session that other tests run in this process."""
    return ConnectSession.builder.remote(address).create()


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    folder = tmp_path_factory.mktemp("server")
    with servers.connect_server(servers.lake_settings(folder), folder) as address:
        session = connect(address)
        session.sql("CREATE NAMESPACE lake.db")
        yield session
        session.client.close()


def test_the_client_is_known_as_one(remote: SparkSession) -> None:
    assert gateway.is_connect(remote)
    assert gateway.what_is_missing(remote) is None


def test_the_statement(remote: SparkSession, target: str) -> None:
    row = remote.sql(f"INSERT INTO {target} MERGE STRATEGY append_only SELECT 1 AS id, 'Ann' AS name").collect()[0]
    assert (row.status, row.rows_inserted) == ("created", 1)
    assert [tuple(row) for row in remote.table(target).collect()] == [(1, "Ann")]


def test_write(remote: SparkSession, target: str) -> None:
    lamina.write(remote.range(2), target, strategy="append_only", run_id="it's the first")
    frame = remote.sql("SELECT 2L AS id, 'Cleo' AS name")
    result = lamina.write(frame, target, strategy="append_only", on_schema_change="append_new_columns")
    assert (result.status, result.columns_added) == ("changed", ("name",))
    rows = remote.table(target).orderBy("id").collect()
    assert [tuple(row) for row in rows] == [(0, None), (1, None), (2, "Cleo")]


def test_plan(remote: SparkSession, target: str) -> None:
    lamina.write(remote.range(2), target, strategy="append_only")
    plan = lamina.plan(remote.sql("SELECT 2L AS id, 'Cleo' AS name"), target, on_schema_change="append_new_columns")
    assert plan.columns_added == ("name",)
    assert remote.table(target).columns == ["id"]


def test_an_error_carries_its_condition(remote: SparkSession, target: str) -> None:
    lamina.write(remote.range(2), target, strategy="append_only")
    with pytest.raises(lamina.errors.StatementError) as refused:
        lamina.write(remote.sql("SELECT 2L AS id, 'x' AS extra"), target, strategy="append_only")
    assert refused.value.condition == "LAMINA_SCHEMA_CHANGED"
    assert "extra" in str(refused.value)
    assert "stacktrace" not in str(refused.value)


def test_no_view_is_left_on_the_server(remote: SparkSession, target: str) -> None:
    lamina.write(remote.range(2), target, strategy="append_only")
    assert not [table.name for table in remote.catalog.listTables("lake.db") if table.isTemporary]


def test_a_server_without_lamina_is_told_what_is_missing(tmp_path: Path) -> None:
    with servers.connect_server({}, tmp_path) as address:
        session = connect(address)
        with pytest.raises(lamina.errors.MissingExtensionError, match=r"spark\.sql\.extensions"):
            lamina.write(session.range(2), "t", strategy="append_only")
        session.client.close()
