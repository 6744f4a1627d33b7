"""`lamina.write`: a data frame written by one Lamina statement."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from lamina import errors, gateway
from lamina.statement import Statement, WriteOptions, insert_statement

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession
    from typing_extensions import Unpack


@dataclass(frozen=True)
class WriteResult:
    """The row that the statement returns: what was done, and what it came to.

    Column names are as the statement gives them: in backticks where a plain name will not do.
    """

    status: str
    strategy: str
    rows_inserted: int
    rows_updated: int
    rows_closed: int
    rows_deleted: int
    columns_added: tuple[str, ...]
    columns_padded: tuple[str, ...]
    columns_ignored: tuple[str, ...]
    columns_widened: tuple[str, ...]
    snapshot_id: int | None
    duration_ms: int

    @classmethod
    def from_row(cls, row: Row) -> WriteResult:
        """The result in the row of a Lamina statement that ran through ``spark.sql``."""
        values: dict[str, Any] = {field.name: row[field.name] for field in fields(cls)}
        for name, value in values.items():
            values[name] = tuple(value) if isinstance(value, list) else value
        return cls(**values)


def write(df: DataFrame, target: str, **options: Unpack[WriteOptions]) -> WriteResult:
    """Writes ``df`` into the table ``target`` as ``INSERT INTO … MERGE STRATEGY … ON SCHEMA CHANGE …`` does.

    The keywords are the fields of the statement; give ``strategy``, ``on_schema_change``, or both. Columns are
    matched by name. Raises `StatementError` when Lamina refuses the statement or its data.

    >>> df = spark.sql("SELECT * FROM VALUES (1, 'Ann'), (2, 'Ben') AS monday(id, name)")
    >>> result = write(df, "lake.db.customers", strategy="append_only")
    >>> result.status, result.rows_inserted, result.columns_added
    ('created', 2, ())
    """
    with as_view(df) as source:
        rows = run(df.sparkSession, insert_statement(target, source, options))
    return WriteResult.from_row(rows[0])


@contextmanager
def as_view(df: DataFrame) -> Iterator[str]:
    """The name of a temporary view of ``df``, which is gone afterwards."""
    name = f"lamina_source_{uuid.uuid4().hex}"
    df.createOrReplaceTempView(name)
    try:
        yield name
    finally:
        df.sparkSession.catalog.dropTempView(name)


def run(session: SparkSession, statement: Statement) -> list[Row]:
    """The rows of ``statement``, with Lamina's errors, and those of a session without Lamina, as Python errors."""
    args: dict[str, Any] = dict(statement.args)
    try:
        return session.sql(statement.text, args=args or None).collect()
    except Exception as error:
        explained = _explain(error, session)
        if explained is None:
            raise
        raise explained from error


def _explain(error: Exception, session: SparkSession) -> errors.LaminaError | None:
    # Without the extension, Spark's own parser stumbles over Lamina's clauses.
    if errors.spark_condition(error) == "PARSE_SYNTAX_ERROR":
        return gateway.what_is_missing(session)
    return errors.statement_error(error)
