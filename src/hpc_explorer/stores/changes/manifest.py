"""The manifest of a workspace: its current state and the sources loaded into it.

`manifest.json` is replaced atomically, so a crash leaves the workspace either before or after a change.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pyoxigraph import RdfFormat, parse

from hpc_explorer.errors import StoreError
from hpc_explorer.rdf.aliases import AliasRecord
from hpc_explorer.rdf.syntax.files import sync_folder
from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad, resource_of_n_triples
from hpc_explorer.stores.changes.source_versions import SourceVersion, file_time
from hpc_explorer.stores.remote.mirror_record import MirrorCheck, MirrorPart, MirrorRecord

MANIFEST = "manifest.json"
"""The file by which a folder is known to be a workspace."""

STATES = "states"
"""The folder of a workspace's states, each in a folder that has a number as its name."""

IN_USE = "in-use"
"""The file of a state that its readers hold; it is there once the state is whole."""

_NEW_MANIFEST = f"{MANIFEST}.new"

FORMAT = 4

# Sources loaded once are written in the old format, so that older versions can read them.
_WITHOUT_VERSIONS = 2
_WITHOUT_PUSHES = 3


@dataclass(frozen=True)
class LoadedSource:
    """One source of a workspace, as it was when it was loaded.

    Args:
        name: as the user gave it, or a file's name inside a given folder.
        path: the absolute path; None for a copy of an endpoint and for a graph that has no file yet.
        graph: the named graph that contains its default graph.
        graphs: every graph that its quads were loaded into, including `graph`.
        sha256: the checksum of the file, in hexadecimal.
        size: its length in bytes.
        mtime_ns: when it was last modified, in nanoseconds since 1970.
        format: the name of its RDF syntax.
        triples: how many quads it holds.
        prefixes: those that it declares.
        aliases: spellings of IRIs that were replaced by others.
        mirror: the origin of a copy of an endpoint.
        revision: that of the workspace when it was first loaded; its later edits are in the journal.
        since: when its statements were recorded, if that is not the time of its file.
        earlier: the versions it replaced, oldest first.
        pushed: the last journal revision whose edits are in the source file or in `carried`.
        carried: the name of the file with edits up to `pushed` that the source file lacks because they are older than
            its last loading.
        sending: the last revision of a push in progress, 0: none. After a crash the source may or may not have its
            edits.
    """

    name: str
    path: Path | None
    graph: NamedNode
    graphs: tuple[GraphName, ...]
    sha256: str
    size: int
    mtime_ns: int
    format: str
    triples: int
    prefixes: Mapping[str, str]
    aliases: AliasRecord
    mirror: MirrorRecord | None = None
    revision: int = 0
    since: datetime | None = None
    earlier: tuple[SourceVersion, ...] = ()
    pushed: int = 0
    carried: str | None = None
    sending: int = 0

    @property
    def recorded(self) -> datetime:
        """When its statements were recorded."""
        return self.since if self.since is not None else file_time(self.mtime_ns)


@dataclass(frozen=True)
class Manifest:
    """The content of a workspace.

    Args:
        state: the number of the current state; each change creates a new one.
        revision: the last journal revision included in this state; later ones must be applied to it.
        forgotten: graphs of removed sources, and the last revision whose edits were removed with them.
    """

    state: int = 0
    sources: tuple[LoadedSource, ...] = ()
    revision: int = 0
    forgotten: Mapping[GraphName, int] = field(default_factory=dict)


def is_workspace(folder: Path) -> bool:
    """Whether a folder is a workspace, including one without a manifest, which `read_manifest` rejects."""
    return (folder / MANIFEST).is_file() or _has_lost_manifest(folder)


