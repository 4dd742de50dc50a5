"""Files of ready questions: Turtle, in SHACL's terms where possible (SHACL, section 5; SHACL-AF, section 5).

A question is a `sh:SPARQLSelectExecutable` with `sh:select` and `sh:prefixes`; its blanks are its `sh:parameter`s, each
a variable named by the local name of its `sh:path`. Other terms are in the namespace
`urn:hpc-explorer:question#`: choices, suitable graphs, variants, columns, plots, and examples with expected rows.
docs/decisions/0025-questions.md and 0031-library-of-questions.md list them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from hpc_explorer.errors import DamagedQuestions, QuerySyntaxError
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.query.questions.question import (
    Example,
    Parameter,
    Plot,
    PlotMark,
    Query,
    Question,
    Value,
    Variant,
)
from hpc_explorer.query.sparql.blanks import filled, variables
from hpc_explorer.query.table import Column
from hpc_explorer.rdf.namespaces import DCTERMS, RDF, RDFS, SH, Namespace
from hpc_explorer.rdf.sparql_shape import service_calls, without_calls
from hpc_explorer.rdf.syntax.reading import SourceContent, read_bytes, read_source
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, Term, is_resource
from hpc_explorer.stores.local.local import LocalStore

QUESTION = Namespace("urn:hpc-explorer:question#")
"""The program's own terms about questions."""

