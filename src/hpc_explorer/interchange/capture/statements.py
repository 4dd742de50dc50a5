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

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any
from urllib.parse import quote, unquote

from hpc_explorer.capture.records import KINDS
from hpc_explorer.capture.spool import Record
from hpc_explorer.interchange.capture.paths import (
    PLAN,
    RUN,
    STAGE_NAMES,
    above_of,
    name_of,
    rank_of,
    without_process,
    workflow_of,
)
from hpc_explorer.interchange.capture.surroundings import characteristics, person_of, software_of
from hpc_explorer.interchange.capture.terms import (
    AT,
    COMMENT,
    DERIVED,
    ENDED,
    GENERATED,
    INFLUENCED,
    INFORMED,
    LABEL,
    PART,
    STARTED,
    TAG,
    TYPE,
    USED,
    VALUE,
    as_iri,
    as_literal,
    as_part,
    as_text,
    as_time,
    lake,
    ml,
    mls,
)

FILE = "urn:hpc-explorer:file:"

_FILE_KINDS = {
    "raw": (ml("RawDomainData"), lake("Attribute"), "Raw Data"),
    "curated": (ml("CuratedDomainData"), lake("Attribute"), "Curated Data"),
    "dataset": (ml("LearningDataset"), ml("LearningDatasetReference"), "Learning Dataset"),
    "features": (ml("FeatureSetData"), ml("FeatureSet"), "Feature Set"),
    "model": (ml("Model"), ml("ModelProspection"), "Model"),
    "file": (lake("DataReference"), lake("Attribute"), ""),
}
_REPEATING = frozenset({"run", "surroundings", "specification", "file"})
"""The kinds of records that state what others state too."""

