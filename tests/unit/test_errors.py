"""Spark's errors as Lamina's."""

from __future__ import annotations

import pytest
from lamina import errors


class Spark4Error(Exception):
    def getCondition(self) -> str:  # noqa: N802
        return "LAMINA_NULL_KEY"


class Spark35Error(Exception):
    def getErrorClass(self) -> str:  # noqa: N802
        return "LAMINA_NULL_KEY"


class ConnectError(Exception):
    def getErrorClass(self) -> None:  # noqa: N802
        return None


@pytest.mark.parametrize(
    "error", [Spark4Error("x"), Spark35Error("x"), ConnectError("[LAMINA_NULL_KEY] Key column `id` is NULL.")]
)
def test_the_condition_is_found_on_every_spark(error: Exception) -> None:
    assert errors.spark_condition(error) == "LAMINA_NULL_KEY"


def test_an_error_without_a_condition() -> None:
    assert errors.spark_condition(ValueError("no [brackets] of that kind")) is None


def test_a_lamina_condition_becomes_a_statement_error_without_the_plan() -> None:
    error = errors.statement_error(
        Spark4Error("[LAMINA_NULL_KEY] Key column `id` is NULL.\nGive every row a key.;\n'LaminaInsert\n+- Project")
    )
    assert error is not None
    assert error.condition == "LAMINA_NULL_KEY"
    assert str(error) == "[LAMINA_NULL_KEY] Key column `id` is NULL.\nGive every row a key."


def test_other_conditions_stay_sparks_own() -> None:
    assert errors.statement_error(ConnectError("[DIVIDE_BY_ZERO] Division by zero.")) is None


def test_a_missing_extension_says_which_settings_and_where() -> None:
    message = str(errors.missing_extension("io.lamina.LaminaExtensions"))
    assert "spark.jars " in message
    assert "spark.sql.extensions  io.lamina.LaminaExtensions" in message
    for place in ("lamina.configure(SparkSession.builder)", "spark-defaults.conf", "a cluster"):
        assert place in message


def test_every_error_is_a_lamina_error() -> None:
    classes = [errors.MissingJarError, errors.MissingExtensionError, errors.SessionStartError, errors.StatementError]
    assert all(issubclass(error, errors.LaminaError) for error in classes)
