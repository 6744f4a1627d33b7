"""Golden files: a ``.sql`` file of statements, and beside it the ``.out`` file with what each of them returned.

Comments at the top of the ``.sql`` file may set
    -- spark: >=4.0          the oldest Spark line that the file is for
    -- conf: key=value       a session setting
Output that differs on one Spark line is in ``<name>.<line>.out``, which that line reads instead of ``<name>.out``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from lamina.cli.render import answer, one_line
from lamina.cli.split import is_statement, split_statements
from lamina.errors import spark_condition
from pyspark.sql import Row, SparkSession

WIDTH = 140


@dataclass(frozen=True)
class GoldenFile:
    """The statements of a file and the conditions that it sets."""

    path: Path
    statements: tuple[str, ...]
    conf: dict[str, str]
    oldest_spark: tuple[int, ...]

    @classmethod
    def read(cls, path: Path) -> GoldenFile:
        text = path.read_text(encoding="utf-8")
        header = re.findall(r"^-- (spark|conf):\s*(.*?)\s*$", text, re.MULTILINE)
        versions = [value.removeprefix(">=").strip() for key, value in header if key == "spark"]
        complete, rest = split_statements(text)
        return cls(
            path=path,
            statements=(*complete, *([rest] if is_statement(rest) else [])),
            conf=dict(value.split("=", 1) for key, value in header if key == "conf"),
            oldest_spark=tuple(map(int, versions[0].split("."))) if versions else (0,),
        )

    def expected_file(self, line: str) -> Path:
        """The output file that Spark line ``line`` compares with."""
        of_line = self.path.with_suffix(f".{line}.out")
        return of_line if of_line.exists() else self.path.with_suffix(".out")

    def update(self, output: str, line: str, default_line: str) -> None:
        """Writes ``output``: the common file from the default line, a file of its own for a line that differs."""
        common, of_line = self.path.with_suffix(".out"), self.path.with_suffix(f".{line}.out")
        if line == default_line or not common.exists():
            common.write_text(output, encoding="utf-8")
        elif common.read_text(encoding="utf-8") == output:
            of_line.unlink(missing_ok=True)
        else:
            of_line.write_text(output, encoding="utf-8")


def transcript(spark: SparkSession, golden: GoldenFile, lake: Path) -> str:
    """Every statement with what it returned, or the error that it raised."""
    for key, value in golden.conf.items():
        spark.conf.set(key, value)
    stable = Stable(lake)
    parts = [f"{statement};\n{_answer(spark, statement, stable)}\n" for statement in golden.statements]
    return "\n".join(parts)


def _answer(spark: SparkSession, statement: str, stable: Stable) -> str:
    try:
        frame = spark.sql(statement)
        rows = frame.collect()
    except Exception as error:
        condition = spark_condition(error)
        if condition is None:
            raise
        if not condition.startswith(("LAMINA_", "PARSE_")):
            return f"ERROR [{condition}]"  # the words are Spark's, and differ between its versions
        return stable.text("ERROR " + one_line(str(error)))
    return stable.text(answer(frame.columns, [stable.row(row) for row in rows], WIDTH))


class Stable:
    """Replaces what differs from run to run by names in the order of their appearance: snapshot-1, time-1, …"""

    def __init__(self, lake: Path) -> None:
        self._lake = str(lake)
        self._started = datetime.now()
        self._names: dict[Any, str] = {}

    def row(self, row: Row) -> Sequence[Any]:
        return [self._value(name, value) for name, value in zip(row.__fields__, row, strict=True)]

    def text(self, text: str) -> str:
        text = text.replace(self._lake, "<lake>")
        text = re.sub(r"#\d+L?\b", "#", text)
        text = re.sub(r"\bplan_id=\d+", "plan_id=", text)
        text = re.sub(r"[\w.$]+\$\$Lambda[^,]*, ", "", text)
        # Spark 3.5 does not print the state, and puts no space before the position.
        text = re.sub(r" SQLSTATE: \w{5}", "", text).replace(".(line ", ". (line ")
        return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)

    def _value(self, column: str, value: Any) -> Any:
        if column == "duration_ms":
            return None
        if isinstance(value, int) and value > 10**12 and column.endswith("_id"):
            return self._name("snapshot", value)
        # A time close to now was read from the clock; others come from the statements.
        if isinstance(value, datetime) and abs(value.replace(tzinfo=None) - self._started) < timedelta(days=2):
            return self._name("time", value)
        return value

    def _name(self, kind: str, value: Any) -> str:
        taken = sum(name.startswith(kind) for name in self._names.values())
        return self._names.setdefault(value, f"{kind}-{taken + 1}")
