"""The local store satisfies the contract, in memory and on disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import Cancelled, StoreError, StoreLocked, Unsupported
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import DefaultGraph, Literal, NamedNode, Quad, Triple
from hpc_explorer.stores.base import Count
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex


def quad(subject: str, value: str, graph: str = "g1") -> Quad:
    return Quad(ex(subject), ex("p"), ex(value), ex(graph))


@pytest.fixture(params=["memory", "disk"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LocalStore]:
    made = LocalStore.in_memory() if request.param == "memory" else LocalStore.on_disk(tmp_path / "store")
    yield made
    made.close()


def test_size_counts_quads_and_follows_changes(store: LocalStore) -> None:
    assert store.size() == Count(0)
    store.add_quads([quad("a", "b"), quad("a", "c")])
    assert store.size() == Count(2)
    store.remove_graphs([ex("g1")])
    assert store.size() == Count(0)


def test_match_names_the_graph_of_each_statement(store: LocalStore) -> None:
    store.add_quads([quad("a", "b", "g1"), quad("a", "b", "g2"), quad("a", "c", "g2")])
    store.settle([ex("g1"), ex("g2")])
    assert {(q.object, q.graph_name) for q in store.match(ex("a"))} == {
        (ex("b"), ex("g1")),
        (ex("b"), ex("g2")),
        (ex("c"), ex("g2")),
    }
    assert [q.object for q in store.match(ex("a"), graph=ex("g1"))] == [ex("b")]


def test_a_triple_in_two_graphs_is_answered_once(store: LocalStore) -> None:
    store.add_quads([quad("a", "b", "g1"), quad("a", "b", "g2"), quad("a", "c", "g2")])
    store.settle([ex("g1"), ex("g2")])
    rows = list(store.select("SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"))
    assert rows[0]["n"] == Literal(2)
    assert store.size() == Count(3), "size counts quads: the statement stands in two graphs"
    assert set(store.graphs()) == {ex("g1"), ex("g2")}, "the merge is no graph of the user's"
    assert all(q.graph_name != DefaultGraph() for q in store.match())


def test_the_merge_follows_later_changes(store: LocalStore) -> None:
    store.add_quads([quad("a", "b", "g1"), quad("a", "b", "g2")])
    store.settle([ex("g1"), ex("g2")])
    store.add_quads([quad("a", "d", "g3")])
    store.settle([ex("g3")])
    store.update(f"INSERT DATA {{ GRAPH {ex('g3')} {{ {ex('x')} {ex('p')} {ex('y')} }} }}")
    assert len(list(store.select("SELECT * WHERE { ?s ?p ?o }"))) == 3
    store.remove_graphs([ex("g2")])
    assert len(list(store.select("SELECT * WHERE { ?s ?p ?o }"))) == 3
    store.remove_graphs([ex("g1")])
    assert len(list(store.select("SELECT * WHERE { ?s ?p ?o }"))) == 2


graph_names = st.sampled_from(["g1", "g2", "g3"])
quads = st.builds(quad, st.sampled_from("abcd"), st.sampled_from("abcd"), graph_names)


@given(st.lists(st.lists(quads, max_size=6), max_size=4))
def test_queries_answer_the_merge_whatever_is_loaded(loads: list[list[Quad]]) -> None:
    store = LocalStore.in_memory()
    loaded: set[Quad] = set()
    for load in loads:
        store.add_quads(load)
        store.settle({q.graph_name for q in load})
        loaded |= set(load)
    answered = [(row["s"], row["o"]) for row in store.select("SELECT ?s ?o WHERE { ?s ?p ?o }")]
    assert sorted(map(str, answered)) == sorted(map(str, {(q.subject, q.object) for q in loaded}))
    assert set(store.match()) == loaded
    assert store.size() == Count(len(loaded))


def test_disk_keeps_what_was_written_and_one_writes_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    first = LocalStore.on_disk(folder)
    first.add_quads([quad("a", "b")])
    with pytest.raises(StoreLocked):
        LocalStore.on_disk(folder)
    beside = LocalStore.read_only(folder)
    assert not beside.capabilities.writable
    with pytest.raises(Unsupported):
        beside.add_quads([quad("a", "c")])
    beside.close()
    first.close()
    again = LocalStore.on_disk(folder)
    assert again.size() == Count(1)
    again.close()


def test_no_store_in_a_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store"):
        LocalStore.read_only(tmp_path / "nothing")


def number(text: str, datatype: str) -> Quad:
    return Quad(
        ex("a"),
        ex("p"),
        Literal(text, datatype=NamedNode(f"http://www.w3.org/2001/XMLSchema#{datatype}")),
        ex("g1"),
    )


SPELLINGS = [
    number("442010.00", "decimal"),
    number("01", "integer"),
    number("1", "integer"),
    number("1.0E0", "double"),
    number("2021-03-09T00:00:00.000Z", "dateTime"),
    number("1", "boolean"),
    number("P1Y0M", "duration"),
    number("no number", "integer"),
]


def test_literals_come_back_as_they_were_spelled(store: LocalStore) -> None:
    store.add_quads(SPELLINGS)
    assert set(store.match()) == set(SPELLINGS)
    assert store.size() == Count(len(SPELLINGS))
    store.add_quads(SPELLINGS)
    assert store.size() == Count(len(SPELLINGS)), "stated twice is stated once"
    store.remove_graphs([ex("g1")])
    store.add_quads([number("442010", "decimal")])
    assert list(store.match()) == [number("442010", "decimal")], "a spelling goes with its quad"


def test_spellings_are_kept_on_disk(tmp_path: Path) -> None:
    store = LocalStore.on_disk(tmp_path / "store")
    store.add_quads(SPELLINGS)
    store.close()
    again = LocalStore.on_disk(tmp_path / "store")
    assert set(again.match()) == set(SPELLINGS)
    again.update("DELETE WHERE { GRAPH ?g { ?s ?p 442010.0 } }")
    again.close()
    changed = LocalStore.read_only(tmp_path / "store")
    assert set(changed.match()) == set(SPELLINGS[1:])
    changed.close()


def test_adding_is_all_or_nothing(store: LocalStore) -> None:
    store.add_quads([quad("a", "b", "old")])

    def interrupted() -> Iterator[Quad]:
        yield quad("a", "b", "old")
        for position in range(10_000):
            yield quad("a", f"c{position}", "old" if position % 2 else "new")
        yield number("007", "integer")
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        store.add_quads(interrupted())
    assert list(store.match()) == [quad("a", "b", "old")]
    assert store.size() == Count(1)


def test_holds_looks_in_every_graph_and_compares_literals_by_value(store: LocalStore) -> None:
    store.add_quads([quad("a", "b", "one"), number("007", "integer")])
    assert store.holds(quad("a", "b", "elsewhere").triple)
    assert store.holds(number("7", "integer").triple)
    assert not store.holds(quad("a", "c", "one").triple)


def test_settling_what_is_known_to_be_disjoint_keeps_queries_a_set(store: LocalStore) -> None:
    store.add_quads([quad("a", "b", "one"), quad("a", "b", "two")])
    store.settle([NamedNode("http://example.org/one"), NamedNode("http://example.org/two")])
    new = quad("a", "c", "three")
    store.add_quads([new])
    store.settle([new.graph_name], disjoint=True)
    assert len(list(store.select("SELECT * WHERE { ?s ?p ?o }"))) == 2
    assert store.size() == Count(3)


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("first", ["1", "01"])
def test_two_spellings_of_one_value_are_both_kept_in_any_order(store: LocalStore, first: str, apart: bool) -> None:
    spelled = [number(first, "integer"), number("01" if first == "1" else "1", "integer")]
    if apart:
        store.add_quads(spelled[:1])
        store.add_quads(spelled[1:])
    else:
        store.add_quads(spelled)
    assert set(store.match()) == set(spelled)
    assert store.size() == Count(2)


@pytest.mark.parametrize("uses", [3, 2_000])
def test_a_term_with_very_many_quads_is_asked_by_predicate_with_the_same_answer(uses: int) -> None:
    def node(name: str) -> NamedNode:
        return NamedNode(f"urn:{name}")

    data, graph = node("data"), node("g")
    store = LocalStore.in_memory()
    store.add_quads(
        [
            *(Quad(node(f"batch{number}"), node("used"), data, graph) for number in range(uses)),
            *(Quad(data, node("note"), Literal(str(number)), graph) for number in range(uses)),
            Quad(data, node("derived"), node("raw"), graph),
            Quad(node("copy"), node("derived"), data, graph),
        ]
    )
    asked = {node("derived"), node("made"), node("revised"), node("quoted")}
    assert [quad.object for quad in store.match_many(subjects=[data], predicates=asked)] == [node("raw")]
    assert [quad.subject for quad in store.match_many(objects=[data], predicates=asked)] == [node("copy")]
    asked.add(node("used"))
    found = list(store.match_many(objects=[data], predicates=asked))
    assert len(found) == len(set(found)) == uses + 1


def test_a_number_is_found_and_not_those_beside_it(tmp_path: Path) -> None:
    """The engine finds 256 to 511 on disk as well where 255 is asked for: its keys are compared by their bytes."""
    store = LocalStore.on_disk(tmp_path / "store")
    numbers = [Literal(str(number), datatype=XSD.integer) for number in (255, 256, 300, 511, 512, 1023, 1056, 65535)]
    store.add_quads(Quad(ex(f"m{number.value}"), ex("size"), number, ex("g")) for number in numbers)
    for number in numbers:
        assert [quad.object for quad in store.match(None, ex("size"), number)] == [number]
        assert [quad.object for quad in store.match_many(objects=[number])] == [number]
    assert not store.holds(Triple(ex("m300"), ex("size"), numbers[0]))
    assert not list(store.match(ex("m1056"), ex("size"), Literal("1023", datatype=XSD.integer), ex("g")))
    store.close()
