"""What is remembered is what the store says, however often and in whatever parts it is asked."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import Capabilities
from hpc_explorer.stores.cached import CachedStore, PrefetchedStore
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.wrapper import StoreWrapper

GRAPH = NamedNode("http://example.org/graph")
THINGS = [NamedNode(f"http://example.org/{name}") for name in "abcd"]
things = st.sampled_from(THINGS)
quads = st.lists(st.builds(Quad, things, things, things, st.just(GRAPH)), max_size=20)
asked = st.lists(
    st.tuples(st.lists(things, max_size=3), st.none() | st.lists(things, max_size=2, unique=True)), max_size=5
)


@given(quads, asked)
def test_it_answers_as_the_store_does(
    stated: list[Quad], questions: list[tuple[list[NamedNode], list[NamedNode]]]
) -> None:
    store = LocalStore.in_memory()
    store.add_quads(stated)
    remembering = CachedStore(store)
    for subjects, predicates in questions:
        found = list(remembering.match_many(subjects=subjects, predicates=predicates))
        assert sorted(found, key=str) == sorted(store.match_many(subjects=subjects, predicates=predicates), key=str)
    for subjects, _ in questions:
        assert set(remembering.match_many(objects=subjects)) == set(store.match_many(objects=subjects))


def test_a_subject_with_very_many_statements_is_asked_each_time() -> None:
    store = LocalStore.in_memory()
    hub, has = THINGS[:2]
    store.add_quads(Quad(hub, has, Literal(str(number)), GRAPH) for number in range(1_000))
    remembering = CachedStore(store)
    assert len(list(remembering.match_many(subjects=[hub]))) == 1_000
    store.add_quads([Quad(hub, has, Literal("new"), GRAPH)])
    assert len(list(remembering.match_many(subjects=[hub], predicates=[has]))) == 1_001


class Counting(LocalStore):
    """Counts what it is asked."""

    asked = 0

    def match_many(self, **what: object) -> Iterator[Quad]:  # type: ignore[override]  # all of it is passed on
        self.asked += 1
        return super().match_many(**what)  # type: ignore[arg-type]  # likewise


class Remote(StoreWrapper):
    """A store that says it is a server's, and counts what it is asked."""

    asked = 0

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(writable=False, remote=True)

    def match_many(self, **what: object) -> Iterator[Quad]:  # type: ignore[override]  # all of it is passed on
        self.asked += 1
        return super().match_many(**what)  # type: ignore[arg-type]  # likewise


@given(quads, asked)
def test_a_server_is_asked_once(
    stated: list[Quad], questions: list[tuple[list[NamedNode], list[NamedNode] | None]]
) -> None:
    store = LocalStore.in_memory()
    store.add_quads(stated)
    server = Remote(store)
    remembering = CachedStore(server)
    for _ in range(2):
        for subjects, predicates in questions:
            subjects = list(dict.fromkeys(subjects))
            found = list(remembering.match_many(subjects=subjects, predicates=predicates))
            assert sorted(found, key=str) == sorted(store.match_many(subjects=subjects, predicates=predicates), key=str)
        for subject in THINGS[:2]:
            for predicate in (None, *THINGS[:2]):
                for value in (None, THINGS[0]):
                    found = list(remembering.match(subject, predicate, value))
                    assert sorted(found, key=str) == sorted(store.match(subject, predicate, value), key=str)
    asked = server.asked
    for subjects, predicates in questions:
        list(remembering.match_many(subjects=subjects, predicates=predicates))
    assert server.asked == asked


@given(quads, asked)
def test_what_was_fetched_is_what_the_store_says(
    stated: list[Quad], questions: list[tuple[list[NamedNode], list[NamedNode]]]
) -> None:
    store = LocalStore.in_memory()
    store.add_quads(stated)
    fetched = PrefetchedStore(store, THINGS[:3])
    for subjects, predicates in questions:
        found = list(fetched.match_many(subjects=subjects, predicates=predicates))
        assert sorted(found, key=str) == sorted(store.match_many(subjects=subjects, predicates=predicates), key=str)


def test_names_and_classes_are_one_request_and_are_kept() -> None:
    store = Counting.in_memory()
    store.add_quads([Quad(THINGS[0], THINGS[2], THINGS[3], GRAPH)])
    fetched = PrefetchedStore(store, THINGS[1:3])
    for predicate, number in ((THINGS[1], 0), (THINGS[2], 1), (THINGS[2], 1)):
        assert len(list(fetched.match_many(subjects=THINGS[:1], predicates=[predicate]))) == number
    assert store.asked == 1  # type: ignore[attr-defined]  # made by `in_memory`
