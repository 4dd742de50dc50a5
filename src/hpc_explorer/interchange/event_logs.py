"""Read the binary logs of two trackers: Weights & Biases offline runs, and the scalars of TensorBoard event files.

Both are sequences of records with checksums. If a run was killed, the complete records are read.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, BinaryIO

from hpc_explorer.interchange import protobuf
from hpc_explorer.interchange.metrics import Point, metric_statements
from hpc_explorer.interchange.statements import Findings, Node, attribute, identified, job, moment_of, part
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVML, RDF
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import NamedNode, Quad

WANDB = b":W&B"
_BLOCK = 32 * 1024
_HEADER = 7
_FULL, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_LARGEST_RECORD = 256 * 1024 * 1024
_MOST_POINTS = 5_000_000
"""The most values of metrics of one run; more are reported and not read."""

_Message = dict[int, list[protobuf.Value]]


# --- Weights & Biases


def is_wandb(head: bytes) -> bool:
    """Whether a file is the log of an offline run."""
    return head.startswith(WANDB)


def read_wandb(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of an offline run."""
    run = _WandbRun(document.where, findings)
    with document.errors_named(), document.open() as stream:
        for record in _leveldb_records(stream, document.where, findings):
            try:
                run.add(protobuf.message(record))
            except protobuf.Damaged:
                findings.lost("a record that cannot be decoded", document.where)
    yield from run.quads(base)


def _leveldb_records(stream: BinaryIO, where: str, findings: Findings) -> Iterator[bytes]:
    """The records of a log in LevelDB's format, whose checksum here is that of zlib."""
    stream.read(_HEADER)
    at = _HEADER
    parts: list[bytes] = []
    while True:
        if _BLOCK - at % _BLOCK < _HEADER:
            at += len(stream.read(_BLOCK - at % _BLOCK))
        header = stream.read(_HEADER)
        if not header:
            break
        if len(header) < _HEADER:
            parts = [b""]
            break
        checksum, size, kind = struct.unpack("<IHB", header)
        data = stream.read(size)
        at += _HEADER + len(data)
        if len(data) < size:
            parts = [b""]
            break
        if kind not in (_FULL, _FIRST, _MIDDLE, _LAST) or zlib.crc32(data, zlib.crc32(bytes([kind]))) != checksum:
            findings.lost(f"a record with a wrong checksum, and what follows in its block (byte {at - size:,})", where)
            at += len(stream.read(_BLOCK - at % _BLOCK)) if at % _BLOCK else 0
            parts = []
            continue
        parts = [data] if kind in (_FULL, _FIRST) else [*parts, data]
        if kind in (_FULL, _LAST):
            yield b"".join(parts)
            parts = []
    if parts:
        findings.lost("a half-written record at the end", where)


