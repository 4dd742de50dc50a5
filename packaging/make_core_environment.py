"""Make the environment of the unit tests: what the core lock names, linked from the environment that holds everything.

    .venv/bin/python packaging/make_core_environment.py .venv-core packaging/locks/core.txt

Nothing else can be imported there, Qt and the development tools included. A package of the lock that the running
environment lacks, or has in another version, is an error, and so exit code 1.
"""

from __future__ import annotations

import sys
import sysconfig
import venv
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path, PurePosixPath

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROGRAM = "hpc-explorer"
"""The program itself, which no lock names."""

COMMAND = """#!/bin/sh
'''exec' "{folder}/python" "$0" "$@"
' '''
import sys
from {command.module} import {command.attr}
sys.exit({command.attr}())
"""
"""A command of an environment; unlike a first line that names the interpreter, it allows long paths and spaces."""


def locked(lock: Path) -> set[str]:
    """The normalized names of the packages that a lock names for this platform.

    Raises:
        SystemExit: the running environment does not have one of them in the locked version.
    """
    names = set()
    for line in lock.read_text(encoding="utf-8").splitlines():
        if not line or line[0] in " #":
            continue
        requirement = Requirement(line.removesuffix("\\").strip())
        if requirement.marker is not None and not requirement.marker.evaluate():
            continue
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            raise SystemExit(f"{lock}: {requirement.name} is not installed in {sys.prefix}") from None
        if version not in requirement.specifier:
            raise SystemExit(f"{lock}: {sys.prefix} has {requirement.name} {version}, not {requirement.specifier}")
        names.add(canonicalize_name(requirement.name))
    return names


def link(source: Path, target: Path, wanted: set[PurePosixPath], others: set[PurePosixPath]) -> None:
    """Link in the folder `target` what lies in `source`: files and folders that only wanted files lie in.

    Args:
        wanted, others: paths of files under `source`. A folder that both lie in, such as a namespace package, becomes
            a folder of its own.
    """
    target.mkdir(exist_ok=True)
    shared = {path.parts[0] for path in others}
    for name in {path.parts[0] for path in wanted}:
        if name not in shared:
            (target / name).symlink_to(source / name)
        elif any(len(path.parts) > 1 for path in wanted if path.parts[0] == name):
            link(source / name, target / name, below(wanted, name), below(others, name))


def below(paths: Iterable[PurePosixPath], folder: str) -> set[PurePosixPath]:
    """What lies in the folder, with paths relative to it."""
    return {PurePosixPath(*path.parts[1:]) for path in paths if path.parts[0] == folder and len(path.parts) > 1}


def add_commands(distribution: metadata.Distribution, folder: Path) -> None:
    """Add the commands of a package to `folder`, which start the interpreter there; its other programs are linked."""
    for command in distribution.entry_points.select(group="console_scripts"):
        (folder / command.name).write_text(COMMAND.format(folder=folder, command=command), encoding="utf-8")
        (folder / command.name).chmod(0o755)
    for file in distribution.files or ():
        program = Path(str(file.locate())).resolve()
        if program.parent == Path(sys.prefix, "bin").resolve() and not program.read_bytes().startswith(b"#!"):
            (folder / program.name).symlink_to(program)


def main(environment: Path, lock: Path) -> None:
    """Make the environment anew, of the packages that the lock names."""
    names = locked(lock) | {PROGRAM}
    venv.create(environment, clear=True, symlinks=True, with_pip=False)
    packages = Path(sysconfig.get_path("purelib"))
    wanted: set[PurePosixPath] = set()
    others: set[PurePosixPath] = set()
    for distribution in metadata.distributions(path=[str(packages)]):
        chosen = canonicalize_name(distribution.metadata["Name"]) in names
        if chosen:
            add_commands(distribution, environment / "bin")
        for file in distribution.files or ():
            if file.parts[0] != ".." and "__pycache__" not in file.parts:
                (wanted if chosen else others).add(PurePosixPath(file))
    link(packages, environment / packages.relative_to(sys.prefix), wanted, others)


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]))
