"""Facts of sections: as many as a fresh count says, in the order of their tree, with sums as reckoned by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.lineage.phases.section_facts import SectionKind, section_order
from hpc_explorer.lineage.phases.store_sections import StoreSections
from hpc_explorer.rdf.namespaces import PROVML
from hpc_explorer.rdf.terms import Literal
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, store_of

EPOCHS = SectionKind(ex("epoch"), PROVML.TrainingSectionExecution)
LOSS = SectionKind(ex("loss"), PROVML.ModelEvaluation)

numbers = st.floats(-1e6, 1e6, allow_nan=False).map(lambda number: round(number, 3))
trainings = st.lists(st.lists(numbers, max_size=4), min_size=1, max_size=4)


def training(losses: list[list[float]], *, dated: bool = False) -> str:
    lines = ["ex:training a provml:TrainingExecution . "]
    for epoch, batches in enumerate(losses):
        lines.append(
            f"ex:e{epoch} a provml:TrainingSectionExecution ; prov:wasInformedBy ex:training ; prov:wasInfluencedBy ex:epoch ."
        )
        for batch, loss in enumerate(batches):
            name = f"ex:e{epoch}-b{batch}"
            number = f'"{loss}"^^xsd:double'
            lines.append(f"{name} a provml:TrainingSectionExecution ; prov:wasInformedBy ex:e{epoch} .")
            lines.append(f"ex:l{epoch}-{batch} prov:wasGeneratedBy {name} ; prov:value {number} .")
            lines.append(f"ex:l{epoch}-{batch} a provml:ModelEvaluation ; prov:wasDerivedFrom ex:loss .")
            if dated:
                lines.append(f'{name} prov:startedAtTime "2024-01-01T10:{epoch:02}:{59 - batch:02}Z"^^xsd:dateTime .')
                lines.append(f'{name} prov:endedAtTime "2024-01-01T11:{epoch:02}:00Z"^^xsd:dateTime .')
    return "\n".join(lines)


@examples(40)
@given(trainings)
def test_counts_are_those_of_a_fresh_count_and_sums_those_of_a_reckoning(losses: list[list[float]]) -> None:
    store = store_of(training(losses))
    facts = StoreSections(store)
    (epochs,) = facts.sections([ex("training")])[ex("training")]
    assert (epochs.kind, epochs.count) == (EPOCHS, len(losses))
    batches = facts.sections([ex("training"), ex("e0")], 2)
    every = [loss for epoch in losses for loss in epoch]
    assert ex("e0") not in batches
    (counted,) = store.select(
        f"SELECT (COUNT(?b) AS ?n) WHERE {{ ?b <{_informed()}> ?e . ?e <{_informed()}> {ex('training')} }}"
    )
    number = counted["n"]
    assert isinstance(number, Literal)
    if not every:
        assert batches == {}
        return
    (group,) = batches[ex("training")]
    assert group.count == int(number.value) == len(every)
    (value,) = facts.values([group])[group]
    assert value.kind == LOSS
    assert (value.count, value.not_finite) == (len(every), 0)
    assert (value.lowest, value.highest) == (min(every), max(every))
    assert value.mean == pytest.approx(math.fsum(every) / len(every), rel=1e-9, abs=1e-6)
    series = facts.series(group, LOSS)
    assert list(series.numbers) == every
    assert series.complete
    assert [ex(f"e{e}-b{b}") for e, epoch in enumerate(losses) for b in range(len(epoch))] == list(facts.members(group))
    if losses[0] and losses[-1]:
        assert (value.first, value.last) == (every[0], every[-1])


def test_siblings_stand_in_the_order_of_their_start() -> None:
    store = store_of(training([[0.3, 0.2], [0.1]], dated=True))
    facts = StoreSections(store)
    (group,) = facts.sections([ex("training")], 2)[ex("training")]
    assert list(facts.series(group, LOSS).numbers) == [0.2, 0.3, 0.1]
    assert group.started is not None
    assert group.ended is not None
    assert (group.started.minute, group.started.second, group.ended.hour) == (0, 58, 11)
    (value,) = facts.values([group])[group]
    assert (value.first, value.last) == (0.2, 0.1)


def test_numbers_that_are_not_finite_are_counted_apart() -> None:
    store = store_of(training([[0.5, math.nan, math.inf, 0.25]]).replace('"inf"', '"INF"').replace('"nan"', '"NaN"'))
    facts = StoreSections(store)
    (group,) = facts.sections([ex("training")], 2)[ex("training")]
    (value,) = facts.values([group])[group]
    assert (value.count, value.not_finite, value.lowest, value.mean, value.highest) == (4, 2, 0.25, 0.375, 0.5)
    assert [math.isfinite(number) for number in facts.series(group, LOSS).numbers] == [True, False, False, True]


def test_texts_are_no_numbers() -> None:
    store = store_of(training([[0.5, 0.25]]), 'ex:file prov:wasGeneratedBy ex:e0-b1 ; prov:value "gpfs:/model.pt" .')
    facts = StoreSections(store)
    (group,) = facts.sections([ex("training")], 2)[ex("training")]
    (value,) = facts.values([group])[group]
    assert (value.kind, value.count, value.highest) == (LOSS, 2, 0.5)
    assert list(facts.series(group, LOSS).numbers) == [0.5, 0.25]


def test_a_section_of_several_classes_counts_once_and_by_its_own() -> None:
    store = store_of(
        training([[0.5]]), "ex:e0 a prov:Activity , provlake:DataTransformationExecution ; prov:wasInfluencedBy ex:z ."
    )
    from hpc_explorer.rdf.namespaces import PROV, PROVLAKE

    (epochs,) = StoreSections(store, (PROV.Activity, PROVLAKE.DataTransformationExecution)).sections([ex("training")])[
        ex("training")
    ]
    assert (epochs.kind, epochs.count) == (EPOCHS, 1)


def test_the_number_at_the_end_of_a_name_is_its_place() -> None:
    ordered = sorted(["x/e10", "x/e9", "x/e", "x/e2/done"], key=lambda iri: section_order(iri, None))
    assert ordered == ["x/e", "x/e2/done", "x/e9", "x/e10"]


def _informed() -> str:
    return "http://www.w3.org/ns/prov#wasInformedBy"
