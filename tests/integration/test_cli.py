"""The command ``lamina`` on a real lake."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from lamina.cli import main
from pyspark.sql import SparkSession


def sql(lake: Path, *arguments: str) -> int:
    return main(["sql", "--lake", str(lake), *arguments])


def test_statements_run_in_order_and_print_tables(
    spark: SparkSession, lake: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made = f"CREATE TABLE {target} (id INT, name STRING) USING iceberg"
    filled = f"INSERT INTO {target} VALUES (1, 'Ann;'), (20, NULL)"
    assert sql(lake, "-e", f"{made}; {filled}; SELECT * FROM {target} ORDER BY id") == 0
    assert capsys.readouterr().out == "OK\nOK\nid  name\n--  ----\n 1  Ann;\n20  NULL\n"


def test_a_file_of_statements(
    spark: SparkSession, lake: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "statements.sql"
    file.write_text("-- first\nSELECT 1 AS one;\n-- last; really\nSELECT 'é' AS two\n", encoding="utf-8")
    assert sql(lake, "-f", str(file)) == 0
    assert capsys.readouterr().out == "one\n---\n  1\ntwo\n---\né\n"


def test_a_pipe(
    spark: SparkSession, lake: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("SELECT 1 AS one;"))
    assert sql(lake) == 0
    assert capsys.readouterr().out == "one\n---\n  1\n"


def test_an_error_is_one_line_and_stops_the_run(
    spark: SparkSession, lake: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sql(lake, "-e", "SELECT * FROM lake.db.nowhere; SELECT 1") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("lamina: [TABLE_OR_VIEW_NOT_FOUND]")
    assert captured.err.count("\n") == 1


def test_more_rows_than_asked_for(spark: SparkSession, lake: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sql(lake, "--rows", "2", "-e", "SELECT id FROM range(5)") == 0
    assert capsys.readouterr().out.splitlines()[2:] == [" 0", " 1", "(the first 2 rows; --rows shows more)"]


def test_the_prompt_survives_an_error(
    spark: SparkSession, lake: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = io.StringIO("SELEC 1;\nSELECT 2\nAS two;\n")
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", terminal)
    assert sql(lake) == 0
    captured = capsys.readouterr()
    assert "two\n---\n  2\n" in captured.out
    assert "[PARSE_SYNTAX_ERROR]" in captured.err


def test_without_a_command_the_usage_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([])
    assert stopped.value.code == 2
    assert "usage: lamina" in capsys.readouterr().err


def test_the_demo_tells_its_story_twice(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert main(["demo"]) == 0
        story = capsys.readouterr().out
        for told in (
            "status=created  strategy=scd2  rows_inserted=2",
            "status=changed  strategy=scd2  rows_inserted=1  rows_closed=1",
            "columns_added=[email]",
            "columns_padded=[city]",
            "[LAMINA_SCHEMA_CHANGED]",
            " 4  Dan   NULL  ",
            "1         0       email",
        ):
            assert told in story
        assert "\033" not in story, "colour is for terminals"
    assert [line for line in story.splitlines() if len(line) > 100] == []
