"""Writes the PROV-ML graph that the large benchmarks use, as N-Triples.

It has the shape of the synthetic data of seed 004, section 5.4 (Souza et al.): parallel learning workflows on one
seismic survey, each with curation, preparation, and three learning stages of epochs and batches. With 8 workflows, 300
epochs and 200 batches it has 10,168,890 triples, as in the paper: 21 for each batch of an epoch over the stages, 36 for
each epoch, 300 for each workflow, 90 for what they share. The scales 3/1 and 10/1 have more such workflows.

*Without PROV-ML* the triples are the same, but each class of PROV-ML is the class of PROVLake or PROV above it; what is
what is told then by the tags of the prospective part alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

WORKFLOWS, BATCHES = 8, 200
EPOCHS = {"1/100": 3, "1/10": 30, "1/1": 300, "3/1": 300, "10/1": 300}
MORE = {"3/1": 3, "10/1": 10}
"""How many times as many workflows the largest scales have."""

BASE = "https://example.org/r/"

_PROV = "http://www.w3.org/ns/prov#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_NAMESPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "prov": _PROV,
    "lake": "https://example.org/provlake#",
    "ml": "https://example.org/provml#",
    "mls": "http://www.w3.org/ns/mls#",
    "dom": "https://example.org/dom#",
}
_BEGAN = datetime(2021, 3, 1, 8, tzinfo=UTC)

# What each class of PROV-ML is without it.
_ABOVE = {
    "Study": "lake:Project",
    "LearningExperiment": "lake:Workflow",
    "LearningProcessExecution": "lake:WorkflowExecution",
    "Persona": "prov:Agent",
    **dict.fromkeys(("Algorithm", "Software", "Implementation"), "prov:Entity"),
    **dict.fromkeys(("Training", "Validation", "Evaluation", "LearningStageSection"), "lake:DataTransformation"),
    **dict.fromkeys(
        (
            "LearningTask",
            "ModelSchema",
            "LearningHyperparameter",
            "ModelProspection",
            "EvaluationMeasure",
            "LearningDatasetReference",
            "DatasetCharacteristic",
        ),
        "lake:Attribute",
    ),
    **{
        f"{stage}{section}Execution": "lake:DataTransformationExecution"
        for stage in ("Training", "Validation", "Evaluation")
        for section in ("", "Section")
    },
}
_STAGES = ("Training", "Validation", "Evaluation")


def write_graph(path: Path, scale: str, *, with_provml: bool = True) -> int:
    """Write the graph at a scale of `EPOCHS`; returns the number of triples, all distinct."""
    terms = _Terms(with_provml)
    workflows = WORKFLOWS * MORE.get(scale, 1)
    number = 0
    with open(path, "w", encoding="utf-8") as stream:
        for lines in (_shared(terms), *(_workflow(terms, which, EPOCHS[scale]) for which in range(workflows))):
            for piece in lines:
                stream.writelines(piece)
                number += len(piece)
    return number


def model_of(scale: str) -> str:
    """The IRI of the last model that the first workflow trained."""
    return f"{BASE}w0/training/e{EPOCHS[scale] - 1}/model"


def epoch_of(workflow: int, stage: int, epoch: int) -> str:
    """The IRI of an epoch of a stage (0 training, 1 validation, 2 evaluation)."""
    return f"{BASE}w{workflow}/{_STAGES[stage].lower()}/e{epoch}"


def slices_of(workflow: int) -> tuple[int, int]:
    """The first and last seismic slice that the training data of a workflow was made from."""
    return 100 * workflow, 100 * workflow + 29


@dataclass(frozen=True)
class _Terms:
    """Writes statements from prefixed names; a name without a prefix is a resource of the graph."""

    with_provml: bool

    def iri(self, name: str) -> str:
        prefix, colon, local = name.partition(":")
        if colon and prefix == "ml" and not self.with_provml:
            return self.iri(_ABOVE.get(local, "lake:AttributeValue"))
        return f"<{_NAMESPACES[prefix]}{local}>" if colon else f"<{BASE}{name}>"

    def about(self, subject: str, *statements: tuple[str, str]) -> list[str]:
        """The triples of one subject; an object that begins with a quote is a literal as it stands."""
        return [
            f"{self.iri(subject)} {self.iri('rdf:type' if predicate == 'a' else predicate)} "
            f"{value if value.startswith(chr(34)) else self.iri(value)} .\n"
            for predicate, value in statements
        ]


def _text(value: str) -> str:
    return f'"{value}"'


def _integer(value: int) -> str:
    return f'"{value}"^^<{_XSD}integer>'


def _double(value: float) -> str:
    return f'"{value:.6f}"^^<{_XSD}double>'


def _time(seconds: float) -> str:
    moment = (_BEGAN + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return f'"{moment}"^^<{_XSD}dateTime>'


def _shared(terms: _Terms) -> Iterator[list[str]]:
    """What all workflows share: the study, the people, what was planned, and the survey."""
    lines: list[str] = []

    def say(subject: str, *statements: tuple[str, str]) -> None:
        lines.extend(terms.about(subject, *statements))

    def named(subject: str, cls: str, label: str, *more: tuple[str, str]) -> None:
        say(subject, ("a", cls), ("rdfs:label", _text(label)), *more)

    named("study", "ml:Study", "salt identification")
    named("experiment", "ml:LearningExperiment", "stratigraphic classifier", ("lake:isPartOf", "study"))
    named("task", "ml:LearningTask", "Classification")
    named("algorithm", "ml:Algorithm", "U-Net")
    named("software", "ml:Software", "PyTorch 1.1")
    named("schema", "ml:ModelSchema", "unet-23-layers")
    named("geoscientist", "ml:Persona", "geoscientist")
    named("engineer", "ml:Persona", "ML engineer")
    named("gpfs", "lake:DataStoreInstance", "GPFS")
    named("triplestore", "lake:DataStoreInstance", "TripleStore")
    for name, cls, label, tag in (
        ("curation", "lake:DataTransformation", "Curation", "Data Curation"),
        ("preparation", "lake:DataTransformation", "Preparation", "Learning Data Preparation"),
        *((stage.lower(), f"ml:{stage}", stage, stage) for stage in _STAGES),
        ("epoch", "ml:LearningStageSection", "Epoch Execution", "Section"),
        ("batch", "ml:LearningStageSection", "Batch Execution", "Section"),
        ("rate", "ml:LearningHyperparameter", "learning_rate", "Hyperparameter"),
        ("batchsize", "ml:LearningHyperparameter", "batch_size", "Hyperparameter"),
        ("optimizer", "ml:LearningHyperparameter", "optimizer", "Hyperparameter"),
        ("unet", "ml:ModelProspection", "unet", "Model"),
        ("accuracy", "ml:EvaluationMeasure", "accuracy", "Model Evaluation"),
        ("batchloss", "ml:EvaluationMeasure", "batch_loss", "Batch Loss"),
        ("dataset", "ml:LearningDatasetReference", "learning_dataset", "Learning Dataset"),
        ("instances", "ml:DatasetCharacteristic", "n_instances", "Dataset Characteristic"),
    ):
        named(name, cls, label, ("lake:tag", _text(tag)))
    for name in ("tile_size", "noise_filter_threshold", "slice_start", "slice_end", "seismic_file", "curated_seismic"):
        named(name, "lake:Attribute", name)
    say(
        "survey",
        ("a", "dom:SeismicSurvey"),
        ("dom:coordinates", _text("POLYGON((4.5 52.8,4.9 52.8,4.9 53.1,4.5 53.1,4.5 52.8))")),
        ("dom:oilBasin", _text("North Sea")),
        ("dom:oilField", _text("F3")),
        ("dom:sliceCount", _integer(951)),
    )
    say(
        "raw",
        ("a", "lake:DataReference"),
        ("prov:value", _text("gpfs:/f3.sgy")),
        ("prov:wasDerivedFrom", "seismic_file"),
        ("lake:isInStore", "gpfs"),
        ("lake:refersTo", "survey"),
    )
    for number in range(90 - len(lines)):
        say("study", ("lake:tag", _text(f"keyword {number}")))
    yield lines


def _workflow(terms: _Terms, which: int, epochs: int) -> Iterator[list[str]]:
    chance = random.Random(which)
    here = f"w{which}"
    duration = epochs * BATCHES * 0.4 + 100
    yield _setting(terms, which, duration)
    for stage in range(3):
        clock = 200 + stage * duration
        for epoch in range(epochs):
            yield _epoch(terms, here, stage, epoch, chance)
            lines, clock = _batches(terms, here, stage, epoch, chance, clock)
            yield lines


def _setting(terms: _Terms, which: int, duration: float) -> list[str]:
    """A workflow's data and what it ran on, before its first epoch."""
    here = f"w{which}"
    lines: list[str] = []

    def say(subject: str, *statements: tuple[str, str]) -> None:
        lines.extend(terms.about(subject, *statements))

    def between(begin: float, end: float) -> tuple[tuple[str, str], tuple[str, str]]:
        return ("prov:startedAtTime", _time(begin)), ("prov:endedAtTime", _time(end))

    def value(subject: str, cls: str, of: str, text: str, *more: tuple[str, str]) -> None:
        say(subject, ("a", cls), ("prov:value", text), ("prov:wasDerivedFrom", of), *more)

    say(
        here,
        ("a", "ml:LearningProcessExecution"),
        ("rdfs:label", _text(f"run {which}")),
        ("prov:wasInfluencedBy", "experiment"),
        ("prov:wasAssociatedWith", "engineer"),
        *between(200, 200 + 3 * duration),
    )
    say(
        f"{here}/curation",
        ("a", "lake:DataTransformationExecution"),
        ("prov:wasInfluencedBy", "curation"),
        ("prov:used", "raw"),
        ("prov:wasAssociatedWith", "geoscientist"),
        *between(0, 60),
    )
    curated = f"{here}/curated"
    made = ("prov:wasGeneratedBy", f"{here}/curation")
    store = ("lake:isInStore", "triplestore")
    value(curated, "lake:DataReference", "curated_seismic", _text(f"mongo:/curated/{which}"), made, store)
    for number, stage in enumerate(_STAGES):
        preparation, dataset = f"{here}/preparation{number}", f"{here}/dataset{number}"
        executed = f"{here}/{stage.lower()}"
        first, _ = slices_of(which)
        say(
            preparation,
            ("a", "lake:DataTransformationExecution"),
            ("prov:wasInfluencedBy", "preparation"),
            ("prov:used", curated),
            *between(60 + number, 70 + number),
        )
        for name, text in (
            ("tile_size", _integer(80)),
            ("noise_filter_threshold", _double(0.05)),
            ("slice_start", _integer(first + 30 * number)),
            ("slice_end", _integer(first + 30 * number + 29)),
        ):
            value(f"{preparation}/{name}", "lake:AttributeValue", name, text)
            say(preparation, ("prov:used", f"{preparation}/{name}"))
        made = ("prov:wasGeneratedBy", preparation)
        place = _text(f"gpfs:/ds/{which}/{stage.lower()}.h5")
        value(dataset, "ml:LearningDataset", "dataset", place, made, ("lake:isInStore", "gpfs"))
        characteristic = ("lake:isCharacteristicOf", dataset)
        value(
            f"{dataset}/instances",
            "ml:DatasetCharacteristicValue",
            "instances",
            _integer(9000 + number),
            characteristic,
        )
        say(
            executed,
            ("a", f"ml:{stage}Execution"),
            ("prov:wasInformedBy", here),
            ("prov:wasInfluencedBy", stage.lower()),
            ("prov:used", dataset),
            ("prov:wasAssociatedWith", "engineer"),
            *between(200 + number * duration, 200 + (number + 1) * duration),
        )
        for name, text in (("batchsize", _integer(32)), ("optimizer", _text("adam")), ("rate", _double(0.001))):
            value(f"{executed}/{name}", "ml:LearningHyperparameterValue", name, text)
            say(executed, ("prov:used", f"{executed}/{name}"))
    implementation = f"{here}/implementation"
    say(
        implementation,
        ("a", "ml:Implementation"),
        ("rdfs:label", _text("torch unet")),
        ("mls:implements", "algorithm"),
        ("lake:isPartOf", "software"),
    )
    say(here, ("mls:executes", implementation))
    for number in range((300 - len(lines)) // 4):
        fact = f"{implementation}/fact{number}"
        say(
            fact,
            ("a", "ml:ImplementationCharacteristic"),
            ("rdfs:label", _text(f"environment {number}")),
            ("prov:value", _text(f"value {number}")),
        )
        say(implementation, ("mls:hasQuality", fact))
    for number in range(300 - len(lines)):
        say(here, ("lake:tag", _text(f"tag {number}")))
    return lines


def _epoch(terms: _Terms, here: str, stage: int, epoch: int, chance: random.Random) -> list[str]:
    executed = f"{here}/{_STAGES[stage].lower()}"
    one = f"{executed}/e{epoch}"
    generated = ("prov:wasGeneratedBy", one)
    lines = terms.about(
        one,
        ("a", f"ml:{_STAGES[stage]}SectionExecution"),
        ("prov:wasInformedBy", executed),
        ("prov:wasInfluencedBy", "epoch"),
    )
    if stage < 2:
        source = f"{here}/training/e{epoch}/model" if stage else "unet"
        lines += terms.about(
            f"{one}/rate",
            ("a", "ml:ModelHyperparameterValue"),
            generated,
            ("prov:value", _double(0.001 * 0.99**epoch)),
            ("prov:wasDerivedFrom", "rate"),
        )
        lines += terms.about(f"{one}/model", ("a", "ml:Model"), generated, ("prov:wasDerivedFrom", source))
    else:
        lines += terms.about(one, ("prov:used", f"{here}/validation/e{epoch}/model"))
    return lines + terms.about(
        f"{one}/accuracy",
        ("a", "ml:ModelEvaluation"),
        generated,
        ("prov:value", _double(1 - 0.5 * 0.99**epoch - chance.random() * 0.01)),
        ("prov:wasDerivedFrom", "accuracy"),
    )


def _batches(
    terms: _Terms, here: str, stage: int, epoch: int, chance: random.Random, clock: float
) -> tuple[list[str], float]:
    """The batches of an epoch, and when the last one ended (seconds). Nearly all triples are made here."""
    executed = f"{here}/{_STAGES[stage].lower()}"
    kind, loss_kind = terms.iri(f"ml:{_STAGES[stage]}SectionExecution"), terms.iri("ml:ModelEvaluation")
    is_a, informed, generated = terms.iri("rdf:type"), terms.iri("prov:wasInformedBy"), terms.iri("prov:wasGeneratedBy")
    value, started, ended = terms.iri("prov:value"), terms.iri("prov:startedAtTime"), terms.iri("prov:endedAtTime")
    settings = "".join(
        f"\0 {terms.iri(predicate)} {terms.iri(value)} .\n\1"
        for predicate, value in (
            ("prov:wasInfluencedBy", "batch"),
            ("prov:used", f"{executed}/batchsize"),
            ("prov:used", f"{executed}/rate"),
        )
    )
    measures = f"{terms.iri('prov:wasDerivedFrom')} {terms.iri('batchloss')} .\n"
    one = terms.iri(f"{executed}/e{epoch}")
    lines: list[str] = []
    for batch in range(BATCHES):
        part, loss = f"{one[:-1]}/b{batch}>", f"{one[:-1]}/b{batch}/loss>"
        lines += (
            f"{part} {is_a} {kind} .\n",
            f"{part} {informed} {one} .\n",
            f"{loss} {is_a} {loss_kind} .\n",
            f"{loss} {generated} {part} .\n",
            f"{loss} {value} {_double(0.7 * 0.995**epoch + chance.random() * 0.05)} .\n",
        )
        if stage == 0:
            lines.append(f"{part} {started} {_time(clock)} .\n")
            clock += 0.3 + chance.random() * 0.1
            lines.append(f"{part} {ended} {_time(clock)} .\n")
            lines += settings.replace("\0", part).split("\1")[:-1]
            lines.append(f"{loss} {measures}")
    return lines, clock
