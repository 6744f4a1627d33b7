"""``lamina conf``: the settings that a cluster needs, in the form that the cluster reads."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping

from lamina.session import spark_conf


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the subcommand and its options."""
    parser = commands.add_parser(
        "conf",
        help="print the settings that a cluster needs",
        description="Prints the settings that put Lamina into every session of a cluster.",
    )
    parser.add_argument("--format", choices=sorted(FORMATS), default="spark-defaults", help="default: %(default)s")
    parser.add_argument("--jar", metavar="URI", help="where the cluster finds Lamina's jar; default: the installed one")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the settings; a remark that is no part of them goes to stderr."""
    settings = spark_conf(arguments.jar)
    print(FORMATS[arguments.format](settings))
    if arguments.format == "databricks":
        print(DATABRICKS_REMARK.format(settings["spark.jars"]), file=sys.stderr)
    return 0


def spark_defaults(settings: Mapping[str, str]) -> str:
    """Lines for ``conf/spark-defaults.conf``.

    >>> print(spark_defaults({"spark.jars": "a.jar", "spark.sql.extensions": "E"}))
    spark.jars            a.jar
    spark.sql.extensions  E
    """
    size = max(map(len, settings))
    return "\n".join(f"{name.ljust(size)}  {value}" for name, value in settings.items())


def databricks(settings: Mapping[str, str]) -> str:
    """The ``spark_conf`` of a cluster's JSON. Databricks takes jars from elsewhere, see the remark."""
    wanted = {name: value for name, value in settings.items() if not name.startswith("spark.jars")}
    return json.dumps({"spark_conf": wanted}, indent=2)


def emr(settings: Mapping[str, str]) -> str:
    """A configuration classification, as ``aws emr create-cluster --configurations`` takes it."""
    return json.dumps([{"Classification": "spark-defaults", "Properties": dict(settings)}], indent=2)


def as_json(settings: Mapping[str, str]) -> str:
    """One JSON object: setting to value."""
    return json.dumps(dict(settings), indent=2)


FORMATS: Mapping[str, Callable[[Mapping[str, str]], str]] = {
    "spark-defaults": spark_defaults,
    "databricks": databricks,
    "emr": emr,
    "json": as_json,
}

DATABRICKS_REMARK = (
    "Databricks attaches libraries after the session has started, which is too late for an extension:\n"
    "have an init script copy the jar ({}) and Iceberg's runtime to /databricks/jars."
)
