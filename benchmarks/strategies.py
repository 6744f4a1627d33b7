"""Each strategy beside the statement a good engineer would write by hand, on equal tables, in turns.

Every round puts the tables back to where they were, so that all contenders do the same work, and compares the tables
they made row by row.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from pyspark.sql import SparkSession

ROWS = int(os.environ.get("LAMINA_BENCH_ROWS", "4000000"))
ROUNDS = int(os.environ.get("LAMINA_BENCH_ROUNDS", "5"))
ONLY = os.environ.get("LAMINA_BENCH_ONLY", "")

MOR, COW = "merge-on-read", "copy-on-write"
COLUMNS = "id BIGINT, name STRING, n INT, body STRING"
DIFFERS = "NOT (t.name <=> s.name AND t.n <=> s.n AND t.body <=> s.body)"


@dataclass(frozen=True)
class Work:
    """The same change to two equal tables: once by our statement, once by hand."""

    name: str
    compared_with: str
    limit: float
    mode: str
    ours: str
    by_hand: list[str]
    history: bool = False
    no_op: bool = False
    partitioned: str = ""
    ordered: bool = False
    batch: str = "small"


@dataclass(frozen=True)
class Ratio:
    """Medians over all rounds, in seconds; ``floor`` is one read of the whole table."""

    work: Work
    ours: float
    by_hand: float
    floor: float
    again: float | None

    @property
    def ratio(self) -> float:
        return self.ours / self.by_hand

    @property
    def again_ratio(self) -> float | None:
        """The same batch again, beside its first run."""
        return None if self.again is None else self.again / self.ours


def scd2(name: str, limit: float, mode: str, batch: str = "small", *, ordered: bool = False) -> Work:
    by_hand = f"""
        MERGE INTO {{by_hand}} t USING (
          SELECT id AS merge_key, * FROM {{batch}}
          UNION ALL
          SELECT NULL AS merge_key, s.* FROM {{batch}} s JOIN {{by_hand}} t ON s.id = t.id
          WHERE t.valid_to IS NULL AND {DIFFERS}
        ) s ON t.id = s.merge_key AND t.valid_to IS NULL
        WHEN MATCHED AND {DIFFERS} THEN UPDATE SET valid_to = TIMESTAMP '2030-01-01'
        WHEN NOT MATCHED THEN INSERT (id, name, n, body, valid_from, valid_to)
          VALUES (s.id, s.name, s.n, s.body, TIMESTAMP '2030-01-01', NULL)"""
    return Work(
        name,
        "one MERGE over a union with NULL merge keys",
        limit,
        mode,
        "INSERT INTO {ours} MERGE STRATEGY scd2 UNIQUE KEY (id) SELECT * FROM {batch}",
        [by_hand],
        history=True,
        no_op=True,
        batch=batch,
        ordered=ordered,
    )


def incremental(limit: float, mode: str) -> Work:
    by_hand = f"""
        MERGE INTO {{by_hand}} t USING (
          SELECT id, name, n, body FROM (
            SELECT *, row_number() OVER (PARTITION BY id ORDER BY n DESC) AS place FROM {{batch}}
          ) WHERE place = 1
        ) s ON t.id = s.id
        WHEN MATCHED AND {DIFFERS} THEN UPDATE SET *
        WHEN NOT MATCHED THEN INSERT *"""
    return Work(
        f"incremental, 1 % changed, {mode}",
        "MERGE over a ROW_NUMBER dedup",
        limit,
        mode,
        "INSERT INTO {ours} MERGE STRATEGY incremental UNIQUE KEY (id) SELECT * FROM {batch}",
        [by_hand],
        no_op=True,
    )


WORKS = [
    scd2("scd2, 1 % changed, merge-on-read", 0.38, MOR),
    scd2("scd2, 1 % changed, merge-on-read, ordered by key", 0.25, MOR, "near", ordered=True),
    scd2("scd2, 1 % changed, copy-on-write", 0.55, COW),
    scd2("scd2, 20 % changed, merge-on-read", 0.80, MOR, "large"),
    incremental(0.50, MOR),
    incremental(0.80, COW),
    Work(
        "delete_insert, 1 %",
        "DELETE … WHERE EXISTS, then INSERT",
        0.60,
        MOR,
        "INSERT INTO {ours} MERGE STRATEGY delete_insert UNIQUE KEY (id) SELECT * FROM {batch}",
        [
            "DELETE FROM {by_hand} t WHERE EXISTS (SELECT 1 FROM {batch} s WHERE s.id = t.id)",
            "INSERT INTO {by_hand} SELECT * FROM {batch}",
        ],
    ),
    Work(
        "snapshot, 1 of 30 partitions",
        "INSERT OVERWRITE, dynamic",
        1.05,
        MOR,
        "INSERT INTO {ours} MERGE STRATEGY snapshot PARTITION COLUMN n SELECT * FROM {batch}",
        ["INSERT OVERWRITE {by_hand} SELECT * FROM {batch}"],
        partitioned="PARTITIONED BY (n)",
        batch="partition",
    ),
    Work(
        "append_only, 1,000,000 rows",
        "INSERT INTO",
        1.05,
        MOR,
        "INSERT INTO {ours} MERGE STRATEGY append_only SELECT * FROM {batch}",
        ["INSERT INTO {by_hand} SELECT * FROM {batch}"],
        batch="million",
    ),
]


def measure(spark: SparkSession) -> list[Ratio]:
    """All works, one after the other; the contenders of a work take turns."""
    spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.bench")
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    make_batches(spark)
    return [compare(spark, work) for work in WORKS if ONLY in work.name]


def base_rows(ids: str) -> str:
    return f"SELECT id, concat('name ', id % 1000) AS name, CAST(id % 30 AS INT) AS n, {body(0)} AS body FROM {ids}"


def body(version: int) -> str:
    """120 characters that do not compress to nothing."""
    parts = ", ".join(f"md5(concat(id, ':{version if part == 0 else 0}:{part}'))" for part in range(4))
    return f"substr(concat({parts}), 1, 120)"


def make_batches(spark: SparkSession) -> None:
    """1 % changed, 1 % unchanged and 0.1 % new; the same side by side; 20 % changed; one partition; many new rows."""
    every = "CASE WHEN {changed} THEN " + body(1) + " ELSE " + body(0) + " END AS body"
    head = "SELECT id, concat('name ', id % 1000) AS name, CAST(id % 30 AS INT) AS n, "

    def batch(name: str, ids: str, changed: str) -> None:
        query = head + every.format(changed=changed) + f" FROM {ids}"
        spark.sql(f"CREATE OR REPLACE TABLE lake.bench.batch_{name} USING iceberg AS {query}")

    new = ROWS // 1000
    batch("small", f"range({ROWS + new}) WHERE id >= {ROWS} OR id % 100 < 2", "id % 100 = 0")
    near = ROWS // 50
    batch("near", f"range({ROWS // 2}, {ROWS // 2 + near})", "id % 2 = 0")
    batch("large", f"range({ROWS + new}) WHERE id >= {ROWS} OR id % 100 < 22", "id % 100 < 20")
    batch("partition", f"range({ROWS}) WHERE id % 30 = 7", "true")
    batch("million", f"range({ROWS}, {ROWS + 1_000_000})", "false")


def compare(spark: SparkSession, work: Work) -> Ratio:
    tables = {"ours": "lake.bench.ours", "by_hand": "lake.bench.by_hand", "batch": f"lake.bench.batch_{work.batch}"}
    for table in (tables["ours"], tables["by_hand"]):
        create(spark, work, table)
    contenders: dict[str, Callable[[], object]] = {
        "ours": lambda: spark.sql(work.ours.format(**tables)).collect(),
        "by_hand": lambda: [spark.sql(s.format(**tables)) for s in work.by_hand],
        "floor": lambda: spark.table(tables["ours"]).write.format("noop").mode("overwrite").save(),
    }
    times: dict[str, list[float]] = {name: [] for name in contenders}
    again: list[float] = []
    for number in range(ROUNDS + 1):
        names = list(contenders)
        with rolled_back(spark, tables["ours"]), rolled_back(spark, tables["by_hand"]):
            for name in names if number % 2 else reversed(names):
                seconds = timed(contenders[name])
                if number:
                    times[name].append(seconds)
            require_same(spark, tables, work)
            if number and work.no_op:
                again.append(timed(lambda: require_unchanged(spark, work.ours.format(**tables))))
    result = {name: median(seconds) for name, seconds in times.items()}
    found = Ratio(work, result["ours"], result["by_hand"], result["floor"], median(again) if again else None)
    print(
        f"{work.name}: {found.ours:.2f} s, by hand {found.by_hand:.2f} s, floor {found.floor:.2f} s, {found.ratio:.2f}"
    )
    return found


def create(spark: SparkSession, work: Work, table: str) -> None:
    validity = ", valid_from TIMESTAMP, valid_to TIMESTAMP" if work.history else ""
    modes = ", ".join(f"'write.{command}.mode' = '{work.mode}'" for command in ("merge", "delete", "update"))
    spark.sql(f"DROP TABLE IF EXISTS {table} PURGE")
    spark.sql(
        f"CREATE TABLE {table} ({COLUMNS}{validity}) USING iceberg {work.partitioned} "
        f"TBLPROPERTIES ({modes}, 'write.target-file-size-bytes' = '{32 << 20}')"
    )
    columns = "*, TIMESTAMP '2020-01-01', CAST(NULL AS TIMESTAMP)" if work.history else "*"
    order = "ORDER BY id" if work.ordered else "ORDER BY hash(id) % 16"
    spark.sql(f"INSERT INTO {table} SELECT {columns} FROM ({base_rows(f'range({ROWS})')}) {order}")


@contextmanager
def rolled_back(spark: SparkSession, table: str) -> Iterator[None]:
    """Puts the table back to where it was, so that the next round does the same work."""
    newest = f"SELECT snapshot_id FROM {table}.history ORDER BY made_current_at DESC"
    start = spark.sql(newest).first()[0]
    yield
    if spark.sql(newest).first()[0] != start:
        spark.sql(f"CALL lake.system.rollback_to_snapshot('{table.removeprefix('lake.')}', {start})")


def require_unchanged(spark: SparkSession, statement: str) -> None:
    row = spark.sql(statement).collect()[0]
    if row.status != "unchanged" or row.snapshot_id is not None:
        raise AssertionError(f"the same batch again was {row.status}")


def timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def require_same(spark: SparkSession, tables: dict[str, str], work: Work) -> None:
    """Row by row, but for the moments, which are each statement's own."""
    validity = ", valid_to IS NULL, valid_from > TIMESTAMP '2020-01-01'" if work.history else ""
    row = f"id, xxhash64(id, name, n, body{validity}) AS row"
    different = spark.sql(
        f"""SELECT id, row FROM (
          SELECT {row}, 1 AS side FROM {tables["ours"]} UNION ALL SELECT {row}, -1 AS side FROM {tables["by_hand"]}
        ) GROUP BY id, row HAVING sum(side) <> 0"""
    )
    if different.limit(1).count():
        raise AssertionError(f"{work.name}: the tables differ")
