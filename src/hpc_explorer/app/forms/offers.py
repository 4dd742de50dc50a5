"""Suggestions for a form: links, free IRIs, and resources for files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from hpc_explorer.annotate.file_facts import FileFacts, facts_as_values, file_facts
from hpc_explorer.annotate.forms.kinds import ValueKind
from hpc_explorer.annotate.minting import is_taken
from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.forms.annotating import form_for, named_in_forms
from hpc_explorer.app.forms.linking import like_it, link_candidates, minted
from hpc_explorer.app.forms.views import Alike
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.identifiers import Identifier, orcid_in
from hpc_explorer.rdf.namespaces import FOAF, HPC, PROV, SCHEMA, SCHEMAS
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress

PEOPLE = (HPC.Person, SCHEMA.Person, SCHEMAS.Person, FOAF.Person, PROV.Person)
"""Classes of people in the common vocabularies."""

MOST_LINKS = 20
"""The maximum number of resources suggested for a link."""


@dataclass(frozen=True)
class LinkOffers:
    """The suggestions for a link.

    Args:
        found: the resources that it may mean.
        alike: others that are like it.
        classes: the classes that a new one could have, the likeliest first.
        are_more: whether more resources fit than were found.
    """

    found: tuple[ResourceRef, ...]
    alike: tuple[Alike, ...] = ()
    classes: tuple[ResourceRef, ...] = ()
    are_more: bool = False


def link_offers(session: Session, kind: ValueKind, text: str, *, limits: Limits = NO_LIMITS) -> LinkOffers:
    """The suggestions for a link, with similar resources and the class of a new one.

    Args:
        text: what was typed; empty: the first ones by name.
    """
    found = link_candidates(session, kind, text, MOST_LINKS + 1, limits=limits)
    are_more, found = len(found) > MOST_LINKS, found[:MOST_LINKS]
    if kind.cls is None or not text:
        return LinkOffers(found, are_more=are_more)
    person = orcid_in(text)
    if person is not None and is_taken(session.store, person.iri, limits=limits):
        found = tuple(references(session, [person.iri], limits=limits).values())
    there = {ref.resource for ref in found}
    alike = tuple(one for one in like_it(session, kind.cls, text, limits=limits) if one.ref.resource not in there)
    classes = _classes_of_new(session, kind.cls, limits)
    if person is not None:
        classes = [] if there else classes[:1]
    return LinkOffers(found, alike, tuple(named_in_forms(session, classes, limits=limits).values()), are_more)


def _classes_of_new(session: Session, cls: NamedNode, limits: Limits) -> list[NamedNode]:
    """A class and, before it, its subclass of people: a new agent is most often a person."""
    schema = session.form_schema(limits=limits)
    people = (one for one in PEOPLE if one in schema.classes and one != cls and cls in schema.superclasses(one))
    return [*islice(people, 1), cls]


@dataclass(frozen=True)
class Proposal:
    """The IRI for a name of a new member of a class, and similar resources.

    Args:
        iri: the one it would get.
        alike: what is there already that may be it.
    """

    iri: NamedNode
    alike: tuple[Alike, ...] = ()


def proposal(session: Session, cls: NamedNode, name: str, *, limits: Limits = NO_LIMITS) -> Proposal:
    """The IRI of a new member of a class, and similar resources."""
    iri = minted(session, cls, name, limits=limits)
    return Proposal(iri, like_it(session, cls, name, limits=limits) if name else ())


def is_spoken_of(session: Session, iri: NamedNode, *, limits: Limits = NO_LIMITS) -> bool:
    """Whether the graph has an IRI."""
    return is_taken(session.store, iri, limits=limits)


def new_member(session: Session, cls: NamedNode, name: str, *, limits: Limits = NO_LIMITS) -> ResourceRef:
    """The reference of a resource to create for a link, with a free IRI; a person's is the ORCID iD in the name."""
    person = orcid_in(name)
    if person is not None:
        return _named(session, person.iri, cls, name_beside(name, person), limits)
    return _named(session, minted(session, cls, name, limits=limits), cls, name, limits)


def name_beside(text: str, person: Identifier) -> str:
    """The name in a text with an ORCID iD; without one, the iD."""
    words = (word for word in text.split() if person.text not in word)
    return " ".join(words).strip("()<>,; ") or person.text


def _named(session: Session, iri: NamedNode, cls: NamedNode, name: str, limits: Limits) -> ResourceRef:
    refs = named_in_forms(session, [iri, cls], limits=limits)
    return replace(refs[iri], label=name, kind=refs[cls].label, colour_key=refs[cls].colour_key)


@dataclass(frozen=True)
class ChosenFile:
    """A file chosen for a field.

    Args:
        ref: the resource that stands for it.
        is_known: whether the graph has that resource already, with the same checksum.
    """

    facts: FileFacts
    ref: ResourceRef
    is_known: bool


def chosen_file(
    session: Session, path: Path, cls: NamedNode, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS
) -> ChosenFile:
    """The facts of a file, with a free IRI or the resource that has its checksum.

    Args:
        cls: what a file is called where this one is linked to.

    Raises:
        SourceNotFound, SourceUnreadable: as `file_facts` does.
    """

    def told(read: int, of: int) -> None:
        progress(f"reading {path.name}", read / of)

    facts = file_facts(path, progress=told, limits=limits)
    form = form_for(session, None, [cls], limits=limits).form
    alike = like_it(session, cls, facts.name, facts_as_values(form, facts), limits=limits)
    known = next((one.ref for one in alike if one.certain), None)
    if known is not None:
        return ChosenFile(facts, known, is_known=True)
    iri = minted(session, cls, facts.name, limits=limits)
    return ChosenFile(facts, _named(session, iri, cls, facts.name, limits), is_known=False)
