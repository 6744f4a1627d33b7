"""The embedded lake: an Iceberg catalog in one SQLite file, with the tables' files beside it.

Spark (`local_session`) and PyIceberg (`local_catalog`) open the same lake, and each reads what the other wrote.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lamina import gateway, session, versions
from lamina.errors import LaminaError

if TYPE_CHECKING:
    from pyiceberg.catalog.sql import SqlCatalog
    from pyspark.sql import SparkSession

CATALOG = "lake"

# A short run spends more time compiling Spark's code than running it. These halve its CPU time, at the price of
# slower work on large data.
QUICK_START: Mapping[str, str] = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}


@dataclass(frozen=True)
class Lake:
    """Where the parts of the lake in ``folder`` lie. Paths are absolute: the catalog stores them as they are."""

    folder: Path

    @classmethod
    def at(cls, path: str | Path) -> Lake:
        """The lake at ``path``; its folder is made if it is not there."""
        folder = Path(path).expanduser().resolve()
        folder.mkdir(parents=True, exist_ok=True)
        return cls(folder)

    @property
    def catalog_file(self) -> Path:
        """The SQLite file."""
        return self.folder / "catalog.db"

    @property
    def warehouse(self) -> Path:
        """The folder of the tables' files."""
        return self.folder / "tables"

    @property
    def log(self) -> Path:
        """What Spark's JVM has to say: its log, and its progress while it fetches jars."""
        return self.folder / "spark.log"

    def catalog_settings(self) -> dict[str, str]:
        """The Spark settings of catalog ``lake``; a session may set them until it first uses the catalog."""
        catalog = f"spark.sql.catalog.{CATALOG}"
        return {
            catalog: "org.apache.iceberg.spark.SparkCatalog",
            f"{catalog}.type": "jdbc",
            f"{catalog}.uri": f"jdbc:sqlite:{self.catalog_file}",
            # PyIceberg's tables have the columns of this version.
            f"{catalog}.jdbc.schema-version": "V1",
            f"{catalog}.warehouse": str(self.warehouse),
            "spark.sql.defaultCatalog": CATALOG,
        }


def local_session(path: str | Path = "./lake", conf: Mapping[str, str] | None = None) -> SparkSession:
    """A Spark session on this machine whose catalog ``lake`` is the embedded lake at ``path``.

    The first call in a process starts Spark; ``conf`` adds settings to it or replaces some. Later calls share that
    Spark, and only the ``spark.sql`` settings in ``conf`` matter to them: the same path gives the same session,
    another path a session of its own. Spark's log is ``spark.log`` in the lake's folder.

    >>> spark = local_session("./lake")
    >>> _ = spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.db")
    >>> spark.sql("SHOW NAMESPACES IN lake").collect()
    [Row(namespace='db')]
    """
    lake = Lake.at(path)
    spark = _session_on_running_spark(lake, conf or {}) if gateway.spark_runs() else _start(lake, conf or {})
    missing = gateway.what_is_missing(spark)
    if missing:
        raise missing
    return spark


def local_catalog(path: str | Path = "./lake") -> SqlCatalog:
    """The embedded lake at ``path`` as a PyIceberg catalog. Needs ``pip install "pyiceberg[pyarrow,sql-sqlite]"``.

    >>> catalog = local_catalog("./lake")
    >>> catalog.create_namespace_if_not_exists("db")
    >>> catalog.list_namespaces()
    [('db',)]
    """
    try:
        from pyiceberg.catalog.sql import SqlCatalog
    except ImportError as error:
        raise LaminaError('local_catalog needs PyIceberg: pip install "pyiceberg[pyarrow,sql-sqlite]"') from error
    lake = Lake.at(path)
    return SqlCatalog(CATALOG, uri=f"sqlite:///{lake.catalog_file}", warehouse=str(lake.warehouse))


def _start(lake: Lake, conf: Mapping[str, str]) -> SparkSession:
    from pyspark.sql import SparkSession

    settings = {**_spark_settings(lake), **lake.catalog_settings(), **conf}
    settings.update(session.with_lamina({**session.cluster_defaults(), **settings}))
    gateway.start_spark(settings, lake.log)
    return SparkSession.builder.getOrCreate()


def _session_on_running_spark(lake: Lake, conf: Mapping[str, str]) -> SparkSession:
    from pyspark.sql import SparkSession

    running = SparkSession.builder.getOrCreate()
    sql_conf = {name: value for name, value in conf.items() if name.startswith("spark.sql.")}
    settings = {**lake.catalog_settings(), **sql_conf}
    if all(running.conf.get(name, "") == value for name, value in settings.items()):
        return running
    spark = running.newSession()
    for name, value in settings.items():
        spark.conf.set(name, value)
    return spark


def _spark_settings(lake: Lake) -> dict[str, str]:
    """Spark for one machine and small data."""
    return {
        "spark.master": "local[*]",
        "spark.app.name": "lamina",
        "spark.jars.packages": versions.load().sqlite_jdbc_package,
        # A laptop's own host name may not resolve, or only inside a VPN.
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": str(lake.folder / "spark-warehouse"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
