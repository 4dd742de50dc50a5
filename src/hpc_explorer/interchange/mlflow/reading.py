"""Read an MLflow tracking store as PROV-ML.

A run is a learning process that used parameters and datasets and generated metrics, artifacts and models. Runs and
logged models are named by their ids, which stay when a store is moved; the rest is named in the store.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hpc_explorer.interchange.metrics import metric_statements
from hpc_explorer.interchange.mlflow.store import (
    Item,
    LoggedModel,
    RegisteredModel,
    Run,
    is_database,
    is_file_store,
    json_of,
    read_database,
    read_file_store,
)
from hpc_explorer.interchange.statements import (
    Findings,
    Node,
    attribute,
    file_iri,
    identified,
    job,
    local_file,
    moment_of,
    number_of,
    part,
)
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVLAKE, PROVML, RDF
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import NamedNode, Quad

MOST_ARTIFACTS = 10_000
"""The most artifact files of one run that are listed."""

LARGEST_HASHED = 64 * 1024 * 1024
"""Artifacts up to this size get a checksum, so that the same file is found in other sources."""

_CHUNK = 1 << 20
_KNOWN_TAGS = frozenset(
    {
        "mlflow.runName", "mlflow.user", "mlflow.parentRunId", "mlflow.note.content", "mlflow.source.name",
        "mlflow.source.type", "mlflow.source.git.commit", "mlflow.source.git.branch", "mlflow.source.git.repoURL",
        "mlflow.log-model.history", "mlflow.modelVersions",
    }
)  # fmt: skip


def fits_mlflow(path: Path | None, head: bytes) -> bool:
    """Whether a path is a file store or a tracking database."""
    if path is None:
        return False
    return is_file_store(path) if path.is_dir() else is_database(path, head)


def read_mlflow(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a tracking store."""
    assert document.path is not None
    path = document.path
    items = read_file_store(path, findings) if path.is_dir() else read_database(path, findings)
    findings.prefixes.update(run=_RUN, loggedmodel=_MODEL)
    yield from _Store(f"{base}#", findings).quads(items)


_RUN = "urn:mlflow:run:"
_MODEL = "urn:mlflow:model:"


def run_iri(run_id: object) -> NamedNode:
    """The IRI of a run."""
    return part(_RUN, run_id)


