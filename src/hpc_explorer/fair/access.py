"""Find the addresses of a resource, its record and its data, and who may access them."""

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
    """An address, with the statements that give it.

    Args:
        text: as in the graph, or the resolver address of a persistent identifier.
    """

    text: str
    evidence: tuple[Quad, ...]

    @property
    def scheme(self) -> str:
        """The scheme in lower case; empty for a path."""
        found = _SCHEME.match(self.text)
        return found[1].lower() if found and len(found[1]) > 1 else ""

    @property
    def protocol(self) -> Protocol | None:
        """The standard protocol of the scheme, if any."""
        return protocol_of(self.scheme)

    @property
    def is_reachable(self) -> bool:
        """Whether others can reach it: a standard protocol, and not on this machine or its network."""
        return self.protocol is not None and not is_of_one_network(self.text)

    @property
    def is_web(self) -> bool:
        """Whether a browser can open it from anywhere."""
        return self.scheme in _WEB and is_unique_in_the_world(self.text)


def landing_pages(subject: Subject) -> tuple[Address, ...]:
    """The web pages about the resource and its records."""
    nodes = (subject.own, *subject.records)
    return tuple(each for node in nodes for each in (*_stated(node, FairFact.LANDING_PAGE), *_described(subject, node)))


def _described(subject: Subject, node: Node) -> Iterator[Address]:
    """The addresses of blank nodes that are pages: foaf:Document, schema:WebPage."""
    for quad in node.stated(FairFact.LANDING_PAGE):
        if isinstance(quad.object, BlankNode) and (page := subject.node(quad.object)) is not None:
            for each in _stated(page, FairFact.LANDING_PAGE):
                yield Address(each.text, (quad, *each.evidence))


def metadata_addresses(subject: Subject) -> tuple[Address, ...]:
    """Where the description is available: persistent identifiers, records, the IRI itself, and pages."""
    return (*_identified(subject, (*subject.records, subject.own)), *landing_pages(subject))


def _identified(subject: Subject, nodes: Iterable[Node]) -> Iterator[Address]:
    for node in nodes:
        # Persistent identifiers come first, then the IRI itself, then other addresses such as schema:sameAs.
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
    """The addresses from which a program can download the data."""
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
    # A file identified by its address, as in RO-Crate; or only an address.
    if frozenset(node.classes) & _MEDIA_OBJECTS:
        kinds = tuple(quad for quad in node.quads if quad.predicate == RDF.type and quad.object in _MEDIA_OBJECTS)
        yield Address(node.resource.value, (*linking, *kinds[:1]))
    elif not node.quads and is_unique_in_the_world(node.resource.value):
        yield Address(node.resource.value, linking)


def direct_links(subject: Subject) -> tuple[Address, ...]:
    """The downloads that are not web pages by their form."""
    return tuple(each for each in downloads(subject) if not page_kind(each.text))


def services(subject: Subject) -> tuple[Address, ...]:
    """The data services; a service with only a name has no address."""
    nodes = (subject.own, *subject.distributions, *subject.of(Role.SERVICE))
    return tuple(each for node in nodes for each in _stated(node, FairFact.ENDPOINT))


def data_addresses(subject: Subject) -> tuple[Address, ...]:
    """All addresses of the data: downloads, services and pages."""
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
    """Who may access the data.

    Args:
        level: None if no list has the term.
        source: the vocabulary of the term; empty for booleans and free text.
        words: as in the graph.
    """

    level: AccessLevel | None
    source: str
    words: str
    evidence: tuple[Quad, ...]


def access_of(subject: Subject) -> Access | None:
    """The stated access level, the clearest first; None if none is stated."""
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
    """The contacts, conditions and dates of access."""
    stated = subject.stated(FairFact.CONTACT, FairFact.ACCESS_CONDITIONS, of=(Role.DISTRIBUTION,))
    return (*stated, *(quad for quad in subject.quads if quad.predicate == DCTERMS.available))
