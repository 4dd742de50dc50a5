"""The run of seed 004, section 5.4, recorded through the library, and whether it answers as the generated graph does.

What is recorded are the workflows of `provml_graph.py` with the same values, so each of the paper's questions has the
same answers, but for times (those of batches are of the clock here) and the names of files.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from provml_graph import BASE, WORKFLOWS, slices_of

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

PROGRAM = """
import random, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from hpc_explorer import capture
work, epochs = Path(sys.argv[2]), int(sys.argv[3])
capture.configure(folder=work / "spool")
(work / "files").mkdir()
def place(name):
    path = work / "files" / name
    if not path.exists():
        path.write_text(name)
    return path
for which in range(8):
    chance = random.Random(which)
    here = f"w{which}"
    with capture.workflow("salt", persons=[capture.Person("trainer", "ML engineer")]):
        with capture.task("curation", "curation"):
            capture.log_input(place("f3.sgy"), kind="raw", refers_to="https://example.org/r/survey")
            capture.log_output(place(f"{here} curated"), kind="curated")
        for number, stage in enumerate(("training", "validation", "evaluation")):
            with capture.task("preparation", "preparation"):
                capture.log_input(place(f"{here} curated"), kind="curated")
                first = 100 * which + 30 * number
                capture.log_parameter("tile_size", 80)
                capture.log_parameter("noise_filter_threshold", 0.05)
                capture.log_parameter("slice_start", first)
                capture.log_parameter("slice_end", first + 29)
                capture.log_output(place(f"{here} {stage} dataset"), kind="dataset")
        for stage in ("training", "validation", "evaluation"):
            with capture.stage(stage):
                capture.log_input(place(f"{here} {stage} dataset"))
                for name, value in (("batch_size", 32), ("optimizer", "adam"), ("learning_rate", 0.001)):
                    capture.log_parameter(name, value)
                for epoch in capture.epochs(range(epochs)):
                    if stage == "evaluation":
                        capture.log_input(place(f"{here} validation {epoch}"), kind="model")
                    else:
                        capture.log_parameter("learning_rate", float(f"{0.001 * 0.99**epoch:.6f}"))
                        source = place(f"{here} training {epoch}") if stage == "validation" else None
                        capture.log_model(place(f"{here} {stage} {epoch}"), "unet", derived_from=source)
                    accuracy = float(f"{1 - 0.5 * 0.99**epoch - chance.random() * 0.01:.6f}")
                    for batch in capture.batches(range(200)):
                        loss = 0.7 * 0.995**epoch + chance.random() * 0.05
                        capture.log_metric("batch_loss", float(f"{loss:.6f}"))
                        if stage == "training":
                            chance.random()
                    capture.log_metric("accuracy", accuracy)
