"""Read SPARQL expressions (SPARQL 1.1 Query, rules 110 to 128) as conditions, or locked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from hpc_explorer.query.model.conditions import (
    AllOf,
    AnyOf,
    Between,
    Comparison,
    Condition,
    IsBound,
    KindMatch,
    LanguageMatch,
    LockedExpression,
    Not,
    OneOf,
    Operator,
    TermKind,
    TextMatch,
    TextTest,
)
from hpc_explorer.query.model.query import Aggregate, AggregateFunction, Having
from hpc_explorer.query.sparql.cursor import SparqlCursor
from hpc_explorer.query.sparql.functions import FUNCTIONS
from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, meaning_tokens
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable


@dataclass(frozen=True)
class _Call:
    """A function call and the forms of its arguments."""

    function: str
    arguments: tuple[_Form | None, ...]


_Form: TypeAlias = Condition | Variable | NamedNode | Literal | Aggregate | Having | _Call


@dataclass(frozen=True)
class Expression:
    """An expression.

    Args:
        form: its form in the model, if it has one.
        start, end: the range of its tokens, without outer parentheses.
    """

    form: _Form | None
    start: int
    end: int


_OPERATORS = {operator.value: operator for operator in Operator}
_MIRRORED = {
    Operator.EQUAL: Operator.EQUAL,
    Operator.UNEQUAL: Operator.UNEQUAL,
    Operator.LESS: Operator.MORE,
    Operator.MORE: Operator.LESS,
    Operator.AT_MOST: Operator.AT_LEAST,
    Operator.AT_LEAST: Operator.AT_MOST,
}
_TEXT_TESTS = {"CONTAINS": TextTest.CONTAINS, "STRSTARTS": TextTest.STARTS, "STRENDS": TextTest.ENDS}
_KINDS = {kind.value.upper(): kind for kind in TermKind} | {"ISURI": TermKind.IRI}
_AGGREGATES = {function.value: function for function in AggregateFunction}

# Synonyms, and the engine's functions beyond SPARQL 1.1.
_OTHERS = "URI ISURI ADJUST TRIPLE SUBJECT PREDICATE OBJECT ISTRIPLE LANGDIR STRLANGDIR HASLANG HASLANGDIR"
_FUNCTIONS = frozenset((*FUNCTIONS, *_OTHERS.split()))


class ExpressionReader(SparqlCursor):
    """Reads expressions; a subclass reads the group of an EXISTS."""

    def pass_group(self) -> None:
        """Skip a group in braces.

        Raises:
            QuerySyntaxError: there is none.
        """
        raise NotImplementedError

    # Forms

    def condition(self, expression: Expression) -> Condition:
        """An expression as a condition."""
        return expression.form if isinstance(expression.form, Condition) else self.locked(expression)

    def locked(self, expression: Expression) -> LockedExpression:
        """An expression as text."""
        start, end = expression.start, expression.end
        return LockedExpression(self.piece(start, end), self.variables_in(start, end))

    # Grammar

    def bracketed(self) -> Expression:
        """`(expression)`."""
        self.expect_sign("(")
        inner = self.expression()
        self.expect_sign(")")
        return inner

    def constraint(self) -> Expression:
        """The expression of a FILTER, HAVING or unnamed GROUP BY: in parentheses, or a call."""
        token = self.peek()
        if token.is_sign("("):
            return self.bracketed()
        if token.kind not in (TokenKind.WORD, TokenKind.IRI, TokenKind.NAME) or token.is_word("TRUE", "FALSE"):
            self.fail("a condition in parentheses")
        start = self.at
        is_named = token.kind is not TokenKind.WORD
        call = self._primary()
        if is_named and self.at == start + 1:
            self.fail("'('")
        return call

    def expression(self) -> Expression:
        """An expression."""
        return self._joined(self._conjunction, "||")

    def _conjunction(self) -> Expression:
        return self._joined(self._relation, "&&")

    def _joined(self, part: Callable[[], Expression], sign: str) -> Expression:
        start = self.at
        parts = [part()]
        while self.sign(sign):
            parts.append(part())
        if len(parts) == 1:
            return parts[0]
        conditions = [self.condition(one) for one in parts]
        whole = AnyOf if sign == "||" else AllOf
        flat = tuple(inner for one in conditions for inner in (one.conditions if isinstance(one, whole) else (one,)))
        form: Condition = whole(flat)
        if sign == "&&" and len(conditions) == 2:
            form = _between(conditions) or form
        return Expression(form, start, self.at)

    def _relation(self) -> Expression:
        start = self.at
        left = self._sum()
        self._part_smaller_than()
        token = self.peek()
        if token.kind is TokenKind.SIGN and token.text in _OPERATORS:
            self.at += 1
            right = self._sum()
            return Expression(_comparison(left.form, _OPERATORS[token.text], right.form), start, self.at)
        is_negated = token.is_word("NOT") and self.peek(1).is_word("IN")
        if is_negated or token.is_word("IN"):
            self.at += 2 if is_negated else 1
            values = self._arguments()
            return Expression(_one_of(left.form, values, is_negated), start, self.at)
        return left

    def _part_smaller_than(self) -> None:
        """Split `<` from the following text if both look like an IRI: `?x<5&&?y>3`."""
        token = self.peek()
        if token.kind is not TokenKind.IRI:
            return
        rest = [
            Token(one.kind, one.text, one.start + token.start + 1)
            for one in meaning_tokens(self.text[token.start + 1 :])
        ]
        if rest and rest[0].is_sign("=") and rest[0].start == token.start + 1:
            rest[0] = Token(TokenKind.SIGN, "<=", token.start)
        else:
            rest.insert(0, Token(TokenKind.SIGN, "<", token.start))
        self.tokens[self.at :] = rest

    def _sum(self) -> Expression:
        return self._computed(self._product, "+", "-")

    def _product(self) -> Expression:
        return self._computed(self._unary, "*", "/")

    def _computed(self, part: Callable[[], Expression], *signs: str) -> Expression:
        start = self.at
        first = part()
        is_alone = True
        while self.sign(*signs):
            part()
            is_alone = False
        return first if is_alone else Expression(None, start, self.at)

    def _unary(self) -> Expression:
        start = self.at
        if self.sign("!"):
            inner = self._unary()
            return Expression(Not(self.condition(inner)), start, self.at)
        if self.peek().is_sign("+", "-") and self.peek(1).kind is not TokenKind.NUMBER:
            self.at += 1
            self._unary()
            return Expression(None, start, self.at)
        return self._primary()

    def _primary(self) -> Expression:
        start = self.at
        token = self.peek()
        if token.is_sign("("):
            return self.bracketed()
        if token.kind in (TokenKind.IRI, TokenKind.NAME):
            iri = self.expect_iri()
            if not self.peek().is_sign("("):
                return Expression(iri, start, self.at)
            self._arguments()
            return Expression(None, start, self.at)
        term = self.variable() or self.literal()
        if term is not None:
            return Expression(term, start, self.at)
        if token.kind is not TokenKind.WORD:
            self.fail("an expression")
        return self._call()

    def _call(self) -> Expression:
        start = self.at
        token = self.take()
        name = token.text.upper()
        if name == "EXISTS" or (name == "NOT" and self.word("EXISTS")):
            self.pass_group()
            return Expression(None, start, self.at)
        if name in _AGGREGATES:
            return Expression(self._aggregate(_AGGREGATES[name]), start, self.at)
        if name not in _FUNCTIONS:
            self.fail("an expression", token)
        return Expression(_called(name, self._arguments()), start, self.at)

    def _arguments(self) -> tuple[_Form | None, ...]:
        self.expect_sign("(")
        if self.sign(")"):
            return ()
        is_distinct = self.word("DISTINCT")
        forms = [self.expression().form]
        while self.sign(","):
            forms.append(self.expression().form)
        self.expect_sign(")")
        return (None,) if is_distinct else tuple(forms)

    def _aggregate(self, function: AggregateFunction) -> Aggregate | None:
        self.expect_sign("(")
        is_distinct = self.word("DISTINCT")
        if function is AggregateFunction.COUNT and self.sign("*"):
            self.expect_sign(")")
            return Aggregate(function, None, is_distinct)
        form = self.expression().form
        separator = None
        if function is AggregateFunction.LIST and self.sign(";"):
            self.expect_word("SEPARATOR")
            self.expect_sign("=")
            separator = self.expect_string()
        self.expect_sign(")")
        return Aggregate(function, form, is_distinct, separator) if isinstance(form, Variable) else None


def _between(conditions: list[Condition]) -> Between | None:
    """`?x >= 1 && ?x <= 2`."""
    match conditions:
        case [Comparison() as least, Comparison() as most] if (
            least.variable == most.variable
            and least.operator in (Operator.AT_LEAST, Operator.MORE)
            and most.operator in (Operator.AT_MOST, Operator.LESS)
            and isinstance(least.value, Literal)
            and isinstance(most.value, Literal)
        ):
            return Between(
                least.variable,
                least.value,
                most.value,
                least.operator is Operator.AT_LEAST,
                most.operator is Operator.AT_MOST,
            )
    return None


def _comparison(left: _Form | None, operator: Operator, right: _Form | None) -> _Form | None:
    if isinstance(right, (Variable, Aggregate)) and isinstance(left, (Literal, NamedNode)):
        left, operator, right = right, _MIRRORED[operator], left
    if isinstance(left, Variable) and isinstance(right, (Variable, NamedNode, Literal)):
        return Comparison(left, operator, right)
    if isinstance(left, Aggregate) and isinstance(right, Literal):
        return Having(left, operator, right)
    return None


def _one_of(left: _Form | None, values: tuple[_Form | None, ...], is_negated: bool) -> OneOf | None:
    terms = tuple(value for value in values if isinstance(value, (NamedNode, Literal)))
    if isinstance(left, Variable) and terms and len(terms) == len(values):
        return OneOf(left, terms, is_negated)
    return None


def _called(name: str, arguments: tuple[_Form | None, ...]) -> _Form | None:
    match arguments:
        case (Variable() as variable,):
            if name in _KINDS:
                return KindMatch(variable, _KINDS[name])
            if name == "BOUND":
                return IsBound(variable)
            return _Call(name, arguments)
        case (_Call() | Literal(),):
            return _Call(name, arguments)
        case (_Call("LANG", (Variable() as variable,)), Literal() as language) if name == "LANGMATCHES":
            return LanguageMatch(variable, language.value) if _is_plain(language) else None
        case (_Call("STR", (Variable() as variable,)), Literal() as text, *flags) if name == "REGEX":
            is_plain = _is_plain(text) and flags in ([], [Literal("i")])
            return TextMatch(variable, TextTest.MATCHES, text.value, bool(flags)) if is_plain else None
        case (first, second) if name in _TEXT_TESTS:
            return _text_match(_TEXT_TESTS[name], first, second)
    return None


def _text_match(test: TextTest, first: _Form | None, second: _Form | None) -> TextMatch | None:
    match first, second:
        case _Call("STR", (Variable() as variable,)), Literal() as text if _is_plain(text):
            return TextMatch(variable, test, text.value, ignores_case=False)
        case _Call("LCASE", (_Call("STR", (Variable() as variable,)),)), Literal() as text if _is_plain(text):
            return TextMatch(variable, test, text.value) if text.value == text.value.lower() else None
        case (
            _Call("LCASE", (_Call("STR", (Variable() as variable,)),)),
            _Call("LCASE", (Literal() as text,)),
        ) if _is_plain(text):
            return TextMatch(variable, test, text.value)
    return None


def _is_plain(text: Literal) -> bool:
    return text == Literal(text.value)
