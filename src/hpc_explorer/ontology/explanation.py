"""Explain why a triple was inferred: the rule and its premises, down to stated triples.

Inference stores no proofs. A proof is found by searching backwards from the triple, level by level, over all matching
rules until enough stated triples are reached. So the proof is one of the shallowest and has no cycles. A step through a
statement that RDF does not allow (a literal as subject, a blank node as predicate) is told by the premises of that
statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hpc_explorer.errors import UnknownStatement
from hpc_explorer.ontology.inference import Background
from hpc_explorer.ontology.rules import (
    INFERRED,
    LIST,
    REFLEXIVE,
    Bindings,
    Pattern,
    Rule,
    RuleSet,
    is_number,
    matching,
    says_nothing,
    solutions,
)
from hpc_explorer.rdf.datatypes import WIDER
from hpc_explorer.rdf.namespaces import OWL, RDF
from hpc_explorer.rdf.terms import BlankNode, GraphName, Literal, Resource, Term, Triple, Variable
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


@dataclass(frozen=True)
class Proof:
    """The proof of a triple.

    Args:
        triple: the proven triple.
        rule: the rule that concludes it; None if it is stated.
        premises: in the rule's order; for a transitive rule, all steps.
        graphs: where it is stated; empty if inferred.
        in_background: whether only the background states it.
    """

    triple: Triple
    rule: str | None
    premises: tuple[Proof, ...]
    graphs: tuple[GraphName, ...]
    in_background: bool


@dataclass(frozen=True)
class _Inference:
    """One way to conclude a triple."""

    rule: str
    premises: tuple[Pattern, ...]


def why(
    store: Store,
    triple: Triple,
    background: Background | None = None,
    rule_set: RuleSet = RuleSet.COMMON,
    *,
    limits: Limits = NO_LIMITS,
) -> Proof:
    """Prove a triple of a graph.

    Args:
        background: the background of the inference.
        rule_set: the rules of the inference.

    Raises:
        UnknownStatement: it is neither stated nor inferred any more.
        Cancelled, DeadlineExceeded: by `limits`.
    """
    return _Search(store, background, rule_set, limits).proof_of(triple)


class _Search:
    """The search for one proof. Statements are patterns without variables, as RDF does not allow all of them."""

    def __init__(self, store: Store, background: Background | None, rule_set: RuleSet, limits: Limits) -> None:
        self._store = store
        self._background = background
        self._rules = rule_set.rules
        self._is_whole = rule_set is RuleSet.OWL_RL
        self._limits = limits
        # In proof order: premises come before conclusions. None: it is stated, or holds by itself.
        self._proven: dict[Pattern, _Inference | None] = {}
        self._open: dict[Pattern, list[_Inference]] = {}

    def proof_of(self, triple: Triple) -> Proof:
        target = _pattern(triple)
        if not self._stated_in(target) and next(iter(self._matching(target)), None) is None:
            raise UnknownStatement(
                "the graph neither states this nor was it inferred", _text(target), "see `show` for what holds"
            )
        level = [] if self._is_proven(target) else [target]
        while level and target not in self._proven:
            beyond: dict[Pattern, None] = {}
            for one in level:
                self._limits.check("the explanation")
                beyond.update(dict.fromkeys(self._expand(one)))
            self._conclude()
            level = [one for one in beyond if one not in self._proven and one not in self._open]
        if target not in self._proven:
            raise UnknownStatement("no rule leads to this statement any more", _text(target), "infer anew")
        return self._built(target)

    def _expand(self, statement: Pattern) -> Iterable[Pattern]:
        """Record how a statement can be concluded; returns the premises that remain to be proven."""
        ways: list[_Inference] = []
        beyond: list[Pattern] = []
        for way in self._ways(statement):
            missing = [premise for premise in way.premises if not self._is_proven(premise)]
            if not missing:
                self._proven[statement] = way
                return ()
            ways.append(way)
            beyond += missing
        self._open[statement] = ways
        return beyond

    def _conclude(self) -> None:
        """Conclude what follows from the proven statements."""
        progress = True
        while progress:
            progress = False
            for statement, ways in list(self._open.items()):
                way = next((way for way in ways if all(premise in self._proven for premise in way.premises)), None)
                if way is not None:
                    self._proven[statement] = way
                    del self._open[statement]
                    progress = True

    def _is_proven(self, statement: Pattern) -> bool:
        if statement in self._proven:
            return True
        if statement in self._open or not (self._stated_in(statement) or self._holds_by_itself(statement)):
            return False
        self._proven[statement] = None
        return True

    def _holds_by_itself(self, statement: Pattern) -> bool:
        """Whether a statement needs no premises: eq-ref, dt-type2, cls-thing and cls-nothing1."""
        if not self._is_whole:
            return False
        subject, predicate, value = statement.subject, statement.predicate, statement.object
        if predicate == OWL.sameAs:
            return subject == value
        if predicate != RDF.type:
            return False
        if isinstance(subject, Literal):
            return value in WIDER.get(subject.datatype, ())
        return value == OWL.Class and subject in (OWL.Thing, OWL.Nothing)

    def _ways(self, statement: Pattern) -> Iterator[_Inference]:
        for rule in self._rules:
            for conclusion in rule.conclusions:
                bindings = conclusion.bindings(statement)
                if bindings is None:
                    continue
                if rule.is_about_list:
                    for one in self._written_out(rule, bindings):
                        for written in one.conclusions:
                            found = written.bindings(statement)
                            if found is not None:
                                yield from self._ways_by(one, found, statement)
                    continue
                if rule.transitive:
                    row = self._row_of_steps(rule, bindings)
                    if row is not None:
                        yield _Inference(rule.name, row)
                        continue
                yield from self._ways_by(rule, bindings, statement)

    def _ways_by(self, rule: Rule, bindings: Bindings, statement: Pattern) -> Iterator[_Inference]:
        for found in solutions(self._facts, rule.premises, bindings):
            self._limits.check("the explanation")
            premises = tuple(one.bound(found) for one in rule.premises)
            is_met = all(is_number(found.get(variable), number) for variable, number in rule.numbers.items())
            if is_met and statement not in premises:
                yield _Inference(rule.name, premises)

    def _written_out(self, rule: Rule, bindings: Bindings) -> Iterator[Rule]:
        """A rule about a list for the lists of the graph."""
        named = {slot for one in rule.definitions for slot in (one.subject, one.object) if isinstance(slot, Variable)}
        known = {variable: value for variable, value in bindings.items() if variable in named}
        for found in solutions(self._matching, rule.definitions, known):
            yield from rule.bound(found).with_members(self._list(found[LIST]))

    def _list(self, head: Term) -> list[Term]:
        members: list[Term] = []
        seen: set[Term] = set()
        here: Term | None = head
        while here is not None and here not in seen:
            seen.add(here)
            ends = [
                next((one.object for one in self._matching(Pattern(here, predicate, Variable("next")))), None)
                for predicate in (RDF.first, RDF.rest)
            ]
            members += [ends[0]] if ends[0] is not None else []  # type: ignore[list-item]  # no quoted triples in lists
            here = ends[1]  # type: ignore[assignment]  # as above
        return members

    def _row_of_steps(self, rule: Rule, bindings: Bindings) -> tuple[Pattern, ...] | None:
        """The shortest chain of stated steps for a transitive rule, after its other premises, if any."""
        condition, step, whole = rule.premises[:-2], rule.premises[-2].bound(bindings), rule.conclusions[0]
        made = whole.bound(bindings).triple()
        others = tuple(premise.bound(bindings) for premise in condition)
        if made is None or not all(next(iter(self._matching(one)), None) for one in others):
            return None
        came_by: dict[object, Triple | None] = {made.subject: None}
        level: list[Resource] = [made.subject]  # type: ignore[list-item]  # no quoted subjects
        while level:
            following: list[Resource] = []
            for here in level:
                self._limits.check("the explanation")
                for one in self._stated(Pattern(here, step.predicate, Variable("next"))):
                    # In a cycle the start can be its own goal.
                    if one.object == made.object:
                        row = [one]
                        while (before := came_by[row[-1].subject]) is not None:
                            row.append(before)
                        return (*others, *map(_pattern, reversed(row))) if len(row) > 1 else None
                    if one.object not in came_by:
                        came_by[one.object] = one
                        following.append(one.object)  # type: ignore[arg-type]  # a literal leads nowhere
            level = following
        return None

    def _matching(self, pattern: Pattern) -> Iterator[Triple]:
        """All matching triples: stated, inferred, and in the background."""
        behind = () if self._background is None else (self._background.stated, self._background.concluded)
        for store in (self._store, *behind):
            for quad in matching(store, pattern):
                yield quad.triple

    def _facts(self, pattern: Pattern) -> Iterator[Triple | Pattern]:
        """All matching statements; with the whole profile also those that are not written, and may hold."""
        yield from self._matching(pattern)
        if not self._is_whole:
            return
        subject, predicate, value = pattern.subject, pattern.predicate, pattern.object
        if pattern.freedom == 0:
            if says_nothing(pattern) or pattern.triple() is None or self._holds_by_itself(pattern):
                yield pattern
        elif predicate in REFLEXIVE and not (isinstance(subject, Variable) and isinstance(value, Variable)):
            both = value if isinstance(subject, Variable) else subject
            yield Pattern(both, predicate, both)
        if isinstance(predicate, BlankNode):
            for one in (Pattern(predicate, OWL.inverseOf, _OTHER), Pattern(_OTHER, OWL.inverseOf, predicate)):
                for statement in self._matching(one):
                    inverse = statement.object if statement.subject == predicate else statement.subject
                    for found in self._matching(Pattern(value, inverse, subject)):  # type: ignore[arg-type]  # a node
                        yield Pattern(found.object, predicate, found.subject)  # type: ignore[arg-type]  # as above

    def _stated(self, pattern: Pattern) -> Iterator[Triple]:
        for store in (self._store, *(() if self._background is None else (self._background.stated,))):
            for quad in matching(store, pattern):
                if quad.graph_name != INFERRED:
                    yield quad.triple

    def _stated_in(self, statement: Pattern) -> tuple[GraphName, ...]:
        """The graphs that state a triple; those of the background only if no other does."""
        own = dict.fromkeys(quad.graph_name for quad in matching(self._store, statement) if quad.graph_name != INFERRED)
        if own or self._background is None:
            return tuple(own)
        return tuple(dict.fromkeys(quad.graph_name for quad in matching(self._background.stated, statement)))

    def _built(self, target: Pattern) -> Proof:
        needed = {target}
        waiting = [target]
        while waiting:
            way = self._proven[waiting.pop()]
            for premise in () if way is None else way.premises:
                if premise not in needed:
                    needed.add(premise)
                    waiting.append(premise)
        # A statement that RDF does not allow is replaced by its premises, and one that needs none left out.
        built: dict[Pattern, tuple[Proof, ...]] = {}
        for statement, way in self._proven.items():
            if statement not in needed:
                continue
            triple = statement.triple()
            if way is None:
                graphs = self._stated_in(statement)
                inside = any(quad.graph_name != INFERRED for quad in matching(self._store, statement))
                built[statement] = (Proof(triple, None, (), graphs, not inside),) if graphs and triple else ()
                continue
            premises = tuple(dict.fromkeys(proof for one in way.premises for proof in built[one]))
            built[statement] = (Proof(triple, way.rule, premises, (), False),) if triple is not None else premises
        (proof,) = built[target]
        return proof


_OTHER = Variable("other")


def _pattern(triple: Triple) -> Pattern:
    return Pattern(triple.subject, triple.predicate, triple.object)  # type: ignore[arg-type]  # no quoted triples


def _text(statement: Pattern) -> str:
    return f"{statement.subject} {statement.predicate} {statement.object}"
