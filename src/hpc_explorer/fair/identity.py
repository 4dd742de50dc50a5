"""The identifiers of a resource and of its record, with their evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from hpc_explorer.fair.pages import page_kind
from hpc_explorer.fair.subject import Node, Subject, says_anything
from hpc_explorer.fair.surroundings import Seen, Surroundings
from hpc_explorer.fair.terms import FairFact
from hpc_explorer.ontology.common_terms import schema_org
from hpc_explorer.rdf.identifiers import (
    Identifier,
    IdentifierKind,
    is_unique_in_the_world,
    is_uuid_or_digest,
    persistent_identifier,
)
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, OWL, RDF, SKOS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, is_resource

IDENTIFIER_VALUES = (
    *schema_org("value"),
    HPC.value,
    SKOS.notation,
    RDF.value,
    DCTERMS.identifier,
    *schema_org("identifier", "url"),
)
"""The value property of an identifier node: schema:PropertyValue, adms:Identifier, hpc:KeyValue."""

_URL = frozenset(schema_org("url"))
_SAME_AS = frozenset({OWL.sameAs, *schema_org("sameAs")})


@dataclass(frozen=True)
class Spelled:
    """An identifier as in the graph.

    Args:
        evidence: the statements with it; for the node's own IRI, one that uses it.
    """

    text: str
    evidence: tuple[Quad, ...]


def identifiers_of(subject: Subject, node: Node) -> Iterator[Spelled]:
    """All identifiers of a node: its own IRI first, then the stated ones."""
    if isinstance(node.resource, NamedNode):
        yield Spelled(node.resource.value, proof_of_use(subject, node))
    for quad in (*stated_identifiers(node), *_addresses_that_last(subject, node)):
        value = quad.object
        if isinstance(value, (Literal, NamedNode)):
            yield Spelled(value.value, (quad,))
        if is_resource(value) and quad.predicate not in _SAME_AS and (inner := subject.node(value)) is not None:
            for each in inner.quads:
                if (
                    each.predicate in IDENTIFIER_VALUES
                    and isinstance(each.object, (Literal, NamedNode))
                    and says_anything(each)
                ):
                    yield Spelled(each.object.value, (quad, each))


def stated_identifiers(node: Node) -> tuple[Quad, ...]:
    """The stated identifiers of a node, without web pages about it.

    schema:sameAs links to "a reference Web page", such as a homepage, and owl:sameAs is used so too. Its value counts
    as an identifier only if it is persistent, or for owl:sameAs, if nothing shows that it is a page.
    """
    pages = {_text(quad) for quad in node.stated(FairFact.LANDING_PAGE)}
    return tuple(
        quad
        for quad in node.stated(FairFact.IDENTIFIER)
        if quad.predicate not in _SAME_AS
        or persistent_identifier(_text(quad)) is not None
        or is_uuid_or_digest(_text(quad))
        or (quad.predicate == OWL.sameAs and _text(quad) not in pages and not page_kind(_text(quad)))
    )


def _text(quad: Quad) -> str:
    return quad.object.value if isinstance(quad.object, (Literal, NamedNode)) else ""


def _addresses_that_last(subject: Subject, node: Node) -> Iterator[Quad]:
    """schema:url, the "URL of the item", if it is a persistent identifier, as in Dataverse's Croissant."""
    for quad in node.quads if node.resource == subject.resource else ():
        value = quad.object.value if isinstance(quad.object, (Literal, NamedNode)) else ""
        if quad.predicate in _URL and persistent_identifier(value) is not None:
            yield quad


def proof_of_use(subject: Subject, node: Node) -> tuple[Quad, ...]:
    """A statement that uses the IRI of a node: its class, its link as a record, or its first statement."""
    typed = tuple(quad for quad in node.quads if quad.predicate == RDF.type)
    naming = tuple(quad for quad in subject.links_here if node.resource in (quad.subject, quad.object))
    return (typed or node.quads or naming)[:1] or subject.link_to(node.resource)


def persistent_of(
    subject: Subject, nodes: Sequence[Node], kind: IdentifierKind | None = None
) -> tuple[Identifier, tuple[Quad, ...]] | None:
    """The first persistent identifier of some nodes, optionally of one kind."""
    for node in nodes:
        for each in identifiers_of(subject, node):
            found = persistent_identifier(each.text)
            if found is not None and kind in (None, found.kind):
                return found, each.evidence
    return None


def registration(identifier: Identifier, surroundings: Surroundings) -> tuple[bool | None, Seen | None]:
    """Whether an identifier is registered with its resolver, and the response.

    Both are None if no request was made or the response is inconclusive.
    """
    seen = surroundings.online(identifier.iri.value)
    if seen is None or not seen.status:
        return None, None
    # A redirect elsewhere shows that it is registered, whatever answered there.
    elsewhere = urlsplit(seen.final_url).hostname != urlsplit(identifier.iri.value).hostname
    if elsewhere or 200 <= seen.status < 400:
        return True, seen
    return (False, seen) if seen.status == 404 else (None, None)


def unique_of(subject: Subject, nodes: Sequence[Node]) -> Spelled | None:
    """The first globally unique identifier of some nodes."""
    for node in nodes:
        for each in identifiers_of(subject, node):
            if is_unique_in_the_world(each.text) or is_uuid_or_digest(each.text) or persistent_identifier(each.text):
                return each
    return None
