"""Impact: every model downstream, counted exactly, by the shortest way, and nothing that is only credited."""

from hpc_explorer.lineage.impact.impact import Reached, impact
from hpc_explorer.lineage.impact.projects import projects_of
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of

LIFE = """
ex:curation prov:used ex:raw . ex:clean prov:wasGeneratedBy ex:curation .
ex:run prov:used ex:clean ; prov:wasAssociatedWith ex:ada ; hpc:wasAssociatedWithHardware ex:lassen ;
    prov:wasInfluencedBy ex:plan . ex:plan a prov:Plan .
ex:model a provml:Model ; prov:wasGeneratedBy ex:run ; prov:wasDerivedFrom ex:raw .
ex:tuned a provml:Model ; prov:wasDerivedFrom ex:model .
ex:other a provml:Model ; prov:wasDerivedFrom ex:elsewhere .
"""
MODELS = [ex("model"), ex("tuned"), ex("other")]


def reached(store: LocalStore, start: NamedNode) -> dict[str, int]:
    return {one.resource.value.rsplit("/", 1)[1]: one.distance for one in found(store, start)}


def found(store: LocalStore, start: NamedNode) -> tuple[Reached, ...]:
    return impact(store, start, LINEAGE_VOCABULARY, MODELS)


def test_data_activities_machines_people_and_plans_reach_the_models_after_them() -> None:
    store = store_of(LIFE)
    assert reached(store, ex("raw")) == {"model": 1, "tuned": 2}
    assert reached(store, ex("clean")) == {"model": 2, "tuned": 3}
    for setting in ("lassen", "ada", "plan", "run"):
        assert set(reached(store, ex(setting))) == {"model", "tuned"}, setting
    assert reached(store, ex("elsewhere")) == {"other": 1}
    assert reached(store, ex("nothing")) == {}


def test_the_way_is_the_shortest_and_each_step_has_its_statement() -> None:
    (model, tuned) = found(store_of(LIFE), ex("raw"))
    assert [(edge.cause, edge.effect) for edge in model.path] == [(ex("raw"), ex("model"))]
    assert [(edge.cause, edge.effect) for edge in tuned.path] == [
        (ex("raw"), ex("model")),
        (ex("model"), ex("tuned")),
    ]
    assert all(edge.evidence for edge in tuned.path)


def test_credit_carries_no_fault_on_but_a_question_may_begin_there() -> None:
    store = store_of("ex:ada prov:wasDerivedFrom ex:raw . ex:model prov:wasAttributedTo ex:ada .")
    assert reached(store, ex("ada")) == {"model": 1}
    assert reached(store, ex("raw")) == {}


def test_projects_by_their_own_word_else_by_that_of_what_made_them() -> None:
    store = store_of(
        LIFE + "ex:plan provlake:isPartOf ex:study . ex:study a provml:Study ."
        "ex:p a hpc:Project ; hpc:aiModel ex:other . ex:tuned hpc:project ex:p ."
    )
    assert projects_of(store, [*MODELS, ex("raw")], LINEAGE_VOCABULARY) == {
        ex("model"): {ex("study")},
        ex("tuned"): {ex("p")},
        ex("other"): {ex("p")},
    }
