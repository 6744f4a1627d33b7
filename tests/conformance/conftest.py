"""The conformance tests import the steps that lie beside them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

sys.path.insert(0, str(Path(__file__).parent))

LAYOUTS = ["copy_on_write_2", "merge_on_read_3"]


@pytest.fixture(params=LAYOUTS)
def layout(request: pytest.FixtureRequest) -> str:
    """How the target writes its changes, and its format version."""
    return request.param


@pytest.fixture(scope="module", autouse=True)
def _small_data(spark: SparkSession) -> None:
    """Compiling a plan takes longer than running it on a few rows."""
    spark.conf.set("spark.sql.codegen.wholeStage", "false")
    spark.conf.set("spark.sql.shuffle.partitions", "2")
