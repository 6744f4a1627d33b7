"""How the time of one batch grows with the table that it goes into."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from pyspark.sql import SparkSession
from strategies import COLUMNS, ROUNDS, base_rows, body, rolled_back, timed

SIZES = (500_000, 8_000_000)
BATCH = "lake.bench.batch_growth"
LIMIT = 1.6


@dataclass(frozen=True)
class Growth:
    """Medians over all rounds, in seconds, for the smaller and the larger table."""

    small: float
    large: float

    @property
    def ratio(self) -> float:
        return self.large / self.small


def measure(spark: SparkSession) -> Growth:
    """The same 20,000 changed rows into two tables that are ordered by their key, in turns."""
    tables = [f"lake.bench.growth_{size}" for size in SIZES]
    for table, size in zip(tables, SIZES, strict=True):
        spark.sql(
            f"""CREATE TABLE {table} ({COLUMNS}, valid_from TIMESTAMP, valid_to TIMESTAMP) USING iceberg TBLPROPERTIES (
            'write.merge.mode' = 'merge-on-read', 'write.target-file-size-bytes' = '{32 << 20}')"""
        )
        rows = base_rows(f"range({size})")
        spark.sql(
            f"INSERT INTO {table} SELECT *, TIMESTAMP '2020-01-01', CAST(NULL AS TIMESTAMP) FROM ({rows}) ORDER BY id"
        )
    changed = f"SELECT id, name, n, {body(1)} AS body FROM ({base_rows(f'range(0, {SIZES[0]}, {SIZES[0] // 20_000})')})"
    spark.sql(f"CREATE TABLE {BATCH} USING iceberg AS {changed}")
    times: dict[str, list[float]] = {table: [] for table in tables}
    for number in range(ROUNDS + 1):
        for table in tables if number % 2 else reversed(tables):
            statement = f"INSERT INTO {table} MERGE STRATEGY scd2 UNIQUE KEY (id) SELECT * FROM {BATCH}"
            with rolled_back(spark, table):
                seconds = timed(lambda statement=statement: spark.sql(statement).collect())
            if number:
                times[table].append(seconds)
    return Growth(*(median(times[table]) for table in tables))
