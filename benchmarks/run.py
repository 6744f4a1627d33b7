"""Runs the benchmarks and writes ``docs/benchmarks.md``: ``make bench``."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import lamina
import parser_overhead
import statement_cost
from parser_overhead import ParseTime
from statement_cost import StatementTime

REPORT = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"


def main() -> int:
    """Prints the report, writes it, and fails when a limit is passed."""
    with tempfile.TemporaryDirectory() as folder:
        spark = lamina.local_session(folder)
        parsing = parser_overhead.measure(spark)
        statements = statement_cost.measure(spark)
        version = spark.version
        spark.stop()
    report = render(parsing, statements, version)
    REPORT.write_text(report, encoding="utf-8")
    print(report)
    slow = [time.statement for time in parsing if time.look_ms > parser_overhead.LIMIT_MS]
    if slow:
        print(f"More than {parser_overhead.LIMIT_MS} ms for: {', '.join(slow)}", file=sys.stderr)
    return 1 if slow else 0


def render(parsing: list[ParseTime], statements: list[StatementTime], spark_version: str) -> str:
    """The report as Markdown."""
    base = statements[0].ms
    lines = [
        "# Benchmarks",
        "",
        f"Written by `make bench`: Spark {spark_version}, {os.cpu_count()} cores, Python {platform.python_version()}.",
        "Times are medians of one interleaved run; compare them with each other, not with another machine's.",
        "",
        "## What an ordinary statement pays",
        "",
        "Parsing a statement without our clauses, with and without the extension; and the one thing it adds,",
        f"a look at the text, timed by itself. Its limit is {parser_overhead.LIMIT_MS} ms.",
        "",
        "| statement | characters | Spark, ms | with Lamina, ms | the look, ms |",
        "|---|---:|---:|---:|---:|",
        *(
            f"| {t.statement} | {t.characters:,} | {t.spark_ms:.3f} | {t.lamina_ms:.3f} | {t.look_ms:.3f} |"
            for t in parsing
        ),
        "",
        "## A one-row statement",
        "",
        "| statement | ms | beside Spark's INSERT, ms |",
        "|---|---:|---:|",
        *(f"| `{t.statement}` | {t.ms:.0f} | {t.ms - base:+.0f} |" for t in statements),
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
