"""Parse a Tarql text: its template, bindings, filters and table options.

Tarql is a SPARQL CONSTRUCT over the rows of a table. Parts without an equivalent in mappings are skipped by their
brackets and reported with their line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias
from urllib.parse import unquote

from hpc_explorer.annotate.tables.mapping import FOUND_OUT, TableFormat
from hpc_explorer.query.sparql.cursor import SparqlCursor
from hpc_explorer.rdf.namespaces import RDF, WELL_KNOWN
from hpc_explorer.rdf.sparql_tokens import Token, TokenKind
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable

TARQL = "http://tarql.github.io/tarql#"
"""The namespace of Tarql's functions."""

_NAMED_DELIMITERS = {"comma": ",", "tab": "\t", "semicolon": ";"}


@dataclass(frozen=True)
class Call:
    """A function call or operator, by its upper-case name or IRI, with its arguments."""

    name: str
    arguments: tuple[Expression, ...]
    line: int


Expression: TypeAlias = Variable | Literal | NamedNode | Call


@dataclass(frozen=True)
class BlankNodePropertyList:
    """A blank node of the template, `[ … ]`, with its statements (SPARQL 1.1, section 4.1.4)."""

    said: tuple[tuple[NamedNode, TemplateObject], ...]
    line: int


TemplateObject: TypeAlias = Variable | Literal | NamedNode | BlankNodePropertyList


