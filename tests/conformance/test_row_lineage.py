"""Format v3 numbers its rows: a row that stays, or is changed in place, keeps its number."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession
from steps import given, write


@pytest.mark.parametrize("layout", ["copy_on_write_3", "merge_on_read_3"])
def test_rows_keep_their_numbers(spark: SparkSession, target: str, layout: str) -> None:
    given(spark, target, "id INT, v STRING", "(1, 'a'), (2, 'b'), (3, 'c')", layout)

    def lineage() -> dict[int, tuple[Any, ...]]:
        found = spark.sql(f"SELECT id, _row_id, _last_updated_sequence_number FROM {target}").collect()
        return {row.id: tuple(row)[1:] for row in found}

    before = lineage()
    write(
        spark,
        target,
        "MERGE STRATEGY incremental UNIQUE KEY (id)",
        "SELECT * FROM VALUES (2, 'B'), (4, 'd') AS s(id, v)",
    )
    after = lineage()
    assert {after[1], after[3]} == {before[1], before[3]}
    assert after[2] == (before[2][0], before[2][1] + 1)
    assert after[4][0] not in {number for number, _ in before.values()}
