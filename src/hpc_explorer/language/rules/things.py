"""Rules for things, their properties and values, and what they were made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.finding import ValueSet
from hpc_explorer.language.grammar import Grammar, RuleTable
from hpc_explorer.language.meaning import (
    TRUE,
    Amount,
    Asked,
    Choice,
    Compared,
    Extreme,
    Has,
    Numbered,
    Step,
    Steps,
    Thing,
    turned,
)
from hpc_explorer.language.rules.lineage import by_activity, through_activity, through_owner
from hpc_explorer.language.words import word_set
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import HPC

RULES = RuleTable()

_OF = word_set("of for 's does do did is has in by have are had was were")
_IMPERATIVES = word_set("list show give tell find name count get")
_INSIDE = word_set("in on at within under into inside")
_ALL = word_set("all every each")
_ONLY = word_set("only just exclusively solely")
_HAVING = frozenset(["with", "has", "have", "having", "had"])
_BEING = frozenset(("is", "are", "was", "were"))


@RULES.add("thing", "con")
def thing_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    constraints = right.meaning
    if set(gap) & _ONLY:
        only = constraints[0]
        if len(constraints) > 1 or not isinstance(only, Has) or not isinstance(only.target, Thing) or only.negated:
            return
        constraints = (replace(only, only=True),)
    thing = grammar.with_constraints(left.meaning, constraints)
    if thing is None and constraints is right.meaning:
        yield from through_activity(grammar, left.meaning, right.meaning)
        yield from through_owner(grammar, left.meaning, right.meaning)
    elif thing is not None and (thing.classes or thing.resources or left.price >= 0):
        last = left.meaning.constraints[-1:] if left.meaning.constraints else ()
        over = any(isinstance(one, Has) and isinstance(one.target, Thing) for one in last)
        # A thing with a name needs no condition.
        is_known = len(thing.resources) == 1 and not thing.classes and not set(gap) & {"that", "which", "who", "is"}
        yield "thing", thing, (0.15 if over else 0.0) + (0.6 if is_known else 0.0)


@RULES.add("having", "con")
def having_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Trained with a batch size of 32."""
    if all(isinstance(one, Has) and isinstance(one.target, (Choice, Amount)) for one in right.meaning):
        yield "con", right.meaning, 0.1


