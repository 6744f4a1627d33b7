"""A jar is rebuilt when something it is made of changed, and only then."""

from __future__ import annotations

from pathlib import Path

import build_jars
import pytest
import table

DEFAULT, OTHER = table.all_lines()[:2]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small source tree in place of the real one."""
    files = [
        "build.sbt",
        "project/plugins.sbt",
        "project/versions.json",
        "jvm/src/main/scala/A.scala",
        f"jvm/src/main/scala-spark-{DEFAULT.name}/Shim.scala",
        f"jvm/src/main/scala-spark-{OTHER.name}/Shim.scala",
        "jvm/src/test/scala/ASuite.scala",
    ]
    for name in files:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"first version of {name}")
    monkeypatch.setattr(build_jars, "ROOT", tmp_path)
    monkeypatch.setattr(build_jars, "PROJECT", tmp_path / "project")
    monkeypatch.setattr(table, "ROOT", tmp_path)
    return tmp_path


@pytest.fixture
def runs(tree: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The sbt runs, each of which writes the jars it was asked for."""
    recorded: list[list[str]] = []

    def run_sbt(arguments: list[str]) -> int:
        recorded.append(arguments)
        for line in table.all_lines():
            if f"{line.sbt_project}/package" in arguments:
                line.jar.parent.mkdir(parents=True, exist_ok=True)
                line.jar.write_text("jar")
        return 0

    monkeypatch.setattr(build_jars, "run_sbt", run_sbt)
    return recorded


def test_second_build_starts_nothing(runs: list[list[str]]) -> None:
    assert build_jars.build_jars([DEFAULT]) == [DEFAULT.jar]
    assert build_jars.build_jars([DEFAULT]) == [DEFAULT.jar]
    assert runs == [[f"{DEFAULT.sbt_project}/package"]]


def test_all_stale_lines_share_one_run(runs: list[list[str]]) -> None:
    build_jars.build_jars([DEFAULT])
    build_jars.build_jars(table.all_lines())
    others = [f"{line.sbt_project}/package" for line in table.all_lines()[1:]]
    assert runs[1:] == [others]


@pytest.mark.parametrize(
    "name",
    ["build.sbt", "project/plugins.sbt", "project/versions.json", "jvm/src/main/scala/A.scala"],
)
def test_changed_input_means_rebuild(tree: Path, runs: list[list[str]], name: str) -> None:
    build_jars.build_jars([DEFAULT])
    (tree / name).write_text("second version")
    build_jars.build_jars([DEFAULT])
    assert len(runs) == 2


def test_added_renamed_and_removed_sources_mean_rebuild(tree: Path, runs: list[list[str]]) -> None:
    source = tree / "jvm/src/main/scala/A.scala"
    build_jars.build_jars([DEFAULT])
    (tree / "jvm/src/main/scala/B.scala").write_text("new")
    build_jars.build_jars([DEFAULT])
    source.rename(source.with_name("C.scala"))
    build_jars.build_jars([DEFAULT])
    source.with_name("C.scala").unlink()
    build_jars.build_jars([DEFAULT])
    assert len(runs) == 4


def test_missing_jar_means_rebuild(runs: list[list[str]]) -> None:
    build_jars.build_jars([DEFAULT])
    DEFAULT.jar.unlink()
    build_jars.build_jars([DEFAULT])
    assert len(runs) == 2


def test_shim_of_another_line_and_tests_do_not_count(tree: Path, runs: list[list[str]]) -> None:
    build_jars.build_jars([DEFAULT])
    (tree / f"jvm/src/main/scala-spark-{OTHER.name}/Shim.scala").write_text("second version")
    (tree / "jvm/src/test/scala/ASuite.scala").write_text("second version")
    build_jars.build_jars([DEFAULT])
    assert len(runs) == 1


def test_failed_build_is_an_error_and_is_tried_again(runs: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(build_jars, "run_sbt", lambda arguments: 1)
        with pytest.raises(build_jars.BuildError, match="exit code 1"):
            build_jars.build_jars([DEFAULT])
    build_jars.build_jars([DEFAULT])
    assert len(runs) == 1


def test_unknown_line_is_one_line() -> None:
    with pytest.raises(SystemExit, match=r"lamina: no Spark line '9\.9'; there are .* and 'all'"):
        build_jars.main(["9.9"])
