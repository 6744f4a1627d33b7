"""Which JDK is taken, and what a user reads when there is none that fits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jdk
import pytest


def install_java(home: Path, specification: str, *, compiler: bool = True) -> Path:
    """A folder that looks like a JDK whose ``java`` answers as a version of Java would."""
    settings = f"Property settings:\n    java.home = {home}\n    java.specification.version = {specification}\n"
    write_script(home / "bin" / "java", f"cat >&2 <<'END'\n{settings}END\n")
    if compiler:
        write_script(home / "bin" / "javac", "exit 0\n")
    return home


def write_script(path: Path, body: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}")
    path.chmod(0o755)


def refusal(environ: dict[str, str]) -> str:
    with pytest.raises(jdk.JdkError) as refused:
        jdk.find_jdk(environ)
    message = str(refused.value)
    assert "\n" not in message
    assert "install JDK 17 or 21" in message
    return message


@pytest.mark.parametrize("major", [17, 21])
def test_supported_jdk_of_java_home(tmp_path: Path, major: int) -> None:
    home = install_java(tmp_path, str(major))
    assert jdk.find_jdk({"JAVA_HOME": str(home)}) == jdk.Jdk(major, home)


def test_path_is_searched_without_java_home(tmp_path: Path) -> None:
    home = install_java(tmp_path, "17")
    assert jdk.find_jdk({"PATH": f"/nowhere:{home}/bin"}).home == home


def test_java_home_wins_over_path(tmp_path: Path) -> None:
    wanted = install_java(tmp_path / "wanted", "21")
    other = install_java(tmp_path / "other", "17")
    assert jdk.find_jdk({"JAVA_HOME": str(wanted), "PATH": f"{other}/bin"}).home == wanted


def test_shim_leads_to_the_real_home(tmp_path: Path) -> None:
    home = install_java(tmp_path / "real", "17")
    write_script(tmp_path / "shims" / "java", f'exec "{home}/bin/java" "$@"\n')
    assert jdk.find_jdk({"PATH": f"{tmp_path}/shims:/bin"}).home == home


@pytest.mark.parametrize(("specification", "major"), [("1.8", 8), ("11", 11), ("25", 25)])
def test_other_versions_are_refused_by_number(tmp_path: Path, specification: str, major: int) -> None:
    home = install_java(tmp_path, specification)
    assert f"is Java {major}, which" in refusal({"JAVA_HOME": str(home)})


def test_no_java_at_all(tmp_path: Path) -> None:
    assert "no Java found" in refusal({"PATH": str(tmp_path)})


def test_wrong_java_home_does_not_fall_back_to_path(tmp_path: Path) -> None:
    home = install_java(tmp_path / "jdk", "17")
    environ = {"JAVA_HOME": str(tmp_path / "gone"), "PATH": f"{home}/bin"}
    assert "no Java found" in refusal(environ)


def test_runtime_without_compiler(tmp_path: Path) -> None:
    home = install_java(tmp_path, "17", compiler=False)
    assert "without the compiler" in refusal({"JAVA_HOME": str(home)})


def test_java_that_does_not_start(tmp_path: Path) -> None:
    write_script(tmp_path / "bin" / "java", "echo 'Unable to locate a Java Runtime.' >&2\nexit 1\n")
    assert "does not run as Java" in refusal({"JAVA_HOME": str(tmp_path)})


def test_environment_puts_the_jdk_first(tmp_path: Path) -> None:
    environ = jdk.Jdk(17, tmp_path).environment({"PATH": "/bin", "JAVA_HOME": "/old", "HOME": "/me"})
    assert environ == {"PATH": f"{tmp_path}/bin:/bin", "JAVA_HOME": str(tmp_path), "HOME": "/me"}


@pytest.mark.parametrize("script", ["jdk.py", "sbt.py"])
def test_scripts_end_with_one_line(tmp_path: Path, script: str) -> None:
    home = install_java(tmp_path, "25")
    path = Path(jdk.__file__).with_name(script)
    result = subprocess.run(
        [sys.executable, str(path), "about"],
        env={"JAVA_HOME": str(home), "PATH": "/bin:/usr/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.startswith("lamina: ")
    assert result.stderr.count("\n") == 1
