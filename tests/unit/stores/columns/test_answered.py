"""What the columns answer: each of these queries, as the triples do. A refusal would be right, and slow."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.column_comparison import built_columns, filled_store, turtle_quads
from tests.helpers.column_graphs import PREFIXES, plain_lines

TEXTS = ("'a'", "'b'", '"it\'s"', "'ab'")
MIXED = ("0", "2", "'a'", "'x'@en")


def _run(number: int) -> str:
    """A run with a value of each kind; of some predicates runs have one value at most, of others several."""
    n, day, hour = number % 4, 1 + number % 3, 5 * number % 24
    said = [
        f":r{number} a :{('Run', 'Fast', 'Run')[number % 3]} ; :i {n} ; :d {(number % 5 - 2) / 4} ; :e {number % 6 - 2}.5e0",
        f":m '2021-0{1 + n}-0{day}T{hour:02}:3{n}:2{n}.25Z'^^xsd:dateTime ; :l '2020-1{n % 3}-0{day}T{hour:02}:00:0{n}'^^xsd:dateTime",
        f":t {TEXTS[n]} ; :g 'a'@{('en', 'de')[n % 2]} ; :r :r{(number + 3 * (number != 5)) % 12} ; :of :set{n}",
        f":is {n}, {n + 1} ; :ds {n}.5, -0.25 ; :es {n}e-1, 2.5e0 ; :ts 'a', 'c{n}' ; :rs :r{(number + 7) % 12}, :r{(number + 5) % 12}",
        f":x {MIXED[n]} ; :n {('1', '0.5', '2', '1.5')[n]} ; :q {('1', '0.5', '2.5e0', '3')[n]}",
    ]
    if number % 2:
        said.append(f":o {number} ; :p :r{number - 1}")
    return " ; ".join(said) + " ."


GRAPH = (
    "\n".join(map(_run, range(12)))
    + """
