"""Texts cut into statements, and the shell that reads them line by line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lamina.cli.split import is_statement, split_statements
from lamina.cli.sql import typed_statements


@pytest.mark.parametrize(
    ("text", "statements", "rest"),
    [
        ("SELECT 1; SELECT 2;", ["SELECT 1", "SELECT 2"], ""),
        ("SELECT ';' ; SELECT 2", ["SELECT ';'"], "SELECT 2"),
        ('SELECT ";", `a;b`;', ['SELECT ";", `a;b`'], ""),
        (r"SELECT 'it\'s;';", [r"SELECT 'it\'s;'"], ""),
        ("SELECT 'it''s;';", ["SELECT 'it''s;'"], ""),
        (r"SELECT r'\'; SELECT 2;", [r"SELECT r'\'", "SELECT 2"], ""),
        ("SELECT $$;$$;", ["SELECT $$;$$"], ""),
        ("-- a; b\nSELECT 1;", ["-- a; b\nSELECT 1"], ""),
        ("/* a; b */ SELECT 1;", ["/* a; b */ SELECT 1"], ""),
        ("-- nothing\n;;", [], ""),
        ("SELECT 'open; SELECT 2;", [], "SELECT 'open; SELECT 2;"),
    ],
)
def test_statements_end_at_semicolons_outside_of_quotes_and_comments(
    text: str, statements: list[str], rest: str
) -> None:
    assert split_statements(text) == (statements, rest)


def test_comments_alone_are_no_statement() -> None:
    assert not is_statement("-- only this\n/* and this */ ;")
    assert is_statement("-- then\nSELECT 1")


def typing(*keys: str | type[BaseException]) -> tuple[Callable[[str], str], list[str]]:
    """A reader that types each line, or presses the key that raises; and the prompts that it was shown."""
    left, prompts = list(keys), []

    def read_line(prompt: str) -> str:
        prompts.append(prompt)
        key = left.pop(0) if left else EOFError
        if isinstance(key, str):
            return key
        raise key

    return read_line, prompts


def test_a_statement_goes_over_lines_until_its_semicolon() -> None:
    read_line, prompts = typing("SELECT 1,", "2; SELECT", "3;")
    assert list(typed_statements(read_line)) == ["SELECT 1,\n2", "SELECT\n3"]
    assert prompts == ["lamina> ", "     -> ", "     -> ", "lamina> "]


def test_ctrl_c_drops_what_was_begun() -> None:
    read_line, _ = typing("SELECT 1,", KeyboardInterrupt, "SELECT 2;")
    assert list(typed_statements(read_line)) == ["SELECT 2"]
