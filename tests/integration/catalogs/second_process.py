"""Statements on an embedded lake in a process of their own, with a Spark of its own.

As a program: runs the statements on its input, each one a line, and prints their results as lines of JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import lamina
from lamina.lake import QUICK_START

Run = Callable[[str], dict[str, Any]]


@contextmanager
def second_process(lake: Path) -> Iterator[Run]:
    """A function that runs a statement there; the process lives as long as the block."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, __file__, str(lake)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=lake, env=environment
    ) as process:
        statements, results = cast(IO[str], process.stdin), cast(IO[str], process.stdout)

        def run(statement: str) -> dict[str, Any]:
            print(" ".join(statement.split()), file=statements, flush=True)
            row: dict[str, Any] = json.loads(results.readline())
            return row

        assert results.readline() == "ready\n"
        yield run
        statements.close()


def main(lake: str) -> None:
    spark = lamina.local_session(lake, QUICK_START)
    print("ready", flush=True)
    for statement in sys.stdin:
        print(json.dumps(spark.sql(statement).collect()[0].asDict()), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
