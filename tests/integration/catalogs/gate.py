"""Holds a statement while it reads its source: it is planned and staged, and has not committed."""

from __future__ import annotations

import socket
import sys
from types import TracebackType

from pyspark.sql import SparkSession

SECONDS = 120


class Gate:
    """A place where the rows of a source wait until it is opened; then they, and all later ones, pass.

    It is a socket, because Spark calls the function that waits in a process of its own.
    """

    def __init__(self) -> None:
        self._entrance = socket.create_server(("127.0.0.1", 0))
        self._entrance.settimeout(SECONDS)
        self._waiting: list[socket.socket] = []

    @property
    def condition(self) -> str:
        """SQL that is true, once the gate is open, in a session that `can_wait`."""
        return f"passes_gate({self._entrance.getsockname()[1]})"

    def wait_for_arrival(self) -> None:
        connection, _ = self._entrance.accept()
        self._waiting.append(connection)

    def open(self) -> None:
        self._entrance.close()
        for connection in self._waiting:
            connection.close()

    def __enter__(self) -> Gate:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.open()


def can_wait(spark: SparkSession) -> SparkSession:
    """The session, in which the conditions of gates are known."""

    # Spark's workers cannot import this module; a function inside a function travels whole.
    def passes_gate(port: int) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.recv(1)
        except ConnectionError:
            pass  # the gate is open
        return True

    # A worker must be the Python of this process, not the first one in PATH.
    spark.sparkContext.pythonExec = sys.executable
    spark.udf.register("passes_gate", passes_gate, "boolean")
    return spark
