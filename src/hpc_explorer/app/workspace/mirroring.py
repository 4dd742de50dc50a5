"""Copy an endpoint, or a part of it, into a workspace for use without the network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from hpc_explorer.app.workspace.source_files import SourceFile
from hpc_explorer.errors import InvalidIri, Unsupported
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.changes.manifest import LoadedSource
from hpc_explorer.stores.protocol.credentials import split_credentials
from hpc_explorer.stores.protocol.logins import find_login
from hpc_explorer.stores.remote.descriptions import copy_descriptions
from hpc_explorer.stores.remote.mirror import copy_endpoint
from hpc_explorer.stores.remote.mirror_record import MirrorPart, MirrorRecord
from hpc_explorer.stores.remote.remote import RemoteStore
from hpc_explorer.stores.remote.web import open_address

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.change import WorkspaceChange


def copied_endpoint(
    change: WorkspaceChange,
    name: str,
    part: MirrorPart | None,
    at_most: int | None,
    *,
    update_address: str = "",
    progress: Callable[[str, int, int | None], None],
    limits: Limits,
) -> tuple[SourceFile, MirrorRecord]:
    """Copy an endpoint into a temporary file of the new state, to be loaded like any other.

    Args:
        name: its address; `user:password@` in it is not recorded.
        part: what to copy; None: the part of an earlier copy in this workspace, else everything.
        at_most: the maximum number of triples; None: the usual limit.
        update_address: its address for updates, if it cannot be derived.
        progress: called with the step, the number of copied triples, and their total, if known.

    Raises:
        Unsupported: the address is that of a document.
        InvalidIri: the address is not valid.
        ServerError: the endpoint does not give a complete answer.
    """
    shown, _ = split_credentials(name)
    progress(f"asking {shown}", 0, None)
    store = open_address(name, login=find_login, limits=limits)
    if not isinstance(store, RemoteStore):
        raise Unsupported("only files and endpoints are loaded into a workspace", shown, "download it, load the file")
    try:
        try:
            graph = NamedNode(store.address)
        except ValueError:
            raise InvalidIri("not a valid web address", store.address, "write special characters as %XX") from None
        earlier = [source.mirror for source in change.sources if source.graph == graph and source.mirror is not None]
        folder = change.files.folder / f"mirror-{len(list(change.files.folder.glob('mirror-*')))}"
        folder.mkdir()
        chosen = part or (earlier[0].part if earlier else MirrorPart())

        def report(copied: int, total: int | None) -> None:
            progress(f"copying {shown}", copied, total)

        if chosen.resources:
            before = earlier[0].part if earlier else MirrorPart()
            known = dict.fromkeys((*before.resources, *chosen.resources))
            chosen = replace(chosen, graph=chosen.graph or before.graph, resources=tuple(known))
            file, record = copy_descriptions(
                store, chosen, folder, label_predicates=LABEL_PREDICATES, progress=report, limits=limits
            )
        else:
            file, record = copy_endpoint(store, chosen, folder, most=at_most, progress=report, limits=limits)
        record = replace(record, update_address=update_address or (earlier[0].update_address if earlier else ""))
        return SourceFile(store.address, file, graph), record
    finally:
        store.close()


def with_mirror(source: LoadedSource, record: MirrorRecord | None) -> LoadedSource:
    """The source, marked as the copy of an endpoint if it is one."""
    return source if record is None else replace(source, path=None, format="copy of an endpoint", mirror=record)