PARAMETER = Namespace("urn:hpc-explorer:parameter:")
"""The namespace of the paths of written parameters."""


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a file, by name.

    Raises:
        DamagedQuestions: it has none, or one that cannot be run.
        SourceNotFound, SourceUnreadable, SourceSyntaxError, UnknownFormat: as `rdf.reading.read_source`.
    """
    return _questions(read_source(path), str(path))


def questions_of_text(text: str, name: str) -> tuple[Question, ...]:
    """The questions of a Turtle text.

    Args:
        name: its name in errors.

    Raises:
        DamagedQuestions, SourceSyntaxError: as `read_questions`.
    """
    return _questions(read_bytes(text.encode(), name=name, base="urn:hpc-explorer:questions:"), name)


def _questions(content: SourceContent, where: str) -> tuple[Question, ...]:
    facts: dict[Resource, dict[NamedNode, list[Term]]] = {}
    for quad in content.quads():
        if is_resource(quad.subject):
            facts.setdefault(quad.subject, {}).setdefault(quad.predicate, []).append(quad.object)  # type: ignore[arg-type]  # no quoted triples in Turtle 1.1
    reader = _Reader(facts, where)
    found = tuple(
        reader.question(node)
        for node, said in facts.items()
        if SH.SPARQLSelectExecutable in said.get(RDF.type, ()) and DCTERMS.identifier in said
    )
    if not found:
        raise DamagedQuestions(
            "no questions in this file", where, "a question is a sh:SPARQLSelectExecutable with a dcterms:identifier"
        )
    twice = {one.name for one in found if sum(other.name == one.name for other in found) > 1}
    if twice:
        raise DamagedQuestions("two questions of one name", f"{where}: {min(twice)}", "give each a name of its own")
    return tuple(sorted(found, key=lambda one: one.name))


class _Reader:
    """Reads the nodes of one file.

    Args:
        facts: the statements about each node.
    """

    def __init__(self, facts: Mapping[Resource, Mapping[NamedNode, list[Term]]], where: str) -> None:
        self._facts = facts
        self._where = where
        self._empty = LocalStore.in_memory()

    # Statements of a node

    def _all(self, node: Resource, predicate: NamedNode) -> list[Term]:
        return self._facts.get(node, {}).get(predicate, [])

    def _nodes(self, node: Resource, predicate: NamedNode) -> list[Resource]:
        return [one for one in self._all(node, predicate) if is_resource(one)]

    def _one(self, node: Resource, predicate: NamedNode) -> Term | None:
        found = self._all(node, predicate)
        if len(found) > 1:
            raise self._fault(f"{local_name(predicate.value)} is given {len(found)} times", node)
        return found[0] if found else None

    def _node(self, node: Resource, predicate: NamedNode) -> Resource | None:
        found = self._one(node, predicate)
        return found if is_resource(found) else None

    def _iri(self, node: Resource, predicate: NamedNode) -> NamedNode | None:
        found = self._one(node, predicate)
        return found if isinstance(found, NamedNode) else None

    def _text(self, node: Resource, predicate: NamedNode) -> str:
        found = self._one(node, predicate)
        return " ".join(found.value.split()) if isinstance(found, Literal) else ""

    def _needed(self, node: Resource, predicate: NamedNode) -> str:
        text = self._text(node, predicate)
        if not text:
            raise self._fault(f"{local_name(predicate.value)} is missing", node)
        return text

    def _list(self, node: Resource | None) -> list[Term]:
        items: list[Term] = []
        seen: set[Resource] = set()
        while node is not None and node != RDF.nil:
            if node in seen:
                raise self._fault("a list that does not end", node)
            seen.add(node)
            first = self._one(node, RDF.first)
            if first is None:
                raise self._fault("no list", node)
            items.append(first)
            node = self._node(node, RDF.rest)
        return items

    def _texts(self, node: Resource, predicate: NamedNode) -> tuple[str, ...]:
        return tuple(one.value for one in self._list(self._node(node, predicate)) if isinstance(one, Literal))

    def _fault(self, what: str, node: Resource) -> DamagedQuestions:
        return DamagedQuestions(what, f"{self._where}: {node}", "correct it there")

    # Questions

    def question(self, node: Resource) -> Question:
        """The question of a node."""
        parameters = [self._parameter(one) for one in self._nodes(node, SH.parameter)]
        by_place = tuple(one for _, one in sorted(parameters, key=lambda pair: (pair[0], pair[1].name)))
        if len({one.name for one in by_place}) < len(by_place):
            raise self._fault("two parameters of one name", node)
        question = Question(
            name=self._needed(node, DCTERMS.identifier),
            title=self._needed(node, RDFS.label),
            text=self._text(node, RDFS.comment),
            source=self._text(node, DCTERMS.source),
            parameters=by_place,
            variants=(
                self._variant(node),
                *(self._variant(one) for one in self._nodes(node, QUESTION.alternative)),
            ),
            columns=tuple(self._column(one) for one in self._nodes(node, QUESTION.column)),
            plots=tuple(self._plot(one) for one in self._list(self._node(node, QUESTION.plots)) if is_resource(one)),
            examples=tuple(
                self._example(one) for one in self._list(self._node(node, QUESTION.examples)) if is_resource(one)
            ),
        )
        if len(question.name.split()) != 1:
            raise self._fault("a question's name is one word", node)
        self._check(question, node)
        return question

    def _variant(self, node: Resource) -> Variant:
        test = self._node(node, QUESTION.fits)
        select = self._query(node, SH.select)
        if select is None:
            raise self._fault("select is missing", node)
        return Variant(self._text(node, QUESTION.variant), select, None if test is None else self._query(test, SH.ask))

    def _query(self, node: Resource, predicate: NamedNode) -> Query | None:
        text = self._one(node, predicate)
        if not isinstance(text, Literal):
            return None
        declared = [
            (self._text(one, SH.prefix), namespace.value)
            for prefixes in self._nodes(node, SH.prefixes)
            for one in self._nodes(prefixes, SH.declare)
            if isinstance(namespace := self._one(one, SH.namespace), (NamedNode, Literal))
        ]
        return Query(text.value, tuple(sorted(declared)))

    def _parameter(self, node: Resource) -> tuple[float, Parameter]:
        path = self._iri(node, SH.path)
        if path is None:
            raise self._fault("path is missing", node)
        name = local_name(path.value)
        order = self._one(node, SH.order)
        optional, free = self._one(node, SH.optional), self._one(node, QUESTION.free)
        default = self._one(node, SH.defaultValue)
        choices = self._node(node, QUESTION.choices)
        among = self._node(node, SH.term("in"))
        return float(order.value) if isinstance(order, Literal) else 0.0, Parameter(
            name=name,
            label=self._text(node, SH.name) or name,
            description=self._text(node, SH.description),
            of_class=self._iri(node, SH.term("class")),
            datatype=self._iri(node, SH.datatype),
            among=tuple(self._value(one, node) for one in self._list(among)),
            choices=None if choices is None else self._query(choices, SH.select),
            default=None if default is None else self._value(default, node),
            is_optional=isinstance(optional, Literal) and optional.value in ("true", "1"),
            is_free=isinstance(free, Literal) and free.value in ("true", "1"),
        )

    def _value(self, term: Term, node: Resource) -> Value:
        if isinstance(term, (NamedNode, Literal)):
            return term
        raise self._fault("a blank node cannot be chosen", node)

    def _plot(self, node: Resource) -> Plot:
        mark = self._text(node, QUESTION.mark) or PlotMark.LINE.value
        if mark not in {one.value for one in PlotMark}:
            raise self._fault(f"a plot is drawn as line or points, not as {mark!r}", node)
        plot = Plot(
            self._needed(node, RDFS.label),
            self._needed(node, QUESTION.x),
            self._texts(node, QUESTION.y),
            self._texts(node, QUESTION.series),
            PlotMark(mark),
        )
        if not plot.y:
            raise self._fault("y is missing", node)
        return plot

    def _example(self, node: Resource) -> Example:
        values: dict[str, Value] = {}
        for one in self._nodes(node, QUESTION.setting):
            path, value = self._iri(one, SH.path), self._one(one, SH.hasValue)
            if path is None or value is None:
                raise self._fault("a setting has a sh:path and a sh:hasValue", node)
            values[local_name(path.value)] = self._value(value, node)
        columns = self._texts(node, QUESTION.columns)
        rows = tuple(self._row(one, node) for one in self._list(self._node(node, QUESTION.rows)))
        if any(len(row) != len(columns) for row in rows):
            raise self._fault("a row of an example has other columns than the example", node)
        return Example(self._needed(node, QUESTION.graph), tuple(sorted(values.items())), columns, rows)

    def _row(self, row: Term, node: Resource) -> tuple[Term | None, ...]:
        if not is_resource(row):
            raise self._fault("a row of an example is a list", node)
        return tuple(None if value == QUESTION.unbound else self._value(value, node) for value in self._list(row))

    # Validation

    def _check(self, question: Question, node: Resource) -> None:
        """Let the engine parse every text, with and without values for the blanks."""
        examples: dict[str, Value] = {
            one.name: NamedNode("urn:example:value") if one.datatype is None else Literal("1", datatype=one.datatype)
            for one in question.parameters
        }
        for variant in question.variants:
            for name in examples:
                if name not in variables(variant.select.text):
                    raise self._fault(f"the text has no variable ${name} for its parameter", node)
            columns = self._columns(variant.select, examples, node)
            for plot in question.plots:
                absent = [name for name in (plot.x, *plot.y, *plot.series) if name not in columns]
                if absent:
                    raise self._fault(f"a plot of a column ?{absent[0]} that the answer does not have", node)
            if variant.fits is not None:
                self._parsed(variant.fits.whole, node, is_ask=True)
        for example in question.examples:
            stray = [name for name, _ in example.values if question.parameter(name) is None]
            if stray:
                raise self._fault(f"an example sets a parameter ${stray[0]} that there is not", node)
        for parameter in question.parameters:
            if parameter.choices is not None:
                others = {name: value for name, value in examples.items() if name != parameter.name}
                if parameter.name not in self._columns(parameter.choices, others, node):
                    raise self._fault(f"the choices have no column ?{parameter.name}", node)

    def _column(self, node: Resource) -> Column:
        title, name = self._needed(node, RDFS.label), self._needed(node, SH.name)
        return Column(title, unit=self._text(node, QUESTION.unit), name=name)

    def _columns(self, query: Query, examples: Mapping[str, Value], node: Resource) -> tuple[str, ...]:
        self._parsed(query.whole, node)
        return self._parsed(filled(query.whole, examples), node)

    def _parsed(self, text: str, node: Resource, *, is_ask: bool = False) -> tuple[str, ...]:
        try:
            if is_ask:
                if service_calls(text):
                    raise self._fault("a test whether it fits a graph asks another server (SERVICE)", node)
                self._empty.ask(text)
                return ()
            return self._empty.select(without_calls(text)).variables
        except QuerySyntaxError as error:
            raise DamagedQuestions(
                error.what, f"{self._where}: {node}" + (f", {error.where}" if error.where else ""), "correct it there"
            ) from None


# --- writing: each question in one piece, its text as it was typed


def questions_text(questions: Iterable[Question]) -> str:
    """The questions as a Turtle document that `questions_of_text` reads back unchanged."""
    lines = [
        f"@prefix dcterms: <{DCTERMS}> .",
        f"@prefix q: <{QUESTION}> .",
        f"@prefix rdfs: <{RDFS}> .",
        f"@prefix sh: <{SH}> .",
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .",
    ]
    for question in questions:
        lines += ["", *_Writer(question).lines()]
    return "\n".join(lines) + "\n"


class _Writer:
    """Writes one question; prefixes that several of its texts use are declared once, before it."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._iri = f"urn:hpc-explorer:questions:{_iri_part(question.name)}"
        self._declared: dict[tuple[tuple[str, str], ...], str] = {}

    def lines(self) -> list[str]:
        """The prefixes, then the question."""
        question = self._question
        first, *others = question.variants
        body = [
            f"<{self._iri}> a sh:SPARQLSelectExecutable ;",
            f"    dcterms:identifier {_string(question.name)} ;",
            f"    rdfs:label {_string(question.title)} ;",
            *([f"    rdfs:comment {_string(question.text)} ;"] if question.text else []),
            *([f"    dcterms:source {_string(question.source)} ;"] if question.source else []),
            *(self._parameter(place, one) for place, one in enumerate(question.parameters, 1)),
            *(_column_text(one) for one in question.columns),
            *([f"    q:plots ({''.join(map(_plot_text, question.plots))} ) ;"] if question.plots else []),
            *([f"    q:examples ({''.join(map(_example_text, question.examples))} ) ;"] if question.examples else []),
            *(f"    q:alternative [ a sh:SPARQLSelectExecutable ;\n        {self._variant(one)} ] ;" for one in others),
            f"    {self._variant(first)} .",
        ]
        return [*(self._declaration(prefixes, iri) for prefixes, iri in self._declared.items()), *body]

    def _parameter(self, place: int, one: Parameter) -> str:
        parts = [f"sh:path <{PARAMETER}{_iri_part(one.name)}>", f"sh:name {_string(one.label)}", f"sh:order {place}"]
        if one.description:
            parts.append(f"sh:description {_string(one.description)}")
        if one.of_class is not None:
            parts.append(f"sh:class {one.of_class}")
        parts.append("sh:nodeKind sh:IRI" if one.datatype is None else f"sh:datatype {one.datatype}")
        if one.among:
            parts.append(f"sh:in ( {' '.join(map(str, one.among))} )")
        if one.default is not None:
            parts.append(f"sh:defaultValue {one.default}")
        if one.is_optional:
            parts.append("sh:optional true")
        if one.is_free:
            parts.append("q:free true")
        if one.choices is not None:
            parts.append(f"q:choices [ a sh:SPARQLSelectExecutable ; {self._query(one.choices, 'select')} ]")
        said = " ;\n        ".join(parts)
        return f"    sh:parameter [\n        {said} ] ;"

    def _variant(self, one: Variant) -> str:
        parts = [f"q:variant {_string(one.label)}"] if one.label else []
        if one.fits is not None:
            parts.append(f"q:fits [ a sh:SPARQLAskExecutable ; {self._query(one.fits, 'ask')} ]")
        return " ;\n    ".join([*parts, self._query(one.select, "select")])

    def _query(self, query: Query, form: str) -> str:
        prefixes = ""
        if query.prefixes:
            number = len(self._declared) + 1
            new = f"{self._iri}:prefixes" + (f"-{number}" if number > 1 else "")
            prefixes = f"sh:prefixes <{self._declared.setdefault(query.prefixes, new)}> ; "
        return f"{prefixes}sh:{form} {_string(query.text)}"

    @staticmethod
    def _declaration(prefixes: Sequence[tuple[str, str]], iri: str) -> str:
        declared = " ,\n        ".join(
            f"[ sh:prefix {_string(prefix)} ; sh:namespace {_string(namespace)}^^xsd:anyURI ]"
            for prefix, namespace in prefixes
        )
        return f"<{iri}>\n    sh:declare {declared} .\n"