class _WandbRun:
    def __init__(self, where: str, findings: Findings) -> None:
        self._where = where
        self._findings = findings
        self._run: _Message = {}
        self._config: dict[str, Any] = {}
        self._points: dict[str, list[Point]] = {}
        self._number = 0
        self._summary: dict[str, Any] = {}
        self._artifacts: list[_Message] = []
        self._used: list[_Message] = []
        self._exit: _Message | None = None
        self._environment: _Message = {}

    def add(self, record: _Message) -> None:
        """Take in a record."""
        readers: dict[int, Callable[[_Message], None]] = {
            2: self._history, 3: lambda one: self._items(one, self._summary), 5: self._add_config,
            8: self._artifacts.append, 17: self._add_run, 18: self._end, 25: self._used.append,
            26: self._environment.update,
        }  # fmt: skip
        ignored = {4: "console output", 7: "system statistics", 13: "console output", 10: "alert", 9: "TensorBoard"}
        for number, reader in readers.items():
            for one in protobuf.inner(record, number):
                reader(one)
        for number, words in ignored.items():
            if number in record:
                self._findings.skipped[words] += 1

    def _add_run(self, run: _Message) -> None:
        self._run.update(run)
        for config in protobuf.inner(run, 4):
            self._add_config(config)

    def _end(self, one: _Message) -> None:
        self._exit = one

    def _add_config(self, config: _Message) -> None:
        self._items(config, self._config)

    def _items(self, message: _Message, into: dict[str, Any]) -> None:
        for item in protobuf.inner(message, 1):
            into[_key(item)] = _json(protobuf.text(item, 16))

    def _history(self, message: _Message) -> None:
        row = {_key(item): _json(protobuf.text(item, 16)) for item in protobuf.inner(message, 1)}
        steps = protobuf.inner(message, 2)
        step = row.get("_step", protobuf.integer(steps[0], 1) if steps else 0)
        for key, value in row.items():
            if key.startswith("_"):
                continue
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                self._summary[key] = value
                continue
            self._number += 1
            if self._number <= _MOST_POINTS:
                timestamp = row.get("_timestamp")
                at = float(timestamp) if isinstance(timestamp, (int, float)) else None
                point = Point(float(value), at, int(step) if isinstance(step, (int, float)) else 0)
                self._points.setdefault(key, []).append(point)

    def quads(self, base: str) -> Iterator[Quad]:
        """The statements of the records so far."""
        run, findings = self._run, self._findings
        if not run:
            findings.lost("no run in this log", self._where)
            return
        own, project = protobuf.text(run, 1), protobuf.text(run, 3)
        iri = part("urn:wandb:run:", project, own)
        findings.prefixes["wandb"] = "urn:wandb:run:"
        started = next((_timestamp(one) for one in protobuf.inner(run, 17)), None)
        runtime = protobuf.integer(self._exit, 2) if self._exit else 0
        ended = moment_of(started + runtime) if started is not None and runtime else None
        node = identified(job(iri, protobuf.text(run, 8) or own, moment_of(started), ended), own)
        if self._points or self._config:
            node.link(RDF.type, PROVML.LearningProcessExecution)
        if project:
            experiment = part("urn:wandb:project:", project)
            node.link(PROV.wasInfluencedBy, experiment)
            yield from Node(experiment, PROVML.LearningExperiment).label(project)
        node.text(DCTERMS.description, protobuf.text(run, 9))
        for tag in run.get(10, ()):
            if isinstance(tag, bytes):
                word = tag.decode("utf-8", errors="replace")
                yield from attribute(iri, part(iri.value, "tag", word), "tag", word)
        host = protobuf.text(run, 13) or protobuf.text(self._environment, 12)
        if host:
            machine = part("urn:wandb:host:", host)
            node.link(HPC.wasAWH, machine)
            yield from Node(machine, HPC.Hardware).label(host)
        for git in protobuf.inner(run, 21):
            if commit := protobuf.text(git, 2):
                program = part("urn:wandb:source:", protobuf.text(git, 1) or project, commit)
                node.link(HPC.wasAWS, program)
                described = Node(program, HPC.Script).label(f"commit {commit[:10]}").text(HPC.version, commit)
                yield from described.text(HPC.url, protobuf.text(git, 1))
        if self._exit is not None:
            yield from attribute(iri, part(iri.value, "exit code"), "exit code", protobuf.integer(self._exit, 1))
        else:
            findings.notes.append("the run did not end: its log has no exit code")
        for key, value in self._config.items():
            if key.startswith("_"):
                continue
            param = Node(part(iri.value, "param", key), PROVML.LearningHyperparameterValue).label(key).value(value)
            node.link(PROV.used, param.resource)
            yield from param
        for key, points in self._points.items():
            yield from metric_statements(iri, key, points)
        if self._number > _MOST_POINTS:
            findings.lost(f"more than {_MOST_POINTS:,} values of metrics", self._where)
        for key, value in self._summary.items():
            if not key.startswith("_") and key not in self._points:
                summary = Node(part(iri.value, "summary", key), PROVML.ModelEvaluation).label(key).value(value)
                yield from summary.link(PROV.wasGeneratedBy, iri)
        for artifact in self._artifacts:
            yield from self._artifact(iri, artifact)
        for artifact in self._used:
            name, kind = protobuf.text(artifact, 3), protobuf.text(artifact, 2)
            node.link(PROV.used, _artifact_iri(project, name))
            yield from Node(_artifact_iri(project, name), PROV.Entity, *_classes(kind)).label(name)
        yield from node

    def _artifact(self, run: NamedNode, artifact: _Message) -> Iterator[Quad]:
        name, digest, kind = protobuf.text(artifact, 5), protobuf.text(artifact, 6), protobuf.text(artifact, 4)
        iri = part(_artifact_iri(protobuf.text(self._run, 3), name).value, digest)
        node = identified(Node(iri, PROV.Entity, *_classes(kind)).label(name), digest).link(PROV.wasGeneratedBy, run)
        node.text(DCTERMS.description, protobuf.text(artifact, 7))
        metadata = _json(protobuf.text(artifact, 8))
        for manifest in protobuf.inner(artifact, 12):
            for entry in protobuf.inner(manifest, 4):
                path = protobuf.text(entry, 1)
                file = Node(part(iri.value, "file", path), PROV.Entity, HPC.File).label(path)
                file.bytes(protobuf.integer(entry, 4)).checksum("md5", _md5(protobuf.text(entry, 2)))
                node.link(HPC.file, file.resource)
                yield from file.link(PROV.wasGeneratedBy, run)
        yield from node.keep("artifact", metadata if isinstance(metadata, dict) else {}, self._findings)


def _artifact_iri(project: str, name: str) -> NamedNode:
    return part("urn:wandb:artifact:", project, name)


def _classes(kind: str) -> tuple[NamedNode, ...]:
    """The roles of an artifact of W&B by its type, where the type is one of those that W&B proposes."""
    return {
        "model": (PROVML.Model, HPC.AIModel),
        "dataset": (PROVML.LearningDataset, HPC.Dataset),
    }.get(kind, ())


