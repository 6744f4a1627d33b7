"""The version table, ``project/versions.json``, as the build scripts read it."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "project" / "versions.json"


@dataclass(frozen=True)
class Line:
    """One row of the table, reduced to what the build scripts need."""

    name: str
    scala: str
    pyspark: str
    python_pins: tuple[str, ...]
    lamina: str

    @property
    def requirements(self) -> str:
        """What the tests of this line install, quoted for a shell."""
        return shlex.join([f"pyspark[connect]=={self.pyspark}", *self.python_pins])

    @property
    def sbt_project(self) -> str:
        """``4.1`` is built by the sbt project ``spark41``."""
        return "spark" + self.name.replace(".", "")

    @property
    def jar(self) -> Path:
        """Where sbt puts the jar of this line."""
        scala_binary = ".".join(self.scala.split(".")[:2])
        name = f"lamina-spark-{self.name}_{scala_binary}-{self.lamina}.jar"
        return ROOT / "jvm" / "target" / "jars" / name


def all_lines() -> list[Line]:
    """Every row of the table, the default line first."""
    table = json.loads(TABLE.read_text())
    lines = [
        Line(row["line"], row["scala"], row["pyspark"], tuple(row.get("pythonPins", ())), table["lamina"])
        for row in table["lines"]
    ]
    return sorted(lines, key=lambda line: line.name != table["default"])


def select_lines(request: str) -> list[Line]:
    """The lines of a request: ``all``, ``default`` (also when empty), or names such as ``4.0,3.5``."""
    lines = all_lines()
    request = request.strip().lower()
    if request in ("", "default"):
        return lines[:1]
    if request == "all":
        return lines
    by_name = {line.name: line for line in lines}
    names = request.replace(",", " ").split()
    unknown = [name for name in names if name not in by_name]
    if unknown:
        known = ", ".join(by_name)
        raise ValueError(f"no Spark line '{unknown[0]}'; there are {known} and 'all'")
    return [by_name[name] for name in names]


def main(arguments: Sequence[str]) -> None:
    """Prints one field of one line, for the Makefile: ``table.py 4.0 requirements``."""
    request, field = arguments
    for line in select_lines(request):
        print(getattr(line, field))


if __name__ == "__main__":
    main(sys.argv[1:])
