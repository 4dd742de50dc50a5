"""Say in English what a question was understood to mean."""

from __future__ import annotations

import re

from hpc_explorer.language.meaning import (
    Amount,
    Asked,
    Choice,
    Compared,
    Constraint,
    Counted,
    Derived,
    Difference,
    Either,
    Every,
    Extreme,
    Grouping,
    Has,
    Meaning,
    Numbered,
    Other,
    Part,
    Picked,
    Ratio,
    Several,
    Share,
    Spread,
    Step,
    Steps,
    Summary,
    Thing,
    Whether,
)
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.query.model.conditions import Operator
from hpc_explorer.query.model.query import AggregateFunction
from hpc_explorer.query.sentence.wording import with_article
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.quantities import unit_of
from hpc_explorer.rdf.terms import Literal, NamedNode

_SIGNS = {
    Operator.MORE: "more than", Operator.AT_LEAST: "at least", Operator.LESS: "less than",
    Operator.AT_MOST: "at most", Operator.EQUAL: "exactly", Operator.UNEQUAL: "not",
}  # fmt: skip
_TIMES = {
    Operator.MORE: "after", Operator.AT_LEAST: "on or after", Operator.LESS: "before", Operator.AT_MOST: "until",
    Operator.EQUAL: "in", Operator.UNEQUAL: "not in",
}  # fmt: skip
_FUNCTIONS = {
    AggregateFunction.AVERAGE: "average", AggregateFunction.SUM: "sum of the", AggregateFunction.LEAST: "smallest",
    AggregateFunction.MOST: "greatest", Spread.RANGE: "difference between the greatest and the smallest",
}  # fmt: skip
_ACTIVE = ("used", "generated", "informed")
_VERBS = (
    "was",
    "has",
    "had",
    "is",
    "runs",
    "used",
    "generated",
    "supports",
    "refers",
    "executes",
    "implements",
    "informed",
)
_MOST_LISTED = 4


