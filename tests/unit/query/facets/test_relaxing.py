"""What empties a query is found, each condition with the rows that there are without it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hpc_explorer.query.facets.relaxing import Relaxation, relaxations
from hpc_explorer.query.facets.suggestions import solution_count
from hpc_explorer.query.model.places import element_at
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.stores.local.local import LocalStore

EX = "http://example.org/"
PREFIXES = {"ex": EX}


def _named(name: str) -> NamedNode:
    return NamedNode(f"{EX}{name}")


@pytest.fixture
def store() -> Iterator[LocalStore]:
    """Three models: two on a machine, one fast, none fast on a machine."""
    graph = _named("graph")
    held = LocalStore.in_memory()
    quads = []
    for number in range(3):
        model = _named(f"model{number}")
        quads += [
            Quad(model, RDF.type, _named("Model"), graph),
            Quad(model, _named("speed"), Literal(str(number), datatype=XSD.integer), graph),
        ]
        if number < 2:
            quads.append(Quad(model, _named("machine"), _named("cluster"), graph))
    quads.append(Quad(_named("cluster"), _named("label"), Literal("Cluster"), graph))
    held.add_quads(quads)
    held.settle(set(held.graphs()))
    yield held
    held.close()


def _relaxed(store: LocalStore, where: str) -> tuple[Relaxation, ...]:
    query = query_model(f"SELECT * WHERE {{ {where} }}", PREFIXES)
    assert solution_count(store, query) == Count(0)
    found = relaxations(store, query)
    for one in found:
        assert one.count == solution_count(store, one.query)
        assert [element_at(query, place) for place in one.places] == list(one.elements)
    return found


def test_each_condition_has_the_rows_without_it(store: LocalStore) -> None:
    where = "?m a ex:Model . ?m ex:machine ?on . ?on ex:label ?label . ?m ex:speed ?speed . FILTER(?speed > 1)"
    counts = {one.place: one.count for one in _relaxed(store, where)}
    # Without the machine its label goes too; without the speed the condition on it does.
    assert counts == {(0,): Count(0), (1,): Count(1), (2,): Count(0), (3,): Count(2), (4,): Count(2)}


@pytest.mark.parametrize(
    ("where", "helping"),
    [
        ("?m a ex:Model . FILTER NOT EXISTS { ?m ex:speed ?speed }", {((1,),): 3}),
        ("?m a ex:Model . OPTIONAL { ?m ex:nothing ?x } FILTER EXISTS { ?m ex:machine ex:elsewhere }", {((2, 0, 0),): 3}),
        ("?m a ex:Model . GRAPH ex:graph { ?m ex:machine ?on . ?m ex:colour ?colour }", {((1, 0, 1),): 2}),
        ("?m a ex:Model . GRAPH ex:elsewhere { ?m ex:machine ?on }", {((1,),): 2, ((1, 0, 0),): 3}),
        ("?m a ex:Model . { ?m ex:colour ?c } UNION { ?m ex:weight ?c }", {((1,),): 3}),
        ("?m a ex:Model . { ?m ex:colour ?c . ?m ex:machine ?c }", {((1, 0, 0),): 2}),
        ("?m a ex:Model . ?m ex:colour ?colour . ?m ex:weight ?weight", {((1,), (2,)): 3}),
        ("?m a ex:Model . FILTER(?m = ex:none) ?m ex:weight ?weight", {((1,), (2,)): 3}),
        ("?m a ex:Model . GRAPH ex:graph { ?m ex:colour ?colour . ?m ex:weight ?weight }", {((1, 0, 0), (1, 0, 1)): 3}),
    ],
)  # fmt: skip
def test_what_empties_a_query_is_found_wherever_it_stands(
    store: LocalStore, where: str, helping: dict[tuple[tuple[int, ...], ...], int]
) -> None:
    assert {one.places: one.count.value for one in _relaxed(store, where) if one.helps} == helping


def test_a_condition_on_groups_can_be_to_blame(store: LocalStore) -> None:
    text = "SELECT ?on (COUNT(?m) AS ?n) WHERE { ?m ex:machine ?on } GROUP BY ?on HAVING (COUNT(?m) > 5)"
    found = relaxations(store, query_model(text, PREFIXES))
    assert [(one.element, one.count) for one in found if one.helps] == [(None, Count(1))]


def test_what_was_not_counted_in_time_is_unknown_and_not_none(store: LocalStore) -> None:
    query = query_model("SELECT * WHERE { ?m a ex:Model . ?m ex:colour ?colour }", PREFIXES)
    found = relaxations(store, query, seconds=-1.0)
    assert [one.count.kind for one in found] == [CountKind.UNKNOWN, CountKind.UNKNOWN]
    assert not any(one.helps for one in found)


def test_rows_are_counted_no_further_than_asked(store: LocalStore) -> None:
    query = query_model("SELECT * WHERE { ?m a ex:Model . ?m ex:colour ?colour }", PREFIXES)
    assert relaxations(store, query, most=2)[1].count == Count(2, CountKind.AT_LEAST)
