"""Rules for what things were made from, and for what is said of them through the activity that made or used them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.grammar import Constraints, Grammar, RuleTable
from hpc_explorer.language.meaning import Amount, Choice, Derived, Has, Steps, Thing, turned
from hpc_explorer.rdf.terms import NamedNode

RULES = RuleTable()

_MOST_OWNERS = 3


def by_activity(grammar: Grammar, steps: Steps, target: Thing) -> Iterator[Result]:
    """What an activity did for somebody: "models trained by X" were made in an experiment that X conducted."""
    if target.is_bare:
        return
    for activity in sorted(grammar.terms.activities, key=str):
        made = grammar.to_target(steps, Thing((activity,)))
        for ways, price in grammar.between((activity,), grammar.classes(target)) if made else ():
            yield "con", (Has(made, Thing((activity,), (), (Has(ways, target),))),), 0.7 + price


def through_activity(grammar: Grammar, thing: Thing, constraints: Constraints) -> Iterator[Result]:
    """What does not hold for a thing may hold for what used or made it: "the clusters that X was trained on"."""
    only = constraints[0]
    if len(constraints) != 1 or thing.constraints or not (thing.is_bare or thing.resources):
        return
    classes = grammar.classes(thing)
    if not classes:
        return
    if not isinstance(only, Has) or only.negated or not isinstance(only.target, Thing) or only.target.is_bare:
        return
    terms = grammar.terms
    between = {cls for step in only.steps for cls in terms.leads_to(step.turned)} & terms.activities
    for activity in sorted(between, key=str):
        holds = grammar.with_constraints(Thing((activity,)), constraints)
        for steps, price in grammar.between(classes, (activity,)) if holds is not None else ():
            found = grammar.with_constraints(thing, (Has(steps, holds),))
            if found is not None:
                yield "thing", found, 0.7 + price


def through_owner(grammar: Grammar, thing: Thing, constraints: Constraints) -> Iterator[Result]:
    """What does not hold for a thing may hold for what it is linked to: "experiments in Norway" ran there."""
    only = constraints[0]
    is_value = isinstance(only, Has) and isinstance(only.target, (Choice, Amount))
    if len(constraints) != 1 or not isinstance(only, Has) or not is_value or not thing.classes or thing.resources:
        return
    owners: dict[Steps, list[tuple[NamedNode, float]]] = {}
    for cls, ways, price in grammar.owners(only.steps, thing.classes):
        owners.setdefault(ways, []).append((cls, price))
    for ways, several in owners.items():
        if len(several) > _MOST_OWNERS:
            # A property of everything, such as a value, says nothing about what is meant.
            continue
        price = min(price for _, price in several)
        owner = Thing(tuple(cls for cls, _ in several), (), (replace(only, negated=False),))
        found = grammar.with_constraints(thing, (Has(turned(ways), owner, negated=only.negated),))
        if found is not None:
            yield "thing", found, 0.9 + price


@RULES.add("con", "thing")
def done_in(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """What X used in the last experiment: in an activity of X of which this holds."""
    only = left.meaning[0]
    if len(left.meaning) != 1 or not isinstance(only, Has) or not isinstance(only.target, Thing):
        return
    is_in = bool(set(gap) & {"in", "during", "for"}) and right.meaning.constraints and not right.meaning.resources
    if is_in and only.target.classes and only.target.classes == right.meaning.classes:
        inner = grammar.with_constraints(only.target, right.meaning.constraints)
        if inner is not None:
            yield "con", (replace(only, target=inner),), 0.1


@RULES.add("usedto", "thing")
def used_to(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Used to train X: used by what made X."""
    uses, makes = left.meaning
    steps = grammar.to_target(makes, right.meaning)
    if steps and not right.meaning.is_bare:
        yield "con", (Has(uses, Thing((), (), (Has(steps, right.meaning),))),), 0.1


@RULES.add("upstream", "thing")
@RULES.add("origins", "thing")
@RULES.add("affected", "thing")
def lineage_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    target = right.meaning
    if target.is_bare:
        return
    from_target = left.kind != "origins"
    if left.kind == "upstream":
        yield "con", (Derived(target, True),), 0.5
    elif set(gap) & {"of", "for", "the"}:
        yield "thing", Thing((), (), (Derived(target, from_target),)), 0.2


@RULES.add("thing", "upstream")
@RULES.add("thing", "origins")
@RULES.add("thing", "affected")
def thing_lineage(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if left.meaning.resources or left.meaning.constraints:
        from_target = right.kind == "affected"
        if not (from_target and set(gap) & {"by"}):
            yield "con", (Derived(left.meaning, from_target),), 0.6


@RULES.add("thing", "fault")
def thing_fault(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """X was wrong."""
    if not left.meaning.is_bare:
        yield "faulty", left.meaning, 0.0


@RULES.add("faultin", "thing")
def fault_in_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """An error in X."""
    if not right.meaning.is_bare:
        yield "faulty", right.meaning, 0.0


@RULES.add("affected", "faulty")
def affected_by_fault(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Affected if X was wrong."""
    yield "con", (Derived(right.meaning, True),), 0.0


@RULES.add("faulty", "thing")
def fault_first(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """If X was wrong, which models would be affected."""
    yield "iffaulty", (left.meaning, right.meaning), 0.0


@RULES.add("iffaulty", "affected")
def if_faulty(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    target, thing = left.meaning
    held = grammar.with_constraints(thing, (Derived(target, True),))
    if held is not None:
        yield "thing", held, 0.0


@RULES.add("into", "thing")
def into_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Went into X."""
    if not right.meaning.is_bare:
        yield "con", (Derived(right.meaning, False),), 0.0