_MEASURE = (ml("EvaluationMeasure"), "Model Evaluation")
_PLAIN_ATTRIBUTE = (lake("Attribute"), "")


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
        activity, plan = f"<{RUN}{run}>", f"<{PLAN}{workflow_of(run)}>"
        label = f"{details['name']}, run {run.rpartition('.')[2]}"
        out = [self._plan(run)]
        out.append(f"{activity} {TYPE} {lake('WorkflowExecution')} .\n{activity} {INFLUENCED} {plan} .\n")
        out.append(f"{activity} {LABEL} {as_text(label)} .\n")
        if path == run or path.endswith("/rank:0"):
            out.append(f"{activity} {STARTED} {as_time(time)} .\n")
        if path != run:
            out.append(_section(path, lake("DataTransformationExecution"), name_of(path)))
            out.append(f"<{RUN}{path}> {STARTED} {as_time(time)} .\n")
        if description := details.get("description"):
            out.append(f"{activity} {COMMENT} {as_text(description)} .\n")
        if within := details.get("within"):
            out.append(f"{activity} {INFORMED} <{RUN}{as_iri(without_process(within))}> .\n")
        if study := details.get("study"):
            project = f"<urn:hpc-explorer:study:{as_part(study)}>"
            out.append(f"{project} {TYPE} {ml('Study')} .\n{project} {LABEL} {as_text(study)} .\n")
            out.append(f"{plan} {PART} {project} .\n")
        if task := details.get("learning task"):
            attribute = f"<{PLAN}{workflow_of(run)}/task:{as_part(task)}>"
            out.append(f"{attribute} {TYPE} {ml('LearningTask')} .\n{attribute} {LABEL} {as_text(task)} .\n")
        for person in details.get("persons", ()):
            out.append(person_of(activity, person))
        job = {f"job {name}": value for name, value in details.get("job", {}).items()}
        ranks = {"ranks": details["ranks"]} if "ranks" in details else {}
        out.append(characteristics(path, {**details.get("process", {}), **job, **ranks}))
        return "".join(out)

    def _surroundings(self, path: str, commit: Mapping[str, str], software: Mapping[str, str]) -> str:
        return characteristics(path, commit) + software_of(path, software)

    def _begin(self, path: str, time: int, details: Mapping[str, Any]) -> str:
        return self._execution(path, details) + f"<{RUN}{path}> {STARTED} {as_time(time)} .\n"

    def _end(self, path: str, time: int, error: str | None) -> str:
        out = f"<{RUN}{path}> {ENDED} {as_time(time)} .\n"
        run, _, rest = path.partition("/")
        if rest == "rank:0":
            out += f"<{RUN}{run}> {ENDED} {as_time(time)} .\n"
        return out + _failure(path, error)

    def _batch(self, path: str, begun: int, ended: int, error: str | None) -> str:
        """The IRI of a batch has its number, so it needs no name."""
        above = above_of(path.rpartition("/")[0])
        plan = f"{above.plan}/batch"
        out = "" if error is None else _failure(path, error)
        if plan not in self._given:
            out += self._step_plan(plan, above.plan, "Batch Execution", "Section")
        activity = f"<{RUN}{path}>"
        return (
            f"{out}{activity} {TYPE} {above.section} .\n{activity} {INFORMED} <{RUN}{above.activity}> .\n"
            f"{activity} {INFLUENCED} <{plan}> .\n"
            f"{activity} {STARTED} {as_time(begun)} .\n{activity} {ENDED} {as_time(ended)} .\n"
        )

    def _execution(self, path: str, details: Mapping[str, Any]) -> str:
        """A stage, an epoch or a task, and its plan."""
        whole, _, part = path.rpartition("/")
        above = above_of(whole)
        kind, _, name = part.partition(":")
        run = path.partition("/")[0]
        label = str(details.get("name") or name_of(path))
        out = [self._plan(run)]
        if kind == "stage":
            stage = name.partition(".")[0]
            plan = f"{PLAN}{workflow_of(run)}/stage:{stage}"
            if plan not in self._given:
                names = (stage.capitalize(), STAGE_NAMES[stage])
                out.append(self._step_plan(plan, f"{PLAN}{workflow_of(run)}", *names, cls=ml(STAGE_NAMES[stage])))
            # A workflow without a stage of learning is none.
            out.append(self._once(f"<{PLAN}{workflow_of(run)}> {TYPE} {ml('LearningExperiment')} .\n"))
            out.append(self._once(f"<{RUN}{run}> {TYPE} {ml('LearningProcessExecution')} .\n"))
            cls = ml(f"{STAGE_NAMES[stage]}Execution")
        elif kind == "task":
            plan = f"{PLAN}{workflow_of(run)}/task:{name.rpartition('.')[0]}"
            tag = str(details.get("tag") or "")
            if plan + tag not in self._given:
                self._given.add(plan + tag)
                out.append(self._step_plan(plan, f"{PLAN}{workflow_of(run)}", label, tag, cls=_task_plan(tag)))
            cls = (
                ml("FeatureExtractionExecution") if tag == "Feature Extraction" else lake("DataTransformationExecution")
            )
        else:
            plan = f"{above.plan}/epoch"
            if plan not in self._given:
                out.append(self._step_plan(plan, above.plan, "Epoch Execution", "Section"))
            cls = above.section
        if "/rank:" in path and kind != "epoch":
            label += f" ({rank_of(path)})"
        out.append(_section(path, cls, label))
        out.append(f"<{RUN}{path}> {INFLUENCED} <{plan}> .\n")
        return "".join(out)

    # Values

    def _metric(self, path: str, name: str, value: Any, number: int, time: int, step: int | None) -> str:
        part = as_part(name)
        entity = f"<{RUN}{path}/metric:{part}.{number}>"
        above = above_of(path)
        out = f"{entity} {TYPE} {ml('ModelEvaluation') if above.learns else lake('AttributeValue')} .\n"
        if step is not None:
            out += f"{entity} <http://schema.org/position> {as_literal(step)} .\n"
        if above.kind != "batch":  # a batch has its own times
            out += f"{entity} {AT} {as_time(time)} .\n"
        attribute = f"{PLAN}{workflow_of(path)}/attribute:{part}"
        planned = _MEASURE if above.learns else _PLAIN_ATTRIBUTE
        if attribute + planned[0] not in self._given:
            out += self._attribute(attribute, name, *planned)
        return (
            f"{out}{entity} {GENERATED} <{RUN}{above.activity}> .\n{entity} {VALUE} {as_literal(value)} .\n"
            f"{entity} {DERIVED} <{attribute}> .\n"
        )

    def _parameter(self, path: str, name: str, value: Any, number: int, kind: str) -> str:
        part = as_part(name)
        above = above_of(path)
        activity, entity = f"<{RUN}{above.activity}>", f"<{RUN}{path}/parameter:{part}.{number}>"
        attribute = f"{PLAN}{workflow_of(path)}/attribute:{part}"
        out = ""
        if kind != "hyperparameter":
            cls, planned, link = lake("AttributeValue"), _PLAIN_ATTRIBUTE, f"{activity} {USED} {entity}"
        else:
            planned = (ml("LearningHyperparameter"), "Hyperparameter")
            if above.kind in ("epoch", "batch"):  # the section has set it
                cls, link = ml("ModelHyperparameterValue"), f"{entity} {GENERATED} {activity}"
            else:
                cls, link = ml("LearningHyperparameterValue"), f"{activity} {USED} {entity}"
        if attribute + planned[0] not in self._given:
            out = self._attribute(attribute, name, *planned)
        return (
            f"{out}{entity} {TYPE} {cls} .\n{entity} {LABEL} {as_text(f'{name} = {value}'[:200])} .\n"
            f"{link} .\n{entity} {VALUE} {as_literal(value)} .\n"
            f"{entity} {DERIVED} <{attribute}> .\n"
        )

    def _file(self, path: str, role: str, details: Mapping[str, Any]) -> str:
        above = above_of(path)
        entity = _file_iri(path, details)
        if role == "characteristic":
            return self._characteristic(path, entity, details)
        plain = bool(details.get("plain"))
        cls, planned, tag = _FILE_KINDS[details.get("kind") or ("file" if plain else "dataset")]
        place = str(details.get("path") or details.get("address") or "")
        memory = "memory" in details
        name = str(details.get("name") or "")
        out = [f"{entity} {TYPE} {cls} .\n"]
        out.append(f"{entity} {LABEL} {as_text((name or 'model') if memory else _file_name(place))} .\n")
        if not memory:
            out.append(f"{entity} {VALUE} {as_text(place)} .\n")
        if "sha256" in details:
            out.append(f"{entity} <http://schema.org/sha256> {as_text(details['sha256'])} .\n")
        if "size" in details:
            out.append(f"{entity} <http://www.w3.org/ns/dcat#byteSize> {as_literal(details['size'])} .\n")
        if details.get("format"):
            out.append(f"{entity} <http://schema.org/encodingFormat> {as_text(details['format'])} .\n")
        if details.get("note"):
            out.append(f"{entity} {COMMENT} {as_text(details['note'])} .\n")
        if details.get("refers to"):
            out.append(f"{entity} {lake('refersTo')} <{as_iri(details['refers to'])}> .\n")
        activity = f"<{RUN}{above.activity}>"
        if role == "input":
            out.append(f"{activity} {USED} {entity} .\n")
        else:
            out.append(f"{entity} {GENERATED} {activity} .\n{entity} {AT} {as_time(details['time'])} .\n")
        source = details.get("source")
        if source:
            out.append(f"{entity} {DERIVED} {_file_iri(path, source)} .\n")
        slot = name
        if not slot and cls == _FILE_KINDS["dataset"][0]:
            slot = "learning dataset"
        elif not slot and role == "model":
            slot = "model"
        if slot and not source:
            attribute = f"{PLAN}{workflow_of(path)}/attribute:{as_part(slot)}"
            out.append(self._attribute(attribute, slot, planned, tag))
            out.append(f"{entity} {DERIVED} <{attribute}> .\n")
        if details.get("algorithm"):
            run = path.partition("/")[0]
            algorithm = f"<urn:hpc-explorer:algorithm:{as_part(details['algorithm'])}>"
            implementation = f"<{RUN}{run}/implementation>"
            out.append(f"{algorithm} {TYPE} {ml('Algorithm')} .\n")
            out.append(f"{algorithm} {LABEL} {as_text(details['algorithm'])} .\n")
            out.append(f"{implementation} {mls('implements')} {algorithm} .\n")
        return "".join(out)

    def _characteristic(self, path: str, entity: str, details: Mapping[str, Any]) -> str:
        name = str(details["name"])
        part = as_part(name)
        value = f"<{entity[1:-1]}/characteristic:{part}>"
        attribute = f"{PLAN}{workflow_of(path)}/attribute:{part}"
        out = f"{value} {TYPE} {ml('DatasetCharacteristicValue')} .\n{value} {VALUE} {as_literal(details['value'])} .\n"
        out += f"{value} {lake('isCharacteristicOf')} {entity} .\n{value} {DERIVED} <{attribute}> .\n"
        return out + self._attribute(attribute, name, ml("DatasetCharacteristic"), "Dataset Characteristic")

    def _lost(self, number: int, why: str) -> str:
        self.lost[why] = self.lost.get(why, 0) + int(number)
        return ""

    # Plans

    def _plan(self, run: str) -> str:
        name = workflow_of(run)
        plan = f"{PLAN}{name}"
        if plan in self._given:
            return ""
        self._given.add(plan)
        return f"<{plan}> {TYPE} {lake('Workflow')} .\n<{plan}> {LABEL} {as_text(unquote(name))} .\n"

    def _step_plan(self, plan: str, whole: str, label: str, tag: str, cls: str = ml("LearningStageSection")) -> str:
        self._given.add(plan)
        tagged = f"<{plan}> {TAG} {as_text(tag)} .\n" if tag else ""
        return f"<{plan}> {TYPE} {cls} .\n<{plan}> {LABEL} {as_text(label)} .\n{tagged}<{plan}> {PART} <{whole}> .\n"

    def _attribute(self, attribute: str, name: str, cls: str, tag: str) -> str:
        if attribute + cls in self._given:
            return ""
        self._given.add(attribute + cls)
        tagged = f"<{attribute}> {TAG} {as_text(tag)} .\n" if tag else ""
        return f"<{attribute}> {TYPE} {cls} .\n<{attribute}> {LABEL} {as_text(name)} .\n{tagged}"

    def _specification(self, run: str, plan: Mapping[str, Any]) -> str:
        name = workflow_of(run)
        whole = f"{PLAN}{name}"
        out = [self._plan(run)]
        if plan.get("problem"):
            problem = f"its specification cannot be read: {plan['problem']}"
            out.append(f"<{whole}> {COMMENT} {as_text(problem)} .\n")
        if plan.get("description"):
            out.append(f"<{whole}> {COMMENT} {as_text(plan['description'])} .\n")
        for step_name, step in plan.get("transformations", {}).items():
            step_iri = f"{whole}/task:{as_part(step_name)}"
            out.append(
                self._step_plan(step_iri, whole, step_name, step.get("tag", ""), cls=_task_plan(step.get("tag", "")))
            )
            if step.get("description"):
                out.append(f"<{step_iri}> {COMMENT} {as_text(step['description'])} .\n")
            for attribute in (*step.get("inputs", ()), *step.get("outputs", ())):
                iri = f"{whole}/attribute:{as_part(attribute['name'])}"
                out.append(f"<{iri}> {TYPE} {lake('Attribute')} .\n<{iri}> {LABEL} {as_text(attribute['name'])} .\n")
                out.append(f"<{iri}> {PART} <{step_iri}> .\n")
                for key in ("description", "type", "semantics"):
                    if attribute.get(key):
                        said = attribute[key] if key == "description" else f"{key}: {attribute[key]}"
                        out.append(f"<{iri}> {COMMENT} {as_text(said)} .\n")
        return "".join(out)


