"""Read the messages of two recorders of tasks: Flowcept, and ProvLake's library (seed 004, section 5).

A value is named by the task and the argument that it belongs to, never by itself: equal numbers of two tasks are two
values. A text that is a path or an address names data, which several tasks of one workflow may share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from hpc_explorer.interchange.json_values import records
from hpc_explorer.interchange.statements import Findings, Node, attribute, identified, job, moment_of, part
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVLAKE, PROVML, RDF
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import NamedNode, Quad

_PLACE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.\-]*://?|\.{0,2}/)?[^\s/]+(?:/[^\s/]+)+/?")
_LEARNING = frozenset({"mlflow", "tensorboard"})
"""The plug-ins of Flowcept whose tasks are learning processes and use hyperparameters."""

FLOWCEPT = "urn:flowcept:"
PROVLAKE_RUN = "urn:provlake:run:"
PROVLAKE_PLAN = "urn:provlake:workflow:"


def is_flowcept(keys: Mapping[str, frozenset[str]]) -> bool:
    """Whether the keys of a message are Flowcept's."""
    names = set(keys)
    is_task = "task_id" in names and not names.isdisjoint({"campaign_id", "workflow_id", "plugin_id"})
    return is_task or ("workflow_id" in names and not names.isdisjoint({"campaign_id", "flowcept_version"}))


def is_provlake(keys: Mapping[str, frozenset[str]]) -> bool:
    """Whether the keys are those of ProvLake: a specification, or what happened."""
    names = set(keys)
    return {"prov_obj", "act_type"} <= names or {"dataflow_name", "data_transformations"} <= names


def _values(
    owner: Node, values: Any, way: str, data: str, cls: NamedNode, plan: NamedNode | None = None
) -> Iterator[Quad]:
    """The arguments or results of a task.

    Args:
        way: `used` or `generated`.
        data: the beginning of the IRIs of shared data.
        plan: the prospective transformation whose attributes they are values of.
    """
    for key, value in values.items() if isinstance(values, dict) else ():
        if value is None:
            continue
        places = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        named = [one for one in places if isinstance(one, str) and len(one) < 4096 and _PLACE.fullmatch(one)]
        nodes = [Node(part(data, one), PROV.Entity, PROVLAKE.DataReference).label(one).value(one) for one in named]
        if not nodes or len(nodes) != len(places):
            nodes = [Node(part(owner.resource.value, way, key), cls).label(key).value(value)]
        for node in nodes:
            if plan is not None:
                node.link(PROV.wasDerivedFrom, part(plan.value, "attribute", key))
            if way == "used":
                owner.link(PROV.used, node.resource)
            else:
                node.link(PROV.wasGeneratedBy, owner.resource)
            yield from node


# --- Flowcept


