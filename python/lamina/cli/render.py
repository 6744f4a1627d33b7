"""Rows and errors as plain text, for terminals, docs and golden files alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def cell(value: Any) -> str:
    """One value as SQL would show it.

    >>> cell(None), cell(True), cell(["a", "b"]), cell({"k": 1})
    ('NULL', 'true', '[a, b]', '{k -> 1}')
    """
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (bytes, bytearray)):
        return value.hex().upper()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{cell(key)} -> {cell(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(cell, value)) + "]"
    if isinstance(value, tuple):  # a Row is one: a struct
        return "{" + ", ".join(map(cell, value)) + "}"
    return str(value)


def answer(columns: Sequence[str], rows: Sequence[Sequence[Any]], width: int = 100) -> str:
    """What a statement returned: a table, ``OK`` for nothing, and for a Lamina statement its figures.

    Figures that are zero, empty or NULL are left out.

    >>> print(answer(["status", "rows_inserted", "rows_deleted", "columns_added"], [("changed", 2, 0, ["email"])]))
    status=changed  rows_inserted=2  columns_added=[email]
    """
    if not columns:
        return "OK"
    if columns[0] != "status" or "rows_inserted" not in columns:
        return table(columns, rows, width)
    figures = [f"{name}={cell(value)}" for name, value in zip(columns, rows[0], strict=True) if value]
    return "\n".join(_wrapped(figures, width))


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], width: int = 100) -> str:
    """The rows under their column names; one below the other when they do not fit in ``width``.

    >>> print(table(["id", "name"], [(1, "Ann"), (10, None)]))
    id  name
    --  ----
     1  Ann
    10  NULL
    """
    values = [list(row) for row in rows]
    texts = [[cell(value) for value in row] for row in values]
    if len(columns) == 1 and any("\n" in text for row in texts for text in row):
        return "\n".join(text.rstrip() for row in texts for text in row)  # a plan or a DDL text is its own layout
    widths = [max(map(len, [name, *column])) for name, *column in zip(columns, *texts, strict=True)]
    if sum(widths) + 2 * (len(widths) - 1) > width:
        return _records(columns, texts)
    to_right = [_numeric(column) for column in zip(*values, strict=True)] or [False] * len(columns)
    lines = [columns, ["-" * size for size in widths], *texts]
    return "\n".join(_aligned(line, widths, to_right) for line in lines)


def one_line(message: str) -> str:
    r"""A Spark error in one line: its first paragraph, without the plan or the JVM's stack that may follow.

    >>> one_line("[X] No such table.\nTry again. SQLSTATE: 42P01; line 1 pos 14;\n'Project [*]\n+- …")
    '[X] No such table. Try again. SQLSTATE: 42P01; line 1 pos 14'
    """
    lines: list[str] = []
    for line in message.strip().splitlines():
        if not line.strip() or line.startswith(("JVM stacktrace", "== SQL ==")):
            break
        lines.append(line.strip())
        if line.endswith(";"):  # Spark separates the plan from the message this way
            break
    return " ".join(lines).rstrip(";")


def _wrapped(words: Iterable[str], width: int) -> list[str]:
    """The words in as few lines as they fit into, none of them cut."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]}  {word}" if lines[-1] else word
        lines = [*lines[:-1], longer] if len(longer) <= width or not lines[-1] else [*lines, word]
    return lines


def _aligned(texts: Sequence[str], widths: Sequence[int], to_right: Sequence[bool]) -> str:
    padded = [
        text.rjust(size) if right else text.ljust(size)
        for text, size, right in zip(texts, widths, to_right, strict=True)
    ]
    return "  ".join(padded).rstrip()


def _numeric(column: Iterable[Any]) -> bool:
    present = [value for value in column if value is not None]
    return bool(present) and all(hasattr(value, "__round__") and not isinstance(value, bool) for value in present)


def _records(columns: Sequence[str], texts: Sequence[Sequence[str]]) -> str:
    size = max(map(len, columns))
    records = [
        "\n".join(f"{name.ljust(size)}  {text}" for name, text in zip(columns, row, strict=True)) for row in texts
    ]
    return "\n\n".join(records)