def _column_text(one: Column) -> str:
    unit = f" ; q:unit {_string(one.unit)}" if one.unit else ""
    return f"    q:column [ sh:name {_string(one.name)} ; rdfs:label {_string(one.title)}{unit} ] ;"


def _plot_text(one: Plot) -> str:
    parts = [f"rdfs:label {_string(one.title)}", f"q:x {_string(one.x)}", f"q:y {_strings(one.y)}"]
    if one.series:
        parts.append(f"q:series {_strings(one.series)}")
    return f"\n        [ {' ; '.join([*parts, f'q:mark {_string(one.mark.value)}'])} ]"


def _example_text(one: Example) -> str:
    parts = [f"q:graph {_string(one.graph)}"]
    for name, value in one.values:
        parts.append(f"q:setting [ sh:path <{PARAMETER}{_iri_part(name)}> ; sh:hasValue {value} ]")
    parts.append(f"q:columns {_strings(one.columns)}")
    rows = "".join(f"\n            {_row_text(row)}" for row in one.rows)
    said = " ;\n          ".join([*parts, f"q:rows ({rows} )"])
    return f"\n        [ {said} ]"


def _row_text(row: Sequence[Term | None]) -> str:
    return f"( {' '.join('q:unbound' if value is None else str(value) for value in row)} )"


def _strings(texts: Sequence[str]) -> str:
    return f"( {' '.join(map(_string, texts))} )"


def _string(text: str) -> str:
    """A literal of Turtle; one of several lines keeps them, so that a query can be read in the file."""
    if "\n" not in text:
        return str(Literal(text))
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "\\r")
    return f'"""{escaped}"""'


def _iri_part(name: str) -> str:
    from urllib.parse import quote

    return quote(name, safe="")
