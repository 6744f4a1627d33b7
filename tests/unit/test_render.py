"""Tables and errors as text."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from lamina.cli.render import answer, cell, one_line, table
from pyspark.sql import Row


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "NULL"),
        (False, "false"),
        (1.5, "1.5"),
        (Decimal("2.50"), "2.50"),
        (date(2024, 5, 1), "2024-05-01"),
        (bytearray(b"\x01\xff"), "01FF"),
        ([1, None], "[1, NULL]"),
        ({"a": [True]}, "{a -> [true]}"),
        (Row(zip="0150", city=None), "{0150, NULL}"),
    ],
)
def test_a_value_is_shown_as_sql_shows_it(value: object, text: str) -> None:
    assert cell(value) == text


def test_numbers_stand_to_the_right() -> None:
    assert table(["n", "name"], [(1, "Ann"), (100, None), (None, "B")]).splitlines() == [
        "   n  name",
        "----  ----",
        "   1  Ann",
        " 100  NULL",
        "NULL  B",
    ]


def test_no_rows_leave_the_heading() -> None:
    assert table(["id", "name"], []) == "id  name\n--  ----"


def test_rows_that_do_not_fit_are_shown_as_records() -> None:
    assert table(["id", "name"], [(1, "Ann"), (2, "Ben")], width=5) == "id    1\nname  Ann\n\nid    2\nname  Ben"


def test_a_plan_keeps_its_own_layout() -> None:
    assert table(["plan"], [("== Plan ==\n+- Scan\n",)]) == "== Plan ==\n+- Scan"


def test_figures_are_wrapped_between_words() -> None:
    figures = answer(["status", "rows_inserted", "snapshot_id"], [("changed", 2, 123)], width=32)
    assert figures == "status=changed  rows_inserted=2\nsnapshot_id=123"


def test_a_statement_without_columns_is_ok() -> None:
    assert answer([], []) == "OK"


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("\n[X] bad.\n\n== SQL ==\nSELEC\n^^^", "[X] bad."),
        ("[X] bad; line 1 pos 3;\n'Project\n", "[X] bad; line 1 pos 3"),
        ("[X] bad.\nJVM stacktrace:\norg.apache…", "[X] bad."),
    ],
)
def test_an_error_is_one_line(message: str, line: str) -> None:
    assert one_line(message) == line
