"""Spark for the tests: one per run, started the way users start it, with a lake of its own for each module."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import lamina
import pytest
from lamina.lake import QUICK_START
from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the module's embedded lake."""
    return tmp_path_factory.mktemp("lake")


@pytest.fixture(scope="module")
def spark(lake: Path) -> SparkSession:
    """A session on the module's lake, in which namespace ``lake.db`` exists."""
    session = lamina.local_session(lake, QUICK_START)
    session.sql("CREATE NAMESPACE lake.db")
    return session


@pytest.fixture
def target(request: pytest.FixtureRequest) -> str:
    """The name of a table that no other test of the module uses."""
    return "lake.db." + re.sub(r"\W+", "_", request.node.name)


@pytest.fixture
def run_python(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs code in a Python process of its own, whose JVM may have any settings; the process must succeed."""

    def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        finished = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            text=True,
            capture_output=True,
            check=False,
        )
        assert finished.returncode == 0, finished.stdout + finished.stderr
        return finished

    return run
