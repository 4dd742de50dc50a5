"""PROV-N (W3C recommendation, 2013): its records, and a document of records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.errors import SourceSyntaxError
from hpc_explorer.interchange.json_values import text_of
from hpc_explorer.interchange.prov.records import ELEMENTS, RELATIONS, TIMES, Names, Record, Shortener, statements_of
from hpc_explorer.interchange.statements import Findings, literal_of, number_of
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, Literal, NamedNode, Quad, Term

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

_START = re.compile(
    r"(?:\s|//[^\n]*\n|/\*.*?\*/)*document\s+(?:prefix\s|default\s|bundle\s|endDocument|\w+\()", re.DOTALL
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_MARKER = "-"
_KINDS = {**dict.fromkeys(ELEMENTS, ()), **{kind: one.arguments for kind, one in RELATIONS.items()}}
_KINDS["activity"] = ("startTime", "endTime")


def is_prov_n(text: str) -> bool:
    """Whether a text begins as a PROV-N document."""
    return _START.match(text) is not None


def read_prov_n(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a PROV-N document; each bundle is a named graph."""
    for record in records_of_text(text_of(document), base, document.where, findings):
        yield from statements_of(record)


@cache
def _parser() -> Lark:
    from lark import Lark

    grammar = (Path(__file__).parent / "prov_n.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", maybe_placeholders=True, propagate_positions=True)


def _tree(text: str, where: str, findings: Findings) -> Tree[Token]:
    from lark.exceptions import UnexpectedInput

    try:
        return _parser().parse(text)
    except UnexpectedInput as error:
        place = where if error.line < 1 else f"{where}:{error.line}:{error.column}"
        at: int | None = getattr(error, "pos_in_stream", None)
        is_end = getattr(getattr(error, "token", None), "type", "") == "$END"
        rest = "" if is_end else text[at or 0 :]
        # An unterminated text or name is reported at its start.
        if rest.strip() and not rest.lstrip().startswith(('"', "'", "<")):
            raise SourceSyntaxError("not expected here in PROV-N", place, "correct it there") from None
        # The document is cut short in an expression; what precedes it is complete.
        end = max(text.rfind(")\n"), text.rfind(">\n"))
        if end < 0:
            raise SourceSyntaxError("unexpected end of file", place, "the file may be cut short") from None
        findings.lost("cut short, read up to the last whole expression", where)
        try:
            return _parser().parse(text[: end + 1])
        except UnexpectedInput as again:
            where = f"{where}:{again.line}:{again.column}"
            raise SourceSyntaxError("not expected here in PROV-N", where, "correct it there") from None


def records_of_text(text: str, base: str, where: str, findings: Findings) -> Iterator[Record]:
    """The records of a PROV-N document.

    Raises:
        SourceSyntaxError: it breaks the grammar.
    """
    outer = names = Names(base, where, findings)
    graph: GraphName = DefaultGraph()
    ended = False
    for item in _tree(text, where, findings).children:
        assert not isinstance(item, str)
        words = [str(child) for child in item.children if isinstance(child, str)]
        if item.data == "declaration":
            names.declare("default" if words[0] == "default" else words[1], words[-1][1:-1])
        elif item.data == "bundle":
            graph = outer.iri(_unescaped(words[1]))
            names = Names("", where, findings, outer=outer)
        elif item.data == "boundary":
            ended = words[0] == "endDocument"
            if words[0] == "endBundle":
                graph, names = DefaultGraph(), outer
        else:
            yield from _expression(item, names, graph, where, findings)
    if not ended and not any("cut short" in line for line in findings.missing):
        findings.lost("cut short, without endDocument", where)


