"""`lamina.plan`: what a write would do, read from ``EXPLAIN``; it changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from lamina import errors
from lamina.errors import LaminaError
from lamina.statement import Statement, WriteOptions, insert_statement
from lamina.write import as_view, run

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack


class Setting(NamedTuple):
    """A setting that the statement goes by, and where it was made."""

    value: str
    origin: str


@dataclass(frozen=True)
class WritePlan:
    """What a write would do. The data frame stands in ``statement`` as ``source``."""

    statement: str
    strategy: str
    columns_added: tuple[str, ...]
    columns_padded: tuple[str, ...]
    columns_ignored: tuple[str, ...]
    columns_widened: tuple[str, ...]
    alter_statement: str | None
    settings: Mapping[str, Setting]
    explain: str

    def __str__(self) -> str:
        """The plan for a reader: the statement, what it goes by, and what changes in the table."""
        settings = [f"  {name} = {value}  ({origin})" for name, (value, origin) in self.settings.items()]
        changes = [
            f"  {kind}: {', '.join(columns)}"
            for kind, columns in (
                ("added", self.columns_added),
                ("padded with NULL", self.columns_padded),
                ("ignored", self.columns_ignored),
                ("widened", self.columns_widened),
            )
            if columns
        ]
        altered = ["  " + self.alter_statement] if self.alter_statement else []
        return "\n".join([self.statement, "Settings", *settings, "Columns", *(changes or ["  no change"]), *altered])


def plan(df: DataFrame, target: str, **options: Unpack[WriteOptions]) -> WritePlan:
    """What `lamina.write` would do with the same arguments.

    >>> _ = spark.sql("CREATE TABLE lake.db.people (id INT) USING iceberg")
    >>> df = spark.sql("SELECT 1 AS id, 'ann@example.com' AS email")
    >>> print(plan(df, "lake.db.people", on_schema_change="append_new_columns"))
    INSERT INTO `lake`.`db`.`people`
      ON SCHEMA CHANGE append_new_columns
      SELECT * FROM `source`
    Settings
      merge_strategy = append_only  (default)
      on_schema_change = append_new_columns  (statement)
    Columns
      added: email
      ALTER TABLE lake.db.people ADD COLUMNS (email STRING)
    """
    # Spark 3.5 binds no parameter under EXPLAIN, and the run id, the only one, changes nothing in a plan.
    explained: dict[str, Any] = {**options, "run_id": None}
    with as_view(df) as source:
        rows = run(df.sparkSession, Statement("EXPLAIN " + insert_statement(target, source, explained).text))
    return parse_plan("\n".join(row[0] for row in rows), insert_statement(target, "source", options).text)


def parse_plan(explain: str, statement: str) -> WritePlan:
    """The plan in the text of ``EXPLAIN``; a refusal, which ``EXPLAIN`` prints, is raised."""
    lines = [_TREE.sub("", line).rstrip() for line in explain.splitlines()]
    refusal = _REFUSAL.search(explain)
    if refusal and not any(line.startswith("Settings [") for line in lines):
        raise errors.StatementError(refusal.group().strip(), condition=refusal["condition"])
    settings = dict(_settings(_only(lines, "Settings [")))
    columns = _columns(_only(lines, "SchemaChange ["))
    return WritePlan(
        statement=statement,
        strategy=settings["merge_strategy"].value,
        columns_added=columns["added"],
        columns_padded=columns["padded"],
        columns_ignored=columns["ignored"],
        columns_widened=columns["widened"],
        alter_statement=next((line for line in lines if line.startswith("ALTER TABLE ")), None),
        settings=settings,
        explain=explain,
    )


_REFUSAL = re.compile(r"\[(?P<condition>LAMINA_[A-Z_.]+)\][^\n]*")
_TREE = re.compile(r"^[\s:+\-*|]*(?:\(\d+\)\s*)?")
_SETTING = re.compile(r"(\w+)=(.*?) \(([a-z][a-z ._]*)\)(?=, \w+=|\]$)")
_COLUMN_LIST = re.compile(r"(added|padded|ignored|widened)=\[((?:`(?:[^`]|``)*`|[^`\]])*)\]")
_COLUMN = re.compile(r"(?:`(?:[^`]|``)*`|[^`,\s])+")


def _only(lines: list[str], start: str) -> str:
    for line in lines:
        if line.startswith(start):
            return line
    raise LaminaError(f"EXPLAIN shows no line that starts with {start!r}:\n" + "\n".join(lines))


def _settings(line: str) -> Iterator[tuple[str, Setting]]:
    for name, value, origin in _SETTING.findall(line):
        yield name, Setting(value, origin)


def _columns(line: str) -> dict[str, tuple[str, ...]]:
    """The four lists of names, each name in backticks where it has to be."""
    return {kind: tuple(_COLUMN.findall(names)) for kind, names in _COLUMN_LIST.findall(line)}
