"""Runs every golden file below this folder; see `golden`."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import golden
import lamina
import pyspark
import pytest
from lamina.lake import QUICK_START
from lamina.versions import default_line, line_for

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.rglob("*.sql"))
LINE = line_for(pyspark.__version__).line


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(FOLDER)) for path in FILES])
def test_statements_return_what_they_returned(path: Path, tmp_path: Path) -> None:
    file = golden.GoldenFile.read(path)
    if tuple(map(int, LINE.split("."))) < file.oldest_spark:
        pytest.skip(f"for Spark {'.'.join(map(str, file.oldest_spark))} and later")
    spark = lamina.local_session(tmp_path, QUICK_START)
    spark.sql("CREATE NAMESPACE lake.db")
    output = golden.transcript(spark, file, tmp_path)
    if os.environ.get("LAMINA_UPDATE_GOLDEN"):
        file.update(output, LINE, default_line().line)
    expected = file.expected_file(LINE)
    before = expected.read_text(encoding="utf-8") if expected.exists() else ""
    if output != before:
        pytest.fail(_difference(before, output, expected), pytrace=False)


def _difference(before: str, after: str, expected: Path) -> str:
    name = expected.relative_to(FOLDER.parents[1])
    diff = difflib.unified_diff(before.splitlines(), after.splitlines(), str(name), "now", lineterm="", n=6)
    return "\n".join([*diff, "", "If the new output is right:", f"  make golden LINE={LINE}"])
