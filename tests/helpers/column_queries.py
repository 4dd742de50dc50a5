"""Random SELECT queries over the graphs of `column_graphs`: all of SPARQL 1.1 that may go to the columns.

Most of them find something and sum it up; the rest nest everything in everything. Everything is drawn from a
`random.Random`, so that a seed says all of a query.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, Term
from tests.helpers.column_graphs import CLASSES, EX, LINKS, POOLS, PREFIXES, THINGS, VALUES, Schema, chance

_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
_XSD = XSD.integer.value[:-7]
_CASTS = ("integer", "decimal", "double", "float", "boolean", "string", "dateTime")


@dataclass(frozen=True)
class Asked:
    """A SELECT query in pieces.

    Args:
        columns: what is selected: `*`, variables, and expressions with their names.
        body: what stands in `WHERE`, without the braces.
        duplicates: `DISTINCT`, `REDUCED` or nothing.
        group, order: what stands behind `GROUP BY` and `ORDER BY`; the order is by selected variables only.
        having: the condition of `HAVING`, or nothing.
        slice: `LIMIT` and `OFFSET`, or nothing.
    """

    columns: tuple[str, ...]
    body: str
    duplicates: str = ""
    group: tuple[str, ...] = ()
    having: str = ""
    order: tuple[str, ...] = ()
    slice: str = ""

    @property
    def text(self) -> str:
        """The query."""
        text = f"{PREFIXES}SELECT {self.duplicates} {' '.join(self.columns)} WHERE {{ {self.body} }}"
        if self.group:
            text += f" GROUP BY {' '.join(self.group)}"
        if self.having:
            text += f" HAVING ({self.having})"
        if self.order:
            text += f" ORDER BY {' '.join(self.order)}"
        return text + self.slice


def random_query(rng: Random, schema: Schema) -> Asked:
    """A query of any kind: more than half of the plain kind that people ask columns for."""
    return _Writer(rng, schema, plain=chance(rng, 60)).query()


_RESOURCE, _ANY, _NUMBER, _TEXT = "resource", "any", "number", "text"


class _Writer:
    """Writes one query.

    Args:
        plain: whether it is to be one of patterns, conditions and sums, without much nesting.
    """

    def __init__(self, rng: Random, schema: Schema, *, plain: bool) -> None:
        self._rng, self._schema, self._plain = rng, schema, plain
        self._new = 0

    # Small choices

    def _chance(self, percent: int) -> bool:
        return chance(self._rng, percent)

    def _one(self, *options: str) -> str:
        return self._rng.choice(options)

    def _fresh(self, stem: str) -> str:
        self._new += 1
        return f"?{stem}{self._new}"

    # Whole queries

    def query(self) -> Asked:
        body, scope = self._body(2)
        if self._chance(80 if self._plain else 60):
            asked = self._grouped(body, scope)
        else:
            asked = self._listed(body, scope)
        if self._chance(25):
            asked = self._ordered(asked)
        return asked

    def _listed(self, body: str, scope: dict[str, str]) -> Asked:
        duplicates = self._one("", "", "DISTINCT", "DISTINCT", "REDUCED")
        if self._chance(30):
            return Asked(("*",), body, duplicates)
        columns = self._some(sorted(scope), 3)
        if self._chance(20):
            columns.append(f"({self._any(scope, 1)} AS {self._fresh('e')})")
        return Asked(tuple(columns or ["*"]), body, duplicates)

    def _grouped(self, body: str, scope: dict[str, str]) -> Asked:
        keys: list[str] = []
        columns: list[str] = []
        if self._chance(70):
            for key in self._some(sorted(scope), 2 if self._chance(30) else 1):
                keys.append(key)
            if self._chance(8 if self._plain else 25) or not keys:
                value = self._any(scope, 1)
                # The engine takes `GROUP BY (?x AS ?k)` for an error.
                keys.append(f"({f'COALESCE({value})' if value[0] == '?' else value} AS {self._fresh('k')})")
        for key in keys:
            if self._chance(85):
                columns.append(key.rsplit(" ", 1)[-1].rstrip(")"))
        for _ in range(self._rng.choice((1, 1, 2, 3))):
            columns.append(f"({self._aggregate(scope, named=True)} AS {self._fresh('n')})")
        if self._chance(4 if self._plain else 12):
            columns.append(f"({self._of_aggregates(scope)} AS {self._fresh('n')})")
        having = ""
        if keys and self._chance(12):
            other = self._one("0", "1", "2", "1.5", *(key for key in keys if key[0] == "?"))
            having = f"{self._aggregate(scope)} {self._one(*_COMPARISONS)} {other}"
        return Asked(tuple(columns), body, "DISTINCT" if self._chance(5) else "", tuple(keys), having)

    def _ordered(self, asked: Asked) -> Asked:
        names = [
            column.rsplit(" ", 1)[-1].rstrip(")")
            for column in asked.columns
            if column != "*" and not column.startswith(("(SAMPLE", "(GROUP_CONCAT"))
        ]
        keys = []
        for name in self._some(names, 3):
            if self._chance(8):
                name = self._one(f"(STR({name}))", f"({name} + 1)", f"(-{name})", f"(BOUND({name}))", f"(LCASE({name}))")
            keys.append(self._one(name, name, f"ASC({name})", f"DESC({name})", f"DESC({name})"))
        slice = ""
        if self._chance(50) and asked.duplicates != "REDUCED":
            slice = self._one(" LIMIT 1", " LIMIT 3", " LIMIT 5", " LIMIT 3 OFFSET 1", " OFFSET 2 LIMIT 2", " OFFSET 1", " LIMIT 0")
        return replace(asked, order=tuple(keys), slice=slice)

    def _some(self, options: Sequence[str], most: int) -> list[str]:
        return self._rng.sample(options, min(len(options), self._rng.randint(1, most)))

    # Patterns

    def _body(self, depth: int, scope: dict[str, str] | None = None) -> tuple[str, dict[str, str]]:
        """What stands between braces, and the variables that may have a value there."""
        own: dict[str, str] = {}
        outer = scope or {}
        parts = [self._triples(own, outer)]
        if self._plain:
            if self._chance(45):
                parts.append(self._triples(own, outer))
            if depth == 2 and self._chance(25):
                parts.append(self._nested(own, outer, depth))
            for _ in range(self._rng.choice((0, 0, 0, 1, 1, 2))):
                parts.append(f"FILTER({self._condition({**outer, **own}, 1)})")
            if self._chance(8):
                parts.append(self._bind(own, outer))
        else:
            for _ in range(self._rng.choice((0, 1, 1, 2) if depth else (0, 0, 1))):
                choice = self._rng.randrange(100)
                if choice < 25:
                    parts.append(self._triples(own, outer))
                elif choice < 50:
                    parts.append(f"FILTER({self._condition({**outer, **own}, 2)})")
                elif choice < 62:
                    parts.append(self._bind(own, outer))
                elif depth:
                    parts.append(self._nested(own, outer, depth))
            if self._chance(8) and not any("BIND" in part for part in parts):
                self._rng.shuffle(parts)
        return " ".join(parts), own

    def _nested(self, own: dict[str, str], outer: dict[str, str], depth: int) -> str:
        choice = self._rng.randrange(100)
        if choice < 32:
            inner, more = self._body(depth - 1, {**outer, **own})
            own |= more
            return f"OPTIONAL {{ {inner} }}"
        if choice < 48:
            seen = {**outer, **own}
            branches = [self._body(depth - 1, seen) for _ in range(self._rng.choice((2, 2, 3)))]
            for _, more in branches:
                own |= more
            return " UNION ".join(f"{{ {inner} }}" for inner, _ in branches)
        if choice < 58:
            return f"MINUS {{ {self._body(depth - 1, {**outer, **own})[0]} }}"
        if choice < 72:
            return self._values(own)
        if choice < 82:
            word = self._one("EXISTS", "NOT EXISTS")
            return f"FILTER {word} {{ {self._body(depth - 1, {**outer, **own})[0]} }}"
        if choice < 94:
            return self._subselect(own, outer, depth)
        if choice < (100 if self._plain else 98):
            inner, more = self._body(depth - 1, {**outer, **own})
            own |= more
            return f"{{ {inner} }}"
        inner, more = self._body(0, {**outer, **own})
        own |= more
        return f"GRAPH ?g {{ {inner} }}"

    def _subselect(self, own: dict[str, str], outer: dict[str, str], depth: int) -> str:
        inner, scope = self._body(depth - 1, {**outer, **own})
        resources = [name for name, sort in scope.items() if sort == _RESOURCE] or ["?a"]
        if self._chance(45):
            key, count = self._rng.choice(resources), self._fresh("n")
            own |= {key: _RESOURCE, count: _NUMBER}
            tail = self._one("", "", f" HAVING (COUNT(*) > 1) ORDER BY DESC({key})", f" ORDER BY {key} LIMIT 2")
            return f"{{ SELECT {key} ({self._aggregate(scope)} AS {count}) {{ {inner} }} GROUP BY {key}{tail} }}"
        if self._chance(50):
            key = self._rng.choice(resources)
            own[key] = _RESOURCE
            tail = self._one("", f" ORDER BY {key} LIMIT 3", f" ORDER BY DESC({key}) LIMIT 2 OFFSET 1")
            return f"{{ SELECT DISTINCT {key} {{ {inner} }}{tail} }}"
        names = self._some(sorted(scope), 3)
        own |= {name: scope[name] for name in names}
        return f"{{ SELECT {self._one('', 'DISTINCT')} {' '.join(names)} {{ {inner} }} }}"

    def _values(self, own: dict[str, str]) -> str:
        names = self._some(sorted(own), 2 if self._chance(35) else 1) or ["?a"]
        if self._chance(6):
            names.append(self._fresh("w"))
            own[names[-1]] = _ANY
        rows = []
        for _ in range(self._rng.choice((0, 1, 2, 3, 3, 4))):
            rows.append([self._value_of(own.get(name, _RESOURCE)) if not self._chance(12) else "UNDEF" for name in names])
        if len(names) == 1:
            return f"VALUES {names[0]} {{ {' '.join(row[0] for row in rows)} }}"
        told = " ".join(f"({' '.join(row)})" for row in rows)
        return f"VALUES ({' '.join(names)}) {{ {told} }}"

    def _bind(self, own: dict[str, str], outer: dict[str, str]) -> str:
        name = self._fresh("e")
        text = f"BIND({self._any({**outer, **own} if self._chance(5) else own, 2)} AS {name})"
        own[name] = _ANY
        return text

    def _triples(self, own: dict[str, str], outer: dict[str, str]) -> str:
        """A few triple patterns that hang together with what stands before."""
        parts: list[str] = []
        for _ in range(self._rng.choice((1, 1, 1, 2, 2))):
            known = [name for name, sort in {**outer, **own}.items() if sort == _RESOURCE]
            if known and not parts and not own:
                subject = self._rng.choice(known)
            else:
                known = [name for name, sort in own.items() if sort == _RESOURCE]
                subject = self._rng.choice(known) if known else "?a"
            choice = self._rng.randrange(100)
            if choice < 50:
                parts.append(self._value_pattern(subject, own))
            elif choice < 65:
                parts.append(f"{subject} {self._one('a', 'a', 'a', 'a/rdfs:subClassOf*')} {self._class_or_variable(own)} .")
            else:
                parts.append(self._link_pattern(subject, own))
            if not subject.startswith("?"):
                continue
            own[subject] = _RESOURCE
        return " ".join(parts)

    def _class_or_variable(self, own: dict[str, str]) -> str:
        if self._chance(75):
            return f":{self._rng.choice(CLASSES).value.removeprefix(EX)}"
        own["?c"] = _RESOURCE
        return "?c"

    def _value_pattern(self, subject: str, own: dict[str, str]) -> str:
        if self._chance(2):
            subject = self._iri()
        predicate = self._one(*VALUES)
        if self._chance(6):
            return f"{subject} :{predicate} {self._value_of(predicate)} ."
        values = [name for name, sort in own.items() if sort in VALUES]
        name = f"?x{predicate[1:]}"
        if values and self._chance(4):
            name = self._rng.choice(values)  # two literals that must be one
        elif self._chance(6):
            name = self._fresh(f"{self._one('x', 'X', 'y')}{predicate[1:]}_")
        own[name] = predicate
        path = f":{predicate}" if self._chance(92) else f"{self._path(1)}/:{predicate}"
        return f"{subject} {path} {name} ."

    def _link_pattern(self, subject: str, own: dict[str, str]) -> str:
        if self._chance(1 if self._plain else 3):
            own["?p"], own["?o"] = _RESOURCE, _ANY
            return f"{subject} ?p ?o ."
        plain = self._chance(75 if self._plain else 45)
        path = f":{self._one(*LINKS)}" if plain else self._path(2)
        if self._chance(8):
            return f"{subject} {path} {self._iri()} ." if self._chance(75) else f"{self._iri()} {path} {subject} ."
        if self._chance(3):
            return f"{subject} {path} [] ."
        name = self._one("?a", "?b", "?b", "?b", "?d", "?B")
        if name == subject and not self._chance(8):
            name = "?b" if subject == "?a" else "?a"
        own[name] = _RESOURCE
        return f"{subject} {path} {name} ."

    def _path(self, depth: int) -> str:
        """A path, in brackets where it has operators."""
        choice = self._rng.randrange(100) if depth else 0
        if choice < 25:
            return f":{self._one(*LINKS)}"
        inner = self._path(depth - 1)
        if choice < 38:
            return f"(^{inner})"
        if choice < 55:
            return f"({inner}/{self._path(depth - 1)})"
        if choice < 74:
            return f"({inner}|{self._path(depth - 1)})"
        if self._plain and self._chance(75):
            return inner
        if choice < 94:
            return f"({inner}{self._one('*', '+', '?', '*')})"
        one, other = self._one(*LINKS), self._one(*LINKS, *VALUES)
        return self._one(f"(!:{one})", f"!(:{one}|^:{other})", f"(!^:{one})", f"!(a|:{one})")

    # Values

    def _iri(self) -> str:
        thing = self._rng.choice(THINGS)
        return ":nowhere" if isinstance(thing, BlankNode) or self._chance(4) else str(thing)

    def _value_of(self, sort: str) -> str:
        """A constant of the values of a predicate, or whatever may be compared with it."""
        if sort in VALUES:
            values = self._schema.values[sort]
            pool = self._schema.kinds[sort] if self._chance(90) else tuple(POOLS)
            return self._constant(self._rng.choice(values if self._chance(65) else POOLS[self._rng.choice(pool)]))
        if sort == _NUMBER:
            return self._one("0", "1", "2", "3", "1.5", "1e0")
        return self._iri()

    def _constant(self, term: Term | object) -> str:
        """A term as a query spells it: sometimes at full length, sometimes short."""
        if not isinstance(term, Literal):
            return self._iri() if isinstance(term, BlankNode) else str(term)
        name, text = term.datatype.value.removeprefix(_XSD), term.value
        if self._chance(60):
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

    # Expressions

    def _variable(self, scope: dict[str, str], *sorts: str) -> str:
        """A variable, of one of these sorts if there is one; seldom one that has no value anywhere."""
        if not scope or self._chance(2):
            return "?none"
        fitting = [name for name, sort in scope.items() if self._is(sort, sorts)]
        return self._rng.choice(fitting or sorted(scope))

    def _is(self, sort: str, sorts: Sequence[str]) -> bool:
        if not sorts or sort in sorts:
            return True
        kinds = self._schema.kinds.get(sort, ())
        return any(kind.removeprefix("odd ") in sorts for kind in kinds)

    def _numeric(self, scope: dict[str, str]) -> str:
        return self._variable(scope, _NUMBER, "integer", "decimal", "double", "float", "big", "fine", "int", "byte")

    def _has_numbers(self, scope: dict[str, str]) -> bool:
        clean = {"integer", "decimal", "double"}
        return any(clean >= set(self._schema.kinds[sort]) for sort in scope.values() if sort in self._schema.kinds)

    def _moment(self, scope: dict[str, str]) -> str:
        return self._variable(scope, "utc", "local", "zoned", "stamp", "date", "time")

    def _string(self, scope: dict[str, str]) -> str:
        return self._variable(scope, "string", "language")

    def _condition(self, scope: dict[str, str], depth: int) -> str:
        """A condition, of which most hold for some values and not for others."""
        choice = self._rng.randrange(100)
        if depth > 0 and choice < (12 if self._plain else 30):
            first, second = self._condition(scope, depth - 1), self._condition(scope, depth - 1)
            return self._one(f"({first} && {second})", f"({first} || {second})", f"!({first})")
        choice = self._rng.randrange(60 if self._plain and self._chance(75) else 100)
        name = self._variable(scope)
        sort = scope.get(name, _ANY)
        if choice < 34:
            value = self._value_of(sort)
            op = self._one("=", "!=") if sort == _RESOURCE else self._one(*_COMPARISONS)
            return f"{name} {op} {value}" if self._chance(85) else f"{value} {op} {name}"
        if choice < 40:
            return f"{name} {self._one(*_COMPARISONS)} {self._variable(scope, sort)}"
        if choice < 48:
            listed = ", ".join(self._value_of(sort) for _ in range(self._rng.choice((0, 1, 2, 3))))
            return f"{name} {self._one('IN', 'NOT IN')} ({listed})"
        if choice < 55:
            return f"{self._one('', '!')}BOUND({name})"
        if choice < 63:
            number = self._number(scope, depth)
            return f"{number} {self._one(*_COMPARISONS)} {self._one('0', '1', '2', '2.5', '0.3', '1e0', '2021')}"
        if choice < 71:
            function = self._one("CONTAINS", "STRSTARTS", "STRENDS")
            return f"{function}({self._text(scope, depth - 1)}, {self._one(*(chr(34) + part + chr(34) for part in ('a', '', 'b', '1', '-', 'é')), chr(34) + 'a' + chr(34) + '@en')})"
        if choice < 76:
            pattern = self._one('"^a"', '"B", "i"', '"[0-9]+"', '"a|b"', '"."', '"^a b$", "x"', '"a.", "s"', '"("')
            return f"REGEX({self._text(scope, depth - 1)}, {pattern})"
        if choice < 80:
            return f"LANGMATCHES(LANG({self._string(scope)}), {self._one(*(chr(34) + tag + chr(34) for tag in ('en', '*', 'EN', 'en-GB', '')))})"
        if choice < 86:
            return f"{self._one('isIRI', 'isURI', 'isBLANK', 'isLITERAL', 'isNUMERIC')}({name})"
        if choice < 89:
            return f"sameTerm({name}, {self._one(self._variable(scope), self._value_of(sort))})"
        if choice < 91:
            return f"DATATYPE({name}) {self._one('=', '!=')} xsd:{self._one('integer', 'decimal', 'string', 'double', 'dateTime')}"
        if choice < 93 and depth > 0:
            return f"{self._one('EXISTS', 'NOT EXISTS')} {{ {self._body(0, scope)[0]} }}"
        if choice < 96:
            return self._one(name, f"!{name}", "true", "false", f"COALESCE({name}, false)")
        return f"{self._any(scope, depth)} {self._one(*_COMPARISONS)} {self._any(scope, depth)}"

    def _number(self, scope: dict[str, str], depth: int) -> str:
        choice = self._rng.randrange(100)
        if depth <= 0 or choice < 15:
            return self._numeric(scope) if self._chance(80) else self._one("1", "2", "0.5", "2e0", "0", "3000000000")
        first = self._number(scope, depth - 1)
        if choice < 55:
            return f"({first} {self._one('+', '-', '*', '/')} {self._number(scope, depth - 1)})"
        if choice < 60:
            return f"(-{first})"
        if choice < 70:
            return f"{self._one('ABS', 'CEIL', 'FLOOR', 'ROUND')}({first})"
        if choice < 84:
            return f"{self._one('YEAR', 'MONTH', 'DAY', 'HOURS', 'MINUTES', 'SECONDS')}({self._moment(scope)})"
        if choice < 88:
            return f"STRLEN({self._text(scope, depth - 1)})"
        if choice < 93:
            return f"IF({self._condition(scope, depth - 1)}, {first}, {self._number(scope, depth - 1)})"
        if choice < 97:
            return f"COALESCE({first}, {self._number(scope, depth - 1)})"
        return f"xsd:{self._one('integer', 'decimal', 'double', 'float')}({self._variable(scope)})"

    def _text(self, scope: dict[str, str], depth: int) -> str:
        choice = self._rng.randrange(100)
        if depth <= 0 or choice < 35:
            return self._string(scope) if self._chance(60) else f"STR({self._variable(scope)})"
        first = self._text(scope, depth - 1)
        if choice < 50:
            return f"{self._one('UCASE', 'LCASE', 'ENCODE_FOR_URI', 'MD5', 'SHA256')}({first})"
        if choice < 60:
            return f"CONCAT({first}, {self._text(scope, depth - 1)})"
        if choice < 70:
            return f"SUBSTR({first}, {self._one('1', '2', '0', '1, 1', '2, 2')})"
        if choice < 80:
            return f"{self._one('STRBEFORE', 'STRAFTER')}({first}, {self._one(*('%sa%s' % (chr(34), chr(34)), chr(34) * 2))})"
        if choice < 86:
            return f'REPLACE({first}, "a", "z")'
        if choice < 92:
            return f"LANG({self._string(scope)})"
        if choice < 96:
            return f"TZ({self._moment(scope)})"
        return f'STRLANG(STR({self._variable(scope)}), "en")'

    def _any(self, scope: dict[str, str], depth: int) -> str:
        choice = self._rng.randrange(100)
        if choice < 40:
            return self._number(scope, depth)
        if choice < 55:
            return self._variable(scope)
        if choice < 68:
            return self._text(scope, depth)
        if choice < 76:
            return f"({self._condition(scope, depth - 1)})"
        if choice < 82:
            return f"DATATYPE({self._variable(scope)})"
        if choice < 88:
            return f"IF({self._condition(scope, depth - 1)}, {self._variable(scope)}, {self._variable(scope)})"
        if choice < 93:
            return f"COALESCE({self._variable(scope)}, {self._value_of(scope.get(self._variable(scope), _ANY))})"
        if choice < 96:
            return self._one(f"IRI({self._string(scope)})", f"STRDT(STR({self._variable(scope)}), xsd:integer)", f"TIMEZONE({self._moment(scope)})")
        return f"xsd:{self._one(*_CASTS)}({self._variable(scope)})"

    # Sums

    def _aggregate(self, scope: dict[str, str], *, named: bool = False) -> str:
        """An aggregate; unless it is named, one whose value does not depend on the order of solutions."""
        distinct = self._one("", "", "DISTINCT ")
        choice = self._rng.randrange(100)
        if self._plain and 40 <= choice < 68 and not self._has_numbers(scope):
            choice = self._rng.randrange(40)
        if choice < 25:
            return f"COUNT({'DISTINCT ' if self._chance(8) else ''}*)"
        if choice < 40:
            return f"COUNT({distinct}{self._summed(scope)})"
        if choice < 68:
            return f"{self._one('SUM', 'SUM', 'AVG')}({distinct}{self._summed(scope, numeric=True)})"
        if choice < 90:
            argument = self._summed(scope, numeric=self._plain or self._chance(50))
            sort = scope.get(argument, _ANY)
            if named or self._schema.kinds.get(sort) in (("integer",), ("decimal",), ("string",)):
                return f"{self._one('MIN', 'MAX')}({distinct}{argument})"
            return f"COUNT({distinct}{argument})"
        if named and choice < 97:
            return f"SAMPLE({self._variable(scope)})"
        if named:
            return f'GROUP_CONCAT({distinct}STR({self._variable(scope)}); SEPARATOR="|")'
        return "COUNT(*)"

    def _summed(self, scope: dict[str, str], *, numeric: bool = False) -> str:
        if self._chance(12 if self._plain else 25):
            return self._number(scope, 1) if numeric else self._any(scope, 1)
        return self._numeric(scope) if numeric else self._variable(scope)

    def _of_aggregates(self, scope: dict[str, str]) -> str:
        first, second = self._aggregate(scope), self._aggregate(scope)
        return self._one(f"{first} / {second}", f"{first} + {second}", f"({first} > {second})", f"COALESCE({first}, 0)", f"STR({first})", f"IF({first} > 1, {second}, 0)")
