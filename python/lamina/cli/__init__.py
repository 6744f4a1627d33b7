"""The command ``lamina``. Each subcommand has a module of its own."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from lamina import __version__
from lamina.cli import conf, demo, render, sql
from lamina.errors import LaminaError


def build_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="lamina",
        description="Merge strategies and schema evolution as Spark SQL statements on Apache Iceberg.",
        epilog="start with: lamina demo",
    )
    parser.add_argument("--version", action="version", version=f"lamina {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (demo, sql, conf):
        command.add_parser(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; an error is one line on stderr and exit code 1."""
    arguments = build_parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has left; Python would complain about it once more when it flushes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except LaminaError as error:
        print(f"lamina: {error}", file=sys.stderr)
        return 1
    except Exception as error:
        print(f"lamina: {render.one_line(str(error)) or type(error).__name__}", file=sys.stderr)
        return 1
