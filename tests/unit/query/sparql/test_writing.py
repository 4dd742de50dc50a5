"""The text of a query is laid out for reading, and means what the model says."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.query.model.conditions import (
    AllOf,
    AnyOf,
    Between,
    Comparison,
    Condition,
    IsBound,
    Not,
    OneOf,
    Operator,
    TextMatch,
    TextTest,
)
from hpc_explorer.query.model.patterns import Filter, Group, Locked, QuantityRange, Statement, Values
from hpc_explorer.query.model.query import (
    Aggregate,
    AggregateFunction,
    Duplicates,
    Form,
    Having,
    NamedColumn,
    Order,
    QueryModel,
)
from hpc_explorer.query.sparql.quantity_pattern import comparable_units
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import QUDT, UNIT
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Variable
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.graphs import ex


def test_a_query_is_laid_out_for_reading() -> None:
    text = """
    prefix hpc: <https://hpc-fair.github.io/ontology#> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
    select distinct ?model (count(?gpu) as ?n) from <urn:g:1> where { ?model a hpc:AIModel; hpc:targetMachine ?machine, $other.
      optional { ?machine rdfs:label|^hpc:name ?label filter (str(?label) != "x\\n" ) }
      { ?machine hpc:coprocessor ?gpu } union { }
      filter(?n>=1&&?n<=2&&(bound(?label)||!bound(?gpu))) values ?machine { hpc:Lassen <urn:x:y> } bind( 1 as ?one )
    } group by ?model having (count(*)>1) order by desc(?n) ?model desc(count(?gpu)) limit 10
    """
    assert (
        sparql_text(query_model(text))
        == """\
PREFIX hpc: <https://hpc-fair.github.io/ontology#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>

