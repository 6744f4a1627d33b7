"""Runs the docstring examples that need Spark, each module's on a lake of its own."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import lamina
import pytest
from lamina.lake import QUICK_START


@pytest.mark.parametrize("name", ["lake", "session", "write", "plan"])
def test_examples_are_true(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spark = lamina.local_session("./lake", QUICK_START)
    spark.sql("CREATE NAMESPACE lake.db")
    module = importlib.import_module(f"lamina.{name}")
    results = doctest.testmod(module, extraglobs={"spark": spark})
    assert results.attempted > 0
    assert results.failed == 0
