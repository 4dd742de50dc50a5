"""Reproduce: what is recorded about how a resource was made, and what is missing to make it again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.export.exporting import export_statements, statements_document
from hpc_explorer.app.views import ExportReport, ResourceRef
from hpc_explorer.app.workspace.local_files import LocalFolders, folders_of
from hpc_explorer.lineage.recipe.building import build_recipe
from hpc_explorer.lineage.recipe.gaps import Gap, GapKind, by_severity, find_gaps
from hpc_explorer.lineage.recipe.particulars import Particulars
from hpc_explorer.lineage.recipe.recipe import Recipe
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.terms import NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.description import descriptions

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session


@dataclass(frozen=True)
class Reproduction:
    """How to make a resource again.

    Args:
        refs: the names of the recipe's resources.
        gaps: what is missing, most severe first.
        sources: the names of the sources.
        property_names: the labels of properties.
        files: the recipe's files on this machine.
        refused: recorded locations on this machine outside the folders that may be read.
    """

    start: ResourceRef
    recipe: Recipe
    refs: Mapping[Resource, ResourceRef]
    gaps: tuple[Gap, ...]
    sources: tuple[str, ...]
    property_names: Mapping[NamedNode, str]
    files: Mapping[Resource, LocalFile] = field(default_factory=dict)
    refused: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether nothing needed is missing."""
        return not any(gap.is_needed for gap in self.gaps)


def reproduce(
    session: Session, resource: Resource, *, check_files: bool = False, limits: Limits = NO_LIMITS
) -> Reproduction:
    """How to make a model, another artefact or a run again: data, ordered steps, programs, machines, people, gaps.

    Args:
        check_files: compare the recipe's files on this machine with their checksums.
    """
    vocabulary = session.lineage_vocabulary(limits=limits)
    recipe = build_recipe(session.store, resource, vocabulary, inferred_graphs=frozenset({INFERRED}), limits=limits)
    refs = references(session, list(recipe.about), limits=limits)
    sources = tuple(source.name for source in session.sources)
    schema = session.schema(limits=limits)
    terms = {fact.term for about in recipe.about.values() for fact in about.facts if fact.term is not None}
    names = {term: schema.property_label(term) for term in terms}
    folders = folders_of(session)
    files = find_files(recipe.about, folders, check=check_files, limits=limits)
    gaps = by_severity((*find_gaps(recipe), *gaps_of_files(files, recipe.about)))
    refused = refused_places(recipe.about, folders)
    return Reproduction(refs[resource], recipe, refs, gaps, sources, names, files, refused)


def reproduction_document(session: Session, found: Reproduction, *, limits: Limits = NO_LIMITS) -> str:
    """A reproduction as JSON-LD: the statements behind each step, and descriptions of its resources."""
    return statements_document(session, reproduction_quads(session, found, limits=limits))


def reproduction_quads(session: Session, found: Reproduction, *, limits: Limits = NO_LIMITS) -> Iterator[Quad]:
    """The statements behind a reproduction, without duplicates."""
    evidence = (quad for edge in found.recipe.edges for quad in edge.evidence)
    about = descriptions(session.store, found.recipe.about, limits=limits)
    yield from dict.fromkeys(chain(evidence, about))


def export_reproduction(
    session: Session, found: Reproduction, path: Path, *, limits: Limits = NO_LIMITS
) -> ExportReport:
    """Write the statements behind a reproduction to a file, in the format of its ending.

    Raises:
        UnknownFormat: the ending has no format.
        OutputNotWritable: the file cannot be written; an existing file stays unchanged.
    """
    return export_statements(session, reproduction_quads(session, found, limits=limits), path)


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
                f"{about[resource].name} at {file.path} differs from the recorded file: the checksums do not match.",
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
