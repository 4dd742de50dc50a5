"""The request of a push to an endpoint: what it asks for, and what it is not made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyoxigraph import Store

from hpc_explorer.annotate.pushing.endpoint import (
    CannotPush,
    kept_apart,
    push_request,
    same_value,
    send,
    update_address_of,
)
from hpc_explorer.annotate.pushing.three_way import Changes
from hpc_explorer.errors import (
    EndpointFailed,
    EndpointRefused,
    EndpointUnreachable,
    LoginRequired,
    ServerError,
    StoreError,
)
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.bad_server import bad_server
from tests.helpers.datasets import same
from tests.helpers.examples import examples
from tests.helpers.graphs import ex

NODES = [BlankNode(name) for name in ("t", "u", "v")]
TEXTS = st.sampled_from([Literal(text) for text in ("1", "2", 'a "quoted" text')])
GRAPH = ex("g")


@st.composite
def known(draw: st.DrawFn) -> frozenset[Quad]:
    """A graph of which each blank node can be told: it has a name of its own, and a resource without a path it."""
    subjects: list[NamedNode | BlankNode] = [ex("a"), ex("b")]
    said = []
    for node in draw(st.lists(st.sampled_from(NODES), unique=True)):
        said.append(Quad(draw(st.sampled_from(subjects)), ex(draw(st.sampled_from("pq"))), node, GRAPH))
        said.append(Quad(node, ex("name"), Literal(node.value), GRAPH))
        subjects.append(node)
    more = st.builds(Quad, st.sampled_from(subjects), st.sampled_from([ex("p"), ex("q")]), TEXTS, st.just(GRAPH))
    return frozenset([*said, *draw(st.lists(more, max_size=6))])


@st.composite
def changes(draw: st.DrawFn, seen: frozenset[Quad]) -> Changes:
    """A change of it, which says something of new blank nodes too."""
    nodes = sorted({quad.subject for quad in seen if isinstance(quad.subject, BlankNode)}, key=str)
    subjects = st.sampled_from([ex("a"), ex("b"), *nodes])
    objects = TEXTS | st.sampled_from([ex("c"), *nodes, BlankNode("new")])
    added = draw(st.sets(st.builds(Quad, subjects, st.sampled_from([ex("p"), ex("r")]), objects, st.just(GRAPH))))
    if any(quad.object == BlankNode("new") for quad in added):
        added.add(Quad(BlankNode("new"), ex("name"), Literal("new"), GRAPH))
    removed = draw(st.sets(st.sampled_from(sorted(seen, key=str)))) if seen else set()
    return Changes(frozenset(removed - added), frozenset(added - seen))


def there_after(text: str, graph: Iterable[Quad]) -> list[Quad]:
    """What an endpoint that states a graph states after a request."""
    store = Store()
    store.extend(graph)
    store.update(text)
    return list(store)


@examples(200)
@given(st.data())
def test_an_endpoint_does_it_all_where_it_states_what_was_seen(data: st.DataObject) -> None:
    seen = data.draw(known())
    change = data.draw(changes(seen))
    assume(change.removed or change.added)
    elsewhere = [Quad(ex("z"), ex("p"), Literal("1"), GRAPH), Quad(ex("a"), ex("p"), Literal("1"), ex("h"))]
    text = push_request(change, seen, lambda graph: graph)
    wanted = [*(seen - change.removed) | change.added, *elsewhere]
    assert same(there_after(text, [*seen, *elsewhere]), wanted)
    default = [Quad(quad.subject, quad.predicate, quad.object) for quad in seen]
    unnamed = push_request(change, seen, lambda graph: DefaultGraph())
    wanted = [Quad(quad.subject, quad.predicate, quad.object) for quad in (seen - change.removed) | change.added]
    assert same(there_after(unnamed, default), wanted)


@examples(200)
@given(st.data())
def test_an_endpoint_does_nothing_where_somebody_changed_the_same(data: st.DataObject) -> None:
    seen = data.draw(known())
    change = data.draw(changes(seen))
    assume(change.removed or change.added)
    touched = sorted(change.removed | change.added, key=str)
    at = data.draw(st.sampled_from([quad for quad in touched if quad.subject != BlankNode("new")]))
    values = [quad for quad in seen if (quad.subject, quad.predicate) == (at.subject, at.predicate)]
    there = set(seen)
    if values and data.draw(st.booleans()):
        gone = data.draw(st.sampled_from(sorted(values, key=str)))
        there.discard(gone)
        if data.draw(st.booleans()):
            there.add(Quad(gone.subject, gone.predicate, Literal("theirs"), GRAPH))
    else:
        there.add(
            Quad(at.subject, at.predicate, data.draw(st.sampled_from([Literal("theirs"), BlankNode("x")])), GRAPH)
        )
    text = push_request(change, seen, lambda graph: graph)
    assert same(there_after(text, there), there)


def test_several_graphs_are_changed_in_one_request_or_none() -> None:
    graphs = [DefaultGraph(), GRAPH, ex("h")]

    def stated(text: str) -> frozenset[Quad]:
        return frozenset(Quad(ex("a"), ex("p"), Literal(text), graph) for graph in graphs)

    seen = stated("old") | stated("stays")
    request = push_request(Changes(stated("old"), stated("new")), seen, lambda graph: graph)
    assert same(there_after(request, seen), stated("new") | stated("stays"))
    for other in stated("theirs"):
        assert same(there_after(request, seen | {other}), seen | {other})


def test_blank_nodes_of_several_graphs_are_found_in_their_own() -> None:
    graphs = [DefaultGraph(), GRAPH, ex("h")]
    nodes = dict(zip(graphs, NODES, strict=True))
    links = frozenset(Quad(ex("a"), ex("p"), node, graph) for graph, node in nodes.items())

    def stated(text: str) -> frozenset[Quad]:
        return frozenset(Quad(node, ex("name"), Literal(text), graph) for graph, node in nodes.items())

    seen = links | stated("old")
    request = push_request(Changes(stated("old"), stated("new")), seen, lambda graph: graph)
    assert same(there_after(request, seen), links | stated("new"))
    for graph, node in nodes.items():
        for theirs in (Quad(node, ex("more"), ex("o"), graph), Quad(ex("a"), ex("p"), BlankNode("theirs"), graph)):
            there = {*seen, theirs, Quad(theirs.object, ex("name"), Literal("old"), graph)}
            assert same(there_after(request, there), there)


def test_what_does_not_go_into_a_request() -> None:
    many = frozenset(Quad(ex("m"), ex("p"), ex(f"v{number}")) for number in range(20_001))
    with pytest.raises(CannotPush, match=r"one request: export the edits, as an RDF Patch"):
        push_request(Changes(frozenset(), many), [], lambda graph: graph)
    alone = Quad(BlankNode("alone"), ex("p"), Literal("1"), DefaultGraph())
    with pytest.raises(CannotPush, match="without a path"):
        push_request(Changes(frozenset([alone]), frozenset()), [alone], lambda graph: graph)


def test_a_virtuoso_is_waited_for_in_each_graph_that_changes() -> None:
    news = frozenset(Quad(ex("m"), ex("p"), Literal("new"), ex(graph)) for graph in ("h", "g"))
    text = push_request(Changes(frozenset(), news), [], lambda graph: graph, is_virtuoso=True)
    waits, _, rest = text.rpartition(" ;\n")
    assert [line.split(" ", 1)[0] for line in waits.splitlines()] == ["INSERT", "DELETE", "INSERT", "DELETE"]
    assert waits.index(str(ex("g"))) < waits.index(str(ex("h"))), "always in one order"
    assert rest == push_request(Changes(frozenset(), news), [], lambda graph: graph)


def decimal(text: str) -> Literal:
    return Literal(text, datatype=XSD.decimal)


def test_what_a_virtuoso_has_one_form_for_is_left_as_it_is() -> None:
    def size(text: str, name: str = "m") -> Quad:
        return Quad(ex(name), ex("p"), decimal(text))

    change = Changes(frozenset([size("1.5"), size("2", "n")]), frozenset([size("1.50"), size("3", "n")]))
    left, respelled = kept_apart(change)
    assert left == Changes(frozenset([size("2", "n")]), frozenset([size("3", "n")]))
    assert respelled == Changes(frozenset([size("1.50")]), frozenset([size("1.5")]))


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (decimal("1.50"), decimal("1.5"), True),
        (Literal("12", datatype=XSD.integer), decimal("12"), True),
        (Literal("1", datatype=XSD.boolean), Literal("true", datatype=XSD.boolean), True),
        (ex("a"), ex("a"), True),
        (decimal("1.5"), decimal("1.51"), False),
        (Literal("a", language="en"), Literal("a"), False),
        (ex("a"), Literal("a"), False),
        (Literal("a"), ex("a"), False),
        (Literal("5"), Literal("5", datatype=XSD.integer), False),
        (Literal("5", datatype=XSD.integer), Literal("5", datatype=ex("metre")), False),
    ],
)
def test_one_value_spelled_in_two_ways(one: Term, other: Term, is_same: bool) -> None:
    assert same_value(one, other) == is_same


def test_where_updates_go() -> None:
    assert update_address_of("http://h/ds/query") == "http://h/ds/update"
    assert update_address_of("http://h/sparql") == "http://h/sparql"


def said(value: Term, predicate: str = "p", subject: str = "m") -> Quad:
    return Quad(ex(subject), ex(predicate), value, GRAPH)


OLD, NEW, BESIDE, NODE = said(decimal("7")), said(decimal("1.50")), said(ex("o"), "q"), said(BlankNode("t"))
SPELLED, RESPELLED = said(decimal("1.5")), said(decimal("7.0"))
NEW_NODE = said(BlankNode("n"))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with bad_server() as server:
        yield f"http://127.0.0.1:{server.server_address[1]}"


@pytest.mark.parametrize(
    ("answer", "change", "now", "outcome"),
    [
        # What is stated is what was meant: the answer does not matter.
        ("good", ({OLD}, {NEW}), {NEW, BESIDE}, ([], [])),
        ("error-page", ({OLD}, {NEW}), {NEW, BESIDE}, ([], [])),
        ("good", ({OLD}, set()), {BESIDE}, ([], [])),
        # A number is spelled otherwise, the one that was there already too.
        ("good", ({OLD}, {NEW}), {SPELLED, BESIDE}, ([NEW], [SPELLED])),
        ("error-page", ({OLD}, {NEW}), {SPELLED, BESIDE}, ([NEW], [SPELLED])),
        ("good", ({OLD}, {RESPELLED}), {OLD, BESIDE}, ([RESPELLED], [OLD])),
        ("good", ({OLD}, {OLD, NEW}), {OLD, NEW, BESIDE}, ([], [])),
        # A node without a name has another one there; what others say elsewhere does not matter.
        ("good", (set(), {NEW_NODE}), {OLD, NODE, NEW_NODE, BESIDE}, "at the same moment"),
        ("good", ({OLD}, {NEW_NODE}), {NEW_NODE, BESIDE}, ([], [])),
        ("good", ({OLD}, {NEW}), {NEW, said(ex("x"), "r"), said(ex("x"), subject="other")}, ([], [])),
        # Not done.
        ("error-page", ({OLD}, {NEW}), {OLD, BESIDE}, EndpointFailed),
        ("error-page", ({OLD}, {RESPELLED}), {OLD, BESIDE}, EndpointFailed),
        ("private", ({OLD}, {NEW}), {OLD, BESIDE}, LoginRequired),
        ("refused", ({OLD}, {NEW}), {OLD, BESIDE}, EndpointRefused),
        ("good", ({OLD}, {NEW}), {OLD, BESIDE}, "does not find its own values"),
        ("good", ({OLD}, {NEW}), {said(ex("x")), BESIDE}, "was not carried out"),
        ("good", ({OLD}, {NEW}), {OLD, NEW, BESIDE}, "was not carried out"),
        ("good", ({OLD, BESIDE}, {RESPELLED}), {OLD, BESIDE}, "does not find its own values"),
        # Somebody else's stands beside.
        ("good", ({OLD}, {NEW}), {NEW, said(ex("x")), BESIDE}, "at the same moment"),
        ("good", ({BESIDE}, {NEW}), {NEW}, "at the same moment"),
    ],
)
def test_after_a_request_it_is_looked_at_what_came_of_it(
    answer: str, change: tuple[set[Quad], set[Quad]], now: set[Quad], outcome: object, address: str
) -> None:
    there = Changes(frozenset(change[0]), frozenset(change[1]))
    store = RemoteStore(f"{address}/good", update_address=f"{address}/{answer}")
    seen = [OLD, BESIDE]
    if isinstance(outcome, tuple):
        respelled = send(store, "INSERT DATA {}", there, seen, lambda: now)
        assert respelled == Changes(frozenset(outcome[0]), frozenset(outcome[1]))
    elif isinstance(outcome, str):
        with pytest.raises(StoreError, match=outcome):
            send(store, "INSERT DATA {}", there, seen, lambda: now)
    else:
        with pytest.raises(ServerError, match="nothing was pushed") as caught:
            send(store, "INSERT DATA {}", there, seen, lambda: now)
        assert type(caught.value) is outcome
        assert caught.value.where.startswith(address)
        assert ("--update-address" in caught.value.remedy) == (outcome is EndpointRefused)
    store.close()


def test_where_nobody_can_look_what_came_of_a_request_that_is_said(address: str) -> None:
    def look() -> list[Quad]:
        raise EndpointUnreachable("the connection broke", address, "")

    store = RemoteStore(f"{address}/good", update_address=f"{address}/error-page")
    with pytest.raises(EndpointUnreachable, match="cannot be verified") as caught:
        send(store, "INSERT DATA {}", Changes(frozenset([OLD]), frozenset([NEW])), [OLD], look)
    assert isinstance(caught.value.__cause__, EndpointFailed)
    store.close()
