"""Turn a query into a question: find its possible blanks, and their possible values.

A place can be a blank if the engine can still parse the query with a variable there. Predicates are not offered, nor
places where a variable is not allowed, such as LIMIT. `VALUES ?x { 1 2 }` with a blank becomes `FILTER (?x IN ($y, 2))`
if its group binds `?x`. The possible values of a blank are found by the query's
own conditions with a variable in that place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hpc_explorer.errors import QuerySyntaxError, WrongParameter
from hpc_explorer.ontology.labels import local_name, words
from hpc_explorer.query.questions.question import Parameter, Query, Question, Value, Variant
from hpc_explorer.rdf.sparql_shape import without_calls
from hpc_explorer.rdf.sparql_tokens import NO_MEANING, Token, TokenKind, sparql_tokens
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.local.local import LocalStore

_COMPARED = ("=", "!=", "<", ">", "<=", ">=")
_CONSTANTS = (TokenKind.IRI, TokenKind.NAME, TokenKind.STRING, TokenKind.NUMBER)
_OPEN, _CLOSED = frozenset("{(["), frozenset("})]")


@dataclass(frozen=True)
class PossibleBlank:
    """A constant or a variable of a query that could be a blank.

    Args:
        written: its text in the query, such as `hpc:AIModel` or `?model`.
        value: the constant; None for a variable.
        places: its positions in the text, from and to, in characters.
        name: a name for the blank that the text does not use yet; a variable keeps its own.
        label: a suggested label.
        compared: the variable that a filter compares it with; empty if there is none.
    """

    written: str
    value: Value | None
    places: tuple[tuple[int, int], ...]
    name: str
    label: str
    compared: str = ""


@dataclass(frozen=True)
class Blank:
    """A chosen blank.

    Args:
        place: its place in the query.
        name: the name of its variable.
        label: its label.
        is_optional: whether its value is optional.
    """

    place: PossibleBlank
    name: str
    label: str
    is_optional: bool = False


def possible_blanks(text: str, prefixes: Mapping[str, str] | None = None) -> tuple[PossibleBlank, ...]:
    """The possible blanks of a SELECT: constants first, then variables, in the order of the text.

    Args:
        prefixes: those that the text uses and does not declare.

    Raises:
        QuerySyntaxError: the engine cannot parse it, or it is not a SELECT.
    """
    return _Blanking(text, prefixes or {}).possible()


def question_of_query(
    text: str,
    blanks: Sequence[Blank],
    *,
    name: str,
    title: str,
    words: str = "",
    prefixes: Mapping[str, str] | None = None,
) -> Question:
    """Make a question with blanks in place of constants or variables; a constant becomes the default.

    Args:
        name: one word.
        title: its title in lists.
        words: the question in words.
        prefixes: those that the text uses and does not declare.

    Raises:
        QuerySyntaxError: the engine cannot parse it, or it is not a SELECT.
        WrongParameter: a blank's name is not a valid variable name or already used; or the name of the question is not
            one word.
    """
    return _Blanking(text, prefixes or {}).question(blanks, name, title, words)


def one_word(title: str, taken: Iterable[str] = ()) -> str:
    """A name for a question of this title, one word that is not taken."""
    known = set(taken)
    plain = "-".join(re.findall(r"\w+", title.casefold())[:6]) or "question"
    name, number = plain, 2
    while name in known:
        name, number = f"{plain}-{number}", number + 1
    return name


@dataclass(frozen=True)
class _ValueList:
    """`VALUES ?variable { values }`, with positions in the text."""

    variable: str
    places: tuple[tuple[int, int], ...]
    start: int
    end: int

    def as_filter(self) -> dict[tuple[int, int], str]:
        """The changes to the text around its values that make it a filter."""
        bounds = [self.start, *(position for place in self.places for position in place), self.end]
        gaps = list(zip(bounds[::2], bounds[1::2], strict=True))
        return {**dict.fromkeys(gaps, ", "), gaps[0]: f"FILTER (?{self.variable} IN (", gaps[-1]: "))"}


class _Blanking:
    """One query, cut into tokens."""

    def __init__(self, text: str, prefixes: Mapping[str, str]) -> None:
        self._engine = LocalStore.in_memory()
        tokens = [token for token in sparql_tokens(text) if token.kind not in NO_MEANING]
        body, declared, has_base = _prologue(tokens)
        used = {token.text.partition(":")[0] for token in tokens[body:] if token.kind is TokenKind.NAME}
        known = {**{name: prefixes[name] for name in prefixes if name in used}, **declared}
        if has_base:
            # Relative IRIs stay relative only with their BASE.
            self._start = 0
            self._prologue = text[: tokens[body].start] if body < len(tokens) else ""
            self._prefixes = tuple(sorted((name, iri) for name, iri in known.items() if name not in declared))
        else:
            self._start = tokens[body].start if body < len(tokens) else len(text)
            self._prologue = ""
            self._prefixes = tuple(sorted((name, iri) for name, iri in known.items() if name in used))
        self._text = text
        self._tokens = tokens[body:]
        self._lists = tuple(self._value_lists())
        self._columns(text[self._start :])

    def _columns(self, text: str) -> tuple[str, ...]:
        return self._engine.select(without_calls(Query(text, self._prefixes).whole)).variables

    def _reads(self, text: str) -> bool:
        try:
            self._columns(text)
        except QuerySyntaxError:
            return False
        return True

    def _with(self, places: Iterable[tuple[int, int]], put: str) -> str:
        """The text without its prologue, with some places replaced."""
        return self._put_all(dict.fromkeys(places, put))[self._start :]

    def _put_all(self, changes: Mapping[tuple[int, int], str]) -> str:
        """The text with some places replaced; lists of values that these are in become filters."""
        opened = dict(changes)
        for one in self._lists:
            if set(one.places) & set(changes):
                opened |= one.as_filter()
        return _put(self._text, opened)

    def _value_lists(self) -> Iterable[_ValueList]:
        """The lists of values of one variable that another pattern of their group binds."""
        bound: dict[int, list[str]] = {}
        found: list[tuple[int, _ValueList]] = []
        groups, inner, at = [0], 0, 0
        while at < len(self._tokens):
            token = self._tokens[at]
            values = self._value_list(at) if token.is_word("VALUES") and len(groups) > 1 else None
            if values is not None:
                one, at = values
                found.append((groups[-1], one))
                continue
            if token.is_sign("{"):
                groups.append(token.start + 1)
            elif token.is_sign("}"):
                groups.pop()
            else:
                inner += token.is_sign("(") - token.is_sign(")")
                if token.kind is TokenKind.VARIABLE and not inner:
                    bound.setdefault(groups[-1], []).append(token.text[1:])
            at += 1
        return (one for group, one in found if one.variable in bound.get(group, ()))

    def _value_list(self, at: int) -> tuple[_ValueList, int] | None:
        """The list of values at a token, and the number of the token after it."""
        if at + 2 >= len(self._tokens) or not self._tokens[at + 2].is_sign("{"):
            return None
        last = next(number for number in range(at + 3, len(self._tokens)) if self._tokens[number].is_sign("}"))
        start, end = self._tokens[at].start, self._tokens[last].end
        places = tuple(place for number, place in self._constants() if at + 2 < number < last)
        return (_ValueList(self._tokens[at + 1].text[1:], places, start, end), last + 1) if places else None

    # Possible blanks

    def possible(self) -> tuple[PossibleBlank, ...]:
        """Constants, then variables."""
        taken = {token.text[1:] for token in self._tokens if token.kind is TokenKind.VARIABLE}
        found: dict[Value, PossibleBlank] = {}
        for number, place in self._constants():
            written = self._text[place[0] : place[1]]
            value = self._value(written)
            if value is None or not self._can_be_blank(place):
                continue
            if value in found:
                found[value] = replace(found[value], places=(*found[value].places, place))
                continue
            compared = self._compared_with(number)
            said = self._said_before(number, value)
            name = _free(said, taken)
            taken.add(name)
            found[value] = PossibleBlank(written, value, (place,), name, words(said), compared)
        return (*found.values(), *self._variables())

    def _constants(self) -> Iterable[tuple[int, tuple[int, int]]]:
        """The positions of possible constants in the list of tokens and in the text."""
        number = 0
        while number < len(self._tokens):
            token = self._tokens[number]
            at, end = number, token.end
            is_truth = token.kind is TokenKind.WORD and token.text in ("true", "false")
            if token.kind is TokenKind.STRING and number + 1 < len(self._tokens):
                after = self._tokens[number + 1]
                if after.kind is TokenKind.LANGUAGE:
                    number, end = number + 1, after.end
                elif after.is_sign("^^") and number + 2 < len(self._tokens):
                    number, end = number + 2, self._tokens[number + 2].end
            if token.kind in _CONSTANTS or is_truth:
                yield at, (token.start, end)
            number += 1

    def _value(self, written: str) -> Value | None:
        try:
            rows = self._engine.select(Query(f"{self._prologue}SELECT ({written} AS ?it) {{}}", self._prefixes).whole)
            value = next(iter(rows)).get("it")
        except (QuerySyntaxError, StopIteration):
            return None
        return value if isinstance(value, (NamedNode, Literal)) else None

    def _can_be_blank(self, place: tuple[int, int]) -> bool:
        """Whether a variable is allowed there and it is not a predicate: a value that is not a property is allowed."""
        if not self._reads(self._with([place], " ?_ ")):
            return False
        return self._reads(self._with([place], " [] ")) or self._reads(self._with([place], ' "" '))

    def _variables(self) -> Iterable[PossibleBlank]:
        places: dict[str, list[tuple[int, int]]] = {}
        for token in self._tokens:
            if token.kind is TokenKind.VARIABLE:
                places.setdefault(token.text[1:], []).append((token.start, token.end))
        for name, there in places.items():
            if self._reads(self._with(there, " <urn:example:value> ")):
                yield PossibleBlank(f"?{name}", None, tuple(there), name, words(name))

    def _said_before(self, number: int, value: Value) -> str:
        """The label of a constant: the property before it, or the variable that it is compared with."""
        before = self._tokens[number - 1] if number else None
        if before is not None and before.kind in (TokenKind.NAME, TokenKind.IRI):
            return local_name(before.text.strip("<>")).rpartition(":")[2]
        if before is not None and before.is_word("A"):
            return "class"
        compared = self._compared_with(number)
        if compared:
            return compared
        return local_name(value.value).rpartition(":")[2] if isinstance(value, NamedNode) else "value"

    def _compared_with(self, number: int) -> str:
        start = self._tokens[number].start
        listed = next((one.variable for one in self._lists if one.start < start < one.end), "")
        if listed:
            return listed
        if number >= 2 and self._tokens[number - 1].is_sign(*_COMPARED):
            other = self._tokens[number - 2]
            if other.kind is TokenKind.VARIABLE:
                return other.text[1:]
        return ""

    # The question

    def question(self, blanks: Sequence[Blank], name: str, title: str, said: str) -> Question:
        """The question with these blanks."""
        if len(name.split()) != 1:
            raise WrongParameter("a question's name is one word", name, "such as runs-of-a-project")
        used = {token.text[1:] for token in self._tokens if token.kind is TokenKind.VARIABLE}
        names: set[str] = set()
        for blank in blanks:
            if not re.fullmatch(r"[^\W\d]\w*", blank.name):
                raise WrongParameter("a blank is named by one word", blank.name, "use letters and digits")
            own = blank.place.value is None and blank.name == blank.place.name
            if blank.name in names or (blank.name in used and not own):
                raise WrongParameter("this name is in the query already", blank.name, "choose another name")
            names.add(blank.name)
        put = {place: f"${blank.name}" for blank in blanks for place in blank.place.places}
        select = Query(self._put_all(put)[self._start :].strip(), self._prefixes)
        return Question(
            name,
            _line(title) or name,
            _line(said),
            (Variant("", select),),
            tuple(self._parameter(blank, blanks) for blank in blanks),
            "",
        )

    def _parameter(self, blank: Blank, blanks: Sequence[Blank]) -> Parameter:
        value = blank.place.value
        return Parameter(
            blank.name,
            _line(blank.label) or words(blank.name),
            datatype=value.datatype if isinstance(value, Literal) else None,
            choices=self._choices(blank, blanks),
            default=value,
            is_optional=blank.is_optional,
            is_free=bool(blank.place.compared),
        )

    def _choices(self, blank: Blank, blanks: Sequence[Blank]) -> Query | None:
        """The SELECT of possible values: the query's own conditions with a variable in that place.

        A filter that compares a variable with the constant is left out; the variable's values are the possible values.
        Other blanks are variables too, except those that only filters mention: these keep their constants, because a
        filter on an unbound variable excludes everything.
        """
        group = self._group()
        if group is None or not (blank.place.compared or self._is_matched(blank.place)):
            return None
        first, last = group
        changed = {
            place: f"${one.name}"
            for one in blanks
            if one is blank or self._is_matched(one.place)
            for place in one.place.places
        }
        column = f"${blank.name}"
        if blank.place.compared:
            column = f"(?{blank.place.compared} AS ?{blank.name})"
            for place in blank.place.places:
                around = self._filter_around(place)
                if around is None:
                    return None
                changed = {one: text for one, text in changed.items() if not around[0] <= one[0] < around[1]}
                changed[around] = ""
        pattern = _put(self._text[:last], changed)[_put_length(self._text[:first], changed) :]
        query = Query(f"{self._prologue}SELECT DISTINCT {column} WHERE {pattern}", self._prefixes)
        try:
            if blank.name in self._columns(query.text):
                return query
        except QuerySyntaxError:
            pass
        return None

    def _is_matched(self, place: PossibleBlank) -> bool:
        """Whether the conditions bind it: it is a variable, or occurs in a triple pattern."""
        return place.value is None or any(self._reads(self._with([one], " [] ")) for one in place.places)

    def _group(self) -> tuple[int, int] | None:
        """The position of the query's conditions, from their brace to its end."""
        depth, first = 0, None
        for token in self._tokens:
            if token.kind is not TokenKind.SIGN:
                continue
            if token.text in _OPEN:
                if depth == 0 and token.text == "{":
                    first = token.start
                depth += 1
            elif token.text in _CLOSED:
                depth -= 1
                if depth == 0 and token.text == "}" and first is not None:
                    return first, token.end
        return None

    def _filter_around(self, place: tuple[int, int]) -> tuple[int, int] | None:
        """The FILTER that only compares a constant, or the list of values that it is in."""
        listed = next(((one.start, one.end) for one in self._lists if place in one.places), None)
        if listed is not None:
            return listed
        for number, token in enumerate(self._tokens):
            if token.is_word("FILTER") and number + 1 < len(self._tokens) and self._tokens[number + 1].is_sign("("):
                end = self._closing(number + 1)
                if token.start < place[0] < end:
                    inside = [one for one in self._tokens if self._tokens[number + 1].end <= one.start < end - 1]
                    is_all = len([one for one in inside if one.is_sign("&&", "||", "!")]) == 0
                    return (token.start, end) if is_all else None
        return None

    def _closing(self, number: int) -> int:
        depth = 0
        for token in self._tokens[number:]:
            depth += token.is_sign("(") - token.is_sign(")")
            if depth == 0:
                return token.end
        return len(self._text)


