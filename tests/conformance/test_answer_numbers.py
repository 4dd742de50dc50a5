"""The number of rows of an answer and the bars of quantities are those of a plain query, before and after edits."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, parse

from hpc_explorer.app.query.streaming import RowsCounted, rows_of
from hpc_explorer.app.results.rows import RowBatch
from hpc_explorer.app.workspace import loading
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.building import Direction, new_query, with_property
from hpc_explorer.query.facets.bins import Bin, ScaleKind
from hpc_explorer.query.facets.histogram import histogram
from hpc_explorer.rdf.namespaces import QUDT, RDF, UNIT, XSD
from hpc_explorer.rdf.quantities import UNIT_PREDICATES, VALUE_PREDICATES
from hpc_explorer.rdf.syntax.formats import N_QUADS
from hpc_explorer.rdf.terms import DefaultGraph, Literal, NamedNode, Quad
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.stores.changes.changes import ChangeSet
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, text_of
from tests.helpers.plain_engine import PlainEngine
from tests.helpers.queries import query_texts, small_graphs

_CASE = itertools.count()


@contextmanager
def opened(folder: Path, monkeypatch: pytest.MonkeyPatch, quads: Collection[Quad]) -> Iterator[Session]:
    """A workspace with these quads, every other one with columns."""
    number = next(_CASE)
    monkeypatch.setattr(loading, "WORTH_FROM", 1 if number % 2 else 10**6)
    file = folder / f"{number}.nq"
    file.write_text(text_of(quads, N_QUADS), encoding="utf-8")
    load_into(folder / f"{number}", [str(file)])
    session = Session.new()
    try:
        open_sources(session, [str(folder / f"{number}")], keep_workspace=True)
        assert (session.columns is not None) == bool(number % 2)
        yield session
    finally:
        session.close()


def placed(quads: Collection[Quad], graph: NamedNode) -> set[Quad]:
    """The quads as they are once a file is open: what is in no graph is in that of its source."""
    return {Quad(*quad.triple, graph) if quad.graph_name == DefaultGraph() else quad for quad in quads}


def states(
    session: Session, quads: Collection[Quad], removed: Collection[int], added: Collection[Quad]
) -> Iterator[set[Quad]]:
    """What is stated: first, after an edit, and after that was taken back."""
    graph = session.sources[0].graph
    before = placed(quads, graph)
    yield before
    known = sorted(before, key=str)
    gone = {known[place % len(known)] for place in removed}
    effect = session.edit(ChangeSet(tuple(gone), tuple(placed(added, graph) - gone), "edit"))
    yield before - set(effect.change.removed) | set(effect.change.added)
    session.edit(effect.change.inverse("undo"))
    yield before


# Rows

BUILT = "CONSTRUCT { ?s ?p ?o . ?o ?p ?s } WHERE { ?s ?p ?o }"


def check_rows(session: Session, text: str, number: int, at_most: int) -> None:
    parts = list(rows_of(session, text, at_most=at_most))
    (counted,) = (part.total for part in parts if isinstance(part, RowsCounted))
    expected = Count(number) if number <= at_most else Count(at_most + 1, CountKind.AT_LEAST)
    assert counted == expected
    came = sum(part.number for part in parts if isinstance(part, RowBatch))
    assert came == min(number, at_most)


@examples(24)
@given(query_texts(), small_graphs(), st.sets(st.integers(0, 9), max_size=3), small_graphs(), st.integers(1, 12))
def test_rows_are_as_many_as_a_plain_engine_has(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    quads: list[Quad],
    removed: set[int],
    added: list[Quad],
    at_most: int,
) -> None:
    with opened(tmp_path, monkeypatch, quads) as session:
        for state in states(session, quads, removed, added):
            plain = PlainEngine(state)
            try:
                number = len(plain.rows(text))
            except SyntaxError:
                assume(False)
            check_rows(session, text, number, at_most)
            triples = set(plain.rows("SELECT ?s ?p ?o { ?s ?p ?o }"))
            triples |= {(o, p, s) for s, p, o in triples if not isinstance(o, Literal)}
            check_rows(session, BUILT, len(triples), at_most)


# Quantities

_UNITS = PlainEngine(parse(path=str(shipped_folder("ontology") / "units.ttl"), format=RdfFormat.TURTLE))
FACTORS = {
    unit: (kind, Fraction(Decimal(factor.value)))
    for unit, kind, factor in _UNITS.rows(
        f"SELECT ?u ?k ?f {{ ?u {QUDT.hasQuantityKind} ?k ; {QUDT.conversionMultiplier} ?f }}"
    )
}
USED = [UNIT.GigaBYTE, UNIT.GibiBYTE, UNIT.MegaBYTE, UNIT.BYTE, UNIT.GigaHZ, UNIT.FURLONG]
RUNS = [ex(f"r{number}") for number in range(6)]
SIZES = [ex(f"q{number}") for number in range(6)]
amounts = st.sampled_from(["1", "1.5", "1024", "1,000", "2e3", "0.001", "-3", "many", "NaN"]).map(
    lambda text: (
        Literal(text, datatype=XSD.decimal)
        if text[-1].isdigit() and "," not in text and "e" not in text
        else Literal(text)
    )
)
of_sizes = st.one_of(
    st.tuples(st.sampled_from(RUNS), st.just(ex("memory")), st.sampled_from(SIZES)),
    st.tuples(st.sampled_from(SIZES), st.sampled_from(VALUE_PREDICATES), amounts),
    st.tuples(
        st.sampled_from(SIZES), st.sampled_from(UNIT_PREDICATES), st.sampled_from([*USED, *USED[:3], Literal("GB")])
    ),
).map(lambda triple: Quad(*triple, DefaultGraph()))
RUN_QUADS = [Quad(run, RDF.type, ex("Run"), DefaultGraph()) for run in RUNS]


def number_of(text: str) -> Fraction | None:
    plain = text.replace(",", "")
    return None if plain in ("many", "NaN") else Fraction(Decimal(plain))


def check_quantities(session: Session, quads: Collection[Quad]) -> None:
    """Compare the bars of `memory` with the amounts that a plain query finds."""
    values, units = ("|".join(map(str, terms)) for terms in (VALUE_PREDICATES, UNIT_PREDICATES))
    rows = PlainEngine(quads).rows(
        f"SELECT DISTINCT ?run ?n ?u {{ ?run a ex:Run ; ex:memory ?q . ?q {values} ?n ; {units} ?u FILTER(isLiteral(?n)) }}"
    )
    known = [(number_of(number.value), FACTORS[unit]) for _, number, unit in rows if unit in FACTORS]
    there = [(number * factor, kind) for number, (kind, factor) in known if number is not None]
    runs = new_query(ex("Run"))
    memory = with_property(runs, ex("memory"), Direction.FORWARD, name="memory")
    found = histogram(session.with_columns(session.store), memory.query, memory.focus)
    if not there:
        assert found is None
        return
    assert found is not None
    assert found.kind is ScaleKind.QUANTITIES
    assert found.unit is not None
    assert found.unit.iri is not None
    kind, factor = FACTORS[found.unit.iri]
    often = Counter(unit for _, number, unit in rows if unit in FACTORS and number_of(number.value) is not None)
    assert often[found.unit.iri] == max(often.values())
    shown = [base / factor for base, its in there if its == kind]
    assert (found.total, found.others) == (Count(len(shown)), Count(len(rows) - len(shown)))
    for one in found.bins:
        check_bar(one, [amount for amount in shown if one.low <= float(amount) < one.high])
    assert sum(one.count for one in found.bins) == len(shown)


def check_bar(one: Bin, inside: list[Fraction]) -> None:
    assert one.count == len(inside)
    if inside:
        assert isinstance(one.least, Decimal)
        assert isinstance(one.most, Decimal)
        # Amounts are given in 15 digits, rounded outwards.
        least, most = min(inside), max(inside)
        assert least - abs(least) / 10**14 <= Fraction(one.least) <= least
        assert most <= Fraction(one.most) <= most + abs(most) / 10**14
    else:
        assert one.least is one.most is None


@pytest.mark.slow
@examples(16)
@given(
    st.lists(of_sizes, min_size=12, max_size=30),
    st.sets(st.integers(0, 30), max_size=5),
    st.lists(of_sizes, max_size=6),
)
def test_bars_of_quantities_have_as_many_as_a_plain_query(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quads: list[Quad], removed: set[int], added: list[Quad]
) -> None:
    with opened(tmp_path, monkeypatch, [*RUN_QUADS, *quads]) as session:
        for state in states(session, [*RUN_QUADS, *quads], removed, added):
            check_quantities(session, state)
