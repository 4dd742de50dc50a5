"""Infer triples by the rules of `rules` and store them separately from stated triples.

The rules run to a fixpoint by semi-naive evaluation: each round joins the new triples of the previous round with all
known ones. Schema statements are few, so rules are first specialised by them: `prov:used rdfs:range prov:Entity` turns
rdfs3 into "the object of prov:used is a prov:Entity", which needs one pass over the triples of that predicate.

Conclusions are written to the graph `INFERRED` at the end, so readers see none or all of them, and a cancelled run
leaves none. That graph has no stated triples. `owl:sameAs` has no rules, and literals never become subjects.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from hpc_explorer.ontology.rules import (
    INFERRED,
    MUTUAL_PREDICATES,
    RULES,
    SCHEMA_PATTERNS,
    Bindings,
    Pattern,
    Rule,
    is_schema_statement,
    matching,
    says_nothing,
    solutions,
)
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import BlankNode, GraphName, NamedNode, Quad, Resource, Term, Triple, Variable
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, Store, no_progress
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.wrapper import StoreWrapper

_CHECK_EVERY = 1024

_WHAT = "inferring"


@dataclass(frozen=True)
class InferenceReport:
    """The result of a run.

    Args:
        by_rule: the number of triples that each rule concluded first, without zeros.
        rounds: the number of rounds.
        with_background: whether a premise came from the background.
    """

    by_rule: Mapping[str, int]
    rounds: int
    with_background: bool

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


def background_of(store: Store, ontology: Store, *, limits: Limits = NO_LIMITS) -> Background:
    """The statements of an ontology about terms that the graph itself does not define.

    The graph's own statements about its terms take precedence
    (docs/decisions/0005-shipped-ontology-stays-in-the-background.md).
    """
    own = {quad.subject for quad in _schema_quads(store, limits)}
    kept = LocalStore.in_memory()
    kept.add_quads(
        quad
        for quad in _schema_quads(ontology, limits)
        if quad.subject not in own and not (quad.predicate in MUTUAL_PREDICATES and quad.object in own)
    )
    run = _Run(kept, None, no_progress, limits)
    run.to_fixpoint()
    return Background(kept, run.concluded)


def infer(
    store: LocalStore,
    background: Background | None = None,
    *,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> InferenceReport:
    """Replace the graph `INFERRED` by all that follows from a graph.

    Args:
        background: premises from an ontology, see `background_of`; what follows from these alone is not added.

    Raises:
        Cancelled, DeadlineExceeded: by `limits`; the store is unchanged then.
        Unsupported: the store is open read-only.
    """
    withdraw(store)
    run = _Run(store, background, progress, limits)
    run.to_fixpoint()
    progress("writing what was inferred", None)

    def found() -> Iterator[Quad]:
        for number, quad in enumerate(run.concluded.match()):
            if number % _CHECK_EVERY == 0:
                limits.check(_WHAT)
            yield Quad(quad.subject, quad.predicate, quad.object, INFERRED)

    store.add_quads(found())
    store.settle([INFERRED], disjoint=True)
    return InferenceReport(dict(sorted(run.by_rule.items())), run.rounds, background is not None)


def withdraw(store: LocalStore) -> None:
    """Remove all inferred triples."""
    if INFERRED in store.graphs():
        store.remove_graphs([INFERRED])


def _schema_quads(store: Store, limits: Limits) -> Iterator[Quad]:
    """The schema statements of a graph."""
    for pattern in SCHEMA_PATTERNS:
        for quad in matching(store, pattern, limits):
            if quad.graph_name != INFERRED:
                yield quad


@dataclass(frozen=True)
class _Shape:
    """A specialised rule with one premise left: its conclusion for a triple of its predicate or class.

    Args:
        from_object: whether the conclusion's subject is the triple's object.
        predicate: the conclusion's predicate.
        object: the conclusion's object; None: the other end of the triple.
    """

    rule: str
    from_object: bool
    predicate: NamedNode
    object: Term | None

    def conclude(self, subject: Term | Triple, value: Term | Triple) -> Triple | None:
        """The conclusion for a triple with these ends; None if a literal would be the subject."""
        start, end = (value, subject) if self.from_object else (subject, value)
        if self.object is not None:
            end = self.object
        if not isinstance(start, (NamedNode, BlankNode)):
            return None
        return Triple(start, self.predicate, end)


@dataclass(frozen=True)
class _Step:
    """A transitive property: two steps make one."""

    rule: str
    predicate: NamedNode


_Special = _Shape | _Step


@dataclass
class _Specialised:
    """Rules specialised by schema statements, indexed by the triples that trigger them."""

    by_predicate: dict[NamedNode, dict[_Special, None]] = field(default_factory=lambda: defaultdict(dict))
    by_class: dict[Term, dict[_Special, None]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, rule: Rule, bindings: Bindings) -> tuple[Pattern, _Special] | None:
        """Specialise a rule; None if it is a duplicate or can never apply.

        Returns:
            the trigger, and the specialised rule.
        """
        start, conclusion = rule.data[0].bound(bindings), rule.conclusions[0].bound(bindings)
        if not isinstance(start.predicate, NamedNode) or not isinstance(conclusion.predicate, NamedNode):
            return None
        special: _Special
        if rule.transitive:
            special = _Step(rule.name, start.predicate)
        else:
            given = None if isinstance(conclusion.object, Variable) else conclusion.object
            special = _Shape(rule.name, conclusion.subject == start.object, conclusion.predicate, given)
        if start.predicate == RDF.type and not isinstance(start.object, Variable):
            place = self.by_class[start.object]
        else:
            place = self.by_predicate[start.predicate]
        if special in place:
            return None
        place[special] = None
        return start, special

    def starting_from(self, triple: Triple) -> Iterator[_Special]:
        """The rules that a triple triggers."""
        if triple.predicate in self.by_predicate:
            yield from self.by_predicate[triple.predicate]
        if triple.predicate == RDF.type and triple.object in self.by_class:
            yield from self.by_class[triple.object]  # type: ignore[index]  # a quoted triple is no key of it


class _Run:
    """One run to the fixpoint.

    Attributes:
        concluded: the conclusions that are not stated.
        by_rule: the number of triples that each rule concluded first.
        rounds: the number of rounds.
    """

    def __init__(self, stated: LocalStore, background: Background | None, progress: Progress, limits: Limits) -> None:
        self.concluded = LocalStore.in_memory()
        self.by_rule: Counter[str] = Counter()
        self.rounds = 0
        self._stated = stated
        self._background = () if background is None else (background.stated, background.concluded)
        self._specialised = _Specialised()
        self._progress = progress
        self._limits = limits
        self._steps = 0

    def to_fixpoint(self) -> None:
        """Run rounds until there are no new triples."""
        for store in self._background:
            self._specialise(_triples(_schema_quads(store, self._limits)))
        new: Iterable[Triple] = list(_triples(_schema_quads(self._stated, self._limits)))
        first = True
        while new or first:
            self.rounds += 1
            following: dict[Triple, str] = {}
            for triple, rule in self._round(list(new), first):
                if triple in following or says_nothing(triple):
                    continue
                if not self._stated.holds(triple) and not self.concluded.holds(triple):
                    following[triple] = rule
            self.concluded.add_quads(
                Quad(triple.subject, triple.predicate, triple.object, INFERRED) for triple in following
            )
            self.by_rule.update(Counter(following.values()))
            self._progress(f"{sum(self.by_rule.values()):,} triples inferred in {self.rounds} rounds", None)
            new, first = following.keys(), False

    def _round(self, new: list[Triple], first: bool) -> Iterator[tuple[Triple, str]]:
        """The conclusions from new triples and all known ones, with the names of the rules; may repeat.

        Args:
            first: whether `new` has only the stated schema triples, and no other triple was processed yet.
        """
        schema = [triple for triple in new if is_schema_statement(triple)]
        yield from self._of_schema_alone(schema)
        if not first:
            for triple in new:
                yield from self._apply(self._specialised.starting_from(triple), triple, both_ends=True)
        fresh = self._specialise(schema)
        if first:
            fresh = [
                (Pattern(Variable("x"), predicate, Variable("y")), special)
                for predicate, group in self._specialised.by_predicate.items()
                for special in group
            ] + [
                (Pattern(Variable("x"), RDF.type, cls), special)
                for cls, group in self._specialised.by_class.items()
                for special in group
            ]
        by_start: dict[Pattern, list[_Special]] = defaultdict(list)
        for start, special in fresh:
            by_start[Pattern(Variable("x"), start.predicate, _any_or(start.object))].append(special)
        for start, group in by_start.items():
            for triple in self._facts(start, with_background=False):
                yield from self._apply(group, triple, both_ends=False)

    def _of_schema_alone(self, new: list[Triple]) -> Iterator[tuple[Triple, str]]:
        """The conclusions of rules with only schema premises from new schema statements."""
        for rule in RULES:
            if rule.data:
                continue
            for bindings in self._ways(rule, new):
                for pattern in rule.conclusions:
                    conclusion = pattern.bound(bindings).triple()
                    if conclusion is not None:
                        yield conclusion, rule.name

    def _specialise(self, new: Iterable[Triple]) -> list[tuple[Pattern, _Special]]:
        """Specialise the rules by new schema statements; returns the new ones."""
        known = list(new)
        made = (
            self._specialised.add(rule, bindings) for rule in RULES if rule.data for bindings in self._ways(rule, known)
        )
        return [one for one in made if one is not None]

    def _ways(self, rule: Rule, new: list[Triple]) -> Iterator[dict[Variable, Term]]:
        """The solutions of a rule's schema premises with at least one new triple."""
        for premise in rule.schema:
            rest = tuple(other for other in rule.schema if other is not premise)
            for triple in new:
                bindings = premise.bindings(triple)
                if bindings is not None:
                    yield from solutions(self._facts, rest, bindings)

    def _apply(self, specials: Iterable[_Special], triple: Triple, *, both_ends: bool) -> Iterator[tuple[Triple, str]]:
        """The conclusions of specialised rules from a triple that triggers them.

        Args:
            both_ends: whether a transitive property is joined before the triple too.
        """
        self._step()
        subject, value = triple.subject, triple.object
        for special in specials:
            if isinstance(special, _Shape):
                conclusion = special.conclude(subject, value)
                if conclusion is not None:
                    yield conclusion, special.rule
                continue
            if isinstance(value, (NamedNode, BlankNode)):
                for after in self._facts(Pattern(value, special.predicate, Variable("z"))):
                    self._step()
                    yield Triple(subject, special.predicate, after.object), special.rule
            if both_ends:
                for before in self._facts(Pattern(Variable("z"), special.predicate, subject)):  # type: ignore[arg-type]  # a node
                    self._step()
                    yield Triple(before.subject, special.predicate, value), special.rule

    def _facts(self, pattern: Pattern, *, with_background: bool = True) -> Iterator[Triple]:
        """All known matching triples: stated, concluded, and in the background."""
        for store in (self._stated, self.concluded, *(self._background if with_background else ())):
            yield from _triples(matching(store, pattern))

    def _step(self) -> None:
        self._steps += 1
        if self._steps % _CHECK_EVERY == 0:
            self._limits.check(_WHAT)


def _any_or(slot: object) -> Term | Variable:
    return Variable("y") if isinstance(slot, Variable) else slot  # type: ignore[return-value]  # a pattern's object


def _triples(quads: Iterable[Quad]) -> Iterator[Triple]:
    return (quad.triple for quad in quads)


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
