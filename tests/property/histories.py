"""Random histories of a table: seeded, so that a number is all it takes to see one again."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import model
from model import Row

Apply = Callable[["History", list[Row], list[str]], list[Row]]


@dataclass
class History:
    """The state that the model says a table is in."""

    rows: list[Row] = field(default_factory=list)
    events: list[Row] = field(default_factory=list)
    statement: int = 0


@dataclass(frozen=True)
class Kind:
    """A strategy with some of its options: the clause, the model's answer, and what its sources look like."""

    name: str
    clause: str
    apply: Apply
    repeats: bool = False
    sequence: bool = False
    deletes: bool = False
    columns_vary: bool = True
    replaces: bool = False

    @property
    def is_history(self) -> bool:
        return self.name.startswith("scd2")


def _now(history: History, batch: list[Row], columns: list[str], **options: Any) -> list[Row]:
    return model.scd2_now(history.rows, batch, columns, now=history.statement, **options)


def _events(history: History, batch: list[Row], columns: list[str]) -> list[Row]:
    history.events = history.events + batch
    return model.scd2_events(history.events, columns)


KINDS = [
    Kind("append_only", "append_only", lambda h, b, c: model.append_only(h.rows, b, c), repeats=True, replaces=True),
    Kind("full_refresh", "full_refresh", lambda h, b, c: model.full_refresh(h.rows, b, c), repeats=True, replaces=True),
    Kind(
        "delete_insert",
        "delete_insert UNIQUE KEY (h, id)",
        lambda h, b, c: model.delete_insert(h.rows, b, c),
        repeats=True,
        replaces=True,
    ),
    Kind(
        "snapshot",
        "snapshot PARTITION COLUMNS (h, b)",
        lambda h, b, c: model.snapshot("b")(h.rows, b, c),
        repeats=True,
        replaces=True,
        columns_vary=False,
    ),
    Kind("incremental", "incremental UNIQUE KEY (h, id)", lambda h, b, c: model.incremental(h.rows, b, c)),
    Kind(
        "incremental_watermark",
        "incremental UNIQUE KEY (h, id) WATERMARK s DELETE WHEN op = 'D'",
        lambda h, b, c: model.incremental(h.rows, b, c, watermark="s"),
        repeats=True,
        deletes=True,
    ),
    Kind(
        "incremental_full_state",
        "incremental UNIQUE KEY (h, id) HARD DELETES invalidate ALLOW EMPTY SOURCE",
        lambda h, b, c: model.incremental(h.rows, b, c, remove_absent=True),
    ),
    Kind(
        "scd2",
        "scd2 UNIQUE KEY (h, id) DELETE WHEN op = 'D'",
        lambda h, b, c: _now(h, b, c, tracked=["a", "b", "c", "s"]),
        deletes=True,
    ),
    Kind(
        "scd2_tracked",
        "scd2 UNIQUE KEY (h, id) TRACK HISTORY ON (a) HARD DELETES invalidate ALLOW EMPTY SOURCE",
        lambda h, b, c: _now(h, b, c, tracked=["a"], close_absent=True),
    ),
    Kind(
        "scd2_sequence",
        "scd2 UNIQUE KEY (h, id) SEQUENCE BY s DELETE WHEN op = 'D'",
        _events,
        sequence=True,
        deletes=True,
        columns_vary=False,
    ),
    Kind(
        "scd2_sequence_tracked",
        "scd2 UNIQUE KEY (h, id) SEQUENCE BY s TRACK HISTORY ON (a) DELETE WHEN op = 'D'",
        lambda h, b, c: model.scd2_merged(h.rows, b, c, tracked=["a"]),
        sequence=True,
        deletes=True,
        columns_vary=False,
    ),
]


@dataclass(frozen=True)
class Step:
    """One statement: the source's columns in its order and letter case, and its rows."""

    columns: list[str]
    rows: list[Row]


def steps(kind: Kind, seed: int, histories: int, statements: int) -> list[Step]:
    """The statements of several histories at once; those of one have its number in column ``h``."""
    chance = random.Random(f"{kind.name}/{seed}")
    seen: set[tuple[int, int, int]] = set()
    result = []
    for _ in range(statements):
        columns = _columns(kind, chance)
        rows = [row for h in range(histories) for row in _batch(kind, h, chance, seen)]
        result.append(Step(columns, rows))
    return result


def _columns(kind: Kind, chance: random.Random) -> list[str]:
    columns = ["h", "id", "a", "b", "s"]
    if kind.columns_vary:
        if chance.random() < 0.3:
            columns.remove("b")
        if chance.random() < 0.4:
            columns.append("c")
    chance.shuffle(columns)
    return columns


def _batch(kind: Kind, h: int, chance: random.Random, seen: set[tuple[int, int, int]]) -> list[Row]:
    rows = []
    used: set[Any] = set()
    for _ in range(chance.randrange(5)):
        row = {
            "h": h,
            "id": chance.randrange(3),
            "a": chance.choice(["x", "y", None]),
            "b": chance.choice([1, 2, None]),
            "c": chance.choice([10, None]),
            "s": chance.randrange(40),
            "op": "D" if kind.deletes and chance.random() < 0.25 else "U",
        }
        place = (h, row["id"], row["s"])
        unique = place if kind.sequence or (kind.deletes and kind.repeats) else row["id"]
        if kind.sequence and place in seen:
            continue
        if (not kind.repeats or kind.deletes) and unique in used:
            continue
        used.add(unique)
        if kind.sequence:
            seen.add(place)
        rows.append(row)
    return rows
