"""The wheel's build hook: compiles the jars and puts them into the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

from build_jars import BuildError, build_jars
from table import select_lines


class JarBuildHook(BuildHookInterface[Any]):
    """Adds the jars of the lines named in ``LAMINA_SPARK_LINES`` (unset: the default line)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it packs a wheel; an editable install only needs the jars built."""
        request = os.environ.get("LAMINA_SPARK_LINES", "")
        try:
            jars = build_jars(select_lines(request))
        except (BuildError, ValueError) as error:
            sys.exit(f"lamina: {error}")
        if version != "editable":
            build_data["force_include"].update({str(jar): f"lamina/jars/{jar.name}" for jar in jars})
