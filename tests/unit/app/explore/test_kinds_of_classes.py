"""Every class of the HPC ontology and of PROV-ML has the look of the kind of things that it stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.app.explore.finding import colour_key
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.kinds import UNKNOWN, kind_of
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.sessions import session_of

ONTOLOGY = Path(__file__).parents[4] / "ontology"
PREFIXES = {"hpc": str(HPC), "provml": "https://example.org/provml#"}

KINDS_OF_CLASSES = {
    "": ("hpc:Thing provml:EvaluationProcedure provml:EvaluationSpecification"),
    "activity": (
        "hpc:Activity hpc:Workflow provml:BaseLearningStage provml:DataCuration provml:DataPreparation "
        "provml:Evaluation provml:FeatureExtraction provml:Learning provml:LearningStage "
        "provml:LearningStageSection provml:Training provml:Validation"
    ),
    "agent": ("hpc:Agent hpc:Organization hpc:Person provml:Persona"),
    "data": (
        "hpc:DecisionTreeNode hpc:Artifact hpc:CSVDataset hpc:Data hpc:Dataset hpc:TableRow provml:Algorithm "
        "provml:CuratedDomainData provml:DataStoreInstance provml:FeatureSet provml:FeatureSetData "
        "provml:Implementation provml:LearningData provml:LearningDataSetReference "
        "provml:LearningDataset provml:LearningDatasetReference "
        "provml:RawDomainData hpc:TimeSeries"
    ),
    "experiment": (
        "hpc:Experiment provml:BaseLearningExecution provml:BaseLearningStageExecution "
        "provml:EvaluationExecution provml:EvaluationSectionExecution provml:FeatureExtractionExecution "
        "provml:LearningExperiment provml:LearningProcessExecution provml:LearningSectionExecution "
        "provml:LearningStageExecution provml:LearningStageSectionExecution provml:TrainingExecution "
        "provml:TrainingSectionExecution provml:ValidationExecution provml:ValidationSectionExecution"
    ),
    "file": ("hpc:File hpc:LogFile"),
    "machine": (
        "hpc:Accelerator hpc:CPU hpc:Cluster hpc:Computer hpc:Coprocessor hpc:GPU hpc:Hardware hpc:Processor "
        "hpc:Server hpc:SuperComputer hpc:Workstation"
    ),
    "measurement": ("hpc:Anomaly provml:EvaluationMeasure provml:ModelEvaluation"),
    "model": (
        "hpc:AIModel hpc:ArtificialNeuralNetwork hpc:ConvolutionalNeuralNetwork hpc:DecisionTree "
        "hpc:DeepNeuralNetwork hpc:FeedforwardNeuralNetwork hpc:GeneralLinearModel hpc:GeneralizedLinearModel "
        "hpc:GraphNeuralNetwork hpc:HiddenMarkovModel hpc:LinearRegressionModel hpc:LogisticRegressionModel "
        "hpc:LongShortTermMemory hpc:MachineLearningModel hpc:MultilayerPerceptron "
        "hpc:MultipleLinearRegressionModel hpc:RandomForest hpc:RecurrentNeuralNetwork "
        "hpc:SimpleLinearRegressionModel hpc:SingleLayerPerceptron hpc:SupportVectorMachine hpc:Transformer "
        "hpc:PerformanceModel provml:Model"
    ),
    "parameter": (
        "hpc:KeyValue hpc:ModelParameter provml:DatasetCharacteristcValue provml:DatasetCharacteristic "
        "provml:DatasetCharacteristicValue provml:FeatureSetCharacteristic provml:ImplementationCharacteristic "
        "provml:LearningHyperparameter provml:LearningHyperparameterSetting provml:LearningHyperparameterValue "
        "provml:LearningTask provml:LearningTaskValue provml:ModelHyperparameter provml:ModelHyperparameterValue "
        "provml:ModelProspection provml:ModelSchema"
    ),
    "project": ("hpc:Project provml:Study"),
    "software": (
        "hpc:Benchmark hpc:Compiler hpc:CorrectnessTool hpc:Library hpc:MachineLearningSoftware "
        "hpc:OperatingSystem hpc:PerformanceAnalysisTool hpc:Script hpc:Software hpc:Tool provml:Software"
    ),
}
"""The classes by kind; under "" those of none, which have a spare look each."""


def test_each_class_of_the_shipped_ontology_is_of_its_kind() -> None:
    session = Session.new()
    open_sources(session, [str(path) for path in sorted(ONTOLOGY.glob("*.ttl"))])
    schema = session.schema()
    found: dict[str, str] = {}
    for cls in schema.classes:
        for prefix, namespace in PREFIXES.items():
            if cls.value.startswith(namespace):
                key = colour_key(schema, cls)
                found[f"{prefix}:{cls.value.removeprefix(namespace)}"] = "" if key == cls.value else key
    expected = {name: kind for kind, names in KINDS_OF_CLASSES.items() for name in names.split()}
    assert found == expected
    assert all(
        kind_of(PREFIXES[name.split(":")[0]] + name.split(":")[1]) in UNKNOWN for name in KINDS_OF_CLASSES[""].split()
    )
    session.close()


@pytest.mark.parametrize(
    ("cls", "above", "kind"),
    [
        ("DecisionTreeNode", "Artifact", "data"),
        ("ComputeNode", "Hardware", "machine"),
        ("BuildingDataset", "Action", "activity"),
        ("ProgrammingModel", "ProgrammingLanguage", "concept"),
        ("SpecificationDocument", "Artifact", "file"),
        ("WeatherSimulation", "Activity", "experiment"),
        ("Node", "Artifact", "data"),
        ("Node", "Thing", "machine"),
    ],
)
def test_the_class_tree_decides_before_a_name_does(tmp_path: Path, cls: str, above: str, kind: str) -> None:
    file = tmp_path / "classes.ttl"
    file.write_text(
        f"@prefix hpc: <{HPC}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        f"hpc:{cls} rdfs:subClassOf hpc:{above} . hpc:ProgrammingLanguage rdfs:subClassOf hpc:Thing .\n",
        encoding="utf-8",
    )
    session = session_of(file)
    assert colour_key(session.schema(), NamedNode(f"{HPC}{cls}")) == kind
    session.close()
