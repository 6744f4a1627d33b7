"""The tables of the docs that the code knows better: settings, strategies, policies and error conditions.

A page holds each of them between two comments, which no reader sees:
    <!-- generated: name -->
    …
    <!-- end of generated -->
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

CONDITIONS = "jvm/src/main/resources/error/lamina-error-conditions.json"

_PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(\n<!-- end of generated -->)", re.DOTALL)


def filled(page: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """The page with every generated part as the code has it now."""
    return _PART.sub(lambda part: f"{part[1]}\n{parts[part[2]]()}\n{part[3]}", page)


def conditions(root: Path) -> str:
    """A section for each error condition: its state, what it says, and what to do."""
    sections = []
    for name, condition in json.loads((root / CONDITIONS).read_text(encoding="utf-8")).items():
        message = re.sub(r"<(\w+)>", r"*\1*", " ".join(condition["message"]))
        meaning, _, remedy = message.partition(". ")
        sections.append(f"### {name}\n\nSQLSTATE {condition['sqlState']}. {meaning}.\n\n{remedy}")
    return "\n\n".join(sections)


class Settings:
    """What the extension in a session's JVM knows about its settings."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._jvm: Any = spark._jvm
        package = self._jvm.org.apache.spark.sql.lamina.settings
        self._strategies = _items(package.StrategyKind.all())
        self._policies = _items(package.PolicyKind.all())
        self._stored = _items(package.SettingField.stored())
        self._fields = [*self._stored, package.SettingField.RunId()]
        self._merge = package.Settings.merge

    def options(self) -> str:
        """Every setting of a statement under each of its names."""
        defaults = self._defaults()
        rows = []
        for field in self._fields:
            default = defaults.get(field.name())
            keys = (field.property(), field.sessionKey()) if field in self._stored else (None, None)
            rows.append([*map(_code, [field.clause(), *keys, default]), self._users(field)])
        return _table(["clause", "table property", "session key", "default", "used by"], rows)

    def session(self) -> str:
        """The settings that are not options of a statement."""
        confs = _items(self._jvm.io.lamina.LaminaConf.all())
        rows = [[_code(conf.key()), _code(conf.default()), conf.doc()] for conf in confs]
        return _table(["session key", "default", "meaning"], rows)

    def strategies(self) -> str:
        """The strategies and their options."""
        rows = [[_code(kind.name()), *_options(kind), self._runs("MERGE STRATEGY", kind)] for kind in self._strategies]
        return _table(["strategy", "required options", "other options", "in this version"], rows)

    def policies(self) -> str:
        """The policies and their options."""
        rows = [[_code(kind.name()), *_options(kind), self._runs("ON SCHEMA CHANGE", kind)] for kind in self._policies]
        return _table(["policy", "required options", "other options", "in this version"], rows)

    def available(self) -> set[str]:
        """The clauses that this version carries out: ``MERGE STRATEGY append_only`` and so on."""
        kinds = {"MERGE STRATEGY": self._strategies, "ON SCHEMA CHANGE": self._policies}
        return {
            f"{clause} {kind.name()}" for clause, found in kinds.items() for kind in found if self._is_run(clause, kind)
        }

    def _runs(self, clause: str, kind: Any) -> str:
        return "runs" if self._is_run(clause, kind) else "not yet"

    def _is_run(self, clause: str, kind: Any) -> bool:
        """Asks the extension by a statement that has all the options it needs and writes no row."""
        values = {"CHUNK BY": "id FROM 1 TO 2 STEP 1", "PARTITION COLUMN": "id"}
        needed = [field.clause() for field in _items(kind.required()) if "..." not in field.clause()]
        options = " ".join(f"{option} {values.get(option, '(id)')}" for option in needed)
        target = "lake.db.probe"
        self._spark.sql(f"CREATE TABLE IF NOT EXISTS {target} (id INT) USING iceberg")
        if clause == "MERGE STRATEGY":
            target += f"_{kind.name()}"
        try:
            self._spark.sql(f"INSERT INTO {target} {clause} {kind.name()} {options} SELECT 1 AS id WHERE false")
        except AnalysisException as error:
            if "[LAMINA_UNSUPPORTED_FEATURE]" not in str(error):
                raise
            return False
        return True

    def _users(self, field: Any) -> str:
        kinds = [kind for kind in [*self._strategies, *self._policies] if kind.uses(field)]
        if len(kinds) == len(self._strategies) > 1:
            return "every strategy"
        return ", ".join(kind.name() + (" (required)" if field in _items(kind.required()) else "") for kind in kinds)

    def _defaults(self) -> dict[str, str]:
        """The values that count when nobody said anything, over all strategies."""
        found = {}
        for session in [{}, *({"spark.sql.lamina.mergeStrategy": kind.name()} for kind in self._strategies)]:
            no_clauses = self._jvm.PythonUtils.toSeq([])
            settings = self._merge(no_clauses, self._map({}), self._map(session).lift())
            for setting in _items(settings.values()):
                if setting.source().name() == "default":
                    found[setting.field().name()] = setting.text()
        return found

    def _map(self, entries: dict[str, str]) -> Any:
        return self._jvm.PythonUtils.toScalaMap(entries)


def _items(scala_seq: Any) -> list[Any]:
    return [scala_seq.apply(i) for i in range(scala_seq.size())]


def _options(kind: Any) -> list[str]:
    required = [field.clause() for field in _items(kind.required())]
    optional = [field.clause() for field in _items(kind.options()) if field.clause() not in required]
    return [", ".join(map(_code, names)) for names in (required, optional)]


def _code(text: str | None) -> str:
    return f"`{text}`" if text else ""


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(cells).rstrip() + " |" for cells in [header, *rows]]
    return "\n".join([lines[0], "|---" * len(header) + "|", *lines[1:]]).replace("|  ", "| ").replace("|  ", "| ")
