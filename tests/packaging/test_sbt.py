"""The launcher hands sbt its arguments and hands back its exit code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jgo
import pytest
import sbt
from jdk import Jdk


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[dict[str, Any]]:
    """What jgo was asked to run; every run ends with exit code 3."""
    recorded: list[dict[str, Any]] = []

    def run(endpoint: str, **options: Any) -> SimpleNamespace:
        recorded.append({"endpoint": endpoint, "directory": Path.cwd(), **options})
        return SimpleNamespace(returncode=3)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JAVA_HOME", "unchanged")
    monkeypatch.setenv("PATH", "/bin")
    monkeypatch.setattr(jgo, "run", run)
    monkeypatch.setattr(sbt, "require_jdk", lambda: Jdk(17, tmp_path))
    return recorded


def test_runs_the_pinned_sbt_in_the_project(calls: list[dict[str, Any]]) -> None:
    assert sbt.run_sbt(["spark41/test", "about"]) == 3
    (call,) = calls
    pinned = (sbt.PROJECT / "build.properties").read_text().strip().removeprefix("sbt.version=")
    assert call["endpoint"] == f"org.scala-sbt:sbt-launch:{pinned}"
    assert call["app_args"] == ["spark41/test", "about"]
    assert call["directory"] == sbt.PROJECT.parent
    assert call["java_source"] == "system"


def test_download_failure_is_one_line(calls: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(endpoint: str, **options: Any) -> SimpleNamespace:
        raise ConnectionError("no route to host")

    monkeypatch.setattr(jgo, "run", unreachable)
    with pytest.raises(SystemExit, match="lamina: cannot start sbt: no route to host"):
        sbt.run_sbt(["about"])


def test_python_without_jgo_is_told_what_to_install() -> None:
    # -I -S: an interpreter that sees no installed package.
    command = [sys.executable, "-I", "-S", str(sbt.PROJECT / "sbt.py"), "about"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr.endswith("pip install jgo\n")
    assert result.stderr.count("\n") == 1
