"""Phrase the pattern of a query in English.

Clauses about nothing mentioned before follow a semicolon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

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
from hpc_explorer.query.model.places import Place
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.sentence.nouns import main_thing, stated_in, things_of
from hpc_explorer.query.sentence.phrases import Phrase, PhraseKind
from hpc_explorer.query.sentence.wording import (
    Names,
    PropertyWords,
    any_of,
    condition_words,
    for_many,
    listed,
    property_words,
    quantity_words,
    statement_of,
    value_words,
    with_article,
    words,
)
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable
from hpc_explorer.wording import plural

# Maximum nesting of things in a clause; deeper statements follow as clauses of their own.
_DEEPEST = 12


def pattern_phrases(query: QueryModel, noun: Callable[[Variable], str], names: Names) -> list[Phrase]:
    """The phrases of a query's pattern; empty for an empty one.

    Args:
        noun: returns the noun of a variable.
        names: returns the name of a resource.
    """
    return list(_Phraser(query, noun, names).whole())


@dataclass(frozen=True)
class _Clause:
    """The statements about a thing.

    Args:
        predicate: as a predicate: `has a licence`.
        beside: as a clause after the noun: `whose licence is MIT`; None: `that` and the predicate.
    """

    predicate: list[Phrase]
    beside: list[Phrase] | None = None


class _Scope:
    """The elements of a group that are not phrased yet."""

    def __init__(self, group: Group, above: Place) -> None:
        self.pending: list[tuple[Place, Element]] = [
            ((*above, number), element) for number, element in enumerate(group.elements)
        ]
        self.own = stated_in(group)

    def taken(self, wanted: Callable[[Element], bool]) -> list[tuple[Place, Element]]:
        """Remove and return the matching elements."""
        found = [one for one in self.pending if wanted(one[1])]
        self.pending = [one for one in self.pending if one not in found]
        return found

    def classes_of(self, variable: Variable) -> list[tuple[Place, NamedNode]]:
        """Remove the elements that state a class of a variable; return the classes."""
        taken = self.taken(lambda one: _class_of(one, variable) is not None)
        return [(place, class_) for place, one in taken if (class_ := _class_of(one, variable)) is not None]


class _Phraser:
    """Phrases one pattern; tracks the variables mentioned."""

    def __init__(self, query: QueryModel, noun: Callable[[Variable], str], names: Names) -> None:
        self._query = query
        self._names = names
        self._noun = noun
        self._met: set[Variable] = set()
        self._depth = 0

    def whole(self) -> Iterator[Phrase]:
        scope = _Scope(self._query.where, ())
        main = main_thing(self._query)
        if main is not None:
            yield from self._thing(scope, main, is_many=True)
        elif scope.pending:
            yield from self._remaining(scope, is_leading=True)
        while scope.pending:
            yield from self._remaining(scope)

    def _again(self, variable: Variable) -> str:
        """Refer to a variable mentioned elsewhere."""
        if variable in self._query.parameters:
            return f"[{self._noun(variable)}]"
        return f"that {self._noun(variable)}"

    def _thing(self, scope: _Scope, variable: Variable, *, is_many: bool) -> list[Phrase]:
        """A variable with all its clauses."""
        classes = scope.classes_of(variable)
        noun = self._noun(variable)
        is_chosen = variable in self._query.parameters
        text = f"[{noun}]" if is_chosen else plural(noun) if is_many else with_article(noun)
        place = classes[0][0] if classes else None
        phrases = [Phrase(text, variable, place, PhraseKind.THING)]
        self._met.add(variable)
        for place, class_ in classes[1:]:
            also = words(self._names(class_))
            text = f"that are also {plural(also)}" if is_many else f"that is also {with_article(also)}"
            phrases.append(_condition(text, place, variable))
        return phrases + self._beside(self._clauses(scope, variable, is_many and not is_chosen))

    def _beside(self, clauses: list[_Clause]) -> list[Phrase]:
        """Clauses that follow a noun."""
        phrases: list[Phrase] = []
        for number, clause in enumerate(clauses):
            if phrases and not (number == 1 and phrases[0].text.startswith("named")):
                phrases.append(Phrase("and"))
            phrases += clause.beside if clause.beside is not None else [Phrase("that"), *clause.predicate]
        return phrases

    def _clauses(self, scope: _Scope, variable: Variable, is_many: bool) -> list[_Clause]:
        """The statements about a thing, the short before the long."""
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
                yield self._predicate(place, condition_words(element.condition, self._names, self._again), is_many)
            case QuantityRange():
                yield self._predicate(place, quantity_words(element), is_many)
            case Values():
                values = any_of((row[0] for row in element.rows), self._names)
                yield self._predicate(place, f"is {values}", is_many)

    def _predicate(self, place: Place, predicate: str, is_many: bool) -> _Clause:
        return _Clause([_condition(for_many(predicate) if is_many else predicate, place)])

    def _forward(self, scope: _Scope, place: Place, statement: Statement, is_many: bool) -> _Clause:
        """`?thing property object`."""
        property_, more = self._property(statement, place)
        has = "have" if is_many else "has"
        verb = for_many(property_.text) if is_many else property_.text
        target = statement.object
        if isinstance(target, (NamedNode, Literal)):
            return self._with_value(place, target, property_, is_many, more)
        is_chosen = target in self._query.parameters
        if target in self._met or is_chosen:
            known = self._again(target)
            inner = self._beside(self._clauses(scope, target, False)) if is_chosen and target not in self._met else []
            self._met.add(target)
            thing = [Phrase(known, target, place, PhraseKind.THING), *more, *inner]
            if property_.is_verb:
                return _Clause([_condition(verb, place, target), *thing])
            if property_.is_name and is_chosen:
                named = _condition("named", place, target)
                return _Clause([replace(named, text=f"{'are' if is_many else 'is'} named"), *thing], [named, *thing])
            return _Clause(
                [_condition(f"{has} the {property_.text}", place, target), *thing],
                [_condition(f"whose {property_.text} is", place, target), *thing],
            )
        if property_.is_verb:
            return _Clause([_condition(verb, place, target), *more, *self._thing(scope, target, is_many=False)])
        return self._with_thing(scope, place, target, property_, has, more)

    def _property(self, statement: Statement, place: Place) -> tuple[PropertyWords, list[Phrase]]:
        """The words of a statement's property, and a phrase that names it if it is a variable."""
        predicate = statement.predicate
        if not isinstance(predicate, Variable):
            return property_words(predicate, self._names), []
        self._met.add(predicate)
        phrase = Phrase(f"({self._noun(predicate)})", predicate, place, PhraseKind.THING)
        return PropertyWords("property", is_verb=False), [phrase]

    def _with_value(
        self, place: Place, value: NamedNode | Literal, property_: PropertyWords, is_many: bool, more: list[Phrase]
    ) -> _Clause:
        """`named Nvidia V100`, `whose licence is MIT`, `used MNIST`."""
        text = value_words(value, self._names)

        def phrase(lead: str) -> list[Phrase]:
            return [_condition(f"{lead} {text}", place), *more]

        if property_.is_name and isinstance(value, Literal):
            named = f"named {value.value}"
            return _Clause([_condition(f"{'are' if is_many else 'is'} {named}", place)], [_condition(named, place)])
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
        clauses = [
            _Clause([_condition(f"is {with_article(words(self._names(class_)))}", where, target)])
            for where, class_ in scope.classes_of(target)
        ]
        clauses += self._clauses(scope, target, False)
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
        property_, more = self._property(statement, place)
        subject = statement.subject
        if isinstance(subject, Variable):
            if subject in self._met:
                thing = [Phrase(self._again(subject), subject, place, PhraseKind.THING)]
            else:
                thing = self._thing(scope, subject, is_many=False)
        else:
            thing = [_condition(value_words(subject, self._names), place)]
        if property_.is_verb:
            text = for_many(property_.turned()) if is_many else property_.turned()
        else:
            text = f"{'are' if is_many else 'is'} the {property_.text} of"
        return _Clause([_condition(text, place), *more, *thing])

    def _group_clauses(self, place: Place, element: Element, variable: Variable, is_many: bool) -> Iterator[_Clause]:
        """The clauses of a group about a variable known outside of it."""
        if isinstance(element, Alternatives):
            phrases = [_condition("either" if len(element.groups) > 1 else "also", place, variable)]
            for number, group in enumerate(element.groups):
                if number:
                    phrases.append(_condition("or", place))
                phrases += self._about(group, (*place, number), variable, is_many)
            yield _Clause(phrases)
            return
        (group,) = groups_of(element)
        about = self._about(group, (*place, 0), variable, is_many)
        if isinstance(element, AbsentGroup):
            yield self._absent(place, about, is_many)
            return
        if isinstance(element, OptionalGroup):
            lead = [_condition("optionally", place, variable)]
        elif isinstance(element, InGraph):
            lead = [_condition("according to", place), self._graph(element, place)]
        else:
            lead = [_condition("at least once", place)]
        yield _Clause([*lead, *about])

    def _graph(self, element: InGraph, place: Place) -> Phrase:
        name = element.name
        if isinstance(name, Variable):
            text = self._again(name) if name in self._met else with_article(self._noun(name))
            self._met.add(name)
            return Phrase(text, name, place, PhraseKind.THING)
        return _condition(self._names(name), place)

    def _absent(self, place: Place, about: list[Phrase], is_many: bool) -> _Clause:
        """`without any licence`, or `but not those that used a dataset`."""
        first = about[0].text if about else ""
        for begin in ("have a ", "have an ", "has a ", "has an "):
            if first.startswith(begin):
                noun = replace(about[0], text=f"any {first.removeprefix(begin)}")
                have = "do not have" if is_many else "does not have"
                rest = [noun, *about[1:]]
                return _Clause([_condition(have, place), *rest], [_condition("without", place), *rest])
        lead = "but not those that" if is_many else "but not one that"
        return _Clause([_condition("not (", place), *about, Phrase(")")], [_condition(lead, place), *about])

    def _about(self, group: Group, place: Place, variable: Variable, is_many: bool) -> list[Phrase]:
        """The clauses of a group about a variable, and its remaining elements."""
        scope = _Scope(group, place)
        phrases: list[Phrase] = []
        for where, class_ in scope.classes_of(variable):
            noun = words(self._names(class_))
            text = f"are {plural(noun)}" if is_many else f"is {with_article(noun)}"
            phrases += [*_and(phrases), _condition(text, where)]
        for clause in self._clauses(scope, variable, is_many):
            phrases += [*_and(phrases), *clause.predicate]
        while scope.pending:
            phrases += self._remaining(scope, is_leading=not phrases)
        return phrases

    def _remaining(self, scope: _Scope, is_leading: bool = False) -> list[Phrase]:
        """The phrases of elements that share nothing with those before."""
        place, element = next(
            (one for one in scope.pending if isinstance(one[1], Statement) and things_of(one[1])), scope.pending[0]
        )
        lead = [] if is_leading else [Phrase(";")]
        if isinstance(element, Statement) and (variables := things_of(element)):
            variable = next((one for one in variables if one in self._met), variables[0])
            if variable not in self._met:
                return [*lead, Phrase("there is"), *self._thing(scope, variable, is_many=False)]
            thing = [Phrase(self._again(variable), variable, place, PhraseKind.THING)]
            for where, class_ in scope.classes_of(variable):
                text = f"is {with_article(words(self._names(class_)))}"
                thing += [*_and(thing[1:]), _condition(text, where, variable)]
            self._depth = 0
            for clause in self._clauses(scope, variable, False):
                thing += [*_and(thing[1:]), *clause.predicate]
            return [*lead, *thing]
        scope.pending.remove((place, element))
        return [*lead, *self._apart(place, element)]

    def _apart(self, place: Place, element: Element) -> list[Phrase]:
        """Phrase an element that is not about a single variable."""
        match element:
            case Locked():
                return [Phrase(element.text, None, place, PhraseKind.LOCKED)]
            case Filter(LockedExpression() as expression):
                return [Phrase("where"), Phrase(expression.text, None, place, PhraseKind.LOCKED)]
            case Filter():
                return [Phrase("where"), _condition(statement_of(element.condition, self._names, self._again), place)]
            case Values() if len(element.variables) == 1:
                values = any_of((row[0] for row in element.rows), self._names)
                return [_condition(f"where {self._noun(element.variables[0])} is {values}", place)]
            case Values():
                nouns = listed(self._noun(one) for one in element.variables) if element.variables else "nothing"
                rows = "1 combination" if len(element.rows) == 1 else f"{len(element.rows):,} combinations"
                return [_condition(f"where {nouns} are one of {rows}", place)]
            case QuantityRange():
                return [_condition(f"where {self._noun(element.node)} {quantity_words(element)}", place)]
            case Statement():
                return self._fact(place, element)
        return self._group_apart(place, element)

    def _fact(self, place: Place, statement: Statement) -> list[Phrase]:
        """Phrase a statement without variables except perhaps its property."""
        subject, target = (
            value_words(one, self._names)
            for one in (statement.subject, statement.object)
            if not isinstance(one, Variable)
        )
        if isinstance(statement.predicate, Variable):
            self._met.add(statement.predicate)
            return [
                _condition(f"where {subject} has", place),
                Phrase(with_article(self._noun(statement.predicate)), statement.predicate, place, PhraseKind.THING),
                _condition(target, place),
            ]
        property_ = property_words(statement.predicate, self._names)
        verb = property_.text if property_.is_verb else f"has the {property_.text}"
        return [_condition(f"where {subject} {verb} {target}", place)]

    def _group_apart(self, place: Place, element: Element) -> list[Phrase]:
        """Phrase a group that shares no variable with the rest."""
        leads = {OptionalGroup: "optionally", AbsentGroup: "unless", PresentGroup: "if", Alternatives: "either"}
        lead = leads.get(type(element), "according to")
        if isinstance(element, Alternatives) and len(element.groups) == 1:
            lead = "also"
        phrases = [_condition(lead, place)]
        if isinstance(element, InGraph):
            phrases.append(self._graph(element, place))
        for number, group in enumerate(groups_of(element)):
            if number:
                phrases.append(_condition("or", place))
            scope = _Scope(group, (*place, number))
            if not scope.pending:
                phrases.append(_condition("anything", place))
            is_leading = True
            while scope.pending:
                phrases += self._remaining(scope, is_leading)
                is_leading = False
        return phrases


def _condition(text: str, place: Place, variable: Variable | None = None) -> Phrase:
    return Phrase(text, variable, place, PhraseKind.CONDITION)


def _and(phrases: list[Phrase]) -> list[Phrase]:
    return [Phrase("and")] if phrases else []


def _class_of(element: Element, variable: Variable) -> NamedNode | None:
    """The class that an element states for a variable."""
    return element.class_of_subject if isinstance(element, Statement) and element.subject == variable else None


def _anchor(element: Element, own: frozenset[Variable], met: set[Variable]) -> Variable | None:
    """The variable known outside a group, for which the group can be phrased; None for a group of locked pieces."""
    if all(isinstance(one, Locked) for group in groups_of(element) for one in group.elements):
        return None
    inside = list(dict.fromkeys(element_variables(element)))
    if isinstance(element, InGraph):
        inside = [one for one in inside if one != element.name]
    return next((one for one in inside if one in own or one in met), None)
