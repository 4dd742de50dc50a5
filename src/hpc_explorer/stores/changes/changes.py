"""A change of a graph as a value: removed statements, added statements and a description.

A `ChangeSet` is requested; its effect on a given store (`effect_of`) removes only statements that exist and adds only
those that do not. The effect's change can be inverted to undo it exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hpc_explorer.rdf.terms import GraphName, Quad, Triple
from hpc_explorer.stores.local.spellings import stored_quad

if TYPE_CHECKING:
    from hpc_explorer.stores.local.local import LocalStore


@dataclass(frozen=True)
class ChangeSet:
    """Statements to remove and to add, each in a named graph, with literals in their original spelling.

    A statement that is both removed and added exists afterwards.

    Args:
        words: a description for people: "Label of model 7".
        why: the user's reason for it; may be empty.
        takes_back: the journal revisions that this change undoes; a redo takes back the revision of the undo.
    """

    removed: tuple[Quad, ...] = ()
    added: tuple[Quad, ...] = ()
    words: str = ""
    why: str = ""
    takes_back: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.removed or self.added)

    def inverse(self, words: str, takes_back: tuple[int, ...] = ()) -> ChangeSet:
        """The change that undoes this one, made in revisions `takes_back`."""
        return ChangeSet(self.added, self.removed, words, takes_back=takes_back)


def net_change(changes: Iterable[ChangeSet]) -> ChangeSet:
    """Combine several changes made one after the other."""
    stated: dict[Quad, bool] = {}
    for change in changes:
        stated.update(dict.fromkeys(change.removed, False))
        stated.update(dict.fromkeys(change.added, True))
    return ChangeSet(
        tuple(quad for quad, there in stated.items() if not there),
        tuple(quad for quad, there in stated.items() if there),
    )


def combined_change(changes: Iterable[ChangeSet]) -> ChangeSet:
    """Combine changes that were fully applied one after the other; statements added and later removed are left out.

    `net_change` instead gives what to apply to reach the same result in any graph.
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
    """The effect of a change on the current state of a store.

    Args:
        change: the statements that are actually removed and added.
        already_stated: statements not added because another graph states the triple.
        spelled: all spellings of each stored quad afterwards; empty if it is gone.
        removed: the quads that the engine loses, in its own spelling.
        added: the quads that the engine gains, in its own spelling.
        left: triples that no graph states afterwards, in the engine's spelling.
        entered: triples that no graph stated before, in the engine's spelling.
    """

    change: ChangeSet
    already_stated: tuple[Quad, ...]
    spelled: Mapping[Quad, tuple[Quad, ...]]
    removed: tuple[Quad, ...]
    added: tuple[Quad, ...]
    left: tuple[Triple, ...]
    entered: tuple[Triple, ...]


def effect_of(store: LocalStore, change: ChangeSet, *, restating: bool = False) -> Effect:
    """Compute the effect of a change on a store without applying it.

    Args:
        restating: whether to add a triple that another graph states. By default this happens only if the store already
            keeps the merge of its graphs, because starting the merge reads every triple (decision 0003).
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
    """Apply an effect to the store it was computed for; the store must not have changed in between.

    Raises:
        StoreError: the engine fails, for example because the disk is full.
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
    """The values a change touches: their spellings before and after, and the graphs that state them."""

    def __init__(self, store: LocalStore) -> None:
        self._store = store
        self._before: dict[Quad, frozenset[Quad]] = {}
        self.after: dict[Quad, dict[Quad, None]] = {}
        self._graphs_before: dict[Triple, frozenset[GraphName]] = {}
        self._graphs: dict[Triple, set[GraphName]] = {}
        self._has_statements: dict[object, bool] = {}

    def _is_new(self, subject: object) -> bool:
        """Whether the store says nothing of a subject, so that its statements need not be looked for one by one."""
        known = self._has_statements.get(subject)
        if known is None:
            found = self._store.match(subject)  # type: ignore[arg-type]  # as in the store
            known = self._has_statements[subject] = next(iter(found), None) is not None
        return not known

    def _spelled(self, quad: Quad) -> dict[Quad, None]:
        stored = stored_quad(quad)
        is_new = self._is_new(stored.subject)
        if stored not in self.after:
            spelled: dict[Quad, None] = {}
            if not is_new:
                spelled = dict.fromkeys(
                    self._store.match(stored.subject, stored.predicate, stored.object, stored.graph_name)  # type: ignore[arg-type]  # as in the store
                )
            self._before[stored] = frozenset(spelled)
            self.after[stored] = spelled
        triple = stored.triple
        if triple not in self._graphs:
            found = () if is_new else self._store.match(triple.subject, triple.predicate, triple.object)  # type: ignore[arg-type]  # as in the store
            self._graphs[triple] = {quad.graph_name for quad in found}
            self._graphs_before[triple] = frozenset(self._graphs[triple])
        return self.after[stored]

    def stated(self, quad: Quad) -> bool:
        """Whether its graph states it with this spelling."""
        return quad in self._spelled(quad)

    def elsewhere(self, quad: Quad) -> bool:
        """Whether another graph states its triple."""
        self._spelled(quad)
        return bool(self._graphs[stored_quad(quad).triple] - {quad.graph_name})

    def remove(self, quad: Quad) -> bool:
        """Remove a statement; returns whether it existed."""
        spelled = self._spelled(quad)
        if quad not in spelled:
            return False
        del spelled[quad]
        if not spelled:
            self._graphs[stored_quad(quad).triple].discard(quad.graph_name)
        return True

    def add(self, quad: Quad) -> None:
        """Add a statement."""
        self._spelled(quad)[quad] = None
        self._graphs[stored_quad(quad).triple].add(quad.graph_name)

    def engine_changes(self) -> tuple[tuple[Quad, ...], tuple[Quad, ...]]:
        """The removed and the added values."""
        return (
            tuple(stored for stored, spelled in self.after.items() if self._before[stored] and not spelled),
            tuple(stored for stored, spelled in self.after.items() if spelled and not self._before[stored]),
        )

    def merge_changes(self) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
        """The triples that leave and enter the merge of all graphs."""
        return (
            tuple(triple for triple, graphs in self._graphs.items() if self._graphs_before[triple] and not graphs),
            tuple(triple for triple, graphs in self._graphs.items() if graphs and not self._graphs_before[triple]),
        )
