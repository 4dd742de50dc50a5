"""The statements of a spool's records, in PROV-ML, PROVLake and PROV-O, as N-Triples.

Each record's statements depend on that record alone. Records may therefore be read in any order, twice, or in parts,
and give the same graph. A thing's IRI is made from:

    urn:hpc-explorer:run:NAME.RUN/stage:training.1/epoch:3     an activity: the run and its path
    …/metric:loss.0   …/parameter:learning_rate.0              a value: its activity, name and number
    urn:hpc-explorer:file:SHA256:/path/of/the/file             a file: its checksum and path
    urn:hpc-explorer:workflow:NAME/attribute:loss              the plan: the workflow's name and the attribute's

Equal values are different things: the learning rates of two runs have two IRIs.

| record | statements (seed 004, section 4 and Table 2) |
|---|---|
| `run` | a LearningProcessExecution's or WorkflowExecution's plan, persons, implementation with characteristics |
| `begin`, `end`, `batch` | an execution of a stage, of a section, or of a data transformation, and its times |
| `metric` | a ModelEvaluation; in a task an AttributeValue |
| `parameter` | a hyperparameter that a stage or workflow used, or that a section set; in a task an AttributeValue |
| `file` | a LearningDataset, FeatureSetData, Model or DataReference, used or generated |
| `specification` | the workflow's transformations and attributes |
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import blake2b
from typing import Any
from urllib.parse import quote, unquote

from hpc_explorer.capture.records import KINDS
from hpc_explorer.capture.spool import Record

RUN = "urn:hpc-explorer:run:"
PLAN = "urn:hpc-explorer:workflow:"
FILE = "urn:hpc-explorer:file:"

_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
_COMMENT = "<http://www.w3.org/2000/01/rdf-schema#comment>"
_XSD = "http://www.w3.org/2001/XMLSchema#"


def _prov(name: str) -> str:
    return f"<http://www.w3.org/ns/prov#{name}>"


def _lake(name: str) -> str:
    return f"<https://example.org/provlake#{name}>"


def _ml(name: str) -> str:
    return f"<https://example.org/provml#{name}>"


def _mls(name: str) -> str:
    return f"<http://www.w3.org/ns/mls#{name}>"


_INFORMED, _INFLUENCED, _DERIVED = _prov("wasInformedBy"), _prov("wasInfluencedBy"), _prov("wasDerivedFrom")
_GENERATED, _USED, _VALUE = _prov("wasGeneratedBy"), _prov("used"), _prov("value")
_STARTED, _ENDED, _AT = _prov("startedAtTime"), _prov("endedAtTime"), _prov("generatedAtTime")
_TAG, _PART = _lake("tag"), _lake("isPartOf")

_STAGE_NAMES = {"training": "Training", "validation": "Validation", "evaluation": "Evaluation"}
_FILE_KINDS = {
    "raw": (_ml("RawDomainData"), _lake("Attribute"), "Raw Data"),
    "curated": (_ml("CuratedDomainData"), _lake("Attribute"), "Curated Data"),
    "dataset": (_ml("LearningDataset"), _ml("LearningDatasetReference"), "Learning Dataset"),
    "features": (_ml("FeatureSetData"), _ml("FeatureSet"), "Feature Set"),
    "model": (_ml("Model"), _ml("ModelProspection"), "Model"),
    "file": (_lake("DataReference"), _lake("Attribute"), ""),
}
_REPEATING = frozenset({"run", "surroundings", "specification", "file"})
"""The kinds of records that state what others state too."""

_MEASURE = (_ml("EvaluationMeasure"), "Model Evaluation")
_PLAIN_ATTRIBUTE = (_lake("Attribute"), "")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ESCAPED = re.compile('[\\x00-\\x1f\\x7f"\\\\\ud800-\udfff]')


class UnknownRecord(Exception):
    """A record of a kind that this program does not know, or whose items are of another form."""


class ProvMlStatements:
    """Turns records into N-Triples.

    Statements about plans, which many records share, are given once. `lost` counts records that the recorder reported
    as not written, by reason.
    """

    def __init__(self) -> None:
        self.lost: dict[str, int] = {}
        self._given: set[str] = set()
        self._lines: set[bytes] = set()

    def lines(self, records: Iterable[Record]) -> Iterator[str]:
        """The statements of records, one text with several lines for each.

        Raises:
            UnknownRecord: a record cannot be read; the iterator ends, so use `of` for single records.
        """
        for record in records:
            yield self.of(record)

    def of(self, record: Record) -> str:
        """The statements of a record, each a line.

        Raises:
            UnknownRecord: it cannot be read.
        """
        kind = record[0]
        if kind not in KINDS:
            raise UnknownRecord(f"unknown record {kind[:40]!r}")
        try:
            text = str(getattr(self, f"_{kind}")(*record[1:]))
            return self._once(text) if kind in _REPEATING else text
        except (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError) as error:
            raise UnknownRecord(f"a record {kind!r} of another form ({error})") from None

    def _once(self, text: str) -> str:
        """Those of some statements that were not given before: a file without repetitions loads in half of the time."""
        new: list[str] = []
        for line in text.split("\n"):
            digest = blake2b(line.encode(), digest_size=16).digest()
            if line and digest not in self._lines:
                self._lines.add(digest)
                new.append(f"{line}\n")
        return "".join(new)

    # Activities

    def _run(self, path: str, time: int, details: Mapping[str, Any]) -> str:
        run = path.partition("/")[0]
        activity, plan = f"<{RUN}{run}>", f"<{PLAN}{_workflow(run)}>"
        label = f"{details['name']}, run {run.rpartition('.')[2]}"
        out = [self._plan(run)]
        out.append(f"{activity} {_TYPE} {_lake('WorkflowExecution')} .\n{activity} {_INFLUENCED} {plan} .\n")
        out.append(f"{activity} {_LABEL} {_text(label)} .\n")
        if path == run or path.endswith("/rank:0"):
            out.append(f"{activity} {_STARTED} {_time(time)} .\n")
        if path != run:
            out.append(_section(path, _lake("DataTransformationExecution"), _name(path)))
            out.append(f"<{RUN}{path}> {_STARTED} {_time(time)} .\n")
        if description := details.get("description"):
            out.append(f"{activity} {_COMMENT} {_text(description)} .\n")
        if within := details.get("within"):
            out.append(f"{activity} {_INFORMED} <{RUN}{_iri(_without_process(within))}> .\n")
        if study := details.get("study"):
            project = f"<urn:hpc-explorer:study:{_part(study)}>"
            out.append(f"{project} {_TYPE} {_ml('Study')} .\n{project} {_LABEL} {_text(study)} .\n")
            out.append(f"{plan} {_PART} {project} .\n")
        if task := details.get("learning task"):
            attribute = f"<{PLAN}{_workflow(run)}/task:{_part(task)}>"
            out.append(f"{attribute} {_TYPE} {_ml('LearningTask')} .\n{attribute} {_LABEL} {_text(task)} .\n")
        for person in details.get("persons", ()):
            out.append(_person(activity, person))
        job = {f"job {name}": value for name, value in details.get("job", {}).items()}
        ranks = {"ranks": details["ranks"]} if "ranks" in details else {}
        out.append(_characteristics(path, {**details.get("process", {}), **job, **ranks}))
        return "".join(out)

    def _surroundings(self, path: str, commit: Mapping[str, str], software: Mapping[str, str]) -> str:
        out = [_characteristics(path, commit)]
        implementation = f"<{RUN}{path}/implementation>"
        for name, version in software.items():
            package = f"<urn:hpc-explorer:software:{_part(name)}:{_part(version)}>"
            out.append(f"{package} {_TYPE} {_ml('Software')} .\n{package} {_LABEL} {_text(f'{name} {version}')} .\n")
            out.append(f"{package} <http://schema.org/softwareVersion> {_text(version)} .\n")
            out.append(f"{implementation} {_PART} {package} .\n")
        return "".join(out)

    def _begin(self, path: str, time: int, details: Mapping[str, Any]) -> str:
        return self._execution(path, details) + f"<{RUN}{path}> {_STARTED} {_time(time)} .\n"

    def _end(self, path: str, time: int, error: str | None) -> str:
        out = f"<{RUN}{path}> {_ENDED} {_time(time)} .\n"
        run, _, rest = path.partition("/")
        if rest == "rank:0":
            out += f"<{RUN}{run}> {_ENDED} {_time(time)} .\n"
        return out + _failure(path, error)

    def _batch(self, path: str, begun: int, ended: int, error: str | None) -> str:
        """The IRI of a batch has its number, so it needs no name."""
        above = _above(path.rpartition("/")[0])
        plan = f"{above.plan}/batch"
        out = "" if error is None else _failure(path, error)
        if plan not in self._given:
            out += self._step_plan(plan, above.plan, "Batch Execution", "Section")
        activity = f"<{RUN}{path}>"
        return (
            f"{out}{activity} {_TYPE} {above.section} .\n{activity} {_INFORMED} <{RUN}{above.activity}> .\n"
            f"{activity} {_INFLUENCED} <{plan}> .\n"
            f"{activity} {_STARTED} {_time(begun)} .\n{activity} {_ENDED} {_time(ended)} .\n"
        )

    def _execution(self, path: str, details: Mapping[str, Any]) -> str:
        """A stage, an epoch or a task, and its plan."""
        whole, _, part = path.rpartition("/")
        above = _above(whole)
        kind, _, name = part.partition(":")
        run = path.partition("/")[0]
        label = str(details.get("name") or _name(path))
        out = [self._plan(run)]
        if kind == "stage":
            stage = name.partition(".")[0]
            plan = f"{PLAN}{_workflow(run)}/stage:{stage}"
            if plan not in self._given:
                names = (stage.capitalize(), _STAGE_NAMES[stage])
                out.append(self._step_plan(plan, f"{PLAN}{_workflow(run)}", *names, cls=_ml(_STAGE_NAMES[stage])))
            out.append(self._once(f"<{RUN}{run}> {_TYPE} {_ml('LearningProcessExecution')} .\n"))
            cls = _ml(f"{_STAGE_NAMES[stage]}Execution")
        elif kind == "task":
            plan = f"{PLAN}{_workflow(run)}/task:{name.rpartition('.')[0]}"
            tag = str(details.get("tag") or "")
            if plan + tag not in self._given:
                self._given.add(plan + tag)
                out.append(self._step_plan(plan, f"{PLAN}{_workflow(run)}", label, tag, cls=_task_plan(tag)))
            cls = (
                _ml("FeatureExtractionExecution")
                if tag == "Feature Extraction"
                else _lake("DataTransformationExecution")
            )
        else:
            plan = f"{above.plan}/epoch"
            if plan not in self._given:
                out.append(self._step_plan(plan, above.plan, "Epoch Execution", "Section"))
            cls = above.section
        if "/rank:" in path and kind != "epoch":
            label += f" ({_rank(path)})"
        out.append(_section(path, cls, label))
        out.append(f"<{RUN}{path}> {_INFLUENCED} <{plan}> .\n")
        return "".join(out)

    # Values

    def _metric(self, path: str, name: str, value: Any, number: int, time: int, step: int | None) -> str:
        part = _part(name)
        entity = f"<{RUN}{path}/metric:{part}.{number}>"
        above = _above(path)
        out = f"{entity} {_TYPE} {_ml('ModelEvaluation') if above.learns else _lake('AttributeValue')} .\n"
        if step is not None:
            out += f"{entity} <http://schema.org/position> {_literal(step)} .\n"
        if above.kind != "batch":  # a batch has its own times
            out += f"{entity} {_AT} {_time(time)} .\n"
        attribute = f"{PLAN}{_workflow(path)}/attribute:{part}"
        planned = _MEASURE if above.learns else _PLAIN_ATTRIBUTE
        if attribute + planned[0] not in self._given:
            out += self._attribute(attribute, name, *planned)
        return (
            f"{out}{entity} {_GENERATED} <{RUN}{above.activity}> .\n{entity} {_VALUE} {_literal(value)} .\n"
            f"{entity} {_DERIVED} <{attribute}> .\n"
        )

    def _parameter(self, path: str, name: str, value: Any, number: int, kind: str) -> str:
        part = _part(name)
        above = _above(path)
        activity, entity = f"<{RUN}{above.activity}>", f"<{RUN}{path}/parameter:{part}.{number}>"
        attribute = f"{PLAN}{_workflow(path)}/attribute:{part}"
        out = ""
        if kind != "hyperparameter":
            cls, planned, link = _lake("AttributeValue"), _PLAIN_ATTRIBUTE, f"{activity} {_USED} {entity}"
        else:
            planned = (_ml("LearningHyperparameter"), "Hyperparameter")
            if above.kind in ("epoch", "batch"):  # the section has set it
                cls, link = _ml("ModelHyperparameterValue"), f"{entity} {_GENERATED} {activity}"
            else:
                cls, link = _ml("LearningHyperparameterValue"), f"{activity} {_USED} {entity}"
        if attribute + planned[0] not in self._given:
            out = self._attribute(attribute, name, *planned)
        return (
            f"{out}{entity} {_TYPE} {cls} .\n{entity} {_LABEL} {_text(f'{name} = {value}'[:200])} .\n"
            f"{link} .\n{entity} {_VALUE} {_literal(value)} .\n"
            f"{entity} {_DERIVED} <{attribute}> .\n"
        )

    def _file(self, path: str, role: str, details: Mapping[str, Any]) -> str:
        above = _above(path)
        entity = _file_iri(path, details)
        if role == "characteristic":
            return self._characteristic(path, entity, details)
        plain = bool(details.get("plain"))
        cls, planned, tag = _FILE_KINDS[details.get("kind") or ("file" if plain else "dataset")]
        place = str(details.get("path") or details.get("address") or "")
        memory = "memory" in details
        name = str(details.get("name") or "")
        out = [f"{entity} {_TYPE} {cls} .\n"]
        out.append(f"{entity} {_LABEL} {_text((name or 'model') if memory else _file_name(place))} .\n")
        if not memory:
            out.append(f"{entity} {_VALUE} {_text(place)} .\n")
        if "sha256" in details:
            out.append(f"{entity} <http://schema.org/sha256> {_text(details['sha256'])} .\n")
        if "size" in details:
            out.append(f"{entity} <http://www.w3.org/ns/dcat#byteSize> {_literal(details['size'])} .\n")
        if details.get("format"):
            out.append(f"{entity} <http://schema.org/encodingFormat> {_text(details['format'])} .\n")
        if details.get("note"):
            out.append(f"{entity} {_COMMENT} {_text(details['note'])} .\n")
        if details.get("refers to"):
            out.append(f"{entity} {_lake('refersTo')} <{_iri(details['refers to'])}> .\n")
        activity = f"<{RUN}{above.activity}>"
        if role == "input":
            out.append(f"{activity} {_USED} {entity} .\n")
        else:
            out.append(f"{entity} {_GENERATED} {activity} .\n{entity} {_AT} {_time(details['time'])} .\n")
        source = details.get("source")
        if source:
            out.append(f"{entity} {_DERIVED} {_file_iri(path, source)} .\n")
        slot = name
        if not slot and cls == _FILE_KINDS["dataset"][0]:
            slot = "learning dataset"
        elif not slot and role == "model":
            slot = "model"
        if slot and not source:
            attribute = f"{PLAN}{_workflow(path)}/attribute:{_part(slot)}"
            out.append(self._attribute(attribute, slot, planned, tag))
            out.append(f"{entity} {_DERIVED} <{attribute}> .\n")
        if details.get("algorithm"):
            run = path.partition("/")[0]
            algorithm = f"<urn:hpc-explorer:algorithm:{_part(details['algorithm'])}>"
            implementation = f"<{RUN}{run}/implementation>"
            out.append(f"{algorithm} {_TYPE} {_ml('Algorithm')} .\n")
            out.append(f"{algorithm} {_LABEL} {_text(details['algorithm'])} .\n")
            out.append(f"{implementation} {_mls('implements')} {algorithm} .\n")
        return "".join(out)

    def _characteristic(self, path: str, entity: str, details: Mapping[str, Any]) -> str:
        name = str(details["name"])
        part = _part(name)
        value = f"<{entity[1:-1]}/characteristic:{part}>"
        attribute = f"{PLAN}{_workflow(path)}/attribute:{part}"
        out = (
            f"{value} {_TYPE} {_ml('DatasetCharacteristicValue')} .\n{value} {_VALUE} {_literal(details['value'])} .\n"
        )
        out += f"{value} {_lake('isCharacteristicOf')} {entity} .\n{value} {_DERIVED} <{attribute}> .\n"
        return out + self._attribute(attribute, name, _ml("DatasetCharacteristic"), "Dataset Characteristic")

    def _lost(self, number: int, why: str) -> str:
        self.lost[why] = self.lost.get(why, 0) + int(number)
        return ""

    # Plans

    def _plan(self, run: str) -> str:
        name = _workflow(run)
        plan = f"{PLAN}{name}"
        if plan in self._given:
            return ""
        self._given.add(plan)
        return f"<{plan}> {_TYPE} {_ml('LearningExperiment')} .\n<{plan}> {_LABEL} {_text(unquote(name))} .\n"

    def _step_plan(self, plan: str, whole: str, label: str, tag: str, cls: str = _ml("LearningStageSection")) -> str:
        self._given.add(plan)
        tagged = f"<{plan}> {_TAG} {_text(tag)} .\n" if tag else ""
        return f"<{plan}> {_TYPE} {cls} .\n<{plan}> {_LABEL} {_text(label)} .\n{tagged}<{plan}> {_PART} <{whole}> .\n"

    def _attribute(self, attribute: str, name: str, cls: str, tag: str) -> str:
        if attribute + cls in self._given:
            return ""
        self._given.add(attribute + cls)
        tagged = f"<{attribute}> {_TAG} {_text(tag)} .\n" if tag else ""
        return f"<{attribute}> {_TYPE} {cls} .\n<{attribute}> {_LABEL} {_text(name)} .\n{tagged}"

    def _specification(self, run: str, plan: Mapping[str, Any]) -> str:
        name = _workflow(run)
        whole = f"{PLAN}{name}"
        out = [self._plan(run)]
        if plan.get("problem"):
            problem = f"its specification cannot be read: {plan['problem']}"
            out.append(f"<{whole}> {_COMMENT} {_text(problem)} .\n")
        if plan.get("description"):
            out.append(f"<{whole}> {_COMMENT} {_text(plan['description'])} .\n")
        for step_name, step in plan.get("transformations", {}).items():
            step_iri = f"{whole}/task:{_part(step_name)}"
            out.append(
                self._step_plan(step_iri, whole, step_name, step.get("tag", ""), cls=_task_plan(step.get("tag", "")))
            )
            if step.get("description"):
                out.append(f"<{step_iri}> {_COMMENT} {_text(step['description'])} .\n")
            for attribute in (*step.get("inputs", ()), *step.get("outputs", ())):
                iri = f"{whole}/attribute:{_part(attribute['name'])}"
                out.append(f"<{iri}> {_TYPE} {_lake('Attribute')} .\n<{iri}> {_LABEL} {_text(attribute['name'])} .\n")
                out.append(f"<{iri}> {_PART} <{step_iri}> .\n")
                for key in ("description", "type", "semantics"):
                    if attribute.get(key):
                        said = attribute[key] if key == "description" else f"{key}: {attribute[key]}"
                        out.append(f"<{iri}> {_COMMENT} {_text(said)} .\n")
        return "".join(out)


class _Above:
    """What an activity is, by its path.

    Attributes:
        activity: its path without ranks and processes at the end, as values and sections refer to it.
        kind: `run`, `task`, `stage`, `epoch` or `batch`.
        learns: whether it belongs to learning.
        section: the class of its sections.
        plan: the IRI of its plan.
    """

    def __init__(self, path: str) -> None:
        self.activity = _without_process(path)
        parts = self.activity.split("/")
        self.kind = parts[-1].partition(":")[0] if len(parts) > 1 else "run"
        stage = next((part for part in reversed(parts) if part.startswith("stage:")), "")
        self.learns = self.kind != "task" and not any(part.startswith("task:") for part in parts[1:])
        workflow = f"{PLAN}{_workflow(path)}"
        if stage:
            name = stage[6:].partition(".")[0]
            self.section = _ml(f"{_STAGE_NAMES[name]}SectionExecution")
            self.plan = f"{workflow}/stage:{name}"
        else:
            self.section = _ml("LearningStageSectionExecution") if self.learns else _lake("DataTransformationExecution")
            task = next((part for part in reversed(parts) if part.startswith("task:")), "")
            self.plan = f"{workflow}/{task.rpartition('.')[0]}" if task else workflow
        if self.kind == "epoch":
            self.plan += "/epoch"


@lru_cache(maxsize=4096)
def _above(path: str) -> _Above:
    return _Above(_iri(path))


def _without_process(path: str) -> str:
    """A path without the ranks and processes at its end, which are not activities."""
    while (cut := path.rpartition("/"))[2].startswith(("process:", "rank:")):
        path = cut[0]
    return path


@lru_cache(maxsize=4096)
def _workflow(path: str) -> str:
    """The name of the workflow in a path."""
    return path.partition("/")[0].rpartition(".")[0]


def _rank(path: str) -> str:
    return next((f"rank {part[5:]}" for part in path.split("/") if part.startswith("rank:")), "")


def _name(path: str) -> str:
    kind, _, number = path.rpartition("/")[2].partition(":")
    return f"{kind} {unquote(number)}"


def _section(path: str, cls: str, label: str) -> str:
    whole = _above(path.rpartition("/")[0]).activity
    activity = f"<{RUN}{path}>"
    return (
        f"{activity} {_TYPE} {cls} .\n{activity} {_INFORMED} <{RUN}{whole}> .\n{activity} {_LABEL} {_text(label)} .\n"
    )


def _task_plan(tag: str) -> str:
    return _ml("FeatureExtraction") if tag == "Feature Extraction" else _lake("DataTransformation")


def _failure(path: str, error: str | None) -> str:
    return f"<{RUN}{path}> {_COMMENT} {_text(f'ended with an error: {error}')} .\n" if error else ""


def _person(activity: str, person: Mapping[str, str]) -> str:
    name = str(person["name"])
    if person.get("orcid"):
        iri = f"https://orcid.org/{_part(person['orcid'])}"
    elif person.get("email"):
        iri = f"mailto:{quote(person['email'], safe='@')}"
    else:
        iri = f"urn:hpc-explorer:person:{_part(name)}"
    role = f"<{iri}> {_TAG} {_text(person['role'])} .\n" if person.get("role") else ""
    return (
        f"<{iri}> {_TYPE} {_ml('Persona')} .\n<{iri}> {_LABEL} {_text(name)} .\n{role}"
        f"{activity} {_prov('wasAssociatedWith')} <{iri}> .\n"
    )


def _characteristics(path: str, values: Mapping[str, Any]) -> str:
    """The implementation that a run executes, and facts about it."""
    run = path.partition("/")[0]
    implementation = f"<{RUN}{path}/implementation>"
    label = f"implementation of {unquote(_workflow(run))}" + (f" ({_rank(path)})" if _rank(path) else "")
    out = [f"{implementation} {_TYPE} {_ml('Implementation')} .\n{implementation} {_LABEL} {_text(label)} .\n"]
    out.append(f"<{RUN}{run}> {_mls('executes')} {implementation} .\n")
    for name, value in values.items():
        if value in ("", None):
            continue
        fact = f"<{RUN}{path}/implementation/{_part(name)}>"
        out.append(f"{fact} {_TYPE} {_ml('ImplementationCharacteristic')} .\n{fact} {_LABEL} {_text(name)} .\n")
        out.append(f"{fact} {_VALUE} {_literal(value)} .\n{implementation} {_mls('hasQuality')} {fact} .\n")
    return "".join(out)


def _file_iri(activity: str, details: Mapping[str, Any]) -> str:
    """A file is its checksum and path; without a checksum, its path, size and time of change."""
    if "memory" in details:
        return f"<{RUN}{_iri(str(details['memory']))}>"
    if "address" in details:
        return f"<{_iri(str(details['address']))}>"
    path = quote(str(details["path"]), safe="/", errors="replace")
    if "sha256" in details:
        return f"<{FILE}{_iri(details['sha256'])}:{path}>"
    if "modified" in details:
        return f"<{FILE}{int(details['size'])}-{int(details['modified'])}:{path}>"
    return f"<{RUN}{activity}/unread:{path}>"


def _file_name(place: str) -> str:
    return place.rstrip("/").replace("\\", "/").rpartition("/")[2] or place


_NOT_IN_IRI = re.compile(r"[^!#-;=?-\[\]_a-z~\u00a0-\ud7ff\uf900-\ufffd]")


def _part(name: object) -> str:
    """A name as a part of an IRI's path."""
    return quote(str(name), safe="", errors="replace")


