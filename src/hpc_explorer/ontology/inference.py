"""What follows from a graph by the rules of `rules`, kept apart from what it states.

The rules run to a fixpoint, semi-naively: a round starts from the triples that the round before concluded, and joins
them with all that is known. Statements about classes and properties are few, so a rule is first specialised by them:
`prov:used rdfs:range prov:Entity` makes of rdfs3 "the object of prov:used is a prov:Entity", which then needs one
look at each triple of that predicate, and none at any other.

What is concluded is collected beside the store and put into its graph `INFERRED` at the end, so whoever reads the
store sees none of it or all, and a cancelled run leaves nothing behind. A triple that the graph states is never put
there. Equality (`owl:sameAs`) is not reasoned about, and a literal is never made a subject.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from hpc_explorer.ontology.rules import (
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
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Quad, Term, Triple, Variable
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, Store, silent
from hpc_explorer.stores.local.local import LocalStore

INFERRED = NamedNode("urn:hpc-explorer:inferred")
"""The graph that holds what was inferred, one in each store."""

_CHECK_EVERY = 1024

_WHAT = "inferring"


@dataclass(frozen=True)
class InferenceReport:
    """What a run concluded.

    Args:
        by_rule: how many triples each rule was the first to conclude; rules that concluded none are left out.
        rounds: how many rounds it took until nothing new followed.
        with_background: whether an ontology other than the graph's own was a premise.
    """

    by_rule: Mapping[str, int]
    rounds: int
    with_background: bool

    @property
    def triples(self) -> int:
        """How many triples were inferred."""
        return sum(self.by_rule.values())


@dataclass(frozen=True)
class Background:
    """Statements about classes and properties that a graph takes for granted without holding them.

    Args:
        stated: what an ontology states, in its own graphs.
        concluded: what follows from that alone. It is known, and never put into the graph's inferred triples.
    """

    stated: LocalStore
    concluded: LocalStore


def background_of(store: Store, ontology: Store, *, limits: Limits = NO_LIMITS) -> Background:
    """What an ontology says of the classes and properties that a graph does not speak about itself.

    What a graph says of its own terms always stands, so statements about these are left out
    (docs/decisions/0005-shipped-ontology-stays-in-the-background.md).
    """
    own = {quad.subject for quad in _schema_quads(store, limits)}
    kept = LocalStore.in_memory()
    kept.add_quads(
        quad
        for quad in _schema_quads(ontology, limits)
        if quad.subject not in own and not (quad.predicate in MUTUAL_PREDICATES and quad.object in own)
    )
    run = _Run(kept, None, silent, limits)
    run.to_fixpoint()
    return Background(kept, run.concluded)


def infer(
    store: LocalStore,
    background: Background | None = None,
    *,
    progress: Progress = silent,
    limits: Limits = NO_LIMITS,
) -> InferenceReport:
    """Put all that follows from a graph into its graph `INFERRED`; what was there before is taken out first.

    Args:
        background: an ontology to be taken for granted, made by `background_of`. A triple that follows from it
            alone is not put into the graph.

    Raises:
        Cancelled, DeadlineExceeded: by `limits`; nothing is inferred then.
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
    """Take out what was inferred; the store is then as if nothing had been."""
    if INFERRED in store.graphs():
        store.remove_graphs([INFERRED])


def _schema_quads(store: Store, limits: Limits) -> Iterator[Quad]:
    """What a graph states about classes and properties."""
    for pattern in SCHEMA_PATTERNS:
        for quad in matching(store, pattern, limits):
            if quad.graph_name != INFERRED:
                yield quad


@dataclass(frozen=True)
class _Shape:
    """A specialised rule with one premise left: what it makes of a triple of its predicate or class.

    Args:
        from_object: whether the conclusion's subject is the triple's object.
        predicate: the conclusion's predicate.
        object: the conclusion's object; None for the other end of the triple.
    """

    rule: str
    from_object: bool
    predicate: NamedNode
    object: Term | None

    def conclude(self, subject: Term | Triple, value: Term | Triple) -> Triple | None:
        """The conclusion from a triple with these ends; None where a literal would be a subject."""
        start, end = (value, subject) if self.from_object else (subject, value)
        if self.object is not None:
            end = self.object
        if not isinstance(start, (NamedNode, BlankNode)):
            return None
        return Triple(start, self.predicate, end)


@dataclass(frozen=True)
class _Step:
    """A transitive property: two steps of it make one."""

    rule: str
    predicate: NamedNode


_Special = _Shape | _Step


@dataclass
class _Specialised:
    """Rules made special by statements about classes and properties, by the triples that each of them starts from."""

    by_predicate: dict[NamedNode, dict[_Special, None]] = field(default_factory=lambda: defaultdict(dict))
    by_class: dict[Term, dict[_Special, None]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, rule: Rule, bindings: Bindings) -> tuple[Pattern, _Special] | None:
        """Specialise a rule; None if that rule is there already or can never apply.

        Returns:
            the triples it starts from, and the rule as it is now.
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
        """The rules that start from a triple."""
        if triple.predicate in self.by_predicate:
            yield from self.by_predicate[triple.predicate]
        if triple.predicate == RDF.type and triple.object in self.by_class:
            yield from self.by_class[triple.object]  # type: ignore[index]  # a quoted triple is no key of it


class _Run:
    """One run to the fixpoint.

    Attributes:
        concluded: what followed, none of it stated.
        by_rule: how many triples each rule was the first to conclude.
        rounds: how many rounds were run.
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
        """Run rounds until nothing new follows."""
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
        """What follows from new triples and all that is known, with the rules' names; things may come twice.

        Args:
            first: new are only the stated triples about classes and properties. No rule has seen any other triple yet.
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
        """What the rules without other premises conclude from new statements about classes and properties."""
        for rule in RULES:
            if rule.data:
                continue
            for bindings in self._ways(rule, new):
                for pattern in rule.conclusions:
                    conclusion = pattern.bound(bindings).triple()
                    if conclusion is not None:
                        yield conclusion, rule.name

    def _specialise(self, new: Iterable[Triple]) -> list[tuple[Pattern, _Special]]:
        """Specialise the rules by new statements about classes and properties; those that were not there before."""
        known = list(new)
        made = (
            self._specialised.add(rule, bindings) for rule in RULES if rule.data for bindings in self._ways(rule, known)
        )
        return [one for one in made if one is not None]

    def _ways(self, rule: Rule, new: list[Triple]) -> Iterator[dict[Variable, Term]]:
        """How a rule's premises about classes and properties hold, with at least one of them new."""
        for premise in rule.schema:
            rest = tuple(other for other in rule.schema if other is not premise)
            for triple in new:
                bindings = premise.bindings(triple)
                if bindings is not None:
                    yield from solutions(self._facts, rest, bindings)

    def _apply(self, specials: Iterable[_Special], triple: Triple, *, both_ends: bool) -> Iterator[tuple[Triple, str]]:
        """What specialised rules conclude from a triple that each of them starts from.

        Args:
            both_ends: a transitive property looks for steps before the triple too, and not only after it.
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
        """All known triples that fit: stated, concluded, and in the background."""
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