:Fast rdfs:subClassOf :Run . :Run rdfs:subClassOf :Thing . :set0 :in :all . :set1 :in :all . :set2 :in :some . :r1 :in :all ."""
)

# A variable stands for what the predicate of its name leads to: `?i` for integers, `?d` decimals, `?e` doubles, `?m` moments
# in UTC, `?l` moments without a zone, `?t` texts, `?g` those of a language, `?r` resources, `?x` numbers or texts, `?n` integers
# or decimals, `?q` any numbers. `?o` and `?p` may have no value.
CONDITIONS = [
    # numbers
    "?i = 2", "?i != 2", "2 < ?i", "?i <= 2.0", "?i > ?d", "?i >= 15e-1", "?d = 0.25", "?d < 0", "-0.25 <= ?d", "?d > 0.1e0", "?e > 1", "?e = 0.5", "?e < ?i",
    "?n = 1", "?n > 0.5", "?q < 2", "?q != 1", "?o > 4", "?i = ?o", "?i + 1 = 3", "?i - ?d > 1.25", "?i * ?d < 0.5", "?i * ?e > 2", "?i / 2 = 1.5", "1 / ?i > 0.4", "-?i < -1", "+?i > 1", "-?d > 0",
    "-?e > 0", "ABS(?d) = 0.25", "ABS(?e) < 1", "ABS(?i - 2) = 1", "FLOOR(?d) = -1", "CEIL(?d) = 1", "FLOOR(?e) > 0", "CEIL(?e) = 1", "FLOOR(?i) = 2", "FLOOR(?i / 2) = 1", "CEIL(?i / 2) = 2",
    "?i + ?d + ?e > 2", "(?i + 1) * 2 - 1 > 4", "?n + 1 > 1.75", "?d * 0.1 < 0.01", "?i * 1000000 > 1500000", "?d + 0.000000001 > 0.25", "?d - ?d = 0", "(?d + 1) / 2 > 0.5",
    # cases
    "IF(?i > 1, ?d, 0.5) > 0.4", "IF(?o > 4, 1, 2) = 1", "COALESCE(?o, 0) > 3", "COALESCE(?o, ?d) < 0.5", "COALESCE(1 / ?i, 9.0) > 1", "IF(?i = 1, ?e, 1e0) < 1",
    # truth
    "!(?i = 1)", "?i = 1 && ?d > 0", "?i = 1 || ?t = 'a'", "?i = 1 || ?o = 5", "?o > 3 && ?i > 1", "BOUND(?o)", "!BOUND(?p)", "BOUND(?x)", "BOUND(?none)", "?i IN (1, 2)", "?i NOT IN (1, 2.0)",
    "?d IN (?i, 0.25)", "?t IN ('a', 'b')", "?t NOT IN ('a')", "?r IN (:r1, :r2)", "?r NOT IN (:r1, :nowhere)", "?o NOT IN (1, 3)",
    # moments
    "?m < '2021-02-02T00:00:00Z'^^xsd:dateTime", "'2021-02-02T05:31:21.25Z'^^xsd:dateTime <= ?m", "?m = '2021-02-02T05:31:21.250Z'^^xsd:dateTime", "?m != '2021-02-02T05:31:21.25Z'^^xsd:dateTime",
    "?l > '2020-11-01T00:00:00'^^xsd:dateTime", "'2020-11-02T05:00:01'^^xsd:dateTime = ?l", "?m = ?m", "?l < ?l", "YEAR(?m) = 2021", "MONTH(?m) > 2", "DAY(?l) = 2", "HOURS(?m) < 12", "MINUTES(?m) = 31", "SECONDS(?m) > 21.5",
    "HOURS(?m) * 60 + MINUTES(?m) > 700", "SECONDS(?l) = 2", "YEAR(?l) + MONTH(?l) = 2031",
    # texts
    "?t = 'a'", "'b' > ?t", "?t != \"it's\"", "CONTAINS(?t, \"'\")", "CONTAINS(?t, 'b')", "STRSTARTS(?t, 'a')", "STRENDS(?t, 'b')", "?g = 'a'@en", "'a'@en != ?g", "?g = 'none'@fr", "?x = 2", "?x != 0", "2 != ?x", "?x > 1", "?x = ?i", "?x != 'x'@en",
    "?x = 'x'@en", "?i != ?x", "?x IN (1, 'x'@en)",
    # resources
    "?r = :r1", "?r != :r1", ":r1 = ?r", "?r = ?s", "?r != ?p", "?r = :nowhere", "?p != :nowhere", "?p = ?r",
]  # fmt: skip

BOUND = [
    "?i", "?t", "?r", "?x", "?i + 1", "?i + ?d", "?i * ?d", "?d * ?d", "?i - ?e", "?i / 3", "?d / 3", "-?d", "-?i", "ABS(?e)", "CEIL(?d)", "FLOOR(?i / 2)", "YEAR(?m)", "MONTH(?m)", "DAY(?m)", "HOURS(?l)", "MINUTES(?m)", "SECONDS(?m)",
    "IF(?i > 1, ?i, 0)", "COALESCE(?o, 0)", "1 / ?i", "7", "2.50", "?e * 2",
]  # fmt: skip

SUMS = [
    "COUNT(*)", "COUNT(?i)", "COUNT(?o)", "COUNT(?p)", "COUNT(?x)", "COUNT(DISTINCT ?i)", "COUNT(DISTINCT ?x)", "COUNT(DISTINCT ?o)", "COUNT(DISTINCT ?r)", "COUNT(DISTINCT ?m)", "SUM(?i)", "SUM(?d)", "SUM(?e)", "SUM(DISTINCT ?i)", "SUM(DISTINCT ?d)", "SUM(DISTINCT ?e)",
    "AVG(?i)", "AVG(?d)", "AVG(?e)", "AVG(?n)", "AVG(DISTINCT ?i)", "AVG(DISTINCT ?e)", "MIN(?i)", "MAX(?i)", "MIN(?d)", "MAX(?d)", "MIN(?e)", "MAX(?e)", "MIN(?m)", "MAX(?m)", "MIN(?l)", "MAX(?l)", "MIN(?t)", "MAX(?t)",
    "SUM(?i * 2)", "SUM(?i * ?d)", "AVG(?i / 2)", "MIN(?d + 1)", "MAX(HOURS(?m))", "SUM(SECONDS(?m))", "SUM(?i) / COUNT(*)", "SUM(?i) + 1", "MAX(?i) - MIN(?i)", "SUM(COALESCE(?o, 0))", "SUM(?e + 1)", "COUNT(*) * 2", "SUM(?o)",
]  # fmt: skip

ORDERS = [
    "?i ?s", "DESC(?d) ?s", "?e DESC(?s)", "?t ?s", "DESC(?t) ?s", "DESC(?m) ?s", "?l ?s", "?s", "DESC(?r) ?s", "(?i + 1) ?s", "DESC(?i * ?d) ?s", "?o ?s", "DESC(?o) ?s", "?p ?s", "DESC(?p) ?s", "?n ?s", "?i DESC(?e) ?t ?s",
]  # fmt: skip

WHOLE = [
    # patterns
    "SELECT ?s { ?s :i 2 }", "SELECT ?s { ?s :d 0.250 }", "SELECT ?s { ?s :e 0.5e0 }", "SELECT ?s { ?s :t 'a' }", "SELECT ?s { ?s :g 'a'@EN }", "SELECT ?s { ?s :is 2 }", "SELECT ?s { ?s :ts 'a' ; :is 1 }", "SELECT ?s { ?s :r :r4 }", "SELECT ?s { ?s :rs :r4 }", "SELECT ?o { :r4 :rs ?o }",
    "SELECT ?o { :r4 :i ?o }", "SELECT ?o { :r4 :is ?o }", "SELECT ?s { ?s :m '2021-02-02T05:31:21.25Z'^^xsd:dateTime }", "SELECT ?s { ?s :l '2020-11-02T05:00:01'^^xsd:dateTime }", "SELECT ?s { ?s :i 77 }", "SELECT ?s { ?s :i 'no such text' }", "SELECT ?s { ?s :t :r1 }",
    "SELECT ?s { ?s :r :nowhere }", "SELECT ?s ?o { ?s :nothing ?o }", "SELECT ?o { :nowhere :i ?o }", "SELECT ?s { ?s :i 'x'@fr }", "SELECT * { ?s :is ?i ; :ds ?d ; :es ?e ; :ts ?t . FILTER(?i > ?d) }", "SELECT * { ?s :rs ?o . ?o :rs ?s }", "SELECT * { ?s :r ?o . ?o :r ?q . ?q :i ?i }",
    "SELECT ?s { ?s :r ?s }", "SELECT ?s { ?s a :Run }", "SELECT ?s ?c { ?s a ?c . ?s :i 1 }", "SELECT ?c (COUNT(?s) AS ?n) { ?s a ?c } GROUP BY ?c", "SELECT * { ?s :of ?a . ?a :in ?b }", "SELECT ?s { ?s :of [ :in :all ] }", "SELECT ?s { ?s :r [] }", "SELECT ?s ?s2 { ?s :i 1 . ?s2 :is 3 }",
    "SELECT ?S ?s { ?s :r ?S }", "SELECT (COUNT(*) AS ?n) { }", "SELECT (COUNT(*) AS ?n) { :r4 :i 0 }", "SELECT (COUNT(*) AS ?n) { :r4 :i 3 }", "SELECT ?s { ?s :i ?i . ?s :i ?i . ?s :t 'a' }",
    # paths
    "SELECT ?s ?o { ?s :r/:r ?o }", "SELECT ?s ?o { ?s ^:r ?o }", "SELECT ?s ?o { ?s :r/^:p ?o }", "SELECT ?s ?o { ?s :r|:p ?o }", "SELECT ?s ?o { ?s (:r|:rs)/:of ?o }", "SELECT ?s ?o { ?s ^(:r|:p) ?o }", "SELECT ?s ?o { ?s (^:r|:p) ?o }", "SELECT ?s ?o { ?s :of/:in ?o }", "SELECT ?s { ?s :of/:in :all }",
    "SELECT ?s { ?s a/rdfs:subClassOf* :Run }", "SELECT ?s { ?s a/rdfs:subClassOf* :Fast }", "SELECT ?s { ?s a/rdfs:subClassOf* :nowhere }", "SELECT ?s { ?s a/(^rdfs:subClassOf)* :Fast }", "SELECT ?c { ?s :in/^:in ?c }", "SELECT ?s ?i { ?s :r/:i ?i }", "SELECT ?s { ?s :rs/:r* :r3 }", "SELECT ?s { ?s :rs/(^:r)* :r3 }",
    "SELECT ?s { ?s a/:nothing* :Run }", "SELECT ?s ?o { ?s (:r/:p)|:rs ?o }", "SELECT ?s { ?s ^:r/:i 1 }",
    # parts
    "SELECT * { ?s :i ?i OPTIONAL { ?s :o ?o } }", "SELECT * { ?s :i ?i OPTIONAL { ?s :o ?o FILTER(?o > 5 && ?i > 1) } }", "SELECT * { ?s :i 1 OPTIONAL { ?s :p ?p . ?p :t ?t } }", "SELECT * { ?s :i 1 OPTIONAL { ?s :p ?p } OPTIONAL { ?s :of/:in ?in } }", "SELECT * { ?s :i 1 OPTIONAL { :r1 :p ?p } }", "SELECT * { ?s :i 1 OPTIONAL { ?s :t 'b' } }",
    "SELECT * { { ?s :i 1 } UNION { ?s :t 'a' } }", "SELECT * { { ?s :i ?i } UNION { ?s :is ?i } }", "SELECT * { { ?s :r ?o } UNION { ?o :p ?s } UNION { ?s :rs ?o } }", "SELECT * { { ?s :t ?t } UNION { ?s :p ?p } }", "SELECT (SUM(?i) AS ?n) { { ?s :i ?i } UNION { ?s :is ?i } }", "SELECT * { ?s :p ?p { ?s :i 1 } UNION { ?s :i 3 } }",
    "SELECT (MAX(?v) AS ?n) { { ?s :m ?v } UNION { ?s :i 1 ; :m ?v } }", "SELECT * { { ?s :d ?v } UNION { ?s :ds ?v } FILTER(?v > 0.3) }", "SELECT * { { BIND(1 AS ?k) } UNION { BIND(2 AS ?k) } }", "SELECT * { { ?s :i ?i } { ?s :t 'a' } }",
    "SELECT * { VALUES ?s { :r1 :r2 :nowhere } ?s :i ?i }", "SELECT * { VALUES (?s ?o) { (:r1 :r4) (:r2 :r2) } ?s :r ?o }", "SELECT * { ?s :i ?i VALUES ?i { 1 2 77 } }", "SELECT * { ?s :d ?d VALUES ?d { 0.25 } }", "SELECT * { ?s :t ?t VALUES ?t { 'a' 'b' 'zz' } }", "SELECT ?s { VALUES ?s { :r1 :r1 } }", "SELECT * { ?s :t ?t VALUES ?t { 'zz' 'yy'@fr } }",
    "SELECT * { ?s :r ?o VALUES ?s { :r1 } VALUES ?o { :r4 } }", "SELECT * { ?s :m ?m VALUES ?m { '2021-02-02T05:31:21.25Z'^^xsd:dateTime } }",
    "SELECT * { ?s :t ?t { SELECT ?s (COUNT(*) AS ?n) { ?s :rs ?o } GROUP BY ?s } }", "SELECT * { ?s :t ?t { SELECT DISTINCT ?s { ?s :rs ?o } ORDER BY ?s LIMIT 3 } }", "SELECT (SUM(?n) AS ?all) { { SELECT ?i (COUNT(*) AS ?n) { ?s :i ?i } GROUP BY ?i } }", "SELECT ?n { { SELECT ?i (SUM(?d) AS ?n) { ?s :i ?i ; :d ?d } GROUP BY ?i } FILTER(?n > 0) }",
    "SELECT * { ?s :i ?i { SELECT (MAX(?d) AS ?top) { ?z :d ?d } } FILTER(?i > ?top) }", "SELECT * { { SELECT (MAX(?d) AS ?top) { ?s :d ?d } } { SELECT (COUNT(*) AS ?n) { ?s :d ?d } } }",
    # groups
    "SELECT ?i (SUM(?d) AS ?n) (COUNT(*) AS ?k) { ?s :i ?i ; :d ?d } GROUP BY ?i", "SELECT ?i ?t (MIN(?d) AS ?n) { ?s :i ?i ; :t ?t ; :d ?d } GROUP BY ?i ?t", "SELECT ?o (COUNT(*) AS ?n) { ?s :i ?i OPTIONAL { ?s :o ?o } } GROUP BY ?o", "SELECT ?r (MAX(?m) AS ?n) { ?s :rs ?r ; :m ?m } GROUP BY ?r", "SELECT (COUNT(*) AS ?n) { ?s :i ?i } GROUP BY ?i",
    "SELECT ?i (COUNT(*) AS ?n) { ?s :i ?i ; :d ?d } GROUP BY ?i HAVING (SUM(?d) > 0)", "SELECT ?y (COUNT(*) AS ?n) { ?s :m ?m } GROUP BY (MONTH(?m) AS ?y)", "SELECT ?i (SAMPLE(?i) AS ?n) { ?s :i ?i } GROUP BY ?i", "SELECT ?x (COUNT(*) AS ?n) { ?s :x ?x } GROUP BY ?x", "SELECT ?i { ?s :i ?i } GROUP BY ?i", "SELECT (SUM(?o) AS ?n) { ?s :o ?o FILTER(?o > 99) }",
    "SELECT (COUNT(?i) AS ?n) { ?s :i ?i FILTER(?i > 99) }", "SELECT ?i (SUM(?o) AS ?n) { ?s :i ?i ; :o ?o FILTER(?o > 99) } GROUP BY ?i", "SELECT (MIN(?d) AS ?n) { ?s :d ?d FILTER(?d > 99) }", "SELECT (MAX(?t) AS ?n) { ?s :t ?t ; :i 99 }",
    # rows
    "SELECT DISTINCT ?i { ?s :i ?i }", "SELECT DISTINCT ?t ?i { ?s :i ?i ; :t ?t } ORDER BY ?t", "SELECT DISTINCT ?r { ?s :rs ?r } ORDER BY DESC(?r) LIMIT 4 OFFSET 1", "SELECT ?s { ?s :i ?i } ORDER BY ?i ?s LIMIT 3", "SELECT ?s { ?s :i ?i } ORDER BY ?i ?s OFFSET 9", "SELECT ?s { ?s :i ?i } ORDER BY ?s LIMIT 0", "SELECT ?t ?s ?i { ?s :i ?i ; :t ?t }",
    "SELECT ?i (COUNT(*) AS ?n) { ?s :i ?i } GROUP BY ?i ORDER BY DESC(?n) ?i", "SELECT (?d AS ?v) ?s { ?s :d ?d } ORDER BY DESC(?v) ?s LIMIT 4", "SELECT (?i + 1 AS ?v) ?s { ?s :i ?i } ORDER BY ?v ?s", "SELECT ?s { ?s :i ?i } ORDER BY DESC(?s)",
]  # fmt: skip


def _where(text: str) -> str:
    names = sorted(set(re.findall(r"\?([a-z])\b", text)) - {"s"})
    given = " ".join(f"?s :{name} ?{name} ." for name in names if name not in "op")
    return f"?s a ?c . {given} " + " ".join(f"OPTIONAL {{ ?s :{name} ?{name} }}" for name in names if name in "op")


QUERIES = [
    *(f"SELECT ?s {{ {_where(condition)} FILTER({condition}) }}" for condition in CONDITIONS),
    *(f"SELECT ?s ?v {{ {_where(expression)} BIND({expression} AS ?v) }}" for expression in BOUND),
    *(f"SELECT ?c ({expression} AS ?v) {{ {_where(expression)} }} GROUP BY ?c" for expression in SUMS),
    *(f"SELECT ({expression} AS ?v) {{ {_where(expression)} }}" for expression in SUMS),
    *(f"SELECT ?s {{ {_where(order)} }} ORDER BY {order}" for order in ORDERS),
    *WHOLE,
]

AskedOf = tuple[LocalStore, list[Columns]]


@pytest.fixture(scope="module")
def asked_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AskedOf]:
    """The graph, and its columns as built from the store and from lines."""
    quads = turtle_quads(GRAPH)
    store = filled_store(quads)
    of_store, of_lines = (tmp_path_factory.mktemp(name) for name in ("store", "lines"))
    with built_columns(store, of_store) as one, built_columns(store, of_lines, plain_lines(quads)) as other:
        yield store, [one, other]


@pytest.mark.parametrize("query", QUERIES)
def test_the_columns_answer(asked_of: AskedOf, query: str) -> None:
    store, built = asked_of
    rows = [frozenset(row.items()) for row in store.select(PREFIXES + query)]
    for columns in built:
        found = [frozenset(row.items()) for row in columns.select(PREFIXES + query)]
        assert Counter(found) == Counter(rows)
        assert found == rows or "} ORDER BY" not in query


# Many runs with tags and losses, of which few are flagged.
UNEVEN = "\n".join(
    f":run{i} :of :set{i % 3} ; :tag :tag{i % 50}, :tag{i % 50 + 50} ; :loss {i}, {i}.5 ; :after :run{i + 1}, :run{i + 2} ."
    + (f" :run{i} :flag :red ." if i % 100 == 0 else "")
    for i in range(300)
) + "\n".join(f":tag{i} :kind :kind{i % 10}, :kind{i % 7} ." for i in range(100))

JOINED = [
    ("?r :tag ?t . ?r :flag :red . ?t :kind ?k", 15), ("?r :tag ?t . ?q :tag ?t . ?r :flag ?f . ?q :loss 7", 2), ("?r :after ?q . ?q :tag ?t VALUES ?t { :tag1 }", 18),
    ("?a :flag ?f . ?b :flag ?f . ?a :tag ?t . ?b :tag ?t", 42), ("?a :flag :red . ?b :tag :tag7 . ?b :loss 7", 4), ("?r :tag ?t . ?r :loss ?l . ?t :kind :kind9", 180),
]  # fmt: skip
"""Patterns, and how many rows their joins make at most, if those are joined first that leave the fewest."""


def _rows_of(plan: dict[str, Any]) -> int:
    """The rows that the joins of a plan gave, all together."""
    own = plan["intermediate_rows"] if re.search("JOIN|PRODUCT", plan["type"]) else 0
    return int(own) + sum(map(_rows_of, plan.get("children", ())))


def test_few_rows_are_gone_through(tmp_path: Path) -> None:
    with built_columns(filled_store(turtle_quads(UNEVEN)), tmp_path) as columns:
        for patterns, most in JOINED:
            sql, _ = columns.explained(f"{PREFIXES}SELECT * {{ {patterns} }}")
            ((_, plan),) = columns.sql(f"EXPLAIN (ANALYZE, FORMAT json) {sql}")
            assert sum(map(_rows_of, json.loads(plan)["operator"])) <= most, patterns
