"""Builds the jars that are out of date: ``python project/build_jars.py [all|4.1|4.0,3.5]``.

A jar is up to date when the hash of everything it is compiled from is the one noted beside it. Then sbt, which
takes seconds to start, is not started at all.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parent
if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))

from sbt import run_sbt  # noqa: E402
from table import ROOT, Line, select_lines  # noqa: E402


class BuildError(Exception):
    """The jars could not be built; the message is one line for the user."""


def build_jars(lines: Sequence[Line]) -> list[Path]:
    """The jars of ``lines``, after building those that are missing or older than their sources."""
    stale = [line for line in lines if not _is_current(line)]
    if stale:
        hashes = {line: _input_hash(line) for line in stale}
        code = run_sbt([f"{line.sbt_project}/package" for line in stale])
        if code != 0:
            raise BuildError(f"sbt failed (exit code {code}); its messages are above")
        for line in stale:
            _note(line).write_text(hashes[line])
    return [line.jar for line in lines]


def _is_current(line: Line) -> bool:
    note = _note(line)
    return line.jar.exists() and note.exists() and note.read_text() == _input_hash(line)


def _note(line: Line) -> Path:
    return line.jar.with_suffix(".inputs")


def _input_hash(line: Line) -> str:
    digest = hashlib.sha256()
    for path in _inputs(line):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _inputs(line: Line) -> Iterator[Path]:
    """The build definition, and the main sources without the shim folders of other lines."""
    yield ROOT / "build.sbt"
    for pattern in ("*.sbt", "*.scala", "*.properties", "versions.json"):
        yield from sorted(PROJECT.glob(pattern))
    main = ROOT / "jvm" / "src" / "main"
    shims = {f"scala-spark-{line.name}", f"scala-spark-{line.name.split('.')[0]}"}
    for folder in sorted(main.iterdir()):
        if not folder.name.startswith("scala-spark-") or folder.name in shims:
            yield from sorted(path for path in folder.rglob("*") if path.is_file())


def main(arguments: Sequence[str]) -> None:
    """Builds the lines named on the command line, the default line if none is."""
    try:
        build_jars(select_lines(",".join(arguments)))
    except (BuildError, ValueError) as error:
        sys.exit(f"lamina: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
