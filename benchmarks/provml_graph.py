"""Writes the PROV-ML graph that the large benchmarks use: learning runs of epochs and batches, as N-Triples.

18 triples for each batch of an epoch over three stages, 28 for each epoch, 6 for each run: with 8 runs, 300 epochs and
234 batches 10,176,048.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

RUNS, BATCHES = 8, 234
EPOCHS = {"1/100": 3, "1/10": 30, "1/1": 300}

_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
_PROV = "http://www.w3.org/ns/prov#"
_ML = "https://hpc-fair.github.io/prov-ml#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_BEGAN = datetime(2021, 3, 1, 8, tzinfo=UTC)
BASE = "https://example.org/r/"


def write_graph(path: Path, scale: str) -> int:
    """Write the graph at a scale of `EPOCHS`; returns the number of triples, all distinct."""
    number = 0
    with open(path, "w", encoding="utf-8") as stream:
        for run in range(RUNS):
            for triples in _run(run, EPOCHS[scale]):
                stream.writelines(triples)
                number += len(triples)
    return number


def model_of(scale: str) -> str:
    """The IRI of the last model that the first run trained."""
    return f"{BASE}w0/s0/e{EPOCHS[scale] - 1}/model"


def _node(name: str) -> str:
    return f"<{BASE}{name}>"


def _prov(name: str) -> str:
    return f"<{_PROV}{name}>"


def _double(value: float) -> str:
    return f'"{value:.6f}"^^<{_XSD}double>'


def _time(seconds: float) -> str:
    moment = (_BEGAN + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return f'"{moment}"^^<{_XSD}dateTime>'


def _run(run: int, epochs: int):  # type: ignore[no-untyped-def]
    chance = random.Random(run)
    name = f"w{run}"
    yield [
        f"{_node(name)} {_TYPE} <{_ML}LearningProcessExecution> .\n",
        f'{_node(name)} {_LABEL} "learning run {run}" .\n',
        f"{_node(name + '/data')} {_TYPE} <{_ML}LearningDataset> .\n",
        f'{_node(name + "/data")} {_LABEL} "seismic training set {run}" .\n',
        f"{_node(name + '/data')} {_prov('wasDerivedFrom')} {_node('raw')} .\n",
        f"{_node(name)} {_prov('used')} {_node(name + '/data')} .\n",
    ]
    for stage, kind in enumerate(("Training", "Validation", "Evaluation")):
        for epoch in range(epochs):
            yield _epoch(f"{name}/s{stage}/e{epoch}", name, stage, kind, epoch, chance)


def _epoch(here: str, run: str, stage: int, kind: str, epoch: int, chance: random.Random) -> list[str]:
    one, model, score = _node(here), _node(f"{here}/model"), _node(f"{here}/score")
    trained = _node(f"{run}/s0/e{epoch}/model")
    source = trained if stage else _node(f"{run}/s0/e{epoch - 1}/model") if epoch else _node(f"{run}/data")
    lines = [
        f"{one} {_TYPE} <{_ML}{kind}SectionExecution> .\n",
        f"{one} {_prov('wasInformedBy')} {_node(run)} .\n",
        f"{one} {_prov('used')} {source} .\n",
        f"{one} {_prov('startedAtTime')} {_time(epoch * 80)} .\n",
        f"{score} {_TYPE} <{_ML}ModelEvaluation> .\n",
        f"{score} {_prov('wasGeneratedBy')} {one} .\n",
        f"{score} {_prov('value')} {_double(1 - 0.5 * 0.99**epoch - chance.random() * 0.01)} .\n",
        f'{score} {_LABEL} "accuracy of {here}" .\n',
    ]
    if stage == 0:
        lines += [
            f"{model} {_TYPE} <{_ML}Model> .\n",
            f'{model} {_LABEL} "u-net {here}" .\n',
            f"{model} {_prov('wasGeneratedBy')} {one} .\n",
            f"{model} {_prov('wasDerivedFrom')} {source} .\n",
        ]
    for batch in range(BATCHES):
        part, loss = _node(f"{here}/b{batch}"), _node(f"{here}/b{batch}/loss")
        lines += [
            f"{part} {_TYPE} <{_ML}{kind}SectionExecution> .\n",
            f"{part} {_prov('wasInformedBy')} {one} .\n",
            f"{loss} {_TYPE} <{_ML}ModelEvaluation> .\n",
            f"{loss} {_prov('wasGeneratedBy')} {part} .\n",
            f"{loss} {_prov('value')} {_double(0.7 * 0.995**epoch + chance.random() * 0.05)} .\n",
        ]
        if stage == 0:
            began = epoch * 80 + batch * 0.4
            lines += [
                f"{part} {_prov('startedAtTime')} {_time(began)} .\n",
                f"{part} {_prov('endedAtTime')} {_time(began + 0.3)} .\n",
                f"{part} {_prov('used')} {_node(run + '/data')} .\n",
            ]
    return lines
