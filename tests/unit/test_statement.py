"""The statement that `lamina.write` and `lamina.plan` run, built without a session."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lamina.statement import (
    WriteOptions,
    insert_statement,
    quote_name,
    split_name,
)

STRATEGY_OPTIONS = {
    "unique_key": (["id", "address.zip"], "UNIQUE KEY (`id`, `address`.`zip`)"),
    "watermark_column": ("updated_at", "WATERMARK `updated_at`"),
    "partition_column": (["day", "region"], "PARTITION COLUMNS (`day`, `region`)"),
    "scd_valid_from": ("since", "VALID FROM `since`"),
    "scd_valid_to": ("until", "VALID TO `until`"),
    "scd_current_flag": ("is_current", "CURRENT FLAG `is_current`"),
    "sequence_by": ("seq", "SEQUENCE BY `seq`"),
    "track_history": (["name", "city"], "TRACK HISTORY ON (`name`, `city`)"),
    "track_history_except": ("seen_at", "TRACK HISTORY ON * EXCEPT (`seen_at`)"),
    "delete_when": ("op = 'D'", "DELETE WHEN (op = 'D')"),
    "hard_deletes": ("invalidate", "HARD DELETES invalidate"),
    "allow_empty_source": (True, "ALLOW EMPTY SOURCE"),
    "except_columns": (["op"], "COLUMNS * EXCEPT (`op`)"),
    "run_id": ("May 1", "RUN ID :run_id"),
}
POLICY_OPTIONS = {
    "widen_types": (True, "WIDEN TYPES"),
    "chunk_by": ("day", "CHUNK BY `day`"),
    "chunk_from": (date(2024, 1, 1), "FROM DATE '2024-01-01'"),
    "chunk_to": (date(2024, 3, 1), "TO DATE '2024-03-01'"),
    "chunk_step": ("INTERVAL 1 MONTH", "STEP INTERVAL 1 MONTH"),
}


def clauses(**options: Any) -> str:
    """The clauses alone, in one line."""
    lines = insert_statement("t", "source", options).text.splitlines()
    return " ".join(line.strip() for line in lines[1:-1])


@pytest.mark.smoke
def test_the_statement_names_target_clauses_and_source() -> None:
    statement = insert_statement(
        "lake.db.t", "source", {"strategy": "append_only", "on_schema_change": "append_new_columns"}
    )
    assert statement.text == (
        "INSERT INTO `lake`.`db`.`t`\n"
        "  MERGE STRATEGY append_only\n"
        "  ON SCHEMA CHANGE append_new_columns\n"
        "  SELECT * FROM `source`"
    )
    assert statement.args == {}


@pytest.mark.parametrize("name", STRATEGY_OPTIONS)
def test_each_strategy_option(name: str) -> None:
    value, expected = STRATEGY_OPTIONS[name]
    assert clauses(strategy="scd2", **{name: value}) == f"MERGE STRATEGY scd2 {expected}"


@pytest.mark.parametrize("name", POLICY_OPTIONS)
def test_each_policy_option(name: str) -> None:
    value, expected = POLICY_OPTIONS[name]
    assert clauses(on_schema_change="p", **{name: value}) == f"ON SCHEMA CHANGE p {expected}"


def test_every_option_is_covered_above() -> None:
    assert {"strategy", "on_schema_change", *STRATEGY_OPTIONS, *POLICY_OPTIONS} == set(WriteOptions.__annotations__)


def test_options_stand_in_the_grammars_order_whatever_the_callers_order() -> None:
    assert (
        clauses(
            chunk_step=10,
            chunk_to=100,
            chunk_from=0,
            chunk_by="id",
            on_schema_change="full_incremental_refresh",
            run_id="r",
            unique_key="id",
            strategy="incremental",
        )
        == "MERGE STRATEGY incremental UNIQUE KEY (`id`) RUN ID :run_id "
        "ON SCHEMA CHANGE full_incremental_refresh CHUNK BY `id` FROM 0 TO 100 STEP 10"
    )


def test_a_run_id_travels_beside_the_text() -> None:
    statement = insert_statement("t", "s", {"strategy": "append_only", "run_id": "a'b\\c\"d"})
    assert statement.args == {"run_id": "a'b\\c\"d"}
    assert "a'b" not in statement.text


def test_none_and_false_are_as_good_as_leaving_an_option_out() -> None:
    assert (
        clauses(strategy="append_only", unique_key=None, allow_empty_source=False, widen_types=False)
        == "MERGE STRATEGY append_only"
    )


def test_a_strategy_that_is_no_word_is_quoted_so_that_it_stays_one_name() -> None:
    assert clauses(strategy="x SELECT 1") == "MERGE STRATEGY `x SELECT 1`"


def test_an_unknown_option_lists_the_known_ones() -> None:
    with pytest.raises(TypeError, match=r"unknown option uniqe_key; the options are strategy, unique_key, "):
        insert_statement("t", "s", {"strategy": "append_only", "uniqe_key": "id"})


def test_without_strategy_and_policy_there_is_nothing_to_say() -> None:
    with pytest.raises(ValueError, match="give strategy, or on_schema_change, or both"):
        insert_statement("t", "s", {})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"on_schema_change": "fail", "unique_key": "id"}, "unique_key: give strategy as well"),
        ({"strategy": "append_only", "widen_types": True}, "widen_types: give on_schema_change as well"),
        ({"strategy": "scd2", "unique_key": []}, "an empty list names no column"),
        ({"strategy": "scd2", "unique_key": ["a..b"]}, "not a name: 'a..b'"),
    ],
)
def test_what_cannot_be_a_statement_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        insert_statement("t", "s", options)


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        (5, "5"),
        (Decimal("1.50"), "1.50"),
        (date(2024, 5, 1), "DATE '2024-05-01'"),
        (datetime(2024, 5, 1, 12, 30), "TIMESTAMP '2024-05-01 12:30:00'"),
        (datetime(2024, 5, 1, tzinfo=timezone.utc), "TIMESTAMP '2024-05-01 00:00:00+00:00'"),
        ("EU", "'EU'"),
    ],
)
def test_chunk_boundaries_are_typed_literals(value: Any, literal: str) -> None:
    assert clauses(on_schema_change="p", chunk_by="c", chunk_from=value) == (
        f"ON SCHEMA CHANGE p CHUNK BY `c` FROM {literal}"
    )


@pytest.mark.parametrize(
    ("value", "step"),
    [
        (7, "7"),
        (timedelta(days=1), "INTERVAL '1 0:00:00' DAY TO SECOND"),
        (timedelta(hours=36, microseconds=5), "INTERVAL '1 12:00:00.000005' DAY TO SECOND"),
    ],
)
def test_chunk_steps(value: Any, step: str) -> None:
    assert clauses(on_schema_change="p", chunk_by="c", chunk_step=value) == (
        f"ON SCHEMA CHANGE p CHUNK BY `c` STEP {step}"
    )


@pytest.mark.parametrize("text", ["it's", "a\\b"])
def test_a_boundary_that_literals_read_differently_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="neither quotes nor backslashes"):
        clauses(on_schema_change="p", chunk_by="c", chunk_from=text)


@pytest.mark.parametrize("name", ["", ".a", "a.", "a..b", "`a", "a`b", "``", "a.`b`c"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(ValueError, match="not a name"):
        split_name(name)


def test_names_follow_sparks_convention() -> None:
    assert quote_name("a.b") == "`a`.`b`"
    assert quote_name("`a.b`") == "`a.b`"
    assert quote_name("odd name") == "`odd name`"
    assert quote_name("`tick``s`") == "`tick``s`"


@given(st.lists(st.text(min_size=1), min_size=1))
def test_any_name_survives_being_quoted_and_split(parts: list[str]) -> None:
    quoted = ".".join("`" + part.replace("`", "``") + "`" for part in parts)
    assert split_name(quoted) == tuple(parts)
    assert quote_name(quoted) == quoted
