"""One Spark session with a Hadoop, a JDBC and a REST catalog."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import lamina
import pytest
from lamina.lake import QUICK_START
from pyspark.sql import SparkSession

from catalogs.rest_server import rest_catalog

# The embedded lake is the JDBC catalog: it is one SQLite file.
CATALOGS = {"hadoop": "files", "jdbc": "lake", "rest": "rest"}

# The tables are tiny, and planning is most of the time.
SMALL = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
}


@pytest.fixture(scope="package")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all three catalogs; the JDBC catalog is the embedded lake in it."""
    return tmp_path_factory.mktemp("catalogs")


@pytest.fixture(scope="package")
def rest_address(lake: Path) -> Iterator[str]:
    with rest_catalog(lake) as address:
        yield address


@pytest.fixture(scope="package")
def settings(lake: Path, rest_address: str) -> dict[str, str]:
    return {
        "spark.sql.catalog.files": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.files.type": "hadoop",
        "spark.sql.catalog.files.warehouse": str(lake / "files"),
        "spark.sql.catalog.rest": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.rest.type": "rest",
        "spark.sql.catalog.rest.uri": rest_address,
        **SMALL,
    }


@pytest.fixture(scope="package")
def spark(lake: Path, settings: dict[str, str]) -> SparkSession:
    """A session in which namespace ``db`` exists in every catalog."""
    session = lamina.local_session(lake, {**QUICK_START, **settings})
    for catalog in CATALOGS.values():
        session.sql(f"CREATE NAMESPACE {catalog}.db")
    return session


@pytest.fixture(params=CATALOGS)
def target(request: pytest.FixtureRequest) -> str:
    """The name of a table that no other test uses, in each catalog in turn."""
    return f"{CATALOGS[request.param]}.db." + re.sub(r"\W+", "_", request.node.name)
