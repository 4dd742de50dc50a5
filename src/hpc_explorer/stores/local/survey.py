"""Survey a large file while the engine loads it: terms used, spellings and subjects.

It runs in a separate process and stores one number per subject: the state of a machine that reads the subject's
predicates and types ("characteristic sets", Neumann and Moerkotte 2011). So classes and predicates are counted together
in one pass, in any order of the triples.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import BinaryIO, cast

from pyoxigraph import RdfFormat, parse, serialize

from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import BlankNode, GraphName, Literal, NamedNode, Quad
from hpc_explorer.stores.local.spawning import without_main_module
from hpc_explorer.stores.local.spellings import KEPT_AS_ANOTHER, KEPT_AS_THEY_ARE, can_be_padded, stored_form

ANY = -1
"""A spelling that conforms to every style: it is the engine's own and has no decimals."""

OWN = -2
"""A spelling that conforms to no style."""

# Plain decimal numbers short enough that the engine's value gives the same digits back: 15 digits for a double and 6
# for a float (IEEE 754), 18 before and after the decimal point for a decimal. Minus zero is no decimal of its own.
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.(\d+))?\Z")
_DIGITS = {XSD.double: 15, XSD.float: 6, XSD.decimal: 18}
_MINUS_ZERO = re.compile(r"-0(?:\.0+)?\Z")
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:[0-5]\d(?:\.(\d{1,9}))?Z?\Z")


def style_range(literal: Literal) -> tuple[int, bool]:
    """The decimals of a literal, and whether it fits only this style or every style up to it.

    Returns:
        `(n, True)`: it fits style n only; `(n, False)`: styles 0 to n; or `ANY` or `OWN`.
    """
    datatype, value = literal.datatype, literal.value
    if datatype in _DIGITS:
        match = _NUMBER.match(value)
        if match is not None:
            digits = len(value) - value.count("-") - value.count(".")
            if digits > _DIGITS[datatype] or (datatype == XSD.decimal and _MINUS_ZERO.match(value)):
                match = None
    elif datatype == XSD.dateTime:
        match = _DATE_TIME.match(value)
    else:
        return (0 if stored_form(literal) == literal else OWN), False
    if match is None:
        return (ANY if not can_be_padded(value) and stored_form(literal) == literal else OWN), False
    decimals = match[1]
    if decimals is None:
        return 0, False
    return len(decimals), decimals.endswith("0")


Key = tuple[NamedNode, NamedNode]
"""A predicate and a datatype."""


