"""A change of a graph as a value: statements removed, statements added, and words for what it is.

A change is asked for (`ChangeSet`); what it does to one store as it stands is its effect (`effect_of`): only what is
stated can be removed, and only what is not can be added. The effect's change can be inverted, and its inverse undoes
just what it did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from hpc_explorer.rdf.terms import GraphName, Quad, Triple
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.spellings import stored_quad


@dataclass(frozen=True)
class ChangeSet:
    """Statements to remove and to add, each in a named graph and with its literal as it is spelled.

    What is both removed and added is there afterwards.

    Args:
        removed: the quads to take out.
        added: the quads to put in.
        words: what the change is, for a person: "Label of model 7".
        why: the user's reason for it; may be empty.
        takes_back: the revisions of the journal that this change undoes; one that does again what was undone takes
            back the revision that undid it.
    """

    removed: tuple[Quad, ...] = ()
    added: tuple[Quad, ...] = ()
    words: str = ""
    why: str = ""
    takes_back: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.removed or self.added)

    def inverse(self, words: str, takes_back: tuple[int, ...] = ()) -> ChangeSet:
        """The change that undoes this one, as it was made in the revisions `takes_back`."""
        return ChangeSet(self.added, self.removed, words, takes_back=takes_back)


def net_change(changes: Iterable[ChangeSet]) -> ChangeSet:
    """What several changes do one after the other, as one."""
    stated: dict[Quad, bool] = {}
    for change in changes:
        stated.update(dict.fromkeys(change.removed, False))
        stated.update(dict.fromkeys(change.added, True))
    return ChangeSet(
        tuple(quad for quad, there in stated.items() if not there),
        tuple(quad for quad, there in stated.items() if there),
    )


def combined_change(changes: Iterable[ChangeSet]) -> ChangeSet:
    """What several changes did one after the other, each of which did all that it says: what came and went is left out.

    Unlike `net_change`, which is what is to be done for their result to hold in whatever graph.
    """
    before: dict[Quad, bool] = {}
    after: dict[Quad, bool] = {}
    for change in changes:
        for quads, there in ((change.removed, False), (change.added, True)):
            for quad in quads:
                before.setdefault(quad, not there)
                after[quad] = there
    return ChangeSet(
        tuple(quad for quad, there in after.items() if before[quad] and not there),
        tuple(quad for quad, there in after.items() if there and not before[quad]),
    )


@dataclass(frozen=True)
class Effect:
    """What a change does to a store as it stands.

    Args:
        change: the statements that it removes and adds indeed.
        already_stated: the statements that it does not add, because another graph states the triple.
        spelled: how each value is spelled afterwards, by the quad that the engine keeps; nothing where it is gone.
        removed: the quads that the engine loses, in its own spelling.
        added: the quads that the engine gains, in its own spelling.
        left: the triples that no graph states any more, in the engine's spelling.
        entered: the triples that no graph stated before, in the engine's spelling.
    """

    change: ChangeSet
    already_stated: tuple[Quad, ...]
    spelled: Mapping[Quad, tuple[Quad, ...]]
    removed: tuple[Quad, ...]
    added: tuple[Quad, ...]
    left: tuple[Triple, ...]
    entered: tuple[Triple, ...]


def effect_of(store: LocalStore, change: ChangeSet, *, restating: bool = False) -> Effect:
    """What a change would do to a store.

    Args:
        restating: whether a triple may be added to one graph that stands in another. Otherwise that is done only in a
            store that keeps the merge of its graphs already: to begin one takes a look at every triple (decision 0003).
    """
    values = _Values(store)
    added = dict.fromkeys(change.added)
    removed = [quad for quad in dict.fromkeys(change.removed) if quad not in added and values.remove(quad)]
    restating = restating or store.keeps_merge
    indeed: list[Quad] = []
    already_stated: list[Quad] = []
    for quad in added:
        if values.stated(quad):
            continue
        if not restating and values.elsewhere(quad):
            already_stated.append(quad)
        else:
            values.add(quad)
            indeed.append(quad)
    lost, gained = values.engine_changes()
    left, entered = values.merge_changes()
    return Effect(
        replace(change, removed=tuple(removed), added=tuple(indeed)),
        tuple(already_stated),
        {stored: tuple(spelled) for stored, spelled in values.after.items()},
        lost,
        gained,
        left,
        entered,
    )


def apply_effect(store: LocalStore, effect: Effect) -> None:
    """Make a change in the store that its effect was found in, nothing else having changed there since.

    Raises:
        StoreError: the engine cannot; the disk may be full.
    """
    store.change(
        effect.removed,
        effect.added,
        left=effect.left,
        entered=effect.entered,
        spelled=effect.spelled,
        growth=len(effect.change.added) - len(effect.change.removed),
    )


class _Values:
    """The values that a change speaks of: how each is spelled before and after, and which graphs state its triple."""

    def __init__(self, store: LocalStore) -> None:
        self._store = store
        self._before: dict[Quad, frozenset[Quad]] = {}
        self.after: dict[Quad, dict[Quad, None]] = {}
        self._graphs_before: dict[Triple, frozenset[GraphName]] = {}
        self._graphs: dict[Triple, set[GraphName]] = {}

    def _spelled(self, quad: Quad) -> dict[Quad, None]:
        stored = stored_quad(quad)
        if stored not in self.after:
            spelled = dict.fromkeys(
                self._store.match(stored.subject, stored.predicate, stored.object, stored.graph_name)  # type: ignore[arg-type]  # as in the store
            )
            self._before[stored] = frozenset(spelled)
            self.after[stored] = spelled
        triple = stored.triple
        if triple not in self._graphs:
            self._graphs[triple] = {quad.graph_name for quad in self._store.stored_quads(triple)}
            self._graphs_before[triple] = frozenset(self._graphs[triple])
        return self.after[stored]

    def stated(self, quad: Quad) -> bool:
        """Whether its graph states it, spelled just so."""
        return quad in self._spelled(quad)

    def elsewhere(self, quad: Quad) -> bool:
        """Whether another graph states its triple."""
        self._spelled(quad)
        return bool(self._graphs[stored_quad(quad).triple] - {quad.graph_name})

    def remove(self, quad: Quad) -> bool:
        """Take a statement out; whether it was there."""
        spelled = self._spelled(quad)
        if quad not in spelled:
            return False
        del spelled[quad]
        if not spelled:
            self._graphs[stored_quad(quad).triple].discard(quad.graph_name)
        return True

    def add(self, quad: Quad) -> None:
        """Put a statement in."""
        self._spelled(quad)[quad] = None
        self._graphs[stored_quad(quad).triple].add(quad.graph_name)

    def engine_changes(self) -> tuple[tuple[Quad, ...], tuple[Quad, ...]]:
        """The values that are gone, and those that are new."""
        return (
            tuple(stored for stored, spelled in self.after.items() if self._before[stored] and not spelled),
            tuple(stored for stored, spelled in self.after.items() if spelled and not self._before[stored]),
        )

    def merge_changes(self) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
        """The triples that leave the merge of all graphs, and those that enter it."""
        return (
            tuple(triple for triple, graphs in self._graphs.items() if self._graphs_before[triple] and not graphs),
            tuple(triple for triple, graphs in self._graphs.items() if graphs and not self._graphs_before[triple]),
        )
