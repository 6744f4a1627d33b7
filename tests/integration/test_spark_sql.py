"""The statement in Spark's own SQL shell, with nothing but the two settings."""

from __future__ import annotations

import subprocess
from pathlib import Path

import servers

STATEMENTS = """
CREATE NAMESPACE lake.db;
INSERT INTO lake.db.t MERGE STRATEGY append_only SELECT 1 AS id, 'Ann' AS name;
INSERT INTO lake.db.t ON SCHEMA CHANGE append_new_columns SELECT 2 AS id, 'Ben' AS name, 'Graz' AS city;
SELECT * FROM lake.db.t ORDER BY id;
INSERT INTO lake.db.t MERGE STRATEGY append_only ON SCHEMA CHANGE fail SELECT 3 AS id;
"""


def test_statements_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "statements.sql"
    file.write_text(STATEMENTS)
    shell = subprocess.run(
        servers.command("spark-sql", servers.lake_settings(tmp_path / "lake"), "-f", str(file)),
        cwd=tmp_path,
        env=servers.environment(),
        text=True,
        capture_output=True,
        check=False,
    )
    rows = [line.split("\t") for line in shell.stdout.splitlines() if "\t" in line]
    assert [row[:3] for row in rows] == [
        ["created", "append_only", "1"],
        ["changed", "append_only", "1"],
        ["1", "Ann", "NULL"],
        ["2", "Ben", "Graz"],
    ], shell.stderr
    assert rows[1][6] == '["city"]'
    assert "[LAMINA_SCHEMA_CHANGED]" in shell.stderr
    assert shell.returncode != 0
