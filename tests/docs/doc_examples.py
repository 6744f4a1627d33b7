"""The examples of a Markdown file, run in the order they stand in.

A fenced block is run by its language:
    sql        its statements, through ``spark.sql``
    python     as it is; lines that start with ``>>>`` as a doctest
    console    its lines that start with ``$ lamina``; other commands are for the reader
A ``text`` block right after one of the first two is what it prints; in a console block the output follows the command.
``...`` in an output stands for anything, and so do the figures of snapshot_id and duration_ms.

Comments, which no reader sees, steer this:
    <!-- not run: why -->    the block below is not run
    <!-- setup               statements that the examples need and the text does not tell
    CREATE NAMESPACE lake.db;
    -->
"""

from __future__ import annotations

import doctest
import io
import re
import shlex
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lamina
from lamina.cli import main
from lamina.cli.render import answer, one_line
from lamina.cli.split import is_statement, split_statements
from lamina.errors import spark_condition
from lamina.lake import QUICK_START

_BLOCK = re.compile(
    r"^<!-- setup\n(?P<setup>.*?)^-->$"
    r"|(?P<unrun><!-- not run: [^\n]*-->\n\s*)?^```(?P<language>\w*)[^\n]*\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Example:
    """A block to run, the line it starts at, and what it should print, if that is told."""

    language: str
    body: str
    line: int
    expected: str | None = None


def examples(text: str) -> list[Example]:
    """The blocks of a Markdown text that are run."""
    found: list[Example] = []
    output_belongs_to = -1
    for block in _BLOCK.finditer(text):
        line = text.count("\n", 0, block.start("body")) + 1
        if block["setup"] is not None:
            found.append(Example("sql", block["setup"], line))
        elif block["language"] == "text" and text[output_belongs_to : block.start()].strip() == "" and found:
            found[-1] = Example(found[-1].language, found[-1].body, found[-1].line, block["body"])
        elif block["language"] in ("sql", "python", "console") and not block["unrun"]:
            found.append(Example(block["language"], block["body"], line))
            output_belongs_to = block.end()
    return found


class Reader:
    """Somebody who types in every example of a file, in one folder and one Python process."""

    def __init__(self, folder: Path) -> None:
        self._spark = lamina.local_session(folder / "lake", QUICK_START)
        self._names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, example: Example) -> list[tuple[str, str]]:
        """What the example should print and what it printed, in pairs."""
        if example.language == "console":
            return self._console(example.body)
        printed = self._sql(example.body) if example.language == "sql" else self._python(example)
        return [] if example.expected is None else [(example.expected, printed)]

    def _sql(self, body: str) -> str:
        spark = self._names.get("spark", self._spark)
        complete, rest = split_statements(body)
        answers = []
        for statement in [*complete, *([rest] if is_statement(rest) else [])]:
            try:
                frame = spark.sql(statement)
                answers.append(answer(frame.columns, frame.collect()))
            except Exception as error:
                if spark_condition(error) is None:
                    raise
                answers.append(one_line(str(error)))
        return "\n".join(answers)

    def _python(self, example: Example) -> str:
        if ">>>" in example.body:
            test = doctest.DocTestParser().get_doctest(example.body, self._names, "example", None, example.line)
            report = io.StringIO()
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            failed = runner.run(test, out=report.write, clear_globs=False).failed
            self._names.update(test.globs)
            assert not failed, report.getvalue()
            return ""
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(example.body, "example", "exec"), self._names)
        return printed.getvalue()

    def _console(self, body: str) -> list[tuple[str, str]]:
        pairs = []
        for session in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            command, _, expected = session.partition("\n")
            program, *arguments = shlex.split(command)
            if program != "lamina":
                continue
            printed = io.StringIO()
            with redirect_stdout(printed):
                code = main(arguments)
            assert code == 0, f"$ {command} ended with exit code {code}"
            if expected.strip():
                pairs.append((expected, printed.getvalue()))
        return pairs


def agrees(expected: str, printed: str) -> bool:
    """Whether the output is the expected one, but for what differs from run to run."""
    pattern = re.escape(_masked(expected)).replace(re.escape("..."), ".*?").replace("…", ".*?")
    return re.fullmatch(pattern, _masked(printed), re.DOTALL) is not None


def _masked(text: str) -> str:
    lines = [line.rstrip() for line in text.strip().splitlines()]
    text = re.sub(r"\bsnapshot_id=\d+", "snapshot_id=0", "\n".join(lines))
    # A statement that took no whole millisecond prints no duration.
    text = re.sub(r"\s+duration_ms=\d+", "", text)
    # Where the figures are wrapped depends on how many digits these two have.
    text = re.sub(r"\n(?=(?:rows|columns|snapshot|duration)_\w+=)", "  ", text)
    # Spark 3.5 does not print the state, and puts no space before the position.
    return re.sub(r"\s+SQLSTATE: \w{5}", "", text).replace(".(line ", ". (line ")
