"""scd2: what differs and what does not, for every kind of value."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from scd2_history import figures, history, scd2, unchanged, values

NAN = "CAST('NaN' AS DOUBLE)"
# type: a value, the same value written differently, values that differ from it
KINDS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "DOUBLE nan": (NAN, NAN, ("1D", "NULL")),
    "DOUBLE zero": ("0D", "-0D", ("1D", "NULL")),
    "FLOAT": ("CAST('NaN' AS FLOAT)", "CAST('NaN' AS FLOAT)", ("CAST(0 AS FLOAT)",)),
    "DECIMAL": ("CAST(1.50 AS DECIMAL(20,4))", "CAST(1.5 AS DECIMAL(5,1))", ("CAST(1.5001 AS DECIMAL(20,4))",)),
    "BINARY": ("X'00FF'", "X'00ff'", ("X'00'", "X''", "NULL")),
    "STRING": ("'a'", "'a'", ("'A'", "'a '", "''", "NULL")),
    "BOOLEAN": ("false", "false", ("true", "NULL")),
    "DATE": ("DATE'2024-02-29'", "DATE'2024-02-29'", ("DATE'0001-01-01'",)),
    "TIMESTAMP_NTZ": ("TIMESTAMP_NTZ'2024-01-01'", "TIMESTAMP_NTZ'2024-01-01 00:00:00'",
                      ("TIMESTAMP_NTZ'2024-01-01 00:00:00.000001'",)),
    "MAP": ("map('a', 1, 'b', 2)", "map('b', 2, 'a', 1)",
            ("map('a', 1)", "map('a', 1, 'b', 3)", "map('a', 1, 'b', NULL)", "map('a', 1, 'c', 2)", "NULL")),
    "MAP null value": ("map('a', CAST(NULL AS INT))", "map('a', CAST(NULL AS INT))",
                       ("map('b', CAST(NULL AS INT))", "map('a', 0)", "CAST(map() AS MAP<STRING, INT>)")),
    "MAP empty": ("CAST(map() AS MAP<STRING, INT>)", "CAST(map() AS MAP<STRING, INT>)", ("NULL",)),
    "MAP of MAP": (f"map(1, map('x', {NAN}, 'y', 0D))", f"map(1, map('y', -0D, 'x', {NAN}))",
                   ("map(1, map('x', 1D, 'y', 0D))", f"map(2, map('x', {NAN}, 'y', 0D))")),
    "MAP struct key": ("map(named_struct('d', DATE'2024-01-01'), array(1))",
                       "map(named_struct('d', DATE'2024-01-01'), array(1))",
                       ("map(named_struct('d', DATE'2024-01-02'), array(1))",)),
    "ARRAY": ("array(1, NULL, 2)", "array(1, NULL, 2)",
              ("array(2, NULL, 1)", "array(1, 2)", "array(1, NULL)", "NULL")),
    "ARRAY of MAP": ("array(map('a', 1, 'b', 2))", "array(map('b', 2, 'a', 1))",
                     ("array(map('a', 1))", "array(map('a', 1, 'b', 2), NULL)")),
    "ARRAY of STRUCT": (
        f"array(named_struct('x', {NAN}, 'm', map('a', 1, 'b', 2)))",
        f"array(named_struct('x', {NAN}, 'm', map('b', 2, 'a', 1)))",
        (
            "array(named_struct('x', 1D, 'm', map('b', 2, 'a', 1)))",
            f"array(named_struct('x', {NAN}, 'm', map('a', 1)))",
        ),
    ),
    "STRUCT": ("named_struct('a', 1, 'b', named_struct('c', 0D))", "named_struct('b', named_struct('c', -0D), 'a', 1)",
               ("named_struct('a', 1, 'b', named_struct('c', 1D))", "NULL",
                "named_struct('a', 1, 'b', CAST(NULL AS STRUCT<c: DOUBLE>))")),
    "STRUCT of nulls": ("named_struct('a', CAST(NULL AS INT))", "named_struct('a', CAST(NULL AS INT))", ("NULL",)),
}  # fmt: skip


DIFFERENCES = [(kind, other) for kind, (_, _, others) in KINDS.items() for other in others]


def row(number: int, given: dict[str, str]) -> str:
    """A query for one row with a column for each kind."""
    return f"SELECT {number} AS id, " + ", ".join(f"{value} AS `{kind}`" for kind, value in given.items())


def rows(*each: dict[str, str]) -> str:
    return " UNION ALL ".join(row(number, given) for number, given in enumerate(each))


VALUES = {kind: value for kind, (value, _, _) in KINDS.items()}
EQUAL = {kind: equal for kind, (_, equal, _) in KINDS.items()}


def test_equal_values_open_no_version(spark: SparkSession, target: str) -> None:
    scd2(spark, target, rows(VALUES))
    unchanged(spark, target, rows(EQUAL))


def test_a_difference_in_one_value_opens_a_version(spark: SparkSession, target: str) -> None:
    scd2(spark, target, rows(*[VALUES for _ in DIFFERENCES]))
    changed = rows(*[{**VALUES, kind: other} for kind, other in DIFFERENCES])
    scd2(spark, target, changed)
    closed = {found[0] for found in history(spark, target, "id") if found[-1] is not None}
    assert [DIFFERENCES[number] for number in range(len(DIFFERENCES)) if number not in closed] == []
    unchanged(spark, target, changed)


def test_rows_that_differ_only_in_the_order_of_a_map_collapse(spark: SparkSession, target: str) -> None:
    query = "SELECT 1 AS id, map('a', 1, 'b', 2) AS m UNION ALL SELECT 1, map('b', 2, 'a', 1)"
    assert figures(scd2(spark, target, query)) == {"rows_inserted": 1}


def test_rows_that_differ_only_in_the_sign_of_zero_collapse(spark: SparkSession, target: str) -> None:
    query = f"SELECT 1 AS id, {NAN} AS n, 0D AS z UNION ALL SELECT 1, {NAN}, -0D"
    assert figures(scd2(spark, target, query)) == {"rows_inserted": 1}
    assert figures(scd2(spark, f"{target}_s", f"SELECT *, 1 AS s FROM ({query})", "SEQUENCE BY s")) == {
        "rows_inserted": 1
    }


def test_the_same_event_with_equal_values_is_nothing_new(spark: SparkSession, target: str) -> None:
    later = {kind: others[0] for kind, (_, _, others) in KINDS.items()}
    scd2(spark, target, f"SELECT *, 1 AS s FROM ({row(1, VALUES)})", "SEQUENCE BY s")
    scd2(spark, target, f"SELECT *, 2 AS s FROM ({row(1, later)})", "SEQUENCE BY s")
    unchanged(spark, target, f"SELECT *, 1 AS s FROM ({row(1, EQUAL)})", "SEQUENCE BY s")


KEYS = {
    "DECIMAL": ("1.50BD", "1.51BD"),
    "DATE": ("DATE'2024-01-01'", "DATE'2024-01-02'"),
    "TIMESTAMP": ("TIMESTAMP'2024-01-01 00:00:00'", "TIMESTAMP'2024-01-01 00:00:00.000001'"),
    "TIMESTAMP_NTZ": ("TIMESTAMP_NTZ'2024-01-01 00:00:00'", "TIMESTAMP_NTZ'2024-01-01 00:00:01'"),
    "STRING": ("'a'", "'A'"),
    "STRING odd": ("''", "' '"),
    "BINARY": ("X'00'", "X'0000'"),
    "BIGINT": ("9223372036854775807L", "-9223372036854775808L"),
    "BOOLEAN": ("true", "false"),
}


@pytest.mark.parametrize("kind", KEYS)
def test_a_key_of_every_orderable_type(spark: SparkSession, target: str, kind: str) -> None:
    one, two = KEYS[kind]
    batch = values("k, v", f"({one}, 1), ({two}, 2)")
    scd2(spark, target, batch, key="k")
    unchanged(spark, target, batch, key="k")
    assert figures(scd2(spark, target, values("k, v", f"({one}, 9)"), key="K")) == {
        "rows_inserted": 1,
        "rows_closed": 1,
    }
    assert [row[-3:] for row in history(spark, target, "v") if row[0] != 1] == [(2, 1, None), (9, 2, None)]


def test_a_narrower_key_finds_its_row(spark: SparkSession, target: str) -> None:
    scd2(spark, target, values("id, v", "(CAST(1 AS BIGINT), CAST(1.5 AS DECIMAL(10,2))), (2L, NULL)"))
    unchanged(spark, target, values("id, v", "(CAST(1 AS TINYINT), CAST(1.5 AS DECIMAL(3,1)))"))


def test_a_composite_key_with_a_struct_field(spark: SparkSession, target: str) -> None:
    rows = "SELECT named_struct('k', {0}, 'extra', '{1}') AS `my s`, '{2}' AS region, {3} AS v"
    key = "`my s`.k, REGION"
    query = " UNION ALL ".join(rows.format(*r) for r in [(1, "a", "n", 1), (1, "b", "s", 2), (2, "c", "n", 3)])
    scd2(spark, target, query, key=key)
    unchanged(spark, target, query, key=key)
    result = scd2(spark, target, rows.format(1, "z", "s", 2), key=key)
    assert figures(result) == {"rows_inserted": 1, "rows_closed": 1}
    shown = history(spark, target, "`my s`.extra", "region", "v")
    assert [row for row in shown if row[3:] != (1, None)] == [("b", "s", 2, 1, 2), ("z", "s", 2, 2, None)]


def test_keys_that_look_alike_when_joined_are_different(spark: SparkSession, target: str) -> None:
    batch = values("a, b, v", "('x', 'yz', 1), ('xy', 'z', 2), ('', 'xyz', 3), ('xyz', '', 4)")
    assert figures(scd2(spark, target, batch, key="a, b")) == {"rows_inserted": 4}
    unchanged(spark, target, batch, key="b, a")
