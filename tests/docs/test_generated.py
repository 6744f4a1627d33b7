"""The tables that the docs take from the code are those of the code; see `generated`."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable
from pathlib import Path

import generated
import pytest
from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def settings(spark: SparkSession) -> generated.Settings:
    return generated.Settings(spark)


def test_errors() -> None:
    check("docs/errors.md", conditions=lambda: generated.conditions(ROOT))


def test_settings(settings: generated.Settings) -> None:
    check("docs/settings.md", options=settings.options, session=settings.session)


def test_strategies_and_policies(settings: generated.Settings) -> None:
    check("docs/statement.md", strategies=settings.strategies, policies=settings.policies)


def test_the_readme_says_what_runs(settings: generated.Settings) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `((?:MERGE STRATEGY|ON SCHEMA CHANGE) \w+)` \|(.*)\|$", readme, re.MULTILINE)
    assert len(rows) == 13, "six strategies and seven policies"
    assert {clause for clause, told in rows if "not yet" not in told} == settings.available()


def check(name: str, **parts: Callable[[], str]) -> None:
    page = ROOT / name
    before = page.read_text(encoding="utf-8")
    now = generated.filled(before, parts)
    if os.environ.get("LAMINA_UPDATE_GOLDEN"):
        page.write_text(now, encoding="utf-8")
    elif now != before:
        diff = difflib.unified_diff(before.splitlines(), now.splitlines(), name, "the code", lineterm="", n=2)
        pytest.fail("\n".join([*diff, "", "To take it from the code:", "  make golden"]), pytrace=False)