def _prologue(tokens: Sequence[Token]) -> tuple[int, dict[str, str], bool]:
    """The number of tokens in the prologue, its prefixes, and whether it has a BASE."""
    at, declared, has_base = 0, {}, False
    while at < len(tokens):
        if tokens[at].is_word("PREFIX") and at + 2 < len(tokens):
            declared[tokens[at + 1].text[:-1]] = tokens[at + 2].text[1:-1]
            at += 3
        elif tokens[at].is_word("BASE"):
            at, has_base = at + 2, True
        else:
            break
    return at, declared, has_base


def _put(text: str, changes: Mapping[tuple[int, int], str]) -> str:
    """The text with some places replaced, which must not overlap."""
    for (start, end), put in sorted(changes.items(), reverse=True):
        if end <= len(text):
            text = text[:start] + put + text[end:]
    return text


def _put_length(text: str, changes: Mapping[tuple[int, int], str]) -> int:
    return len(_put(text, changes))


def _free(said: str, taken: set[str]) -> str:
    """An unused variable name made from a label."""
    plain = re.sub(r"\W+", "", said) or "value"
    plain = plain if not plain[0].isdigit() else f"value{plain}"
    name, number = plain, 2
    while name in taken:
        name, number = f"{plain}{number}", number + 1
    return name


def _line(text: str) -> str:
    """The text in one line, as in a file of questions."""
    return " ".join(text.split())