def read_flowcept(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of Flowcept's messages: an array, or one message a line."""
    findings.prefixes["flowcept"] = FLOWCEPT
    for number, message in enumerate(records(document, findings), start=1):
        where = f"{document.where}, message {number}"
        if not isinstance(message, dict):
            findings.lost("not a message", where)
            continue
        fields = {key: _plain(value) for key, value in message.items()}
        if "task_id" in fields:
            yield from _flowcept_task(fields, findings)
        elif "workflow_id" in fields:
            yield from _flowcept_workflow(fields, findings)
        elif fields.get("type") != "control":
            findings.lost("not a message", where)


def _flowcept_workflow(fields: dict[str, Any], findings: Findings) -> Iterator[Quad]:
    own = part(f"{FLOWCEPT}workflow:", fields.pop("workflow_id"))
    times = (moment_of(fields.pop("started_at", None)), moment_of(fields.pop("ended_at", None)))
    node = identified(job(own, fields.pop("name", None) or "workflow", *times), own.value.rpartition(":")[2])
    node.link(RDF.type, PROVLAKE.WorkflowExecution)
    node.time(DCTERMS.created, moment_of(fields.pop("utc_timestamp", None)))
    yield from _flowcept_context(node, fields)
    for word in ("used", "generated"):
        yield from _values(node, fields.pop(word, None), word, f"{own.value}/data/", PROVLAKE.AttributeValue)
    yield from node.keep("workflow", fields, findings)


def _flowcept_task(fields: dict[str, Any], findings: Findings) -> Iterator[Quad]:
    workflow, campaign, own = fields.pop("workflow_id", None), fields.get("campaign_id"), fields.pop("task_id")
    within = workflow or campaign or ""
    times = (moment_of(fields.pop("started_at", None)), moment_of(fields.pop("ended_at", None)))
    name = fields.pop("activity_id", None) or f"{fields.get('plugin_id') or 'task'} {own}"
    node = identified(job(part(f"{FLOWCEPT}task:", within, own), name, *times), own)
    node.link(RDF.type, PROVLAKE.DataTransformationExecution)
    if workflow:
        node.link(PROV.wasInformedBy, part(f"{FLOWCEPT}workflow:", workflow))
    if parent := fields.pop("parent_task_id", None):
        node.link(PROV.wasInformedBy, part(f"{FLOWCEPT}task:", within, parent))
    for before in fields.pop("dependencies", None) or ():
        node.link(PROV.wasInformedBy, part(f"{FLOWCEPT}task:", within, before))
    is_learning = fields.get("plugin_id") in _LEARNING
    if is_learning:
        node.link(RDF.type, PROVML.LearningProcessExecution)
    data = part(f"{FLOWCEPT}data:", within).value
    for word, cls in (("used", PROVML.LearningHyperparameterValue), ("generated", PROVML.ModelEvaluation)):
        kind = cls if is_learning else PROVLAKE.AttributeValue
        yield from _values(node, fields.pop(word, None), word, f"{data}/", kind)
    yield from _flowcept_context(node, fields)
    node.time(DCTERMS.created, moment_of(fields.pop("utc_timestamp", None)))
    yield from node.keep("task", fields, findings)


def _flowcept_context(node: Node, fields: dict[str, Any]) -> Iterator[Quad]:
    """Where a task ran and who started it; the rest becomes attributes."""
    host = fields.pop("hostname", None) or fields.pop("node_name", None)
    if host:
        machine = part(f"{FLOWCEPT}host:", host)
        node.link(HPC.wasAWH, machine)
        yield from Node(machine, HPC.Hardware).label(host).text(HPC.operatingSystem, fields.pop("sys_name", None))
    user = fields.pop("user", None) or fields.pop("login_name", None)
    if user:
        person = part(f"{FLOWCEPT}user:", user)
        node.link(PROV.wasAssociatedWith, person)
        yield from Node(person, PROV.Person).label(user)
    if campaign := fields.pop("campaign_id", None):
        experiment = part(f"{FLOWCEPT}campaign:", campaign)
        node.link(PROV.wasInfluencedBy, experiment)
        yield from Node(experiment, PROVML.LearningExperiment).label(campaign)
    for word in ("status", "plugin_id", "stdout", "stderr", "activity_name", "custom_metadata"):
        if (value := fields.pop(word, None)) not in (None, "", {}):
            yield from attribute(node.resource, part(node.resource.value, word), word, value)
    for word in ("_id", "msg_id", "type", "timestamp", "login_name", "node_name", "interceptor_ids", "registered_at"):
        fields.pop(word, None)


def _plain(value: Any) -> Any:
    """MongoDB's extended JSON as plain JSON."""
    if isinstance(value, dict):
        if len(value) == 1:
            ((key, inner),) = value.items()
            if key in ("$numberLong", "$numberInt") and isinstance(inner, str) and inner.lstrip("-").isdecimal():
                return int(inner)
            if key in ("$numberDouble", "$date", "$oid"):
                return _plain(inner)
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value


# --- ProvLake


def read_provlake(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of ProvLake's JSON: prospective specifications and retrospective messages."""
    findings.prefixes.update(plrun=PROVLAKE_RUN, plwf=PROVLAKE_PLAN)
    for number, message in enumerate(records(document, findings), start=1):
        if isinstance(message, dict) and isinstance(message.get("prov_obj"), dict):
            yield from _provlake_message(dict(message), findings)
        elif isinstance(message, dict) and "data_transformations" in message:
            yield from _specification(dict(message), findings)
        else:
            findings.lost("not a message", f"{document.where}, message {number}")


def _specification(fields: dict[str, Any], findings: Findings) -> Iterator[Quad]:
    name = str(fields.pop("dataflow_name", None) or fields.pop("workflow_name", None) or "workflow")
    plan = part(PROVLAKE_PLAN, name)
    workflow = Node(plan, PROVLAKE.Workflow).label(name).text(DCTERMS.description, fields.pop("description", None))
    if context := fields.pop("context_name", None):
        project = part("urn:provlake:project:", context)
        workflow.link(PROVLAKE.isPartOf, project)
        yield from Node(project, PROVLAKE.Project).label(context)
    for store, described in _object(fields.pop("storages", None)).items():
        node = Node(part(plan.value, "store", store), PROVLAKE.DataStore).label(store)
        yield from node.keep("storage", _object(described), findings)
    for dt, described in _object(fields.pop("data_transformations", None)).items():
        rest = _object(described)
        own = part(plan.value, dt)
        node = Node(own, PROVLAKE.DataTransformation).label(dt).link(PROVLAKE.isPartOf, plan)
        for word in ("input_datasets", "output_datasets"):
            for dataset in rest.pop(word, None) or ():
                inside = _object(dataset)
                for one in inside.pop("attributes", None) or ():
                    facts = _object(one)
                    key = str(facts.pop("name", ""))
                    value = Node(part(own.value, "attribute", key), PROVLAKE.Attribute).label(key)
                    value.link(PROVLAKE.isPartOf, own).text(PROVLAKE.tag, facts.pop("semantics", None))
                    value.text(DCTERMS.description, facts.pop("description", None))
                    value.text(DCTERMS.type, facts.pop("dtype", None))
                    yield from value.keep("attribute", facts, findings)
                node.keep(word, inside, findings)
        yield from node.keep("data transformation", rest, findings)
    fields.pop("description:", None)
    yield from workflow.keep("workflow", fields, findings)


def _provlake_message(message: dict[str, Any], findings: Findings) -> Iterator[Quad]:
    content, kind = dict(message.pop("prov_obj")), str(message.pop("act_type", ""))
    name = (
        message.pop("dataflow_name", None) or message.pop("workflow_name", None) or content.pop("dataflow_name", None)
    )
    inner = _object(content.pop("task", None)) or _object(content.pop("cycle", None)) or content
    run_id = inner.pop("wf_execution", None) or content.pop("wf_execution", None) or "run"
    run = part(PROVLAKE_RUN, run_id)
    plan = part(PROVLAKE_PLAN, name) if name else None
    times = (moment_of(inner.pop("startTime", None)), moment_of(inner.pop("endTime", None)))
    dt: NamedNode | None = None
    if kind == "workflow":
        node = identified(job(run, name or run_id, *times), run_id).link(RDF.type, PROVLAKE.WorkflowExecution)
        node.link(PROV.wasInfluencedBy, plan)
    elif kind == "cycle":
        cycle, iteration = content.pop("cycle_name", None), inner.pop("iteration_id", None)
        node = job(part(run.value, "cycle", cycle, iteration), f"{cycle} {iteration}", *times)
        node.link(RDF.type, PROVLAKE.DataTransformationExecution).link(PROV.wasInformedBy, run)
    else:
        title, own = content.pop("dt", None), inner.pop("id", None)
        node = identified(job(part(run.value, "task", own), title or own, *times), own)
        node.link(RDF.type, PROVLAKE.DataTransformationExecution).link(PROV.wasInformedBy, run)
        dt = part(plan.value, title) if plan is not None and title else None
        node.link(PROV.wasInfluencedBy, dt)
        cycle, iteration = inner.pop("parent_cycle_name", None), inner.pop("parent_cycle_iteration", None)
        if cycle:
            node.link(PROV.wasInformedBy, part(run.value, "cycle", cycle, iteration))
    way = "generated" if str(content.pop("type", "Input")) in ("Output", "Generate") else "used"
    yield from _values(node, content.pop("values", None), way, f"{run.value}/data/", PROVLAKE.AttributeValue, dt)
    if person := content.pop("person", None) or content.pop("person_id", None):
        agent = part("urn:provlake:person:", person)
        node.link(PROV.wasAssociatedWith, agent)
        yield from Node(agent, PROVML.Persona).label(person)
    for word in ("status", "stdout", "stderr"):
        if (value := inner.pop(word, None)) not in (None, ""):
            yield from attribute(node.resource, part(node.resource.value, word), word, value)
    rest = {**message, **content, **(inner if inner is not content else {})}
    yield from node.keep(kind or "message", rest, findings)


def _object(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else {}
