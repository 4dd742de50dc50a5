"""Folding a lineage up and opening it: nothing is lost, one level comes at a time, and landmarks stay in sight."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.lineage.phases.phases import Phase, phases_of
from hpc_explorer.lineage.phases.sections import (
    PAGE,
    Fold,
    Level,
    folded,
    landmarks_of,
    paged,
    resources_of,
    shown,
    visible_keys,
    walk,
)
from hpc_explorer.lineage.trace.backbone import backbone
from hpc_explorer.lineage.trace.trace import Direction, Lineage, trace
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY, Relation
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, store_of

LIFE = """
ex:model a provml:Model ; prov:wasGeneratedBy ex:e2 ; prov:wasDerivedFrom ex:plan . ex:plan a provlake:Attribute .
ex:e2 a provml:TrainingSectionExecution ; prov:wasInformedBy ex:training .
ex:training a provml:TrainingExecution ; prov:used ex:set , ex:rate , ex:size , ex:optimizer .
ex:rate a ex:Setting . ex:size a ex:Setting . ex:optimizer a ex:Setting .
ex:set prov:wasGeneratedBy ex:prepare . ex:prepare provlake:tag "Preparation" ; prov:used ex:raw .
"""


def fold(store: LocalStore, lineage: Lineage) -> tuple[Fold, ...]:
    placed = phases_of(store, lineage, lambda cls: ())
    return folded(
        lineage,
        placed,
        lambda edge: edge.relation is Relation.INFORMED,
        lambda resource: "Setting" if resource in map(ex, ("rate", "size", "optimizer")) else "",
        {ex("training"): datetime(2024, 1, 1, tzinfo=UTC)},
    )


def in_sight(store: LocalStore, *is_open: str) -> list[tuple[int, str]]:
    lineage = trace(store, ex("model"), LINEAGE_VOCABULARY)
    placed = phases_of(store, lineage, lambda cls: ())
    rows = shown(fold(store, lineage), frozenset(is_open), landmarks_of(lineage, placed))
    return [(row.indent, row.fold.key.removeprefix("http://example.org/")) for row in rows]


def test_downstream_what_was_made_last_stays_in_sight_unless_it_is_too_much() -> None:
    def last_in_sight(number: int) -> set[str]:
        tests = "".join(
            f"ex:t{n} prov:used ex:model . ex:report{n} prov:wasGeneratedBy ex:t{n} .\n" for n in range(number)
        )
        store = store_of(LIFE + tests)
        lineage = trace(store, ex("raw"), LINEAGE_VOCABULARY, direction=Direction.DOWNSTREAM)
        placed = phases_of(store, lineage, lambda cls: ())
        rows = shown(fold(store, lineage), frozenset(), landmarks_of(lineage, placed))
        return {row.fold.key.rpartition("/")[2] for row in rows if "report" in row.fold.key}

    assert last_in_sight(2) == {"report0", "report1"}
    assert last_in_sight(20) == set()


def test_closed_phases_show_what_they_handed_on_and_open_ones_a_level_more() -> None:
    store = store_of(LIFE)
    assert in_sight(store) == [
        (0, "phase preparation"),
        (1, "raw"),
        (1, "set"),
        (0, "phase learning"),
        (1, "model"),
    ]
    opened = in_sight(store, "phase learning")
    assert opened[3:] == [
        (0, "phase learning"),
        (1, "training"),
        (2, "model"),
        (1, "setting of phase learning"),
    ]
    training = in_sight(store, "phase learning", "http://example.org/training")
    assert training[4:8] == [
        (1, "training"),
        (2, "used in http://example.org/training: Setting"),
        (2, "e2"),
        (3, "model"),
    ]


def test_each_resource_is_stood_for_by_the_innermost_part_in_sight() -> None:
    store = store_of(LIFE)
    lineage = trace(store, ex("model"), LINEAGE_VOCABULARY)
    placed = phases_of(store, lineage, lambda cls: ())
    keys = visible_keys(shown(fold(store, lineage), frozenset(), landmarks_of(lineage, placed)))
    assert keys[ex("e2")] == keys[ex("training")] == "phase learning"
    assert keys[ex("model")] == "http://example.org/model"
    assert keys.keys() == lineage.nodes.keys()


def test_other_work_stands_where_the_data_came_from() -> None:
    store = store_of("""
      ex:model a mls:Model ; prov:wasGeneratedBy ex:fit . ex:fit prov:used ex:set . ex:set prov:wasGeneratedBy ex:merge .
      ex:merge prov:used ex:log . ex:log prov:wasGeneratedBy ex:measure .
    """)
    lineage = trace(store, ex("model"), LINEAGE_VOCABULARY)
    assert [one.phase for one in fold(store, lineage)] == [Phase.OTHER, Phase.PREPARATION, Phase.LEARNING]


def test_a_closed_lineage_fits_on_a_screen_however_much_phases_handed_on() -> None:
    things = "".join(
        f"ex:fit prov:used ex:set{at} . ex:set{at} prov:wasGeneratedBy ex:merge . ex:merge prov:used ex:raw{at} .\n"
        for at in range(40)
    )
    store = store_of("ex:model a mls:Model ; prov:wasGeneratedBy ex:fit .\n" + things)
    lineage = trace(store, ex("model"), LINEAGE_VOCABULARY)
    placed = phases_of(store, lineage, lambda cls: ())
    folds = folded(lineage, placed, lambda edge: False, lambda resource: str(resource), {})
    rows = shown(folds, frozenset(), landmarks_of(lineage, placed))
    assert [row.indent for row in rows] == [0, 1, 0, 1]
    assert len(rows[1].fold.resources) == 80
    same = folded(lineage, placed, lambda edge: False, lambda resource: "Table", {})
    rows = shown(same, frozenset(), landmarks_of(lineage, placed))
    assert [row.indent for row in rows] == [0, 1, 0, 1]
    opened = shown(same, {row.fold.key for row in rows if row.indent == 1}, landmarks_of(lineage, placed))
    assert [row.fold.span for row in opened[2:6]] == [(1, 24), (25, 48), (49, 72), (73, 80)]


names = st.integers(0, 7).map(lambda number: ex(f"n{number}"))
links = st.tuples(
    names,
    st.sampled_from(
        ("used", "wasGeneratedBy", "wasInformedBy", "wasInformedBy", "wasDerivedFrom", "wasAssociatedWith")
    ),
    names,
)
tags = st.dictionaries(names, st.sampled_from(("Training", "Preparation", "Data Curation")), max_size=4)


def outermost(folds: Iterable[Fold]) -> Iterator[Fold]:
    """Those that are resources, not within others."""
    for one in folds:
        yield from (one,) if one.resource is not None else outermost(one.inside)


@examples(200)
@given(st.lists(links, min_size=6, max_size=24), tags, st.sets(st.integers(0, 40)), st.booleans())
def test_folded_and_opened_it_is_the_plain_lineage(
    some: list[tuple[NamedNode, str, NamedNode]], marked: dict[NamedNode, str], chosen: set[int], downstream: bool
) -> None:
    tagged = "".join(f'{one} provlake:tag "{tag}" .\n' for one, tag in marked.items())
    store = store_of("".join(f"{effect} prov:{name} {cause} .\n" for effect, name, cause in some) + tagged)
    direction = Direction.DOWNSTREAM if downstream else Direction.UPSTREAM
    lineage = trace(store, some[0][0], LINEAGE_VOCABULARY, direction=direction)
    folds = fold(store, lineage)
    every = list(walk(folds))
    assert resources_of(folds) == lineage.nodes.keys()
    assert all((one.resource is not None) == (one.level in (Level.THING, Level.ACTIVITY)) for one in every)
    placed = phases_of(store, lineage, lambda cls: ())
    landmarks = landmarks_of(lineage, placed)
    # Each part is of the phase it stands in, and what is no part of the main line stands in the setting of that.
    aside = {inner.resource for one in every if one.level is Level.SETTING for inner in walk(one.inside)}
    assert aside - {None} == lineage.nodes.keys() - set(backbone(lineage).nodes)
    active = {edge.cause for edge in lineage.edges if edge.relation in (Relation.GENERATED, Relation.INFORMED)}
    active |= {edge.effect for edge in lineage.edges if edge.relation in (Relation.USED, Relation.INFORMED)}
    for phase in folds:
        assert phase.level is Level.PHASE
        for one in walk((phase,)):
            assert one.phase is phase.phase
            if one.resource is not None:
                assert placed[one.resource].phase is phase.phase
                is_active = one.resource in active and one.resource not in aside
                assert one.level is (Level.ACTIVITY if is_active else Level.THING)
    # A section is inside one of those that it is a section of, and a thing inside what made or used it.
    linked = {pair for edge in lineage.edges for pair in ((edge.effect, edge.cause), (edge.cause, edge.effect))}
    for one in every:
        if one.resource is not None:
            assert all((inner.resource, one.resource) in linked for inner in outermost(one.inside))
    # All opened, each resource is in sight once.
    rows = shown(folds, {one.key for one in every}, landmarks)
    single = [row.fold.resource for row in rows if row.fold.resource is not None]
    assert sorted(single, key=str) == sorted(lineage.nodes, key=str)
    # However much is open, no card comes twice, and every resource is stood for.
    some_open = {one.key for number, one in enumerate(every) if number in chosen}
    rows = shown(folds, some_open, landmarks)
    keys = [row.fold.key for row in rows]
    assert len(keys) == len(set(keys))
    assert visible_keys(rows).keys() == lineage.nodes.keys()
    assert landmarks <= {row.fold.resource for row in rows if row.fold.resource is not None} | {
        one.resource for row in rows if row.fold.level is Level.GROUP for one in walk((row.fold,))
    }


@given(st.integers(0, 2_000))
def test_no_page_is_longer_than_one_and_none_is_lost(number: int) -> None:
    single = [Fold(f"k{at}", Level.THING, ex(f"n{at}")) for at in range(number)]
    page = paged(single, "page")
    assert all(len(one.inside) <= PAGE for one in walk(page))
    assert len(page) <= PAGE
    assert [one.key for one in walk(page) if one.resource is not None] == [one.key for one in single]
    spans = [one.span for one in page if one.span is not None]
    assert all(first[1] + 1 == second[0] for first, second in pairwise(spans))
