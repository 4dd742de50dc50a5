"""The report of a whole check says what `pyshacl.validate` says of the same graph: random shapes, targets and data."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable
from typing import Any

from hypothesis import event, example, given
from hypothesis import strategies as st

from hpc_explorer.annotate.validation.checking import check_members
from hpc_explorer.annotate.validation.report import report_quads
from hpc_explorer.annotate.validation.shapes import Shapes
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.rdf.namespaces import RDF, SH
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Term
from hpc_explorer.stores.base import Count
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, store_of

PREFIXES = """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
HIERARCHY = ":A rdfs:subClassOf :B . :B rdfs:subClassOf :C .\n"
ABOVE = {ex("A"): {ex("A"), ex("B"), ex("C")}, ex("B"): {ex("B"), ex("C")}}

NODES = [":a", ":b", ":c", "_:x"]
CLASSES = [":A", ":B", ":C"]
LITERALS = [
    '"text"', '"Text"@en', '"text"@de', '""', '"12"', "12", "-3", "0", "7.5", "1.0e0", "true", "false", '"1"^^xsd:boolean',
    '"many"^^xsd:integer', '"2021-02-30"^^xsd:date', '"2021-02-28"^^xsd:date', '"2021-03-01T08:00:00Z"^^xsd:dateTime',
    '"x"^^xsd:double', '"maybe"^^xsd:boolean', '"007"^^xsd:integer', '"http://x/"^^xsd:anyURI', '"a"^^:own',
]  # fmt: skip
VALUES = [*NODES, *LITERALS]
PATHS = [
    ":p", ":p", ":q", "[ sh:alternativePath ( :p :q ) ]", "( :p :q )", "[ sh:inversePath :p ]", "[ sh:zeroOrMorePath :p ]",
    "[ sh:oneOrMorePath :q ]", "[ sh:zeroOrOnePath :p ]", "( [ sh:inversePath :p ] :q )", "[ sh:inversePath ( :p :q ) ]",
]  # fmt: skip
DATATYPES = [
    "xsd:string", "xsd:integer", "xsd:decimal", "xsd:double", "xsd:boolean", "xsd:date", "xsd:dateTime", "xsd:anyURI",
    "rdf:langString", "rdfs:Literal", ":own",
]  # fmt: skip
KINDS = ["IRI", "BlankNode", "Literal", "BlankNodeOrIRI", "BlankNodeOrLiteral", "IRIOrLiteral"]
PLAIN_PATHS = [":p", ":q", "rdf:type", "[ sh:alternativePath ( :p :q ) ]"]
SWITCH = st.sampled_from(["true", "false", '"1"^^xsd:boolean', '"0"^^xsd:boolean'])