def _section(path: str, cls: str, label: str) -> str:
    whole = above_of(path.rpartition("/")[0]).activity
    activity = f"<{RUN}{path}>"
    return f"{activity} {TYPE} {cls} .\n{activity} {INFORMED} <{RUN}{whole}> .\n{activity} {LABEL} {as_text(label)} .\n"


def _task_plan(tag: str) -> str:
    return ml("FeatureExtraction") if tag == "Feature Extraction" else lake("DataTransformation")


def _failure(path: str, error: str | None) -> str:
    return f"<{RUN}{path}> {COMMENT} {as_text(f'ended with an error: {error}')} .\n" if error else ""


def _file_iri(activity: str, details: Mapping[str, Any]) -> str:
    """A file is its checksum and path; without a checksum, its path, size and time of change."""
    if "memory" in details:
        return f"<{RUN}{as_iri(str(details['memory']))}>"
    if "address" in details:
        return f"<{as_iri(str(details['address']))}>"
    path = quote(str(details["path"]), safe="/", errors="replace")
    if "sha256" in details:
        return f"<{FILE}{as_iri(details['sha256'])}:{path}>"
    if "modified" in details:
        return f"<{FILE}{int(details['size'])}-{int(details['modified'])}:{path}>"
    return f"<{RUN}{activity}/unread:{path}>"


def _file_name(place: str) -> str:
    return place.rstrip("/").replace("\\", "/").rpartition("/")[2] or place
