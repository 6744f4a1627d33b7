"""What holds for the package as a whole."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import lamina
import pytest

# tests/docs runs the examples of these; running __main__ would be running the command.
NEED_SPARK = {"lamina.lake", "lamina.session", "lamina.write", "lamina.plan", "lamina.cli.__main__"}
MODULES = sorted(module.name for module in pkgutil.walk_packages(lamina.__path__, "lamina."))


@pytest.mark.smoke
def test_importing_lamina_loads_no_spark() -> None:
    code = "import sys, lamina; sys.exit(any(name.split('.')[0] in ('pyspark', 'py4j') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_package_offers_the_functions_and_not_the_modules_of_the_same_name() -> None:
    importlib.import_module("lamina.write")
    importlib.import_module("lamina.plan")
    assert callable(lamina.write)
    assert callable(lamina.plan)


@pytest.mark.parametrize("name", [name for name in MODULES if name not in NEED_SPARK])
def test_docstring_examples_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
