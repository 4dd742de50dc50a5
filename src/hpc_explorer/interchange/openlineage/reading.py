"""Read OpenLineage events (https://openlineage.io/spec): a file, one event a line, or a folder of them.

A run is named by its id, a job and a dataset by namespace and name, so that events of several files meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hpc_explorer.errors import InputError
from hpc_explorer.interchange.json_values import records
from hpc_explorer.interchange.statements import Findings, Node, attribute, file_iri, identified, job, moment_of, part
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVLAKE
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import NamedNode, Quad

ENDINGS = (".json", ".ndjson", ".jsonl")
_MOST_NAMED = 8
_ENDED = frozenset({"COMPLETE", "FAIL", "ABORT"})
_FACET_NOISE = frozenset({"_producer", "_schemaURL", "_deleted"})

RUN = "urn:openlineage:run:"
JOB = "urn:openlineage:job:"
DATASET = "urn:openlineage:dataset:"


def is_event(keys: Mapping[str, frozenset[str]], text: str) -> bool:
    """Whether the keys of an object are those of an event."""
    names = set(keys)
    if {"run", "job"} <= names:
        return "eventType" in names or "eventTime" in names or "runId" in keys["run"]
    return "eventTime" in names and not names.isdisjoint({"job", "dataset"}) and "openlineage" in text


def is_facet(keys: Mapping[str, frozenset[str]], text: str) -> bool:
    """Whether a document is the facets of something, without the event around them."""
    return bool(keys) and all("_schemaURL" in inner for inner in keys.values()) and "openlineage" in text.lower()


def is_folder_of_events(folder: Path) -> bool:
    """Whether the files directly in a folder all have the ending of events."""
    files = [path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")]
    return bool(files) and all(path.name.lower().endswith(ENDINGS) for path in files)


def event_files(folder: Path) -> list[Path]:
    """The files in a folder and its subfolders that may have events."""
    inside = (path for path in folder.rglob("*") if path.name.lower().endswith(ENDINGS) and path.is_file())
    return sorted(path for path in inside if not any(one.startswith(".") for one in path.relative_to(folder).parts))


def dataset_iri(namespace: str, name: str) -> NamedNode:
    """The IRI of a dataset; a file of this machine has its own address."""
    if namespace.partition(":")[0] == "file" and name.startswith("/"):
        return file_iri(name)
    return part(DATASET, namespace, name)


def read_openlineage(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of events."""
    findings.prefixes.update(olrun=RUN, oljob=JOB, oldataset=DATASET)
    events = _Events(base, findings)
    if document.path is not None and document.path.is_dir():
        for path in event_files(document.path):
            try:
                yield from events.of(Document(str(path), path=path))
            except InputError as error:
                findings.lost(error.what, error.where)
    else:
        yield from events.of(document)
    events.note_circles()
    yield from events.states()


