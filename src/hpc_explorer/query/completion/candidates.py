"""Completions at the cursor of a SPARQL text, from the terms of the graph.

Properties and classes in use are offered with their counts; for a subject with a known class, the properties of its
instances. A term matches by its label or name: "target mach" finds `hpc:targetMachine`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from hpc_explorer.query.completion.cursor_context import CursorContext, cursor_context_at
from hpc_explorer.query.completion.expected_syntax import ExpectedSyntax
from hpc_explorer.query.completion.keywords import keywords_at, needs_by
from hpc_explorer.query.completion.known_terms import ClassFacts, KnownTerms, ValuesOf
from hpc_explorer.query.completion.matching import NO_FIT, TermNames, is_iri, is_prefix, padding, typed_token
from hpc_explorer.query.completion.possible_classes import classes_of, classes_that_fit, resolved, types_by
from hpc_explorer.query.sparql.functions import AGGREGATES, DATATYPES, FUNCTIONS, WITHOUT_ARGUMENTS
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import UNKNOWN_COUNT, Count, CountKind

MOST = 200
"""The maximum number of completions."""


class CompletionKind(Enum):
    """The kind of a completion."""

    KEYWORD = "keyword"
    FUNCTION = "function"
    VARIABLE = "variable"
    PREFIX = "prefix"
    CLASS = "class"
    PROPERTY = "property"
    INVERSE = "property, backward"
    VALUE = "value"
    GRAPH = "graph"
    DATATYPE = "datatype"


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion.

    Args:
        text: the inserted text.
        start, end: the range it replaces, in characters.
        label: its name for people.
        count: instances of a class, triples of a property for the subject's class, or occurrences of a value; None if
            not counted.
        detail: a remark, such as what a function is for.
        prefixes: the prefixes and namespaces to declare.
    """

    text: str
    start: int
    end: int
    label: str
    kind: CompletionKind
    count: Count | None = None
    detail: str = ""
    prefixes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Completions:
    """The completions at a cursor.

    Args:
        completions: best first, at most `MOST`.
        unknown_classes: classes whose usage counts would narrow the result.
        values: the values that can be requested; None if there are none or they are included.
        left: how many more fit.
    """

    completions: tuple[Completion, ...] = ()
    unknown_classes: tuple[str, ...] = ()
    values: ValuesOf | None = None
    left: int = 0


def completions(text: str, cursor: int, known: KnownTerms) -> tuple[Completion, ...]:
    """The completions at a cursor, best first; none in comments, closed strings and numbers."""
    return offered(text, cursor, known).completions


def offered(text: str, cursor: int, known: KnownTerms) -> Completions:
    """The completions at a cursor, with what could be requested to improve them."""
    position = cursor_context_at(text, cursor)
    if position.spot is ExpectedSyntax.NOWHERE:
        return Completions()
    return _Offering(position, known, text).made()


_TERM_SPOTS = (
    ExpectedSyntax.PATTERN,
    ExpectedSyntax.PREDICATE,
    ExpectedSyntax.OBJECT,
    ExpectedSyntax.EXPRESSION,
    ExpectedSyntax.DATA,
    ExpectedSyntax.DESCRIBE,
    ExpectedSyntax.CONSTRAINT,
)