class Teller:
    """Says meanings with the labels of one graph."""

    def __init__(self, terms: GraphTerms) -> None:
        self._terms = terms

    def sentence(self, meaning: Meaning) -> str:
        """A meaning as a phrase with a capital letter and no full stop."""
        text = self._meaning(meaning)
        return text[:1].upper() + text[1:]

    def _meaning(self, meaning: Meaning) -> str:
        match meaning:
            case Thing():
                return self.things(meaning)
            case Asked(host, steps, _, bool() as is_descending):
                return f"{self.things(host)}, sorted by {self._label(steps)}{', greatest first' * is_descending}"
            case Asked(host, steps, also):
                labels = " and ".join(self._label(one) for one in (steps, *also))
                return f"the {labels} of {self.things(host)}{_in_unit(meaning)}"
            case Counted(what, per):
                text = f"the number of {self._meaning(what)}"
                return self._grouped(text, per, meaning.picked)
            case Summary(function, what, per):
                text = f"the {_FUNCTIONS[function]} {self._label(what.steps)} of {self.things(what.host)}"
                return self._grouped(f"{text}{_in_unit(what)}", per, meaning.picked)
            case Several(questions):
                return " and ".join(map(self._meaning, questions))
            case Share(of, held, per):
                such = " and ".join(map(self._constraint, held))
                text = f"the percentage of those {such} among {self.things(of)}"
                return self._grouped(text, per, None)
            case Ratio(host, steps, of_steps):
                return f"the {self._label(steps)} of {self.things(host)} as a percentage of the {self._label(of_steps)}"
            case Difference(steps, one, other, is_ratio):
                text = f"the {self._label(steps)} of {self.things(one)}"
                if is_ratio:
                    return f"{text} as a multiple of that of {self.things(other)}"
                return f"the difference between {text} and that of {self.things(other)}"
            case Every(what, held):
                return f"whether this holds for all {self.things(what)}: {self._constraint(held)}"
            case Whether(what):
                return f"whether there are {self.things(what)}"

    def _grouped(self, text: str, per: Grouping | None, picked: Picked | None) -> str:
        if per is None:
            return text
        group = self._group(per)
        if picked is None:
            return f"{text} for each {group}"
        if picked.operator is not None:
            return f"each {group} for which {text} is {_SIGNS[picked.operator]} {picked.number}"
        first = f"{picked.number} values" if picked.number > 1 else "value"
        more = "greatest" if picked.is_greatest else "smallest"
        return f"the {more} {first} of {group} by {text}"

    def _linked(self, steps: Steps, things: str) -> str:
        """Things at the end of a step."""
        label = self._label(steps)
        return f"{things} in “{label}”" if steps[0].forward else f"{things} whose “{label}” they are"

    def _group(self, grouping: Grouping) -> str:
        if not grouping.steps:
            return "of them"
        step = grouping.steps[0]
        if grouping.classes:
            return " or ".join(map(self._class, grouping.classes))
        if grouping.part:
            return f"{grouping.part} of the {self._label(grouping.steps)}"
        classes = sorted(self._terms.leads_to(step), key=str)
        label = self._label(grouping.steps)
        if step.forward and not (classes and label.split()[0] in _VERBS):
            return label
        return self._class(classes[0]).lower() if classes else self._label(grouping.steps)

    def things(self, thing: Thing) -> str:
        """Such as "AI models whose model format is ONNX"."""
        noun = " or ".join(plural(self._class(cls)) for cls in thing.classes) or "things"
        if thing.resources:
            names = [self._name(one) for one in thing.resources[:_MOST_LISTED]]
            names = list(dict.fromkeys(names))
            if len(thing.resources) > _MOST_LISTED:
                names.append(f"{len(thing.resources) - _MOST_LISTED} more")
            listed = (" and " if thing.is_all else " or ").join(names)
            noun = f"the {self._class(thing.classes[0])} {listed}" if thing.classes else listed
        plain = [one for one in thing.constraints if isinstance(one, Has) and not one.negated]
        linked = {one.steps for one in plain if one.target is not None}
        implied = [one for one in plain if one.target is None and one.steps in linked]
        said = [self._constraint(one) for one in thing.constraints if one not in implied]
        return " ".join([noun, " and ".join(said)]) if said else noun

    def _constraint(self, constraint: Constraint) -> str:
        match constraint:
            case Has():
                return self._has(constraint)
            case Derived(target, from_target, negated):
                verb = "made from" if from_target else "that went into"
                no = "not " if negated else ""
                return f"{no}{verb} {self.things(target)}, over any number of steps"
            case Other(target):
                return f"other than {self.things(target)}"
            case Either(options):
                return " or ".join(map(self._constraint, options))
            case Extreme(steps, is_greatest, number, by_count, counted):
                first = f"the {number} " if number > 1 else "the "
                if constraint.place > 1:
                    first = f"place {constraint.place} by the "
                label = plural(self._label(steps)) if by_count else self._label(steps)
                if counted is not None:
                    label = self._linked(steps, self.things(counted))
                more, less = ("most", "fewest") if by_count else ("greatest", "smallest")
                each = f" for each {self._group(constraint.per)}" if constraint.per is not None else ""
                return f"with {first}{more if is_greatest else less} {label}{each}"
            case Compared(steps, Operator.EQUAL, target):
                return f"with the same {self._label(steps)} as {self.things(target)}"
            case Compared(steps, operator, target):
                more = "greater" if operator is Operator.MORE else "smaller"
                return f"whose {self._label(steps)} is {more} than that of {self.things(target)}"
            case Numbered(steps, target, operator, number):
                what = plural(self._label(steps)) if target is None else self._linked(steps, self.things(target))
                return f"with {_SIGNS[operator]} {number} {what}"

    def _has(self, has: Has) -> str:
        label, step = self._label(has.steps), has.steps[0]
        first = label.split()[0]
        if isinstance(has.target, Choice) and all(
            isinstance(one, Literal) and one.datatype == XSD.boolean for one in has.target.values
        ):
            return f"that are {'not ' if has.negated else ''}{re.sub(r'^(is|are) ', '', label)}"
        verb = f"are {label}" if (first.endswith("ed") and " " in label) or label.endswith(" of") else label
        is_verb = first in _VERBS or verb != label or label in _ACTIVE
        verb = re.sub(r"^was ", "were ", re.sub(r"^has ", "have ", re.sub(r"^(is|are) ", "are ", verb)))
        verb = re.sub(r"^runs ", "run ", verb)
        no = "not " if has.negated else ""
        if has.target is None:
            if not step.forward:
                return (
                    f"that are {no}{label} by anything" if label in _ACTIVE else f"that are {no}the {label} of anything"
                )
            if is_verb:
                return f"for which it is {no}known what they {verb}" if label in _ACTIVE else (
                    f"for which “{label}” is {no}known")  # fmt: skip
            return ("without " if has.negated else "with ") + with_article(label)
        target = self._target(has)
        if step.forward:
            if is_verb:
                return f"that {no}{verb} {target}" if not no else f"that do not say: {label} {target}"
            return f"whose {label} is {no}{target}"
        if label in _ACTIVE:
            return f"that were {no}{label} by {target}"
        if is_verb:
            passive = re.fullmatch(r"(?:was )?(\w+ed) by", label)
            without_class = re.sub(r" (from|with) (dataset|hardware|software)$", r" \1", label)
            return f"that {target} {no}{passive[1]}" if passive else f"that {target} {no}{without_class}"
        return f"that are {no}the {label} of {target}"

    def _target(self, has: Has) -> str:
        match has.target:
            case Thing():
                return f"only {self.things(has.target)}" if has.only else self.things(has.target)
            case Choice(values):
                shown = dict.fromkeys(one.value if isinstance(one, Literal) else self._name(one) for one in values)
                return " or ".join(f"“{one}”" for one in list(shown)[:_MOST_LISTED])
            case Amount():
                return _amount(has.target)
            case Part(test, text):
                return f"a text that {test.value} “{text}”"
            case None:
                return ""

    def _label(self, steps: Steps) -> str:
        labels = dict.fromkeys(self._property(step) for step in steps if not self._says_the_same(step, steps))
        return " or ".join(labels)

    def _says_the_same(self, step: Step, steps: Steps) -> bool:
        """Whether a step against its property is another step along the inverse property."""
        about = self._terms.schema.properties.get(step.predicate)
        inverses = () if about is None or step.forward else about.inverses
        return any(Step(inverse) in steps for inverse in inverses)

    def _property(self, step: Step) -> str:
        label = self._terms.property_label(step.predicate)
        return label if any(map(str.isupper, label[1:])) else label[:1].lower() + label[1:]

    def _class(self, cls: NamedNode) -> str:
        label = self._terms.schema.class_label(cls)
        return label if any(map(str.isupper, label[1:])) else label[:1].lower() + label[1:]

    def _name(self, resource: NamedNode) -> str:
        return self._terms.labels.get(resource) or local_name(resource.value)


def _in_unit(asked: Asked) -> str:
    return f" in {unit_of(asked.unit).symbol}" if asked.unit is not None else ""


def _amount(amount: Amount) -> str:
    if amount.is_time:
        if amount.operator is Operator.EQUAL and amount.upper:
            return f"from {amount.value} to before {amount.upper}"
        moment = amount.upper if amount.operator in (Operator.MORE, Operator.AT_MOST) else amount.value
        words = {Operator.MORE: "on or after", Operator.AT_MOST: "before"}.get(amount.operator)
        return f"{words or _TIMES[amount.operator]} {moment}"
    unit = f" {unit_of(amount.unit).symbol}" if amount.unit is not None else ""
    if amount.upper:
        return f"from {amount.value} to {amount.upper}{unit}"
    sign = "" if amount.operator is Operator.EQUAL else f"{_SIGNS[amount.operator]} "
    return f"{sign}{amount.value}{unit}"


def plural(noun: str) -> str:
    """The plural of a class label."""
    if noun.endswith(("software", "hardware", "data", "memory", "series", "people")):
        return noun
    if noun.endswith("person"):
        return noun[:-6] + "people"
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es" if not noun.endswith("s") or noun.endswith("ss") else noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"
