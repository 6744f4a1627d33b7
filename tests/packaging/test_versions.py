"""The version table, as the build and as the package read it."""

from __future__ import annotations

import pytest
import table
from lamina import versions


def test_build_and_package_agree_on_the_lines() -> None:
    built = {line.name: (line.pyspark, line.jar.name) for line in table.all_lines()}
    packaged = {line.line: (line.pyspark, line.jar_name) for line in versions.load().lines}
    assert built == packaged


def test_default_line_comes_first() -> None:
    assert table.all_lines()[0].name == versions.default_line().line == versions.load().default


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("", [versions.default_line().line]),
        ("default", [versions.default_line().line]),
        ("all", [line.name for line in table.all_lines()]),
        ("3.5", ["3.5"]),
        ("4.0, 3.5", ["4.0", "3.5"]),
    ],
)
def test_selection_of_lines(request_: str, expected: list[str]) -> None:
    assert [line.name for line in table.select_lines(request_)] == expected


@pytest.mark.parametrize("version", ["4.0.5", "4.0", "4.0.6.dev1"])
def test_line_of_a_pyspark_version(version: str) -> None:
    assert versions.line_for(version).line == "4.0"


@pytest.mark.parametrize("version", ["3.4.4", "4.2.0", "40.1", "nonsense"])
def test_unsupported_spark_names_the_supported_lines(version: str) -> None:
    with pytest.raises(versions.UnsupportedSparkError) as error:
        versions.line_for(version)
    assert version in str(error.value)
    assert all(line.line in str(error.value) for line in versions.load().lines)


def test_coordinates() -> None:
    line = versions.line_for("4.1.4")
    assert line.iceberg_runtime == f"org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:{line.iceberg}"
    assert versions.load().sqlite_jdbc_package.startswith("org.xerial:sqlite-jdbc:3.")
