"""Which shapes are checked directly; test_reports.py holds that these are answered as pySHACL answers them."""

from __future__ import annotations

import pytest

from hpc_explorer.annotate.validation.checking import results_of
from hpc_explorer.annotate.validation.findings import Severity
from hpc_explorer.annotate.validation.shapes import Shapes
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.rdf.namespaces import RDFS, SH
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of

PREFIXES = """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""


@pytest.mark.parametrize(
    "constraint",
    [
        'rdfs:label "a note" ; :note 1 ; sh:name "S" ; sh:severity sh:Info ; sh:message "m"', "sh:datatype xsd:integer",
        "sh:class :A , :B", "sh:nodeKind sh:IRI", "sh:in ( 1 2 )", 'sh:pattern "a"', "sh:minInclusive 0 ; sh:maxInclusive 1",
        "sh:or ( [ sh:class :A ] [ sh:datatype xsd:date ] )", "sh:node [ sh:class :A ]",
        "sh:property [ sh:path :p ; sh:minCount 1 ; sh:maxCount 2 ; sh:order 1 ]",
        "sh:property [ sh:path [ sh:alternativePath ( :p :q ) ] ; sh:class :A ]",
    ],
)  # fmt: skip
def test_what_is_common_is_checked_directly(constraint: str) -> None:
    shapes = Shapes(store_of(PREFIXES + f":shape a sh:NodeShape ; sh:targetClass :A ; {constraint} ."))
    assert shapes.plain(ex("shape")) is not None


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


def test_each_property_has_its_own_counts() -> None:
    shapes = Shapes(
        store_of(
            PREFIXES
            + ":shape a sh:NodeShape ; sh:targetClass :C ; sh:property [ sh:path :p ; sh:minCount 1 ; sh:maxCount 2 ] ,"
            " [ sh:path :q ; sh:minCount 3 ; sh:maxCount 4 ] , [ sh:path :r ] ."
        )
    )
    assert shapes.plain(ex("shape")) is not None

    def wrong(data: str) -> set[object]:
        view = GraphView(
            store_of(PREFIXES + data), background=LocalStore.in_memory(), superclasses=lambda cls: frozenset((cls,))
        )
        return {(result.path, result.component) for result in results_of(view, shapes, ex("a"))}

    assert wrong(":a a :C ; :p 1 , 2 ; :q 1 , 2 , 3 , 4 ; :r 1 , 2 , 3 , 4 , 5 .") == set()
    assert wrong(":a a :C ; :p 1 , 2 , 3 ; :q 1 , 2 .") == {
        (ex("p"), SH.MaxCountConstraintComponent),
        (ex("q"), SH.MinCountConstraintComponent),
    }
    assert wrong(":a a :C ; :q 1 , 2 , 3 , 4 , 5 .") == {
        (ex("p"), SH.MinCountConstraintComponent),
        (ex("q"), SH.MaxCountConstraintComponent),
    }


@pytest.mark.parametrize("told", [*Severity, None])
@pytest.mark.parametrize(
    "more", ["", 'rdfs:label "a" ; sh:name "b" ; sh:order 1', "a sh:PropertyShape ; sh:maxCount 9 ; sh:class :A"]
)
def test_a_property_has_its_own_severity(told: Severity | None, more: str) -> None:
    own = "" if told is None else f"sh:severity sh:{told.name.title()} ;"
    shapes = Shapes(
        store_of(
            PREFIXES
            + f":shape a sh:NodeShape ; sh:targetClass :C ; sh:severity sh:Warning ; sh:property [ sh:path :p ; {own}"
            f" sh:minCount 1 ; {more} ] , [ sh:path :q ; sh:severity sh:Info ; sh:minCount 1 ; {more} ] ."
        )
    )
    assert shapes.plain(ex("shape")) is not None
    view = GraphView(
        store_of(PREFIXES + ":a a :C ."), background=LocalStore.in_memory(), superclasses=lambda cls: frozenset((cls,))
    )
    found = {result.path: result.severity for result in results_of(view, shapes, ex("a"))}
    assert found == {ex("p"): told or Severity.VIOLATION, ex("q"): Severity.INFO}


def test_superclasses_count_without_being_in_the_graph() -> None:
    above = {ex("A"): {ex("A"), ex("B"), ex("C")}, ex("B"): {ex("B"), ex("C")}}
    view = GraphView(
        store_of(PREFIXES + ":a a :A ; :p :b . :b a :B ."),
        background=LocalStore.in_memory(),
        superclasses=lambda cls: frozenset(above.get(cls, {cls})),
    )
    shapes = Shapes(
        store_of(PREFIXES + ":shape a sh:NodeShape ; sh:targetClass :C ; sh:property [ sh:path :p ; sh:class :A ] .")
    )
    assert shapes.for_node(view, ex("a")) == (NamedNode("http://example.org/shape"),)
    (found,) = shapes.prepared.check(view, ex("a"), [ex("shape")])
    assert found.value == ex("b")
    assert RDFS.subClassOf not in view.said(ex("a"))
