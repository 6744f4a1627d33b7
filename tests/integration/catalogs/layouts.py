"""Tables in every layout: format version, write mode and partitioning."""

from __future__ import annotations

from itertools import product, starmap
from typing import NamedTuple

from pyspark.sql import SparkSession

DAY = "TIMESTAMP'2024-05-01 08:00:00'"
NEXT_DAY = "TIMESTAMP'2024-05-02 08:00:00'"
FIVE_ROWS = [
    f"(1, 'Ann', 'eu', {DAY})",
    f"(2, 'Ben', 'eu', {DAY})",
    f"(3, 'Cleo', 'us', {NEXT_DAY})",
    f"(4, 'Dora', 'us', {NEXT_DAY})",
    "(5, NULL, NULL, NULL)",
]
PARTITIONINGS = {
    "unpartitioned": "",
    "identity": "PARTITIONED BY (region)",
    "days": "PARTITIONED BY (days(seen))",
    "bucket": "PARTITIONED BY (bucket(2, id))",
}


class Layout(NamedTuple):
    """How a table keeps its rows."""

    version: int
    mode: str
    partitioning: str

    def __str__(self) -> str:
        return f"v{self.version}-{self.mode}-{self.partitioning}"


LAYOUTS = list(starmap(Layout, product((2, 3), ("copy-on-write", "merge-on-read"), PARTITIONINGS)))


def create_table(spark: SparkSession, table: str, layout: Layout) -> None:
    """A table of `FIVE_ROWS`. A merge-on-read table had a sixth, and a delete file says that it is gone."""
    _create_empty(spark, table, layout)
    if layout.mode == "copy-on-write":
        _insert(spark, table, FIVE_ROWS)
    else:
        _insert(spark, table, [*FIVE_ROWS, f"(6, 'Finn', 'us', {NEXT_DAY})"])
        spark.sql(f"DELETE FROM {table} WHERE id = 6")


def _create_empty(spark: SparkSession, table: str, layout: Layout) -> None:
    properties = {
        "format-version": layout.version,
        "write.delete.mode": layout.mode,
        "write.merge.mode": layout.mode,
        "write.update.mode": layout.mode,
    }
    spark.sql(
        f"""CREATE TABLE {table} (id INT, name STRING, region STRING, seen TIMESTAMP) USING iceberg
        {PARTITIONINGS[layout.partitioning]}
        TBLPROPERTIES ({", ".join(f"'{key}' = '{value}'" for key, value in properties.items())})"""
    )


def _insert(spark: SparkSession, table: str, rows: list[str]) -> None:
    """One file in each partition, so that a deleted row has neighbours."""
    spark.sql(f"INSERT INTO {table} SELECT /*+ COALESCE(1) */ * FROM VALUES {', '.join(rows)}")