def _key(item: _Message) -> str:
    nested = [one.decode("utf-8", errors="replace") for one in item.get(2, ()) if isinstance(one, bytes)]
    return protobuf.text(item, 1) or ".".join(nested)


def _json(text: str) -> Any:
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return text


def _timestamp(one: _Message) -> float:
    return protobuf.integer(one, 1) + protobuf.integer(one, 2) / 1e9


def _md5(digest: str) -> str:
    """An MD5 in hexadecimal; W&B writes it in base64."""
    try:
        raw = base64.b64decode(digest, validate=True)
    except (binascii.Error, ValueError):
        return ""
    return raw.hex() if len(raw) == 16 else ""


# --- TensorBoard


def is_tensorboard(name: str, head: bytes) -> bool:
    """Whether a file is an event file: a record whose length has the right checksum, and a version of its format."""
    if len(head) < 12:
        return False
    (size,) = struct.unpack("<Q", head[:8])
    is_framed = struct.unpack("<I", head[8:12])[0] == _masked(head[:8])
    return is_framed and size < len(head) and b"brain.Event:" in head[12 : 12 + size]


def read_tensorboard(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The scalars of an event file. The event files of one folder belong to one run."""
    folder, _, name = base.rpartition("/")
    run = part(f"{folder}/#", "run")
    points: dict[str, list[Point]] = {}
    first = last = None
    number = 0
    with document.errors_named(), document.open() as stream:
        for record in _tf_records(stream, document.where, findings):
            try:
                event = protobuf.message(record)
                moment = protobuf.double(event[1][-1]) if 1 in event else None
                step = protobuf.integer(event, 2)
                for summary in protobuf.inner(event, 5):
                    for value in protobuf.inner(summary, 1):
                        number += 1
                        if number <= _MOST_POINTS:
                            _scalar(value, moment, step, points, findings)
            except protobuf.Damaged:
                findings.lost("a record that cannot be decoded", document.where)
                continue
            if moment is not None:
                first = moment if first is None else min(first, moment)
                last = moment if last is None else max(last, moment)
    title = folder.rpartition("/")[2] or name
    node = job(run, title, moment_of(first), moment_of(last))
    if points:
        node.link(RDF.type, PROVML.LearningProcessExecution)
    yield from node
    for key, values in points.items():
        yield from metric_statements(run, key, values)
    if number > _MOST_POINTS:
        findings.lost(f"more than {_MOST_POINTS:,} values of metrics", document.where)


def _scalar(
    value: _Message, moment: float | None, step: int, points: dict[str, list[Point]], findings: Findings
) -> None:
    tag = protobuf.text(value, 1)
    number: float | None = protobuf.double(value[2][-1]) if 2 in value else None
    plugins = [protobuf.text(one, 1) for metadata in protobuf.inner(value, 9) for one in protobuf.inner(metadata, 1)]
    if (number is None and plugins == ["scalars"]) or (number is None and not plugins and 8 in value):
        for tensor in protobuf.inner(value, 8):
            number = _only_number(tensor)
    if number is None:
        findings.skipped[plugins[0] if plugins else "no scalar"] += 1
        return
    points.setdefault(tag, []).append(Point(number, moment, step))


def _only_number(tensor: _Message) -> float | None:
    """The number of a tensor that has one: float (1) or double (2)."""
    kind = protobuf.integer(tensor, 1)
    size, places = (4, (4, 5)) if kind == 1 else (8, (4, 6)) if kind == 2 else (0, ())
    for place in places:
        for value in tensor.get(place, ()):
            if isinstance(value, bytes) and len(value) == size:
                return protobuf.double(value)
    return None


def _tf_records(stream: BinaryIO, where: str, findings: Findings) -> Iterator[bytes]:
    at = 0
    while header := stream.read(12):
        if len(header) < 12:
            findings.lost("a half-written record at the end", where)
            return
        (size,) = struct.unpack("<Q", header[:8])
        if struct.unpack("<I", header[8:])[0] != _masked(header[:8]) or size > _LARGEST_RECORD:
            findings.lost(f"a record with a wrong checksum, and everything after it (byte {at:,})", where)
            return
        data, checksum = stream.read(size), stream.read(4)
        if len(data) < size or len(checksum) < 4:
            findings.lost("a half-written record at the end", where)
            return
        if size <= _CHECKED and struct.unpack("<I", checksum)[0] != _masked(data):
            findings.lost(f"a record with a wrong checksum (byte {at:,})", where)
        else:
            yield data
        at += 16 + size


_CHECKED = 4096
"""Records up to this size, as scalars are, are checked: the checksum is computed in Python."""


def _masked(data: bytes) -> int:
    """The masked CRC-32C of TFRecord."""
    table, crc = _crc_table(), 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


@cache
def _crc_table() -> tuple[int, ...]:
    table = []
    for number in range(256):
        for _ in range(8):
            number = (number >> 1) ^ (0x82F63B78 if number & 1 else 0)
        table.append(number)
    return tuple(table)
