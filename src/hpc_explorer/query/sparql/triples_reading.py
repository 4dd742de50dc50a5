"""Read triples and property paths (SPARQL 1.1 Query, rules 75 to 109)."""

from __future__ import annotations

from collections.abc import Mapping

from hpc_explorer.query.model.paths import AlternativePath, InversePath, NegatedPath, Path, RepeatedPath, SequencePath
from hpc_explorer.query.model.patterns import Element, Locked, Node, Statement
from hpc_explorer.query.sparql.expression_reading import ExpressionReader
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.sparql_tokens import TokenKind
from hpc_explorer.rdf.terms import NamedNode, Variable

_REPEATS = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class _Unknown(Exception):
    """Syntax beyond SPARQL 1.1, such as a quoted triple."""


class TriplesReader(ExpressionReader):
    """Reads triples; blank nodes become variables, or with `keeps_blanks` their triples are locked."""

    def __init__(self, text: str, prefixes: Mapping[str, str]) -> None:
        super().__init__(text, prefixes)
        self.keeps_blanks = False
        # The variables of blank nodes by label; the label of an anonymous one is its position in the text.
        self.blanks: dict[str, Variable] = {}
        self._blanks_met = 0

    def triples(self) -> list[Element]:
        """The statements about one subject, up to a full stop."""
        start, blanks = self.at, self._blanks_met
        statements: list[Statement] = []
        try:
            self._about_subject(statements)
        except _Unknown:
            return [self._locked_triples(start, self._end_of_triples(start))]
        if self.keeps_blanks and self._blanks_met > blanks:
            return [self._locked_triples(start, self.at)]
        self.sign(".")
        return list(statements)

    def _locked_triples(self, start: int, end: int) -> Locked:
        self.at = end
        text, names = self.piece(start, end), self.variables_in(start, end)
        self.sign(".")
        return Locked(f"{text} .", names)

    def _end_of_triples(self, start: int) -> int:
        """The position of the full stop or of the end of the group, outside of nested brackets."""
        depth, place = 0, start
        while place < len(self.tokens):
            token = self.tokens[place]
            if depth == 0 and (token.is_sign(".", "}") or token.is_word("FILTER", "OPTIONAL", "MINUS", "BIND")):
                break
            depth += token.is_sign("(", "[", "{", "<<") - token.is_sign(")", "]", "}", ">>")
            place += 1
        return place

    def _about_subject(self, statements: list[Statement]) -> None:
        opens = self.peek().is_sign("[", "(")
        inner: list[Statement] = []
        subject = self._node(inner)
        statements.extend(inner)
        if not (opens and inner) or not self._ends():
            self._about(subject, statements)

    def _ends(self) -> bool:
        token = self.peek()
        return token.is_sign(".", "}", "]", "{") or (token.kind is TokenKind.WORD and token.text != "a")

    def _about(self, subject: Node, statements: list[Statement]) -> None:
        """Predicates and objects, separated by `;` and `,`."""
        while True:
            predicate = self.variable() or self.path()
            while True:
                inner: list[Statement] = []
                node = self._node(inner)
                statements.append(Statement(subject, predicate, node))
                statements.extend(inner)
                if not self.sign(","):
                    break
            if not self.sign(";"):
                return
            while self.sign(";"):
                pass
            if self._ends():
                return

    def _node(self, statements: list[Statement]) -> Node:
        token = self.peek()
        if token.is_sign("<<"):
            raise _Unknown
        if token.kind is TokenKind.BLANK:
            self.at += 1
            return self._blank(token.text, token.text[2:])
        if self.sign("["):
            node = self._blank(f"[{token.start}", "node")
            if not self.sign("]"):
                self._about(node, statements)
                self.expect_sign("]")
            return node
        if token.is_sign("(") and not self.peek(1).is_sign(")"):
            return self._collection(statements)
        return self.graph_term() or self.fail("a variable, an IRI or a value")

    def _collection(self, statements: list[Statement]) -> Node:
        start = self.take().start
        first: Node = RDF.nil
        item = 0
        before: Variable | None = None
        while not self.sign(")"):
            cell = self._blank(f"({start} {item}", "list")
            if before is None:
                first = cell
            else:
                statements.append(Statement(before, RDF.rest, cell))
            inner: list[Statement] = []
            statements.append(Statement(cell, RDF.first, self._node(inner)))
            statements.extend(inner)
            before, item = cell, item + 1
        if before is not None:
            statements.append(Statement(before, RDF.rest, RDF.nil))
        return first

    def _blank(self, label: str, hint: str) -> Variable:
        self._blanks_met += 1
        if label not in self.blanks:
            self.blanks[label] = self.new_variable(hint)
        return self.blanks[label]

    # Paths, in order of increasing precedence.

    def path(self) -> Path:
        """A property path or a property."""
        choices = [self._sequence()]
        while self.sign("|"):
            choices.append(self._sequence())
        if len(choices) == 1:
            return choices[0]
        parts = (inner for one in choices for inner in (one.choices if isinstance(one, AlternativePath) else (one,)))
        return AlternativePath(tuple(parts))

    def _sequence(self) -> Path:
        steps = [self._step()]
        while self.sign("/"):
            steps.append(self._step())
        if len(steps) == 1:
            return steps[0]
        parts = (inner for one in steps for inner in (one.steps if isinstance(one, SequencePath) else (one,)))
        return SequencePath(tuple(parts))

    def _step(self) -> Path:
        return InversePath(self._repeated()) if self.sign("^") else self._repeated()

    def _repeated(self) -> Path:
        path = self._property()
        sign = self.peek()
        if self.sign(*_REPEATS):
            return RepeatedPath(path, *_REPEATS[sign.text])
        return path

    def _property(self) -> Path:
        if self.sign("("):
            path = self.path()
            self.expect_sign(")")
            return path
        if self.sign("!"):
            return self._negated()
        if self.peek().kind is TokenKind.WORD and self.peek().text == "a":
            self.at += 1
            return RDF.type
        return self.iri() or self.fail("a property")

    def _negated(self) -> NegatedPath:
        forward: list[NamedNode] = []
        inverse: list[NamedNode] = []
        is_set = self.sign("(")
        while not (is_set and self.sign(")")):
            chosen = inverse if self.sign("^") else forward
            found = self._property()
            if isinstance(found, (NegatedPath, RepeatedPath, SequencePath, AlternativePath, InversePath)):
                self.fail("a property")
            chosen.append(found)
            if not is_set:
                break
            if not self.sign("|") and not self.peek().is_sign(")"):
                self.fail("'|' or ')'")
        return NegatedPath(tuple(forward), tuple(inverse))