def one_of(words: str, *values: Iterable[str] | st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A constraint with its values filled in."""
    drawn = [value if isinstance(value, st.SearchStrategy) else st.sampled_from(list(value)) for value in values]
    return st.tuples(*drawn).map(lambda parts: words.format(*parts))


statements = one_of("{} {} {} .", NODES, [":p", ":q", ":p", "a"], VALUES).map(
    lambda text: text if " a " not in text else f"{text.split()[0]} a {CLASSES[len(text) % 3]} ."
)
data = st.lists(statements, min_size=3, max_size=16).map("\n".join)

of_values = st.one_of(
    one_of("sh:datatype {} ;", DATATYPES),
    one_of("sh:class {} ;", CLASSES),
    one_of("sh:nodeKind sh:{} ;", KINDS),
    one_of("sh:in ( {} {} ) ;", VALUES[:3] + LITERALS, LITERALS),
    one_of("sh:hasValue {} ;", NODES[:3] + LITERALS),
    one_of("sh:pattern {} ;", ['"^[a-h1]"', '"t" ; sh:flags "i"']),
    one_of("sh:{} {} ;", ["minLength", "maxLength"], ["0", "1", "3"]),
    one_of("sh:{} {} ;", ["minInclusive", "minExclusive", "maxInclusive", "maxExclusive"], ["0", "7.5", '"2021-02-28"^^xsd:date']),
    one_of("sh:languageIn ( {} ) ;", ['"en"', '"de" "fr"']),
    one_of("sh:{} {} ;", ["equals", "disjoint"], [":p", ":q"]),
)  # fmt: skip
of_properties = st.one_of(
    one_of("sh:minCount {} ;", "12"),
    one_of("sh:maxCount {} ;", "01"),
    one_of("sh:uniqueLang {} ;", SWITCH),
    one_of("sh:{} {} ;", ["lessThan", "lessThanOrEquals"], [":p", ":q"]),
    one_of("sh:qualifiedValueShape [ sh:class :A ] ; sh:qualified{} ;", ["MinCount 1", "MaxCount 0"]),
)


def each_once(parts: list[str]) -> str:
    """One of each parameter: SHACL allows most only once."""
    return " ".join({part.split(" ")[0]: part for part in parts}.values())


off = st.one_of(st.just(""), st.just(""), one_of("sh:deactivated {} ;", SWITCH))


def with_properties(tests: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    inner = st.lists(st.one_of(tests, of_properties), min_size=1, max_size=3).map(each_once)
    severity = st.sampled_from(["", "sh:severity sh:Warning ;", "sh:severity :Odd ;"])
    return one_of("sh:property [ sh:path {} ; {} {} {} ] ;", PATHS, off, severity, inner)


tests = st.recursive(
    of_values,
    lambda inner: st.one_of(
        one_of("sh:{} ( [ {} ] [ {} ] ) ;", ["or", "and", "xone"], inner, inner),
        one_of("sh:not [ {} ] ;", inner),
        one_of("sh:node [ a sh:NodeShape ; {} ] ;", st.one_of(inner, with_properties(inner))),
        with_properties(inner),
    ),
    max_leaves=4,
)
closed = st.one_of(st.just(""), st.just(""), one_of("sh:closed {} ; sh:ignoredProperties ( rdf:type :q ) ;", SWITCH))
targets = st.one_of(
    one_of("sh:targetClass {} ;", CLASSES),
    one_of("sh:targetNode {} ;", NODES[:3] + LITERALS),
    one_of("sh:target{}Of {} ;", ["Subjects", "Objects", "Objects"], [":p", ":q"]),
)
# One constraint that is not plain has pySHACL check all of a shape: half of them have none.
plain_values = st.one_of(
    one_of("sh:datatype {} ;", DATATYPES),
    one_of("sh:class {} ;", CLASSES),
    one_of("sh:nodeKind sh:{} ;", KINDS),
    one_of("sh:in ( {} {} ) ;", VALUES[:3] + LITERALS, LITERALS),
    one_of("sh:pattern {} ;", ['"^[a-h]"', '"1"']),
    one_of("sh:{} {} ;", ["minInclusive", "maxInclusive"], ["0", "7.5", '"2021-02-28"^^xsd:date']),
)
plain_tests = st.recursive(
    st.lists(plain_values, min_size=1, max_size=2).map(each_once),
    lambda inner: st.one_of(
        one_of("sh:or ( [ {} ] [ {} ] ) ;", inner, inner),
        one_of("sh:node [ sh:property [ sh:path {} ; sh:minCount {} ; {} ] ] ;", PLAIN_PATHS, "012", inner),
    ),
    max_leaves=4,
)
plain_properties = one_of(
    "sh:property [ sh:path {} ; {} sh:minCount {} ; sh:maxCount {} ; {} ] ;",
    PLAIN_PATHS, ["", "sh:severity :Odd ;", "sh:severity sh:Info ;"], "0012", "0123",
    st.one_of(st.just(""), plain_tests),
)  # fmt: skip
several_plain = st.lists(plain_properties, min_size=1, max_size=3).map(" ".join)
plain = st.one_of(several_plain, plain_tests, one_of("{} sh:node [ {} ] ;", several_plain, several_plain))
bodies = st.one_of(
    one_of("{} {} {}", targets, off, plain),
    one_of("{} {} {} {}", targets, off, closed, st.lists(tests, min_size=1, max_size=3).map(each_once)),
)
shapes = st.lists(bodies, min_size=1, max_size=2).map(
    lambda parts: "\n".join(f":S{number} a sh:NodeShape ; {part} ." for number, part in enumerate(parts))
)


class Labels:
    """Names of classes and properties, for messages."""

    def class_label(self, cls: NamedNode) -> str:
        """The end of its IRI."""
        return local_name(cls.value)

    def property_label(self, predicate: NamedNode) -> str:
        """The end of its IRI."""
        return local_name(predicate.value)


def checked(store: LocalStore, shapes: Shapes) -> list[Quad]:
    """The report of the whole graph."""

    def superclasses(cls: NamedNode) -> frozenset[NamedNode]:
        return frozenset(ABOVE.get(cls, {cls}))

    def view() -> GraphView:
        return GraphView(store, background=LocalStore.in_memory(), superclasses=superclasses)

    stated = {quad.object for quad in store.match(None, RDF.type) if isinstance(quad.object, NamedNode)}
    classes = [cls for cls in stated if not shapes.target_classes.isdisjoint(superclasses(cls))]
    found = check_members(store, shapes, Labels(), view, classes, Count(0), progress=lambda _: None)
    return list(report_quads(found, shapes))


def by_pyshacl(store: LocalStore, shapes: LocalStore) -> list[Quad]:
    """The report of `pyshacl.validate`, with nothing of ours but the terms between."""
    from rdflib import Graph

    from hpc_explorer.annotate.validation.rdflib_terms import from_rdflib, to_rdflib

    def graph_of(these: LocalStore) -> Any:
        graph = Graph()
        for quad in these.match():
            graph.add(tuple(to_rdflib(term) for term in (quad.subject, quad.predicate, quad.object)))  # type: ignore[arg-type]
        return graph

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pyshacl

        _, report, _ = pyshacl.validate(graph_of(store), shacl_graph=graph_of(shapes))
    return [Quad(*map(from_rdflib, triple)) for triple in report]  # type: ignore[arg-type, union-attr]


def results(report: list[Quad]) -> Counter[tuple[object, ...]]:
    """What a report says: the results, with paths written out, and without the names of blank nodes."""
    facts: dict[Term, dict[NamedNode, list[Term]]] = {}
    for quad in report:
        facts.setdefault(quad.subject, {}).setdefault(quad.predicate, []).append(quad.object)  # type: ignore[arg-type]

    def written(term: Term) -> object:
        return "a blank node" if isinstance(term, BlankNode) else term

    def path(term: Term) -> object:
        if not isinstance(term, BlankNode):
            return term
        return frozenset((of, path(value)) for of, values in facts[term].items() for value in values)

    parts = (SH.focusNode, SH.value, SH.sourceConstraintComponent, SH.sourceShape, SH.resultSeverity)
    (conforms,) = (quad.object for quad in report if quad.predicate == SH.conforms)
    found = Counter(
        (
            *map(path, facts[quad.object].get(SH.resultPath, ())),  # type: ignore[index]  # a resource
            *(tuple(map(written, facts[quad.object].get(part, ()))) for part in parts),  # type: ignore[index]  # likewise
        )
        for quad in report
        if quad.predicate == SH.result
    )
    assert conforms.value == str(not found).lower()
    return found


@examples(150)
@example(
    ':a :q "text" .',
    ":S a sh:NodeShape ; sh:targetNode :a ; sh:property [ sh:path :q ; sh:property [ sh:path :p ; sh:minCount 1 ] ] .",
)
@example(
    ":a :p 0 , 7.5 .",
    ":S a sh:NodeShape ; sh:targetNode :a ; sh:property [ sh:path :p ; sh:minInclusive 0 ; sh:maxInclusive 7.5 ] .",
)
@given(data, shapes)
def test_a_report_says_what_pyshacl_says(data: str, shapes: str) -> None:
    store = store_of(PREFIXES + HIERARCHY + data)
    # Only the term true turns a constraint on (SHACL, section 1.1); pySHACL goes by the value.
    meant = store_of(
        PREFIXES + re.sub(r"(sh:(?:closed|deactivated|uniqueLang)) \"[01]\"\^\^xsd:boolean", r"\1 false", shapes)
    )
    found = results(checked(store, Shapes(store_of(PREFIXES + shapes))))
    event(f"{min(len(found), 5)} results")
    assert found == results(by_pyshacl(store, meant))


def test_a_result_has_the_message_of_its_shape_else_of_its_query_else_plain_words() -> None:
    shapes = """:S a sh:NodeShape ; sh:targetNode :a ;
        sh:property [ sh:path :p ; sh:maxCount 0 ; sh:message "none"@en , "keine"@de ] ,
            [ sh:path :p ; sh:datatype xsd:integer ; sh:minInclusive 0 ] ;
        sh:sparql [ sh:message "by a query" ; sh:select "SELECT $this WHERE { $this <http://example.org/p> ?value }" ] ."""
    report = checked(store_of(PREFIXES + ":a :p 'x' ."), Shapes(store_of(PREFIXES + shapes)))
    of = {quad.subject: quad.object for quad in report if quad.predicate == SH.sourceConstraintComponent}
    messages: dict[str, set[Literal]] = {local_name(component.value): set() for component in of.values()}  # type: ignore[union-attr]
    for quad in report:
        if quad.predicate == SH.resultMessage:
            messages[local_name(of[quad.subject].value)].add(quad.object)  # type: ignore[union-attr, arg-type]
    assert messages == {
        "MaxCountConstraintComponent": {Literal("none", language="en"), Literal("keine", language="de")},
        "DatatypeConstraintComponent": {Literal("P: “x” is not a whole number", language="en")},
        # What follows from that is told with it.
        "MinInclusiveConstraintComponent": set(),
        "SPARQLConstraintComponent": {Literal("by a query")},
    }
    by_query = [quad.subject for quad in report if quad.predicate == SH.sourceConstraint]
    assert [of[one] for one in by_query] == [SH.SPARQLConstraintComponent]
