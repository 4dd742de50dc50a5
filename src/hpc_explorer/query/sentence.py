"""A query told in English: "AI models whose target machine has a coprocessor named Nvidia V100".

The sentence begins with the things that are asked for and tells what is said of each where it is first named. Each
phrase knows the element of the query that it tells, or the variable that it names, so that it can be clicked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from hpc_explorer.query.model.conditions import LockedExpression, condition_variables
from hpc_explorer.query.model.patterns import (
    AbsentGroup,
    Alternatives,
    Element,
    Filter,
    Group,
    InGraph,
    Locked,
    OptionalGroup,
    PresentGroup,
    QuantityRange,
    Statement,
    Values,
    element_variables,
    groups_of,
)
from hpc_explorer.query.model.places import Place, places
from hpc_explorer.query.model.query import (
    Aggregate,
    Duplicates,
    Form,
    Having,
    NamedColumn,
    QueryModel,
    column_name,
)
from hpc_explorer.query.wording import (
    Names,
    PropertyWords,
    aggregate_words,
    any_of,
    compared_words,
    condition_words,
    for_many,
    listed,
    plural,
    property_words,
    quantity_words,
    statement_of,
    value_words,
    variable_words,
    with_article,
    words,
)
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable

# So many things are told within one another; what hangs on the last is told behind.
_DEEPEST = 12


class PhraseKind(Enum):
    """What a phrase is."""

    JOINING = "joining"
    THING = "thing"
    CONDITION = "condition"
    COLUMN = "column"
    ORDER = "order"
    LOCKED = "locked"


@dataclass(frozen=True)
class Phrase:
    """A piece of the sentence.

    Args:
        text: its words, without space around them.
        variable: the variable that it names; None: none.
        place: the element that it tells; None: none.
    """

    text: str
    variable: Variable | None = None
    place: Place | None = None
    kind: PhraseKind = PhraseKind.JOINING

    @property
    def is_locked(self) -> bool:
        """Whether it is SPARQL that is kept as it was written."""
        return self.kind is PhraseKind.LOCKED


def sentence(query: QueryModel, names: Names) -> tuple[Phrase, ...]:
    """The phrases of a query, in their order; put together with blanks they are a sentence without a full stop.

    Args:
        names: what a resource is called: a label, or its name in short.
    """
    return tuple(_Teller(query, names).whole())


def told(phrases: tuple[Phrase, ...]) -> str:
    """The phrases as one text."""
    return "".join(phrase.text if phrase.text.startswith(";") else f" {phrase.text}" for phrase in phrases).strip()


@dataclass(frozen=True)
class _Clause:
    """What is said of a thing.

    Args:
        predicate: as what it is or does: `has a licence`.
        beside: as it stands behind its name: `whose licence is MIT`; None: `that` and the predicate.
    """

    predicate: list[Phrase]
    beside: list[Phrase] | None = None


class _Scope:
    """The elements of a group that have not been told."""

    def __init__(self, group: Group, above: Place) -> None:
        self.pending: list[tuple[Place, Element]] = [
            ((*above, number), element) for number, element in enumerate(group.elements)
        ]
        self.own = frozenset(
            variable
            for _, element in self.pending
            if isinstance(element, (Statement, Values))
            for variable in element_variables(element)
        )

    def taken(self, wanted: Callable[[Element], bool]) -> list[tuple[Place, Element]]:
        """The elements that fit; they are not pending any more."""
        found = [one for one in self.pending if wanted(one[1])]
        self.pending = [one for one in self.pending if one not in found]
        return found


class _Teller:
    """Tells one query; knows what has been named."""

    def __init__(self, query: QueryModel, names: Names) -> None:
        self._query = query
        self._names = names
        self._nouns = _nouns(query, names)
        self._main = _first_told(query)
        self._met: set[Variable] = set()
        self._depth = 0

    def whole(self) -> Iterator[Phrase]:
        query = self._query
        yield from self._opening()
        scope = _Scope(query.where, ())
        main = self._main
        is_first = True
        while scope.pending or (is_first and main is not None):
            if is_first and main is not None:
                phrases = self._thing(scope, main, is_many=True)
            else:
                phrases = self._remaining(scope)
            if is_first and phrases[0].text == ";":
                phrases = phrases[1:]
            if is_first and query.form is Form.SELECT:
                phrases[0] = replace(phrases[0], text=_capitalised(phrases[0].text))
            yield from phrases
            is_first = False
        if is_first:
            yield Phrase("Anything")
        yield from self._ending()
        unnamed = [one for one in query.variables if one not in self._met]
        if unnamed:
            yield Phrase("; using")
            yield from (Phrase(self._noun(one), one, kind=PhraseKind.THING) for one in unnamed)

    # Names of things.

    def _noun(self, variable: Variable) -> str:
        return self._nouns.get(variable) or variable_words(variable)

    def _again(self, variable: Variable) -> str:
        """A thing that was named before, or that will be."""
        if variable in self._query.parameters:
            return f"[{self._noun(variable)}]"
        return f"that {self._noun(variable)}"

    # Things and what is said of them.

    def _thing(self, scope: _Scope, variable: Variable, *, is_many: bool) -> list[Phrase]:
        """A thing with all that is said of it."""
        classes = scope.taken(lambda one: _class_of(one, variable) is not None)
        noun = self._noun(variable)
        is_chosen = variable in self._query.parameters
        text = f"[{noun}]" if is_chosen else plural(noun) if is_many else with_article(noun)
        place = classes[0][0] if classes else None
        phrases = [Phrase(text, variable, place, PhraseKind.THING)]
        self._met.add(variable)
        for place, element in classes[1:]:
            class_ = _class_of(element, variable)
            assert class_ is not None
            also = words(self._names(class_))
            text = f"that are also {plural(also)}" if is_many else f"that is also {with_article(also)}"
            phrases.append(Phrase(text, variable, place, PhraseKind.CONDITION))
        return phrases + self._beside(self._clauses(scope, variable, is_many and not is_chosen))

    def _beside(self, clauses: list[_Clause]) -> list[Phrase]:
        """Clauses behind the name of a thing."""
        phrases: list[Phrase] = []
        for number, clause in enumerate(clauses):
            if phrases and not (number == 1 and phrases[0].text.startswith("named")):
                phrases.append(Phrase("and"))
            phrases += clause.beside if clause.beside is not None else [Phrase("that"), *clause.predicate]
        return phrases

    def _clauses(self, scope: _Scope, variable: Variable, is_many: bool) -> list[_Clause]:
        """What is said of a thing, the short before the long."""
        if self._depth >= _DEEPEST:
            return []
        self._depth += 1
        direct = scope.taken(lambda one: self._is_about(one, variable))
        clauses = [clause for place, one in direct for clause in self._clause(scope, place, one, variable, is_many)]
        groups = scope.taken(lambda one: _anchor(one, scope.own, self._met) == variable)
        clauses.sort(key=lambda one: len(one.predicate) > 2)
        clauses += [clause for place, one in groups for clause in self._group_clauses(place, one, variable, is_many)]
        self._depth -= 1
        return clauses

    def _is_about(self, element: Element, variable: Variable) -> bool:
        match element:
            case Statement():
                return variable in (element.subject, element.object)
            case Filter(LockedExpression()):
                return False
            case Filter():
                return set(condition_variables(element.condition)) == {variable}
            case QuantityRange():
                return element.node == variable
            case Values():
                return element.variables == (variable,)
            case _:
                return False

    def _clause(
        self, scope: _Scope, place: Place, element: Element, variable: Variable, is_many: bool
    ) -> Iterator[_Clause]:
        match element:
            case Statement() if element.subject == variable:
                yield self._forward(scope, place, element, is_many)
            case Statement():
                yield self._backward(scope, place, element, is_many)
            case Filter():
                yield self._condition(place, condition_words(element.condition, self._names, self._named), is_many)
            case QuantityRange():
                yield self._condition(place, quantity_words(element), is_many)
            case Values():
                values = any_of((row[0] for row in element.rows), self._names)
                yield self._condition(place, f"is {values}", is_many)

    def _named(self, variable: Variable) -> str:
        return self._again(variable)

    def _condition(self, place: Place, predicate: str, is_many: bool) -> _Clause:
        text = for_many(predicate) if is_many else predicate
        return _Clause([Phrase(text, None, place, PhraseKind.CONDITION)])

    def _forward(self, scope: _Scope, place: Place, statement: Statement, is_many: bool) -> _Clause:
        """`?thing property object`."""
        phrases_of_property: list[Phrase] = []
        if isinstance(statement.predicate, Variable):
            property_ = PropertyWords("property", is_verb=False)
            phrases_of_property = [self._any_property(statement.predicate, place)]
        else:
            property_ = property_words(statement.predicate, self._names)
        has = "have" if is_many else "has"
        verb = for_many(property_.text) if is_many else property_.text
        target = statement.object
        if isinstance(target, (NamedNode, Literal)):
            return self._with_value(place, target, property_, is_many, phrases_of_property)
        is_chosen = target in self._query.parameters
        if target in self._met or is_chosen:
            known = self._again(target)
            inner = self._beside(self._clauses(scope, target, False)) if is_chosen and target not in self._met else []
            self._met.add(target)
            thing = [Phrase(known, target, place, PhraseKind.THING), *phrases_of_property, *inner]
            if property_.is_verb:
                return _Clause([Phrase(verb, target, place, PhraseKind.CONDITION), *thing])
            if property_.is_name and is_chosen:
                named = Phrase("named", target, place, PhraseKind.CONDITION)
                return _Clause([replace(named, text=f"{'are' if is_many else 'is'} named"), *thing], [named, *thing])
            return _Clause(
                [Phrase(f"{has} the {property_.text}", target, place, PhraseKind.CONDITION), *thing],
                [Phrase(f"whose {property_.text} is", target, place, PhraseKind.CONDITION), *thing],
            )
        if property_.is_verb:
            thing = self._thing(scope, target, is_many=False)
            return _Clause([Phrase(verb, target, place, PhraseKind.CONDITION), *phrases_of_property, *thing])
        return self._with_thing(scope, place, target, property_, has, phrases_of_property)

    def _any_property(self, variable: Variable, place: Place) -> Phrase:
        self._met.add(variable)
        return Phrase(f"({self._noun(variable)})", variable, place, PhraseKind.THING)

    def _with_value(
        self, place: Place, value: NamedNode | Literal, property_: PropertyWords, is_many: bool, more: list[Phrase]
    ) -> _Clause:
        """`named Nvidia V100`, `whose licence is MIT`, `used MNIST`."""
        text = value_words(value, self._names)

        def phrase(lead: str) -> list[Phrase]:
            return [Phrase(f"{lead} {text}", None, place, PhraseKind.CONDITION), *more]

        if property_.is_name and isinstance(value, Literal):
            return _Clause(
                [Phrase(f"{'are' if is_many else 'is'} named {value.value}", None, place, PhraseKind.CONDITION)],
                [Phrase(f"named {value.value}", None, place, PhraseKind.CONDITION)],
            )
        if property_.is_verb:
            return _Clause(phrase(for_many(property_.text) if is_many else property_.text))
        return _Clause(
            phrase(f"{'have' if is_many else 'has'} the {property_.text}"), phrase(f"whose {property_.text} is")
        )

    def _with_thing(
        self, scope: _Scope, place: Place, target: Variable, property_: PropertyWords, has: str, more: list[Phrase]
    ) -> _Clause:
        """`has a coprocessor`, `whose target machine is a cluster that …`, `whose memory size is at least 16 GB`."""
        self._met.add(target)
        classes = scope.taken(lambda one: _class_of(one, target) is not None)
        is_class = PhraseKind.CONDITION
        named = [
            Phrase(f"is {with_article(words(self._names(class_)))}", target, where, is_class)
            for where, one in classes
            if (class_ := _class_of(one, target)) is not None
        ]
        clauses = [_Clause([phrase]) for phrase in named] + self._clauses(scope, target, False)
        thing = Phrase(f"{has} {with_article(property_.text)}", target, place, PhraseKind.THING)
        predicate = [thing, *more, *self._beside(clauses)]
        if not clauses or all(clause.beside is not None for clause in clauses):
            return _Clause(predicate)
        beside = [Phrase(f"whose {property_.text}", target, place, PhraseKind.THING), *more]
        for number, clause in enumerate(clauses):
            beside += [*([Phrase("and")] if number else []), *clause.predicate]
        return _Clause(predicate, beside)

    def _backward(self, scope: _Scope, place: Place, statement: Statement, is_many: bool) -> _Clause:
        """`subject property ?thing`: `is the target machine of an AI model`, `was used by an execution`."""
        more: list[Phrase] = []
        if isinstance(statement.predicate, Variable):
            property_ = PropertyWords("property", is_verb=False)
            more = [self._any_property(statement.predicate, place)]
        else:
            property_ = property_words(statement.predicate, self._names)
        subject = statement.subject
        if isinstance(subject, Variable):
            if subject in self._met:
                thing = [Phrase(self._again(subject), subject, place, PhraseKind.THING)]
            else:
                thing = self._thing(scope, subject, is_many=False)
        else:
            thing = [Phrase(value_words(subject, self._names), None, place, PhraseKind.CONDITION)]
        is_ = "are" if is_many else "is"
        if not property_.is_verb:
            text = f"{is_} the {property_.text} of"
        else:
            text = property_.turned()
            text = for_many(text) if is_many else text
        return _Clause([Phrase(text, None, place, PhraseKind.CONDITION), *more, *thing])

    # Groups.

    def _group_clauses(self, place: Place, element: Element, variable: Variable, is_many: bool) -> Iterator[_Clause]:
        """What a group says of a thing that is known outside of it."""
        condition = PhraseKind.CONDITION
        if isinstance(element, Alternatives):
            word = "either" if len(element.groups) > 1 else "also"
            phrases = [Phrase(word, variable, place, condition)]
            for number, group in enumerate(element.groups):
                if number:
                    phrases.append(Phrase("or", None, place, condition))
                phrases += self._told_of(group, (*place, number), variable, is_many)
            yield _Clause(phrases)
            return
        (group,) = groups_of(element)
        if isinstance(element, AbsentGroup):
            said = self._told_of(group, (*place, 0), variable, is_many)
            yield self._absent(place, said, is_many)
            return
        said = self._told_of(group, (*place, 0), variable, is_many)
        if isinstance(element, OptionalGroup):
            lead = [Phrase("optionally", variable, place, condition)]
        elif isinstance(element, InGraph):
            lead = [Phrase("according to", None, place, condition), self._graph(element, place)]
        else:
            lead = [Phrase("at least once", None, place, condition)]
        yield _Clause([*lead, *said])

    def _graph(self, element: InGraph, place: Place) -> Phrase:
        name = element.name
        if isinstance(name, Variable):
            text = self._again(name) if name in self._met else with_article(self._noun(name))
            self._met.add(name)
            return Phrase(text, name, place, PhraseKind.THING)
        return Phrase(self._names(name), None, place, PhraseKind.CONDITION)

    def _absent(self, place: Place, said: list[Phrase], is_many: bool) -> _Clause:
        """`without any licence`, or `but not those that used a dataset`."""
        first = said[0].text if said else ""
        for begin in ("have a ", "have an ", "has a ", "has an "):
            if first.startswith(begin):
                noun = replace(said[0], text=f"any {first.removeprefix(begin)}")
                without = [Phrase("without", None, place, PhraseKind.CONDITION), noun, *said[1:]]
                have = "do not have" if is_many else "does not have"
                return _Clause([Phrase(have, None, place, PhraseKind.CONDITION), noun, *said[1:]], without)
        lead = "but not those that" if is_many else "but not one that"
        beside = [Phrase(lead, None, place, PhraseKind.CONDITION), *said]
        return _Clause([Phrase("not (", None, place, PhraseKind.CONDITION), *said, Phrase(")")], beside)

    def _told_of(self, group: Group, place: Place, variable: Variable, is_many: bool) -> list[Phrase]:
        """What a group says of a thing, and all else that it says."""
        scope = _Scope(group, place)
        phrases: list[Phrase] = []
        for where, element in scope.taken(lambda one: _class_of(one, variable) is not None):
            class_ = _class_of(element, variable)
            assert class_ is not None
            noun = words(self._names(class_))
            text = f"are {plural(noun)}" if is_many else f"is {with_article(noun)}"
            phrases += [*_and(phrases), Phrase(text, None, where, PhraseKind.CONDITION)]
        for clause in self._clauses(scope, variable, is_many):
            phrases += [*_and(phrases), *clause.predicate]
        while scope.pending:
            phrases += self._remaining(scope, is_leading=not phrases)
        return phrases

    def _remaining(self, scope: _Scope, is_leading: bool = False) -> list[Phrase]:
        """Something that hangs on nothing that was told."""
        place, element = next(
            (one for one in scope.pending if isinstance(one[1], Statement) and _variables(one[1])), scope.pending[0]
        )
        lead = [] if is_leading else [Phrase(";")]
        if isinstance(element, Statement) and (variables := _variables(element)):
            variable = next((one for one in variables if one in self._met), variables[0])
            if variable not in self._met:
                return [*lead, Phrase("there is"), *self._thing(scope, variable, is_many=False)]
            thing = [Phrase(self._again(variable), variable, place, PhraseKind.THING)]
            for where, one in scope.taken(lambda one: _class_of(one, variable) is not None):
                class_ = _class_of(one, variable)
                assert class_ is not None
                text = f"is {with_article(words(self._names(class_)))}"
                thing += [*_and(thing[1:]), Phrase(text, variable, where, PhraseKind.CONDITION)]
            self._depth = 0
            for clause in self._clauses(scope, variable, False):
                thing += [*_and(thing[1:]), *clause.predicate]
            return [*lead, *thing]
        scope.pending.remove((place, element))
        return [*lead, *self._apart(place, element)]

    def _apart(self, place: Place, element: Element) -> list[Phrase]:
        """An element that is not about one thing alone."""
        condition = PhraseKind.CONDITION
        match element:
            case Locked():
                return [Phrase(element.text, None, place, PhraseKind.LOCKED)]
            case Filter(LockedExpression() as expression):
                return [Phrase("where"), Phrase(expression.text, None, place, PhraseKind.LOCKED)]
            case Filter():
                text = statement_of(element.condition, self._names, self._again)
                return [Phrase("where"), Phrase(text, None, place, condition)]
            case Values() if len(element.variables) == 1:
                values = any_of((row[0] for row in element.rows), self._names)
                return [Phrase(f"where {self._noun(element.variables[0])} is {values}", None, place, condition)]
            case Values():
                nouns = listed(self._noun(one) for one in element.variables) if element.variables else "nothing"
                rows = "1 combination" if len(element.rows) == 1 else f"{len(element.rows):,} combinations"
                return [Phrase(f"where {nouns} are one of {rows}", None, place, condition)]
            case QuantityRange():
                text = f"where {self._noun(element.node)} {quantity_words(element)}"
                return [Phrase(text, None, place, condition)]
            case Statement():
                return self._fact(place, element)
        return self._group_apart(place, element)

    def _fact(self, place: Place, statement: Statement) -> list[Phrase]:
        """A statement about nothing that varies but perhaps its property."""
        subject, target = (
            value_words(one, self._names)
            for one in (statement.subject, statement.object)
            if not isinstance(one, Variable)
        )
        if isinstance(statement.predicate, Variable):
            self._met.add(statement.predicate)
            return [
                Phrase(f"where {subject} has", None, place, PhraseKind.CONDITION),
                Phrase(with_article(self._noun(statement.predicate)), statement.predicate, place, PhraseKind.THING),
                Phrase(target, None, place, PhraseKind.CONDITION),
            ]
        property_ = property_words(statement.predicate, self._names)
        verb = property_.text if property_.is_verb else f"has the {property_.text}"
        return [Phrase(f"where {subject} {verb} {target}", None, place, PhraseKind.CONDITION)]

    def _group_apart(self, place: Place, element: Element) -> list[Phrase]:
        """A group that says nothing of one thing that is known."""
        leads = {OptionalGroup: "optionally", AbsentGroup: "unless", PresentGroup: "if", Alternatives: "either"}
        lead = leads.get(type(element), "according to")
        if isinstance(element, Alternatives) and len(element.groups) == 1:
            lead = "also"
        phrases = [Phrase(lead, None, place, PhraseKind.CONDITION)]
        if isinstance(element, InGraph):
            phrases.append(self._graph(element, place))
        for number, group in enumerate(groups_of(element)):
            if number:
                phrases.append(Phrase("or", None, place, PhraseKind.CONDITION))
            scope = _Scope(group, (*place, number))
            if not scope.pending:
                phrases.append(Phrase("anything", None, place, PhraseKind.CONDITION))
            is_leading = True
            while scope.pending:
                phrases += self._remaining(scope, is_leading)
                is_leading = False
        return phrases

    # What is done with the solutions.

    def _opening(self) -> Iterator[Phrase]:
        query = self._query
        match query.form:
            case Form.ASK:
                yield Phrase("Whether there are")
            case Form.CONSTRUCT:
                yield Phrase("Statements")
                yield Phrase(query.head, kind=PhraseKind.LOCKED)
                yield Phrase("made of")
            case Form.DESCRIBE:
                yield Phrase("What is said of")
                yield Phrase(query.head, kind=PhraseKind.LOCKED)
                yield Phrase("among")

    def _ending(self) -> Iterator[Phrase]:
        query = self._query
        if query.columns and query.columns != (self._main,):
            yield Phrase("; shown:")
            yield from self._columns()
        if query.group_by:
            yield Phrase("for each")
            for number, one in enumerate(query.group_by):
                if number:
                    yield Phrase("and")
                if isinstance(one, Variable):
                    self._met.add(one)
                    yield Phrase(self._noun(one), one, kind=PhraseKind.COLUMN)
                else:
                    text = one.text if isinstance(one, LockedExpression) else self._value(one.value)
                    yield Phrase(text, kind=PhraseKind.LOCKED)
        if query.duplicates is Duplicates.DISTINCT:
            yield Phrase("; each row once")
        for having in query.having:
            yield Phrase("; only where")
            if isinstance(having, Having):
                compared = compared_words(having.operator, having.value, self._names)
                yield Phrase(f"{aggregate_words(having.aggregate, self._noun)} {compared}", kind=PhraseKind.COLUMN)
            else:
                yield Phrase(having.text, kind=PhraseKind.LOCKED)
        yield from self._order()
        if query.limit is not None:
            yield Phrase(
                f"; at most {query.limit:,} rows" if query.limit != 1 else "; at most 1 row", kind=PhraseKind.ORDER
            )
        if query.offset:
            yield Phrase(f"; without the first {query.offset:,}", kind=PhraseKind.ORDER)
        if query.after is not None:
            nouns = listed(self._noun(one) for one in query.after.variables) if query.after.variables else "nothing"
            yield Phrase(f"; where {nouns} are among {len(query.after.rows):,} given", kind=PhraseKind.CONDITION)
        for graph in (*query.graphs, *query.named_graphs):
            yield Phrase(f"; in the graph {self._names(graph)}", kind=PhraseKind.CONDITION)

    def _columns(self) -> Iterator[Phrase]:
        for number, column in enumerate(self._query.columns):
            if number:
                yield Phrase("and")
            name = column_name(column)
            self._met.add(name)
            if isinstance(column, NamedColumn):
                kind = PhraseKind.LOCKED if isinstance(column.value, LockedExpression) else PhraseKind.COLUMN
                yield Phrase(self._value(column.value), name, kind=kind)
            else:
                yield Phrase(self._noun(name), name, kind=PhraseKind.COLUMN)

    def _value(self, value: Aggregate | LockedExpression) -> str:
        return value.text if isinstance(value, LockedExpression) else aggregate_words(value, self._noun)

    def _order(self) -> Iterator[Phrase]:
        for number, order in enumerate(self._query.order_by):
            yield Phrase("and then by" if number else "; sorted by")
            key = order.key
            how = ", the greatest first" if order.is_descending else ""
            if isinstance(key, Variable):
                yield Phrase(self._noun(key) + how, key, kind=PhraseKind.ORDER)
            else:
                kind = PhraseKind.LOCKED if isinstance(key, LockedExpression) else PhraseKind.ORDER
                yield Phrase(self._value(key) + how, kind=kind)


def _and(phrases: list[Phrase]) -> list[Phrase]:
    return [Phrase("and")] if phrases else []


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _class_of(element: Element, variable: Variable) -> NamedNode | None:
    """The class that an element says a thing is of."""
    return element.class_of_subject if isinstance(element, Statement) and element.subject == variable else None


def _variables(statement: Statement) -> list[Variable]:
    return [one for one in (statement.subject, statement.object) if isinstance(one, Variable)]


def _anchor(element: Element, own: frozenset[Variable], met: set[Variable]) -> Variable | None:
    """The thing that a group is told with: the first of its variables that is known outside of it.

    A group of locked pieces alone is told by itself.
    """
    if all(isinstance(one, Locked) for group in groups_of(element) for one in group.elements):
        return None
    inside = list(dict.fromkeys(element_variables(element)))
    if isinstance(element, InGraph):
        inside = [one for one in inside if one != element.name]
    return next((one for one in inside if one in own or one in met), None)


def _first_told(query: QueryModel) -> Variable | None:
    """What the sentence begins with: the first column that has a class, what has one, a column, or a subject."""
    statements = [one for one in query.where.elements if isinstance(one, Statement)]
    subjects = [one.subject for one in statements if isinstance(one.subject, Variable)]
    ends = [variable for one in statements for variable in _variables(one)]
    classed = [one.subject for one in statements if one.class_of_subject and isinstance(one.subject, Variable)]
    shown = [column_name(one) for one in query.columns]
    shown_classed = [one for one in shown if one in classed]
    for variable in (*shown_classed, *classed, *(one for one in shown if one in ends), *subjects):
        if variable not in query.parameters:
            return variable
    return ends[0] if ends else None


def _nouns(query: QueryModel, names: Names) -> dict[Variable, str]:
    """What the things of a query are: by their class, or by the property that leads to them."""
    nouns: dict[Variable, str] = {}
    by_property: dict[Variable, str] = {}
    outer = frozenset(_Scope(query.where, ()).own)
    for place, element in places(query):
        if not isinstance(element, Statement):
            continue
        is_inner = len(place) > 1 and element.subject in outer
        if element.class_of_subject is not None and isinstance(element.subject, Variable) and not is_inner:
            nouns.setdefault(element.subject, words(names(element.class_of_subject)))
        elif isinstance(element.object, Variable) and isinstance(element.predicate, NamedNode):
            property_ = property_words(element.predicate, names)
            if not property_.is_verb:
                by_property.setdefault(element.object, property_.text)
    shared = Counter((by_property | nouns).values())
    for variable, noun in (by_property | nouns).items():
        own = variable_words(variable)
        if shared[noun] > 1 and own not in (noun, "thing"):
            by_property[variable] = f"{noun} ({own})" if variable in nouns else own
            nouns.pop(variable, None)
    return by_property | nouns
