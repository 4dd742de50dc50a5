"""Infer triples by the rules of `rules` and store them separately from stated triples.

`reasoning` finds what follows. It is written to the graph `INFERRED` at the end, so readers see none of it before, and
a cancelled run leaves none. That graph has no stated triples, and no trivial ones (`rules.says_nothing`).
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hpc_explorer.ontology.rules import INFERRED, MUTUAL_PREDICATES, Bindings, RuleSet, matching, schema_patterns
from hpc_explorer.rdf.datatypes import WIDER
from hpc_explorer.rdf.lexical import is_well_formed
from hpc_explorer.rdf.syntax.formats import N_TRIPLES
from hpc_explorer.rdf.terms import (
    GraphName,
    Literal,
    NamedNode,
    Quad,
    Resource,
    Term,
    Triple,
    Variable,
    resource_of_n_triples,
    term_of_n_triples,
)
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, Store, no_progress
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.wrapper import StoreWrapper

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from hpc_explorer.ontology.reasoning.closure import Closure
    from hpc_explorer.stores.local.profile import Profile

MOST_CONTRADICTIONS = 1_000
"""How many contradictions of a rule are kept."""

_PIECE = 10_000
"""How many conclusions are made into text at once."""


@dataclass(frozen=True)
class Contradiction:
    """Statements that cannot all be true.

    Args:
        rule: the name of the rule that says so.
        premises: the statements.
        bindings: the values of the rule's variables.
    """

    rule: str
    premises: tuple[Triple, ...]
    bindings: Bindings


@dataclass(frozen=True)
class InferenceReport:
    """The result of a run.

    Args:
        by_rule: the number of triples that each rule concluded first, without zeros.
        with_background: whether a premise came from the background.
        rule_set: the rules that were used.
        contradictions: the first 1,000 of each rule.
        more_contradictions: the rules of which there are more.
        profile: the usage counts of the graph with what was inferred, if those without it were given.
    """

    by_rule: Mapping[str, int]
    with_background: bool
    rule_set: RuleSet = RuleSet.COMMON
    contradictions: tuple[Contradiction, ...] = ()
    more_contradictions: frozenset[str] = frozenset()
    profile: Profile | None = field(default=None, repr=False, compare=False)

    @property
    def triples(self) -> int:
        """The number of inferred triples."""
        return sum(self.by_rule.values())


@dataclass(frozen=True)
class Background:
    """Schema statements that are used as premises without being in the graph.

    Args:
        stated: statements of ontologies, in their graphs.
        concluded: what follows from those alone; never added to the graph.
    """

    stated: LocalStore
    concluded: LocalStore


def background_of(
    store: Store, ontology: Store, rule_set: RuleSet = RuleSet.COMMON, *, limits: Limits = NO_LIMITS
) -> Background:
    """The statements of an ontology about terms that the graph itself does not define.

    The graph's own statements about its terms take precedence
    (docs/decisions/0005-shipped-ontology-stays-in-the-background.md).
    """
    own = {quad.subject for quad in _schema_quads(store, rule_set, limits)}
    kept = LocalStore.in_memory()
    kept.add_quads(
        quad
        for quad in _schema_quads(ontology, rule_set, limits)
        if quad.subject not in own and not (quad.predicate in MUTUAL_PREDICATES and quad.object in own)
    )
    concluded = LocalStore.in_memory()
    _write(_closure([kept], rule_set, no_progress, limits), concluded, limits)
    return Background(kept, concluded)


def infer(
    store: LocalStore,
    background: Background | None = None,
    rule_set: RuleSet = RuleSet.COMMON,
    *,
    profile: Profile | None = None,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> InferenceReport:
    """Replace the graph `INFERRED` by all that follows from a graph.

    Args:
        background: premises from an ontology, see `background_of`; what follows from these alone is not added.
        profile: the usage counts of the graph without inferred statements, to be counted on from.

    Raises:
        Cancelled, DeadlineExceeded: by `limits`; the store is unchanged then.
        Unsupported: the store is open read-only.
    """
    withdraw(store)
    behind = () if background is None else (background.stated, background.concluded)
    closure = _closure([store, *behind], rule_set, progress, limits)
    grown = None
    if profile is not None:
        from hpc_explorer.ontology.reasoning.counting import Counts

        progress("counting what was inferred", None)
        grown = Counts(store, profile, closure, limits).grown()
    progress("writing what was inferred", None)
    by_rule = _write(closure, store, limits)
    contradictions = tuple(
        Contradiction(
            clash.rule,
            tuple(made for premise in clash.premises if (made := premise.triple()) is not None),
            clash.bindings,
        )
        for clash in closure.clashes
    )
    more = frozenset(closure.more_clashes)
    if rule_set is RuleSet.OWL_RL:
        ill_formed = tuple(_ill_formed(store, limits))
        contradictions += ill_formed[:MOST_CONTRADICTIONS]
        more |= {"dt-not-type"} if len(ill_formed) > MOST_CONTRADICTIONS else set()
    return InferenceReport(dict(sorted(by_rule.items())), background is not None, rule_set, contradictions, more, grown)


_OF_VALUE = tuple(Variable(name) for name in "xpyd")


def _ill_formed(store: LocalStore, limits: Limits) -> Iterator[Contradiction]:
    """dt-not-type: the values that their datatype does not have; one more than are kept."""
    found: set[Triple] = set()
    for quad in store.match(limits=limits):
        literal = quad.object
        if not isinstance(literal, Literal) or literal.datatype not in WIDER:
            continue
        if is_well_formed(literal.value, literal.datatype) or quad.triple in found:
            continue
        found.add(quad.triple)
        subject, predicate = quad.subject, quad.predicate
        if not isinstance(subject, Triple):
            values = dict(zip(_OF_VALUE, (subject, predicate, literal, literal.datatype), strict=True))
            yield Contradiction("dt-not-type", (quad.triple,), values)
        if len(found) > MOST_CONTRADICTIONS:
            return


def withdraw(store: LocalStore) -> None:
    """Remove all inferred triples."""
    if INFERRED in store.graphs():
        store.remove_graphs([INFERRED])


def _closure(stores: Sequence[LocalStore], rule_set: RuleSet, progress: Progress, limits: Limits) -> Closure:
    from hpc_explorer.ontology.reasoning.closure import Closure

    closure = Closure(stores, rule_set, MOST_CONTRADICTIONS, progress, limits)
    closure.run()
    return closure


def _write(closure: Closure, store: LocalStore, limits: Limits) -> Counter[str]:
    """Add conclusions to the graph `INFERRED`, all or none; returns how many by rule."""
    by_rule: Counter[str] = Counter()
    text = closure.text
    # The bulk loader renames blank nodes and keeps values only, so statements with these are added quad by quad.
    others: list[Quad] = []

    def lines() -> Iterator[bytes]:
        for rule, predicate, rows in closure.conclusions():
            by_rule[rule] += rows.size
            middle = f" {predicate} "
            for start in range(0, rows.size, _PIECE):
                limits.check("inferring")
                made: list[str] = []
                for row in rows[start : start + _PIECE].tolist():
                    subject, value = text(row >> 32), text(row & 0xFFFFFFFF)
                    if subject[0] == "_" or value[0] == "_" or closure.is_respelled(row & 0xFFFFFFFF):
                        one = resource_of_n_triples(subject), predicate, term_of_n_triples(value)
                        others.append(Quad(*one, INFERRED))
                    else:
                        made.append(f"{subject}{middle}{value} .\n")
                yield "".join(made).encode()

    try:
        store.bulk_load(io.BufferedReader(_Stream(lines())), N_TRIPLES, "", INFERRED)
        if others:
            store.add_quads(others)
        store.settle([INFERRED], disjoint=True)
    except BaseException:
        store.remove_graphs([INFERRED])
        raise
    return by_rule


class _Stream(io.RawIOBase):
    """Pieces of text as a stream, made when they are read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        while not self._left:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._left = memoryview(piece)
        into = memoryview(buffer).cast("B")
        size = min(len(into), len(self._left))
        into[:size], self._left = self._left[:size], self._left[size:]
        return size


def _schema_quads(store: Store, rule_set: RuleSet, limits: Limits) -> Iterator[Quad]:
    """The schema statements of a graph."""
    for pattern in schema_patterns(rule_set):
        for quad in matching(store, pattern, limits):
            if quad.graph_name != INFERRED:
                yield quad


class StatedStore(StoreWrapper):
    """The stated triples of a store; queries include inferred ones."""

    def match(
        self,
        subject: Resource | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: GraphName | None = None,
        *,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The matching quads."""
        return _stated(super().match(subject, predicate, object, graph, limits=limits))

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The quads whose terms are among those given."""
        return _stated(super().match_many(subjects=subjects, predicates=predicates, objects=objects, limits=limits))


def _stated(quads: Iterator[Quad]) -> Iterator[Quad]:
    return (quad for quad in quads if quad.graph_name != INFERRED)