def _has_lost_manifest(folder: Path) -> bool:
    """Whether a complete state exists but no manifest, not even one that was being written."""
    if (folder / MANIFEST).exists() or (folder / _NEW_MANIFEST).exists():
        return False
    return any(file.parent.name.isdecimal() for file in folder.glob(f"{STATES}/*/{IN_USE}"))


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a workspace.

    Raises:
        StoreError: there is none, it is damaged, or a newer program wrote it.
    """
    file = folder / MANIFEST
    try:
        content = json.loads(file.read_bytes())
        if content["format"] > FORMAT:
            raise StoreError("a newer version of this program made this workspace", str(folder), "use that version")
        return Manifest(
            content["state"],
            tuple(_source(item) for item in content["sources"]),
            content.get("revision", 0),
            {resource_of_n_triples(graph): revision for graph, revision in content.get("forgotten", {}).items()},
        )
    except FileNotFoundError:
        if _has_lost_manifest(folder):
            raise StoreError(
                "the workspace has lost its manifest", str(file), "put it back, or load its sources into another folder"
            ) from None
        raise StoreError("there is no workspace in this folder", str(folder), "load a file into it first") from None
    except (OSError, ValueError, KeyError, TypeError, SyntaxError) as error:
        raise StoreError("the workspace's manifest cannot be read", f"{file} ({error})", "load it anew") from None


def write_manifest(manifest: Manifest, folder: Path) -> None:
    """Replace the manifest atomically."""
    content: dict[str, Any] = {
        "format": _format(manifest),
        "state": manifest.state,
        "revision": manifest.revision,
        "sources": [_members(source) for source in manifest.sources],
    }
    if manifest.forgotten:
        content["forgotten"] = {str(graph): revision for graph, revision in manifest.forgotten.items()}
    new = folder / _NEW_MANIFEST
    with open(new, "wb") as stream:
        stream.write(json.dumps(content, indent=2).encode())
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(new, folder / MANIFEST)
    sync_folder(folder)


def _format(manifest: Manifest) -> int:
    if any(source.pushed or source.sending for source in manifest.sources):
        return FORMAT
    has_versions = any(source.earlier or source.since is not None for source in manifest.sources)
    return _WITHOUT_PUSHES if has_versions else _WITHOUT_VERSIONS


def _members(source: LoadedSource) -> dict[str, Any]:
    optional: dict[str, Any] = {
        "mirror": None if source.mirror is None else _mirror_members(source.mirror),
        "since": None if source.since is None else source.since.isoformat(),
        "earlier": [asdict(one) | {"recorded": one.recorded.isoformat()} for one in source.earlier],
        "pushed": source.pushed,
        "carried": source.carried,
        "sending": source.sending,
    }
    # Empty fields are left out, so that older versions can read the file.
    given = {name: value for name, value in optional.items() if value not in (None, [], 0)}
    plain = {name: value for name, value in vars(source).items() if name not in optional}
    return (
        plain
        | given
        | {
            "path": None if source.path is None else str(source.path),
            "graph": source.graph.value,
            "graphs": [str(graph) for graph in source.graphs],
            "prefixes": dict(source.prefixes),
            "aliases": {
                "terms": dict(source.aliases.terms),
                "exceptions": [
                    [f"{read} .", [f"{spelled} ." for spelled in originals]]
                    for read, originals in source.aliases.exceptions.items()
                ],
            },
        }
    )


def _source(members: dict[str, Any]) -> LoadedSource:
    aliases = members["aliases"]
    return LoadedSource(
        **members
        | {
            "path": None if members["path"] is None else Path(members["path"]),
            "graph": NamedNode(members["graph"]),
            "graphs": tuple(resource_of_n_triples(text) for text in members["graphs"]),
            "aliases": AliasRecord(
                aliases["terms"],
                {_quad(read): tuple(map(_quad, originals)) for read, originals in aliases["exceptions"]},
            ),
            "mirror": _mirror(members["mirror"]) if "mirror" in members else None,
            "since": datetime.fromisoformat(members["since"]) if "since" in members else None,
            "earlier": tuple(_version(one) for one in members.get("earlier", ())),
        }
    )


def _version(members: dict[str, Any]) -> SourceVersion:
    return SourceVersion(**members | {"recorded": datetime.fromisoformat(members["recorded"])})


def _mirror_members(record: MirrorRecord) -> dict[str, Any]:
    part = record.part
    return {
        "endpoint": record.endpoint,
        "graph": None if part.graph is None else part.graph.value,
        "class": None if part.cls is None else part.cls.value,
        "query": part.query,
        "resources": [resource.value for resource in part.resources],
        "copied": record.copied,
        "triples": record.triples,
        "check": record.check.value,
        "note": record.note,
        "update_address": record.update_address,
    }


def _mirror(members: dict[str, Any]) -> MirrorRecord:
    graph, cls = (None if members[name] is None else NamedNode(members[name]) for name in ("graph", "class"))
    return MirrorRecord(
        endpoint=members["endpoint"],
        part=MirrorPart(graph, cls, members["query"], tuple(map(NamedNode, members.get("resources", ())))),
        copied=members["copied"],
        triples=members["triples"],
        check=MirrorCheck(members["check"]),
        note=members["note"],
        update_address=members.get("update_address", ""),
    )


def _quad(text: str) -> Quad:
    quads: list[Quad] = list(parse(text, RdfFormat.N_QUADS))
    return quads[0]
