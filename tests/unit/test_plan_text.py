"""The lines of ``EXPLAIN`` that `lamina.plan` reads."""

from __future__ import annotations

import pytest
from lamina.errors import LaminaError, StatementError
from lamina.plan import Setting, parse_plan

EXPLAIN = """== Physical Plan ==
LaminaInsert lake.db.t
:- Settings [merge_strategy=append_only (default), delete_when=op IN ('D', 'X') (statement), on_schema_change=append_new_columns (table property)]
:- SchemaChange [added=[email, `odd name`, `dot.ted`, address.zip, `a]b`], padded=[phone], ignored=[], widened=[]]
:- ALTER TABLE lake.db.t ADD COLUMNS (email STRING, `odd name` INT)
+- *(1) Project [id#1, name#2]
"""  # noqa: E501


@pytest.mark.smoke
def test_the_lines_are_found_in_the_tree() -> None:
    plan = parse_plan(EXPLAIN, "INSERT …")
    assert plan.strategy == "append_only"
    assert plan.alter_statement == "ALTER TABLE lake.db.t ADD COLUMNS (email STRING, `odd name` INT)"
    assert plan.statement == "INSERT …"
    assert plan.explain == EXPLAIN


def test_a_setting_has_a_value_and_an_origin() -> None:
    assert parse_plan(EXPLAIN, "").settings == {
        "merge_strategy": Setting("append_only", "default"),
        "delete_when": Setting("op IN ('D', 'X')", "statement"),
        "on_schema_change": Setting("append_new_columns", "table property"),
    }


def test_odd_column_names_stay_in_backticks() -> None:
    plan = parse_plan(EXPLAIN, "")
    assert plan.columns_added == ("email", "`odd name`", "`dot.ted`", "address.zip", "`a]b`")
    assert plan.columns_padded == ("phone",)
    assert plan.columns_ignored == plan.columns_widened == ()


def test_without_a_change_there_is_no_alter() -> None:
    plan = parse_plan(
        "LaminaInsert t\n+- Settings [merge_strategy=full_refresh (statement)]\n"
        "   +- SchemaChange [added=[], padded=[], ignored=[], widened=[]]\n",
        "",
    )
    assert plan.alter_statement is None
    assert plan.columns_added == ()


def test_a_plan_reads_well() -> None:
    assert str(parse_plan(EXPLAIN, "INSERT INTO `t`")) == (
        "INSERT INTO `t`\n"
        "Settings\n"
        "  merge_strategy = append_only  (default)\n"
        "  delete_when = op IN ('D', 'X')  (statement)\n"
        "  on_schema_change = append_new_columns  (table property)\n"
        "Columns\n"
        "  added: email, `odd name`, `dot.ted`, address.zip, `a]b`\n"
        "  padded with NULL: phone\n"
        "  ALTER TABLE lake.db.t ADD COLUMNS (email STRING, `odd name` INT)"
    )


def test_the_plan_of_another_statement_is_an_error() -> None:
    with pytest.raises(LaminaError, match="no line that starts with 'Settings"):
        parse_plan("== Physical Plan ==\nAppendData\n", "")


@pytest.mark.parametrize(
    "explain",
    [
        "Error occurred during query planning: \n[LAMINA_SCHEMA_CHANGED] New in the source: x.\n",
        "== Physical Plan ==\norg.apache.spark.AnalysisException: [LAMINA_SCHEMA_CHANGED] New in the source: x.\n",
    ],
)
def test_a_refusal_that_explain_prints_is_raised(explain: str) -> None:
    with pytest.raises(StatementError) as refused:
        parse_plan(explain, "")
    assert refused.value.condition == "LAMINA_SCHEMA_CHANGED"
    assert str(refused.value) == "[LAMINA_SCHEMA_CHANGED] New in the source: x."
