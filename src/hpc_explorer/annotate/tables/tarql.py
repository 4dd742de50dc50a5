"""Convert a Tarql file, a SPARQL CONSTRUCT over CSV rows, to a mapping.

Supported are row IRIs of texts and columns, casts and STRDT, STRLANG, QUDT quantities as blank nodes, links, row
numbers and rows skipped by a FILTER. Everything else is reported with its line.

Tarql inserts cells into IRIs unchanged; mappings percent-encode them, so that a cell cannot change the host or path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from hpc_explorer.annotate.tables.cells import DATATYPES, NUMBERS
from hpc_explorer.annotate.tables.mapping import ColumnRule, Constant, TableFormat, TableMapping
from hpc_explorer.annotate.tables.tarql_reading import (
    TARQL,
    BlankNodePropertyList,
    Call,
    Expression,
    LeftOut,
    TemplateObject,
    tarql_query,
)
from hpc_explorer.annotate.tables.template import ROW_NUMBER, Template, parse_template
from hpc_explorer.errors import DamagedMapping, InvalidIri, QuerySyntaxError
from hpc_explorer.rdf.namespaces import QUDT, RDF, WELL_KNOWN, XSD
from hpc_explorer.rdf.syntax.files import input_error
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable

ENDINGS = (".sparql", ".rq", ".tarql")
"""Extensions of Tarql files."""

# Functions that return a text unchanged, or as a template does.
_TEXTS = ("STR", "ENCODE_FOR_URI", XSD.string.value)


@dataclass(frozen=True)
class TarqlImport:
    """The result of reading a Tarql file.

    Args:
        mapping: the supported part.
        left: the unsupported parts with their lines.
    """

    mapping: TableMapping
    left: tuple[str, ...]


def read_tarql(path: Path, columns: Sequence[str] = ()) -> TarqlImport:
    """Read a Tarql file.

    Args:
        columns: the table's columns; without them, variables name the columns.

    Raises:
        SourceNotFound, SourceUnreadable: missing or unreadable.
        QuerySyntaxError: invalid SPARQL.
        DamagedMapping: no part of it can be mapped.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise DamagedMapping("the Tarql file is not UTF-8", str(path), "save it as UTF-8") from None
    except OSError as error:
        raise input_error(error, path, "Tarql file") from None
    try:
        return parse_tarql(text, columns, str(path))
    except RecursionError:
        raise DamagedMapping(
            "the Tarql file is nested too deeply", str(path), "write it with fewer brackets in one another"
        ) from None


def parse_tarql(text: str, columns: Sequence[str] = (), where: str = "tarql") -> TarqlImport:
    """Parse a Tarql text as `read_tarql` does."""
    return _Reader(text, columns, where).read()