class LeftOut(Exception):
    """An unsupported part."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what)
        self.what = what
        self.line = line


@dataclass(frozen=True)
class TemplateStatement:
    """A statement of the template, with the line of its object."""

    subject: Variable | NamedNode
    predicate: NamedNode
    object: TemplateObject
    line: int


@dataclass(frozen=True)
class TarqlQuery:
    """A parsed Tarql text.

    Args:
        template: the statements about each row.
        bound: the expressions of BIND by variable.
        filters: each FILTER, with its line.
        table: the table options of FROM.
        prefixes: the declared prefixes.
        left: the unsupported parts with their lines.
    """

    template: tuple[TemplateStatement, ...]
    bound: Mapping[str, Expression]
    filters: tuple[tuple[Expression, int], ...]
    table: TableFormat
    prefixes: Mapping[str, str]
    left: tuple[tuple[int, str], ...]


def tarql_query(text: str) -> TarqlQuery:
    """Parse a Tarql text.

    Raises:
        QuerySyntaxError: not a complete CONSTRUCT.
        RecursionError: nested too deeply.
    """
    return _Parser(text).parse()


class _Parser:
    """Parses the supported parts of a Tarql text and skips the rest by brackets."""

    def __init__(self, text: str) -> None:
        self.cursor = SparqlCursor(text, {**WELL_KNOWN, "tarql": TARQL})
        self.template: list[TemplateStatement] = []
        self.bound: dict[str, Expression] = {}
        self.filters: list[tuple[Expression, int]] = []
        self.table = FOUND_OUT
        self.left: list[tuple[int, str]] = []

    def parse(self) -> TarqlQuery:
        cursor = self.cursor
        while cursor.word("PREFIX", "BASE"):
            if cursor.tokens[cursor.at - 1].is_word("BASE"):
                cursor.base = cursor.expect_iri().value
                continue
            name = cursor.take()
            cursor.declared[name.text.rstrip(":")] = cursor.expect_iri().value
        if not cursor.word("CONSTRUCT"):
            cursor.fail("CONSTRUCT")
        cursor.expect_sign("{")
        self._template()
        while cursor.word("FROM"):
            self._from()
        cursor.word("WHERE")
        cursor.expect_sign("{")
        self._pattern()
        while cursor.peek().text:
            token = cursor.take()
            if token.kind is TokenKind.WORD:
                self._leave(token, f"{token.text.upper()} after the pattern")
        return TarqlQuery(
            tuple(self.template), self.bound, tuple(self.filters), self.table, cursor.declared, tuple(self.left)
        )

    def _line(self, token: Token) -> int:
        return self.cursor.text.count("\n", 0, max(token.start, 0)) + 1

    def _leave(self, token: Token, what: str) -> None:
        self.left.append((self._line(token), what))

    # The template

    def _template(self) -> None:
        cursor = self.cursor
        while not cursor.sign("}"):
            token = cursor.peek()
            if cursor.sign("["):
                self._leave(token, "a blank node as the thing of a row")
                self._said("]")
                self._said(".", optional=True)
                continue
            if cursor.peek().kind is TokenKind.BLANK:
                cursor.take()
                self._leave(token, "a blank node as the thing of a row")
                self._said(".", optional=True)
                continue
            subject = cursor.variable() or cursor.expect_iri()
            for predicate, value, line in self._said(".", optional=True):
                self.template.append(TemplateStatement(subject, predicate, value, line))

    def _said(self, end: str, *, optional: bool = False) -> list[tuple[NamedNode, TemplateObject, int]]:
        """Parse predicates and objects up to a closing character, or optionally the end of the template."""
        cursor = self.cursor
        said: list[tuple[NamedNode, TemplateObject, int]] = []
        while True:
            if cursor.sign(end) or (optional and cursor.peek().is_sign("}")):
                return said
            if cursor.sign(";"):
                continue
            token = cursor.peek()
            if token.kind is TokenKind.VARIABLE:
                cursor.take()
                self._leave(token, "a property that is a variable")
                predicate = None
            else:
                predicate = RDF.type if cursor.word("A") else cursor.expect_iri()
            while True:
                line = self._line(cursor.peek())
                value = self._object()
                if value is not None and predicate is not None:
                    said.append((predicate, value, line))
                if not cursor.sign(","):
                    break

    def _object(self) -> TemplateObject | None:
        cursor = self.cursor
        token = cursor.peek()
        if cursor.sign("["):
            said = tuple((predicate, value) for predicate, value, _ in self._said("]"))
            return BlankNodePropertyList(said, self._line(token))
        if token.kind is TokenKind.BLANK:
            cursor.take()
            self._leave(token, "a blank node with a name")
            return None
        return cursor.graph_term() or cursor.fail("a value")

    # Where the table is

    def _from(self) -> None:
        token = self.cursor.peek()
        address = self.cursor.expect_iri().value
        options = dict(part.partition("=")[::2] for part in re.split("[;&]", address.partition("#")[2]) if part)
        table = self.table
        for name, value in options.items():
            if name == "delimiter":
                sign = _NAMED_DELIMITERS.get(value) or unquote(value)
                table = replace(table, delimiter=sign) if len(sign) == 1 else table
            elif name == "encoding":
                table = replace(table, encoding=value)
            elif name == "header":
                table = replace(table, heading=0 if value == "absent" else 1)
            else:
                self._leave(token, f"the option {name!r} of the table")
        self.table = table

    # The pattern

    def _pattern(self) -> None:
        cursor = self.cursor
        while not cursor.sign("}"):
            token = cursor.peek()
            if not token.text:
                cursor.fail("'}'")
            if cursor.sign("."):
                continue
            try:
                if cursor.word("BIND"):
                    cursor.expect_sign("(")
                    form = self._expression()
                    cursor.expect_word("AS")
                    self.bound[cursor.expect_variable().value] = form
                    cursor.expect_sign(")")
                elif cursor.word("FILTER"):
                    self.filters.append((self._expression(), self._line(token)))
                else:
                    self._pass_over(token)
            except LeftOut as left:
                self.left.append((left.line, left.what))
                self._to_the_end_of(token)

    def _pass_over(self, token: Token) -> None:
        what = token.text.upper() if token.kind is TokenKind.WORD else "a triple pattern"
        self._leave(token, f"{what} in the pattern")
        self._to_the_end_of(token)

    def _to_the_end_of(self, first: Token) -> None:
        """Skip the part that begins at a token, to its closing bracket or the next part."""
        cursor = self.cursor
        cursor.at = next(place for place, token in enumerate(cursor.tokens) if token.start == first.start)
        depth = 0
        if first.is_sign(")"):
            cursor.take()
            return
        while cursor.peek().text:
            token = cursor.peek()
            if token.is_sign("(", "{"):
                depth += 1
            elif token.is_sign(")", "}"):
                if depth == 0:
                    return
                depth -= 1
                if depth == 0:
                    cursor.take()
                    return
            elif depth == 0 and token.start != first.start and token.is_word("BIND", "FILTER"):
                return
            cursor.take()

    # Expressions

    def _expression(self) -> Expression:
        return self._operation(("||",), lambda: self._operation(("&&",), self._relation))

    def _operation(self, signs: tuple[str, ...], read: Callable[[], Expression]) -> Expression:
        form = read()
        while self.cursor.peek().is_sign(*signs):
            token = self.cursor.take()
            form = Call(token.text, (form, read()), self._line(token))
        return form

    def _relation(self) -> Expression:
        form = self._primary()
        token = self.cursor.peek()
        if token.is_sign("=", "!=", "<", ">", "<=", ">="):
            self.cursor.take()
            return Call(token.text, (form, self._primary()), self._line(token))
        if token.is_sign("+", "-", "*", "/") or token.is_word("IN", "NOT"):
            raise LeftOut(f"a computation with {token.text!r}", self._line(token))
        return form

    def _primary(self) -> Expression:
        cursor = self.cursor
        token = cursor.peek()
        if cursor.sign("("):
            form = self._expression()
            cursor.expect_sign(")")
            return form
        if cursor.sign("!"):
            return Call("!", (self._primary(),), self._line(token))
        if token.kind is TokenKind.WORD and cursor.peek(1).is_sign("("):
            cursor.take()
            return self._call(token.text.upper(), token)
        term = cursor.graph_term()
        if term is None:
            raise LeftOut(f"{token.text!r} in an expression", self._line(token))
        if isinstance(term, NamedNode) and cursor.peek().is_sign("("):
            return self._call(term.value, token)
        return term

    def _call(self, name: str, token: Token) -> Call:
        cursor = self.cursor
        cursor.expect_sign("(")
        arguments: list[Expression] = []
        while not cursor.sign(")"):
            arguments.append(self._expression())
            if not cursor.sign(",") and not cursor.peek().is_sign(")"):
                cursor.fail("',' or ')'")
        return Call(name, tuple(arguments), self._line(token))
