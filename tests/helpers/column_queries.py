"""Random SELECT queries over the graphs of `column_graphs`: all of SPARQL 1.1 that may go to the columns.

Most of them find something and sum it up; the rest nest everything in everything. Everything is drawn from a
`random.Random`, so that a seed says all of a query.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from tests.helpers.column_expressions import ANY, COMPARISONS, NUMBER, RESOURCE, ExpressionWriter
from tests.helpers.column_graphs import CLASSES, EX, LINKS, PREFIXES, VALUES, Schema, chance


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


class _Writer(ExpressionWriter):
    """Writes one query.

    Args:
        plain: whether it is to be one of patterns, conditions and sums, without much nesting.
    """

    def body(self, depth: int, scope: dict[str, str]) -> str:
        return self._body(depth, scope)[0]

    # Whole queries

    def query(self) -> Asked:
        body, scope = self._body(2)
        if self.chance(80 if self.plain else 60):
            asked = self._grouped(body, scope)
        else:
            asked = self._listed(body, scope)
        if self.chance(25):
            asked = self._ordered(asked)
        return replace(asked, body=self._spelled(asked.body))

    def _spelled(self, body: str) -> str:
        """The same patterns as people write them."""
        if self.chance(20):
            body = re.sub(r"(\?\w+) (:\w+|a) (\?\w+) \. \1 (?=[:a(])", r"\1 \2 \3 ; ", body)
        if self.chance(5):
            body = re.sub(r"\?b\b(?!\")", "$b", body)
        if self.chance(5):
            body = re.sub(r"\b(FILTER|OPTIONAL|UNION|MINUS|VALUES|NOT IN|IN)\b", lambda word: word[0].lower(), body)
        if self.chance(3):
            body = f"# what is asked\n{body} # {{ and no more\n"
        return body

    def _listed(self, body: str, scope: dict[str, str]) -> Asked:
        duplicates = self.one("", "", "DISTINCT", "DISTINCT", "REDUCED")
        if self.chance(30):
            return Asked(("*",), body, duplicates)
        columns = self.some(sorted(scope), 3)
        if self.chance(20):
            columns.append(f"({self.any(scope, 1)} AS {self.fresh('e')})")
        return Asked(tuple(columns or ["*"]), body, duplicates)

    def _grouped(self, body: str, scope: dict[str, str]) -> Asked:
        keys: list[str] = []
        columns: list[str] = []
        if self.chance(70):
            for key in self.some(sorted(scope), 2 if self.chance(30) else 1):
                keys.append(key)
            if self.chance(8 if self.plain else 25) or not keys:
                value = self.any(scope, 1)
                # The engine takes `GROUP BY (?x AS ?k)` for an error.
                value = f"COALESCE({value})" if value.strip("()?").isidentifier() else value
                keys.append(f"({value} AS {self.fresh('k')})")
        for key in keys:
            if self.chance(85):
                columns.append(key.rsplit(" ", 1)[-1].rstrip(")"))
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            columns.append(f"({self._aggregate(scope, named=True)} AS {self.fresh('n')})")
        if self.chance(4 if self.plain else 12):
            columns.append(f"({self._of_aggregates(scope)} AS {self.fresh('n')})")
        having = ""
        if keys and self.chance(12):
            other = self.one("0", "1", "2", "1.5", *(key for key in keys if key[0] == "?"))
            having = f"{self._aggregate(scope)} {self.one(*COMPARISONS)} {other}"
        chosen = any(column.startswith(("(SAMPLE", "(GROUP_CONCAT")) for column in columns)
        duplicates = "DISTINCT" if self.chance(5) and not chosen else ""
        return Asked(tuple(columns), body, duplicates, tuple(keys), having)

    def _ordered(self, asked: Asked) -> Asked:
        names = [
            column.rsplit(" ", 1)[-1].rstrip(")")
            for column in asked.columns
            if column != "*" and not column.startswith(("(SAMPLE", "(GROUP_CONCAT"))
        ]
        keys = []
        for name in self.some(names, 3):
            if self.chance(8):
                name = self.one(f"(STR({name}))", f"({name} + 1)", f"(-{name})", f"(BOUND({name}))", f"(LCASE({name}))")
            keys.append(self.one(name, name, f"ASC({name})", f"DESC({name})", f"DESC({name})"))
        slice = ""
        if self.chance(50) and asked.duplicates != "REDUCED":
            slice = self.one(
                " LIMIT 1", " LIMIT 3", " LIMIT 5", " LIMIT 3 OFFSET 1", " OFFSET 2 LIMIT 2", " OFFSET 1", " LIMIT 0"
            )
        return replace(asked, order=tuple(keys), slice=slice)

    def some(self, options: Sequence[str], most: int) -> list[str]:
        return self.rng.sample(options, min(len(options), self.rng.randint(1, most)))

    # Patterns

    def _body(self, depth: int, scope: dict[str, str] | None = None) -> tuple[str, dict[str, str]]:
        """What stands between braces, and the variables that may have a value there."""
        own: dict[str, str] = {}
        outer = scope or {}
        parts = [self._triples(own, outer)]
        if self.plain:
            if self.chance(45):
                parts.append(self._triples(own, outer))
            if depth == 2 and self.chance(25):
                parts.append(self._nested(own, outer, depth))
            for _ in range(self.rng.choice((0, 0, 0, 1, 1, 2))):
                parts.append(f"FILTER({self.condition({**outer, **own}, 1)})")
            if self.chance(8):
                parts.append(self._bind(own, outer))
        else:
            for _ in range(self.rng.choice((0, 1, 1, 2) if depth else (0, 0, 1))):
                choice = self.rng.randrange(100)
                if choice < 25:
                    parts.append(self._triples(own, outer))
                elif choice < 50:
                    parts.append(f"FILTER({self.condition({**outer, **own}, 2)})")
                elif choice < 62:
                    parts.append(self._bind(own, outer))
                elif depth:
                    parts.append(self._nested(own, outer, depth))
            if self.chance(8) and not any("BIND" in part for part in parts):
                self.rng.shuffle(parts)
        return " ".join(parts), own

    def _nested(self, own: dict[str, str], outer: dict[str, str], depth: int) -> str:
        choice = self.rng.randrange(100)
        if choice < 32:
            inner, more = self._body(depth - 1, {**outer, **own})
            own |= more
            return f"OPTIONAL {{ {inner} }}"
        if choice < 48:
            seen = {**outer, **own}
            branches = [self._body(depth - 1, seen) for _ in range(self.rng.choice((2, 2, 3)))]
            for _, more in branches:
                own |= more
            return " UNION ".join(f"{{ {inner} }}" for inner, _ in branches)
        if choice < 58:
            return f"MINUS {{ {self._body(depth - 1, {**outer, **own})[0]} }}"
        if choice < 72:
            return self._values(own)
        if choice < 82:
            word = self.one("EXISTS", "NOT EXISTS")
            return f"FILTER {word} {{ {self._body(depth - 1, {**outer, **own})[0]} }}"
        if choice < 94:
            return self._subselect(own, outer, depth)
        if choice < (100 if self.plain else 98):
            inner, more = self._body(depth - 1, {**outer, **own})
            own |= more
            return f"{{ {inner} }}"
        inner, more = self._body(0, {**outer, **own})
        own |= more
        return f"GRAPH ?g {{ {inner} }}"

    def _subselect(self, own: dict[str, str], outer: dict[str, str], depth: int) -> str:
        inner, scope = self._body(depth - 1, {**outer, **own})
        resources = [name for name, sort in scope.items() if sort == RESOURCE] or ["?a"]
        # A path that may be of no length, or of any predicate but one, leads to values too, which have no one order.
        ordered = not re.search(r"[!*]|\?\)|\?o\b", inner)
        if self.chance(45):
            key, count = self.rng.choice(resources), self.fresh("n")
            own |= {key: RESOURCE, count: NUMBER}
            tail = self.one("", f" ORDER BY {key} LIMIT 2") if ordered else self.one("", " HAVING (COUNT(*) > 1)")
            return f"{{ SELECT {key} ({self._aggregate(scope)} AS {count}) {{ {inner} }} GROUP BY {key}{tail} }}"
        if self.chance(50):
            key = self.rng.choice(resources)
            own[key] = RESOURCE
            tail = (
                self.one("", f" ORDER BY {key} LIMIT 3", f" ORDER BY DESC({key}) LIMIT 2 OFFSET 1") if ordered else ""
            )
            return f"{{ SELECT DISTINCT {key} {{ {inner} }}{tail} }}"
        names = self.some(sorted(scope), 3)
        own |= {name: scope[name] for name in names}
        return f"{{ SELECT {self.one('', 'DISTINCT')} {' '.join(names)} {{ {inner} }} }}"

    def _values(self, own: dict[str, str]) -> str:
        names = self.some(sorted(own), 2 if self.chance(35) else 1) or ["?a"]
        if self.chance(6):
            names.append(self.fresh("w"))
            own[names[-1]] = ANY
        rows = []
        for _ in range(self.rng.choice((0, 1, 2, 3, 3, 4))):
            rows.append([self.value_of(own.get(name, RESOURCE)) if not self.chance(12) else "UNDEF" for name in names])
        if len(names) == 1:
            return f"VALUES {names[0]} {{ {' '.join(row[0] for row in rows)} }}"
        told = " ".join(f"({' '.join(row)})" for row in rows)
        return f"VALUES ({' '.join(names)}) {{ {told} }}"

    def _bind(self, own: dict[str, str], outer: dict[str, str]) -> str:
        name = self.fresh("e")
        text = f"BIND({self.any({**outer, **own} if self.chance(5) else own, 2)} AS {name})"
        own[name] = ANY
        return text

    def _triples(self, own: dict[str, str], outer: dict[str, str]) -> str:
        """A few triple patterns that hang together with what stands before."""
        parts: list[str] = []
        for _ in range(self.rng.choice((1, 1, 1, 2, 2))):
            known = [name for name, sort in {**outer, **own}.items() if sort == RESOURCE]
            if known and not parts and not own:
                subject = self.rng.choice(known)
            else:
                known = [name for name, sort in own.items() if sort == RESOURCE]
                subject = self.rng.choice(known) if known else "?a"
            choice = self.rng.randrange(100)
            if choice < 50:
                parts.append(self._value_pattern(subject, own))
            elif choice < 65:
                parts.append(
                    f"{subject} {self.one('a', 'a', 'a', 'a/rdfs:subClassOf*')} {self._class_or_variable(own)} ."
                )
            else:
                parts.append(self._link_pattern(subject, own))
            if not subject.startswith("?"):
                continue
            own[subject] = RESOURCE
        return " ".join(parts)

    def _class_or_variable(self, own: dict[str, str]) -> str:
        if self.chance(75):
            return f":{self.rng.choice(CLASSES).value.removeprefix(EX)}"
        own["?c"] = RESOURCE
        return "?c"

    def _value_pattern(self, subject: str, own: dict[str, str]) -> str:
        if self.chance(2):
            subject = self.iri()
        predicate = self.one(*VALUES)
        if self.chance(6):
            return f"{subject} :{predicate} {self.value_of(predicate)} ."
        values = [name for name, sort in own.items() if sort in VALUES]
        name = f"?x{predicate[1:]}"
        if values and self.chance(4):
            name = self.rng.choice(values)  # two literals that must be one
        elif self.chance(6):
            name = self.fresh(f"{self.one('x', 'X', 'y')}{predicate[1:]}_")
        own[name] = predicate
        path = f":{predicate}" if self.chance(92) else f"{self._path(1)}/:{predicate}"
        return f"{subject} {path} {name} ."

    def _link_pattern(self, subject: str, own: dict[str, str]) -> str:
        if self.chance(1 if self.plain else 3):
            own["?p"], own["?o"] = RESOURCE, ANY
            return f"{subject} ?p ?o ."
        plain = self.chance(75 if self.plain else 45)
        path = f":{self.one(*LINKS)}" if plain else self._path(2)
        if self.chance(8):
            return f"{subject} {path} {self.iri()} ." if self.chance(75) else f"{self.iri()} {path} {subject} ."
        if self.chance(3):
            return f"{subject} {path} [] ."
        name = self.one("?a", "?b", "?b", "?b", "?d", "?B")
        if name == subject and not self.chance(8):
            name = "?b" if subject == "?a" else "?a"
        own[name] = RESOURCE
        return f"{subject} {path} {name} ."

    def _path(self, depth: int) -> str:
        """A path, in brackets where it has operators."""
        choice = self.rng.randrange(100) if depth else 0
        if choice < 25:
            return f":{self.one(*LINKS)}"
        inner = self._path(depth - 1)
        if choice < 38:
            return f"(^{inner})"
        if choice < 55:
            return f"({inner}/{self._path(depth - 1)})"
        if choice < 74:
            return f"({inner}|{self._path(depth - 1)})"
        if self.plain and self.chance(75):
            return inner
        if choice < 94:
            return f"({inner}{self.one('*', '+', '?', '*')})"
        one, other = self.one(*LINKS), self.one(*LINKS, *VALUES)
        return self.one(f"(!:{one})", f"!(:{one}|^:{other})", f"(!^:{one})", f"!(a|:{one})")

    # Sums

    def _has_numbers(self, scope: dict[str, str]) -> bool:
        clean = {"integer", "decimal", "double"}
        return any(clean >= set(self.schema.kinds[sort]) for sort in scope.values() if sort in self.schema.kinds)

    def _aggregate(self, scope: dict[str, str], *, named: bool = False) -> str:
        """An aggregate; unless it is named, one whose value does not depend on the order of solutions."""
        distinct = self.one("", "", "DISTINCT ")
        choice = self.rng.randrange(100)
        if self.plain and 40 <= choice < 68 and not self._has_numbers(scope):
            choice = self.rng.randrange(40)
        if choice < 25:
            return f"COUNT({'DISTINCT ' if self.chance(8) else ''}*)"
        if choice < 40:
            return f"COUNT({distinct}{self._summed(scope)})"
        if choice < 68:
            return f"{self.one('SUM', 'SUM', 'AVG')}({distinct}{self._summed(scope, numeric=True)})"
        if choice < 90:
            argument = self._summed(scope, numeric=self.plain or self.chance(50))
            sort = scope.get(argument, ANY)
            if named or self.schema.kinds.get(sort) in (("integer",), ("decimal",), ("string",)):
                return f"{self.one('MIN', 'MAX')}({distinct}{argument})"
            return f"COUNT({distinct}{argument})"
        if named and choice < 97:
            return f"SAMPLE({self.variable(scope)})"
        if named:
            return f'GROUP_CONCAT({distinct}STR({self.variable(scope)}); SEPARATOR="|")'
        return "COUNT(*)"

    def _summed(self, scope: dict[str, str], *, numeric: bool = False) -> str:
        if self.chance(12 if self.plain else 25):
            return self.number(scope, 1) if numeric else self.any(scope, 1)
        return self.numeric(scope) if numeric else self.variable(scope)

    def _of_aggregates(self, scope: dict[str, str]) -> str:
        first, second = self._aggregate(scope), self._aggregate(scope)
        return self.one(
            f"{first} / {second}",
            f"{first} + {second}",
            f"({first} > {second})",
            f"COALESCE({first}, 0)",
            f"STR({first})" if first.startswith("COUNT") else first,
            f"IF({first} > 1, {second}, 0)",
        )