def _iri(text: str) -> str:
    """A text as a part of an IRI; signs that IRIs cannot have are written as %XX."""
    return _NOT_IN_IRI.sub(lambda found: _part(found[0].encode("utf-8", "replace")), text)


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    return {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(
        sign, "\\uFFFD" if sign >= "\ud800" else f"\\u{ord(sign):04X}"
    )


def _text(value: object) -> str:
    return f'"{_ESCAPED.sub(_escape, str(value))}"'


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return f'"{str(value).lower()}"^^<{_XSD}boolean>'
    if isinstance(value, int):
        return f'"{value}"^^<{_XSD}integer>'
    if isinstance(value, float):
        if math.isfinite(value):
            return f'"{value!r}"^^<{_XSD}double>'
        return f'"{"NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"}"^^<{_XSD}double>'
    return _text("" if value is None else value)


@lru_cache(maxsize=256)
def _minute(minutes: int) -> str:
    return (_EPOCH + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:")


def _time(nanoseconds: int) -> str:
    """A time in UTC with microseconds."""
    micros = nanoseconds // 1000
    minutes, rest = divmod(micros, 60_000_000)
    return f'"{_minute(minutes)}{rest // 1_000_000:02d}.{rest % 1_000_000:06d}Z"^^<{_XSD}dateTime>'