"""
"""The program that is recorded: arguments are the folder of the source code, a folder for all it makes, and epochs."""

Answers = dict[tuple[str, str], Counter[tuple[str, ...]]]
"""The rows of the answers, by question and what was asked about."""

# How many columns of a question's rows are compared: the further ones are durations.
_COMPARED = {"Q4": 2, "Q5": 5}


def write_survey(generated: Path, file: Path) -> None:
    """Write the survey to a file; no program records it, so it is taken from the generated graph."""
    with open(generated, encoding="utf-8") as lines, open(file, "w", encoding="utf-8") as stream:
        for line in lines:
            if line.startswith(f"<{BASE}survey>"):
                stream.write(line)
            elif line.startswith(f"<{BASE}w0/training/"):
                break


def answers(workspace: Path, epochs: int) -> Answers:
    """The answers to Q1 to Q7 for each workflow; Q1 and Q2 for its first, middle and last model."""
    from hpc_explorer.app.query.questions import ask_question
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.query.questions.library import named_question, shipped_questions
    from hpc_explorer.query.questions.question import Value
    from hpc_explorer.rdf.namespaces import XSD
    from hpc_explorer.rdf.terms import Literal, NamedNode

    with contextlib.closing(Session.new()) as session:
        open_sources(session, [str(workspace)])
        names = _Names(session)
        asked: list[tuple[str, str, dict[str, Value]]] = []
        for which in range(WORKFLOWS):
            for epoch in sorted({0, epochs // 2, epochs - 1}):
                name = f"w{which}/training/e{epoch}/model"
                asked += [(number, name, {"model": NamedNode(names.iri(name))}) for number in ("Q1", "Q2")]
            name = f"w{which}/dataset0"
            asked += [(number, name, {"dataset": NamedNode(names.iri(name))}) for number in ("Q3", "Q4", "Q6")]
            first, last = (Literal(str(number), datatype=XSD.integer) for number in slices_of(which))
            asked += [(number, f"w{which}", {"firstSlice": first, "lastSlice": last}) for number in ("Q5", "Q7")]
        found: Answers = {}
        for number, name, values in asked:
            question = named_question(shipped_questions(), f"prov-ml-{number.lower()}")
            rows = ask_question(session, question, values).table.rows
            found[number, name] = Counter(
                tuple(names.plain("" if term is None else term.value) for term in row[: _COMPARED.get(number)])
                for row in rows
            )
        return found


class _Names:
    """The names that the things of a graph have in the generated one, read from the values of files."""

    def __init__(self, session: Session) -> None:
        self._names: dict[str, str] = {}
        for iri, file in self._rows(session, "?file a ?kind ; prov:value ?value", "?file ?value", "?kind", _FILES):
            if not iri.startswith(BASE):
                self._names[iri] = _of_file(file)
        used = "?stage a ?kind ; prov:used ?data . ?data a provml:LearningDataset"
        for stage, data in self._rows(session, used, "?stage ?data", "?kind", _STAGES):
            if not stage.startswith(BASE):
                which, _, number = self._names[data].partition("/dataset")
                self._names[stage] = f"{which}/{('training', 'validation', 'evaluation')[int(number)]}"
        self._iris = {name: iri for iri, name in self._names.items()}

    @staticmethod
    def _rows(session: Session, where: str, columns: str, kind: str, kinds: str) -> list[tuple[str, str]]:
        first, second = columns.replace("?", "").split()
        rows = session.store.select(f"{_PREFIXES} SELECT {columns} WHERE {{ VALUES {kind} {{ {kinds} }} {where} }}")
        return [(row[first].value, row[second].value) for row in rows]

    def iri(self, name: str) -> str:
        """The IRI in this graph."""
        return self._iris.get(name, f"{BASE}{name}")

    def plain(self, value: str) -> str:
        """A value as text: an IRI by the name in the generated graph, a number rounded."""
        if value in self._names:
            return self._names[value]
        if value.endswith("/f3.sgy"):  # the file lies elsewhere
            return "f3.sgy"
        stage, is_epoch, number = value.partition("/epoch:")
        if is_epoch and stage in self._names:
            return f"{self._names[stage]}/e{number}"
        try:
            return f"{float(value):.9g}"
        except ValueError:
            return value.removeprefix(BASE)


_PREFIXES = """PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX provml: <https://example.org/provml#>
PREFIX provlake: <https://example.org/provlake#>"""
_FILES = "provml:Model provml:LearningDataset provml:RawDomainData provml:CuratedDomainData"
_STAGES = "provml:TrainingExecution provml:ValidationExecution provml:EvaluationExecution"


def _of_file(path: str) -> str:
    """The name in the generated graph of a recorded file."""
    which, *rest = path.rpartition("/")[2].split(" ")
    if not rest:
        return "raw"
    if rest[-1] == "dataset":
        return f"{which}/dataset{('training', 'validation', 'evaluation').index(rest[0])}"
    return f"{which}/{rest[0]}/e{rest[1]}/model" if len(rest) == 2 else f"{which}/{rest[0]}"
