"""``lamina demo``: a table whose source keeps changing, told in a few statements that really run."""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from lamina.cli import render
from lamina.errors import spark_condition
from lamina.lake import QUICK_START, local_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WIDTH = 96
TABLE = "lake.shop.customers"


@dataclass(frozen=True)
class Scene:
    """A statement of the story, why it is there, and the query that shows what it did."""

    title: str
    story: str
    statement: str
    look: str | None = f"SELECT * FROM {TABLE} ORDER BY id, valid_from"


SCENES = (
    Scene(
        "Customers arrive",
        "There is no table yet. The first run makes it from the query's columns, and adds two for the history.",
        f"""
        INSERT INTO {TABLE}
          MERGE STRATEGY scd2 UNIQUE KEY (id)
          SELECT * FROM VALUES (1, 'Ann', 'Oslo'), (2, 'Ben', 'Graz') AS monday(id, name, city)
        """,
    ),
    Scene(
        "One of them moves",
        "Ben's old row is closed and a new one opened, in one commit. Ann is the same, so nothing is written for her. "
        "The table remembers its key.",
        f"""
        INSERT INTO {TABLE}
          MERGE STRATEGY scd2
          SELECT * FROM VALUES (1, 'Ann', 'Oslo'), (2, 'Ben', 'Linz') AS tuesday(id, name, city)
        """,
    ),
    Scene(
        "A column appears",
        "The source has an e-mail address now. The column and the rows land in one commit; nobody ran an ALTER TABLE.",
        f"""
        INSERT INTO {TABLE}
          MERGE STRATEGY scd2
          ON SCHEMA CHANGE append_new_columns
          SELECT 3 AS id, 'Cleo' AS name, 'Rome' AS city, 'cleo@example.com' AS email
        """,
    ),
    Scene(
        "A column disappears",
        "The source forgot the city. The table keeps it, and the new row has NULL there.",
        f"""
        INSERT INTO {TABLE}
          MERGE STRATEGY scd2
          ON SCHEMA CHANGE append_new_columns
          SELECT 4 AS id, 'Dan' AS name, 'dan@example.com' AS email
        """,
    ),
    Scene(
        "A surprise is refused",
        "A pipeline that must not change its table says so. The statement fails before it writes anything.",
        f"""
        INSERT INTO {TABLE}
          MERGE STRATEGY scd2
          ON SCHEMA CHANGE fail
          SELECT 5 AS id, 'Eve' AS name, 'Bern' AS city, 'eve@example.com' AS email, 'gold' AS tier
        """,
        look=None,
    ),
    Scene(
        "Nothing is gone",
        "Every run is a snapshot of an ordinary Iceberg table, with Lamina's figures in its summary.",
        f"""
        SELECT date_format(committed_at, 'HH:mm:ss') AS at,
               summary['lamina.rows-inserted'] AS inserted, summary['lamina.rows-closed'] AS closed,
               summary['lamina.columns-added'] AS columns_added
          FROM {TABLE}.snapshots ORDER BY committed_at
        """,
        look=None,
    ),
)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the subcommand and its options."""
    parser = commands.add_parser(
        "demo",
        help="see it work, on an embedded lake",
        description="Tells the story of a table whose source keeps changing. Every statement runs as it is shown.",
    )
    parser.add_argument(
        "--lake", metavar="PATH", default="./lamina-demo", help="the lake's folder; default: %(default)s"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Starts the lake, plays every scene, and says how to go on."""
    page = Page(sys.stdout)
    page.line(f"Starting Spark on the lake {arguments.lake} (the first time, it fetches Iceberg) …")
    start = time.monotonic()
    spark = local_session(arguments.lake, QUICK_START)
    spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.shop")
    spark.sql(f"DROP TABLE IF EXISTS {TABLE} PURGE")
    for number, scene in enumerate(SCENES, 1):
        play(spark, scene, number, page)
    page.line(f"\n{len(SCENES)} statements in {time.monotonic() - start:.0f} s, Spark's start included.")
    page.line(f"The table is yours to try:  lamina sql --lake {arguments.lake}")
    page.line(f'From Python:                lamina.local_session("{arguments.lake}")')
    return 0


def play(spark: SparkSession, scene: Scene, number: int, page: Page) -> None:
    """Runs a scene and prints the statement, what it returned, and the table."""
    statement = textwrap.dedent(scene.statement).strip()
    page.title(f"{number}. {scene.title}")
    page.line(textwrap.fill(scene.story, WIDTH))
    page.statement(statement)
    try:
        page.result(_run(spark, statement))
    except Exception as error:
        if not (spark_condition(error) or "").startswith("LAMINA_"):
            raise
        page.refusal(textwrap.fill(render.one_line(str(error)), WIDTH))
    if scene.look:
        page.line("\n" + _run(spark, scene.look))


def _run(spark: SparkSession, statement: str) -> str:
    frame = spark.sql(statement)
    lines = render.answer(frame.columns, frame.collect(), WIDTH).splitlines()
    return "\n".join(line if len(line) <= WIDTH else _wrapped(line) for line in lines)


def _wrapped(plan_line: str) -> str:
    """A line of a plan that is too long, going on under its own first word."""
    margin = " " * (len(plan_line) - len(plan_line.lstrip(" :+-")) + 2)
    return textwrap.fill(plan_line, WIDTH, subsequent_indent=margin, break_on_hyphens=False)


class Page:
    """Prints the story; in colour when somebody is looking."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._colour = out.isatty() and "NO_COLOR" not in os.environ

    def title(self, text: str) -> None:
        """A heading with a rule as long as itself."""
        self.line("\n" + self._styled(text + "\n" + "=" * len(text), "1"))

    def statement(self, sql: str) -> None:
        """A statement, set apart from the prose."""
        self.line("\n" + self._styled(textwrap.indent(sql, "    ") + ";", "36") + "\n")

    def result(self, text: str) -> None:
        """What the statement returned."""
        self.line(self._styled(text, "32"))

    def refusal(self, text: str) -> None:
        """Why the statement was refused."""
        self.line(self._styled(text, "31"))

    def line(self, text: str) -> None:
        """Plain text."""
        print(text, file=self._out, flush=True)

    def _styled(self, text: str, code: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self._colour else text
