"""A query in English: "AI models whose target machine has a coprocessor named Nvidia V100".

The pattern comes first, then the solution modifiers. Each phrase has the element or variable of the query that it
describes, so that a user can click it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from hpc_explorer.query.model.conditions import LockedExpression
from hpc_explorer.query.model.query import Aggregate, Duplicates, Form, Having, NamedColumn, QueryModel, column_name
from hpc_explorer.query.sentence.nouns import main_thing, nouns
from hpc_explorer.query.sentence.patterns import pattern_phrases
from hpc_explorer.query.sentence.phrases import Phrase, PhraseKind
from hpc_explorer.query.sentence.wording import Names, aggregate_words, compared_words, listed, variable_words
from hpc_explorer.rdf.terms import Variable


def sentence(query: QueryModel, names: Names) -> tuple[Phrase, ...]:
    """The phrases of a query in order; joined with spaces they form a sentence without a full stop.

    Args:
        names: returns the label or short name of a resource.
    """
    called = nouns(query, names)

    def noun(variable: Variable) -> str:
        return called.get(variable) or variable_words(variable)

    pattern = pattern_phrases(query, noun, names) or [Phrase("Anything")]
    if query.form is Form.SELECT:
        pattern[0] = replace(pattern[0], text=_capitalised(pattern[0].text))
    solutions = list(_solutions(query, noun, names))
    named = {one.variable for one in pattern if one.kind is PhraseKind.THING}
    named |= {one.variable for one in solutions if one.kind is not PhraseKind.ORDER}
    unnamed = [Phrase(noun(one), one, kind=PhraseKind.THING) for one in query.variables if one not in named]
    using = [Phrase("; using"), *unnamed] if unnamed else []
    return (*_form(query), *pattern, *solutions, *using)


def _form(query: QueryModel) -> Iterator[Phrase]:
    """What the query makes of the solutions; nothing for rows."""
    match query.form:
        case Form.ASK:
            yield Phrase("Whether there are")
        case Form.CONSTRUCT:
            yield Phrase("Statements")
            yield Phrase(query.head, kind=PhraseKind.LOCKED)
            yield Phrase("made of")
        case Form.DESCRIBE:
            yield Phrase("What is known about")
            yield Phrase(query.head, kind=PhraseKind.LOCKED)
            yield Phrase("among")


def _solutions(query: QueryModel, noun: Callable[[Variable], str], names: Names) -> Iterator[Phrase]:
    """The columns, groups and solution modifiers (SPARQL 1.1, section 15)."""
    if query.columns and query.columns != (main_thing(query),):
        yield Phrase("; shown:")
        yield from _columns(query, noun)
    if query.group_by:
        yield Phrase("for each")
        for number, one in enumerate(query.group_by):
            if number:
                yield Phrase("and")
            if isinstance(one, Variable):
                yield Phrase(noun(one), one, kind=PhraseKind.COLUMN)
            else:
                text = one.text if isinstance(one, LockedExpression) else _value(one.value, noun)
                yield Phrase(text, kind=PhraseKind.LOCKED)
    if query.duplicates is Duplicates.DISTINCT:
        yield Phrase("; each row once")
    for having in query.having:
        yield Phrase("; only where")
        if isinstance(having, Having):
            compared = compared_words(having.operator, having.value, names)
            yield Phrase(f"{aggregate_words(having.aggregate, noun)} {compared}", kind=PhraseKind.COLUMN)
        else:
            yield Phrase(having.text, kind=PhraseKind.LOCKED)
    yield from _order(query, noun)
    if query.limit is not None:
        yield Phrase(
            f"; at most {query.limit:,} rows" if query.limit != 1 else "; at most 1 row", kind=PhraseKind.ORDER
        )
    if query.offset:
        yield Phrase(f"; without the first {query.offset:,}", kind=PhraseKind.ORDER)
    if query.after is not None:
        given = listed(map(noun, query.after.variables)) if query.after.variables else "nothing"
        yield Phrase(f"; where {given} are among {len(query.after.rows):,} given", kind=PhraseKind.CONDITION)
    for graph in (*query.graphs, *query.named_graphs):
        yield Phrase(f"; in the graph {names(graph)}", kind=PhraseKind.CONDITION)


def _columns(query: QueryModel, noun: Callable[[Variable], str]) -> Iterator[Phrase]:
    for number, column in enumerate(query.columns):
        if number:
            yield Phrase("and")
        name = column_name(column)
        if isinstance(column, NamedColumn):
            kind = PhraseKind.LOCKED if isinstance(column.value, LockedExpression) else PhraseKind.COLUMN
            yield Phrase(_value(column.value, noun), name, kind=kind)
        else:
            yield Phrase(noun(name), name, kind=PhraseKind.COLUMN)


def _order(query: QueryModel, noun: Callable[[Variable], str]) -> Iterator[Phrase]:
    for number, order in enumerate(query.order_by):
        yield Phrase("and then by" if number else "; sorted by")
        key = order.key
        how = ", the greatest first" if order.is_descending else ""
        if isinstance(key, Variable):
            yield Phrase(noun(key) + how, key, kind=PhraseKind.ORDER)
        else:
            kind = PhraseKind.LOCKED if isinstance(key, LockedExpression) else PhraseKind.ORDER
            yield Phrase(_value(key, noun) + how, kind=kind)


def _value(value: Aggregate | LockedExpression, noun: Callable[[Variable], str]) -> str:
    return value.text if isinstance(value, LockedExpression) else aggregate_words(value, noun)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
