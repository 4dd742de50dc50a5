"""Reproduce: what is recorded about how a resource was made, and what is missing to make it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.export.exporting import export_statements, statements_document
from hpc_explorer.app.lineage.recipe_files import LocalFile, find_files, gaps_of_files, refused_places
from hpc_explorer.app.views import ExportReport, ResourceRef
from hpc_explorer.app.workspace.local_files import folders_of
from hpc_explorer.lineage.recipe.building import build_recipe
from hpc_explorer.lineage.recipe.gaps import Gap, by_severity, find_gaps
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
