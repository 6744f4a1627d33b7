"""What a table's metadata files say, read beside Spark, so that no cache stands between."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import Row, SparkSession


@dataclass(frozen=True)
class Metadata:
    """A table's current metadata, and its metadata files: those it lists, oldest first, and those that lie there."""

    content: dict[str, Any]
    log: list[str]
    files: set[str]

    @property
    def columns(self) -> dict[str, int]:
        """The current columns, in order, with their field ids."""
        schemas = {schema["schema-id"]: schema for schema in self.content["schemas"]}
        fields = schemas[self.content["current-schema-id"]]["fields"]
        return {field["name"]: field["id"] for field in fields}

    @property
    def snapshots(self) -> list[dict[str, Any]]:
        snapshots: list[dict[str, Any]] = self.content.get("snapshots", [])
        return snapshots

    @property
    def summary(self) -> dict[str, str]:
        """Of the current snapshot."""
        current = self.content["current-snapshot-id"]
        return next(snapshot["summary"] for snapshot in self.snapshots if snapshot["snapshot-id"] == current)


def read_metadata(spark: SparkSession, table: str) -> Metadata:
    log = [row.file.removeprefix("file:") for row in spark.table(f"{table}.metadata_log_entries").collect()]
    current = Path(log[-1])
    files = {str(path) for path in current.parent.glob("*.metadata.json")}
    return Metadata(json.loads(current.read_text()), log, files)


def assert_one_commit(before: Metadata, after: Metadata) -> None:
    """One metadata file more, and nothing of the table's past or identity is gone."""
    assert after.log[:-1] == before.log
    assert after.files - before.files == {after.log[-1]}
    assert before.files <= after.files
    for kept in ("table-uuid", "location", "format-version", "properties", "partition-specs", "sort-orders"):
        assert after.content[kept] == before.content[kept], kept
    for grown in ("schemas", "snapshots", "snapshot-log"):
        past = before.content.get(grown, [])
        assert after.content.get(grown, [])[: len(past)] == past, grown


def assert_one_snapshot(before: Metadata, after: Metadata, result: Row) -> None:
    """The commit's one snapshot follows the last one, has the current schema, and says what the statement said."""
    assert_one_commit(before, after)
    (snapshot,) = after.snapshots[len(before.snapshots) :]
    assert snapshot["snapshot-id"] == after.content["current-snapshot-id"] == result.snapshot_id
    assert snapshot.get("parent-snapshot-id", -1) == (before.content.get("current-snapshot-id") or -1)
    assert snapshot["sequence-number"] == before.content["last-sequence-number"] + 1
    assert snapshot["schema-id"] == after.content["current-schema-id"]
    assert_summary_is_result(snapshot["summary"], result)


def assert_schema_only(before: Metadata, after: Metadata) -> None:
    """The commit changed the schema and nothing else."""
    assert_one_commit(before, after)
    assert after.snapshots == before.snapshots
    assert len(after.content["schemas"]) == len(before.content["schemas"]) + 1


def assert_summary_is_result(summary: dict[str, str], result: Row) -> None:
    figures = {"lamina.strategy": result.strategy}
    for kind in ("inserted", "updated", "closed", "deleted"):
        figures[f"lamina.rows-{kind}"] = str(result[f"rows_{kind}"])
    for kind in ("added", "padded", "ignored", "widened"):
        figures[f"lamina.columns-{kind}"] = ", ".join(result[f"columns_{kind}"])
    assert {key: value for key, value in summary.items() if key.startswith("lamina.")} == figures