class _Offering:
    """Collects the completions at one position."""

    def __init__(self, position: CursorContext, known: KnownTerms, text: str) -> None:
        self._at = position
        self._known = known
        self._unknown: dict[str, None] = {}
        self._values: ValuesOf | None = None
        self._names = TermNames(position.prefixes, known.prefixes)
        self._pad_left, self._pad_right = padding(text, position)
        self._typed = typed_token(position.typed, position.prefixes, known.prefixes)

    def made(self) -> Completions:
        """The best completions."""
        fitting = sorted(self._fitting(), key=lambda one: one[0])
        seen: dict[str, Completion] = {}
        for _, make in fitting[:MOST]:
            completion = make()
            if completion is not None:
                seen.setdefault(completion.text, completion)
        return Completions(tuple(seen.values()), tuple(self._unknown), self._values, max(0, len(fitting) - MOST))

    # By position

    def _fitting(self) -> Iterator[_Ranked]:
        spot = self._at.spot
        if spot in (ExpectedSyntax.PREFIX_NAME, ExpectedSyntax.PREFIX_IRI):
            yield from self._declarations()
            return
        if (
            spot in (ExpectedSyntax.EXPRESSION, ExpectedSyntax.DATA)
            and self._at.compared
            and not self._typed.is_variable
        ):
            yield from self._values_of_variable(self._at.compared)
        if self._typed.is_string:
            if spot is ExpectedSyntax.OBJECT:
                yield from self._object()
            return
        if not self._typed.is_iri and self._typed.prefix is None:
            if not self._typed.is_variable:
                yield from self._keywords()
            if not needs_by(self._at):
                yield from self._variables()
        if self._typed.is_variable or needs_by(self._at):
            return
        if spot is ExpectedSyntax.PREDICATE:
            yield from self._predicates()
        elif spot is ExpectedSyntax.OBJECT:
            yield from self._object()
        elif spot is ExpectedSyntax.DATATYPE:
            for name in DATATYPES:
                fit = self._typed.fits(name.casefold(), XSD + name)
                if fit < NO_FIT:
                    yield (1, fit, 0, name), self._term(XSD + name, name, CompletionKind.DATATYPE, None)
        elif spot in (ExpectedSyntax.EXPRESSION, ExpectedSyntax.CONSTRAINT):
            yield from self._functions(FUNCTIONS)
        if spot in (ExpectedSyntax.GRAPH, ExpectedSyntax.DATASET):
            for graph in self._known.graphs:
                fit = self._typed.fits(graph.casefold(), graph)
                if fit < NO_FIT:
                    yield (1, fit, 0, graph), self._term(graph, graph, CompletionKind.GRAPH, None)
        if spot in _TERM_SPOTS and self._typed.prefix is None and not self._typed.is_iri and self._typed.text:
            yield from self._prefixes()
        if spot in (ExpectedSyntax.SELECT, ExpectedSyntax.ORDER_BY) or (
            spot in (ExpectedSyntax.EXPRESSION, ExpectedSyntax.CONSTRAINT) and self._aggregates()
        ):
            yield from self._functions(AGGREGATES)

    def _aggregates(self) -> bool:
        """Whether aggregates are allowed here: among the columns and after the pattern."""
        return not self._at.in_group

    def _declarations(self) -> Iterator[_Ranked]:
        whole = self._at.spot is ExpectedSyntax.PREFIX_NAME
        own = self._at.before.text.partition(":")[0] if self._at.before is not None else ""
        for prefix, namespace in self._known.prefixes.items():
            if prefix in self._at.prefixes or not namespace or not is_prefix(prefix) or not is_iri(namespace):
                continue
            if not whole and prefix != own:
                continue
            typed = (self._typed.prefix if self._typed.prefix is not None else self._typed.text).casefold()
            if whole and not prefix.casefold().startswith(typed):
                continue
            text = f"{prefix}: <{namespace}>" if whole else f"<{namespace}>"
            yield (1, 0, 0, prefix), self._plain(text, f"{prefix}:", CompletionKind.PREFIX, detail=namespace)

    def _prefixes(self) -> Iterator[_Ranked]:
        """The prefixes, to continue with a local name."""
        for prefix, namespace in {**self._known.prefixes, **self._at.prefixes}.items():
            if not prefix.casefold().startswith(self._typed.text) or not is_prefix(prefix) or not is_iri(namespace):
                continue
            declared = () if prefix in self._at.prefixes else ((prefix, namespace),)
            yield (
                (5, 0, 0, prefix),
                self._plain(f"{prefix}:", f"{prefix}:", CompletionKind.PREFIX, detail=namespace, prefixes=declared),
            )

    def _variables(self) -> Iterator[_Ranked]:
        spot = self._at.spot
        if spot not in _VARIABLE_SPOTS:
            return
        typed = self._typed.text.lstrip("?$")
        for number, name in enumerate(self._at.variables):
            bare = name[1:].casefold()
            fit = 0 if bare.startswith(typed) else 2 if typed in bare else NO_FIT
            if fit < NO_FIT and (self._typed.is_variable or not typed or fit == 0):
                yield (_VARIABLE_SPOTS[spot], fit, number, name), self._plain(name, name, CompletionKind.VARIABLE)

    def _keywords(self) -> Iterator[_Ranked]:
        for number, (word, detail) in enumerate(keywords_at(self._at)):
            if word.casefold().startswith(self._typed.text) or (word == "a" and self._typed.text == "a"):
                rank = 0 if self._typed.text or self._at.spot in _KEYWORDS_FIRST else 4
                yield (rank, 0, number, word), self._plain(word, word, CompletionKind.KEYWORD, detail=detail)

    def _functions(self, functions: Mapping[str, str]) -> Iterator[_Ranked]:
        if self._typed.prefix is not None or self._typed.is_iri:
            return
        aggregate = functions is AGGREGATES
        for number, (name, purpose) in enumerate(functions.items()):
            fit = 0 if name.casefold().startswith(self._typed.text) else self._typed.fits_words(purpose)
            if fit < NO_FIT:
                text = f"{name}()" if name in WITHOUT_ARGUMENTS else f"{name}("
                if aggregate and self._at.spot is ExpectedSyntax.SELECT:
                    text = f"({name}("
                yield (3, fit, number, name), self._plain(text, name, CompletionKind.FUNCTION, detail=purpose)

    # Terms of the graph

    def _predicates(self) -> Iterator[_Ranked]:
        known = self._known
        before = self._at.before
        is_backward = before is not None and before.is_sign("^")
        in_path = bool(self._at.path)
        classes = None if in_path else classes_of(self._at.subject, self._at, known)
        outgoing = self._used(classes, incoming=False)
        incoming = self._used(classes, incoming=True)
        ways: list[tuple[bool, Mapping[str, Count]]] = []
        if not is_backward:
            ways.append((False, outgoing))
        if is_backward or classes is not None:
            ways.append((True, incoming))
        for backward, counts in ways:
            for iri, count in counts.items():
                term = known.properties.get(iri)
                if term is None or iri == RDF.type.value:
                    continue
                fit = self._typed.fits(term.sought, iri)
                if fit == NO_FIT:
                    continue
                kind = CompletionKind.INVERSE if backward else CompletionKind.PROPERTY
                sign = "^" if backward and not is_backward else ""
                yield (1 + bool(sign), fit, -count.value, term.label), self._term(iri, term.label, kind, count, sign)

    def _used(self, classes: frozenset[str] | None, *, incoming: bool) -> dict[str, Count]:
        """The properties of instances of any of these classes, or of anything, with the number of triples."""
        known = self._known
        unknown = [cls for cls in sorted(classes or ()) if known.facts_of(cls) is None]
        if classes is None or unknown:
            self._unknown.update(dict.fromkeys(unknown))
            return {} if unknown and incoming else {iri: term.count for iri, term in known.properties.items()}
        found: dict[str, Count] = {}
        for cls in classes:
            facts = known.facts_of(cls) or ClassFacts()
            for iri, count in (facts.incoming if incoming else facts.outgoing).items():
                # An instance of several classes must count once, so the maximum is a lower bound.
                other = found.get(iri)
                most = max(count.value, other.value if other else 0)
                kind = count.kind if len(classes) == 1 else CountKind.AT_LEAST
                found[iri] = UNKNOWN_COUNT if count.kind is CountKind.UNKNOWN else Count(most, kind)
        return found

    def _object(self) -> Iterator[_Ranked]:
        path = resolved(self._at.path, self._at, self._known)
        is_type, above = types_by(path)
        if is_type:
            yield from self._classes(above)
        elif path and path[-1] in _CLASS_VALUED:
            for iri, term in self._known.defined.items():
                fit = self._typed.fits(term.sought, iri)
                if fit < NO_FIT:
                    yield (1, fit, 0, term.label), self._term(iri, term.label, CompletionKind.CLASS, None)
        elif len(path) == 1:
            yield from self._values_of(path[0], self._at.subject)

    def _values_of_variable(self, variable: str) -> Iterator[_Ranked]:
        """The values of a variable, by the first triple whose object it is."""
        for statement in self._at.statements:
            path = resolved(statement.path, self._at, self._known)
            if statement.value == variable and len(path) == 1:
                is_type = types_by(path)[0]
                yield from self._classes(False) if is_type else self._values_of(path[0], statement.subject)
                return

    def _classes(self, above: bool) -> Iterator[_Ranked]:
        """The possible classes of the subject, given its other statements."""
        known = self._known
        can_be = classes_that_fit(self._at.subject, self._at, known) if self._at.spot is ExpectedSyntax.OBJECT else None
        for iri, term in known.classes.items():
            below = known.below.get(iri, frozenset({iri})) if above else frozenset({iri})
            if can_be is not None and can_be.isdisjoint(below):
                continue
            fit = self._typed.fits(term.sought, iri)
            if fit < NO_FIT:
                yield (
                    (1, fit, -term.count.value, term.label),
                    self._term(iri, term.label, CompletionKind.CLASS, term.count),
                )
        if above:
            for iri, term in known.defined.items():
                used = iri not in known.classes and any(cls in known.classes for cls in known.below.get(iri, ()))
                fit = self._typed.fits(term.sought, iri) if used else NO_FIT
                if fit < NO_FIT:
                    yield (1, fit, 0, term.label), self._term(iri, term.label, CompletionKind.CLASS, UNKNOWN_COUNT)

    def _values_of(self, predicate: str, subject: str) -> Iterator[_Ranked]:
        classes = classes_of(subject, self._at, self._known)
        cls = next(iter(classes)) if classes is not None and len(classes) == 1 else None
        whole = ValuesOf(predicate, cls)
        wanted, is_whole = whole, self._known.values.get(whole, ((), False))[1]
        if whole in self._known.values and not is_whole and self._typed.text:
            wanted = ValuesOf(predicate, cls, self._typed.text)
        if wanted not in self._known.values and predicate in self._known.properties:
            self._values = wanted
        for source in dict.fromkeys((whole, wanted)):
            for value in self._known.values.get(source, ((), True))[0]:
                is_literal = isinstance(value.term, Literal)
                if (self._typed.is_string and not is_literal) or (self._typed.prefix is not None and is_literal):
                    continue
                iri = "" if is_literal else value.term.value
                fit = self._typed.fits(f"{value.label} {value.term.value}".casefold(), iri)
                if fit == NO_FIT:
                    continue
                if isinstance(value.term, NamedNode):
                    make = self._term(iri, value.label, CompletionKind.VALUE, value.count)
                else:
                    make = self._plain(str(value.term), value.label, CompletionKind.VALUE, value.count)
                yield (1, fit, -value.count.value, value.label), make

    # Making them

    def _plain(
        self,
        text: str,
        label: str,
        kind: CompletionKind,
        count: Count | None = None,
        detail: str = "",
        prefixes: tuple[tuple[str, str], ...] = (),
    ) -> _Make:
        def make() -> Completion:
            padded = self._pad_left + text + self._pad_right
            return Completion(padded, self._at.start, self._at.end, label, kind, count, detail, prefixes)

        return make

    def _term(self, iri: str, label: str, kind: CompletionKind, count: Count | None, sign: str = "") -> _Make:
        def make() -> Completion | None:
            if not is_iri(iri):
                return None
            name, prefixes = (f"<{iri}>", ()) if self._typed.is_iri else self._names.of(iri)
            return self._plain(sign + name, label, kind, count, name if name != label else "", prefixes)()

        return make