class _Events:
    def __init__(self, base: str, findings: Findings) -> None:
        self._base = base
        self._findings = findings
        self._last: dict[NamedNode, tuple[bool, datetime | None, str]] = {}
        self._parents: dict[str, tuple[str, str]] = {}

    def of(self, document: Document) -> Iterator[Quad]:
        for number, event in enumerate(records(document, self._findings), start=1):
            where = f"{document.where}, event {number}"
            if not isinstance(event, dict):
                self._findings.lost("not an event", where)
            elif "job" in event or "dataset" in event or "run" in event:
                yield from self._event(dict(event), where)
            elif event and all(isinstance(facet, dict) for facet in event.values()):
                node = Node(part(f"{self._base}#", "facets"), PROV.Entity)
                yield from self._facets(node, event, "lone")
                yield from node
            else:
                self._findings.lost("not an event", where)

    def note_circles(self) -> None:
        """Note the runs whose parents lead back to them; they are read as they are."""
        done: set[str] = set()
        for first in self._parents:
            path: dict[str, None] = {}
            run = first
            while run in self._parents and run not in done and run not in path:
                path[run] = None
                run = self._parents[run][0]
            if run in path:
                names = list(path)
                circle = names[names.index(run) :]
                what = f"the run {run} is its own parent"
                if len(circle) > 1:
                    what = f"parents in a circle: {' → '.join([*circle[:_MOST_NAMED], run])}"
                    more = len(circle) - _MOST_NAMED
                    what += f" ({more:,} more between)" if more > 0 else ""
                self._findings.notes.append(f"{what} ({self._parents[run][1]})")
            done.update(path)

    def states(self) -> Iterator[Quad]:
        """The last state of each run."""
        for run, (_, _, state) in self._last.items():
            yield from attribute(run, part(run.value, "status"), "status", state)

    def _event(self, event: dict[str, Any], where: str) -> Iterator[Quad]:
        findings = self._findings
        run, plan = _object(event.pop("run", None)), _object(event.pop("job", None))
        kind, given = str(event.pop("eventType", "") or "").upper(), event.pop("eventTime", None)
        moment = moment_of(given)
        if given is None:
            findings.lost("an event without time", where)
        elif moment is None:
            findings.lost(f"an invalid time, {str(given)[:40]!r}", where)
        inputs, outputs = _objects(event.pop("inputs", None)), _objects(event.pop("outputs", None))
        if plan:
            yield from self._job(plan)
        for word in ("producer", "schemaURL"):
            event.pop(word, None)
        if (only := _object(event.pop("dataset", None))) and "facets" in only:
            yield from self._dataset(only)
        identifier = run.pop("runId", None)
        if identifier is None:
            if plan and run:
                findings.lost("a run without an id", where)
            sources = [dataset_iri(str(one.get("namespace", "")), str(one.get("name", ""))) for one in inputs]
            for one in (*inputs, *outputs):
                yield from self._dataset(one)
            for one in outputs:
                target = dataset_iri(str(one.get("namespace", "")), str(one.get("name", "")))
                yield from Node(target).link(PROV.wasDerivedFrom, *(source for source in sources if source != target))
            return
        iri = part(RUN, identifier)
        node = identified(job(iri, plan.get("name") or identifier), identifier)
        if kind == "START":
            node.time(PROV.startedAtTime, moment)
        elif kind in _ENDED:
            node.time(PROV.endedAtTime, moment)
        if kind:
            self._settle(iri, kind, moment)
        if plan:
            node.link(HPC.usedWorkflow, job_iri(plan))
        facets = _object(run.pop("facets", None))
        if parent := _object(_object(facets.get("parent")).get("run")).get("runId"):
            self._parents[str(identifier)] = (str(parent), where)
        yield from self._facets(node, facets, "run")
        for one in inputs:
            node.link(PROV.used, dataset_iri(str(one.get("namespace", "")), str(one.get("name", ""))))
            yield from self._dataset(one)
        for one in outputs:
            yield from self._dataset(one)
            target = dataset_iri(str(one.get("namespace", "")), str(one.get("name", "")))
            yield Quad(target, PROV.wasGeneratedBy, iri)
        yield from node.keep("event", {**event, **run}, findings)

    def _settle(self, run: NamedNode, kind: str, moment: datetime | None) -> None:
        """Keep the last state of a run, whatever the order of its events: an end is later than anything else."""
        known = self._last.get(run)
        is_end = kind in _ENDED
        if known is None or (is_end, _order(moment)) >= (known[0], _order(known[1])):
            self._last[run] = (is_end, moment, kind)

    def _job(self, plan: dict[str, Any]) -> Iterator[Quad]:
        node = Node(job_iri(plan), PROV.Plan, HPC.Workflow).label(plan.get("name"))
        yield from self._facets(node, _object(plan.get("facets")), "job")
        yield from node

    def _dataset(self, dataset: Mapping[str, Any]) -> Iterator[Quad]:
        described = dict(dataset)
        namespace, name = str(described.pop("namespace", "")), str(described.pop("name", ""))
        node = Node(dataset_iri(namespace, name), PROV.Entity, HPC.Dataset).label(name)
        for word in ("facets", "inputFacets", "outputFacets"):
            yield from self._facets(node, _object(described.pop(word, None)), "dataset")
        yield from node.keep("dataset", described, self._findings)

    # Facets

    def _facets(self, node: Node, facets: Mapping[str, Any], of: str) -> Iterator[Quad]:
        rest: dict[str, Any] = {}
        for name, facet in facets.items():
            fields = {key: value for key, value in _object(facet).items() if key not in _FACET_NOISE}
            reader = _FACETS.get(name)
            if reader is None:
                rest[name] = fields
                continue
            yield from reader(node, fields)
            if fields:
                rest[name] = fields
        node.keep(f"{of} facet", rest, self._findings)


