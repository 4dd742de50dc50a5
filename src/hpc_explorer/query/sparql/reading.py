"""Read a SPARQL 1.1 query as a model; anything without a form in the model is locked as text.

Blank nodes of patterns become variables. If that would be visible (`SELECT *` with locked pieces, `DESCRIBE *`,
`COUNT(DISTINCT *)`), their triples are locked instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.query.model.conditions import LockedExpression
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
from hpc_explorer.query.model.query import Aggregate, Column, Duplicates, Form, Having, NamedColumn, Order, QueryModel
from hpc_explorer.query.sparql.expression_reading import Expression
from hpc_explorer.query.sparql.quantity_reading import quantity_range
from hpc_explorer.query.sparql.terms import TermWriter
from hpc_explorer.query.sparql.triples_reading import TriplesReader
from hpc_explorer.rdf.sparql_shape import check_size
from hpc_explorer.rdf.sparql_tokens import TokenKind
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable

_NOTHING: Mapping[str, str] = {}
T = TypeVar("T")


def query_model(text: str, prefixes: Mapping[str, str] = _NOTHING) -> QueryModel:
    """The model of a query.

    Args:
        prefixes: namespaces of undeclared prefixes; the model declares those in use.

    Raises:
        QuerySyntaxError: the text is not a SPARQL 1.1 query, or is too large; with line and column.
    """
    check_size(text)
    try:
        return _read(text, prefixes)
    except RecursionError:
        raise QuerySyntaxError("the query is nested too deeply", "", "remove some of its parentheses") from None


def _read(text: str, prefixes: Mapping[str, str]) -> QueryModel:
    reader = _QueryReader(text, prefixes)
    query = reader.query()
    shows_all = (query.form is Form.SELECT and not query.columns) or query.head == "*"
    in_scope = tuple(dict.fromkeys(_in_scope(query.where)))
    hidden = frozenset(reader.blanks.values())
    if not shows_all or hidden.isdisjoint(in_scope):
        return query
    shown = tuple(one for one in in_scope if one is not None and one not in hidden)
    if query.form is Form.SELECT and shown and None not in in_scope:
        return replace(query, columns=shown)
    reader = _QueryReader(text, prefixes)
    reader.keeps_blanks = True
    return reader.query()


def _in_scope(group: Group) -> Iterator[Variable | None]:
    """The variables that `SELECT *` shows of a group; None for a locked piece."""
    for element in group.elements:
        match element:
            case Filter() | QuantityRange() | AbsentGroup() | PresentGroup():
                continue
            case Locked():
                yield None
            case Statement() | Values():
                yield from element_variables(element)
            case InGraph(name=Variable() as name):
                yield name
        for inner in groups_of(element):
            yield from _in_scope(inner)


class _QueryReader(TriplesReader):
    """Reads one query."""

    def __init__(self, text: str, prefixes: Mapping[str, str]) -> None:
        super().__init__(text, prefixes)
        self._parameters = tuple(dict.fromkeys(self.parameters()))
        counts = zip(self.tokens, self.tokens[1:], self.tokens[2:], strict=False)
        self.keeps_blanks = any(
            first.is_sign("(") and second.is_word("DISTINCT") and third.is_sign("*") for first, second, third in counts
        )

    def query(self) -> QueryModel:
        """The whole text."""
        self._prologue()
        query = self._form()
        if self.at < len(self.tokens):
            self.fail("the end of the query")
        borrowed = tuple((prefix, self.known[prefix]) for prefix in sorted(self.borrowed))
        return replace(
            query,
            prefixes=(*borrowed, *self.declared.items()),
            base=self.base,
            parameters=self._parameters,
        )

    def _prologue(self) -> None:
        while True:
            if self.word("BASE"):
                self.base = self._whole_iri()
            elif self.word("PREFIX"):
                name = self.take()
                if name.kind is not TokenKind.NAME or not name.text.endswith(":") or name.text.count(":") > 1:
                    self.fail("a prefix such as hpc:", name)
                self.declared[name.text[:-1]] = self._whole_iri()
            else:
                return

    def _whole_iri(self) -> str:
        if self.peek().kind is not TokenKind.IRI:
            self.fail("an IRI in angle brackets")
        return self.named(self.take()).value

    def _form(self) -> QueryModel:
        if self.peek().is_word("SELECT"):
            return self._select()
        if self.word("ASK"):
            query = self._with_dataset(QueryModel(form=Form.ASK))
            return self._with_ending(replace(query, where=self._where()))
        if self.word("CONSTRUCT"):
            return self._construct()
        if self.word("DESCRIBE"):
            return self._describe()
        raise self.fault("not a query", "begin it with SELECT, ASK, CONSTRUCT or DESCRIBE", self.peek())

    def _select(self) -> QueryModel:
        self.expect_word("SELECT")
        duplicates = Duplicates.KEPT
        if self.word("DISTINCT"):
            duplicates = Duplicates.DISTINCT
        elif self.word("REDUCED"):
            duplicates = Duplicates.REDUCED
        columns: list[Column] = []
        if not self.sign("*"):
            while (column := self._column()) is not None:
                columns.append(column)
            if not columns:
                self.fail("a variable or '*'")
        query = self._with_dataset(QueryModel(columns=tuple(columns), duplicates=duplicates))
        return self._with_ending(replace(query, where=self._where()))

    def _column(self) -> Column | None:
        variable = self.variable()
        if variable is not None:
            return variable
        if not self.sign("("):
            return None
        value = self.expression()
        self.expect_word("AS")
        name = self.expect_variable()
        self.expect_sign(")")
        return NamedColumn(self._value(value), name)

    def _value(self, expression: Expression) -> Aggregate | LockedExpression:
        return expression.form if isinstance(expression.form, Aggregate) else self.locked(expression)

    def _construct(self) -> QueryModel:
        if self.peek().is_sign("{"):
            start = self.at
            self._template()
            query = self._with_dataset(QueryModel(form=Form.CONSTRUCT, head=self.piece(start, self.at)))
            return self._with_ending(replace(query, where=self._where()))
        query = self._with_dataset(QueryModel(form=Form.CONSTRUCT))
        self.expect_word("WHERE")
        start = self.at
        self._template()
        head, self.at = self.piece(start, self.at), start
        return self._with_ending(replace(query, head=head, where=self.group()))

    def _template(self) -> None:
        """Skip triples in braces; their blank nodes are independent of those in patterns."""
        blanks, self.blanks = self.blanks, {}
        self.expect_sign("{")
        while not self.sign("}"):
            self.triples()
        self.blanks = blanks

    def _describe(self) -> QueryModel:
        start = self.at
        if not self.sign("*"):
            while self.variable() or self.iri():
                pass
            if self.at == start:
                self.fail("a variable, an IRI or '*'")
        query = QueryModel(form=Form.DESCRIBE, head=self.piece(start, self.at))
        query = self._with_dataset(query)
        if self.peek().is_word("WHERE") or self.peek().is_sign("{"):
            query = replace(query, where=self._where())
        return self._with_ending(query)

    def _with_dataset(self, query: QueryModel) -> QueryModel:
        graphs: list[NamedNode] = []
        named: list[NamedNode] = []
        while self.word("FROM"):
            (named if self.word("NAMED") else graphs).append(self.expect_iri())
        return replace(query, graphs=tuple(graphs), named_graphs=tuple(named))

    def _where(self) -> Group:
        self.word("WHERE")
        return self.group()

    # Solution modifiers

    def _with_ending(self, query: QueryModel) -> QueryModel:
        if self.word("GROUP"):
            self.expect_word("BY")
            query = replace(query, group_by=self._several(self._grouping))
        if self.word("HAVING"):
            query = replace(query, having=self._several(self._having))
        if self.word("ORDER"):
            self.expect_word("BY")
            query = replace(query, order_by=self._several(self._order))
        for _ in range(2):
            if query.limit is None and self.word("LIMIT"):
                query = replace(query, limit=self._whole_number())
            elif query.offset is None and self.word("OFFSET"):
                query = replace(query, offset=self._whole_number())
        if self.word("VALUES"):
            query = replace(query, after=self._values())
        return query

    def _whole_number(self) -> int:
        token = self.take()
        if token.kind is not TokenKind.NUMBER or not token.text.isascii() or not token.text.isdigit():
            self.fail("a whole number", token)
        return int(token.text)

    def _more(self) -> bool:
        """Whether another key or condition follows."""
        token = self.peek()
        is_end = token.is_word("HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES")
        return (
            token.kind in (TokenKind.VARIABLE, TokenKind.IRI, TokenKind.NAME, TokenKind.WORD) or token.is_sign("(")
        ) and not is_end

    def _several(self, read: Callable[[], T]) -> tuple[T, ...]:
        found = [read()]
        while self._more():
            found.append(read())
        return tuple(found)

    def _grouping(self) -> Variable | NamedColumn | LockedExpression:
        variable = self.variable()
        if variable is not None:
            return variable
        if not self.sign("("):
            return self.locked(self.constraint())
        expression = self.expression()
        name = self.expect_variable() if self.word("AS") else None
        self.expect_sign(")")
        return self.locked(expression) if name is None else NamedColumn(self._value(expression), name)

    def _having(self) -> Having | LockedExpression:
        expression = self.constraint()
        return expression.form if isinstance(expression.form, Having) else self.locked(expression)

    def _order(self) -> Order:
        is_descending = self.peek().is_word("DESC")
        if self.word("ASC", "DESC"):
            expression = self.bracketed()
        else:
            start, variable = self.at, self.variable()
            expression = Expression(variable, start, self.at) if variable else self.constraint()
        form = expression.form
        return Order(form if isinstance(form, (Variable, Aggregate)) else self.locked(expression), is_descending)

    # Groups

    def pass_group(self) -> None:
        """Skip a group in braces with its own blank nodes."""
        blanks, self.blanks = self.blanks, {}
        self.group()
        self.blanks = blanks

    def group(self) -> Group:
        """Read a group in braces.

        Raises:
            QuerySyntaxError: there is none.
        """
        self.expect_sign("{")
        start = self.at
        if self.peek().is_word("SELECT"):
            self._query_within()
            elements: list[Element] = [Locked(self.piece(start, self.at), self.variables_in(start, self.at))]
            self.expect_sign("}")
            return Group(tuple(elements))
        elements = []
        while not self.sign("}"):
            if self._begins_triples():
                elements += self.triples()
                if not self._ended():
                    self.fail("'.' or '}'")
            else:
                elements.append(self._other())
                self.sign(".")
        return Group(tuple(elements))

    def _query_within(self) -> None:
        """Skip a subquery, which has its own blank nodes."""
        blanks, self.blanks = self.blanks, {}
        self._select()
        self.blanks = blanks

    def _begins_triples(self) -> bool:
        token = self.peek()
        return (token.kind is not TokenKind.WORD and not token.is_sign("{")) or token.is_word("TRUE", "FALSE")

    def _ended(self) -> bool:
        """Whether triples may end here: after a full stop, or before something else."""
        return self.tokens[self.at - 1].is_sign(".") or not self._begins_triples() or self.peek().is_sign("}")

    def _other(self) -> Element:
        """An element of a group other than triples."""
        start = self.at
        token = self.peek()
        if token.is_sign("{"):
            groups = [self.group()]
            while self.word("UNION"):
                groups.append(self.group())
            return Alternatives(tuple(groups))
        if self.word("OPTIONAL"):
            return OptionalGroup(self.group())
        if self.word("GRAPH"):
            name = self.variable() or self.iri() or self.fail("a variable or an IRI")
            return InGraph(name, self.group())
        if self.word("FILTER"):
            return self._filter()
        if self.word("VALUES"):
            return self._values()
        if self.word("BIND"):
            self.expect_sign("(")
            self.expression()
            self.expect_word("AS")
            self.expect_variable()
            self.expect_sign(")")
        elif self.word("MINUS") or self.word("LATERAL"):
            self.pass_group()
        elif self.word("SERVICE"):
            self.word("SILENT")
            if not (self.variable() or self.iri()):
                self.fail("a variable or an IRI")
            self.pass_group()
        else:
            self.fail("a pattern")
        return Locked(self.piece(start, self.at), self.variables_in(start, self.at))

    def _filter(self) -> Element:
        if self.word("EXISTS"):
            group = self.group()
            return self._quantity(group) or PresentGroup(group)
        if self.peek().is_word("NOT") and self.peek(1).is_word("EXISTS"):
            self.at += 2
            return AbsentGroup(self.group())
        return Filter(self.condition(self.constraint()))

    def _values(self) -> Values:
        single = self.variable()
        variables: list[Variable] = []
        if single is None:
            self.expect_sign("(")
            while not self.sign(")"):
                variables.append(self.expect_variable())
        self.expect_sign("{")
        rows: list[tuple[NamedNode | Literal | None, ...]] = []
        while not self.sign("}"):
            if single is not None:
                rows.append((self._data(),))
                continue
            token = self.peek()
            self.expect_sign("(")
            row: list[NamedNode | Literal | None] = []
            while not self.sign(")"):
                row.append(self._data())
            if len(row) != len(variables):
                self.fail(f"a row of {len(variables)} values", token)
            rows.append(tuple(row))
        return Values((single,) if single is not None else tuple(variables), tuple(rows))

    def _data(self) -> NamedNode | Literal | None:
        if self.word("UNDEF"):
            return None
        return self.iri() or self.literal() or self.fail("an IRI, a value or UNDEF")

    def _quantity(self, group: Group) -> QuantityRange | None:
        borrowed = {prefix: self.known[prefix] for prefix in self.borrowed}
        writer = TermWriter({**borrowed, **self.declared}.items(), self._parameters)
        return quantity_range(group, writer, self.named)