class _Reader:
    """Converts a parsed Tarql text to a mapping."""

    def __init__(self, text: str, columns: Sequence[str], where: str) -> None:
        self._where = where
        try:
            self._query = tarql_query(text)
        except QuerySyntaxError as error:
            raise QuerySyntaxError(error.what, f"{where}, {error.where}", error.remedy) from None
        self._left = list(self._query.left)
        self._columns = _column_names(columns, self._query.table)
        self._is_known = bool(columns)
        self._rules: dict[str, list[ColumnRule]] = {}
        self._constants: list[Constant] = []
        self._classes: list[NamedNode] = []
        self._skip: dict[str, frozenset[str]] = {}
        self._required: set[str] = set()

    def read(self) -> TarqlImport:
        thing = self._thing()
        try:
            subject = self._template(self._form(thing), 0)
        except LeftOut as left:
            raise DamagedMapping(
                f"the IRI of a row is nothing that a mapping can make ({left.what})",
                f"{self._where}:{left.line or 1}",
                "it should be IRI(CONCAT('https://…/', ?Column))",
            ) from None
        for statement in self._query.template:
            if statement.subject != thing:
                what = f"a statement about {_shown(statement.subject)}, which is not the thing of a row"
                self._leave(statement.line, what)
                continue
            self._try(statement.line, partial(self._state, statement.predicate, statement.object, statement.line))
        for form, line in self._query.filters:
            self._try(line, partial(self._filter, form, line))
        rules = {name: tuple(found) for name, found in self._rules.items()}
        for name in self._required & rules.keys():
            rules[name] = (replace(rules[name][0], required=True), *rules[name][1:])
        mapping = TableMapping(
            subject=subject,
            classes=tuple(self._classes),
            columns=rules,
            constants=tuple(self._constants),
            skip=self._skip,
            prefixes={name: iri for name, iri in self._query.prefixes.items() if WELL_KNOWN.get(name) != iri},
            table=self._query.table,
        )
        told = tuple(f"line {line}: {what} is left out" for line, what in sorted(set(self._left)))
        return TarqlImport(mapping, told)

    def _thing(self) -> Variable:
        """The subject of most statements: the row's thing."""
        subjects = [one.subject for one in self._query.template if isinstance(one.subject, Variable)]
        if not subjects:
            raise DamagedMapping(
                "the file makes no statement about a row that has an IRI", self._where, "see docs/guide/tables.md"
            )
        return max(dict.fromkeys(subjects), key=subjects.count)

    def _leave(self, line: int, what: str) -> None:
        self._left.append((line, what))

    def _try(self, line: int, work: Callable[[], None]) -> None:
        try:
            work()
        except LeftOut as left:
            self._leave(left.line or line, left.what)

    def _form(self, form: Expression) -> Expression:
        """The expression bound to a variable; the variable itself if it is a column."""
        seen: set[str] = set()
        while isinstance(form, Variable) and form.value in self._query.bound and form.value not in seen:
            seen.add(form.value)
            form = self._query.bound[form.value]
        return form

    def _text(self, form: Expression) -> Expression:
        """The text of an expression."""
        form = self._form(form)
        while isinstance(form, Call) and len(form.arguments) == 1 and form.name in _TEXTS:
            form = self._form(form.arguments[0])
        return form

    def _column(self, form: Expression, line: int) -> str:
        """The column whose text an expression is."""
        form = self._text(form)
        if isinstance(form, Variable):
            if form.value in self._columns:
                return self._columns[form.value]
            if not self._is_known:
                return form.value
            raise LeftOut(f"?{form.value}, which is not a column of the table", line)
        raise LeftOut(_named(form), form.line if isinstance(form, Call) else line)

    def _template(self, form: Expression, line: int) -> Template:
        """The IRI template of an expression of texts and columns."""
        form = self._form(form)
        if not isinstance(form, Call) or form.name not in ("IRI", "URI") or len(form.arguments) != 1:
            raise LeftOut(_named(form), form.line if isinstance(form, Call) else line)
        inner = self._form(form.arguments[0])
        parts = inner.arguments if isinstance(inner, Call) and inner.name == "CONCAT" else (inner,)
        written = ""
        for part in map(self._text, parts):
            if isinstance(part, (Literal, NamedNode)):
                written += part.value
            elif isinstance(part, Variable) and part.value == "ROWNUM":
                written += f"{{{ROW_NUMBER}}}"
            else:
                written += f"{{{self._column(part, form.line)}}}"
        try:
            return parse_template(written)
        except InvalidIri as error:
            raise LeftOut(f"an IRI whose beginning or parts no mapping allows ({error.what})", form.line) from None

    def _state(self, predicate: NamedNode, value: TemplateObject, line: int) -> None:
        if isinstance(value, BlankNodePropertyList):
            self._quantity(predicate, value)
            return
        if isinstance(value, NamedNode) and predicate == RDF.type:
            self._classes.append(value)
            return
        if isinstance(value, (NamedNode, Literal)):
            self._constants.append(Constant(predicate, value))
            return
        form = self._form(value)
        if isinstance(form, Literal):
            self._constants.append(Constant(predicate, form))
            return
        column, rule = self._rule(predicate, form, line)
        self._rules.setdefault(column, []).append(rule)

    def _rule(self, predicate: NamedNode, form: Expression, line: int) -> tuple[str, ColumnRule]:
        plain = ColumnRule(predicate)
        if isinstance(form, Call):
            line = form.line
            datatype = self._datatype(form)
            if datatype is not None:
                return self._column(form.arguments[0], line), replace(plain, datatype=datatype)
            if form.name == "STRLANG" and len(form.arguments) == 2 and isinstance(form.arguments[1], Literal):
                try:
                    language = Literal("", language=form.arguments[1].value).language or ""
                except ValueError:
                    raise LeftOut("an invalid language tag", line) from None
                return self._column(form.arguments[0], line), replace(plain, language=language)
            if form.name in ("IRI", "URI") and len(form.arguments) == 1:
                inner = self._form(form.arguments[0])
                if isinstance(inner, Variable) and inner.value != "ROWNUM":
                    return self._column(inner, line), replace(plain, iri=True)
                template = self._template(form, line)
                if not template.columns:
                    raise LeftOut("a link that takes no column", line)
                return template.columns[0], replace(plain, link=template)
        return self._column(form, line), plain

    def _datatype(self, form: Call) -> NamedNode | None:
        """The datatype of a cast or STRDT; None for others."""
        found: NamedNode | None = None
        if form.name.startswith(str(XSD)) and len(form.arguments) == 1:
            found = NamedNode(form.name)
        elif form.name == "STRDT" and len(form.arguments) == 2 and isinstance(form.arguments[1], NamedNode):
            found = form.arguments[1]
        if found is not None and found not in DATATYPES:
            raise LeftOut(f"the datatype <{found.value}>", form.line)
        return found

    def _quantity(self, predicate: NamedNode, node: BlankNodePropertyList) -> None:
        said = {one: value for one, value in node.said if one != RDF.type}
        number, unit = (
            said.get(QUDT.value) or said.get(QUDT.numericValue),
            said.get(QUDT.unit) or said.get(QUDT.hasUnit),
        )
        if len(said) != 2 or not isinstance(unit, NamedNode) or not isinstance(number, Variable):
            raise LeftOut("a blank node that is not a quantity with a unit", node.line)
        column, rule = self._rule(predicate, self._form(number), node.line)
        datatype = rule.datatype if rule.datatype in NUMBERS else XSD.decimal
        self._rules.setdefault(column, []).append(ColumnRule(predicate, datatype, unit))

    def _filter(self, form: Expression, line: int) -> None:
        if isinstance(form, Call) and form.name == "&&":
            for part in form.arguments:
                self._filter(part, line)
            return
        if isinstance(form, Call) and form.name == "BOUND" and len(form.arguments) == 1:
            self._required.add(self._column(form.arguments[0], line))
            return
        if isinstance(form, Call) and form.name == "!=" and isinstance(form.arguments[1], Literal):
            column, text = self._column(form.arguments[0], line), form.arguments[1].value
            if text:
                self._skip[column] = self._skip.get(column, frozenset()) | {text}
            else:
                self._required.add(column)
            return
        raise LeftOut(f"a FILTER with {_named(form)}", line)


def _column_names(columns: Sequence[str], table: TableFormat) -> Mapping[str, str]:
    """The columns by variable name, in which other characters than letters and digits are underscores."""
    if table.heading == 0:
        names: Iterable[str] = (_letters(place) for place in range(len(columns) or 26))
        return dict(zip(names, columns or [f"(column {place})" for place in range(1, 27)], strict=False))
    return {re.sub(r"[^0-9A-Za-z_]", "_", name): name for name in columns}


def _letters(place: int) -> str:
    """`a`, `b`, …: Tarql's names of columns without a heading."""
    found = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        found = chr(ord("a") + letter) + found
    return found


def _named(form: Expression) -> str:
    """How an unsupported expression is reported."""
    if isinstance(form, Call):
        name = form.name
        if name.startswith(TARQL):
            name = f"tarql:{name.removeprefix(TARQL)}"
        return f"{name}(…)" if name[:1].isalpha() else f"a comparison with {name!r}"
    return _shown(form)


def _shown(form: Variable | Literal | NamedNode) -> str:
    return (
        f"?{form.value}"
        if isinstance(form, Variable)
        else f"<{form.value}>"
        if isinstance(form, NamedNode)
        else repr(form.value)
    )
