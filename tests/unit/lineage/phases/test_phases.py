"""Phases: by class, plan, tag, whole, product and name, in this order; and why each is where it is."""

import pytest

from hpc_explorer.lineage.phases.phases import Phase, PhaseAssignment, phases_of
from hpc_explorer.lineage.trace.trace import trace
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.ontology.schema import build_schema
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.terms import Resource
from tests.helpers.graphs import ex, store_of


def placed(turtle: str, start: str = "model") -> dict[Resource, PhaseAssignment]:
    store = store_of(turtle)
    schema = build_schema(store, shipped_ontology(), used_classes={}, used_properties={})
    return phases_of(store, trace(store, ex(start), LINEAGE_VOCABULARY), schema.superclasses)


C, P, L, N = Phase.CURATION, Phase.PREPARATION, Phase.LEARNING, Phase.OTHER
RUN = "ex:run a provlake:WorkflowExecution . ex:a a provlake:DataTransformationExecution ; prov:wasInformedBy ex:run ."
TWO = RUN + "ex:b a provlake:DataTransformationExecution ; prov:wasInformedBy ex:run ."
TWO += "ex:a prov:used ex:made . ex:made prov:wasGeneratedBy ex:b ."


@pytest.mark.parametrize(
    ("turtle", "name", "phase", "why"),
    [
        ("ex:a a provml:DataCuration .", "a", C, "by its class DataCuration"),
        ("ex:a a ex:Mine . ex:Mine rdfs:subClassOf provml:DataCuration .", "a", C, "by its class DataCuration"),
        (
            "ex:a prov:wasInfluencedBy ex:other , ex:plan . ex:plan a prov:Plan , provml:Training . ex:other a prov:Plan .",
            *("a", L, "by the class of its plan, Training"),
        ),
        ("ex:a provlake:tag 'odd' , ' Data  CURATION' .", "a", C, "by its tag “ Data  CURATION”"),
        (
            "ex:a prov:wasInfluencedBy ex:plan . ex:plan a prov:Plan ; provlake:tag 'learning' .",
            *("a", L, "by the tag of its plan, “learning”"),
        ),
        ("ex:model a mls:Model .", "a", L, "because it made what is a Model"),
        (
            "ex:model prov:wasDerivedFrom ex:set . ex:set prov:wasGeneratedBy ex:a ; a provml:LearningDataset . ex:model a mls:Model .",
            *("a", L, "because it made what is a Model"),
        ),
        ("ex:a prov:used ex:raw . ex:raw a provml:RawDomainData .", "a", C, "because it used raw domain data"),
        ("ex:a rdfs:label 'Train the classifier' .", "a", L, "guessed from the name “Train the classifier”"),
        ("ex:a rdfs:label 'Preprocess images' .", "a", P, "guessed from the name “Preprocess images”"),
        ("ex:a rdfs:label 'Curation of F3' .", "a", C, "guessed from the name “Curation of F3”"),
        ("ex:a rdfs:label 'Constrain the mesh' .", "a", N, "nothing says more"),
        (
            "ex:a prov:wasInfluencedBy ex:training . ex:training a prov:Plan .",
            *("a", L, "guessed from the name “training”"),
        ),
        # What comes earlier in the table tells, whatever comes later.
        ("ex:a a provml:DataCuration ; provlake:tag 'learning' .", "a", C, "by its class DataCuration"),
        ("ex:a provlake:tag 'curation' . ex:model a mls:Model .", "a", C, "by its tag “curation”"),
        ("ex:model a mls:Model . ex:a rdfs:label 'Curation' .", "a", L, "because it made what is a Model"),
        # Sections and wholes.
        (RUN + "ex:run provlake:tag 'learning' ; rdfs:label 'Run 7' .", "a", L, "as a section of Run 7"),
        (RUN + "ex:run provlake:tag 'learning' .", "a", L, "as a section of run"),
        (RUN + "ex:a provlake:tag 'learning' .", "run", L, "as its sections"),
        (TWO + "ex:a provlake:tag 'learning' . ex:b provlake:tag 'learning' .", "run", L, "as its sections"),
        (TWO + "ex:a provlake:tag 'learning' . ex:b provlake:tag 'curation' .", "run", N, "nothing says more"),
        (TWO + "ex:a provlake:tag 'learning' .", "b", L, "as a section of run"),
        (
            "ex:a provlake:tag 'learning' ; prov:used ex:s . ex:s prov:wasGeneratedBy ex:b .",
            *("b", P, "because it made what learning used"),
        ),
        ("ex:a prov:wasInformedBy ex:b . ex:b provlake:tag 'learning' .", "a", N, "nothing says more"),
        # Things.
        ("ex:a provlake:tag 'learning' .", "model", L, "with the activity that made it"),
        (
            "ex:model prov:wasGeneratedBy ex:b . ex:a provlake:tag 'learning' . ex:b provlake:tag 'curation' .",
            *("model", C, "with the activity that made it"),
        ),
        (
            "ex:a prov:used ex:t , ex:s ; provlake:tag 'learning' . ex:s prov:wasGeneratedBy ex:b . "
            "ex:b prov:used ex:t ; provlake:tag 'curation' .",
            *("t", C, "with the earliest activity that used it"),
        ),
        (
            "ex:a prov:used ex:t ; provlake:tag 'learning' . ex:t prov:wasDerivedFrom ex:u . ex:u prov:wasDerivedFrom ex:v .",
            *("v", L, "with what it is linked to"),
        ),
        ("ex:a prov:wasInfluencedBy ex:plan . ex:plan a prov:Plan .", "plan", N, "with what it is linked to"),
    ],
)
def test_each_is_placed_by_the_first_that_tells(turtle: str, name: str, phase: Phase, why: str) -> None:
    one = placed(f"ex:model prov:wasGeneratedBy ex:a . {turtle}")[ex(name)]
    assert one == PhaseAssignment(phase, why, guessed=why.startswith("guessed"))


def test_activities_that_only_informed_one_another_are_no_sections() -> None:
    found = placed("""
      ex:model a hpc:AIModel ; prov:wasGeneratedBy ex:fit . ex:fit a hpc:Experiment ; hpc:wasPrecededBy ex:before .
      ex:before a hpc:Experiment ; prov:wasInformedBy ex:earlier . ex:earlier a prov:Activity .
    """)
    assert found[ex("fit")].phase is Phase.LEARNING
    assert found[ex("before")].phase is found[ex("earlier")].phase is Phase.OTHER


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


def test_a_thing_alone_is_other_work() -> None:
    assert placed("ex:model ex:p 1 .") == {ex("model"): PhaseAssignment(Phase.OTHER, "nothing says more")}