SELECT DISTINCT ?model (COUNT(?gpu) AS ?n)
FROM <urn:g:1>
WHERE {
  ?model a hpc:AIModel ;
    hpc:targetMachine ?machine, $other .
  OPTIONAL {
    ?machine rdfs:label|^hpc:name ?label .
    FILTER (str(?label) != "x\\n")
  }
  {
    ?machine hpc:coprocessor ?gpu .
  } UNION { }
  FILTER (?n >= 1 && ?n <= 2 && (BOUND(?label) || !BOUND(?gpu)))
  VALUES ?machine { hpc:Lassen <urn:x:y> }
  bind( 1 as ?one )
}
GROUP BY ?model
HAVING (COUNT(*) > 1)
ORDER BY DESC(?n) ?model DESC(COUNT(?gpu))
LIMIT 10"""
    )


# What a model means, reckoned without SPARQL: over rows of two numbers and a text that are always there.

A, B, TEXT = Variable("a"), Variable("b"), Variable("text")
Row = tuple[int, int, str]
ROWS = st.lists(st.tuples(st.integers(-2, 3), st.integers(-2, 3), st.sampled_from(["Ab", "aB", "b", "a.b", ""])))
SMALL = st.integers(-2, 3)
MEANINGS: dict[Operator, Callable[[int, int], bool]] = {
    Operator.EQUAL: operator.eq,
    Operator.UNEQUAL: operator.ne,
    Operator.LESS: operator.lt,
    Operator.AT_MOST: operator.le,
    Operator.MORE: operator.gt,
    Operator.AT_LEAST: operator.ge,
}
FITS: dict[TextTest, Callable[[str, str], bool]] = {
    TextTest.CONTAINS: lambda text, part: part in text,
    TextTest.STARTS: str.startswith,
    TextTest.ENDS: str.endswith,
    TextTest.MATCHES: lambda text, part: re.search(part, text) is not None,
}
LEAVES: st.SearchStrategy[Condition] = (
    st.builds(Comparison, st.sampled_from([A, B]), st.sampled_from(Operator), SMALL.map(Literal) | st.just(B))
    | st.builds(Between, st.just(A), SMALL.map(Literal), SMALL.map(Literal), st.booleans(), st.booleans())
    | st.builds(OneOf, st.just(B), st.lists(SMALL.map(Literal), min_size=1, max_size=3).map(tuple), st.booleans())
    | st.builds(TextMatch, st.just(TEXT), st.sampled_from(TextTest), st.sampled_from(["a", "B", "ab", ".", ""]), st.booleans())
    | st.builds(IsBound, st.sampled_from([A, Variable("other")]))
)  # fmt: skip
CONDITIONS: st.SearchStrategy[Condition] = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(Not, inner)
        | st.lists(inner, min_size=2, max_size=3).map(lambda parts: AllOf(tuple(parts)))
        | st.lists(inner, min_size=2, max_size=3).map(lambda parts: AnyOf(tuple(parts)))
    ),
    max_leaves=5,
)


def holds(condition: Condition, row: Row) -> bool:
    value: dict[Variable, int] = {A: row[0], B: row[1]}

    def number(term: object) -> int:
        return value[term] if isinstance(term, Variable) else int(term.value)  # type: ignore[attr-defined]

    match condition:
        case Comparison():
            return MEANINGS[condition.operator](value[condition.variable], number(condition.value))
        case Between(variable, least, most, least_included, most_included):
            above = operator.ge if least_included else operator.gt
            below = operator.le if most_included else operator.lt
            return above(value[variable], number(least)) and below(value[variable], number(most))
        case OneOf():
            return (value[condition.variable] in map(number, condition.values)) != condition.is_negated
        case TextMatch():
            text, part = row[2], condition.text
            return FITS[condition.test](*((text.lower(), part.lower()) if condition.ignores_case else (text, part)))
        case IsBound():
            return condition.variable in value
        case AllOf():
            return all(holds(one, row) for one in condition.conditions)
        case AnyOf():
            return any(holds(one, row) for one in condition.conditions)
        case Not():
            return not holds(condition.condition, row)
    raise AssertionError(condition)


def given_rows(rows: list[Row]) -> Values:
    return Values((A, B, TEXT), tuple(tuple(map(Literal, row)) for row in rows))


def answer(query: QueryModel, store: LocalStore | None = None) -> list[tuple[str, ...]]:
    table = (store or LocalStore.in_memory()).select(sparql_text(query))
    return [tuple(row[one].value for one in table.variables) for row in table]  # type: ignore[union-attr]


@examples(300)
@given(ROWS, CONDITIONS)
def test_a_condition_keeps_the_rows_for_which_it_holds(rows: list[Row], condition: Condition) -> None:
    where = Group((given_rows(rows), Filter(condition)))
    kept = [tuple(map(str, row)) for row in rows if holds(condition, row)]
    assert sorted(answer(QueryModel(where, columns=(A, B, TEXT)))) == sorted(kept)
    assert LocalStore.in_memory().ask(sparql_text(QueryModel(where, form=Form.ASK))) == bool(kept)


@examples(200)
@given(ROWS, st.sampled_from(AggregateFunction), st.booleans(), st.sampled_from(Operator), SMALL, st.booleans())
def test_groups_are_reckoned_kept_and_ordered(
    rows: list[Row],
    function: AggregateFunction,
    is_distinct: bool,
    comparison: Operator,
    bound: int,
    is_descending: bool,
) -> None:
    groups: dict[int, list[int]] = {}
    texts: dict[int, list[str]] = {}
    for a, b, text in rows:
        groups.setdefault(a, []).append(b)
        texts.setdefault(a, []).append(text)
    reckoned = {}
    for a, values in groups.items():
        values = sorted(set(values)) if is_distinct else values
        reckoned[a] = {
            AggregateFunction.COUNT: Decimal(len(values)),
            AggregateFunction.SUM: Decimal(sum(values)),
            AggregateFunction.AVERAGE: Decimal(sum(values)) / len(values),
            AggregateFunction.LEAST: Decimal(min(values)),
            AggregateFunction.MOST: Decimal(max(values)),
        }.get(function)
    count = Aggregate(AggregateFunction.COUNT)
    is_list = function is AggregateFunction.LIST
    aggregate = Aggregate(function, TEXT if is_list else B, is_distinct, "|" if is_list else None)
    query = QueryModel(
        Group((given_rows(rows),)),
        columns=(A, NamedColumn(aggregate, Variable("value"))),
        group_by=(A,),
        having=(Having(count, comparison, Literal(bound)),),
        order_by=(Order(count, is_descending), Order(A, not is_descending)),
        limit=3,
        offset=1,
    )  # fmt: skip
    kept = [a for a in sorted(groups, reverse=not is_descending) if MEANINGS[comparison](len(groups[a]), bound)]
    kept.sort(key=lambda a: len(groups[a]), reverse=is_descending)
    found = answer(query)
    assert [int(a) for a, _ in found] == kept[1:4]
    for a, value in found:
        meant = reckoned[int(a)]
        if function is AggregateFunction.LIST:
            assert sorted(value.split("|")) == sorted(set(texts[int(a)]) if is_distinct else texts[int(a)])
        elif function is AggregateFunction.SAMPLE:
            assert int(value) in groups[int(a)]
        else:
            assert meant is not None
            assert abs(Decimal(value) - meant) < Decimal("1e-12")


AMOUNT = st.integers(0, 3000)
SIZES = st.dictionaries(
    st.sampled_from("abcd"), st.tuples(AMOUNT, st.sampled_from([UNIT.MegaBYTE, UNIT.GigaBYTE, UNIT.GigaHZ]))
)


@given(SIZES, st.none() | AMOUNT, st.none() | AMOUNT, st.sampled_from(["kind", "a_number", "a_unit", "a_factor"]))
def test_a_range_of_quantities_holds_whatever_their_unit_and_the_other_names(
    sizes: dict[str, tuple[int, NamedNode]], least: int | None, most: int | None, other: str
) -> None:
    store = LocalStore.in_memory()
    for name, (value, unit) in sizes.items():
        store.add_quads([Quad(ex(name), QUDT.numericValue, Literal(value)), Quad(ex(name), QUDT.unit, unit)])
        store.add_quads([Quad(ex(name), ex("is"), ex("size"))])
    if least is None and most is None:
        least = 1
    wanted = QuantityRange(A, UNIT.MegaBYTE, None if least is None else Decimal(least), None if most is None else Decimal(most))  # fmt: skip
    where = Group((Statement(A, ex("is"), Variable(other)), wanted))
    found = {row[0] for row in answer(QueryModel(where, columns=(A,)), store)}
    megabytes = {name: value * (1000 if unit == UNIT.GigaBYTE else 1) for name, (value, unit) in sizes.items()}
    assert found == {
        ex(name).value
        for name, value in megabytes.items()
        if sizes[name][1] != UNIT.GigaHZ and (least is None or value >= least) and (most is None or value <= most)
    }


def test_a_unit_is_compared_with_all_of_its_kind_and_no_other() -> None:
    comparable_units.cache_clear()
    for iri, unit in known_units().items():
        own, *others = comparable_units(iri)
        assert own == unit
        assert {*others, own} == {one for one in known_units().values() if one.kind == unit.kind}
        factors = [one.factor for one in others if one.factor is not None]
        assert factors == sorted(factors)
    with pytest.raises(ValueError, match="no known unit"):
        comparable_units(UNIT.FURLONG)


def test_a_query_in_the_query_is_joined_with_what_stands_beside_it() -> None:
    within = Locked("SELECT ?a { VALUES ?a { 1 2 } }", (A,))
    where = Group((within, Filter(Comparison(A, Operator.MORE, Literal(1)))))
    assert answer(QueryModel(where, columns=(A,))) == [("2",)]


@given(ROWS, st.sampled_from(Duplicates))
def test_rows_that_are_there_twice_are_shown_once_if_so_wanted(rows: list[Row], duplicates: Duplicates) -> None:
    found = answer(QueryModel(Group((given_rows(rows),)), columns=(A, B), duplicates=duplicates))
    plain = [(str(a), str(b)) for a, b, _ in rows]
    if duplicates is Duplicates.REDUCED:
        assert set(found) == set(plain)
    else:
        assert sorted(found) == sorted(set(plain) if duplicates is Duplicates.DISTINCT else plain)


def test_long_lines_are_broken() -> None:
    many = tuple(Variable(f"a_rather_long_name_{number}") for number in range(9))
    query = QueryModel(Group((Values(many[:1], tuple((Literal("x" * 50),) for _ in range(4))),)), columns=many)
    text = sparql_text(query)
    assert max(map(len, text.splitlines())) <= 120
    assert query_model(text) == query
