"""Write a query as formatted SPARQL 1.1 text; equal models give equal texts.

`reading` turns the text into the same model. Locked pieces are written unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

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
    TextMatch,
    TextTest,
)
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
)
from hpc_explorer.query.model.query import Aggregate, Column, Form, Having, NamedColumn, Order, QueryModel
from hpc_explorer.query.sparql.quantity_pattern import QuantityNames, quantity_pattern
from hpc_explorer.query.sparql.terms import TermWriter
from hpc_explorer.rdf.sparql_tokens import TokenKind, sparql_tokens
from hpc_explorer.rdf.terms import Literal, Variable

_STEP = "  "
_WIDTH = 120
_TEXT_FUNCTIONS = {TextTest.CONTAINS: "CONTAINS", TextTest.STARTS: "STRSTARTS", TextTest.ENDS: "STRENDS"}


def sparql_text(query: QueryModel) -> str:
    """The query as text without a final line break.

    Raises:
        ValueError: a QuantityRange has an unknown unit.
    """
    return "\n".join(_QueryWriter(query).lines())


class _QueryWriter:
    """Writes one query."""

    def __init__(self, query: QueryModel) -> None:
        self._query = query
        self._terms = TermWriter.of(query)
        self._conditions = ConditionWriter(self._terms)
        # The variable names outside of quantities; `_element` needs them to choose names within quantities.
        self._taken: frozenset[str] | None = None
        self._taken = frozenset(
            token.text[1:] for token in sparql_tokens("\n".join(self.lines())) if token.kind is TokenKind.VARIABLE
        )

    def lines(self) -> Iterator[str]:
        query = self._query
        if query.base:
            yield f"BASE <{query.base}>"
        for prefix, namespace in query.prefixes:
            yield f"PREFIX {prefix}: <{namespace}>"
        if query.base or query.prefixes:
            yield ""
        yield from self._head()
        for graph in query.graphs:
            yield f"FROM {self._terms.iri(graph)}"
        for graph in query.named_graphs:
            yield f"FROM NAMED {self._terms.iri(graph)}"
        if query.where.elements or query.form is not Form.DESCRIBE:
            opening = "ASK {" if query.form is Form.ASK and not (query.graphs or query.named_graphs) else "WHERE {"
            yield from self._group(query.where, "", opening)
        yield from self._ending()

    def _head(self) -> Iterator[str]:
        query = self._query
        if query.form is Form.ASK:
            if query.graphs or query.named_graphs:
                yield "ASK"
            return
        if query.form is not Form.SELECT:
            yield f"{query.form.value} {query.head}"
            return
        opening = " ".join(filter(None, ("SELECT", query.duplicates.value)))
        columns = [self._column(column) for column in query.columns] or ["*"]
        line = " ".join((opening, *columns))
        if len(line) <= _WIDTH:
            yield line
            return
        yield opening
        yield from (_STEP + column for column in columns)

    def _ending(self) -> Iterator[str]:
        query = self._query
        if query.group_by:
            yield " ".join(("GROUP BY", *(self._grouping(one) for one in query.group_by)))
        if query.having:
            yield " ".join(("HAVING", *(f"({self._having(one)})" for one in query.having)))
        if query.order_by:
            yield " ".join(("ORDER BY", *(self._order(one) for one in query.order_by)))
        if query.limit is not None:
            yield f"LIMIT {query.limit}"
        if query.offset is not None:
            yield f"OFFSET {query.offset}"
        if query.after is not None:
            yield from self._values(query.after, "")

    def _column(self, column: Column | LockedExpression) -> str:
        match column:
            case Variable():
                return self._terms.variable(column)
            case NamedColumn():
                value = column.value
                text = self.aggregate(value) if isinstance(value, Aggregate) else value.text
                return f"({text} AS {self._terms.variable(column.name)})"
            case LockedExpression():
                return f"({column.text})"

    _grouping = _column

    def aggregate(self, aggregate: Aggregate) -> str:
        """`COUNT(DISTINCT ?variable)`."""
        inner = "*" if aggregate.variable is None else self._terms.variable(aggregate.variable)
        separator = ""
        if aggregate.separator is not None:
            separator = f" ; SEPARATOR = {self._terms.term(Literal(aggregate.separator))}"
        return f"{aggregate.function.value}({'DISTINCT ' if aggregate.is_distinct else ''}{inner}{separator})"

    def _having(self, having: Having | LockedExpression) -> str:
        if isinstance(having, LockedExpression):
            return having.text
        return f"{self.aggregate(having.aggregate)} {having.operator.value} {self._terms.term(having.value)}"

    def _order(self, order: Order) -> str:
        key = order.key
        if isinstance(key, Variable):
            return f"DESC({self._terms.variable(key)})" if order.is_descending else self._terms.variable(key)
        text = self.aggregate(key) if isinstance(key, Aggregate) else key.text
        return f"{'DESC' if order.is_descending else 'ASC'}({text})"

    def _group(self, group: Group, indent: str, opening: str) -> Iterator[str]:
        """The lines of a group in braces; a subquery is alone in its braces."""
        if not group.elements:
            yield f"{indent}{opening} }}"
            return
        yield indent + opening
        alone = len(group.elements) == 1
        for is_statements, run in groupby(group.elements, key=lambda element: isinstance(element, Statement)):
            elements = list(run)
            if is_statements:
                yield from self._statements([one for one in elements if isinstance(one, Statement)], indent + _STEP)
                continue
            for element in elements:
                if isinstance(element, Locked) and not alone and _is_query(element.text):
                    yield f"{indent}{_STEP}{{ {element.text} }}"
                else:
                    yield from self._element(element, indent + _STEP)
        yield indent + "}"

    def _statements(self, statements: Sequence[Statement], indent: str) -> Iterator[str]:
        """Statements, with repeated subjects and predicates written once."""
        for subject, about in groupby(statements, key=lambda one: one.subject):
            lines = [
                f"{self._terms.predicate(predicate)} {', '.join(self._terms.term(one.object) for one in same)}"
                for predicate, same in groupby(about, key=lambda one: one.predicate)
            ]
            yield f"{indent}{self._terms.term(subject)} {lines[0]}" + (" ;" if len(lines) > 1 else " .")
            for line in lines[1:-1]:
                yield f"{indent}{_STEP}{line} ;"
            if len(lines) > 1:
                yield f"{indent}{_STEP}{lines[-1]} ."

    def _element(self, element: Element, indent: str) -> Iterator[str]:
        match element:
            case Filter():
                yield f"{indent}FILTER ({self._conditions.text(element.condition)})"
            case OptionalGroup():
                yield from self._group(element.group, indent, "OPTIONAL {")
            case AbsentGroup():
                yield from self._group(element.group, indent, "FILTER NOT EXISTS {")
            case PresentGroup():
                yield from self._group(element.group, indent, "FILTER EXISTS {")
            case InGraph():
                yield from self._group(element.group, indent, f"GRAPH {self._terms.term(element.name)} {{")
            case QuantityRange():
                if self._taken is None:
                    yield self._terms.variable(element.node)
                else:
                    names = QuantityNames.beside(element.node, self._taken)
                    yield from self._element(quantity_pattern(element, names, self._terms), indent)
            case Values():
                yield from self._values(element, indent)
            case Alternatives():
                yield from self._alternatives(element, indent)
            case Locked():
                yield indent + element.text

    def _alternatives(self, alternatives: Alternatives, indent: str) -> Iterator[str]:
        opening = "{"
        last = ""
        for group in alternatives.groups:
            *before, last = self._group(group, indent, opening)
            yield from before
            opening = last.strip() + " UNION {"
        yield last

    def _values(self, values: Values, indent: str) -> Iterator[str]:
        rows = [["UNDEF" if term is None else self._terms.term(term) for term in row] for row in values.rows]
        if len(values.variables) == 1:
            opening = f"VALUES {self._terms.variable(values.variables[0])} {{"
            written = [row[0] for row in rows]
        else:
            opening = f"VALUES ({' '.join(self._terms.variable(one) for one in values.variables)}) {{"
            written = [f"({' '.join(row)})" for row in rows]
        line = " ".join((indent + opening, *written, "}"))
        if len(line) <= _WIDTH:
            yield line
            return
        yield indent + opening
        yield from (f"{indent}{_STEP}{row}" for row in written)
        yield indent + "}"


class ConditionWriter:
    """Writes conditions as expressions."""

    def __init__(self, terms: TermWriter) -> None:
        self._terms = terms

    def text(self, condition: Condition) -> str:
        """The expression, without parentheses around it."""
        match condition:
            case Comparison():
                value = self._terms.term(condition.value)
                return f"{self._variable(condition)} {condition.operator.value} {value}"
            case Between():
                name = self._variable(condition)
                least, most = self._terms.term(condition.least), self._terms.term(condition.most)
                above, below = ">=" if condition.least_included else ">", "<=" if condition.most_included else "<"
                return f"{name} {above} {least} && {name} {below} {most}"
            case OneOf():
                values = ", ".join(self._terms.term(value) for value in condition.values)
                return f"{self._variable(condition)} {'NOT IN' if condition.is_negated else 'IN'} ({values})"
            case TextMatch():
                return self._text_match(condition)
            case LanguageMatch():
                return (
                    f"LANGMATCHES(LANG({self._variable(condition)}), {self._terms.term(Literal(condition.language))})"
                )
            case KindMatch():
                return f"{condition.kind.value}({self._variable(condition)})"
            case IsBound():
                return f"BOUND({self._variable(condition)})"
            case AllOf():
                return " && ".join(self._part(part) for part in condition.conditions)
            case AnyOf():
                return " || ".join(self._part(part) for part in condition.conditions)
            case Not():
                return f"!{self._part(condition.condition, tight=True)}"
            case LockedExpression():
                return condition.text

    def _part(self, condition: Condition, tight: bool = False) -> str:
        """A nested condition, in parentheses unless it is a comparison or a call."""
        is_call = isinstance(condition, (TextMatch, LanguageMatch, KindMatch, IsBound))
        if is_call or (not tight and isinstance(condition, (Comparison, OneOf, Not))):
            return self.text(condition)
        return f"({self.text(condition)})"

    def _variable(
        self, condition: Comparison | Between | OneOf | TextMatch | LanguageMatch | KindMatch | IsBound
    ) -> str:
        return self._terms.variable(condition.variable)

    def _text_match(self, condition: TextMatch) -> str:
        value, text = f"STR({self._variable(condition)})", self._terms.term(Literal(condition.text))
        if condition.test is TextTest.MATCHES:
            flags = ', "i"' if condition.ignores_case else ""
            return f"REGEX({value}, {text}{flags})"
        if condition.ignores_case:
            value = f"LCASE({value})"
            text = text if condition.text.isascii() and condition.text == condition.text.lower() else f"LCASE({text})"
        return f"{_TEXT_FUNCTIONS[condition.test]}({value}, {text})"


def _is_query(text: str) -> bool:
    return text[:6].upper() == "SELECT"
