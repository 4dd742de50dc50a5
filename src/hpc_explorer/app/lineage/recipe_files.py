"""Find the files of a recipe on this machine, and check their checksums."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.app.workspace.local_files import LocalFolders
from hpc_explorer.lineage.recipe.gaps import Gap, GapKind
from hpc_explorer.lineage.recipe.particulars import Particulars
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

_CHUNK = 1 << 20


@dataclass(frozen=True)
class LocalFile:
    """A file of a recipe on this machine.

    Args:
        size: in bytes.
        sha256: the digest of its content; None if not computed.
        agrees: whether all recorded checksums that could be computed match; None if there are none.
    """

    path: Path
    size: int
    sha256: str | None = None
    agrees: bool | None = None


def find_files(
    about: Mapping[Resource, Particulars], folders: LocalFolders, *, check: bool = False, limits: Limits = NO_LIMITS
) -> dict[Resource, LocalFile]:
    """The files on this machine among the recorded locations.

    Args:
        folders: the folders that may be read.
        check: read each file and compare it with the recorded checksums.

    Raises:
        Cancelled, DeadlineExceeded: by `limits`.
    """
    found: dict[Resource, LocalFile] = {}
    for resource, known in about.items():
        path = next((path for path in map(folders.file, _places(known)) if path is not None), None)
        if path is None:
            continue
        try:
            found[resource] = _checked(path, known, limits) if check else LocalFile(path, path.stat().st_size)
        except OSError:
            continue  # unreadable files count as missing
    return found


def refused_places(about: Mapping[Resource, Particulars], folders: LocalFolders) -> tuple[str, ...]:
    """The recorded locations on this machine that may not be read."""
    named = (place for known in about.values() for place in _places(known))
    return tuple(dict.fromkeys(place for place in named if folders.refuses(place)))


def gaps_of_files(files: Mapping[Resource, LocalFile], about: Mapping[Resource, Particulars]) -> Iterable[Gap]:
    """The files on this machine that differ from the recorded ones."""
    for resource, file in files.items():
        if file.agrees is False:
            yield Gap(
                GapKind.CONTENT,
                (resource,),
                f"{about[resource].name} at {file.path} is another file: its checksum is not the recorded one.",
            )


def _places(known: Particulars) -> tuple[str, ...]:
    return (*known.locations, *((known.value,) if known.value is not None else ()))


def _checked(path: Path, known: Particulars, limits: Limits) -> LocalFile:
    wanted = {
        one.algorithm: one.digest.casefold()
        for one in known.checksums
        if one.algorithm in hashlib.algorithms_available and not one.algorithm.startswith("shake")
    }
    digests = {name: hashlib.new(name, usedforsecurity=False) for name in {"sha256", *wanted}}
    size = 0
    with open(path, "rb") as stream:
        while chunk := stream.read(_CHUNK):
            limits.check("the checksum")
            size += len(chunk)
            for digest in digests.values():
                digest.update(chunk)
    agrees = all(digests[name].hexdigest() == value for name, value in wanted.items()) if wanted else None
    return LocalFile(path, size, digests["sha256"].hexdigest(), agrees)
