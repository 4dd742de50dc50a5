"""The graph as it was recorded: since when each statement counts, and what of a lineage was there at any moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import Unsupported
from hpc_explorer.lineage.time.recorded import RecordedHistory, RecordedState, RecordedStore, recorded_timeline
from hpc_explorer.lineage.trace.trace import Direction, trace
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.rdf.namespaces import PROV
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.base import CountKind
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.graphs import ex

VOCABULARY = LINEAGE_VOCABULARY.only({PROV.wasDerivedFrom, PROV.used, PROV.generated, PROV.qualifiedUsage, PROV.entity})
GRAPHS = [NamedNode(f"urn:test:{name}") for name in ("dated", "later", "undated", "kept")]
FIRST = datetime(2024, 3, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    return FIRST + timedelta(days=number)


SINCE = {GRAPHS[0]: day(0), GRAPHS[1]: day(4), GRAPHS[2]: None, GRAPHS[3]: day(1)}
KNOWN_FROM = {GRAPHS[3]: day(5)}
NAMES = st.sampled_from([ex(name) for name in "abcde"])
USAGES = st.sampled_from([ex("usage1"), ex("usage2")])
QUADS = (
    st.builds(Quad, NAMES, st.sampled_from(sorted(VOCABULARY.direct, key=str)), NAMES, st.sampled_from(GRAPHS))
    | st.builds(Quad, NAMES, st.just(PROV.qualifiedUsage), USAGES, st.sampled_from(GRAPHS))
    | st.builds(Quad, USAGES, st.just(PROV.entity), NAMES, st.sampled_from(GRAPHS))
)
# In which order a statement is put in and taken out, on days that grow.
TOUCHES = st.tuples(st.booleans(), st.lists(st.integers(0, 9), min_size=1, max_size=3, unique=True).map(sorted))
Touched = dict[Quad, list[tuple[datetime, bool]]]


def touched(of: dict[Quad, tuple[bool, list[int]]]) -> Touched:
    return {
        quad: [(day(number), (at % 2 == 0) == first_in) for at, number in enumerate(days)]
        for quad, (first_in, days) in of.items()
    }


def known(quad: Quad, touches: Touched, at: datetime | None) -> RecordedState:
    """What is known of a statement, as the docstrings tell it."""
    own = touches.get(quad, [])
    came = [put_in for moment, put_in in own if at is None or moment <= at]
    if came:
        return RecordedState.RECORDED if came[-1] else RecordedState.NO_LONGER
    if own and own[0][1]:
        return RecordedState.NOT_YET
    since, kept_from = SINCE[quad.graph_name], KNOWN_FROM.get(quad.graph_name)  # type: ignore[index]  # of the four
    if since is None or (at is not None and kept_from is not None and at < kept_from):
        return RecordedState.UNDATED
    return RecordedState.NOT_YET if at is not None and at < since else RecordedState.RECORDED


STATED = (RecordedState.RECORDED, RecordedState.UNDATED)


@examples(100)
@given(st.lists(QUADS, min_size=5, max_size=16, unique=True), st.data(), st.sampled_from(Direction))
def test_each_moment_has_what_was_stated_then(quads: list[Quad], data: st.DataObject, direction: Direction) -> None:
    touches = touched(data.draw(st.dictionaries(st.sampled_from(quads), TOUCHES, max_size=5)))
    store = LocalStore.in_memory()
    store.add_quads(quad for quad in quads if quad not in touches or touches[quad][-1][1])
    history = RecordedHistory(SINCE, touches, KNOWN_FROM)
    ever = RecordedStore(store, history, None)
    assert set(ever.match()) == set(quads)
    assert set(ever.graphs()) == {quad.graph_name for quad in quads}
    start = quads[0].subject
    assert isinstance(start, NamedNode)
    lineage = trace(ever, start, VOCABULARY, direction=direction)
    found = recorded_timeline(ever, lineage, history)
    assert list(found.moments) == sorted(set(found.moments))
    before: set[object] = set()
    for at in [*(day(number) for number in range(-1, 11)), None]:
        then = {quad for quad in quads if known(quad, touches, at) in STATED}
        assert {quad: history.state(quad, at) for quad in quads} == {quad: known(quad, touches, at) for quad in quads}
        if at is not None:
            was = RecordedStore(store, history, at)
            assert set(was.match()) == then
            for one in quads:
                ends = {quad for quad in then if quad.subject == one.subject}
                assert set(was.match_many(subjects=[one.subject], predicates=None)) == ends  # type: ignore[list-item]  # IRIs
                assert set(was.match_many(objects=[one.object], predicates=[one.predicate])) == {
                    quad for quad in then if (quad.predicate, quad.object) == (one.predicate, one.object)
                }
                assert set(was.match(*one.triple, one.graph_name)) == {one} & then  # type: ignore[arg-type]  # IRIs
        states = found.states(at)
        assert states.keys() == lineage.nodes.keys()
        own = {quad for quad in then if start in (quad.subject, quad.object)}

        def reached(stated: set[Quad]) -> set[object]:
            plain = LocalStore.in_memory()
            plain.add_quads(stated)
            return set(trace(plain, start, VOCABULARY, direction=direction).nodes)

        there = reached(then) if own else set()
        certain = {quad for quad in then if known(quad, touches, at) is RecordedState.RECORDED}
        assert {one for one, state in states.items() if state in STATED} == there
        if any(quad in certain for quad in own):
            assert {one for one, state in states.items() if state is RecordedState.RECORDED} == reached(certain)
        else:
            assert RecordedState.RECORDED not in states.values()
        gone = {one for one, state in states.items() if state is RecordedState.NO_LONGER}
        assert gone == before - there
        before |= there


def test_it_is_traced_and_not_asked() -> None:
    store = RecordedStore(LocalStore.in_memory(), RecordedHistory(), None)
    assert (store.size().kind, store.capabilities.writable) == (CountKind.UNKNOWN, False)
    for ask in (store.select, store.ask, store.construct, store.update):
        with pytest.raises(Unsupported):
            ask("SELECT * { ?s ?p ?o }")
