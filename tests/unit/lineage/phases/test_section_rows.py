"""What the rows of queries about sections say."""

from __future__ import annotations

import math

import pytest

from hpc_explorer.lineage.phases.section_facts import SectionKind
from hpc_explorer.lineage.phases.section_rows import (
    SeriesNumber,
    finite_first,
    iri_of,
    kind_of,
    kind_values,
    moment_in,
    number_of,
    place_of,
    renamed,
    text_of,
)
from hpc_explorer.lineage.time.as_of import moment_of
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal
from tests.helpers.graphs import ex

EARLY, LATE = "2021-03-01T10:00:00Z", "2021-03-02T10:00:00Z"


def moment(text: str) -> Literal:
    return Literal(text, datatype=XSD.dateTime)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.5", 0.5),
        (" -1E3 ", -1000.0),
        ("INF", math.inf),
        ("+INF", math.inf),
        ("-INF", -math.inf),
        ("inf", None),  # what Python reads and xsd:double does not
        ("Infinity", None),
        ("nan", None),
        ("1_000", None),
        ("five", None),
        ("", None),
    ],
)
def test_a_number_is_what_xsd_double_reads(text: str, number: float | None) -> None:
    assert number_of(Literal(text)) == number


def test_nan_is_a_number_and_the_greatest() -> None:
    found = number_of(Literal("NaN"))
    assert found is not None
    assert math.isnan(found)
    assert sorted([math.nan, math.inf, 1.0], key=finite_first)[:2] == [1.0, math.inf]
    assert number_of(ex("five")) is None


def test_a_kind_goes_into_a_row_and_comes_out_of_it() -> None:
    for kind in (SectionKind(ex("plan"), ex("cls")), SectionKind(ex("plan"), None), SectionKind(None, None)):
        assert kind_of(kind_values(kind)) == kind
    assert kind_of({"of_plan": Literal(ex("p").value)}, "of_") == SectionKind(ex("p"), None)
    assert kind_values(None) == {}


def test_a_plain_row_has_the_names_of_an_exact_one() -> None:
    row = renamed({"s_plan": ex("p"), "v_class": ex("c"), "s_class": BlankNode("b"), "number": Literal("3")})
    assert row == {"plan": Literal(ex("p").value), "of_class": Literal(ex("c").value), "number": Literal("3")}
    assert (kind_of(row), kind_of(row, "of_")) == (SectionKind(ex("p"), None), SectionKind(None, ex("c")))


def test_texts_and_moments_are_empty_where_there_are_none() -> None:
    row = {"t": Literal("x"), "r": ex("r"), "b": BlankNode("b"), "m": moment(EARLY)}
    assert [text_of(row, name) for name in ("t", "r", "none")] == ["x", "", ""]
    assert (iri_of(row, "r"), iri_of(row, "b")) == (ex("r").value, "_:b")
    assert moment_in(row, "m") == moment_of(moment(EARLY))
    assert (moment_in(row, "r"), moment_in(row, "none")) == (None, None)


def test_of_several_plans_and_starts_the_first_counts() -> None:
    number = SeriesNumber()
    number.see({"s_plan": ex("b"), "v_class": ex("c"), "s_begin": moment(LATE)}, "run")
    number.see({"s_plan": ex("a"), "s_begin": moment(EARLY)}, "run")
    number.see({"s_plan": Literal("none")}, "other")
    assert number.parents == {"run", "other"}
    assert number.began == moment_of(moment(EARLY))
    assert (number.kind("s"), number.kind("v")) == (SectionKind(ex("a"), None), SectionKind(None, ex("c")))


def test_a_section_stands_by_its_start_and_then_by_the_number_in_its_name() -> None:
    rows = [
        {"s": ex("e2"), "s_began": moment(LATE)},
        {"s": ex("e10"), "s_began": moment(EARLY)},
        {"s": ex("e9"), "s_began": moment(EARLY)},
        {"s": ex("e1")},
    ]
    ordered = sorted(rows, key=lambda row: place_of(row, ["?s"]))
    assert [iri_of(row, "s").rpartition("/")[2] for row in ordered] == ["e9", "e10", "e2", "e1"]
