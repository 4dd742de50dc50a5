"""Asking a store: which variant fits, what may be chosen, typed columns, and rows that are cut off honestly."""

import pytest

from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.questions.asking import Choice, choices_of, complete_text, fitting_variants
from hpc_explorer.query.questions.question import Parameter, Query, Question, Variant
from hpc_explorer.query.table import CellKind, Column, TermTable, table_of
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of

PREFIXES = (("ex", "http://example.org/"), ("xsd", str(XSD)))
STORE = """ex:a ex:size 3 ; ex:in ex:north . ex:b ex:size 20 ; ex:in ex:south . ex:c ex:size 20 ; ex:in ex:south .
_:blank ex:size 1 ; ex:in ex:south ."""


def query(text: str) -> Query:
    return Query(text, PREFIXES)


QUESTION = Question(
    "sizes",
    "Sizes",
    "How large are the things of a place?",
    (
        Variant("old", query("SELECT ?s { ?s ex:old $place ; ex:size $size }"), query("ASK { ?s ex:old ?o }")),
        Variant("new", query("SELECT ?s { ?s ex:in $place ; ex:size $size } ORDER BY ?s"), query("ASK { ?s ex:in ?o }")),
    ),
    (
        Parameter("place", "place", choices=query("SELECT DISTINCT $place { ?s ex:in $place ; ex:size $size }")),
        Parameter(
            "size", "size", datatype=XSD.integer, is_optional=True,
            choices=query("SELECT ?size ?label { ?s ex:in $place ; ex:size ?size BIND(STR(?size * 2) AS ?label) }"),
        ),
    ),
    columns=(Column("thing", name="s"),),
)  # fmt: skip


def test_only_what_fits_and_each_test_once() -> None:
    asked: dict[str, bool] = {}
    store = store_of(STORE)
    assert [variant.label for variant in fitting_variants(store, QUESTION, asked)] == ["new"]
    assert len(asked) == 2
    assert fitting_variants(LocalStore.in_memory(), QUESTION, asked) == QUESTION.variants[1:]
    assert fitting_variants(LocalStore.in_memory(), QUESTION) == ()


def test_choices_go_with_what_is_chosen() -> None:
    store = store_of(STORE)
    place, size = QUESTION.parameters
    twenty = Literal("20", datatype=XSD.integer)
    assert {one.value for one in choices_of(store, place, {})[0]} == {ex("north"), ex("south")}
    assert choices_of(store, place, {"size": twenty}) == ((Choice(ex("south")),), Count(1))
    # What is chosen already does not narrow its own choices.
    assert len(choices_of(store, place, {"place": ex("north")})[0]) == 2
    assert Choice(twenty, "40") in choices_of(store, size, {"place": ex("south")})[0]
    assert choices_of(store, Parameter("x", "x"), {}) == ((), Count(0, CountKind.UNKNOWN))
    assert choices_of(store, Parameter("x", "x", among=(twenty,)), {}) == ((Choice(twenty),), Count(1))


def asked(values: dict[str, NamedNode | Literal], at_most: int | None = None) -> TermTable:
    text = complete_text(QUESTION, QUESTION.variants[1], values)
    return table_of(store_of(STORE).select(text), QUESTION.columns, at_most=at_most)


def test_an_open_blank_stands_for_anything() -> None:
    assert len(asked({"place": ex("south")}).rows) == 3
    assert [row[0] for row in asked({"place": ex("north"), "size": Literal("3", datatype=XSD.integer)}).rows] == [
        ex("a")
    ]


def test_rows_that_are_cut_off_are_counted_so() -> None:
    assert asked({"place": ex("south")}, at_most=2).total == Count(2, CountKind.AT_LEAST)
    assert asked({"place": ex("south")}, at_most=3).total == Count(3)


def test_blanks_must_be_filled_and_be_there() -> None:
    with pytest.raises(WrongParameter, match="needs a place: place"):
        complete_text(QUESTION, QUESTION.variants[1], {})
    with pytest.raises(WrongParameter, match="colour: its parameters: place, size"):
        complete_text(QUESTION, QUESTION.variants[1], {"place": ex("north"), "colour": ex("red")})


def test_columns_know_what_they_hold() -> None:
    text = query(
        """SELECT * { VALUES (?thing ?number ?day ?length ?meanTime ?mixed ?none) {
        (ex:a 1 "2021-03-01"^^xsd:date "PT3S"^^xsd:dayTimeDuration 1.5 1 UNDEF)
        (ex:b 2.5 "2021-03-01T00:00:00Z"^^xsd:dateTime "P1D"^^xsd:duration 2 "two" UNDEF) } }"""
    )
    known = (Column("mean", unit="s", name="meanTime"),)
    table = table_of(LocalStore.in_memory().select(text.whole), known)
    assert {column.name: column.kind for column in table.columns} == {
        "thing": CellKind.RESOURCE,
        "number": CellKind.NUMBER,
        "day": CellKind.TIME,
        "length": CellKind.DURATION,
        "meanTime": CellKind.NUMBER,
        "mixed": CellKind.TEXT,
        "none": CellKind.TEXT,
    }
    assert {column.heading for column in table.columns} >= {"mean (s)", "thing"}
    with pytest.raises(KeyError):
        table.index("nothing")
