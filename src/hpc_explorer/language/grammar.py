"""Combine the parts of a question by rules whose types are the classes and properties of the graph.

A rule takes two neighbours and the words skipped between them, and yields kinds, meanings and prices. A rule that does
not fit the graph (a property that the class does not have) yields nothing. The rules are in `language.rules`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from hpc_explorer.language.chart import Combine, Edge, Result, Rule
from hpc_explorer.language.finding import ValueSet
from hpc_explorer.language.meaning import (
    Choice,
    Compared,
    Constraint,
    Derived,
    Either,
    Extreme,
    Has,
    Numbered,
    Other,
    Step,
    Steps,
    Thing,
)
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.language.words import stem, stem_key
from hpc_explorer.rdf.terms import NamedNode

Constraints = tuple[Constraint, ...]
GrammarRule = Callable[["Grammar", Edge, Edge, Sequence[str]], Iterable[Result]]

_MOST_IMPLICIT = 5
_LABEL = 0.2


class RuleTable:
    """Rules with the kinds of the edges that they combine."""

    def __init__(self) -> None:
        self._rows: list[tuple[str, str, GrammarRule, bool, bool]] = []

    def add(
        self, left: str, right: str, *, joins: bool = False, swapped: bool = False
    ) -> Callable[[GrammarRule], GrammarRule]:
        """A decorator that adds a rule for two kinds of edges.

        Args:
            joins: whether the rule gives "or" a meaning.
            swapped: whether the rule takes the right edge first.
        """

        def decorate(rule: GrammarRule) -> GrammarRule:
            self._rows.append((left, right, rule, joins, swapped))
            return rule

        return decorate

    def bound(self, grammar: Grammar) -> Iterator[tuple[tuple[str, str], Rule]]:
        """The rules for one grammar, by kinds."""
        for left, right, rule, joins, swapped in self._rows:
            yield (left, right), Rule(_swapped(partial(rule, grammar)) if swapped else partial(rule, grammar), joins)


def _swapped(combine: Combine) -> Combine:
    return lambda left, right, gap: combine(right, left, gap)


class Grammar:
    """The rules for the words of one graph."""

    def __init__(self, terms: GraphTerms, tables: Iterable[RuleTable]) -> None:
        self.terms = terms
        self._between: dict[tuple[tuple[NamedNode, ...], tuple[NamedNode, ...]], list[tuple[Steps, float]]] = {}
        self.rules: dict[tuple[str, str], list[Rule]] = defaultdict(list)
        for table in tables:
            for kinds, rule in table.bound(self):
                self.rules[kinds].append(rule)

    def classes(self, thing: Thing) -> tuple[NamedNode, ...]:
        """The classes that a thing may have."""
        if thing.classes:
            return thing.classes
        if thing.resources:
            return tuple(sorted(self.terms.classes_of(thing.resources), key=str))
        ends: set[NamedNode] | None = None
        for one in thing.constraints:
            if isinstance(one, Has) and not one.negated:
                here = {cls for step in one.steps for cls in self.terms.leads_to(step.turned)}
                ends = here if ends is None else ends & here
        return tuple(sorted(ends or (), key=str))

    def fitting(self, thing: Thing, constraint: Constraint) -> Constraint | None:
        """The constraint with the steps that things of this kind have; None if there are none."""
        match constraint:
            case Has() | Extreme() | Compared() | Numbered():
                classes = self.classes(thing)
                steps = tuple(step for step in constraint.steps if self.terms.step_fits(classes, step))
                if len(steps) > 1:
                    steps = self._distinct(steps)
                return replace(constraint, steps=steps) if steps else None
            case Either():
                options = tuple(self.fitting(thing, one) for one in constraint.options)
                return None if None in options else Either(tuple(one for one in options if one is not None))
            case Derived():
                # Nobody is made from data.
                kinds = frozenset(self.classes(thing))
                return None if kinds and kinds <= self.terms.people else constraint
            case Other():
                # "X other than Y" of a certain X says nothing of X.
                return constraint if not thing.resources and self.are_alike(thing, constraint.target) else None

    @staticmethod
    def _distinct(steps: Steps) -> Steps:
        """Forward steps first, each property once."""
        order = sorted(dict.fromkeys(steps), key=lambda step: not step.forward)
        return tuple({step.predicate: step for step in reversed(order)}[key] for key in dict.fromkeys(
            step.predicate for step in order))  # fmt: skip

    def are_alike(self, one: Thing, other: Thing) -> bool:
        mine, its = self.classes(one), self.classes(other)
        if not mine or not its:
            return True
        below, beneath = self.terms.at_or_below(mine), self.terms.at_or_below(its)
        return not below.isdisjoint(beneath)

    def with_constraints(self, thing: Thing, constraints: Constraints) -> Thing | None:
        """A thing with more constraints; None if they do not fit it."""
        for one in constraints:
            fitting = self.fitting(thing, one)
            if fitting is None:
                return None
            if fitting not in thing.constraints:
                thing = replace(thing, constraints=(*thing.constraints, fitting))
        return thing

    def to_target(self, steps: Steps, target: Thing) -> Steps:
        """The steps that lead to things like the target."""
        classes = self.classes(target)
        if not classes:
            return () if not target.constraints else steps
        return tuple(
            step
            for step in steps
            if self.terms.step_fits(classes, step.turned)
            and (not step.forward or any(cls is not None for cls in self.terms.objects.get(step.predicate, ())))
        )

    def chosen(self, steps: Steps, values: ValueSet) -> Has | None:
        fitting = tuple(step for step in steps if step.forward and values.of(step.predicate))
        if not fitting:
            return None
        return Has(fitting, Choice(tuple(dict.fromkeys(one for step in fitting for one in values.of(step.predicate)))))

    def between(self, first: Sequence[NamedNode], second: Sequence[NamedNode]) -> list[tuple[Steps, float]]:
        """The ways from things of some classes to things of others by one property."""
        key = (tuple(first), tuple(second))
        if key not in self._between:
            mine, its = self.terms.at_or_below(first), self.terms.at_or_below(second)
            labels = {self.terms.schema.class_label(cls).casefold() for cls in second}
            # Of things of one class, one is rather a part of the other than its whole.
            backward = 0.5 if not mine.isdisjoint(its) else 0.2
            found: list[tuple[Steps, float]] = []
            for term, subjects in self.terms.subjects.items():
                objects = self.terms.objects[term]
                label = self.terms.property_label(term).casefold()
                near = 0.0 if label in labels else 0.3
                if not mine.isdisjoint(subjects) and any(cls in its for cls in objects):
                    found.append(((Step(term),), near))
                if not its.isdisjoint(subjects) and any(cls in mine for cls in objects):
                    found.append(((Step(term, False),), near + backward))
            found.sort(key=lambda one: (one[1], one[0][0].predicate.value))
            self._between[key] = self._without_inverses(found)[:_MOST_IMPLICIT]
        return self._between[key]

    def owners(self, steps: Steps, classes: Sequence[NamedNode]) -> Iterator[tuple[NamedNode, Steps, float]]:
        """Other classes that have a property, with the ways from them to things of some classes."""
        own = self.terms.at_or_below(classes)
        having = {cls for step in steps for cls in self.terms.leads_to(step.turned)} - own
        for cls in sorted(having, key=str):
            if all(self.terms.step_fits((cls,), step) for step in steps):
                yield from ((cls, ways, price) for ways, price in self.between((cls,), classes))

    def parts(self, whole: Thing, steps: Steps) -> Iterator[Steps]:
        """The ways from parts of a thing to it, where the steps lead to such parts."""
        classes = self.classes(whole)
        ends = {cls for step in steps for cls in self.terms.leads_to(step)}
        for several, price in self.terms.nouns.get(stem_key("is part of"), ()):
            fitting = tuple(step for step in several if step.forward and self.terms.step_fits(classes, step.turned))
            if (
                price < _LABEL
                and fitting
                and any(self.terms.step_fits((cls,), step) for cls in ends for step in fitting)
            ):
                yield fitting

    def made_in(self, classes: Sequence[NamedNode], activity: NamedNode) -> list[Steps]:
        """The ways from what was made to the activity that made it."""
        makes = {step for several, _ in self.terms.verbs.get(stem("generate"), ()) for step in several}
        found = []
        for steps, _ in self.between(classes, (activity,)):
            making = tuple(step for step in steps if step.turned in makes)
            if making:
                found.append(making)
        return found

    def _without_inverses(self, found: list[tuple[Steps, float]]) -> list[tuple[Steps, float]]:
        """Ways that a verb or an inverse says are one become one."""
        groups: list[set[Step]] = []
        for several in self.terms.verbs.values():
            ways = {step for one, price in several if price < 0.2 for step in one}
            groups += [ways, {step.turned for step in ways}]
        for info in self.terms.schema.properties.values():
            for inverse in info.inverses:
                groups += [{Step(info.term), Step(inverse, False)}, {Step(info.term, False), Step(inverse)}]
        kept: list[tuple[Steps, float]] = []
        for steps, price in found:
            same = next(
                (at for at, (held, _) in enumerate(kept)
                 if any(set(held) <= group and steps[0] in group for group in groups)), None)  # fmt: skip
            if same is None:
                kept.append((steps, price))
            else:
                kept[same] = ((*kept[same][0], *steps), min(price, kept[same][1]))
        return kept
