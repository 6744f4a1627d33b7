"""Lamina: merge strategies and schema evolution as Spark SQL statements on Apache Iceberg.

Importing it does no work and loads no Spark; see `configure` for a session of your own, `local_session` for an
embedded lake, and `write` and `plan` for data frames.
"""

from lamina import errors
from lamina.errors import LaminaError
from lamina.jars import jar_path
from lamina.lake import local_catalog, local_session
from lamina.plan import WritePlan, plan
from lamina.session import configure, spark_conf
from lamina.versions import load as _load_versions
from lamina.write import WriteResult, write

__version__ = _load_versions().lamina

__all__ = [
    "LaminaError",
    "WritePlan",
    "WriteResult",
    "__version__",
    "configure",
    "errors",
    "jar_path",
    "local_catalog",
    "local_session",
    "plan",
    "spark_conf",
    "write",
]
