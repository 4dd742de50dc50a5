"""Read WfFormat 1.4 and 1.5, the workflow instances of WfCommons (https://wfcommons.org/format).

A task is a job (`prov:Activity`, `hpc:Experiment`) that used and generated files and ran on machines (`hpc:wasAWH`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from hpc_explorer.errors import SourceSyntaxError
from hpc_explorer.interchange.json_values import read_json
from hpc_explorer.interchange.statements import Findings, Node, attribute, identified, job, local_file, moment_of, part
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVLAKE
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import NamedNode, Quad

RECORD_DEPTH = 4
"""How many brackets are open around a task: the document, the workflow, its part and the list."""

_STATISTICS = (
    "avgCPU", "bytesRead", "bytesWritten", "readBytes", "writtenBytes", "memoryInBytes", "energyInKWh", "energy",
    "avgPowerInW", "avgPower", "priority", "coreCount",
)  # fmt: skip


def read_wfformat(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a workflow instance.

    Args:
        base: the IRI of the document, below which its tasks, files and machines are named.

    Raises:
        InputError: the document cannot be read.
    """
    content = read_json(document, findings, depth=RECORD_DEPTH)
    if not isinstance(content, dict) or not isinstance(content.get("workflow"), dict):
        raise SourceSyntaxError("no workflow in this WfFormat document", document.where, "get it again")
    yield from _Instance(content, base, document.where, findings).quads()


