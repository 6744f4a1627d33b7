"""Finds the JDK that builds and runs Lamina, and says in one line what to install when there is none."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

VERSIONS = Path(__file__).with_name("versions.json")


class JdkError(Exception):
    """No usable JDK; the message is one line for the user."""


@dataclass(frozen=True)
class Jdk:
    """An installed JDK: its major version and its home folder."""

    major: int
    home: Path

    def environment(self, base: Mapping[str, str]) -> dict[str, str]:
        """``base``, changed so that whatever looks for Java (JAVA_HOME or PATH) finds this one."""
        path = os.pathsep.join([str(self.home / "bin"), base.get("PATH", os.defpath)])
        return {**base, "JAVA_HOME": str(self.home), "PATH": path}


def supported_versions() -> list[int]:
    """The JDK major versions that every Spark line in the table runs on."""
    return [int(major) for major in json.loads(VERSIONS.read_text())["java"]]


def find_jdk(environ: Mapping[str, str]) -> Jdk:
    """The JDK of ``JAVA_HOME``, else of ``PATH``; raises `JdkError` unless Lamina supports it."""
    supported = supported_versions()
    wanted = " or ".join(map(str, supported))
    remedy = f"install JDK {wanted} (for example Eclipse Temurin) and set JAVA_HOME to it"

    java = _find_java(environ)
    if java is None:
        raise JdkError(f"no Java found in JAVA_HOME or PATH: {remedy}")
    jdk = _inspect(java)
    if jdk is None:
        raise JdkError(f"{java} does not run as Java: {remedy}")
    if jdk.major not in supported:
        raise JdkError(f"{java} is Java {jdk.major}, which Lamina does not run on: {remedy}")
    if shutil.which("javac", path=str(jdk.home / "bin")) is None:
        raise JdkError(f"{jdk.home} is a Java runtime without the compiler javac: {remedy}")
    return jdk


def _find_java(environ: Mapping[str, str]) -> str | None:
    java_home = environ.get("JAVA_HOME")
    if java_home:
        # No fallback to PATH: Spark would still use the broken JAVA_HOME and fail later.
        return shutil.which("java", path=str(Path(java_home, "bin")))
    return shutil.which("java", path=environ.get("PATH", ""))


def _inspect(java: str) -> Jdk | None:
    """Asks Java itself, because ``java`` may be a link, a wrapper script or a version manager's shim."""
    command = [java, "-XshowSettings:properties", "-version"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    properties = answer.stderr + answer.stdout
    home = re.search(r"^\s*java\.home = (.+?)\s*$", properties, re.MULTILINE)
    # Java 8 calls itself 1.8, later versions 9, 10, 11 …
    major = re.search(r"^\s*java\.specification\.version = (?:1\.)?(\d+)", properties, re.MULTILINE)
    if home is None or major is None:
        return None
    return Jdk(int(major.group(1)), Path(home.group(1)))


def require_jdk() -> Jdk:
    """The JDK to use; ends the program with one line when there is none."""
    try:
        return find_jdk(os.environ)
    except JdkError as error:
        sys.exit(f"lamina: {error}")


if __name__ == "__main__":
    require_jdk()
