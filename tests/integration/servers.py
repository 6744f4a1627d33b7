"""Programs that come with PySpark, started with the settings of a cluster."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import grpc
import pyspark
from lamina.lake import QUICK_START, Lake
from lamina.session import with_lamina
from lamina.versions import load

SPARK_HOME = Path(pyspark.__file__).parent
# From 4.0 on, Spark ships its Connect server; before, any release of the line goes with any other.
CONNECT_PACKAGE = "org.apache.spark:spark-connect_2.12:3.5.5"
CONNECT_SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


def lake_settings(folder: Path) -> dict[str, str]:
    """What a cluster sets to have Lamina, and the lake in ``folder`` as its catalog."""
    settings = {**Lake.at(folder).catalog_settings(), "spark.jars.packages": load().sqlite_jdbc_package}
    return {**settings, **with_lamina(settings)}


def command(program: str, settings: Mapping[str, str], *arguments: str) -> list[str]:
    """The command line of a program in Spark's ``bin``."""
    small = {"spark.ui.enabled": "false", "spark.master": "local[2]", "spark.sql.shuffle.partitions": "2"}
    pairs = [f"{name}={value}" for name, value in {**QUICK_START, **small, **settings}.items()]
    return [str(SPARK_HOME / "bin" / program), *(word for pair in pairs for word in ("--conf", pair)), *arguments]


def environment() -> dict[str, str]:
    """This process's environment, but for the Spark that the programs belong to."""
    return {**os.environ, "SPARK_HOME": str(SPARK_HOME)}


@contextmanager
def connect_server(settings: Mapping[str, str], folder: Path) -> Iterator[str]:
    """The address of a Spark Connect server that runs as long as the block; its log is in ``folder``."""
    port = _free_port()
    settings = {**settings, "spark.connect.grpc.binding.port": str(port)}
    if not list((SPARK_HOME / "jars").glob("spark-connect_*.jar")):
        packages = [settings.get("spark.jars.packages"), CONNECT_PACKAGE]
        settings["spark.jars.packages"] = ",".join(filter(None, packages))
    start = command("spark-submit", settings, "--class", CONNECT_SERVER, "spark-internal")
    with (folder / "connect-server.log").open("wb") as log:
        server = subprocess.Popen(start, stdout=log, stderr=log, cwd=folder, env=environment())
        try:
            with grpc.insecure_channel(f"localhost:{port}") as channel:
                grpc.channel_ready_future(channel).result(timeout=120)
            yield f"sc://localhost:{port}"
        finally:
            server.terminate()
            server.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])