class _Instance:
    def __init__(self, content: dict[str, Any], base: str, where: str, findings: Findings) -> None:
        self._content = dict(content)
        self._workflow = dict(self._content.pop("workflow"))
        self._where = where
        self._findings = findings
        self._base = f"{base}#"
        self._run = part(self._base, "run")
        self._plan = part(self._base, "workflow")

    def quads(self) -> Iterator[Quad]:
        specification = _object(self._workflow.pop("specification", None))
        execution = _object(self._workflow.pop("execution", None))
        if not specification and "tasks" in self._workflow:
            # WfFormat up to 1.4 has one list of tasks with everything in it.
            specification = execution = self._workflow
        yield from self._workflow_node(execution)
        for machine in _objects(execution.get("machines")):
            yield from self._machine(machine)
        sizes: dict[str, Any] = {}
        for file in _objects(specification.get("files")):
            sizes[str(file.get("id") or file.get("name"))] = file.get("sizeInBytes", file.get("size"))
        ran = {_key(task): task for task in self._once(_objects(execution.get("tasks")))}
        planned = self._once(_objects(specification.get("tasks")))
        known = {_key(task) for task in planned}
        generated: dict[str, str] = {}
        for task in planned:
            for name in _files(task, "output", sizes):
                generated.setdefault(name, _key(task))
        for task in planned:
            yield from self._task(task, ran.get(_key(task)) if ran else None, known, sizes)
        for key, task in ran.items():
            if key not in known:
                self._findings.lost("an executed task that is not in the specification", f"{self._where}: {key}")
                yield from self._task(task, task, known, sizes)
        for name, size in sizes.items():
            yield from local_file(self._file(name), name, size)

    def _once(self, tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The first task of each id; what refers to an id cannot mean two."""
        found: dict[str, dict[str, Any]] = {}
        for task in tasks:
            if found.setdefault(_key(task), task) is not task:
                self._findings.lost("a second task with the same id is left out", f"{self._where}: {_key(task)}")
        return list(found.values())

    def _workflow_node(self, execution: Mapping[str, Any]) -> Iterator[Quad]:
        content, rest = self._content, {**self._workflow}
        for used in ("specification", "execution", "tasks", "machines", "files"):
            rest.pop(used, None)
        started = moment_of(_full_time(execution.get("executedAt") or rest.pop("executedAt", None)))
        makespan = execution.get("makespanInSeconds", execution.get("makespan", rest.pop("makespanInSeconds", None)))
        rest.pop("makespan", None)
        name = content.pop("name", None) or "workflow"
        plan = (
            Node(self._plan, PROV.Plan, HPC.Workflow)
            .label(name)
            .text(DCTERMS.description, content.pop("description", None))
        )
        yield from plan
        makespan = self._findings.duration("the run", makespan, self._where)
        run = job(self._run, f"run of {name}", started, _ended(started, makespan)).link(HPC.usedWorkflow, self._plan)
        run.seconds(HPC.executionTime, makespan)
        author = _object(content.pop("author", None))
        if author.get("name") or author.get("email"):
            person = part(self._base, "author", author.get("email") or author.get("name"))
            run.link(PROV.wasAssociatedWith, person)
            described = (
                Node(person, PROV.Person).label(author.pop("name", None)).text(HPC.email, author.pop("email", None))
            )
            yield from described.keep("author", author, self._findings)
        system = _object(content.pop("runtimeSystem", None))
        if system.get("name"):
            software = part(self._base, "system", system["name"])
            run.link(PROV.wasAssociatedWith, software)
            described = Node(software, PROV.SoftwareAgent, HPC.Software).label(system.pop("name"))
            described.text(HPC.version, system.pop("version", None)).text(HPC.url, system.pop("url", None))
            yield from described.keep("runtime system", system, self._findings)
        content.pop("schemaVersion", None)
        run.time(DCTERMS.created, moment_of(content.pop("createdAt", None)))
        yield from run.keep("workflow", {**content, **rest}, self._findings)

    def _machine(self, machine: Mapping[str, Any]) -> Iterator[Quad]:
        rest = dict(machine)
        name = str(rest.pop("nodeName", ""))
        cpu = _object(rest.pop("cpu", None))
        node = Node(part(self._base, "machine", name), HPC.Hardware).label(name)
        node.text(HPC.operatingSystem, rest.pop("system", None))
        node.text(HPC.cpuArchitecture, rest.pop("architecture", None))
        node.text(HPC.vendor, cpu.pop("vendor", None))
        node.value(cpu.pop("coreCount", cpu.pop("count", None)), HPC.cpuCoresPerNode)
        facts = {
            "memoryInBytes": rest.pop("memoryInBytes", rest.pop("memory", None)),
            "speedInMHz": cpu.pop("speedInMHz", cpu.pop("speed", None)),
            "release": rest.pop("release", None),
        }
        for key, value in facts.items():
            if value is not None:
                yield from attribute(node.resource, part(self._base, "machine", name, key), key, value)
        yield from node.keep("machine", {**rest, **({"cpu": cpu} if cpu else {})}, self._findings)

    def _task(
        self, planned: Mapping[str, Any], ran: Mapping[str, Any] | None, known: set[str], sizes: Mapping[str, Any]
    ) -> Iterator[Quad]:
        rest, key = {**planned, **(ran or {})}, _key(planned)
        own = part(self._base, "task", key)
        name = rest.pop("name", None) or key
        rest.pop("id", None)
        category = rest.pop("category", None)
        started = moment_of(_full_time(rest.pop("executedAt", None)))
        runtime = rest.pop("runtimeInSeconds", rest.pop("runtime", None))
        rest.pop("runtime", None)
        runtime = self._findings.duration(f"task {key}", runtime, self._where)
        node = identified(job(own, name, started, _ended(started, runtime)), key if key != name else None)
        node.link(PROV.wasInformedBy, self._run).seconds(HPC.executionTime, runtime)
        node.text(PROVLAKE.tag, category)
        for parent in _texts(rest.pop("parents", None)):
            if parent not in known:
                self._findings.lost("a parent that is not a task", f"{self._where}: {key}: {parent}")
                continue
            node.link(PROV.wasInformedBy, part(self._base, "task", parent))
        for child in _texts(rest.pop("children", None)):
            if child not in known:
                self._findings.lost("a child that is not a task", f"{self._where}: {key}: {child}")
                continue
            yield Quad(part(self._base, "task", child), PROV.wasInformedBy, own)
        for name in _files(rest, "input", sizes):
            node.link(PROV.used, self._file(name))
        for name in _files(rest, "output", sizes):
            yield Quad(self._file(name), PROV.wasGeneratedBy, own)
            if name not in sizes:
                yield from local_file(self._file(name), name)
        for word in ("inputFiles", "outputFiles", "files"):
            rest.pop(word, None)
        machines = _texts(rest.pop("machines", None)) or _texts(rest.pop("machine", None))
        node.link(HPC.wasAWH, *(part(self._base, "machine", machine) for machine in machines))
        command = rest.pop("command", None)
        if isinstance(command, dict):
            command = " ".join(map(str, (command.get("program", ""), *_texts(command.get("arguments"))))).strip()
        if command:
            yield from attribute(own, part(own.value, "command"), "command", str(command))
        for statistic in _STATISTICS:
            if (value := rest.pop(statistic, None)) is not None:
                yield from attribute(own, part(own.value, statistic), statistic, value)
        rest.pop("type", None) if rest.get("type") == "compute" else None
        yield from node.keep("task", rest, self._findings)

    def _file(self, name: str) -> NamedNode:
        return part(self._base, "file", name)


def _key(task: Mapping[str, Any]) -> str:
    return str(task.get("id") or task.get("name") or "")


def _object(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else {}


def _objects(value: Any) -> list[dict[str, Any]]:
    return [dict(one) for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _texts(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [] if value in (None, "") else [str(value)]


def _files(task: Mapping[str, Any], direction: str, sizes: Any) -> list[str]:
    """The input or output files of a task, as 1.5 and as 1.4 write them."""
    names = _texts(task.get(f"{direction}Files"))
    for file in _objects(task.get("files")):
        if file.get("link") == direction:
            name = str(file.get("id") or file.get("name"))
            names.append(name)
            sizes.setdefault(name, file.get("sizeInBytes", file.get("size")))
    return list(dict.fromkeys(names))


def _full_time(value: Any) -> Any:
    """A time in the basic form of ISO 8601 (`20200415T183333+0000`) in its extended form."""
    found = re.fullmatch(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})?", str(value or ""))
    if found is None:
        return value
    year, month, day, hour, minute, second, zone = found.groups()
    zone = f"{zone[:3]}:{zone[3:]}" if zone and zone != "Z" else zone or ""
    return f"{year}-{month}-{day}T{hour}:{minute}:{second}{zone}"


def _ended(started: datetime | None, seconds: Any) -> datetime | None:
    if started is None or isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        return None
    try:
        return started + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        return None
