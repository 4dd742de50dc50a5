"""The direct check of common constraints says what pySHACL says over a view."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.validation.findings import Result
from hpc_explorer.annotate.validation.plain import check_plain
from hpc_explorer.annotate.validation.shapes import Shapes
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, store_of

PREFIXES = """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""

NODES = [":a", ":b", ":c", "_:x", "_:y"]
CLASSES = [":A", ":B", ":C", ":D"]
LITERALS = [
    '"text"', '"Hallo"@de', '"12"', '"12"^^xsd:integer', '"-3"^^xsd:integer', '"many"^^xsd:integer', "1.5", "1.0e0",
    '"x"^^xsd:double', "true", '"maybe"^^xsd:boolean', '"2021-02-30"^^xsd:date', '"2021-02-28"^^xsd:date',
    '"2021-03-01T08:00:00Z"^^xsd:dateTime', '"http://x/"^^xsd:anyURI', '"007"^^xsd:integer', '"a"^^:own',
]  # fmt: skip
DATATYPES = [
    "xsd:string", "xsd:integer", "xsd:decimal", "xsd:double", "xsd:boolean", "xsd:date", "xsd:dateTime", "xsd:anyURI",
    "rdf:langString", "rdfs:Literal", ":own",
]  # fmt: skip
KINDS = ["IRI", "BlankNode", "Literal", "BlankNodeOrIRI", "BlankNodeOrLiteral", "IRIOrLiteral"]
PATHS = [":p", ":q", "rdf:type", "[ sh:alternativePath ( :p :q ) ]"]

statements = st.tuples(
    st.sampled_from(NODES), st.sampled_from([":p", ":q"]), st.one_of(st.sampled_from(LITERALS), st.sampled_from(NODES))
).map(" ".join)
types = st.tuples(st.sampled_from(NODES), st.just("a"), st.sampled_from(CLASSES)).map(" ".join)
data = st.lists(st.one_of(statements, types), min_size=1, max_size=14).map(" .\n".join)

atoms = st.one_of(
    st.sampled_from(DATATYPES).map("sh:datatype {} ;".format),
    st.sampled_from(CLASSES).map("sh:class {} ;".format),
    st.sampled_from(KINDS).map("sh:nodeKind sh:{} ;".format),
    st.lists(st.sampled_from([*LITERALS, ":a", ":b"]), min_size=1, max_size=4).map(
        lambda members: f"sh:in ( {' '.join(members)} ) ;"
    ),
    st.sampled_from(['sh:pattern "^[a-h]" ;', 'sh:pattern "1" ;', "sh:minInclusive 0 ;", "sh:maxInclusive 100 ;"]),
)


def _distinct(parts: list[str]) -> str:
    """One of each kind: SHACL allows most parameters once."""
    return " ".join({part.split(" ")[0]: part for part in parts}.values())


tests = st.recursive(
    st.lists(atoms, min_size=1, max_size=2).map(_distinct),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=2).map(
            lambda parts: f"sh:or ( {' '.join(f'[ {one} ]' for one in parts)} ) ;"
        ),
        inner.map("sh:node [ a sh:NodeShape ; {} ] ;".format),
        st.tuples(st.sampled_from(PATHS), st.integers(0, 2), inner).map(
            lambda parts: f"sh:node [ sh:property [ sh:path {parts[0]} ; sh:minCount {parts[1]} ; {parts[2]} ] ] ;"
        ),
    ),
    max_leaves=4,
)
properties = st.tuples(
    st.sampled_from(PATHS),
    st.sampled_from(["", "sh:minCount 1 ;", "sh:maxCount 1 ;", "sh:minCount 2 ; sh:maxCount 2 ;", "sh:maxCount 0 ;"]),
    st.sampled_from(["", "sh:severity sh:Warning ;", "sh:severity sh:Info ;"]),
    st.one_of(st.just(""), tests),
).map(lambda parts: f"sh:property [ sh:path {parts[0]} ; {parts[1]} {parts[2]} {parts[3]} ] ;")
shapes_text = st.tuples(
    st.sampled_from(CLASSES), st.one_of(st.just(""), tests), st.lists(properties, min_size=1, max_size=3)
).map(lambda parts: f":shape a sh:NodeShape ; sh:targetClass {parts[0]} ; {parts[1]} {' '.join(parts[2])} .")

ABOVE = {ex("A"): {ex("A"), ex("B"), ex("C")}, ex("B"): {ex("B"), ex("C")}, ex("C"): {ex("C")}, ex("D"): {ex("D")}}


def view_of(store: LocalStore) -> GraphView:
    return GraphView(
        store,
        background=LocalStore.in_memory(),
        superclasses=lambda cls: frozenset(ABOVE.get(cls, {cls})),
    )


def told(results: list[Result]) -> Counter[tuple[object, ...]]:
    return Counter((one.focus, one.path, one.value, one.component, one.severity) for one in results)


@examples(60)
@given(data, shapes_text)
def test_the_direct_check_says_what_pyshacl_says(data: str, shape: str) -> None:
    store, shapes = store_of(PREFIXES + data + " ."), Shapes(store_of(PREFIXES + shape))
    plain = shapes.plain(ex("shape"))
    assert plain is not None
    nodes = {quad.subject for quad in store.match(None, RDF.type)}
    focused: list[Resource] = [node for node in nodes if shapes.for_node(view_of(store), node)]  # type: ignore[misc, arg-type]
    through_view: list[Result] = []
    directly: list[Result] = []
    for node in focused:
        through_view += shapes.prepared.check(view_of(store), node, [ex("shape")])
        directly += check_plain(plain, view_of(store), node)
    assert told(directly) == told(through_view)


@pytest.mark.parametrize(
    "constraint",
    [
        "sh:closed true", "sh:and ( [ sh:class :A ] )", "sh:not [ sh:class :A ]", "sh:xone ( [ sh:class :A ] [ sh:class :B ] )",
        "sh:property [ sh:path ( :p :q ) ; sh:minCount 1 ]", "sh:property [ sh:path [ sh:inversePath :p ] ; sh:minCount 1 ]",
        "sh:property [ sh:path :p ; sh:uniqueLang true ]", 'sh:property [ sh:path :p ; sh:pattern "a" ; sh:flags "i" ]',
        "sh:property [ sh:path :p ; sh:lessThan :q ]", "sh:property [ sh:path :p ; sh:deactivated true ; sh:minCount 1 ]",
        "sh:property [ sh:path :p ; sh:node :shape ]",
    ],
)  # fmt: skip
def test_what_is_not_checked_directly_is_left_to_pyshacl(constraint: str) -> None:
    shapes = Shapes(store_of(PREFIXES + f":shape a sh:NodeShape ; sh:targetClass :A ; {constraint} ."))
    assert shapes.plain(ex("shape")) is None


def test_superclasses_count_without_being_in_the_graph() -> None:
    store = store_of(PREFIXES + ":a a :A ; :p :b . :b a :B .")
    shapes = Shapes(
        store_of(PREFIXES + ":shape a sh:NodeShape ; sh:targetClass :C ; sh:property [ sh:path :p ; sh:class :A ] .")
    )
    assert shapes.for_node(view_of(store), ex("a")) == (NamedNode("http://example.org/shape"),)
    (found,) = shapes.prepared.check(view_of(store), ex("a"), [ex("shape")])
    assert found.value == ex("b")
    assert RDFS.subClassOf not in view_of(store).said(ex("a"))
