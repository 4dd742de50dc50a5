"""Random expressions of SPARQL over variables whose sorts are known: every operator and function that has one value."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, Term, Triple
from tests.helpers.column_graphs import POOLS, THINGS, VALUES, Schema, chance

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
RESOURCE, ANY, NUMBER = "resource", "any", "number"
"""The sorts of variables that stand for no values of one predicate; these have the predicate's name as their sort."""

_XSD = XSD.integer.value[:-7]
_CASTS = ("integer", "decimal", "double", "float", "boolean", "string", "dateTime")

_KIN = (
    ("integer", "decimal", "double", "float", "big", "int"),
    ("utc", "local", "zoned", "date"),
    ("string", "language"),
    ("dayTimeDuration", "yearMonthDuration", "duration"),
)
"""Kinds of values that people compare with each other."""


class ExpressionWriter:
    """Writes expressions.

    Args:
        plain: whether they are mostly those that people write: comparisons with constants.
    """

    def __init__(self, rng: Random, schema: Schema, *, plain: bool) -> None:
        self.rng, self.schema, self.plain = rng, schema, plain
        self._new = 0

    def body(self, depth: int, scope: dict[str, str]) -> str:
        """What stands in `EXISTS`."""
        raise NotImplementedError

    def chance(self, percent: int) -> bool:
        return chance(self.rng, percent)

    def one(self, *options: str) -> str:
        return self.rng.choice(options)

    def fresh(self, stem: str) -> str:
        self._new += 1
        return f"?{stem}{self._new}"

    def iri(self) -> str:
        thing = self.rng.choice(THINGS)
        return ":nowhere" if isinstance(thing, BlankNode) or self.chance(4) else str(thing)

    def value_of(self, sort: str) -> str:
        """A constant of the values of a predicate, or whatever may be compared with it."""
        if sort in VALUES:
            values, kinds = self.schema.values[sort], self.schema.kinds[sort]
            choice = self.rng.randrange(100)
            if choice < 60:
                return self.constant(self.rng.choice(values))
            akin = next((kin for kin in _KIN if kinds[0] in kin), kinds) if choice < 80 else kinds
            return self.constant(self.rng.choice(POOLS[self.rng.choice(akin if choice < 95 else tuple(POOLS))]))
        if sort == NUMBER:
            return self.one("0", "1", "2", "3", "1.5", "1e0")
        return self.iri()

    def constant(self, term: Term | Triple) -> str:
        """A term as a query spells it: sometimes at full length, sometimes short."""
        if not isinstance(term, Literal):
            return self.iri() if isinstance(term, BlankNode) else str(term)
        name, text = term.datatype.value.removeprefix(_XSD), term.value
        if self.chance(60):
            if name == "integer" and text.isdigit():
                return text
            if name == "decimal" and text.replace(".", "", 1).isdigit() and text[-1] != "." and "." in text:
                return text
            if name == "double" and text[0].isdigit() and "e" in text.lower() and text[-1].isdigit():
                return text
            if name == "boolean" and text in ("true", "false"):
                return text
            if name.isalpha() and name != "string" and not set(text) & set('"\\\n\t'):
                return f'"{text}"^^xsd:{name}'
        return str(term)

    def variable(self, scope: dict[str, str], *sorts: str) -> str:
        """A variable, of one of these sorts if there is one; seldom one that has no value anywhere."""
        if not scope or self.chance(2):
            return "?none"
        fitting = [name for name, sort in scope.items() if self._is(sort, sorts)]
        return self.rng.choice(fitting or sorted(scope))

    def _is(self, sort: str, sorts: Sequence[str]) -> bool:
        if not sorts or sort in sorts:
            return True
        kinds = self.schema.kinds.get(sort, ())
        return any(kind.removeprefix("odd ") in sorts for kind in kinds)

    def numeric(self, scope: dict[str, str]) -> str:
        return self.variable(scope, NUMBER, "integer", "decimal", "double", "float", "big", "fine", "int", "byte")

    def moment(self, scope: dict[str, str]) -> str:
        return self.variable(scope, "utc", "local", "zoned", "stamp", "date", "time")

    def string(self, scope: dict[str, str]) -> str:
        return self.variable(scope, "string", "language")

    def condition(self, scope: dict[str, str], depth: int) -> str:
        """A condition, of which most hold for some values and not for others."""
        choice = self.rng.randrange(100)
        if depth > 0 and choice < (12 if self.plain else 30):
            first, second = self.condition(scope, depth - 1), self.condition(scope, depth - 1)
            return self.one(f"({first} && {second})", f"({first} || {second})", f"!({first})")
        choice = self.rng.randrange(60 if self.plain and self.chance(75) else 100)
        name = self.variable(scope)
        sort = scope.get(name, ANY)
        if choice < 34:
            value = self.value_of(sort)
            op = self.one("=", "!=") if sort == RESOURCE else self.one(*COMPARISONS)
            return f"{name} {op} {value}" if self.chance(85) else f"{value} {op} {name}"
        if choice < 40:
            return f"{name} {self.one(*COMPARISONS)} {self.variable(scope, sort)}"
        if choice < 48:
            listed = ", ".join(self.value_of(sort) for _ in range(self.rng.choice((0, 1, 2, 3))))
            return f"{name} {self.one('IN', 'NOT IN')} ({listed})"
        if choice < 55:
            return f"{self.one('', '!')}BOUND({name})"
        if choice < 63:
            number = self.number(scope, depth)
            other = (
                self.value_of(scope.get(self.numeric(scope), ANY))
                if self.chance(40)
                else self.one("0", "1", "0.3", "1e0", "2021")
            )
            return f"{number} {self.one(*COMPARISONS)} {other}"
        if choice < 71:
            function = self.one("CONTAINS", "STRSTARTS", "STRENDS")
            part = self.one('"a"', '""', '"b"', '"1"', '"-"', '"é"', '"a"@en')
            return f"{function}({self.text(scope, depth - 1)}, {part})"
        if choice < 76:
            pattern = self.one('"^a"', '"B", "i"', '"[0-9]+"', '"a|b"', '"."', '"^a b$", "x"', '"a.", "s"', '"("')
            return f"REGEX({self.text(scope, depth - 1)}, {pattern})"
        if choice < 80:
            tag = self.one('"en"', '"*"', '"EN"', '"en-GB"', '""')
            return f"LANGMATCHES(LANG({self.string(scope)}), {tag})"
        if choice < 86:
            return f"{self.one('isIRI', 'isURI', 'isBLANK', 'isLITERAL', 'isNUMERIC')}({name})"
        if choice < 89:
            return f"sameTerm({name}, {self.one(self.variable(scope), self.value_of(sort))})"
        if choice < 91:
            return f"DATATYPE({name}) {self.one('=', '!=')} xsd:{self.one('integer', 'decimal', 'string', 'double', 'dateTime')}"
        if choice < 93 and depth > 0:
            return f"{self.one('EXISTS', 'NOT EXISTS')} {{ {self.body(0, scope)} }}"
        if choice < 96:
            return self.one(name, f"!{name}", "true", "false", f"COALESCE({name}, false)")
        return f"{self.any(scope, depth)} {self.one(*COMPARISONS)} {self.any(scope, depth)}"

    def number(self, scope: dict[str, str], depth: int) -> str:
        choice = self.rng.randrange(100)
        if depth <= 0 or choice < 15:
            return (
                self.numeric(scope)
                if self.chance(80)
                else self.one("1", "2", "0.5", "0.1", "0.2", "2e0", "0", "3000000000")
            )
        first = self.number(scope, depth - 1)
        if choice < 55:
            return f"({first} {self.one('+', '-', '*', '/')} {self.number(scope, depth - 1)})"
        if choice < 60:
            return f"(-{first})"
        if choice < 70:
            return f"{self.one('ABS', 'CEIL', 'FLOOR', 'ROUND')}({first})"
        if choice < 84:
            return f"{self.one('YEAR', 'MONTH', 'DAY', 'HOURS', 'MINUTES', 'SECONDS')}({self.moment(scope)})"
        if choice < 88:
            return f"STRLEN({self.text(scope, depth - 1)})"
        if choice < 93:
            return f"IF({self.condition(scope, depth - 1)}, {first}, {self.number(scope, depth - 1)})"
        if choice < 97:
            return f"COALESCE({first}, {self.number(scope, depth - 1)})"
        return f"xsd:{self.one('integer', 'decimal', 'double', 'float')}({self.variable(scope)})"

    def text(self, scope: dict[str, str], depth: int) -> str:
        choice = self.rng.randrange(100)
        if depth <= 0 or choice < 35:
            return self.string(scope) if self.chance(60) else f"STR({self.variable(scope)})"
        first = self.text(scope, depth - 1)
        if choice < 50:
            return f"{self.one('UCASE', 'LCASE', 'ENCODE_FOR_URI', 'MD5', 'SHA256')}({first})"
        if choice < 60:
            return f"CONCAT({first}, {self.text(scope, depth - 1)})"
        if choice < 70:
            return f"SUBSTR({first}, {self.one('1', '2', '0', '1, 1', '2, 2')})"
        if choice < 80:
            other = self.one('"a"', '""')
            return f"{self.one('STRBEFORE', 'STRAFTER')}({first}, {other})"
        if choice < 86:
            return f'REPLACE({first}, "a", "z")'
        if choice < 92:
            return f"LANG({self.string(scope)})"
        if choice < 96:
            return f"TZ({self.moment(scope)})"
        return f'STRLANG(STR({self.variable(scope)}), "en")'

    def any(self, scope: dict[str, str], depth: int) -> str:
        choice = self.rng.randrange(100)
        if choice < 40:
            return self.number(scope, depth)
        if choice < 55:
            return self.variable(scope)
        if choice < 68:
            return self.text(scope, depth)
        if choice < 76:
            return f"({self.condition(scope, depth - 1)})"
        if choice < 82:
            return f"DATATYPE({self.variable(scope)})"
        if choice < 88:
            return f"IF({self.condition(scope, depth - 1)}, {self.variable(scope)}, {self.variable(scope)})"
        if choice < 93:
            return f"COALESCE({self.variable(scope)}, {self.value_of(scope.get(self.variable(scope), ANY))})"
        if choice < 96:
            return self.one(
                f"IRI({self.string(scope)})",
                f"STRDT(STR({self.variable(scope)}), xsd:integer)",
                f"TIMEZONE({self.moment(scope)})",
            )
        return f"xsd:{self.one(*_CASTS)}({self.variable(scope)})"
