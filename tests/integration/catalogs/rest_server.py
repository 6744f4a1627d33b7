"""A REST catalog in a process of its own: Iceberg's reference implementation, from its Maven coordinates."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import jgo
import pyspark
from jdk import require_jdk
from table import TABLE

PROGRAM = Path(__file__).with_name("RestCatalog.java")
SECONDS_TO_START = 120


@contextmanager
def rest_catalog(folder: Path) -> Iterator[str]:
    """The address of a REST catalog that keeps its tables in ``folder`` and runs as long as the block."""
    with (folder / "rest-catalog.log").open("w+") as log:
        server = subprocess.Popen(
            _command(folder), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, cwd=folder
        )
        try:
            yield _address(server, Path(log.name))
        finally:
            # The server ends when its input does, so it also ends with a test run that is killed.
            server.communicate(timeout=SECONDS_TO_START)


def _address(server: subprocess.Popen[str], log: Path) -> str:
    """What the server prints once it accepts requests."""
    assert server.stdout is not None
    too_slow = threading.Timer(SECONDS_TO_START, server.kill)
    too_slow.start()
    address = server.stdout.readline().strip()
    too_slow.cancel()
    assert address, f"the REST catalog did not start:\n{log.read_text()}"
    return address


def _command(folder: Path) -> list[str]:
    """Java compiles the one source file itself before it runs it."""
    java = require_jdk().home / "bin" / "java"
    class_path = os.pathsep.join(str(jar) for jar in [*_server_jars(), *_hadoop_jars()])
    return [
        str(java),
        "-Xmx512m",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        class_path,
        str(PROGRAM),
        str(folder),
    ]


def _server_jars() -> list[Path]:
    versions = json.loads(TABLE.read_text())
    iceberg, jetty = versions["restCatalog"]["iceberg"], versions["restCatalog"]["jetty"]
    coordinates = [
        f"org.apache.iceberg:iceberg-core:{iceberg}",
        f"org.apache.iceberg:iceberg-core:{iceberg}:tests",
        f"org.eclipse.jetty.ee10:jetty-ee10-servlet:{jetty}",
        f"org.xerial:sqlite-jdbc:{versions['sqliteJdbc']}",
    ]
    jars: list[Path] = jgo.build("+".join(coordinates)).all_jars
    return jars


def _hadoop_jars() -> list[Path]:
    """Hadoop, which writes the metadata files, and what it logs through; it is large, and PySpark has it already."""
    jars = Path(pyspark.__file__).parent / "jars"
    return [*jars.glob("hadoop-client-*.jar"), *jars.glob("jcl-over-slf4j-*.jar")]
