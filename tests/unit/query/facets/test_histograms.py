"""Histograms: numbers, moments and quantities in bins, and how much of them was looked at."""

from __future__ import annotations

import pytest

from hpc_explorer.query.building import Direction, FocusedQuery, new_query, with_property, with_quantity
from hpc_explorer.query.facets import histogram as histograms
from hpc_explorer.query.facets.bins import ScaleKind, edges_of_numbers
from hpc_explorer.query.facets.histogram import Among, Histogram, histogram
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.stores.base import Count, CountKind, Store
from tests.helpers.facets import with_columns
from tests.helpers.graphs import ex, store_of

BYTES, GIGABYTES = (next(iri for iri, unit in known_units().items() if unit.symbol == symbol) for symbol in ("B", "GB"))


def _values(name: str) -> FocusedQuery:
    return with_property(new_query(None), ex(name), Direction.FORWARD, name="value")


def same_histogram(statements: str, among: Among = Among.ANYTHING) -> Histogram | None:
    """The histogram of `ex:n`, which triples and columns must give alike."""
    store, asked = store_of(statements), _values("n")
    with with_columns(store) as columns:
        by_columns = histogram(columns, asked.query, asked.focus, among=among)
    assert by_columns == histogram(store, asked.query, asked.focus, among=among)
    return by_columns


def test_quantities_are_compared_across_units() -> None:
    amounts = [
        ("16", "GigaBYTE"),
        ("16000000000", "BYTE"),
        ("32", "GigaBYTE"),
        ("1.5", "GigaBYTE"),
        ("7", "SEC"),
        ("NaN", "BYTE"),
    ]
    story = store_of(
        *(
            f"ex:m{at} ex:memory [ qudt:value '{amount}' ; qudt:unit unit:{unit} ] ."
            for at, (amount, unit) in enumerate(amounts)
        ),
        "ex:m9 ex:memory [ qudt:value 3 ; qudt:unit 'GB' ], ex:none .",
    )
    memory = _values("memory")
    found = histogram(story, memory.query, memory.focus)
    assert found is not None
    assert found.kind is ScaleKind.QUANTITIES
    assert found.unit is not None
    assert found.unit.iri == GIGABYTES
    assert BYTES in [unit.iri for unit in found.units]
    assert (found.total, found.others, found.looked_at) == (Count(4), Count(3), None)
    (both,) = [one for one in found.bins if one.count == 2]
    assert both.low <= 16 < both.high
    for one in found.bins:
        if one.count:
            assert not isinstance(one.least, Literal)
            assert not isinstance(one.most, Literal)
            within = with_quantity(memory, GIGABYTES, one.least, one.most).query
            assert len(list(story.select(sparql_text(within)))) == one.count
            widened = histogram(story, within, memory.focus)
            assert widened == found
    in_bytes = histogram(story, memory.query, memory.focus, unit=BYTES)
    assert in_bytes is not None
    assert in_bytes.unit == known_units()[BYTES]
    assert sum(one.count for one in in_bytes.bins) == 4
    assert in_bytes.bins[-1].most == 32_000_000_000


def test_numbers_that_one_float_stands_for_are_told_apart() -> None:
    found = same_histogram(f"ex:a ex:n {2**53 + 1} . ex:b ex:n {2**53} .")
    assert found is not None
    ends = [(one.count, str(one.least), str(one.most)) for one in found.bins if one.count]
    first, last = (str(Literal(2**53 + one)) for one in (0, 1))
    assert ends == [(2, first, last)]


@pytest.mark.parametrize(
    ("values", "among", "told"),
    [
        ("'text', 'text'@en, 'text'@de", Among.ANYTHING, None),
        ("'text'@en, 1, 2.5", Among.ANYTHING, (ScaleKind.NUMBERS, 2, 1)),
        ("1, 2, '2021-03-01T08:00:00Z'^^xsd:dateTime", Among.ANYTHING, (ScaleKind.NUMBERS, 2, 1)),
        ("1, '2021-03-01'^^xsd:date, '2021-03-02'^^xsd:date", Among.LITERALS, (ScaleKind.MOMENTS, 2, 1)),
        ("'2021-03-01T08:00:00Z'^^xsd:dateTime, 'x'", Among.LITERALS, (ScaleKind.MOMENTS, 1, 1)),
        ("1, 2", Among.QUANTITIES, None),
        ("ex:thing", Among.ANYTHING, None),
        ("[ qudt:value 1 ; qudt:unit unit:SEC ]", Among.ANYTHING, (ScaleKind.QUANTITIES, 1, 0)),
        ("[ qudt:value 1 ; qudt:unit unit:SEC ]", Among.QUANTITIES, (ScaleKind.QUANTITIES, 1, 0)),
        ("[ qudt:value 1 ; qudt:unit unit:NoSuch ]", Among.QUANTITIES, None),
    ],
)
def test_the_axis_shows_what_most_values_are(
    values: str, among: Among, told: tuple[ScaleKind, int, int] | None
) -> None:
    found = same_histogram(f"ex:a ex:n {values} .", among)
    assert (found and (found.kind, found.total.value, found.others.value)) == told


@pytest.mark.parametrize(("more", "told"), [(0, CountKind.EXACT), (1, CountKind.AT_LEAST)])
@pytest.mark.parametrize("statements", ["ex:a ex:n {} .", "ex:a ex:n ex:b . ex:b qudt:unit unit:SEC ; qudt:value {} ."])
def test_of_too_many_values_counts_are_lower_bounds(
    monkeypatch: pytest.MonkeyPatch, statements: str, more: int, told: CountKind
) -> None:
    monkeypatch.setattr(histograms, "MOST_VALUES", 40)
    numbers = ", ".join(map(str, range(40 + more - 1)))
    store: Store = store_of(statements.format(f"{numbers}, 'text'"))
    found = histogram(store, _values("n").query, _values("n").focus)
    assert found is not None
    assert (found.total.kind, found.others.kind) == (told, told)
    assert found.total.value + found.others.value == 40
    assert found.looked_at == (40 if more else None)


@pytest.mark.parametrize(
    ("values", "low", "high", "are_whole"),
    [
        ("1, 2, 3", 1, 3, True), ("1, 2, 3.0", 1, 3, False), ("1, 2, 3e0", 1, 3, False), ("7", 7, 7, True),
        ("7.5", 7.5, 7.5, False), ("0, 46", 0, 46, True), ("0, 46.5", 0, 46.5, False),
    ],
)  # fmt: skip
def test_whole_numbers_have_bins_with_whole_edges(values: str, low: float, high: float, are_whole: bool) -> None:
    found = same_histogram(f"ex:a ex:n {values} .")
    assert found is not None
    edges = edges_of_numbers(low, high, are_whole=are_whole)
    assert [*(one.low for one in found.bins), found.bins[-1].high] == edges
