"""Changes as values: what they do to a store, their inverse and their sum."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet, apply_effect, effect_of, net_change
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex

QUADS = st.builds(
    Quad,
    st.sampled_from([ex("a"), BlankNode("b")]),
    st.just(ex("p")),
    st.sampled_from([ex("a"), BlankNode("b"), *(Literal(text, datatype=XSD.integer) for text in ("1", "01", "2"))]),
    st.sampled_from([NamedNode("urn:test:one"), NamedNode("urn:test:two")]),
)
CHANGES = st.builds(
    ChangeSet, st.lists(QUADS, max_size=4).map(tuple), st.lists(QUADS, max_size=4).map(tuple), st.just("a change")
)


def make(store: LocalStore, change: ChangeSet, *, restating: bool = False) -> ChangeSet:
    effect = effect_of(store, change, restating=restating)
    apply_effect(store, effect)
    return effect.change


def quads(store: LocalStore) -> Counter[Quad]:
    return Counter(store.match())


@given(st.lists(QUADS), st.lists(CHANGES, max_size=6))
def test_changes_are_undone_by_their_inverses_and_add_up(start: list[Quad], changes: list[ChangeSet]) -> None:
    store, other = LocalStore.in_memory(), LocalStore.in_memory()
    for one in (store, other):
        one.add_quads(start)
        one.settle(one.graphs())
    before = quads(store)
    assert store.size().value == before.total()
    done = []
    for change in changes:
        expected = set(quads(store)) - set(change.removed) | set(change.added)
        effect = effect_of(store, change)
        done.append(make(store, change))
        assert set(quads(store)) == expected - set(effect.already_stated)
        assert quads(store).total() == len(set(quads(store))) == store.size().value
    make(other, net_change(done), restating=True)
    assert quads(other) == quads(store)
    for change in reversed(done):
        assert make(store, change.inverse("undo")).removed == change.added
    assert quads(store) == before
    store.close()
    other.close()