def job_iri(plan: Mapping[str, Any]) -> NamedNode:
    """The IRI of a job."""
    return part(JOB, plan.get("namespace", ""), plan.get("name", ""))


def _fact(*names: str, label: str = "") -> Callable[[Node, dict[str, Any]], Iterator[Quad]]:
    """A reader that makes attributes of some fields."""

    def read(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
        for name in names or tuple(fields):
            value = fields.pop(name, None)
            if value not in (None, "", [], {}):
                key = label or name
                yield from attribute(node.resource, part(node.resource.value, key), key, value)

    return read


def _documentation(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
    node.text(DCTERMS.description, fields.pop("description", None))
    fields.pop("contentType", None)
    return iter(())


def _parent(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
    run, plan = _object(fields.pop("run", None)), _object(fields.pop("job", None))
    root = _object(fields.pop("root", None))
    for one_run, one_plan in ((run, plan), (_object(root.get("run")), _object(root.get("job")))):
        if one_run.get("runId"):
            parent = part(RUN, one_run["runId"])
            if parent != node.resource:
                node.link(PROV.wasInformedBy, parent)
            above = Node(parent, PROV.Activity, HPC.Experiment)
            if one_plan.get("name"):
                above.label(one_plan["name"]).link(HPC.usedWorkflow, job_iri(one_plan))
                yield from Node(job_iri(one_plan), PROV.Plan, HPC.Workflow).label(one_plan["name"])
            yield from above


def _dependencies(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
    for one in _objects(fields.pop("upstream", None)):
        run = _object(one.get("run"))
        if run.get("runId"):
            node.link(PROV.wasInformedBy, part(RUN, run["runId"]))
    for one in _objects(fields.pop("downstream", None)):
        run = _object(one.get("run"))
        if run.get("runId"):
            yield Quad(part(RUN, run["runId"]), PROV.wasInformedBy, node.resource)


def _engine(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
    name, version = fields.pop("name", None), fields.pop("version", None)
    if name or version:
        engine = part("urn:openlineage:engine:", name or "engine", version or "")
        node.link(HPC.wasAWS, engine)
        yield from Node(engine, PROV.SoftwareAgent, HPC.Software).label(name).text(HPC.version, version)
    yield from _fact("openlineageAdapterVersion")(node, fields)


def _code_location(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
    node.text(HPC.url, fields.pop("url", None) or fields.pop("repoUrl", None))
    node.text(HPC.version, fields.pop("version", None))
    fields.pop("type", None)
    yield from _fact("path", "branch", "tag", "repoUrl")(node, fields)


def _job_type(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
    node.text(PROVLAKE.tag, *(fields.pop(word, None) for word in ("processingType", "integration", "jobType")))
    yield from _fact("emissionPattern")(node, fields)


def _owners(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
    for owner in _objects(fields.pop("owners", None)):
        if owner.get("name"):
            agent = part("urn:openlineage:owner:", owner["name"])
            node.link(PROV.wasAttributedTo, agent)
            yield from Node(agent, PROV.Agent).label(owner["name"])


def _pairs(word: str, key: str, value: str) -> Callable[[Node, dict[str, Any]], Iterator[Quad]]:
    """A reader of a list of named values."""

    def read(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
        for one in _objects(fields.pop(word, None)):
            if one.get(key):
                iri = part(node.resource.value, word, one[key])
                yield from attribute(node.resource, iri, str(one[key]), one.get(value))

    return read


def _column_lineage(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
    columns = fields.pop("fields", None)
    sources = [field for column in _object(columns).values() for field in _objects(_object(column).get("inputFields"))]
    sources += _objects(fields.pop("dataset", None))
    for source in sources:
        raw = dataset_iri(str(source.get("namespace", "")), str(source.get("name", "")))
        if raw != node.resource:
            node.link(PROV.wasDerivedFrom, raw)
    if columns:
        yield from attribute(node.resource, part(node.resource.value, "columnLineage"), "columnLineage", columns)


def _lineage(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
    """Inputs of entries: datasets are derived from datasets, jobs use them, and runs generate them."""
    entries = _objects(fields.pop("entries", None))
    if inputs := fields.pop("inputs", None):
        entries.append({"inputs": inputs})
    for entry in entries:
        target = _named_thing(entry) or node.resource
        for source in _objects(entry.get("inputs")):
            cause = _named_thing(source)
            if cause is None or cause == target:
                continue
            if str(source.get("type", "")).upper() == "JOB":
                generates = str(entry.get("type", "DATASET")).upper() == "DATASET"
                by = part(RUN, source["runId"]) if source.get("runId") else cause
                yield Quad(target, PROV.wasGeneratedBy if generates else PROV.wasInformedBy, by)
                if source.get("runId"):
                    yield from job(by, source.get("name")).link(HPC.usedWorkflow, cause)
            elif str(entry.get("type", "")).upper() == "JOB":
                yield Quad(target, PROV.used, cause)
            else:
                yield Quad(target, PROV.wasDerivedFrom, cause)
    columns = fields.pop("fields", None)
    if columns:
        yield from attribute(node.resource, part(node.resource.value, "columnLineage"), "columnLineage", columns)


def _named_thing(one: Mapping[str, Any]) -> NamedNode | None:
    if not one.get("name"):
        return None
    if str(one.get("type", "")).upper() == "JOB":
        return job_iri(one)
    return dataset_iri(str(one.get("namespace", "")), str(one["name"]))


def _symlinks(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
    for one in _objects(fields.pop("identifiers", None)):
        other = dataset_iri(str(one.get("namespace", "")), str(one.get("name", "")))
        if other != node.resource:
            node.link(PROV.alternateOf, other)
    return iter(())


def _version(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
    node.text(HPC.version, fields.pop("datasetVersion", None))
    return iter(())


_FACETS: Mapping[str, Callable[[Node, dict[str, Any]], Iterator[Quad]]] = {
    "parent": _parent,
    "jobDependencies": _dependencies,
    "nominalTime": _fact("nominalStartTime", "nominalEndTime"),
    "errorMessage": _fact("message", "stackTrace", "programmingLanguage"),
    "processing_engine": _engine,
    "environmentVariables": _pairs("environmentVariables", "name", "value"),
    "executionParameters": _pairs("parameters", "key", "value"),
    "documentation": _documentation,
    "sql": _fact("query", "dialect"),
    "sourceCode": _fact("language", "sourceCode"),
    "sourceCodeLocation": _code_location,
    "jobType": _job_type,
    "ownership": _owners,
    "tags": _pairs("tags", "key", "value"),
    "schema": _fact("fields", label="schema"),
    "dataSource": _fact("name", "uri"),
    "datasetType": _fact("datasetType", "subType"),
    "storage": _fact("storageLayer", "fileFormat"),
    "version": _version,
    "symlinks": _symlinks,
    "lifecycleStateChange": _fact("lifecycleStateChange", "previousIdentifier"),
    "columnLineage": _column_lineage,
    "lineage": _lineage,
    "outputStatistics": _fact("rowCount", "size", "fileCount"),
    "inputStatistics": _fact("rowCount", "size", "fileCount"),
    "dataQualityMetrics": _fact(),
    "dataQualityAssertions": _fact("assertions"),
    "externalQuery": _fact("externalQueryId", "source"),
    "extractionError": _fact(),
    "hierarchy": _fact("hierarchy"),
    "subset": _fact(),
    "catalog": _fact(),
    "test": _fact(),
}


def _order(moment: datetime | None) -> float:
    if moment is None:
        return float("-inf")
    return moment.timestamp() if moment.tzinfo else moment.replace(tzinfo=UTC).timestamp()


def _object(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else {}


def _objects(value: Any) -> list[dict[str, Any]]:
    return [dict(one) for one in value if isinstance(one, dict)] if isinstance(value, list) else []