def _expression(item: Any, names: Names, graph: GraphName, where: str, findings: Findings) -> Iterator[Record]:
    kind = str(item.children[0])
    own: str | None = None
    arguments: list[str] = []
    attributes: list[tuple[NamedNode, Term]] = []
    for child in item.children[1:]:
        if child is None:
            continue
        if isinstance(child, str):
            arguments.append(str(child))
            continue
        words = [one for one in child.children if one is not None]
        if child.data == "identifier":
            own = str(words[0])
        else:
            attributes = [
                (names.iri(_unescaped(str(pair.children[0]))), _literal(pair.children[1], names)) for pair in words
            ]
    if kind not in _KINDS:
        findings.not_understood[f"expression: {kind}"] += 1
        findings.lost(f"{kind} is not an expression of PROV-DM", f"{where}:{item.meta.line}")
        return
    if kind in ELEMENTS:
        own, arguments = (arguments[0], arguments[1:]) if arguments else (None, [])
        if own is None or own == _MARKER:
            findings.lost(f"{kind} without an identifier", f"{where}:{item.meta.line}")
            return
    record = Record(kind, bundle=graph, attributes=attributes)
    if own is not None and own != _MARKER:
        record.id = names.resource(_unescaped(own))
    for name, word in zip(_KINDS[kind], arguments, strict=False):
        if word != _MARKER:
            is_time = name in TIMES
            record.arguments[name] = (
                Literal(word, datatype=XSD.dateTime) if is_time else names.resource(_unescaped(word))
            )
    yield record


def _literal(tree: Any, names: Names) -> Term:
    words = [str(one) for one in tree.children]
    if tree.data == "name":
        return names.resource(_unescaped(words[0][1:-1]))
    if tree.data == "number":
        number = number_of(words[0])
        # An integer without a datatype is an xsd:int (PROV-N, section 3.7.3.1).
        return Literal(words[0], datatype=XSD.int) if isinstance(number, int) else literal_of(number)
    quotes = 3 if words[0].startswith('"""') else 1
    text = _unescaped(words[0][quotes:-quotes])
    if tree.data == "tagged":
        return names.literal(text, None, words[1].removeprefix("@"))
    return names.literal(text, words[1] if tree.data == "typed" else None, None)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[1]), text)


# --- writing


def prov_n(records: Iterable[Record], prefixes: Mapping[str, str]) -> str:
    """A PROV-N document of records."""
    short = Shortener(prefixes)
    parts: dict[GraphName, list[str]] = {DefaultGraph(): []}
    blanks: dict[BlankNode, NamedNode] = {}
    for record in records:
        parts.setdefault(record.bundle, []).append(_written(record, short, blanks))
    lines = parts.pop(DefaultGraph())
    bundles: list[str] = []
    for graph, inside in parts.items():
        name = _escaped(short.name(str(graph.value))) if isinstance(graph, NamedNode) else "-"
        bundles += [f"  bundle {name}", *(f"  {line}" for line in inside), "  endBundle"]
    declared = [f"  prefix {prefix} <{namespace}>" for prefix, namespace in short.prefixes.items()]
    return "\n".join(["document", *declared, *lines, *bundles, "endDocument"]) + "\n"


def _written(record: Record, short: Shortener, blanks: dict[BlankNode, NamedNode]) -> str:
    def named(term: Term) -> str:
        return term.value if isinstance(term, Literal) else _escaped(short.name(str(term.value)))

    words = [named(record.arguments[name]) if name in record.arguments else _MARKER for name in _KINDS[record.kind]]
    while words and words[-1] == _MARKER and (record.kind in ELEMENTS or len(words) > 2):
        words.pop()
    own = named(record.id) if isinstance(record.id, NamedNode) else None
    if record.kind in ELEMENTS:
        words = [own or _MARKER, *(words if len(words) != 1 else [*words, _MARKER])]
        own = None
    pairs = [f"{named(name)}={_value(term, short)}" for name, term in record.attributes]
    inside = ", ".join([*words, *([f"[{', '.join(pairs)}]"] if pairs else [])])
    return f"  {record.kind}({f'{own}; ' if own else ''}{inside})"


def _value(term: Term, short: Shortener) -> str:
    if not isinstance(term, Literal):
        return f"'{_escaped(short.name(str(term.value)))}'"
    text = '"' + "".join(_TEXT_ESCAPES.get(sign, sign) for sign in term.value) + '"'
    if term.language:
        return f"{text}@{term.language}"
    return text if term.datatype == XSD.string else f"{text} %% {_escaped(short.name(term.datatype.value))}"


_TEXT_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_TO_ESCAPE = frozenset("=',();\"[]\\<>{}")


def _escaped(name: str) -> str:
    return "".join(f"\\{sign}" if sign in _TO_ESCAPE else sign for sign in name).replace("%%", "%25%")
