"""The jar that goes with the installed PySpark: found, and holding Lamina's own classes only."""

from __future__ import annotations

import struct
from pathlib import Path
from zipfile import ZipFile

import lamina.jars
import pyspark
import pytest
from lamina.errors import MissingJarError
from lamina.versions import line_for

OWN_FOLDERS = ("io/lamina/", "org/apache/spark/sql/lamina/")
JAVA_17_CLASS_FILE = 61


@pytest.fixture(scope="module")
def classes() -> dict[str, bytes]:
    with ZipFile(lamina.jars.jar_path()) as jar:
        return {name: jar.read(name) for name in jar.namelist() if name.endswith(".class")}


@pytest.mark.smoke
def test_jar_of_the_installed_pyspark() -> None:
    assert lamina.jars.jar_path().name == line_for(pyspark.__version__).jar_name


@pytest.mark.smoke
def test_jar_holds_the_extension_and_nothing_foreign(classes: dict[str, bytes]) -> None:
    assert "io/lamina/LaminaExtensions.class" in classes
    assert [name for name in classes if not name.startswith(OWN_FOLDERS)] == []


@pytest.mark.smoke
def test_classes_run_on_java_17(classes: dict[str, bytes]) -> None:
    newest = max(struct.unpack(">H", content[6:8])[0] for content in classes.values())
    assert newest <= JAVA_17_CLASS_FILE


def test_missing_jar_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lamina.jars, "__file__", str(tmp_path / "python" / "lamina" / "jars.py"))
    with pytest.raises(
        MissingJarError, match=r"Spark 4\.0 \(pyspark 4\.0\.5\).*LAMINA_SPARK_LINES=4\.0 pip install \."
    ):
        lamina.jars.jar_path("4.0.5")


def test_packaged_jar_wins_over_the_source_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "python" / "lamina"
    monkeypatch.setattr(lamina.jars, "__file__", str(package / "jars.py"))
    name = line_for("3.5.9").jar_name
    for folder in (package / "jars", tmp_path / "jvm" / "target" / "jars"):
        folder.mkdir(parents=True)
        (folder / name).touch()
    assert lamina.jars.jar_path("3.5.9") == package / "jars" / name
