"""Builds the one SQL statement that `lamina.write` and `lamina.plan` run. Pure: no session needed.

Names follow Spark's convention. A dot separates parts, backticks quote a part, and a doubled backtick
inside quotes is a backtick: ``"address.zip"`` is the field ``zip`` of ``address``, and
``"`address.zip`"`` is a column whose name has a dot in it. The same holds for ``"lake.db.customers"``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, TypedDict

Names = str | Sequence[str]
Boundary = str | int | Decimal | date | datetime
Step = str | int | Decimal | timedelta


class WriteOptions(TypedDict, total=False):
    """The keywords of `lamina.write` and `lamina.plan`; the docs of the statement explain each."""

    strategy: str | None
    unique_key: Names | None
    watermark_column: str | None
    partition_column: Names | None
    scd_valid_from: str | None
    scd_valid_to: str | None
    scd_current_flag: str | None
    sequence_by: str | None
    track_history: Names | None
    track_history_except: Names | None
    delete_when: str | None
    hard_deletes: str | None
    allow_empty_source: bool
    except_columns: Names | None
    run_id: str | None
    on_schema_change: str | None
    widen_types: bool
    chunk_by: str | None
    chunk_from: Boundary | None
    chunk_to: Boundary | None
    chunk_step: Step | None


@dataclass(frozen=True)
class Statement:
    """SQL text and the values of its named parameter markers: ``spark.sql(text, args=args)``."""

    text: str
    args: Mapping[str, str] = field(default_factory=dict)


def insert_statement(target: str, source: str, options: Mapping[str, Any]) -> Statement:
    """``INSERT INTO target … SELECT * FROM source`` with the clauses that ``options`` ask for.

    >>> statement = insert_statement(
    ...     "lake.db.t", "source", {"strategy": "scd2", "unique_key": ["id"], "run_id": "2024-05-01"})
    >>> print(statement.text)
    INSERT INTO `lake`.`db`.`t`
      MERGE STRATEGY scd2 UNIQUE KEY (`id`) RUN ID :run_id
      SELECT * FROM `source`
    >>> statement.args
    {'run_id': '2024-05-01'}
    """
    given = _given(options)
    clauses = [*_clause(_STRATEGY_CLAUSE, given), *_clause(_POLICY_CLAUSE, given)]
    if not clauses:
        raise ValueError("say what to do with the rows: give strategy, or on_schema_change, or both")
    lines = [f"INSERT INTO {quote_name(target)}", *clauses, f"SELECT * FROM {quote_name(source)}"]
    # No literal holds any text alike under both values of spark.sql.parser.escapedStringLiterals.
    args = {"run_id": str(given["run_id"])} if "run_id" in given else {}
    return Statement("\n  ".join(lines), args)


def split_name(name: str) -> tuple[str, ...]:
    """The parts of a name in Spark's convention.

    >>> split_name("address.zip"), split_name("`address.zip`"), split_name("`a``b`.c")
    (('address', 'zip'), ('address.zip',), ('a`b', 'c'))
    """
    parts = _NAME_PARTS.findall(name) if _NAME.fullmatch(name) else []
    if not parts:
        raise ValueError(f"not a name: {name!r}; write a.b for field b of a, and `a.b` for a name with a dot in it")
    return tuple(quoted.replace("``", "`") or plain for quoted, plain in parts)


def quote_name(name: str) -> str:
    """``name`` with every part in backticks, as it stands in the statement.

    >>> quote_name("address.zip")
    '`address`.`zip`'
    """
    return ".".join(_quote(part) for part in split_name(name))


_NAME_PARTS = re.compile(r"`((?:[^`]|``)+)`|([^.`]+)")
_NAME = re.compile(rf"(?:{_NAME_PARTS.pattern})(?:\.(?:{_NAME_PARTS.pattern}))*")
_PLAIN_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _quote(part: str) -> str:
    return "`" + part.replace("`", "``") + "`"


def _word(value: str) -> str:
    """A strategy, policy or mode; anything that is no plain word goes on quoted, for Lamina to refuse by name."""
    return value if _PLAIN_WORD.fullmatch(value) else _quote(value)


def _name_list(names: Names) -> str:
    several = [names] if isinstance(names, str) else names
    if not several:
        raise ValueError("an empty list names no column; leave the option out instead")
    return "(" + ", ".join(quote_name(name) for name in several) + ")"


def _boundary(value: Boundary) -> str:
    """A chunk's boundary; a datetime without a time zone is meant in the session's, as in SQL."""
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    if not isinstance(value, str):
        return str(value)
    if "'" in value or "\\" in value:
        raise ValueError(f"a chunk's boundary may hold neither quotes nor backslashes: {value!r}")
    return f"'{value}'"


def _step(value: Step) -> str:
    """A chunk's length; text is SQL already, such as ``INTERVAL 1 MONTH``."""
    if not isinstance(value, timedelta):
        return str(value)
    time_of_day = value - timedelta(days=value.days)
    return f"INTERVAL '{value.days} {time_of_day}' DAY TO SECOND"


def _flag(_value: bool) -> str:
    return ""


@dataclass(frozen=True)
class _Clause:
    """A clause: the option that names it, its words, and the options that may follow it, in order."""

    option: str
    words: str
    follow: Mapping[str, tuple[str, Callable[[Any], str]]]


_STRATEGY_CLAUSE = _Clause(
    "strategy",
    "MERGE STRATEGY",
    {
        "unique_key": ("UNIQUE KEY", _name_list),
        "watermark_column": ("WATERMARK", quote_name),
        "partition_column": ("PARTITION COLUMNS", _name_list),
        "scd_valid_from": ("VALID FROM", quote_name),
        "scd_valid_to": ("VALID TO", quote_name),
        "scd_current_flag": ("CURRENT FLAG", quote_name),
        "sequence_by": ("SEQUENCE BY", quote_name),
        "track_history": ("TRACK HISTORY ON", _name_list),
        "track_history_except": ("TRACK HISTORY ON * EXCEPT", _name_list),
        # The parentheses keep the clauses that follow out of the predicate.
        "delete_when": ("DELETE WHEN", "({})".format),
        "hard_deletes": ("HARD DELETES", _word),
        "allow_empty_source": ("ALLOW EMPTY SOURCE", _flag),
        "except_columns": ("COLUMNS * EXCEPT", _name_list),
        "run_id": ("RUN ID", lambda _value: ":run_id"),
    },
)
_POLICY_CLAUSE = _Clause(
    "on_schema_change",
    "ON SCHEMA CHANGE",
    {
        "widen_types": ("WIDEN TYPES", _flag),
        "chunk_by": ("CHUNK BY", quote_name),
        "chunk_from": ("FROM", _boundary),
        "chunk_to": ("TO", _boundary),
        "chunk_step": ("STEP", _step),
    },
)


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that say something: ``None`` and ``False`` are as good as leaving the option out."""
    known = WriteOptions.__annotations__
    unknown = [name for name in options if name not in known]
    if unknown:
        raise TypeError(f"unknown option {', '.join(unknown)}; the options are {', '.join(known)}")
    return {name: value for name, value in options.items() if value is not None and value is not False}


def _clause(clause: _Clause, given: Mapping[str, Any]) -> list[str]:
    """The clause's one line, or none when its option is not given."""
    following = [name for name in clause.follow if name in given]
    if clause.option not in given:
        if following:
            raise ValueError(f"{', '.join(following)}: give {clause.option} as well")
        return []
    words = [clause.words, _word(given[clause.option])]
    for name in following:
        keyword, render = clause.follow[name]
        words += [keyword, render(given[name])]
    return [" ".join(word for word in words if word)]
