"""``lamina sql``: a small SQL shell on the embedded lake."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from lamina.cli import render
from lamina.cli.split import is_statement, split_statements
from lamina.lake import QUICK_START, local_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the subcommand and its options."""
    parser = commands.add_parser(
        "sql",
        help="run SQL on the embedded lake",
        description="Runs SQL on the embedded lake: from -e, from -f, from a pipe, or typed at a prompt.",
        epilog="exit code: 0 when every statement ran, 1 at the first one that did not",
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("-e", dest="text", metavar="SQL", help="the statements to run, separated by ;")
    source.add_argument("-f", dest="file", metavar="FILE", type=Path, help="a file of statements, separated by ;")
    parser.add_argument("--lake", metavar="PATH", default="lake", help="the lake's folder; default: %(default)s")
    parser.add_argument("--rows", metavar="N", type=int, default=100, help="rows to show at most; default: %(default)s")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs what was given; without anything given, reads stdin or prompts."""
    if arguments.text is None and arguments.file is None and sys.stdin.isatty():
        return _prompt(local_session(arguments.lake, QUICK_START), arguments)
    complete, rest = split_statements(arguments.text if arguments.text is not None else _read(arguments.file))
    spark = local_session(arguments.lake, QUICK_START)
    for statement in [*complete, *([rest] if is_statement(rest) else [])]:
        print(execute(spark, statement, arguments.rows), flush=True)
    return 0


def execute(spark: SparkSession, statement: str, max_rows: int) -> str:
    """Runs one statement and gives what it returned as text."""
    frame = spark.sql(statement)
    rows = frame.take(max_rows + 1)
    more = f"\n(the first {max_rows} rows; --rows shows more)" if len(rows) > max_rows else ""
    return render.answer(frame.columns, rows[:max_rows]) + more


def _read(file: Path | None) -> str:
    return sys.stdin.read() if file is None else file.read_text(encoding="utf-8")


def _prompt(spark: SparkSession, arguments: argparse.Namespace) -> int:
    """Reads statements until the input ends; an error is shown and the shell goes on."""
    with suppress(ImportError):
        import readline  # noqa: F401 -- where it exists, it gives input() a history and line editing
    print(f"Spark {spark.version}, lake at {arguments.lake}. End a statement with ; and leave with Ctrl-D.")
    for statement in typed_statements(input):
        try:
            print(execute(spark, statement, arguments.rows))
        except KeyboardInterrupt:
            print("interrupted")
        except Exception as error:
            print(render.one_line(str(error)), file=sys.stderr)
    return 0


def typed_statements(read_line: Callable[[str], str]) -> Iterator[str]:
    """The statements that are typed, each as soon as its semicolon is there. Ctrl-C drops what was begun."""
    begun = ""
    while True:
        try:
            line = read_line("     -> " if begun else "lamina> ")
        except KeyboardInterrupt:
            begun = ""
            print()
            continue
        except EOFError:
            print()
            return
        complete, begun = split_statements(f"{begun}\n{line}" if begun else line)
        yield from complete