@RULES.add("noun", "having")
def noun_having(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The batch size that it was trained with: the verb adds nothing."""
    if set(gap) & {"it", "they"}:
        yield "noun", left.meaning, 0.1


@RULES.add("noun", "consuming")
def noun_consuming(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Energy use."""
    if not gap and any(step.predicate in grammar.terms.numeric for step in left.meaning):
        yield "noun", left.meaning, 0.1


@RULES.add("asked", "consuming")
@RULES.add("askedper", "consuming")
def asked_consuming(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The verb of a question about a property adds nothing: "how much energy did X use"."""
    # "What did the run cost" does not ask when it ran.
    if "that" not in gap and not all(_is_time(grammar, step) for step in left.meaning.steps):
        yield left.kind, left.meaning, 0.1


def _is_time(grammar: Grammar, step: Step) -> bool:
    """Whether a property says when; in crates, times are plain texts."""
    terms, predicate = grammar.terms, step.predicate
    if predicate in terms.numeric or predicate in terms.quantities or predicate in terms.durations:
        return False
    return predicate in terms.times or terms.property_label(predicate).casefold().endswith((" time", " date"))


@RULES.add("con", "thing")
def con_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    is_named = "of" in gap and bool(right.meaning.resources) and not right.meaning.constraints
    if _is_each(right, gap):
        return
    is_first = all(isinstance(one, Extreme) for one in right.meaning.constraints) and not right.meaning.resources
    if is_named or (is_first and right.meaning.classes):
        thing = grammar.with_constraints(right.meaning, left.meaning)
        if thing is not None:
            yield "thing", thing, 0.1 if is_named else 0.3


def _is_each(edge: Edge, gap: Sequence[str]) -> bool:
    """Whether all things of a class are meant: "used every dataset" is no condition about one of them."""
    is_each = any(lexeme.meaning == "each" for lexeme in edge.lexemes)
    return bool(set(gap) & _ALL) or (is_each and edge.meaning.is_bare)


@RULES.add("thing", "thing", joins=True)
def thing_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    one, other = left.meaning, right.meaning
    words = set(gap)
    if one.classes and _is_each(right, gap):
        return
    if words & {"or", "and", ",", "vs", "versus"}:
        if one.resources and other.resources and not one.constraints and not other.constraints and not (
            one.classes and other.classes and one.classes != other.classes
        ) and grammar.are_alike(one, other):  # fmt: skip
            both = Thing(one.classes, (*one.resources, *other.resources))
            yield "thing", both, 0.05
            if "or" not in words:
                yield "thing", replace(both, is_all=True), 0.15
        if one.is_bare and other.is_bare and one.classes and other.classes and words & {"or", "and"}:
            yield "thing", Thing((*one.classes, *other.classes)), 0.1
        return
    if one.is_bare and other.is_bare and one.classes and other.classes and words & {"is", "are"}:
        if set(other.classes) <= grammar.terms.at_or_below(one.classes):
            yield "thing", other, 0.1
        return
    if not one.classes and one.is_bare:
        # "What is on X" does not ask for X.
        is_inside = bool(words & _INSIDE) and other.resources and not other.constraints
        if (other.classes or other.resources or other.constraints) and not is_inside:
            yield "thing", other, 0.1
        return
    if one.is_bare and one.classes:
        yield from class_then_thing(grammar, one, other, words)
    if one.resources and not one.classes and other.classes and words & _HAVING:
        # "Does X have models without a licence".
        for steps, price in grammar.between(other.classes, grammar.classes(one)):
            held = grammar.with_constraints(other, (Has(steps, one),))
            if held is not None:
                yield "thing", held, 0.5 + price
    if len(one.resources) > 1 and not one.is_all and other.classes and not other.is_bare and words & _HAVING:
        # "Which of them has an NVIDIA GPU".
        for steps, price in grammar.between(grammar.classes(one), other.classes):
            held = grammar.with_constraints(one, (Has(steps, other),))
            if held is not None:
                yield "thing", held, 0.5 + price
    if (
        one.resources
        and not one.constraints
        and not one.classes
        and other.is_bare
        and other.classes
        and not words - {"'s"}
    ):
        its = grammar.terms.classes_of(one.resources)
        below = grammar.terms.at_or_below(other.classes)
        fitting = tuple(res for res in one.resources if not below.isdisjoint(grammar.terms.types.get(res, frozenset())))
        if fitting:
            yield "thing", replace(other, resources=fitting), 0.0
        else:
            for steps, price in grammar.between(other.classes, tuple(sorted(its, key=str))):
                yield "thing", replace(other, constraints=(Has(steps, one),)), 0.7 + price


@RULES.add("both", "thing")
def both_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.is_all:
        yield "thing", right.meaning, -0.5


def class_then_thing(grammar: Grammar, one: Thing, other: Thing, words: set[str]) -> Iterator[Result]:
    if other.resources and not other.classes:
        below = grammar.terms.at_or_below(one.classes)
        fitting = tuple(
            res for res in other.resources if not below.isdisjoint(grammar.terms.types.get(res, frozenset()))
        )
        if fitting and not words & {"of", "by", "from", "in", "on", "for"}:
            named = other.is_named or bool(words & {"named", "called"})
            yield "thing", replace(one, resources=fitting, constraints=other.constraints, is_named=named), 0.0
    if not other.resources and other.constraints and grammar.are_alike(one, other) and not words & {"of", "by"}:
        # "Who are the contributors of X".
        merged = grammar.with_constraints(replace(one, constraints=()), other.constraints)
        if merged is not None and (not other.classes or set(one.classes) >= set(other.classes)):
            yield "thing", merged, 0.1
    if (other.resources or other.constraints) and words:
        its = grammar.classes(other)
        for steps, price in grammar.between(one.classes, its) if its else ():
            yield "thing", replace(one, constraints=(Has(steps, other),)), 0.9 + price


@RULES.add("inside", "thing")
def inside_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Installed in X: linked to it by any property."""
    if not right.meaning.is_bare:
        yield "insidething", right.meaning, 0.0


@RULES.add("thing", "insidething")
def thing_inside(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if left.meaning.is_bare and left.meaning.classes:
        yield from class_then_thing(grammar, left.meaning, right.meaning, {"in"})


@RULES.add("thing", "belong")
@RULES.add("thing", "weak")
def thing_belongs(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """X belongs to; X are kept."""
    if left.meaning.classes or left.meaning.resources:
        yield "outer", left.meaning, 0.0


@RULES.add("thing", "outer")
def which_belongs(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Which dataset does X belong to; in which store are X kept."""
    if left.meaning.is_bare and left.meaning.classes and set(gap) & {"does", "do", "did", "that", "is", "are"}:
        for steps, price in grammar.between(left.meaning.classes, grammar.classes(right.meaning)):
            yield "thing", replace(left.meaning, constraints=(Has(steps, right.meaning),)), 0.9 + price


@RULES.add("thing", "value")
def thing_value(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not grammar.classes(left.meaning):
        return
    for term, values in right.meaning.by_property:
        constraint = Has((Step(term),), Choice(values))
        thing = grammar.with_constraints(left.meaning, (constraint,))
        if thing is not None:
            yield "thing", thing, 0.8
        elif gap:
            for kind, meaning, price in through_owner(grammar, left.meaning, (constraint,)):
                yield kind, meaning, price + 0.3


@RULES.add("value", "thing")
def value_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.classes and not set(gap) - {"'s", "-", "based"}:
        yield from thing_value(grammar, right, left, gap)


@RULES.add("value", "value", joins=True)
def value_value(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if set(gap) & {"or", "and", ","}:
        mine, its = dict(left.meaning.by_property), dict(right.meaning.by_property)
        both = tuple((term, (*mine[term], *its[term])) for term in mine if term in its)
        if both:
            yield "value", ValueSet(both), 0.05


@RULES.add("noun", "value")
def noun_of_value(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The depth of the decision tree: of what has this value."""
    for term, values in right.meaning.by_property if "of" in gap else ():
        thing = Thing((), (), (Has((Step(term),), Choice(values)),))
        fitting = tuple(step for step in left.meaning if grammar.terms.step_fits(grammar.classes(thing), step))
        if fitting:
            yield from questions_about(grammar, thing, fitting, 1.0)


@RULES.add("noun", "value")
@RULES.add("rel", "value")
def noun_value(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    has = grammar.chosen(left.meaning, right.meaning)
    if has is not None:
        yield "con", (has,), 0.0


@RULES.add("value", "noun")
def value_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not set(gap) - {"as", "'s", "is"}:
        has = grammar.chosen(right.meaning, left.meaning)
        if has is not None:
            yield "con", (has,), 0.0


@RULES.add("value", "rel")
def value_rel(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """A body that is only a literal: "projects that the NSF funds"; and "GPL licensed"."""
    has = grammar.chosen(right.meaning, left.meaning) or grammar.chosen(turned(right.meaning), left.meaning)
    if has is not None:
        yield "con", (has,), 0.2


@RULES.add("noun", "thing")
def noun_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps, target = left.meaning, right.meaning
    words = set(gap)
    if "by" in words and words & _ALL:
        return
    if target.resources and not target.classes and all(step.predicate in LABEL_PREDICATES for step in steps):
        yield "thing", replace(target, is_named=True), 0.0
    to_target = grammar.to_target(steps, target)
    if to_target and (target.resources or target.constraints or target.classes) and not _is_each(right, gap):
        yield "con", (Has(to_target, target, only=bool(words & _ONLY)),), 0.0 if not target.is_bare else 0.2
    if all(step.predicate in grammar.terms.booleans for step in steps) and target.classes:
        thing = grammar.with_constraints(target, (Has(steps, TRUE),))
        if thing is not None:
            yield "thing", thing, 0.1
    if not (words & _OF) or (target.is_bare and not target.classes):
        return
    fitting = tuple(step for step in steps if grammar.terms.step_fits(grammar.classes(target), step))
    if fitting:
        yield from questions_about(
            grammar, target, fitting, 0.05 if words & {"of", "does", "do", "did", "for"} else 0.3
        )


def questions_about(grammar: Grammar, host: Thing, steps: Steps, price: float) -> Iterator[Result]:
    if all(step.predicate == HPC.column for step in steps):
        return
    literal = tuple(step for step in steps if grammar.terms.leads_to_literal(step)
                    or step.predicate in grammar.terms.quantities)  # fmt: skip
    other = tuple(step for step in steps if step not in literal)
    if literal:
        yield "asked", Asked(host, literal), price
    if other:
        yield "thing", Thing((), (), (Has(turned(other), host),)), price


@RULES.add("rel", "thing")
def rel_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    target = right.meaning
    if target.is_bare and not target.classes:
        return
    if _is_each(right, gap):
        return
    steps = grammar.to_target(left.meaning, target)
    if target.resources:
        for part_of in grammar.parts(target, left.meaning):
            # "Generated in X": in a part of X.
            yield "con", (Has(left.meaning, Thing((), (), (Has(part_of, target),))),), 1.0
    if steps:
        only = bool(set(gap) & _ONLY)
        yield "con", (Has(steps, target, only=only),), 0.25 if target.is_bare else 0.0
        return
    yield from by_activity(grammar, left.meaning, target)
    if not target.is_bare or set(gap) & {"the", "does"}:
        # "Who funds X": the doer is a literal.
        backward = tuple(
            step for step in left.meaning
            if not step.forward and grammar.terms.step_fits(grammar.classes(target), step.turned)
            and grammar.terms.leads_to_literal(step.turned)
        )  # fmt: skip
        if backward:
            yield "asked", Asked(target, turned(backward)), 0.4


@RULES.add("rel", "value")
def rel_value(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Who trained the random forest: what has this value."""
    for term, values in right.meaning.by_property:
        thing = Thing((), (), (Has((Step(term),), Choice(values)),))
        steps = grammar.to_target(left.meaning, thing)
        if steps:
            yield "con", (Has(steps, thing),), 0.8
        else:
            yield from by_activity(grammar, left.meaning, thing)


@RULES.add("noun", "rel")
def their_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    said = {step.predicate for step in right.meaning}
    if set(gap) & {"it", "they"} and any(step.predicate in said for step in left.meaning):
        yield "theirnoun", left.meaning, 0.0


@RULES.add("thing", "theirnoun")
def thing_their_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Log files and the application they target."""
    fitting = tuple(step for step in right.meaning if grammar.terms.step_fits(grammar.classes(left.meaning), step))
    if fitting and left.meaning.classes and set(gap) & {"and", "with"}:
        yield "asked", Asked(left.meaning, fitting), 0.1


@RULES.add("thing", "rel")
def their_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The projects they work on; the person who made them."""
    is_doer = bool(set(gap) & {"who", "that", "which"})
    steps = grammar.to_target(turned(right.meaning) if is_doer else right.meaning, left.meaning)
    below = grammar.terms.at_or_below(left.meaning.classes)
    # "Used" leads to more than software.
    steps = tuple(step for step in steps if grammar.terms.leads_to(step) <= below) or steps
    if steps and left.meaning.is_bare and left.meaning.classes and (is_doer or set(gap) & {"it", "they"}):
        yield "theirnoun", steps, 0.3 if is_doer else 0.1


@RULES.add("per", "theirnoun")
def each_their_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """For each experiment, the software it used."""
    if isinstance(left.meaning, Thing):
        fitting = tuple(step for step in right.meaning if grammar.terms.step_fits(left.meaning.classes, step))
        if fitting:
            yield "askedper", Asked(left.meaning, fitting), 0.1


@RULES.add("per", "thing")
def each_their_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """For each experiment, the software."""
    if isinstance(left.meaning, Thing) and right.meaning.is_bare and right.meaning.classes and "the" in gap:
        for steps, price in grammar.between(left.meaning.classes, right.meaning.classes):
            if all(grammar.terms.leads_to(step) <= grammar.terms.at_or_below(right.meaning.classes) for step in steps):
                yield "askedper", Asked(left.meaning, steps), 0.5 + price


@RULES.add("rel", "con")
def rel_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The verb says what the noun says again: "stored in ONNX format"."""
    if len(right.meaning) == 1 and isinstance(right.meaning[0], Has):
        said = {step.predicate for step in right.meaning[0].steps}
        if any(step.predicate in said for step in left.meaning):
            yield "con", right.meaning, 0.0


@RULES.add("thing", "rel")
def thing_rel(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    thing = left.meaning
    if thing.is_bare or set(gap) & {"by"}:
        if thing.classes and all(step.predicate in grammar.terms.booleans for step in right.meaning):
            held = grammar.with_constraints(thing, (Has(right.meaning, TRUE),))
            if held is not None:
                yield "thing", held, 0.2
        return
    steps = tuple(step for step in right.meaning if grammar.terms.step_fits(grammar.classes(thing), step))
    literal = tuple(step for step in steps if grammar.terms.leads_to_literal(step))
    other = tuple(step for step in steps if step not in literal)
    if literal:
        yield "asked", Asked(thing, literal), 0.4
    if other:
        yield "con", (Has(turned(other), thing),), 0.2
    if not steps and not grammar.terms.people.isdisjoint(grammar.classes(thing)):
        # "What did X use": in what X conducted.
        yield from by_activity(grammar, turned(right.meaning), thing)


@RULES.add("value", "done")
def value_done(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """When was the decision tree trained: what has this value."""
    for term, values in left.meaning.by_property:
        thing = Thing((), (), (Has((Step(term),), Choice(values)),))
        steps = tuple(step for step in right.meaning if grammar.terms.step_fits(grammar.classes(thing), step))
        if steps:
            yield "con", (Has(turned(steps), thing),), 0.8


@RULES.add("thing", "linked")
def thing_linked(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The runs that X was associated with: this is said from either end."""
    steps = grammar.to_target(right.meaning, left.meaning)
    if steps and not left.meaning.is_bare:
        yield "con", (Has(steps, left.meaning),), 0.2


@RULES.add("linked", "thing")
def linked_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Who is associated with X."""
    steps = grammar.to_target(turned(left.meaning), right.meaning)
    if steps and not right.meaning.is_bare:
        yield "con", (Has(steps, right.meaning),), 0.2


@RULES.add("thing", "done")
def thing_done(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    thing = grammar.with_constraints(left.meaning, (Has(right.meaning),)) if left.meaning.classes else None
    if thing is not None:
        yield "thing", thing, 0.4
    if left.meaning.resources and not left.meaning.classes:
        # "On which machine was X trained".
        yield "con", (Has(turned(right.meaning), left.meaning),), 0.3


@RULES.add("con", "noun")
def con_and_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """With an accuracy above 0.9 and a licence."""
    if (
        "and" in gap
        and not set(gap) & {"their", "its", "the", "which", "what", "whose", "how", *_IMPERATIVES}
        and all(isinstance(one, Numbered) or (isinstance(one, Has) and not one.negated) for one in left.meaning)
    ):
        yield "con", (*left.meaning, Has(right.meaning)), 0.1


@RULES.add("noun", "noun")
@RULES.add("nouns", "noun")
def noun_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The start and end."""
    several = left.meaning if left.kind == "nouns" else (left.meaning,)
    if gap and not set(gap) - {"and", ",", "the"} and right.meaning not in several:
        yield "nouns", (*several, right.meaning), 0.0


@RULES.add("thing", "nouns")
def things_with(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Benchmarks with version and language."""
    if list(gap) == ["with"] and left.meaning.classes and not left.meaning.resources:
        for kind, meaning, price in nouns_of(grammar, right, left, ("of",)):
            yield kind, meaning, price + 0.2


@RULES.add("nouns", "thing")
@RULES.add("thing", "nouns", swapped=True)
def nouns_of(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The start and end of X; X with their start and end."""
    if not set(gap) & {"of", "for", "'s", "their", "its"} or (right.meaning.is_bare and not right.meaning.classes):
        return
    classes = grammar.classes(right.meaning)
    fitting = [tuple(step for step in steps if grammar.terms.step_fits(classes, step)) for steps in left.meaning]
    if all(fitting):
        yield "asked", Asked(right.meaning, fitting[0], tuple(fitting[1:])), 0.1


@RULES.add("thing", "noun")
def thing_noun(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    thing, steps = left.meaning, right.meaning
    words = set(gap)
    fitting = tuple(step for step in steps if grammar.terms.step_fits(grammar.classes(thing), step))
    if not fitting or (thing.is_bare and not thing.classes):
        return
    if all(step.predicate in grammar.terms.booleans for step in fitting):
        held = grammar.with_constraints(thing, (Has(fitting, TRUE),))
        if held is not None:
            yield "thing", held, 0.2
    elif words & _HAVING and not words & {"'s", "their", "its"} and thing.classes:
        held = grammar.with_constraints(thing, (Has(fitting),))
        if held is not None:
            yield "thing", held, 0.5
    if not gap and thing.classes and thing.is_bare and all(map(grammar.terms.leads_to_literal, fitting)):
        # "Model accuracy".
        yield "asked", Asked(thing, fitting), 0.7
    if words & {"their", "its"} and thing.classes:
        # "Models and their licences".
        yield "asked", Asked(thing, fitting), 0.1
    elif "'s" in words or (not words & _HAVING and (thing.resources or thing.constraints)):
        price = 0.1 if "'s" in words else 0.6 if thing.resources else 1.1
        also = "and" in words and not words & {"their", "its", *_IMPERATIVES}
        if also and words & {"a", "an"}:
            # "And a licence" is a condition.
            return
        yield from questions_about(grammar, thing, fitting, price + (0.5 if also else 0.0))


@RULES.add("consuming", "amount")
def consuming_amount(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """Took less than an hour."""
    if right.meaning.unit is not None:
        for term in sorted(grammar.terms.subjects, key=str):
            if grammar.terms.takes_unit(term, right.meaning.unit):
                yield "con", (Has((Step(term),), right.meaning),), 0.2


@RULES.add("consuming", "extreme")
@RULES.add("consuming", "con")
def consuming_con(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The verb adds nothing to a measure: "took the longest", "used more than 3 kWh"."""
    if right.kind == "extreme":
        yield "extreme", right.meaning, 0.1
    elif all(isinstance(one, Compared) or (isinstance(one, Has) and isinstance(one.target, Amount))
             for one in right.meaning):  # fmt: skip
        yield "con", right.meaning, 0.1


@RULES.add("asked", "rel")
def asked_rel(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The verb says the noun again: "in which language is X written"."""
    if not {step.predicate for step in right.meaning}.isdisjoint(step.predicate for step in left.meaning.steps):
        yield "asked", left.meaning, 0.0


@RULES.add("noun", "thing")
def noun_is_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    thing = right.meaning
    fitting = tuple(step for step in left.meaning if grammar.terms.step_fits(grammar.classes(thing), step))
    if fitting and not thing.is_bare and set(gap) & _BEING and not set(gap) - {*_BEING, "the"}:
        yield "nounis", (fitting, thing), 0.0


@RULES.add("nounis", "weak")
def noun_is_stored(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """In which file is X stored: the verb adds nothing to the noun."""
    steps, thing = left.meaning
    yield from questions_about(grammar, thing, steps, 0.1)


@RULES.add("noun", "belonging")
def noun_belonging(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "nounof", left.meaning, 0.2


@RULES.add("nounof", "thing")
def noun_of_thing(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """The licences used by the datasets."""
    fitting = tuple(step for step in left.meaning if grammar.terms.step_fits(grammar.classes(right.meaning), step))
    if fitting and (right.meaning.classes or not right.meaning.is_bare) and not _is_each(right, gap):
        yield from questions_about(grammar, right.meaning, fitting, 0.2)
