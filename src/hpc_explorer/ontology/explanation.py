"""Explain why a triple was inferred: the rule and its premises, down to stated triples.

Inference stores no proofs. A proof is found by searching backwards from the triple, level by level, over all matching
rules until enough stated triples are reached. So the proof is one of the shallowest and has no cycles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hpc_explorer.errors import UnknownStatement
from hpc_explorer.ontology.inference import Background
from hpc_explorer.ontology.rules import INFERRED, RULES, Bindings, Pattern, Rule, matching, solutions
from hpc_explorer.rdf.terms import GraphName, Resource, Triple, Variable
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
    premises: tuple[Triple, ...]


def why(store: Store, triple: Triple, background: Background | None = None, *, limits: Limits = NO_LIMITS) -> Proof:
    """Prove a triple of a graph.

    Args:
        background: the background of the inference.

    Raises:
        UnknownStatement: it is neither stated nor inferred any more.
        Cancelled, DeadlineExceeded: by `limits`.
    """
    return _Search(store, background, limits).proof_of(triple)


class _Search:
    """The search for one proof."""

    def __init__(self, store: Store, background: Background | None, limits: Limits) -> None:
        self._store = store
        self._background = background
        self._limits = limits
        # In proof order: premises come before conclusions. None: the triple is stated.
        self._proven: dict[Triple, _Inference | None] = {}
        self._open: dict[Triple, list[_Inference]] = {}

    def proof_of(self, target: Triple) -> Proof:
        if not self._stated_in(target) and next(iter(self._facts(_pattern(target))), None) is None:
            raise UnknownStatement(
                "the graph neither states this nor was it inferred", _text(target), "see `show` for what holds"
            )
        level = [] if self._is_proven(target) else [target]
        while level and target not in self._proven:
            beyond: dict[Triple, None] = {}
            for triple in level:
                self._limits.check("the explanation")
                beyond.update(dict.fromkeys(self._expand(triple)))
            self._conclude()
            level = [triple for triple in beyond if triple not in self._proven and triple not in self._open]
        if target not in self._proven:
            raise UnknownStatement("no rule leads to this statement any more", _text(target), "infer anew")
        return self._built(target)

    def _expand(self, triple: Triple) -> Iterable[Triple]:
        """Record how a triple can be concluded; returns the premises that remain to be proven."""
        ways: list[_Inference] = []
        beyond: list[Triple] = []
        for way in self._ways(triple):
            missing = [premise for premise in way.premises if not self._is_proven(premise)]
            if not missing:
                self._proven[triple] = way
                return ()
            ways.append(way)
            beyond += missing
        self._open[triple] = ways
        return beyond

    def _conclude(self) -> None:
        """Conclude what follows from the proven triples."""
        progress = True
        while progress:
            progress = False
            for triple, ways in list(self._open.items()):
                way = next((way for way in ways if all(premise in self._proven for premise in way.premises)), None)
                if way is not None:
                    self._proven[triple] = way
                    del self._open[triple]
                    progress = True

    def _is_proven(self, triple: Triple) -> bool:
        if triple in self._proven:
            return True
        if triple in self._open or not self._stated_in(triple):
            return False
        self._proven[triple] = None
        return True

    def _ways(self, triple: Triple) -> Iterator[_Inference]:
        for rule in RULES:
            for conclusion in rule.conclusions:
                bindings = conclusion.bindings(triple)
                if bindings is None:
                    continue
                if rule.transitive:
                    row = self._row_of_steps(rule, bindings)
                    if row is not None:
                        yield _Inference(rule.name, row)
                        continue
                for found in solutions(self._facts, rule.premises, bindings):
                    self._limits.check("the explanation")
                    premises = tuple(made for one in rule.premises if (made := one.bound(found).triple()) is not None)
                    if len(premises) == len(rule.premises) and triple not in premises:
                        yield _Inference(rule.name, premises)

    def _row_of_steps(self, rule: Rule, bindings: Bindings) -> tuple[Triple, ...] | None:
        """The shortest chain of stated steps for a transitive rule, after its other premises, if any."""
        condition, step, whole = rule.premises[:-2], rule.premises[-2].bound(bindings), rule.conclusions[0]
        made = whole.bound(bindings).triple()
        others = tuple(one for premise in condition if (one := premise.bound(bindings).triple()) is not None)
        if made is None or not all(self._is_known(one) for one in others):
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
                        return (*others, *reversed(row)) if len(row) > 1 else None
                    if one.object not in came_by:
                        came_by[one.object] = one
                        following.append(one.object)  # type: ignore[arg-type]  # a literal leads nowhere
            level = following
        return None

    def _is_known(self, triple: Triple) -> bool:
        return next(iter(self._facts(_pattern(triple))), None) is not None

    def _facts(self, pattern: Pattern) -> Iterator[Triple]:
        """All matching triples: stated, inferred, and in the background."""
        behind = () if self._background is None else (self._background.stated, self._background.concluded)
        for store in (self._store, *behind):
            for quad in matching(store, pattern):
                yield quad.triple

    def _stated(self, pattern: Pattern) -> Iterator[Triple]:
        for store in (self._store, *(() if self._background is None else (self._background.stated,))):
            for quad in matching(store, pattern):
                if quad.graph_name != INFERRED:
                    yield quad.triple

    def _stated_in(self, triple: Triple) -> tuple[GraphName, ...]:
        """The graphs that state a triple; those of the background only if no other does."""
        pattern = _pattern(triple)
        own = dict.fromkeys(quad.graph_name for quad in matching(self._store, pattern) if quad.graph_name != INFERRED)
        if own or self._background is None:
            return tuple(own)
        return tuple(dict.fromkeys(quad.graph_name for quad in matching(self._background.stated, pattern)))

    def _built(self, target: Triple) -> Proof:
        needed = {target}
        waiting = [target]
        while waiting:
            way = self._proven[waiting.pop()]
            for premise in () if way is None else way.premises:
                if premise not in needed:
                    needed.add(premise)
                    waiting.append(premise)
        built: dict[Triple, Proof] = {}
        for triple, way in self._proven.items():
            if triple not in needed:
                continue
            if way is None:
                inside = any(quad.graph_name != INFERRED for quad in matching(self._store, _pattern(triple)))
                built[triple] = Proof(triple, None, (), self._stated_in(triple), not inside)
            else:
                built[triple] = Proof(triple, way.rule, tuple(built[one] for one in way.premises), (), False)
        return built[target]


def _pattern(triple: Triple) -> Pattern:
    return Pattern(triple.subject, triple.predicate, triple.object)  # type: ignore[arg-type]  # no quoted triples


def _text(triple: Triple) -> str:
    return f"{triple.subject} {triple.predicate} {triple.object}"
