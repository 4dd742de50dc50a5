"""The shapes for PROV-ML: what ships conforms to them, and what breaks them is found."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from hpc_explorer.shipped import shipped_folder

ONTOLOGY = shipped_folder("ontology")
SAMPLES = shipped_folder("sample_graphs")

SOUND = """
@prefix : <http://example.org/> . @prefix provlake: <https://example.org/provlake#> .
@prefix provml: <https://example.org/provml#> . @prefix prov: <http://www.w3.org/ns/prov#> .
@prefix mls: <http://www.w3.org/ns/mls#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:study a provml:Study . :experiment a provml:LearningExperiment ; provlake:isPartOf :study .
:algorithm a provml:Algorithm . :code a provml:Implementation ; mls:implements :algorithm .
:run a provml:LearningProcessExecution ; prov:wasInfluencedBy :experiment ; mls:executes :code .
:training a provml:Training ; rdfs:label "Training" .
:rate a provml:LearningHyperparameter ; rdfs:label "rate" .
:epoch a provml:LearningStageSection ; rdfs:label "Epoch" .
:trained a provml:TrainingExecution ; prov:wasInformedBy :run ; prov:wasInfluencedBy :training ; prov:used :rate1 ;
    prov:startedAtTime "2021-03-01T08:00:00Z"^^xsd:dateTime .
:epoch1 a provml:TrainingSectionExecution ; prov:wasInformedBy :trained ; prov:wasInfluencedBy :epoch .
:rate1 a provml:LearningHyperparameterValue ; prov:wasDerivedFrom :rate ; prov:value 0.001 .
:unet a provml:ModelProspection ; rdfs:label "unet" .
:model a provml:Model ; prov:wasDerivedFrom :unet ; prov:wasGeneratedBy :epoch1 .
:measure a provml:EvaluationMeasure ; rdfs:label "accuracy" .
:accuracy a provml:ModelEvaluation ; prov:wasDerivedFrom :measure ; prov:wasGeneratedBy :epoch1 ; prov:value 0.9 .
"""

BROKEN = {
    "a model that nothing made": (
        ":model a provml:Model ; prov:wasDerivedFrom :unet ; prov:wasGeneratedBy :epoch1 .",
        ":model a provml:Model ; prov:wasDerivedFrom :unet .",
    ),
    "an epoch of no stage": ("prov:wasInformedBy :trained", "prov:wasInformedBy :experiment"),
    "a stage outside any process": ("prov:wasInformedBy :run ; ", ""),
    "a training that followed no plan": ("prov:wasInfluencedBy :training", "prov:wasInfluencedBy :rate"),
    "a value that says nothing": ("; prov:value 0.001", ""),
    "a hyperparameter without a name": (
        ':rate a provml:LearningHyperparameter ; rdfs:label "rate" .',
        ":rate a provml:LearningHyperparameter .",
    ),
    "a measure from a hyperparameter": (
        ":accuracy a provml:ModelEvaluation ; prov:wasDerivedFrom :measure",
        ":accuracy a provml:ModelEvaluation ; prov:wasDerivedFrom :rate",
    ),
    "a time that is a text": ('"2021-03-01T08:00:00Z"^^xsd:dateTime', '"in March"'),
    "an implementation of nothing": ("mls:implements :algorithm", "mls:executes :algorithm"),
}


def conforms(data: str) -> bool:
    # Its imports warn of what rdflib will drop; what the library says of itself is not tested here.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pyshacl

        answer, _, _ = pyshacl.validate(
            data,
            data_graph_format="turtle",
            shacl_graph=str(ONTOLOGY / "shapes" / "provml.ttl"),
            ont_graph=str(ONTOLOGY / "provml.ttl"),
            allow_warnings=True,
        )
    return bool(answer)


def test_a_sound_record_conforms() -> None:
    assert conforms(SOUND)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_record_is_found(name: str) -> None:
    whole, broken = BROKEN[name]
    assert whole in SOUND
    assert not conforms(SOUND.replace(whole, broken))


def test_the_seismic_sample_conforms() -> None:
    assert conforms((SAMPLES / "seismic.ttl").read_text(encoding="utf-8"))


def test_the_benchmark_graph_conforms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    import provml_graph

    monkeypatch.setattr(provml_graph, "WORKFLOWS", 1)
    monkeypatch.setattr(provml_graph, "BATCHES", 2)
    file = tmp_path / "graph.nt"
    provml_graph.write_graph(file, "1/100")
    assert conforms(file.read_text(encoding="utf-8"))