class _Store:
    def __init__(self, base: str, findings: Findings) -> None:
        self._base = base
        self._findings = findings
        self._seen: set[NamedNode] = set()

    def quads(self, items: Iterator[Item]) -> Iterator[Quad]:
        for item in items:
            if isinstance(item, Run):
                yield from self._run(item)
            elif isinstance(item, LoggedModel):
                yield from self._model(item)
            elif isinstance(item, RegisteredModel):
                yield from self._registered(item)
            else:
                yield from self._experiment(item)

    def _experiment(self, info: dict[str, Any]) -> Iterator[Quad]:
        rest = dict(info)
        own = str(rest.pop("experiment_id"))
        node = Node(part(self._base, "experiment", own), PROVML.LearningExperiment)
        node.label(rest.pop("name", None) or own)
        node.time(DCTERMS.created, moment_of(rest.pop("creation_time", None)))
        node.time(DCTERMS.modified, moment_of(rest.pop("last_update_time", None)))
        tags = dict(rest.pop("tags", None) or {})
        node.text(DCTERMS.description, tags.pop("mlflow.note.content", None))
        yield from self._tags(node, tags)
        for word in ("artifact_location", "workspace", "lifecycle_stage"):
            value = rest.pop(word, None)
            if word == "lifecycle_stage" and value not in (None, "active"):
                yield from attribute(node.resource, part(node.resource.value, word), word, value)
        yield from node.keep("experiment", rest, self._findings)

    def _tags(self, node: Node, tags: dict[str, str]) -> Iterator[Quad]:
        """Tags of the user as attributes; those of MLflow itself that mean nothing here are kept as JSON."""
        system = {key: json_of(value) for key, value in tags.items() if key.startswith("mlflow.")}
        for key, value in tags.items():
            if key not in system:
                yield from attribute(node.resource, part(node.resource.value, "tag", key), key, number_of(value))
        node.keep("tag", system, self._findings)

    # Runs

    def _run(self, run: Run) -> Iterator[Quad]:
        info, tags = dict(run.info), dict(run.tags)
        iri = run_iri(run.id)
        name = tags.get("mlflow.runName") or info.pop("run_name", None) or info.pop("name", None) or run.id
        started, ended = moment_of(info.pop("start_time", None)), moment_of(info.pop("end_time", None))
        node = identified(job(iri, name, started, ended), run.id)
        if run.metrics or run.params or run.model_outputs or "mlflow.log-model.history" in tags:
            node.link(RDF.type, PROVML.LearningProcessExecution)
        if (experiment := info.pop("experiment_id", None)) is not None:
            node.link(PROV.wasInfluencedBy, part(self._base, "experiment", experiment))
        if parent := tags.get("mlflow.parentRunId"):
            node.link(PROV.wasInformedBy, run_iri(parent))
        node.text(DCTERMS.description, tags.get("mlflow.note.content"))
        yield from self._context(node, info, tags)
        for word in ("status", "lifecycle_stage"):
            if (value := info.pop(word, None)) not in (None, "active"):
                yield from attribute(iri, part(iri.value, word), word, value)
        for key, text in run.params.items():
            param = Node(part(iri.value, "param", key), PROVML.LearningHyperparameterValue)
            yield from param.label(key).value(number_of(text))
            node.link(PROV.used, param.resource)
        for key, points in run.metrics.items():
            yield from metric_statements(iri, key, points)
        for described, use in run.inputs:
            yield from self._dataset(node, described, use)
        node.link(PROV.used, *(part(_MODEL, model) for model in run.model_inputs))
        for model in run.model_outputs:
            yield Quad(part(_MODEL, model), PROV.wasGeneratedBy, iri)
        yield from self._logged_in_tag(iri, tags.get("mlflow.log-model.history"), info.get("artifact_uri"))
        if run.artifacts is not None:
            yield from self._artifacts(iri, run.artifacts)
        yield from self._tags(node, {key: value for key, value in tags.items() if key not in _KNOWN_TAGS})
        for word in ("run_id", "run_uuid", "run_name", "name", "artifact_uri", "source_type", "deleted_time", "tags"):
            info.pop(word, None)
        yield from node.keep("run", info, self._findings)

    def _context(self, node: Node, info: dict[str, Any], tags: dict[str, str]) -> Iterator[Quad]:
        """Who ran what: the user, and the program with its commit."""
        user = tags.get("mlflow.user") or info.pop("user_id", None)
        info.pop("user_id", None)
        if user:
            person = part(self._base, "user", user)
            node.link(PROV.wasAssociatedWith, person)
            yield from self._once(Node(person, PROV.Person).label(user))
        source = tags.get("mlflow.source.name") or info.pop("source_name", None)
        commit = tags.get("mlflow.source.git.commit") or info.pop("source_version", None)
        for word in ("source_name", "source_version", "entry_point_name"):
            if info.get(word) == "":
                info.pop(word)
        info.pop("source_name", None)
        info.pop("source_version", None)
        if source:
            program = part(self._base, "source", source, *([commit] if commit else []))
            node.link(HPC.wasAWS, program)
            described = Node(program, HPC.Script).label(Path(str(source)).name or source).text(HPC.version, commit)
            described.text(HPC.url, tags.get("mlflow.source.git.repoURL"))
            yield from self._once(described)

    def _once(self, node: Node) -> Iterator[Quad]:
        if node.resource not in self._seen:
            self._seen.add(node.resource)
            yield from node

    def _dataset(self, run: Node, described: dict[str, Any], use: dict[str, str]) -> Iterator[Quad]:
        rest = dict(described)
        name, digest = str(rest.pop("name", "") or "dataset"), str(rest.pop("digest", "") or "")
        iri = part(self._base, "dataset", name, digest)
        run.link(PROV.used, iri)
        context = use.get("mlflow.data.context")
        if context:
            role = part(self._base, "role", context)
            usage = part(run.resource.value, "input", name, digest, context)
            run.link(PROV.qualifiedUsage, usage)
            yield from Node(usage, PROV.Usage).link(PROV.entity, iri).link(PROV.hadRole, role)
            yield from self._once(Node(role, PROV.Role).label(context))
        node = identified(Node(iri, PROVML.LearningDataset, HPC.Dataset).label(name), digest)
        source, kind = json_of(rest.pop("source", None)), rest.pop("source_type", None)
        place = source.get("uri") or source.get("url") or source.get("path") if isinstance(source, dict) else source
        if isinstance(place, str) and place:
            raw = file_iri(place)
            node.link(PROV.wasDerivedFrom, raw)
            yield from self._once(Node(raw, PROV.Entity, HPC.Data).label(place))
        elif source:
            rest["source"], rest["source_type"] = source, kind
        for word in ("schema", "profile"):
            value = json_of(rest.pop(word, None))
            facts = value.items() if word == "profile" and isinstance(value, dict) else [(word, value)] if value else ()
            for key, fact in facts:
                cls = PROVML.DatasetCharacteristicValue
                yield from self._once(attribute(iri, part(iri.value, word, key), key, fact, cls))
        for word in ("dataset_uuid", "experiment_id"):
            rest.pop(word, None)
        yield from self._once(node.keep("dataset", rest, self._findings))

    def _artifacts(self, run: NamedNode, folder: Path, owner: Node | None = None) -> Iterator[Quad]:
        """The files of a run, or of a model that it generated."""
        number = 0
        for parent, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                path = Path(parent) / name
                number += 1
                if number > MOST_ARTIFACTS:
                    self._findings.lost(f"more than {MOST_ARTIFACTS:,} artifacts of one run", folder)
                    return
                file = described_file(path, path.relative_to(folder).as_posix(), self._findings)
                if owner is not None:
                    owner.link(HPC.file, file.resource)
                yield from file.link(PROV.wasGeneratedBy, run)

    # Models

    def _logged_in_tag(self, run: NamedNode, history: str | None, artifacts: Any) -> Iterator[Quad]:
        """The models of a run as MLflow 1 and 2 record them, in a tag."""
        models = json_of(history) if history else []
        if not isinstance(models, list):
            self._findings.lost("half-written list of models", run.value)
            return
        for model in models:
            if not isinstance(model, dict):
                continue
            rest = dict(model)
            path = str(rest.pop("artifact_path", "") or "model")
            own = rest.pop("model_uuid", None)
            iri = part(_MODEL, own) if own else part(run.value, "model", path)
            node = Node(iri, PROVML.Model, HPC.AIModel).label(path).link(PROV.wasGeneratedBy, run)
            node.time(PROV.generatedAtTime, moment_of(rest.pop("utc_time_created", None)))
            if artifacts:
                node.link(PROV.atLocation, file_iri(f"{str(artifacts).rstrip('/')}/{path}"))
            rest.pop("run_id", None)
            yield from node.keep("model", rest, self._findings)

    def _model(self, model: LoggedModel) -> Iterator[Quad]:
        info = dict(model.info)
        iri = part(_MODEL, model.id)
        node = identified(Node(iri, PROVML.Model, HPC.AIModel).label(info.pop("name", None) or model.id), model.id)
        node.time(
            PROV.generatedAtTime, moment_of(info.pop("creation_timestamp", info.pop("creation_timestamp_ms", None)))
        )
        if run := info.pop("source_run_id", None):
            node.link(PROV.wasGeneratedBy, run_iri(run))
            if model.artifacts is not None:
                yield from self._artifacts(run_iri(run), model.artifacts, node)
        if place := info.pop("artifact_location", None):
            node.link(PROV.atLocation, file_iri(str(place)))
        for key, text in model.params.items():
            yield from attribute(iri, part(iri.value, "param", key), key, number_of(text))
        for key, points in model.metrics.items():
            yield from metric_statements(iri, key, points, PROVLAKE.isCharacteristicOf)
        yield from self._tags(node, {key: value for key, value in model.tags.items() if key not in _KNOWN_TAGS})
        for word in (
            "model_id", "experiment_id", "creation_timestamp", "creation_timestamp_ms", "last_updated_timestamp",
            "last_updated_timestamp_ms", "status", "lifecycle_stage",
        ):  # fmt: skip
            info.pop(word, None)
        yield from node.keep("model", info, self._findings)

    def _registered(self, model: RegisteredModel) -> Iterator[Quad]:
        info = dict(model.info)
        name = str(info.pop("name", "") or "model")
        iri = part(self._base, "registered", name)
        node = Node(iri, PROV.Entity, HPC.AIModel).label(name).text(DCTERMS.description, info.pop("description", None))
        node.time(DCTERMS.created, moment_of(info.pop("creation_timestamp", info.pop("creation_time", None))))
        for word in ("last_updated_timestamp", "last_updated_time", "creation_time", "workspace"):
            info.pop(word, None)
        yield from node.keep("registered model", info, self._findings)
        for version in model.versions:
            yield from self._version(iri, name, dict(version))

    def _version(self, model: NamedNode, name: str, info: dict[str, Any]) -> Iterator[Quad]:
        number = info.pop("version", None)
        node = Node(part(model.value, "version", number), PROV.Entity, PROVML.Model, HPC.AIModel)
        node.label(f"{name} version {number}").text(HPC.version, number).link(PROV.specializationOf, model)
        node.time(DCTERMS.created, moment_of(info.pop("creation_timestamp", info.pop("creation_time", None))))
        node.text(DCTERMS.description, info.pop("description", None))
        source, run = str(info.pop("source", "") or ""), info.pop("run_id", None)
        own = info.pop("model_id", None) or (
            source.removeprefix("models:/") if source.startswith("models:/m-") else None
        )
        if own:
            node.link(PROV.wasDerivedFrom, part(_MODEL, own))
        elif source:
            node.link(PROV.atLocation, file_iri(source))
        if run and not own:
            node.link(PROV.wasGeneratedBy, run_iri(run))
        stage = info.pop("current_stage", None)
        if stage not in (None, "None", ""):
            yield from attribute(node.resource, part(node.resource.value, "stage"), "stage", stage)
        for word in (
            "name", "creation_time", "last_updated_timestamp", "last_updated_time", "storage_location", "status",
            "workspace",
        ):  # fmt: skip
            info.pop(word, None)
        yield from node.keep("model version", info, self._findings)


def described_file(path: Path, name: str, findings: Findings) -> Node:
    """A file on disk, with its size, and with its checksum if it is not too large."""
    node = local_file(file_iri(str(path.absolute())), name)
    try:
        size = path.stat().st_size
        node.bytes(size)
        if path.is_file() and size <= LARGEST_HASHED:
            digest = hashlib.sha256()
            with open(path, "rb") as stream:
                while chunk := stream.read(_CHUNK):
                    digest.update(chunk)
            node.checksum("sha256", digest.hexdigest())
    except OSError as error:
        findings.lost(f"the file cannot be read ({error.strerror})", path)
    return node
