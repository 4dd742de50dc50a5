"""Where a resource, its record and its data can be had, and who may have them, with the statements that say so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hpc_explorer.fair.identity import identifiers_of, proof_of_use
from hpc_explorer.fair.lists import AccessLevel, Protocol, access_term, protocol_of
from hpc_explorer.fair.pages import page_kind
from hpc_explorer.fair.subject import Node, Subject
from hpc_explorer.fair.terms import FairFact, Role
from hpc_explorer.ontology.common_terms import Fact, schema_org
from hpc_explorer.rdf.identifiers import is_of_one_network, is_unique_in_the_world, persistent_identifier
from hpc_explorer.rdf.namespaces import DCTERMS, RDF
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?=\S)")
_WEB = ("http", "https")
_MEDIA_OBJECTS = frozenset(schema_org("MediaObject", "DataDownload"))


@dataclass(frozen=True)
class Address:
    """Where something can be had.

    Args:
        text: as the graph has it, or the address that leads from a persistent identifier to its thing.
        evidence: the statements that say so.
    """

    text: str
    evidence: tuple[Quad, ...]

    @property
    def scheme(self) -> str:
        """In small letters; empty for a path."""
        found = _SCHEME.match(self.text)
        return found[1].lower() if found and len(found[1]) > 1 else ""

    @property
    def protocol(self) -> Protocol | None:
        """The standard protocol that it is had by."""
        return protocol_of(self.scheme)

    @property
    def is_reachable(self) -> bool:
        """Whether it has a standard protocol, and leads off this machine and its network."""
        return self.protocol is not None and not is_of_one_network(self.text)

    @property
    def is_web(self) -> bool:
        """Whether a browser opens it, from anywhere."""
        return self.scheme in _WEB and is_unique_in_the_world(self.text)


def landing_pages(subject: Subject) -> tuple[Address, ...]:
    """The pages about the resource: its own, and those of its records."""
    nodes = (subject.own, *subject.records)
    return tuple(each for node in nodes for each in (*_stated(node, FairFact.LANDING_PAGE), *_described(subject, node)))


def _described(subject: Subject, node: Node) -> Iterator[Address]:
    """The addresses of pages that are nodes without a name: a foaf:Document, a schema:WebPage."""
    for quad in node.stated(FairFact.LANDING_PAGE):
        if isinstance(quad.object, BlankNode) and (page := subject.node(quad.object)) is not None:
            for each in _stated(page, FairFact.LANDING_PAGE):
                yield Address(each.text, (quad, *each.evidence))


def metadata_addresses(subject: Subject) -> tuple[Address, ...]:
    """Where the description can be had: what persistent identifiers lead to, records, the IRI itself, and pages."""
    return (*_identified(subject, (*subject.records, subject.own)), *landing_pages(subject))


def _identified(subject: Subject, nodes: Iterable[Node]) -> Iterator[Address]:
    for node in nodes:
        # What lasts comes first, then the IRI itself, and other addresses, such as schema:sameAs, after it.
        iri = node.resource.value if isinstance(node.resource, NamedNode) else ""
        others = []
        for each in identifiers_of(subject, node):
            if (found := persistent_identifier(each.text)) is not None:
                yield Address(found.iri.value, each.evidence)
            elif each.text != iri and is_unique_in_the_world(each.text):
                others.append(Address(each.text, each.evidence))
        if is_unique_in_the_world(iri):
            yield Address(iri, proof_of_use(subject, node))
        yield from others


def downloads(subject: Subject) -> tuple[Address, ...]:
    """Where a program fetches the data themselves."""
    return (
        *_stated(subject.own, FairFact.DOWNLOAD_URL),
        *(each for node in subject.distributions for each in _file_addresses(node, subject)),
    )


def _file_addresses(node: Node, subject: Subject) -> Iterator[Address]:
    stated = _stated(node, FairFact.DOWNLOAD_URL, FairFact.URL)
    yield from stated
    if stated or not isinstance(node.resource, NamedNode):
        return
    linking = tuple(quad for quad in subject.quads if quad.object == node.resource)[:1]
    # A file that is named by its address, as RO-Crate does; or nothing but an address.
    if frozenset(node.classes) & _MEDIA_OBJECTS:
        kinds = tuple(quad for quad in node.quads if quad.predicate == RDF.type and quad.object in _MEDIA_OBJECTS)
        yield Address(node.resource.value, (*linking, *kinds[:1]))
    elif not node.quads and is_unique_in_the_world(node.resource.value):
        yield Address(node.resource.value, linking)


def direct_links(subject: Subject) -> tuple[Address, ...]:
    """The downloads that are no pages by their form."""
    return tuple(each for each in downloads(subject) if not page_kind(each.text))


def services(subject: Subject) -> tuple[Address, ...]:
    """Where a program asks for the data; a service that is only named has no address."""
    nodes = (subject.own, *subject.distributions, *subject.of(Role.SERVICE))
    return tuple(each for node in nodes for each in _stated(node, FairFact.ENDPOINT))


def data_addresses(subject: Subject) -> tuple[Address, ...]:
    """Where the data can be had, by whatever way."""
    nodes = (subject.own, *subject.distributions)
    return (
        *downloads(subject),
        *(each for node in nodes for each in _stated(node, FairFact.ACCESS_URL)),
        *services(subject),
        *_stated(subject.own, FairFact.URL),
    )


def _stated(node: Node, *facts: FairFact) -> tuple[Address, ...]:
    return tuple(
        Address(quad.object.value.strip(), (quad,))
        for quad in node.stated(*facts)
        if isinstance(quad.object, (Literal, NamedNode))
    )


@dataclass(frozen=True)
class Access:
    """Who may have the data.

    Args:
        level: None where the graph says something that no list has.
        source: the vocabulary of the term; empty for yes or no, and for words.
        words: how the graph says it.
    """

    level: AccessLevel | None
    source: str
    words: str
    evidence: tuple[Quad, ...]


def access_of(subject: Subject) -> Access | None:
    """What the graph says of who may have the data, the clearest first; None where it says nothing."""
    where = (Role.DISTRIBUTION,)
    others: list[Access] = []
    for quad in subject.stated(FairFact.ACCESS_RIGHTS, of=where):
        for words, evidence in _texts(subject, quad):
            if (term := access_term(words)) is not None:
                return Access(term.level, term.vocabulary, term.words, evidence)
            if quad.predicate == DCTERMS.accessRights:
                others.append(Access(None, "", words, evidence))
    # schema.org has no term for the level; repositories write it as the condition (F-UJI reads it there too).
    for quad in subject.stated(FairFact.ACCESS_CONDITIONS, of=where):
        for words, evidence in _texts(subject, quad):
            if (term := access_term(words)) is not None:
                return Access(term.level, term.vocabulary, term.words, evidence)
    for quad in subject.stated(FairFact.FREE_ACCESS, of=where):
        if isinstance(quad.object, Literal):
            free = quad.object.value.strip().lower().rpartition("/")[2] in ("true", "1", "yes")
            others.insert(0, Access(AccessLevel.PUBLIC if free else AccessLevel.RESTRICTED, "", "", (quad,)))
        elif isinstance(quad.object, NamedNode) and quad.object in schema_org("True", "False"):
            free = quad.object in schema_org("True")
            others.insert(0, Access(AccessLevel.PUBLIC if free else AccessLevel.RESTRICTED, "", "", (quad,)))
    return others[0] if others else None


def _texts(subject: Subject, quad: Quad) -> Iterator[tuple[str, tuple[Quad, ...]]]:
    value = quad.object
    if isinstance(value, (Literal, NamedNode)):
        yield value.value, (quad,)
    node = subject.node(value)
    for inner in node.stated(Fact.NAME, Fact.SAME_AS, Fact.URL, Fact.DESCRIPTION) if node is not None else ():
        if isinstance(inner.object, (Literal, NamedNode)):
            yield inner.object.value, (quad, inner)


def conditions_of(subject: Subject) -> tuple[Quad, ...]:
    """Who can be asked for the data, under which conditions they are given, and from when on."""
    stated = subject.stated(FairFact.CONTACT, FairFact.ACCESS_CONDITIONS, of=(Role.DISTRIBUTION,))
    return (*stated, *(quad for quad in subject.quads if quad.predicate == DCTERMS.available))
