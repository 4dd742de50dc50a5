"""The facts by column say of sections what the triples say."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.provml_graph import BASE, write_graph
from hpc_explorer.lineage.columns.sections import ColumnSections
from hpc_explorer.lineage.phases.moment_sections import MomentSections
from hpc_explorer.lineage.phases.section_facts import SectionFacts, SectionKind, Sections, Series, ValueFacts
from hpc_explorer.lineage.phases.store_sections import StoreSections
from hpc_explorer.lineage.time.as_of import Moment
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.rdf.namespaces import PROV, PROVML, RDF, SCHEMA, WFPROV, XSD
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet, apply_effect, effect_of
from hpc_explorer.stores.columns.building import build_columns
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, store_of
from tests.helpers.plain_engine import PlainEngine

GRAPH = NamedNode(f"{BASE}graph")
GENERAL = (PROV.Activity,)
RUNS = [
    ex(name)
    for name in (
        "run",
        "run/e1",
        "run/e2",
        "run/e10",
        "run/e1/b1",
        "run/e1/b02",
        "run/e10/last",
        "run/12345678901234567890123",
        "other",
    )
]
NUMBERS = [ex(f"v{number}") for number in range(6)]


class Nobody:
    """Answers nothing: the columns have to."""

    def sections(
        self, activities: Collection[NamedNode], depth: int = 1, *, limits: Limits = NO_LIMITS
    ) -> Mapping[NamedNode, tuple[Sections, ...]]:
        raise AssertionError("not answered by columns")

    def values(
        self, sections: Collection[Sections], *, limits: Limits = NO_LIMITS
    ) -> Mapping[Sections, tuple[ValueFacts, ...]]:
        raise AssertionError("not answered by columns")

    def series(self, sections: Sections, value: SectionKind, *, limits: Limits = NO_LIMITS) -> Series:
        raise AssertionError("not answered by columns")

    def members(self, sections: Sections, *, limits: Limits = NO_LIMITS) -> tuple[NamedNode, ...]:
        raise AssertionError("not answered by columns")


def _shown(facts: ValueFacts) -> tuple[object, ...]:
    ends = repr((facts.first, facts.last))
    return (
        facts.kind,
        facts.count,
        facts.not_finite,
        facts.lowest,
        facts.highest,
        ends,
    )


def _near(mean: float | None) -> object:
    return None if mean is None else pytest.approx(mean, rel=1e-12, abs=1e-9)


def _paired(series: Series) -> Counter[tuple[str, str]]:
    return Counter(zip(series.sections, map(repr, series.numbers), strict=True))


def assert_same(
    store: LocalStore,
    by_column: SectionFacts,
    tops: Collection[NamedNode],
    depths: range,
    triples: SectionFacts | None = None,
) -> int:
    """Ask both everything; returns how many numbers there were to compare."""
    triples = triples or StoreSections(store, GENERAL)
    compared = 0
    for depth in depths:
        expected = triples.sections(tops, depth)
        assert by_column.sections(tops, depth) == expected
        groups = [one for some in expected.values() for one in some]
        values, found = triples.values(groups), by_column.values(groups)
        assert found.keys() == values.keys()
        for one in groups:
            members = by_column.members(one)
            assert members == triples.members(one)
            assert [*map(_shown, found.get(one, ()))] == [*map(_shown, values.get(one, ()))]
            # They add up in another order.
            means = [_near(facts.mean) for facts in values.get(one, ())]
            assert [facts.mean for facts in found.get(one, ())] == means
            for facts in found.get(one, ()):
                series, other = by_column.series(one, facts.kind), triples.series(one, facts.kind)
                assert _paired(series) == _paired(other)
                place = {member.value: at for at, member in enumerate(members)}
                for told in (series, other):
                    at = [place[section] for section in told.sections]
                    assert at == sorted(at)
                ends = [
                    min((number for section, number in zip(series.sections, series.numbers, strict=True)
                    if section == end.value), key=lambda number: (math.isnan(number), number), default=None)
                    for end in (members[0], members[-1])
                ]  # fmt: skip
                assert repr([facts.first, facts.last]) == repr(ends)
                compared += facts.count
    return compared


# Small graphs of all kinds

moments = st.one_of(
    st.integers(0, 9).map(lambda number: Literal(f"2021-03-01T10:00:0{number}.5Z", datatype=XSD.dateTime)),
    st.integers(0, 9).map(lambda number: Literal(f"2021-03-01T10:00:0{number}+01:00", datatype=XSD.dateTime)),
)
days = st.integers(1, 9).map(lambda number: Literal(f"2021-03-0{number}", datatype=XSD.date))
texts = st.integers(1, 9).map(lambda number: Literal(f"2021-03-0{number}T08:00:00"))
measured = st.one_of(
    st.sampled_from(["0.5", "-1.25", "2.0E0", "NaN", "INF", "-INF"]).map(
        lambda text: Literal(text, datatype=XSD.double)
    ),
    st.integers(-3, 3).map(lambda number: Literal(str(number), datatype=XSD.integer)),
    st.sampled_from(["0.10", "1.5"]).map(lambda text: Literal(text, datatype=XSD.decimal)),
    st.sampled_from(["adam", "7", "1e2", ""]).map(Literal),
    st.just(Literal("12345678901234567", datatype=XSD.integer)),
    st.sampled_from(["true", "0"]).map(lambda text: Literal(text, datatype=XSD.boolean)),
)


@st.composite
def graphs(draw: st.DrawFn) -> list[Quad]:
    """Statements about a few runs and values, so that many are about the same ones."""
    runs, numbers = (
        st.sampled_from(draw(st.lists(st.sampled_from(some), min_size=1, max_size=5))) for some in (RUNS, NUMBERS)
    )
    times = draw(st.sampled_from([moments, days, texts]))
    whole = st.sampled_from([PROV.wasInformedBy, PROV.wasInformedBy, PROV.informed, WFPROV.wasPartOfWorkflowRun])
    blank = st.just(BlankNode("b"))
    triples = st.one_of(
        st.tuples(runs, whole, runs),
        st.tuples(runs, whole, runs),
        st.tuples(runs, st.just(PROV.wasInfluencedBy), st.sampled_from([ex("epoch"), ex("batch")]) | blank),
        st.tuples(runs, st.just(RDF.type), st.sampled_from([PROV.Activity, PROVML.TrainingExecution, ex("Run")])),
        st.tuples(runs, st.sampled_from([PROV.startedAtTime, PROV.endedAtTime]), times),
        st.tuples(numbers, st.just(PROV.wasGeneratedBy), runs),
        st.tuples(runs, st.just(PROV.generated), numbers),
        st.tuples(numbers, st.sampled_from([PROV.value, PROV.value, SCHEMA.value]), measured),
        st.tuples(numbers, st.just(RDF.type), st.sampled_from([PROVML.ModelEvaluation, ex("Number")]) | blank),
        st.tuples(numbers, st.just(PROV.wasDerivedFrom), st.sampled_from([ex("loss"), ex("rate")])),
    )
    return [Quad(*triple, GRAPH) for triple in draw(st.lists(triples, min_size=5, max_size=40))]  # type: ignore[arg-type]  # three terms


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("columns")


def _drawn(store: LocalStore, folder: Path) -> Columns:
    file = folder / "columns.db"
    file.unlink(missing_ok=True)
    build_columns(store, file)
    return Columns(file)


WITHIN = "(prov:wasInformedBy|^prov:informed|<http://purl.org/wf4ever/wfprov#wasPartOfWorkflowRun>)"
MADE = "(prov:wasGeneratedBy|^prov:generated)"
MEASURED = "(prov:value|<http://schema.org/value>)"


def _kinds(plain: PlainEngine, pattern: str, plan: str) -> dict[object, SectionKind]:
    """The kind of each `?x` of a pattern: of its plans and of its classes those that come first, but for blank nodes."""
    found: dict[object, SectionKind] = {}
    for thing, *_ in plain.rows(f"SELECT DISTINCT ?x {{ {pattern} }}"):
        plans = [plan for (plan,) in plain.rows(f"SELECT ?p {{ {thing} {plan} ?p FILTER(isIRI(?p)) }}")]
        known = plain.rows(f"SELECT ?c {{ {thing} a ?c FILTER(isIRI(?c)) }}")
        classes = [cls for (cls,) in known if cls not in GENERAL]
        found[thing] = SectionKind(*(min(some, key=lambda one: one.value, default=None) for some in (plans, classes)))
    return found


def _moments(plain: PlainEngine, predicates: str, thing: object) -> list[datetime]:
    """The moments that a thing states under some predicates; without a zone they are UTC."""
    found = plain.rows(f"SELECT DISTINCT ?t {{ {thing} {predicates} ?t }}")
    moments = (datetime.fromisoformat(moment.value) for (moment,) in found)
    return [one if one.tzinfo is not None else one.replace(tzinfo=UTC) for one in moments]


def assert_plain(quads: Collection[Quad], facts: SectionFacts) -> None:
    """Compare how many sections there are, when, and the sums of their numbers, with plain queries."""
    plain = PlainEngine(quads)
    for depth in (1, 2):
        for top, groups in facts.sections(RUNS, depth).items():
            below = f"?x {'/'.join([WITHIN] * depth)} {top}"
            kinds = _kinds(plain, below, "prov:wasInfluencedBy")
            assert {one.kind: one.count for one in groups} == Counter(kinds.values())
            for one in groups:
                its = [section for section, kind in kinds.items() if kind == one.kind]
                starts, ends = (
                    [moment for section in its for moment in _moments(plain, f"prov:{name}AtTime", section)]
                    for name in ("started", "ended")
                )
                assert (one.started, one.ended) == (min(starts, default=None), max(ends, default=None))
            measures = plain.rows(f"""SELECT DISTINCT ?s ?v ?n {{ ?s {"/".join([WITHIN] * depth)} {top} . ?v {MADE} ?s ;
                {MEASURED} ?t BIND(xsd:double(?t) AS ?n) FILTER(BOUND(?n) && DATATYPE(?t) != xsd:boolean) }}""")
            of_values = _kinds(plain, f"?x {MADE} ?any", "prov:wasDerivedFrom")
            for one, told in facts.values(groups).items():
                for value in told:
                    numbers = [
                        float(number.value)
                        for section, measure, number in measures
                        if (kinds[section], of_values[measure]) == (one.kind, value.kind)
                    ]
                    finite = [number for number in numbers if math.isfinite(number)]
                    assert (value.count, value.not_finite) == (len(numbers), len(numbers) - len(finite))
                    assert (value.lowest, value.highest) == (min(finite, default=None), max(finite, default=None))
                    mean = sum(finite) / len(finite) if finite else None
                    assert value.mean == _near(mean)
                assert sum(value.count for value in told) == sum(kinds[section] == one.kind for section, *_ in measures)


SOME_UNDATED = """ex:run\\/e1 prov:wasInformedBy ex:run ; a ex:Other, ex:Run ; prov:endedAtTime '2021-03-01'^^xsd:date .
    ex:run\\/e2 prov:wasInformedBy ex:run ; a ex:Other .
    ex:other prov:wasInformedBy ex:run\\/e1 ; prov:wasInfluencedBy _:b . ex:run\\/e10 prov:wasInformedBy ex:run\\/e1 ."""
OF_SEVERAL_WHOLES = """ex:e1 prov:wasInformedBy ex:run . ex:e2 prov:wasInformedBy ex:run . ex:e3 prov:wasInformedBy ex:run .
    ex:b1 prov:wasInformedBy ex:e1, ex:e3 . ex:b2 prov:wasInformedBy ex:e3, ex:e2 . ex:b3 prov:wasInformedBy ex:e2 .
    ex:c1 prov:wasInformedBy ex:b1 . ex:c2 prov:wasInformedBy ex:b2 . ex:c3 prov:wasInformedBy ex:b3 .
    """ + " ".join(
    f"ex:v{at} prov:wasGeneratedBy ex:{name} ; prov:value {value} ."
    for at, (name, value) in enumerate(
        [("b1", 1), ("b2", 2), ("b3", 12345678901234567), ("c1", "0.5"), ("c2", "-1e0"), ("c3", 12345678901234567)]
    )
)


@pytest.mark.slow
@examples(15)
@given(graphs(), graphs())
@example(list(store_of(SOME_UNDATED).match()), [])
@example(list(store_of(OF_SEVERAL_WHOLES).match()), [])
def test_sections_of_any_graph_are_those_of_the_triples(folder: Path, quads: list[Quad], edit: list[Quad]) -> None:
    store = LocalStore.in_memory()
    store.add_quads(quads)
    store.settle(set(store.graphs()))
    columns = _drawn(store, folder)
    try:
        assert_same(store, ColumnSections(columns, GENERAL, Nobody()), RUNS, range(1, 4))
        assert_plain(quads, StoreSections(store, GENERAL))
        effect = effect_of(store, ChangeSet(tuple(quads[::2]), tuple(edit)), restating=True)
        apply_effect(store, effect)
        columns.change(store, (*effect.left, *effect.entered))
        # A second value where the column holds one is left to the triples.
        assert_same(store, ColumnSections(columns, GENERAL, StoreSections(store, GENERAL)), RUNS, range(1, 3))
    finally:
        columns.close()


def _late(quads: Collection[Quad], at: datetime) -> set[object]:
    """What was not there yet: begun later, or undated and come of such a thing, unless that or its own end was by then."""
    plain = PlainEngine(quads)
    born = {one: min(_moments(plain, "prov:startedAtTime", one), default=None) for one in (*RUNS, *NUMBERS)}
    ended = {one for one in born if min(_moments(plain, "prov:endedAtTime", one), default=at + timedelta(1)) <= at}
    late: set[object] = {one for one, moment in born.items() if moment is not None and moment > at}
    makers = plain.rows(f"SELECT ?v ?s {{ ?v {MADE} ?s }}")
    undated = {one for one, moment in born.items() if moment is None} - ended
    undated -= {value for value, maker in makers if maker in ended}
    came_of = [*makers, *plain.rows(f"SELECT ?s ?w {{ ?s {WITHIN} ?w }}")]
    while more := {effect for effect, cause in came_of if cause in late and effect in undated} - late:
        late |= more
    return late


def _without_late(quads: Collection[Quad], at: datetime) -> list[Quad]:
    """What was stated of sections and values that were there by a moment, without the ends that came later."""
    late = _late(quads, at)
    backwards = {PROV.informed, PROV.generated}
    kept = [quad for quad in quads if (quad.object if quad.predicate in backwards else quad.subject) not in late]
    return [
        quad
        for quad in kept
        if quad.predicate != PROV.endedAtTime
        or all(end <= at for end in _moments(PlainEngine([quad]), "prov:endedAtTime", quad.subject))
    ]


def _as_of(store: LocalStore, at: str) -> Moment:
    return Moment(store, LINEAGE_VOCABULARY, datetime.fromisoformat(at))


@examples(12)
@given(graphs(), st.sampled_from(["2021-03-01T10:00:04+00:00", "2021-03-05T00:00:00+00:00"]))
def test_sections_as_of_a_moment_are_those_that_were_there(folder: Path, quads: list[Quad], at: str) -> None:
    store = LocalStore.in_memory()
    store.add_quads(quads)
    columns = _drawn(store, folder)
    try:
        end = MomentSections(_as_of(store, "2099-01-01T00:00:00+00:00"), GENERAL)
        assert_same(store, end, RUNS, range(1, 4))
        moment, triples = _as_of(store, at), MomentSections(_as_of(store, at), GENERAL)
        by_column = ColumnSections(columns, GENERAL, MomentSections(_as_of(store, at), GENERAL), moment)
        assert_same(store, by_column, RUNS, range(1, 4), triples)
        assert_plain(_without_late(quads, datetime.fromisoformat(at)), triples)
    finally:
        columns.close()


def test_values_generated_later_are_no_numbers_yet(folder: Path) -> None:
    text = "ex:e1 prov:wasInformedBy ex:run ; prov:startedAtTime '2021-03-01T10:00:00Z'^^xsd:dateTime ; " + (
        "prov:endedAtTime '2021-03-01T12:00:00Z'^^xsd:dateTime .\n"
    )
    for hour in (10, 11, 12):
        text += f"ex:v{hour} prov:wasGeneratedBy ex:e1 ; prov:value {hour}.0e0 ; " + (
            f"prov:generatedAtTime '2021-03-01T{hour}:00:00Z'^^xsd:dateTime .\n"
        )
    store = store_of(text)
    columns = _drawn(store, folder)
    moment = _as_of(store, "2021-03-01T11:30:00+00:00")
    for told in (MomentSections(moment), ColumnSections(columns, (), Nobody(), moment)):
        (epochs,) = told.sections([ex("run")])[ex("run")]
        assert (epochs.count, epochs.ended) == (1, None)
        (value,) = told.values([epochs])[epochs]
        assert (value.count, value.lowest, value.highest) == (2, 10.0, 11.0)
    columns.close()


def test_the_first_section_may_lie_below_the_second_epoch(folder: Path) -> None:
    store = store_of(
        """ex:run/e1 prov:wasInformedBy ex:run . ex:run/e2 prov:wasInformedBy ex:run . ex:run/e3 prov:wasInformedBy ex:run .
        ex:run/e2/b1 prov:wasInformedBy ex:run/e2 . ex:v1 prov:wasGeneratedBy ex:run/e2/b1 ; prov:value 0.5e0 .
        ex:run/e2/b2 prov:wasInformedBy ex:run/e2 . ex:v2 prov:wasGeneratedBy ex:run/e2/b2 ; prov:value 0.25e0 .
        """.replace("/", "\\/")
    )
    columns = _drawn(store, folder)
    for told in (StoreSections(store), ColumnSections(columns, (), Nobody())):
        (batches,) = told.sections([ex("run")], 2)[ex("run")]
        (value,) = told.values([batches])[batches]
        assert (value.first, value.last) == (0.5, 0.25)
    columns.close()


def test_the_last_section_is_the_last_in_order_where_it_belongs_to_two_things(folder: Path) -> None:
    store = store_of(
        """ex:e1 prov:wasInformedBy ex:run . ex:e2 prov:wasInformedBy ex:run . ex:b1 prov:wasInformedBy ex:e1, ex:e2 .
        ex:b2 prov:wasInformedBy ex:e1 . ex:v1 prov:wasGeneratedBy ex:b1 ; prov:value 0.5e0, true .
        ex:v2 prov:wasGeneratedBy ex:b2 ; prov:value 0.25e0 .
        """
    )
    columns = _drawn(store, folder)
    for told in (StoreSections(store), ColumnSections(columns, (), Nobody())):
        (batches,) = told.sections([ex("run")], 2)[ex("run")]
        assert told.members(batches) == (ex("b1"), ex("b2"))
        (value,) = told.values([batches])[batches]
        assert (value.count, value.first, value.last) == (2, 0.5, 0.25)
    columns.close()


def test_of_numbers_none_of_which_is_finite_nothing_is_the_lowest(folder: Path) -> None:
    store = store_of(
        "ex:e1 prov:wasInformedBy ex:run . ex:v1 prov:wasGeneratedBy ex:e1 ; prov:value 'INF'^^xsd:double ."
    )
    columns = _drawn(store, folder)
    for told in (StoreSections(store), ColumnSections(columns, (), Nobody())):
        (epochs,) = told.sections([ex("run")])[ex("run")]
        (value,) = told.values([epochs])[epochs]
        assert (value.count, value.not_finite) == (1, 1)
        assert (value.lowest, value.mean, value.highest) == (None, None, None)
    columns.close()


# The graph of the benchmarks

TRAINING, VALIDATION = NamedNode(f"{BASE}w0/training"), NamedNode(f"{BASE}w0/validation")
TOPS = [NamedNode(f"{BASE}w0"), TRAINING, VALIDATION, NamedNode(f"{BASE}w3/training/e1"), NamedNode(f"{BASE}nowhere")]


@pytest.fixture(
    scope="module",
    params=[pytest.param(True, id="PROV-ML"), pytest.param(False, marks=pytest.mark.slow, id="without")],
)
def large(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LocalStore, Columns]]:
    folder = tmp_path_factory.mktemp("large")
    write_graph(folder / "graph.nt", "1/100", with_provml=request.param)
    store = LocalStore.in_memory()
    load_content(store, read_source(folder / "graph.nt"), GRAPH)
    store.settle([GRAPH])
    columns = _drawn(store, folder)
    yield store, columns
    columns.close()


@pytest.mark.slow
def test_a_large_graph_is_summed_up_as_the_triples_do(large: tuple[LocalStore, Columns]) -> None:
    store, columns = large
    assert assert_same(store, ColumnSections(columns, GENERAL, Nobody()), TOPS, range(1, 3)) > 2 * 600


@pytest.mark.slow
def test_a_large_graph_as_of_a_moment(large: tuple[LocalStore, Columns]) -> None:
    store, columns = large
    plain = StoreSections(store, GENERAL)
    (batches,) = plain.sections([TRAINING], 2)[TRAINING]
    assert batches.started is not None
    assert batches.ended is not None
    middle = (batches.started + (batches.ended - batches.started) / 2).isoformat()
    moment = _as_of(store, middle)
    by_column = ColumnSections(columns, GENERAL, Nobody(), moment)
    triples = MomentSections(_as_of(store, middle), GENERAL)
    tops = [top for top in TOPS if top in moment.there(TOPS)]
    assert assert_same(store, by_column, tops, range(1, 3), triples) > 0
    (some,) = by_column.sections([TRAINING], 2)[TRAINING]
    assert 0 < some.count < batches.count
    assert some.ended is not None
    assert some.ended <= moment.at


def test_the_order_is_that_of_starts_and_numbers(large: tuple[LocalStore, Columns]) -> None:
    store, columns = large
    told = ColumnSections(columns, GENERAL, Nobody())
    for stage in (TRAINING, VALIDATION):
        (batches,) = (one for one in told.sections([stage], 2)[stage])
        (loss,) = told.values([batches])[batches]
        series = told.series(batches, loss.kind)
        assert list(series.sections) == [f"{stage.value}/e{e}/b{b}" for e in range(3) for b in range(200)]
        assert series.sections[199] == f"{stage.value}/e0/b199"
        assert series.sections[-2:] == [f"{stage.value}/e2/b198", f"{stage.value}/e2/b199"]
        assert (loss.first, loss.last) == (series.numbers[0], series.numbers[-1])
        triples = StoreSections(store, GENERAL)
        assert series.numbers == triples.series(batches, loss.kind).numbers
        (other,) = triples.values([batches])[batches]
        assert (other.first, other.last) == (loss.first, loss.last)
