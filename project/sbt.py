"""Starts sbt with nothing installed but a JDK and Python: ``python project/sbt.py spark41/test``."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parent
if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))

from jdk import require_jdk  # noqa: E402

JVM_OPTIONS = [
    "-Xmx2g",
    "-Xss8m",
    # Runs are short: the optimising compiler would cost more than twice the time that it saves.
    "-XX:TieredStopAtLevel=1",
    "-XX:ReservedCodeCacheSize=192m",
    "-Dfile.encoding=UTF-8",
    "-Dsbt.banner=false",
    "-Dsbt.supershell=false",
    # Without a server two runs in one checkout do not stop to ask about each other.
    "-Dsbt.server.autostart=false",
]


def sbt_version() -> str:
    """The version in ``project/build.properties``, where sbt itself looks for it."""
    properties = (PROJECT / "build.properties").read_text()
    match = re.search(r"^sbt\.version\s*=\s*(\S+)", properties, re.MULTILINE)
    if match is None:
        sys.exit("lamina: project/build.properties names no sbt.version")
    return match.group(1)


def run_sbt(arguments: Sequence[str]) -> int:
    """Runs sbt in the project's root with the JDK that was found; returns sbt's exit code."""
    os.environ.update(require_jdk().environment(os.environ))
    try:
        import jgo
    except ImportError:
        sys.exit(f"lamina: {sys.executable} has no jgo, which starts sbt: pip install jgo")
    os.chdir(PROJECT.parent)
    try:
        result = jgo.run(
            f"org.scala-sbt:sbt-launch:{sbt_version()}",
            app_args=list(arguments),
            jvm_args=JVM_OPTIONS,
            main_class="xsbt.boot.Boot",
            java_source="system",
        )
    except (OSError, RuntimeError) as error:
        sys.exit(f"lamina: cannot start sbt: {error}")
    return int(result.returncode)


if __name__ == "__main__":
    sys.exit(run_sbt(sys.argv[1:]))
