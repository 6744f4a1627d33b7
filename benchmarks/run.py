"""Runs the benchmarks and writes ``docs/benchmarks.md`` and its chart: ``make bench``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import growth
import lamina
import parser_overhead
import report
import statement_cost
import strategies

DOCS = Path(__file__).resolve().parent.parent / "docs"
DRIVER = {"spark.driver.memory": "6g", "spark.sql.shuffle.partitions": "8"}


def main() -> int:
    """Prints the report, writes it, and fails when a limit is passed."""
    with tempfile.TemporaryDirectory() as folder:
        spark = lamina.local_session(folder, DRIVER)
        results = report.Results(
            spark.version,
            parser_overhead.measure(spark),
            statement_cost.measure(spark),
            strategies.measure(spark),
            growth.measure(spark),
        )
        spark.stop()
    page = report.markdown(results)
    (DOCS / "benchmarks.md").write_text(page, encoding="utf-8")
    (DOCS / "benchmarks.svg").write_text(report.chart(results.strategies), encoding="utf-8")
    print(page)
    for line in report.passed_limits(results):
        print(f"Over the limit: {line}", file=sys.stderr)
    return 1 if report.passed_limits(results) else 0


if __name__ == "__main__":
    sys.exit(main())
