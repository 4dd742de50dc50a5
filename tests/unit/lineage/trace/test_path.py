"""The shortest chain of steps, people and machines avoided where there is another way."""

import itertools

from hpc_explorer.lineage.trace.path import derivation_path
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from tests.helpers.graphs import ex, store_of

STORY = (
    "ex:model prov:wasGeneratedBy ex:train . ex:train prov:used ex:data . ex:data prov:wasGeneratedBy ex:parse ."
    "ex:parse prov:used ex:log . ex:train prov:wasAssociatedWith ex:tool . ex:tool prov:wasDerivedFrom ex:log ."
)


def test_the_chain_from_model_to_log_goes_through_the_data() -> None:
    steps = derivation_path(store_of(STORY), ex("model"), ex("log"), LINEAGE_VOCABULARY)
    assert steps is not None
    assert [step.cause for step in steps] == [ex("train"), ex("data"), ex("parse"), ex("log")]
    assert all(former.cause == latter.effect for former, latter in itertools.pairwise(steps))


def test_a_way_through_the_setting_is_better_than_none() -> None:
    steps = derivation_path(store_of(STORY), ex("train"), ex("tool"), LINEAGE_VOCABULARY)
    assert steps is not None
    assert [step.relation.is_context for step in steps] == [True]


def test_no_chain_and_no_distance() -> None:
    store = store_of(STORY)
    assert derivation_path(store, ex("log"), ex("model"), LINEAGE_VOCABULARY) is None
    assert derivation_path(store, ex("log"), ex("log"), LINEAGE_VOCABULARY) == ()
