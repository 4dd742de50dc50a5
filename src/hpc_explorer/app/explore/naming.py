"""Names for resources without one, or whose name is a hash: another name, a file name, or the class and the place."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.common_terms import TERMS, Fact
from hpc_explorer.ontology.expressions import expressions_of
from hpc_explorer.ontology.labels import labels_of, local_name
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.namespaces import HPC, RDF, Namespace
from hpc_explorer.rdf.quantities import QUANTITY_PREDICATES, read_quantity
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

MOST_NAMED = 1_000
"""The most resources that are named by what is stated of them; the others keep the end of their IRI."""

_OPAQUE = re.compile(
    r"(?:[a-z]+[:_-]+)*"  # such as "urn:uuid:"
    r"(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,})"
    r"(?:\.[a-z0-9]{1,5})?\Z",
    re.IGNORECASE,
)
_CWLPROV = Namespace("https://w3id.org/cwl/prov#")
_ALTERNATIVES = (*TERMS[Fact.ALTERNATE_NAME], _CWLPROV.basename)
_FILES = (HPC.file, HPC.url, *TERMS[Fact.CONTENT_URL])
_KEYS = (HPC.key, HPC.value)
_SAID = (*_ALTERNATIVES, *_FILES, *QUANTITY_PREDICATES, *_KEYS, RDF.first)


def is_opaque(name: str) -> bool:
    """Whether a name is a hash or a UUID, which tells a person nothing.

    >>> is_opaque("urn:uuid:0b9a9b0c-3d0e-4c5b-9a55-9d3b2f4a6c11"), is_opaque("model.onnx")
    (True, False)
    """
    return _OPAQUE.match(name) is not None


def better_names(
    session: Session,
    store: Store,
    named: Mapping[Resource, str],
    kinds: Mapping[Resource, str],
    *,
    limits: Limits = NO_LIMITS,
) -> dict[Resource, str]:
    """Human names for the resources whose name is a hash, a UUID or missing; the others are absent.

    Args:
        named: the names from labels and IRIs; empty for a blank node without one.
        kinds: the labels of their classes; may be empty.
    """
    wanted = [one for one, name in named.items() if not name or is_opaque(name) or is_opaque(local_name(name))]
    del wanted[MOST_NAMED:]
    if not wanted:
        return {}
    schema = session.schema(limits=limits)

    def name(term: NamedNode) -> str:
        info = schema.classes.get(term) or schema.properties.get(term)
        return info.label if info is not None else local_name(term.value)

    found = expressions_of(store, wanted, name, limits=limits)
    stated: dict[Resource, list[tuple[NamedNode, Literal | NamedNode]]] = {}
    for quad in store.match_many(subjects=wanted, predicates=_SAID, limits=limits):
        if isinstance(quad.object, (Literal, NamedNode)):
            stated.setdefault(quad.subject, []).append((quad.predicate, quad.object))  # type: ignore[arg-type]  # a node
        elif quad.predicate == RDF.first:
            found.setdefault(quad.subject, "(list)")  # type: ignore[arg-type]  # a node
    for one in wanted:
        text = _from_statements(stated.get(one, ()))
        if one not in found and text:
            found[one] = text
    left = [one for one in wanted if one not in found]
    return found | _by_place(store, left, kinds, schema, limits)


def _from_statements(pairs: Collection[tuple[NamedNode, Literal | NamedNode]]) -> str:
    """Another name, a quantity, a pair of key and value, or a file name."""
    said = dict(reversed(list(pairs)))
    for predicate in _ALTERNATIVES:
        value = said.get(predicate)
        if isinstance(value, Literal) and value.value.strip() and not is_opaque(value.value.strip()):
            return " ".join(value.value.split())
    quantity = read_quantity(tuple(pairs))
    if quantity is not None:
        return str(quantity)
    values = [value for term in _KEYS if isinstance(value := said.get(term), Literal)]
    if len(values) == len(_KEYS):
        return " = ".join(map(literal_text, values))
    for predicate in _FILES:
        if predicate in said:
            name = PurePosixPath(unquote(urlsplit(said[predicate].value).path)).name
            if name and not is_opaque(name):
                return name
    return "(list)" if RDF.first in said else ""


def _by_place(
    store: Store, left: Collection[Resource], kinds: Mapping[Resource, str], schema: SchemaIndex, limits: Limits
) -> dict[Resource, str]:
    """The class of each and what refers to it, such as "File of run 3"."""
    places: dict[Resource, tuple[NamedNode, NamedNode]] = {}
    for quad in store.match_many(objects=left, limits=limits):
        if isinstance(quad.object, (NamedNode, BlankNode)) and isinstance(quad.subject, NamedNode):
            known = places.get(quad.object)
            place = quad.predicate, quad.subject
            if known is None or (place[1].value, place[0].value) < (known[1].value, known[0].value):
                places[quad.object] = place
    owners = {owner for _, owner in places.values()}
    labels = labels_of(store, owners, limits=limits)
    found: dict[Resource, str] = {}
    for one in left:
        kind = kinds.get(one, "")
        if one in places:
            predicate, owner = places[one]
            name = labels.get(owner) or local_name(owner.value)
            if not is_opaque(name):
                found[one] = f"{kind or schema.property_label(predicate)} of {name}"
                continue
        if kind and isinstance(one, BlankNode):
            found[one] = f"{kind} without a name"
    return found
