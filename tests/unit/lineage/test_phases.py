"""Phases: by class, plan, tag, whole, product and name, in this order; and why each is where it is."""

import pytest

from hpc_explorer.lineage.phases import Phase, Placed, phases_of
from hpc_explorer.lineage.trace import trace
from hpc_explorer.lineage.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.ontology.schema import build_schema
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.terms import Resource
from tests.helpers.graphs import ex, store_of


def placed(turtle: str, start: str = "model") -> dict[Resource, Placed]:
    store = store_of(turtle)
    schema = build_schema(store, shipped_ontology(), used_classes={}, used_properties={})
    return phases_of(store, trace(store, ex(start), LINEAGE_VOCABULARY), schema.superclasses)


def test_classes_of_prov_ml_and_tags_of_plans_place_activities() -> None:
    found = placed("""
      ex:model a provml:Model ; prov:wasGeneratedBy ex:epoch .
      ex:epoch a provml:TrainingSectionExecution ; prov:wasInformedBy ex:training .
      ex:training a provml:TrainingExecution ; prov:used ex:set ; prov:wasInformedBy ex:run .
      ex:run a provml:LearningProcessExecution .
      ex:set prov:wasGeneratedBy ex:prepare . ex:prepare prov:used ex:clean ; prov:wasInfluencedBy ex:preparing .
      ex:preparing a provlake:DataTransformation ; provlake:tag "Learning  data Preparation" .
      ex:clean prov:wasGeneratedBy ex:curate . ex:curate prov:used ex:raw ; provlake:tag "Data Curation" .
    """)
    phases = {str(resource.value).rsplit("/", 1)[1]: one.phase for resource, one in found.items()}
    assert [name for name, phase in phases.items() if phase is Phase.LEARNING] == ["model", "epoch", "training", "run"]
    assert {name for name, phase in phases.items() if phase is Phase.PREPARATION} == {"set", "prepare", "preparing"}
    assert {name for name, phase in phases.items() if phase is Phase.CURATION} == {"clean", "curate", "raw"}
    assert found[ex("epoch")].why == "by its class TrainingSectionExecution"
    assert found[ex("prepare")].why == "by the tag of its plan, “Learning  data Preparation”"
    assert found[ex("curate")].why == "by its tag “Data Curation”"
    assert found[ex("raw")].why == "with the earliest activity that used it"
    assert not any(one.guessed for one in found.values())


def test_without_prov_ml_sections_go_with_their_whole_and_a_workflow_with_its_stages() -> None:
    found = placed("""
      ex:model prov:wasGeneratedBy ex:epoch . ex:epoch a provlake:DataTransformationExecution .
      ex:epoch prov:wasInformedBy ex:stage . ex:stage a provlake:DataTransformationExecution .
      ex:stage prov:wasInformedBy ex:run ; prov:wasInfluencedBy ex:plan . ex:run a provlake:WorkflowExecution .
      ex:plan a provlake:DataTransformation ; provlake:tag "Training" .
    """)
    assert {found[ex(name)].phase for name in ("epoch", "stage", "run", "model")} == {Phase.LEARNING}
    assert found[ex("epoch")].why == "as a section of stage"
    assert found[ex("run")].why == "as its sections"


def test_activities_that_only_informed_one_another_are_no_sections() -> None:
    found = placed("""
      ex:model a hpc:AIModel ; prov:wasGeneratedBy ex:fit . ex:fit a hpc:Experiment ; hpc:wasPrecededBy ex:before .
      ex:before a hpc:Experiment ; prov:wasInformedBy ex:earlier . ex:earlier a prov:Activity .
    """)
    assert found[ex("fit")].why == "because it made what is a AIModel"
    assert found[ex("before")].phase is found[ex("earlier")].phase is Phase.OTHER


def test_what_learning_used_was_prepared_for_it() -> None:
    found = placed("""
      ex:model a mls:Model ; prov:wasGeneratedBy ex:fit . ex:fit prov:used ex:table .
      ex:table prov:wasGeneratedBy ex:merge . ex:merge prov:used ex:log . ex:log prov:wasGeneratedBy ex:measure .
    """)
    assert found[ex("merge")].phase is Phase.PREPARATION
    assert found[ex("measure")].phase is Phase.OTHER
    assert found[ex("measure")].why == "nothing says more"


@pytest.mark.parametrize(
    ("name", "phase"),
    [
        ("Train the classifier", Phase.LEARNING),
        ("Preprocess images", Phase.PREPARATION),
        ("Curation of F3", Phase.CURATION),
        ("Constrain the mesh", Phase.OTHER),
    ],
)
def test_a_name_is_a_guess_and_said_to_be_one(name: str, phase: Phase) -> None:
    one = placed(f'ex:model prov:wasGeneratedBy ex:a . ex:a a schema:CreateAction ; rdfs:label "{name}" .')[ex("a")]
    assert one.phase is phase
    assert one.guessed == (phase is not Phase.OTHER)
    assert one.guessed == (name in one.why)


@pytest.mark.parametrize("told", ['rdfs:label "Training"', 'provlake:tag "Training"'])
def test_what_is_handed_on_from_a_guess_is_one(told: str) -> None:
    found = placed(f"""
      ex:model prov:wasGeneratedBy ex:epoch . ex:epoch a provlake:DataTransformationExecution .
      ex:epoch prov:wasInformedBy ex:stage . ex:stage a provlake:DataTransformationExecution ; {told} .
      ex:stage prov:wasInformedBy ex:run . ex:run a provlake:WorkflowExecution .
    """)
    for name in ("epoch", "stage", "run"):
        assert found[ex(name)].phase is Phase.LEARNING
        assert found[ex(name)].guessed == ("label" in told)
