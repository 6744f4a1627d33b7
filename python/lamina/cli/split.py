"""Cuts a text into SQL statements at the semicolons that stand outside of strings, names and comments."""

from __future__ import annotations

import re
from typing import NamedTuple

# A quote that never closes swallows the rest of the text: the statement is not complete yet.
_TOKEN = re.compile(
    r"""
      (?<!\w)[rR]'[^']*(?:'|\Z)  |  (?<!\w)[rR]"[^"]*(?:"|\Z)
    | '(?:[^'\\]|\\.)*(?:'|\Z)   |  "(?:[^"\\]|\\.)*(?:"|\Z)
    | `[^`]*(?:`|\Z)             |  \$\$.*?(?:\$\$|\Z)
    | (?P<comment>--[^\n]*       |  /\*.*?(?:\*/|\Z))
    | (?P<end>;)
    | (?P<space>\s)
    | .
    """,
    re.VERBOSE | re.DOTALL,
)


class Split(NamedTuple):
    """The complete statements of a text, and what follows the last semicolon."""

    statements: list[str]
    rest: str


def split_statements(text: str) -> Split:
    r"""The statements in ``text``, without their semicolons. Comments alone are no statement.

    >>> split_statements("SELECT ';'; -- done; really\nSELECT 2")
    Split(statements=["SELECT ';'"], rest='-- done; really\nSELECT 2')
    """
    statements: list[str] = []
    start = 0
    has_code = False
    for token in _TOKEN.finditer(text):
        if token["end"]:
            if has_code:
                statements.append(text[start : token.start()].strip())
            start = token.end()
            has_code = False
        elif not (token["comment"] or token["space"]):
            has_code = True
    return Split(statements, text[start:].strip())


def is_statement(text: str) -> bool:
    """Whether ``text`` holds more than comments."""
    return any(not (token["comment"] or token["space"] or token["end"]) for token in _TOKEN.finditer(text))
