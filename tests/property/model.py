"""What each strategy does to a table, in plain Python: written from the statement's contract, not from its code.

A table is a list of rows, a row a dict. NULL is ``None``; a column that a row lacks is NULL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Row = dict[str, Any]
Key = tuple[Any, ...]

KEY = ("h", "id")


def key_of(row: Row) -> Key:
    return tuple(row[column] for column in KEY)


def by_key(rows: Iterable[Row]) -> dict[Key, list[Row]]:
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(key_of(row), []).append(row)
    return groups


def data_of(row: Row, columns: Iterable[str]) -> Row:
    return {column: row.get(column) for column in columns}


def append_only(table: list[Row], batch: list[Row], columns: list[str]) -> list[Row]:
    return table + [data_of(row, columns) for row in batch]


def full_refresh(table: list[Row], batch: list[Row], columns: list[str]) -> list[Row]:
    return [data_of(row, columns) for row in batch]


def delete_insert(table: list[Row], batch: list[Row], columns: list[str]) -> list[Row]:
    replaced = set(by_key(batch))
    return [row for row in table if key_of(row) not in replaced] + append_only([], batch, columns)


def snapshot(partition: str) -> Callable[[list[Row], list[Row], list[str]], list[Row]]:
    def replace(table: list[Row], batch: list[Row], columns: list[str]) -> list[Row]:
        replaced = {(row["h"], row.get(partition)) for row in batch}
        kept = [row for row in table if (row["h"], row.get(partition)) not in replaced]
        return kept + append_only([], batch, columns)

    return replace


def incremental(
    table: list[Row], batch: list[Row], columns: list[str], *, watermark: str | None = None, remove_absent: bool = False
) -> list[Row]:
    """``op`` is 'D' in a row that deletes."""
    old = by_key(table)
    result = dict(old)
    latest: dict[Key, Row] = {}
    for row in batch:
        before = latest.get(key_of(row))
        if before is None or (watermark and _newer(row[watermark], before[watermark])):
            latest[key_of(row)] = row
    for key, row in latest.items():
        rows = old.get(key, [])
        if not rows:
            if row.get("op") != "D":
                result[key] = [data_of(row, columns)]
            continue
        kept = []
        for existing in rows:
            if watermark and _newer(existing.get(watermark), row[watermark]):
                kept.append(existing)
            elif row.get("op") != "D":
                kept.append({**existing, **data_of(row, columns)})
        result[key] = kept
    if remove_absent:
        result = {key: rows for key, rows in result.items() if key in latest}
    return [row for rows in result.values() for row in rows]


def _newer(a: Any, b: Any) -> bool:
    if a is None:
        return False
    return b is None or a > b


def scd2_now(
    table: list[Row], batch: list[Row], columns: list[str], *, now: int, tracked: list[str], close_absent: bool = False
) -> list[Row]:
    """Without a sequence: ``now`` stands for the moment of the statement."""
    result = [dict(row) for row in table]
    open_rows = {key_of(row): row for row in result if row["valid_to"] is None}
    incoming = {key_of(row): row for row in batch}
    for key, row in incoming.items():
        current = open_rows.get(key)
        new = {**data_of(row, columns), "valid_from": now, "valid_to": None}
        if row.get("op") == "D":
            if current:
                current["valid_to"] = now
        elif current is None:
            result.append(new)
        elif any(current.get(c) != row.get(c) for c in tracked if c in columns):
            current["valid_to"] = now
            result.append(new)
        else:
            current.update(data_of(row, [c for c in columns if c not in tracked]))
    if close_absent:
        for key, row in open_rows.items():
            if key not in incoming and row["valid_to"] is None:
                row["valid_to"] = now
    return result


def scd2_events(events: list[Row], columns: list[str]) -> list[Row]:
    """With a sequence that is tracked: a function of all events that ever arrived, in whatever order."""
    result: list[Row] = []
    for rows in by_key(events).values():
        ordered = sorted({row["s"]: row for row in rows}.values(), key=lambda row: int(row["s"]))
        for i, row in enumerate(ordered):
            until = ordered[i + 1]["s"] if i + 1 < len(ordered) else None
            if row["op"] != "D":
                result.append({**data_of(row, columns), "valid_from": row["s"], "valid_to": until})
            elif i == 0 or ordered[i - 1]["op"] == "D":
                key = {column: row[column] for column in (*KEY, "s")}
                result.append({**key, "valid_from": row["s"], "valid_to": row["s"]})
    return result


def scd2_merged(table: list[Row], batch: list[Row], columns: list[str], *, tracked: list[str]) -> list[Row]:
    """With a sequence that is not tracked: equal neighbours are one version that remembers its last moment."""
    events: dict[Key, dict[int, Row | None]] = {}
    for row in table:
        line = events.setdefault(key_of(row), {})
        start, end, last = row["valid_from"], row["valid_to"], row["s"]
        if start == end:
            line.setdefault(start, None)
            continue
        line[start] = {**row, "s": start}
        line[last] = row
        if end is not None:
            line.setdefault(end, None)
    for row in batch:
        line = events.setdefault(key_of(row), {})
        if row["s"] not in line:
            line[row["s"]] = None if row["op"] == "D" else data_of(row, columns)
    return [version for key, line in events.items() for version in _versions(key, line, tracked)]


def _versions(key: Key, line: dict[int, Row | None], tracked: list[str]) -> list[Row]:
    result: list[Row] = []
    current: Row | None = None
    for moment in sorted(line):
        event = line[moment]
        if event is None:
            if current is None:
                result.append(
                    {**dict(zip(KEY, key, strict=True)), "s": moment, "valid_from": moment, "valid_to": moment}
                )
            else:
                current["valid_to"] = moment
            current = None
        elif current is not None and all(current.get(c) == event.get(c) for c in tracked):
            current.update({**event, "s": moment, "valid_from": current["valid_from"], "valid_to": None})
        else:
            if current is not None:
                current["valid_to"] = moment
            current = {**event, "s": moment, "valid_from": moment, "valid_to": None}
            result.append(current)
    return result
