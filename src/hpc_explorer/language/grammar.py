"""The rules by which the parts of a question combine. Their types are the classes and properties of the graph.

Each rule takes two neighbours and the words skipped between them, and yields kinds, meanings and prices. A rule that
does not fit the graph (a property that the class does not have) yields nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from hpc_explorer.language.chart import Edge, Result, Rule, joining
from hpc_explorer.language.matching import Period, Quantity, ValueSet
from hpc_explorer.language.meaning import (
    TRUE,
    Amount,
    Asked,
    Choice,
    Constraint,
    Counted,
    Derived,
    Either,
    Extreme,
    Grouping,
    Has,
    Numbered,
    Other,
    Step,
    Steps,
    Summary,
    Thing,
    turned,
)
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.language.words import stem_key, word_set
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.query.model.conditions import Operator
from hpc_explorer.query.model.query import AggregateFunction
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode

Constraints = tuple[Constraint, ...]

_OPERATORS = {
    ">": Operator.MORE, ">=": Operator.AT_LEAST, "<": Operator.LESS, "<=": Operator.AT_MOST, "=": Operator.EQUAL,
    "!=": Operator.UNEQUAL, "since": Operator.AT_LEAST, "after": Operator.MORE, "before": Operator.LESS,
    "until": Operator.AT_MOST,
}  # fmt: skip
_FUNCTIONS = {
    "mean": AggregateFunction.AVERAGE, "sum": AggregateFunction.SUM, "min": AggregateFunction.LEAST,
    "max": AggregateFunction.MOST,
}  # fmt: skip
_OF = word_set("of for 's does do did is has in by have are")
_HAVING = frozenset(["with", "has", "have", "having", "had"])
_MOST_IMPLICIT = 5


class Grammar:
    """The rules for the words of one graph."""

    def __init__(self, terms: GraphTerms) -> None:
        self.terms = terms
        self._between: dict[tuple[tuple[NamedNode, ...], tuple[NamedNode, ...]], list[tuple[Steps, float]]] = {}
        self.rules: dict[tuple[str, str], list[Rule]] = defaultdict(list)
        self._add_rules()

    def _add(self, left: str, right: str, rule: Rule) -> None:
        self.rules[left, right].append(rule)

    def _add_rules(self) -> None:
        add = self._add
        add("thing", "con", self._thing_con)
        add("con", "thing", self._con_thing)
        add("thing", "thing", self._thing_thing)
        add("thing", "value", self._thing_value)
        add("value", "thing", self._value_thing)
        add("value", "value", self._values)
        add("noun", "value", self._noun_value)
        add("rel", "value", self._noun_value)
        add("value", "noun", self._value_noun)
        add("value", "rel", self._value_rel)
        add("noun", "thing", self._noun_thing)
        add("rel", "thing", self._rel_thing)
        add("rel", "con", self._rel_con)
        add("thing", "rel", self._thing_rel)
        add("thing", "done", self._thing_done)
        add("thing", "noun", self._thing_noun)
        add("noun", "amount", self._noun_amount)
        add("rel", "amount", self._noun_amount)
        add("noun", "number", self._noun_number)
        add("noun", "quantity", self._noun_quantity)
        add("rel", "quantity", self._noun_quantity)
        add("rel", "number", self._noun_number)
        add("noun", "period", self._noun_period)
        add("rel", "period", self._noun_period)
        add("amount", "noun", self._amount_noun)
        add("number", "noun", self._number_noun)
        add("quantity", "noun", self._quantity_noun)
        add("amount", "thing", self._amount_thing)
        add("number", "thing", self._number_thing)
        add("thing", "amount", self._thing_amount)
        add("thing", "period", self._thing_period)
        add("compare", "number", self._compare)
        add("compare", "quantity", self._compare)
        add("compare", "period", self._compare)
        add("number", "compare", self._compare_after)
        add("quantity", "compare", self._compare_after)
        add("low", "number", self._range)
        add("low", "quantity", self._range)
        add("low", "period", self._range)
        add("con", "con", self._con_con)
        for kind in ("not", "except"):
            add(kind, "con", self._not_con)
            add(kind, "noun", self._not_noun)
            add(kind, "rel", self._not_noun)
            add(kind, "done", self._not_noun)
        add("not", "thing", self._not_thing)
        add("except", "thing", self._except_thing)
        add("except", "value", self._except_value)
        add("not", "value", self._except_value)
        add("thing", "notvalue", self._thing_notvalue)
        add("noun", "notvalue", self._noun_notvalue)
        add("noun", "notthing", self._noun_notthing)
        add("amount", "amount", self._amount_amount)
        add("amounts", "noun", self._amounts_noun)
        add("noun", "amounts", lambda left, right, gap: self._amounts_noun(right, left, gap))
        add("thing", "notthing", self._thing_notthing)
        add("most", "noun", self._most_noun)
        add("best", "noun", self._best_noun)
        add("most", "thing", self._most_thing)
        add("noun", "con", self._noun_con)
        add("both", "thing", self._both)
        add("most", "number", self._most_number)
        add("number", "most", lambda left, right, gap: [("top", (right.meaning, int(left.meaning)), 0.0)])
        add("thing", "numbered", self._thing_numbered)
        add("thing", "mostthing", self._thing_mostthing)
        add("thing", "extremecount", self._thing_extremecount)
        add("thing", "extremen", self._thing_extreme)
        add("extremen", "thing", self._extreme_thing)
        add("top", "thing", self._top_thing)
        add("top", "noun", self._top_noun)
        add("topthing", "per", self._topthing_per)
        add("topthing", "noun", self._topthing_noun)
        add("topthing", "con", self._topthing_con)
        add("number", "extreme", self._number_extreme)
        add("extreme", "number", lambda left, right, gap: self._number_extreme(right, left, gap))
        add("extreme", "thing", self._extreme_thing)
        add("thing", "extreme", self._thing_extreme)
        add("nthing", "extreme", self._nthing_extreme)
        add("nthing", "con", self._nthing_con)
        add("asked", "extreme", self._asked_extreme)
        add("count", "thing", self._count)
        add("count", "asked", self._count)
        add("counted", "con", self._counted_con)
        add("each", "noun", self._each_noun)
        add("each", "thing", self._each_thing)
        add("counted", "per", self._counted_per)
        add("thing", "per", self._thing_per)
        add("summary", "per", self._summary_per)
        add("per", "counted", lambda left, right, gap: self._counted_per(right, left, gap))
        add("aggregate", "noun", self._aggregate_noun)
        add("aggregate", "asked", self._aggregate_asked)
        add("total", "thing", self._total_thing)
        add("total", "per", self._total_per)
        add("totalper", "thing", self._totalper_thing)
        add("summary", "con", self._summary_con)
        add("asked", "con", self._asked_con)
        for kind in ("upstream", "origins", "affected"):
            add(kind, "thing", self._lineage_thing)
            add("thing", kind, self._thing_lineage)

    # Types
    # -----

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
            case Has() | Extreme() | Numbered():
                classes = self.classes(thing)
                steps = tuple(step for step in constraint.steps if self.terms.step_fits(classes, step))
                if len(steps) > 1:
                    steps = self._distinct(steps)
                return replace(constraint, steps=steps) if steps else None
            case Either():
                options = tuple(self.fitting(thing, one) for one in constraint.options)
                return None if None in options else Either(tuple(one for one in options if one is not None))
            case Other():
                return constraint if self._are_alike(thing, constraint.target) else None
            case _:
                return constraint

    @staticmethod
    def _distinct(steps: Steps) -> Steps:
        """Forward steps first, each property once."""
        order = sorted(dict.fromkeys(steps), key=lambda step: not step.forward)
        return tuple({step.predicate: step for step in reversed(order)}[key] for key in dict.fromkeys(
            step.predicate for step in order))  # fmt: skip

    def _are_alike(self, one: Thing, other: Thing) -> bool:
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

    def _to_target(self, steps: Steps, target: Thing) -> Steps:
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

    def _chosen(self, steps: Steps, values: ValueSet) -> Has | None:
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
            found: list[tuple[Steps, float]] = []
            for term, subjects in self.terms.subjects.items():
                objects = self.terms.objects[term]
                label = self.terms.schema.property_label(term).casefold()
                near = 0.0 if label in labels else 0.3
                if not mine.isdisjoint(subjects) and any(cls in its for cls in objects):
                    found.append(((Step(term),), near))
                if not its.isdisjoint(subjects) and any(cls in mine for cls in objects):
                    found.append(((Step(term, False),), near + 0.2))
            found.sort(key=lambda one: (one[1], one[0][0].predicate.value))
            self._between[key] = self._without_inverses(found)[:_MOST_IMPLICIT]
        return self._between[key]

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

    # Things and what is said of them
    # -------------------------------

    def _thing_con(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        thing = self.with_constraints(left.meaning, right.meaning)
        if thing is not None and (thing.classes or thing.resources or left.price >= 0):
            last = left.meaning.constraints[-1:] if left.meaning.constraints else ()
            over = any(isinstance(one, Has) and isinstance(one.target, Thing) for one in last)
            yield "thing", thing, 0.15 if over else 0.0

    def _con_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if right.meaning.is_bare and right.meaning.classes:
            thing = self.with_constraints(right.meaning, left.meaning)
            if thing is not None:
                yield "thing", thing, 0.3

    @joining
    def _thing_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        one, other = left.meaning, right.meaning
        words = set(gap)
        if words & {"or", "and", ","}:
            if one.resources and other.resources and not one.constraints and not other.constraints and not (
                one.classes and other.classes and one.classes != other.classes
            ) and self._are_alike(one, other):  # fmt: skip
                both = Thing(one.classes, (*one.resources, *other.resources))
                yield "thing", both, 0.05
                if "or" not in words:
                    yield "thing", replace(both, is_all=True), 0.15
            if one.is_bare and other.is_bare and one.classes and other.classes and words & {"or", "and"}:
                yield "thing", Thing((*one.classes, *other.classes)), 0.1
            return
        if not one.classes and one.is_bare:
            if other.classes or other.resources or other.constraints:
                yield "thing", other, 0.1
            return
        if one.is_bare and one.classes:
            yield from self._class_then_thing(one, other, words)
        if (
            one.resources
            and not one.constraints
            and not one.classes
            and other.is_bare
            and other.classes
            and not words - {"'s"}
        ):
            its = self.terms.classes_of(one.resources)
            below = self.terms.at_or_below(other.classes)
            fitting = tuple(
                res for res in one.resources if not below.isdisjoint(self.terms.types.get(res, frozenset()))
            )
            if fitting:
                yield "thing", replace(other, resources=fitting), 0.0
            else:
                for steps, price in self.between(other.classes, tuple(sorted(its, key=str))):
                    yield "thing", replace(other, constraints=(Has(steps, one),)), 0.7 + price

    def _both(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if right.meaning.is_all:
            yield "thing", right.meaning, -0.5

    def _class_then_thing(self, one: Thing, other: Thing, words: set[str]) -> Iterator[Result]:
        if other.resources and not other.classes:
            below = self.terms.at_or_below(one.classes)
            fitting = tuple(
                res for res in other.resources if not below.isdisjoint(self.terms.types.get(res, frozenset()))
            )
            if fitting and not words & {"of", "by", "from", "in", "on", "for"}:
                named = other.is_named or bool(words & {"named", "called"})
                yield "thing", replace(one, resources=fitting, constraints=other.constraints, is_named=named), 0.0
        if not other.resources and other.constraints and self._are_alike(one, other) and not words & {"of", "by"}:
            # "Who are the contributors of X".
            merged = self.with_constraints(replace(one, constraints=()), other.constraints)
            if merged is not None and (not other.classes or set(one.classes) >= set(other.classes)):
                yield "thing", merged, 0.1
        if (other.resources or other.constraints) and words:
            its = self.classes(other)
            for steps, price in self.between(one.classes, its) if its else ():
                yield "thing", replace(one, constraints=(Has(steps, other),)), 0.9 + price

    def _thing_value(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if not self.classes(left.meaning):
            return
        for term, values in right.meaning.by_property:
            thing = self.with_constraints(left.meaning, (Has((Step(term),), Choice(values)),))
            if thing is not None:
                yield "thing", thing, 0.8

    def _value_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if right.meaning.classes and not set(gap) - {"'s", "-", "based"}:
            yield from self._thing_value(right, left, gap)

    @joining
    def _values(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if set(gap) & {"or", "and", ","}:
            mine, its = dict(left.meaning.by_property), dict(right.meaning.by_property)
            both = tuple((term, (*mine[term], *its[term])) for term in mine if term in its)
            if both:
                yield "value", ValueSet(both), 0.05

    def _noun_value(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        has = self._chosen(left.meaning, right.meaning)
        if has is not None:
            yield "con", (has,), 0.0

    def _value_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if not set(gap) - {"as", "'s", "is"}:
            has = self._chosen(right.meaning, left.meaning)
            if has is not None:
                yield "con", (has,), 0.0

    def _value_rel(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        """A body that is only a literal: "projects that the NSF funds"; and "GPL licensed"."""
        has = self._chosen(right.meaning, left.meaning) or self._chosen(turned(right.meaning), left.meaning)
        if has is not None:
            yield "con", (has,), 0.2

    def _noun_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        steps, target = left.meaning, right.meaning
        words = set(gap)
        if target.resources and not target.classes and all(step.predicate in LABEL_PREDICATES for step in steps):
            yield "thing", replace(target, is_named=True), 0.0
        to_target = self._to_target(steps, target)
        if to_target and (target.resources or target.constraints or target.classes):
            yield "con", (Has(to_target, target),), 0.0 if not target.is_bare else 0.2
        if all(step.predicate in self.terms.booleans for step in steps) and target.classes:
            thing = self.with_constraints(target, (Has(steps, TRUE),))
            if thing is not None:
                yield "thing", thing, 0.1
        if not (words & _OF) or (target.is_bare and not target.classes):
            return
        fitting = tuple(step for step in steps if self.terms.step_fits(self.classes(target), step))
        if fitting:
            yield from self._asked(target, fitting, 0.05 if words & {"of", "does", "do", "did", "for"} else 0.3)

    def _asked(self, host: Thing, steps: Steps, price: float) -> Iterator[Result]:
        if all(step.predicate == HPC.column for step in steps):
            return
        literal = tuple(step for step in steps if self.terms.leads_to_literal(step)
                        or step.predicate in self.terms.quantities)  # fmt: skip
        other = tuple(step for step in steps if step not in literal)
        if literal:
            yield "asked", Asked(host, literal), price
        if other:
            yield "thing", Thing((), (), (Has(turned(other), host),)), price

    def _rel_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        target = right.meaning
        if target.is_bare and not target.classes:
            return
        steps = self._to_target(left.meaning, target)
        if steps:
            yield "con", (Has(steps, target),), 0.0
        elif not target.is_bare or set(gap) & {"the", "does"}:
            # "Who funds X": the doer is a literal.
            backward = tuple(
                step for step in left.meaning
                if not step.forward and self.terms.step_fits(self.classes(target), step.turned)
                and self.terms.leads_to_literal(step.turned)
            )  # fmt: skip
            if backward:
                yield "asked", Asked(target, turned(backward)), 0.4

    def _rel_con(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        """The verb says what the noun says again: "stored in ONNX format"."""
        if len(right.meaning) == 1 and isinstance(right.meaning[0], Has):
            said = {step.predicate for step in right.meaning[0].steps}
            if any(step.predicate in said for step in left.meaning):
                yield "con", right.meaning, 0.0

    def _thing_rel(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        thing = left.meaning
        if thing.is_bare or set(gap) & {"by"}:
            if thing.classes and all(step.predicate in self.terms.booleans for step in right.meaning):
                held = self.with_constraints(thing, (Has(right.meaning, TRUE),))
                if held is not None:
                    yield "thing", held, 0.2
            return
        steps = tuple(step for step in right.meaning if self.terms.step_fits(self.classes(thing), step))
        literal = tuple(step for step in steps if self.terms.leads_to_literal(step))
        other = tuple(step for step in steps if step not in literal)
        if literal:
            yield "asked", Asked(thing, literal), 0.4
        if other:
            yield "con", (Has(turned(other), thing),), 0.2

    def _thing_done(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        thing = self.with_constraints(left.meaning, (Has(right.meaning),)) if left.meaning.classes else None
        if thing is not None:
            yield "thing", thing, 0.4

    def _thing_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        thing, steps = left.meaning, right.meaning
        words = set(gap)
        fitting = tuple(step for step in steps if self.terms.step_fits(self.classes(thing), step))
        if not fitting or (thing.is_bare and not thing.classes):
            return
        if all(step.predicate in self.terms.booleans for step in fitting):
            held = self.with_constraints(thing, (Has(fitting, TRUE),))
            if held is not None:
                yield "thing", held, 0.2
        elif words & _HAVING and not words & {"'s"} and thing.classes:
            held = self.with_constraints(thing, (Has(fitting),))
            if held is not None:
                yield "thing", held, 0.5
        if "'s" in words or (not words & _HAVING and (thing.resources or thing.constraints)):
            yield from self._asked(thing, fitting, 0.1 if "'s" in words else 0.6 if thing.resources else 1.1)

    # Numbers and times
    # -----------------

    def _compare(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        word = left.meaning
        if word == "between":
            yield "low", right.meaning, 0.0
            return
        is_time = isinstance(right.meaning, Period)
        if is_time and word in (">", ">=", "<", "<=", "since", "after", "before", "until", "="):
            yield "amount", _time_amount(_OPERATORS[word], right.meaning), 0.0
        elif not is_time and word in (">", ">=", "<", "<=", "=", "!="):
            yield "amount", _amount(_OPERATORS[word], right.meaning), 0.0

    def _compare_after(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if not gap and right.meaning in (">=", "<="):
            yield "amount", _amount(_OPERATORS[right.meaning], left.meaning), 0.0

    def _range(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if not set(gap) & {"and", "to"}:
            return
        low, high = left.meaning, right.meaning
        if isinstance(low, Period) and isinstance(high, Period):
            yield "amount", Amount(Operator.EQUAL, low.first, high.after, is_time=True), 0.0
        elif isinstance(high, Quantity) and isinstance(low, (Quantity, Decimal)):
            amount = low.number if isinstance(low, Quantity) else low
            if not isinstance(low, Quantity) or low.unit == high.unit:
                yield "amount", Amount(Operator.EQUAL, str(amount), str(high.number), high.unit.iri), 0.0
        elif isinstance(low, Decimal) and isinstance(high, Decimal):
            yield "amount", Amount(Operator.EQUAL, str(low), str(high)), 0.0

    def _measured(self, steps: Steps, amount: Amount) -> Steps:
        terms = self.terms
        if amount.is_time:
            return tuple(step for step in steps if step.forward and step.predicate in terms.times)
        if amount.unit is not None:
            return tuple(step for step in steps if step.forward and step.predicate in terms.quantities)
        return tuple(
            step
            for step in steps
            if step.forward and (step.predicate in terms.numeric or step.predicate in terms.quantities)
        )

    def _noun_amount(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        steps = self._measured(left.meaning, right.meaning)
        if steps:
            yield "con", (Has(steps, right.meaning),), 0.0

    def _noun_number(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        for kind, meaning, price in self._noun_amount(
            left, replace(right, meaning=_amount(Operator.EQUAL, right.meaning)), gap
        ):
            yield kind, meaning, price + 0.1

    def _noun_quantity(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        yield from self._noun_number(left, right, gap)

    def _noun_period(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        yield from self._noun_amount(left, replace(right, meaning=_time_amount(Operator.EQUAL, right.meaning)), gap)

    def _amount_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        found = list(self._noun_amount(right, left, gap))
        yield from found
        amount = left.meaning
        if not found and amount.unit is None and not amount.is_time and not amount.upper:
            steps = tuple(step for step in right.meaning if step.predicate not in self.terms.numeric)
            if steps and amount.number == int(amount.number):
                yield "con", (Numbered(steps, None, amount.operator, int(amount.number)),), 0.1

    def _number_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if not gap:
            yield from (
                (kind, meaning, price + 0.2)
                for kind, meaning, price in self._amount_noun(
                    replace(left, meaning=_amount(Operator.EQUAL, left.meaning)), right, gap
                )
            )

    def _quantity_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        yield from self._noun_quantity(right, left, gap)

    def _amount_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        amount, target = left.meaning, right.meaning
        is_plain = amount.unit is None and not amount.is_time and not amount.upper
        if is_plain and target.is_bare and target.classes and amount.number == int(amount.number):
            yield "numbered", (target, amount.operator, int(amount.number)), 0.1

    def _number_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if right.meaning.is_bare and right.meaning.classes and left.meaning == int(left.meaning) and not gap:
            yield "nthing", (right.meaning, int(left.meaning)), 0.0

    def _thing_amount(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        amount = right.meaning
        if amount.is_time:
            yield from self._thing_time(left.meaning, amount)
        elif amount.unit is not None and left.meaning.classes:
            for term in sorted(self.terms.quantities, key=str):
                thing = self.with_constraints(left.meaning, (Has((Step(term),), amount),))
                if thing is not None:
                    yield "thing", thing, 1.2

    def _thing_period(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if set(gap) & {"in", "on", "from", "during", "of"}:
            yield from self._thing_time(left.meaning, _time_amount(Operator.EQUAL, right.meaning))

    def _thing_time(self, thing: Thing, amount: Amount) -> Iterator[Result]:
        if not thing.classes:
            return
        for term in sorted(self.terms.times, key=str):
            held = self.with_constraints(thing, (Has((Step(term),), amount),))
            if held is not None:
                yield "thing", held, 0.6 if "start" in term.value.lower() else 1.0

    # Negation, and two at once
    # -------------------------

    @joining
    def _con_con(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if "or" in gap:
            if len(left.meaning) == len(right.meaning) == 1:
                yield "con", (Either((*left.meaning, *right.meaning)),), 0.05
        else:
            yield "con", (*left.meaning, *right.meaning), 0.05 if "and" in gap or "," in gap else 0.1

    def _not_con(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if len(right.meaning) == 1 and isinstance(right.meaning[0], (Has, Derived)) and not right.meaning[0].negated:
            yield "con", (replace(right.meaning[0], negated=True),), 0.0

    def _not_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        steps = right.meaning
        target: Choice | Amount | None = None
        if all(step.predicate in self.terms.booleans for step in steps):
            target = TRUE
        elif all(step.predicate in self.terms.numeric for step in steps):
            # "Without GPU nodes": none are stated, or the number is 0.
            target = Amount(Operator.MORE, "0")
        yield "con", (Has(steps, target, negated=True),), 0.0 if right.kind != "rel" else 0.3

    def _not_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if right.meaning.classes or right.meaning.resources:
            yield "notthing", right.meaning, 0.0

    def _except_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if right.meaning.resources or right.meaning.constraints:
            yield "con", (Other(right.meaning),), 0.0
        yield "notthing", right.meaning, 0.3

    def _except_value(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        yield "notvalue", right.meaning, 0.0

    def _noun_notvalue(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        has = self._chosen(left.meaning, right.meaning)
        if has is not None:
            yield "con", (replace(has, negated=True),), 0.0

    def _noun_notthing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        steps = self._to_target(left.meaning, right.meaning)
        if steps and not right.meaning.is_bare:
            yield "con", (Has(steps, right.meaning, negated=True),), 0.0

    def _amount_amount(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if set(gap) & {"and", "but", ","} and left.meaning.is_time == right.meaning.is_time:
            yield "amounts", (left.meaning, right.meaning), 0.0

    def _amounts_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        both = [self._measured(right.meaning, one) for one in left.meaning]
        if all(both):
            yield "con", tuple(Has(steps, one) for steps, one in zip(both, left.meaning, strict=True)), 0.0

    def _thing_notvalue(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if self.classes(left.meaning):
            for term, values in right.meaning.by_property:
                thing = self.with_constraints(left.meaning, (Has((Step(term),), Choice(values), negated=True),))
                if thing is not None:
                    yield "thing", thing, 0.6

    def _thing_notthing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if left.meaning.classes:
            for steps, price in self.between(left.meaning.classes, self.classes(right.meaning)):
                thing = self.with_constraints(left.meaning, (Has(steps, right.meaning, negated=True),))
                if thing is not None:
                    yield "thing", thing, 0.6 + price

    # Superlatives
    # ------------

    def _sortable(self, steps: Steps) -> Steps:
        terms = self.terms
        return tuple(step for step in steps if step.forward and
                     step.predicate in (terms.numeric | terms.times.keys() | terms.quantities))  # fmt: skip

    def _is_better_small(self, steps: Steps, *, only: str = "") -> bool:
        labels = {stem_key(self.terms.schema.property_label(step.predicate)).split()[-1] for step in steps}
        small = self.terms.lexicon.groups["superlatives"]
        return any("smaller_is_better" in small.get(label, ()) and only in (label, "") for label in labels)

    def _best_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        steps = self._sortable(right.meaning)
        if steps:
            yield "extreme", (steps, left.meaning != self._is_better_small(steps)), 0.0

    def _noun_con(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        """The verb says the noun again: "which vendor made X"."""
        if len(right.meaning) == 1 and isinstance(right.meaning[0], Has) and isinstance(right.meaning[0].target, Thing):
            has = right.meaning[0]
            steps = tuple(step for step in left.meaning if step.turned in has.steps and step.forward)
            if steps and not has.negated:
                yield from self._asked(right.meaning[0].target, steps, 0.1)

    def _most_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        steps = self._sortable(right.meaning)
        if self._is_better_small(steps, only="rank"):
            # The highest rank is the first.
            yield "extreme", (steps, not left.meaning), 0.0
            return
        if steps:
            yield "extreme", (steps, left.meaning), 0.0
        else:
            yield "extremecount", (right.meaning, left.meaning), 0.2

    def _most_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if right.meaning.is_bare and right.meaning.classes:
            yield "mostthing", (right.meaning, left.meaning), 0.0
            yield "topthing", (right.meaning, left.meaning, 1), 0.1

    def _most_number(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if right.meaning == int(right.meaning) and right.meaning > 0 and not gap:
            yield "top", (left.meaning, int(right.meaning)), 0.0

    def _thing_numbered(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        target, operator, number = right.meaning
        for steps, price in self.between(self.classes(left.meaning), target.classes):
            thing = self.with_constraints(left.meaning, (Numbered(steps, target, operator, number),))
            if thing is not None:
                yield "thing", thing, 0.3 + price

    def _thing_mostthing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        target, is_greatest = right.meaning
        for steps, price in self.between(self.classes(left.meaning), target.classes):
            thing = self.with_constraints(left.meaning, (Extreme(steps, is_greatest, by_count=True),))
            if thing is not None:
                yield "thing", thing, 0.3 + price

    def _thing_extremecount(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        steps, is_greatest = right.meaning
        thing = self.with_constraints(left.meaning, (Extreme(steps, is_greatest, by_count=True),))
        if thing is not None and left.meaning.classes:
            yield "thing", thing, 0.1

    def _top_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if right.meaning.classes:
            yield "topthing", (right.meaning, *left.meaning), 0.0

    def _top_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        steps = self._sortable(right.meaning)
        if steps:
            yield "extremen", (steps, *left.meaning), 0.0

    def _topthing_con(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        thing = self.with_constraints(left.meaning[0], right.meaning)
        if thing is not None:
            yield "topthing", (thing, *left.meaning[1:]), 0.0

    def _topthing_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if set(gap) & {"by", "in", "with", "to"}:
            yield from self._topped(left, self._sortable(right.meaning))

    def _topthing_per(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if isinstance(right.meaning, tuple):
            yield from self._topped(left, self._sortable(right.meaning))

    def _topped(self, left: Edge, steps: Steps) -> Iterator[Result]:
        thing, is_greatest, number = left.meaning
        if steps:
            held = self.with_constraints(thing, (Extreme(steps, is_greatest, number),))
            if held is not None:
                yield "thing", held, 0.0

    def _number_extreme(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if left.meaning == int(left.meaning) and left.meaning > 0:
            steps, is_greatest = right.meaning
            yield "extremen", (steps, is_greatest, int(left.meaning)), 0.0

    def _extreme_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if right.meaning.classes and not right.meaning.resources:
            yield from self._extremes(right.meaning, left.meaning, gap)

    def _thing_extreme(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if left.meaning.classes and not left.meaning.resources:
            yield from self._extremes(left.meaning, right.meaning, gap)

    def _extremes(self, thing: Thing, meaning: Any, gap: Sequence[str]) -> Iterator[Result]:
        steps, is_greatest, *number = meaning
        held = self.with_constraints(thing, (Extreme(steps, is_greatest, *number),))
        if held is not None:
            yield "thing", held, 0.0

    def _nthing_extreme(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        thing, number = left.meaning
        yield from self._extremes(thing, (*right.meaning[:2], number), gap)

    def _nthing_con(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        thing = self.with_constraints(left.meaning[0], right.meaning)
        if thing is not None:
            yield "nthing", (thing, left.meaning[1]), 0.0

    def _asked_extreme(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        for _, host, price in self._extremes(left.meaning.host, right.meaning, gap):
            yield "asked", replace(left.meaning, host=host), price

    # Counts and sums
    # ---------------

    def _count(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        meaning = right.meaning
        if isinstance(meaning, Asked) or meaning.classes or meaning.constraints:
            yield "counted", Counted(meaning), 0.0

    def _counted_con(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if isinstance(left.meaning.what, Thing):
            thing = self.with_constraints(left.meaning.what, right.meaning)
            if thing is not None:
                yield "counted", replace(left.meaning, what=thing), 0.0

    def _each_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        yield "per", right.meaning, 0.0

    def _each_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if right.meaning.is_bare and right.meaning.classes:
            yield "per", right.meaning, 0.1

    def _groupings(self, what: Thing, per: Any) -> Iterator[tuple[Grouping, float]]:
        if isinstance(per, Thing):
            for steps, price in self.between(self.classes(what), per.classes):
                yield Grouping(steps), price
        else:
            steps = tuple(step for step in per if self.terms.step_fits(self.classes(what), step))
            if steps:
                yield Grouping(steps), 0.0

    def _counted_per(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        what = left.meaning.what
        if isinstance(what, Thing) and left.meaning.per is None:
            for grouping, price in self._groupings(what, right.meaning):
                yield "counted", replace(left.meaning, per=grouping), price

    def _thing_per(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if left.meaning.classes and not left.meaning.resources:
            for grouping, price in self._groupings(left.meaning, right.meaning):
                yield "counted", Counted(left.meaning, grouping), price + 0.8

    def _aggregate_noun(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        steps = tuple(step for step in right.meaning if step.predicate in self.terms.numeric)
        if left.meaning in _FUNCTIONS and steps:
            yield "total", (_FUNCTIONS[left.meaning], steps), 0.0

    def _aggregate_asked(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        steps = tuple(step for step in right.meaning.steps if step.predicate in self.terms.numeric)
        if left.meaning in _FUNCTIONS and steps:
            yield "summary", Summary(_FUNCTIONS[left.meaning], replace(right.meaning, steps=steps)), 0.0

    def _total_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        function, steps = left.meaning
        fitting = tuple(step for step in steps if self.terms.step_fits(self.classes(right.meaning), step))
        if fitting and (right.meaning.classes or right.meaning.constraints):
            yield "summary", Summary(function, Asked(right.meaning, fitting)), 0.0

    def _total_per(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        yield "totalper", (*left.meaning, right.meaning), 0.0

    def _totalper_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        function, steps, per = left.meaning
        for kind, meaning, price in self._total_thing(replace(left, meaning=(function, steps)), right, gap):
            for grouping, more in self._groupings(meaning.what.host, per):
                yield kind, replace(meaning, per=grouping), price + more

    def _summary_per(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        for grouping, price in self._groupings(left.meaning.what.host, right.meaning):
            yield "summary", replace(left.meaning, per=grouping), price

    def _summary_con(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        host = self.with_constraints(left.meaning.what.host, right.meaning)
        if host is not None:
            yield "summary", replace(left.meaning, what=replace(left.meaning.what, host=host)), 0.0

    def _asked_con(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        host = self.with_constraints(left.meaning.host, right.meaning)
        if host is not None:
            yield "asked", replace(left.meaning, host=host), 0.0

    # Lineage
    # -------

    def _lineage_thing(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        target = right.meaning
        if target.is_bare:
            return
        from_target = left.kind != "origins"
        if left.kind == "upstream":
            yield "con", (Derived(target, True),), 0.5
        elif set(gap) & {"of", "for", "the"}:
            yield "thing", Thing((), (), (Derived(target, from_target),)), 0.2

    def _thing_lineage(self, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if left.meaning.resources or left.meaning.constraints:
            from_target = right.kind == "affected"
            if not (from_target and set(gap) & {"by"}):
                yield "con", (Derived(left.meaning, from_target),), 0.6


def _amount(operator: Operator, value: object) -> Amount:
    if isinstance(value, Quantity):
        return Amount(operator, str(value.number), unit=value.unit.iri)
    return Amount(operator, str(value))


def _time_amount(operator: Operator, period: Period) -> Amount:
    return Amount(operator, period.first, period.after, is_time=True)