class StyleCount:
    """Counts the spellings of each predicate and datatype to choose their style."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[Key, tuple[int, bool]]] = Counter()

    def see(self, key: Key, conforms: tuple[int, bool]) -> None:
        """Count one literal."""
        self._seen[key, conforms] += 1

    def chosen(self) -> dict[Key, int]:
        """The most frequent style of each key."""
        styles: dict[Key, int] = {}
        by_key: dict[Key, dict[tuple[int, bool], int]] = {}
        for (key, conforms), number in self._seen.items():
            by_key.setdefault(key, {})[conforms] = number
        for key, counts in by_key.items():
            candidates = {0, *(decimals for decimals, _ in counts if decimals > 0)}
            styles[key] = max(
                sorted(candidates),
                key=lambda style: sum(number for conforms, number in counts.items() if fits(conforms, style)),
            )
        return styles

    def departing(self, styles: dict[Key, int]) -> int:
        """The number of literals that do not fit the style of their key."""
        return sum(number for (key, conforms), number in self._seen.items() if not fits(conforms, styles[key]))


def fits(conforms: tuple[int, bool], style: int) -> bool:
    """Whether a range includes a style."""
    decimals, only = conforms
    if decimals < 0:
        return decimals == ANY
    return decimals == style if only else decimals >= style


# How many quads go by between two reports.
_REPORT_EVERY = 131_072


@dataclass
class Survey:
    """The result of a survey.

    Args:
        triples: how many statements, repeated ones included.
        prefixes: the declared prefixes.
        type_sets: how many subjects name just these classes (as IRIs).
        with_predicate: how many statements have a subject of these classes and this predicate.
        with_datatype: how many statements have this predicate and a literal that is kept with this datatype.
        graphs: how many statements each graph has.
        styles: the spelling styles by graph, predicate and datatype, if not canonical.
        departing: N-Quads of the exceptions.
        fit: whether the survey is complete: false if a blank node has an exceptional spelling or names a graph.
    """

    triples: int = 0
    prefixes: dict[str, str] = field(default_factory=dict)
    type_sets: Counter[frozenset[str]] = field(default_factory=Counter)
    with_predicate: Counter[tuple[frozenset[str], str]] = field(default_factory=Counter)
    with_datatype: Counter[tuple[str, str]] = field(default_factory=Counter)
    graphs: Counter[str] = field(default_factory=Counter)
    styles: dict[tuple[str, str, str], int] = field(default_factory=dict)
    departing: bytes = b""
    fit: bool = True


def survey(path: Path, format: RdfFormat, base: str, graph: str, subjects: Path, reports: Connection | None) -> Survey:
    """Survey a file.

    Args:
        graph: the graph of statements without one.
        subjects: a file to write the IRI of each subject to, one per line.
        reports: called occasionally with the number of statements read.
    """
    found = Survey()
    states = _States()
    styles = StyleCount()
    predicates: dict[NamedNode, int] = {}
    classes: dict[NamedNode, int] = {}
    datatypes: Counter[tuple[NamedNode, NamedNode]] = Counter()
    graphs: Counter[GraphName] = Counter()
    styled: dict[Key, set[GraphName]] = defaultdict(set)
    subject_state = states.of_subject
    number = 0
    with open(subjects, "w", encoding="utf-8") as names, _opened(path) as stream:
        parser = parse(stream, format, base_iri=base)
        for number, quad in enumerate(parser, 1):
            subject, predicate, value, name = quad.subject, quad.predicate, quad.object, quad.graph_name
            graphs[name] += 1
            if predicate == RDF.type and isinstance(value, NamedNode):
                token = -classes.setdefault(value, len(classes) + 1)
            else:
                token = predicates.setdefault(predicate, len(predicates) + 1)
            key = hash(subject)
            state = subject_state.get(key)
            if state is None:
                state = 0
                if isinstance(subject, NamedNode):
                    names.write(f"{subject.value}\n")
            subject_state[key] = states.after(state, token)
            if isinstance(value, Literal):
                of_value = (predicate, value.datatype)
                if of_value[1] in KEPT_AS_ANOTHER:
                    datatypes[predicate, stored_form(value).datatype] += 1
                else:
                    datatypes[of_value] += 1
                if of_value[1] not in KEPT_AS_THEY_ARE:
                    styles.see(of_value, style_range(value))
                    styled[of_value].add(name)
            if number % _REPORT_EVERY == 0 and reports is not None:
                reports.send(number)
        found.prefixes = dict(parser.prefixes)
    found.triples = number
    found.with_datatype = Counter({(p.value, d.value): count for (p, d), count in datatypes.items()})
    _count(found, states, {n: p.value for p, n in predicates.items()}, {n: c.value for c, n in classes.items()})
    if any(isinstance(name, BlankNode) for name in graphs):
        found.fit = False
        return found
    found.graphs = Counter({_graph(name, graph): count for name, count in graphs.items()})
    chosen = styles.chosen()
    found.styles = {
        (_graph(name, graph), p.value, d.value): style
        for (p, d), style in chosen.items()
        if style
        for name in styled[p, d]
    }
    if styles.departing(chosen):
        _note_departing(found, path, format, base, graph, chosen)
    return found


def _graph(name: GraphName, graph: str) -> str:
    return name.value if isinstance(name, NamedNode) else graph


def _opened(path: Path) -> BinaryIO:
    return Document.of_file(path).open_utf8()


class _States:
    """The states of subjects, each stored once."""

    def __init__(self) -> None:
        self.of_subject: dict[int, int] = {}
        self._next: dict[tuple[int, int], int] = {}
        self._from: list[tuple[int, int]] = [(0, 0)]

    def after(self, state: int, token: int) -> int:
        """The state after a statement: a class below 0, a predicate above."""
        following = self._next.get((state, token))
        if following is None:
            following = self._next[state, token] = len(self._from)
            self._from.append((state, token))
        return following

    def tokens(self, state: int) -> Counter[int]:
        """The statements that led to a state."""
        tokens: Counter[int] = Counter()
        while state:
            state, token = self._from[state]
            tokens[token] += 1
        return tokens


def _count(found: Survey, states: _States, predicates: dict[int, str], classes: dict[int, str]) -> None:
    for state, number in Counter(states.of_subject.values()).items():
        tokens = states.tokens(state)
        types = frozenset(classes[-token] for token in tokens if token < 0)
        if types:
            found.type_sets[types] += number
        for token, times in tokens.items():
            predicate = predicates[token] if token > 0 else RDF.type.value
            found.with_predicate[types, predicate] += number * times


def _note_departing(
    found: Survey, path: Path, format: RdfFormat, base: str, graph: str, styles: dict[Key, int]
) -> None:
    """Collect the exceptions to a style, and statements with the same value that follow it."""
    departing: dict[Quad, None] = {}
    values: set[Quad] = set()
    for whole in (False, True):
        with _opened(path) as stream:
            for quad in parse(stream, format, base_iri=base):
                literal = quad.object
                if not isinstance(literal, Literal) or literal.datatype in KEPT_AS_THEY_ARE:
                    continue
                if not whole and fits(style_range(literal), styles[quad.predicate, literal.datatype]):
                    continue
                if isinstance(quad.subject, BlankNode):
                    found.fit = found.fit and whole
                    continue
                name = NamedNode(_graph(quad.graph_name, graph))
                stored = Quad(quad.subject, quad.predicate, stored_form(literal), name)
                if not whole:
                    values.add(stored)
                elif stored in values:
                    departing[Quad(quad.subject, quad.predicate, literal, name)] = None
    found.departing = cast("bytes", serialize(departing, format=RdfFormat.N_QUADS))


class SurveyProcess:
    """A survey in a process of its own.

    Attributes:
        seen: the last reported number of statements.
    """

    def __init__(self, path: Path, format: RdfFormat, base: str, graph: str, subjects: Path) -> None:
        context = get_context("spawn")
        self._reports, theirs = context.Pipe(duplex=False)
        arguments = (path, format.media_type, base, graph, subjects, theirs)
        self._process = context.Process(target=_run, args=arguments, daemon=True)
        with without_main_module():
            self._process.start()
        theirs.close()
        self.seen = 0
        self._result: Survey | None = None

    def look(self) -> int:
        """The number of statements read so far."""
        while self._result is None and self._reports.poll():
            self._receive()
        return self.seen

    def has_ended(self, seconds: float) -> bool:
        """Whether it has finished, waiting up to this many seconds."""
        if self._result is None and self._reports.poll(seconds):
            try:
                self._receive()
            except EOFError:
                return True
        return self._result is not None

    def result(self) -> Survey | None:
        """Wait for the result; None if the file could not be read."""
        try:
            while self._result is None:
                self._receive()
        except EOFError:
            return None
        return self._result

    def _receive(self) -> None:
        told = self._reports.recv()
        if isinstance(told, Survey):
            self._result = told
        else:
            self.seen = told

    def stop(self) -> None:
        """Stop the process."""
        self._process.kill()
        self._process.join()
        self._reports.close()


def _run(path: Path, media_type: str, base: str, graph: str, subjects: Path, reports: Connection) -> None:
    """The process: reports numbers, then the survey; exits silently if the file cannot be read."""
    format = RdfFormat.from_media_type(media_type)
    assert format is not None
    try:
        reports.send(survey(path, format, base, graph, subjects, reports))
    except (SyntaxError, OSError, MemoryError, ValueError, KeyboardInterrupt):
        # The parent then loads the file statement by statement and reports the error, or is gone.
        os._exit(1)
