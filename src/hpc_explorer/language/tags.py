"""The tags of a question: its properties with their values, as in INPOWS, table I.

`<hpc:subject "GPGPU">` has a value, `<hpc:accuracy > 0.9>` a comparison, `<hpc:license>` is asked for, and
`<hpc:wasUsedBy <hpc:Experiment hpc:name "X">>` leads to another thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from hpc_explorer.language.meaning import (
    Amount,
    Asked,
    Choice,
    Counted,
    Difference,
    Either,
    Every,
    Has,
    Meaning,
    Part,
    Ratio,
    Share,
    Summary,
    Thing,
    Whether,
)
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode

Short = Callable[[NamedNode], str]
"""The prefixed name of a term."""


def question_tags(meaning: Meaning, terms: GraphTerms, short: Short) -> tuple[str, ...]:
    """The tags of a question."""
    return tuple(dict.fromkeys(_tags(meaning, _Tagger(terms, short))))


def thing_tags(thing: Thing, terms: GraphTerms, short: Short) -> tuple[str, ...]:
    """The tags of a thing; its name is one if the sentence says that it is named so."""
    return tuple(dict.fromkeys(_Tagger(terms, short).top(thing)))


def concept_tag(concept: NamedNode, short: Short) -> str:
    """The tag of the columns about a concept."""
    return f"<schema:domainIncludes {short(concept)}>"


def _tags(meaning: Meaning, tagger: _Tagger) -> Iterator[str]:
    match meaning:
        case Thing():
            yield from tagger.top(meaning)
        case Asked(host, steps, also):
            yield from (f"<{tagger.short(one[0].predicate)}>" for one in (steps, *also))
            yield from tagger.top(host)
        case Counted(what):
            yield from _tags(what, tagger)
        case Summary(_, what):
            yield from _tags(what, tagger)
        case Share(of, held):
            yield from tagger.top(replace(of, constraints=(*of.constraints, *held)))
        case Ratio(host, steps, of_steps):
            yield from (f"<{tagger.short(one[0].predicate)}>" for one in (steps, of_steps))
            yield from tagger.top(host)
        case Difference(steps, one, other):
            yield f"<{tagger.short(steps[0].predicate)}>"
            yield from (*tagger.top(one), *tagger.top(other))
        case Every(what, held):
            yield from tagger.top(replace(what, constraints=(*what.constraints, held)))
        case Whether(what):
            yield from tagger.top(what)


class _Tagger:
    def __init__(self, terms: GraphTerms, short: Short) -> None:
        self._terms = terms
        self.short = short

    def top(self, thing: Thing) -> Iterator[str]:
        if thing.is_named:
            yield from (f'<hpc:name "{self._name(one)}">' for one in thing.resources)
        yield from self._constraints(thing)

    def _constraints(self, thing: Thing) -> Iterator[str]:
        for constraint in thing.constraints:
            if isinstance(constraint, Either):
                for one in constraint.options:
                    if isinstance(one, Has):
                        yield from self._has(one)
            elif isinstance(constraint, Has):
                yield from self._has(constraint)

    def _has(self, has: Has) -> Iterator[str]:
        property = self.short(has.steps[0].predicate)
        match has.target:
            case None:
                yield f"<{property}>"
            case Choice(values):
                for text in dict.fromkeys(one.value for one in values):
                    is_text = not (isinstance(values[0], Literal) and values[0].datatype == XSD.boolean)
                    yield f'<{property} "{text}">' if is_text else f"<{property} {text}>"
            case Part(_, text):
                yield f'<{property} "{text}">'
            case Amount(operator, value):
                yield f"<{property} {operator.value} {value}>"
            case Thing() as target:
                classes = target.classes or tuple(sorted(self._terms.classes_of(target.resources), key=str))
                cls = self.short(self._terms.schema.most_specific(classes)[0]) if classes else "hpc:Thing"
                if target.resources:
                    yield f'<{property} <{cls} hpc:name "{self._name(target.resources[0])}">>'
                inner = [tag[1:-1] for tag in self._constraints(target)]
                if inner:
                    yield f"<{property} <{cls} {' ; '.join(inner)}>>"
                elif not target.resources:
                    yield f"<{property} <{cls}>>"

    def _name(self, resource: NamedNode) -> str:
        return self._terms.labels.get(resource) or resource.value