_Rank = tuple[int, int, int, str]
_Make = Callable[[], Completion | None]
_Ranked = tuple[_Rank, _Make]

# Whether variables come before other completions.
_VARIABLE_SPOTS = {
    ExpectedSyntax.SELECT: 1,
    ExpectedSyntax.DESCRIBE: 1,
    ExpectedSyntax.PATTERN: 1,
    ExpectedSyntax.OBJECT: 2,
    ExpectedSyntax.PREDICATE: 6,
    ExpectedSyntax.EXPRESSION: 1,
    ExpectedSyntax.CONSTRAINT: 4,
    ExpectedSyntax.GRAPH: 1,
    ExpectedSyntax.VALUES: 1,
    ExpectedSyntax.GROUP_BY: 1,
    ExpectedSyntax.ORDER_BY: 1,
}
_KEYWORDS_FIRST = (
    ExpectedSyntax.START,
    ExpectedSyntax.GROUP,
    ExpectedSyntax.CONSTRUCT,
    ExpectedSyntax.DATASET,
    ExpectedSyntax.MODIFIERS,
    ExpectedSyntax.CONSTRAINT,
    ExpectedSyntax.AFTER_OBJECT,
)

_CLASS_VALUED = frozenset(term.value for term in (RDFS.subClassOf, RDFS.domain, RDFS.range, OWL.equivalentClass))
