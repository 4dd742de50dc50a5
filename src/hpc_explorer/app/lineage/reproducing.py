"""Reproduce: everything that is recorded of how a thing was made, and what is missing to make it again."""

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
    """How to make something again.

    Args:
        refs: each resource of the recipe as it is named to a person.
        gaps: what is missing, the gravest first.
        sources: the names of the sources that were asked.
        property_names: how properties are named to a person.
        files: those of the recipe that lie on this machine.
        refused: places on this machine that the graph names, outside the folders that may be read.
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
        """Whether nothing is missing that is needed."""
        return not any(gap.is_needed for gap in self.gaps)


def reproduce(
    session: Session, resource: Resource, *, check_files: bool = False, limits: Limits = NO_LIMITS
) -> Reproduction:
    """How to make a model, another artefact or a run again: data, steps in order, programs, machines, people, gaps.

    Args:
        check_files: read the files of the recipe that lie on this machine, and compare them with their checksums.
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
    """A reproduction as a JSON-LD text: the statements behind each step, and what is said of all that it names."""
    return statements_document(session, reproduction_quads(session, found, limits=limits))


def reproduction_quads(session: Session, found: Reproduction, *, limits: Limits = NO_LIMITS) -> Iterator[Quad]:
    """The statements that a reproduction rests on, each once."""
    evidence = (quad for edge in found.recipe.edges for quad in edge.evidence)
    about = descriptions(session.store, found.recipe.about, limits=limits)
    yield from dict.fromkeys(chain(evidence, about))


def export_reproduction(
    session: Session, found: Reproduction, path: Path, *, limits: Limits = NO_LIMITS
) -> ExportReport:
    """Write the statements that a reproduction rests on to a file, in the syntax that its name asks for.

    Raises:
        UnknownFormat: the ending names no format.
        OutputNotWritable: the file cannot be written; what was there before stays.
    """
    return export_statements(session, reproduction_quads(session, found, limits=limits), path)
