"""Push the changes of a workspace to its files and endpoints, with a three-way merge.

For each source the base (as loaded or last pushed), the workspace and the current source are compared. Changes of one
side are applied to the other; if both changed the same property differently, the user resolves the conflict. The merged
graph is the next base.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hpc_explorer.annotate.pushing.files import why_not
from hpc_explorer.annotate.pushing.located import NotInPlaces
from hpc_explorer.annotate.pushing.three_way import NO_CHANGES, Changes, resolved
from hpc_explorer.annotate.pushing.values import Choice, Conflict, Pushed, PushPlan, PushReport, Target, TargetKind
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.journal.editing import Draft, continue_draft, new_draft_folder
from hpc_explorer.app.journal.push_targets import (
    Edits,
    EndpointTarget,
    FileTarget,
    Prepared,
    Refused,
    outdated,
    sorted_change,
)
from hpc_explorer.app.journal.unpushed import unpushed
from hpc_explorer.app.views import source_title
from hpc_explorer.app.workspace.load_progress import Report
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.errors import ExplorerError, InputError, ServerError, StoreError, Unsupported, UsageError
from hpc_explorer.interchange.foreign import format_named
from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad, Resource
from hpc_explorer.shipped import SAMPLE
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.manifest import LoadedSource
from hpc_explorer.stores.remote.mirror_record import MirrorPart

Progress = Callable[[str], None]
"""Receives progress messages."""


def push_plan(session: Session, *, progress: Progress = lambda step: None, limits: Limits = NO_LIMITS) -> PushPlan:
    """Read all changed sources and plan a push; nothing is written.

    Raises:
        Unsupported: no workspace is open.
        StoreError: the journal cannot be read.
    """
    workspace = _workspace(session)
    prepared, left = _prepared(workspace, progress, limits)
    targets = tuple(one if isinstance(one, Target) else one.target for one in prepared)
    takers = tuple((source.graph, source.name) for source in workspace.sources if _why_not(source) is None)
    return PushPlan(targets, left, takers if left else (), workspace.revision, tuple(prepared))


def give_left(session: Session, plan: PushPlan, graph: NamedNode) -> EditStep | None:
    """Move the statements of no source to the graph of a source, as an edit; None if they no longer exist.

    Args:
        graph: one of the plan's `takers`.

    Raises:
        UsageError: there is no such source, or it cannot be pushed to.
        StoreError: the plan is outdated.
        Unsupported, OutputNotWritable: see `Session.edit`.
    """
    workspace = _workspace(session)
    name = dict(plan.takers).get(graph)
    if name is None:
        raise UsageError("nothing can be pushed there", graph.value, "choose a source that takes a push")
    if plan.revision != workspace.revision:
        raise outdated(str(workspace.folder))
    graphs = {quad.graph_name for quad in plan.left}
    there = {quad for one in graphs for quad in workspace.store.match(graph=one)}
    given = tuple(quad for quad in plan.left if quad in there)
    added = tuple(Quad(quad.subject, quad.predicate, quad.object, graph) for quad in given)
    words = f"Gave {len(given):,} {'statement' if len(given) == 1 else 'statements'} to {source_title(name)}"
    return EditStep.made(session, ChangeSet(given, added, words))


def push(
    session: Session,
    plan: PushPlan,
    choices: Mapping[Conflict, Choice] | None = None,
    *,
    rewrite: bool = False,
    progress: Progress = lambda step: None,
    limits: Limits = NO_LIMITS,
) -> PushReport:
    """Push to the targets of a plan in order, each completely or not at all; refused targets are skipped.

    Changes of others are applied to the workspace.

    Args:
        choices: the resolutions of all conflicts.
        rewrite: whether files may be rewritten completely where the plan requires it.

    Raises:
        UsageError: a conflict is unresolved, or a file must not be rewritten; nothing is written.
        StoreError: the plan is outdated; the current target is unchanged.
        Unsupported: the workspace is read-only.
        OutputNotWritable, ServerError: a target cannot be written; it is unchanged unless the error says otherwise.
    """
    workspace = _workspace(session)
    if workspace.read_only_reason is not None:
        raise Unsupported(workspace.read_only_reason, str(workspace.folder), "")
    chosen = choices or {}
    open_ = [conflict for conflict in plan.conflicts if conflict not in chosen]
    if open_:
        about = f"{open_[0].subject} {open_[0].predicate}"
        raise UsageError(f"{len(open_)} conflicts are not chosen about", about, "choose the values to keep for each")
    if plan.revision != workspace.revision:
        raise outdated(str(workspace.folder))
    ready = []
    for one in plan.prepared:
        if not isinstance(one, Prepared):
            continue
        here, there = resolved(one.merge, chosen)
        try:
            there = one.make_ready(there, rewrite=rewrite and one.target.rewritten is not None)
        except NotInPlaces as reason:
            raise UsageError(
                f"the file would have to be rewritten as a whole ({reason})",
                one.target.where,
                "allow that (--rewrite), or make the change in the file",
            ) from None
        except Refused as reason:
            raise StoreError(str(reason), one.target.where, "") from None
        ready.append((one, here, there))
    pushed = []
    for one, here, there in ready:
        limits.check("pushing")
        workspace.begin_push(one.target.graph)
        progress(f"writing to {one.target.where}")
        try:
            now, more = one.write(limits)
        except StoreError:
            # The state of the target is known: the next plan finds conflicts by comparing with it.
            workspace.end_push(one.target.graph)
            raise
        words = f"Changes of others in {one.target.source}"
        for change in (here, more):
            if change:
                session.edit(ChangeSet(*sorted_change(change), words))
                words = f"As {one.target.where} keeps it"
        workspace.mark_pushed([now])
        target = one.target
        pushed.append(Pushed(target, len(there.removed), len(there.added), len(here.removed), len(here.added)))
    return PushReport(tuple(pushed), workspace.revision)


def take_offline(
    session: Session,
    resources: Iterable[Resource],
    folder: Path | None = None,
    *,
    graph: NamedNode | None = None,
    update_address: str = "",
    report: Report = lambda progress: None,
    limits: Limits = NO_LIMITS,
) -> Draft:
    """Copy resources of the open endpoint to a workspace and switch to it, to edit without the network.

    The names and classes of linked resources are copied too. `push` sends changes back to the endpoint.

    Args:
        folder: the workspace, new or existing; None for a new draft.
        graph: the endpoint's graph for new statements; None for the graph of the resources.
        update_address: the URL for updates; empty for the endpoint's, or `/update` for `/query`.

    Raises:
        Unsupported: the session is not on an endpoint, a resource is a blank node, or the graph is ambiguous.
        SourceNotFound: the endpoint has no statements about a resource.
        ServerError: the endpoint's answer is incomplete; the session is unchanged.
        OutputNotWritable, StoreLocked: the workspace cannot be written; the session is unchanged.
    """
    chosen = tuple(dict.fromkeys(resources))
    if not session.store.capabilities.remote or not session.sources:
        raise Unsupported("resources are taken offline from an endpoint", "", "open one")
    address = session.sources[0].name
    if not chosen or not all(isinstance(resource, NamedNode) for resource in chosen):
        raise Unsupported("a resource without a name is not taken by itself", address, "take what links to it")
    part = MirrorPart(graph=graph, resources=tuple(one for one in chosen if isinstance(one, NamedNode)))
    place = new_draft_folder(address) if folder is None else folder
    load_into(place, [address], part=part, update_address=update_address, report=report, limits=limits)
    endpoint = session.store
    draft = continue_draft(session, place, bring_in=False, limits=limits)
    endpoint.close()
    return draft


def _workspace(session: Session) -> OpenWorkspace:
    if session.workspace is None:
        raise Unsupported("nothing is edited here", "", "edits are kept in a workspace: start editing, or open one")
    return session.workspace


def _prepared(
    workspace: OpenWorkspace, progress: Progress, limits: Limits
) -> tuple[list[Prepared | Target], tuple[Quad, ...]]:
    """The changed sources, prepared or refused, and the changes without a source."""
    made = _made(workspace, workspace.sources, workspace.revision)
    owners = Counter(graph for source in workspace.sources for graph in source.graphs)
    found: list[Prepared | Target] = []
    for source in workspace.sources:
        # An interrupted push may have written changes that were undone here since.
        is_open = source.sending > source.pushed
        sent = _sum_of(_made(workspace, (source,), source.sending), source) if is_open else NO_CHANGES
        mine = _sum_of(made, source)
        if not mine and not sent:
            continue
        limits.check("looking at the sources")
        kind = TargetKind.FILE if source.mirror is None else TargetKind.ENDPOINT
        target = Target(source.name, source.graph, kind, _where(source), *sorted_change(mine))
        reason = _why_not(source)
        if any(owners[graph] > 1 for graph in source.graphs if graph in made):
            reason = "another source has statements in the same graph: load each into a workspace of its own"
        if reason is not None:
            found.append(replace(target, refused=reason))
            continue
        progress(f"looking at {target.where}")
        try:
            made_of = FileTarget if kind is TargetKind.FILE else EndpointTarget
            prepared = made_of(workspace, source, target, Edits(mine, sent), limits)
        except Refused as refused:
            found.append(replace(target, refused=str(refused)))
        except (InputError, ServerError) as error:
            found.append(replace(target, refused=_sentence(error)))
        else:
            if mine or prepared.target.removed or prepared.target.added:
                found.append(prepared)
    left = [quad for graph, change in made.items() if not owners[graph] for quad in (*change.removed, *change.added)]
    return found, tuple(left)


def _made(workspace: OpenWorkspace, sources: Sequence[LoadedSource], revision: int) -> dict[GraphName, ChangeSet]:
    return unpushed(workspace.folder, sources, workspace.forgotten, revision)


def _sum_of(made: Mapping[GraphName, ChangeSet], source: LoadedSource) -> Changes:
    changed = [made[graph] for graph in source.graphs if graph in made]
    return Changes(
        frozenset(quad for change in changed for quad in change.removed),
        frozenset(quad for change in changed for quad in change.added),
    )


def _sentence(error: ExplorerError) -> str:
    return f"{error.what} ({error.where}): {error.remedy}" if error.where else f"{error.what}: {error.remedy}"


def _where(source: LoadedSource) -> str:
    return source.name if source.path is None else str(source.path)


def _why_not(source: LoadedSource) -> str | None:
    if source.mirror is not None:
        return None
    if source.name.startswith(SAMPLE):
        return "a sample ships with the program and stays as it is: export it to a file of yours"
    if format_named(source.format) is not None:
        return f"what {source.format} recorded is not written back: export the workspace to a new file"
    return why_not(source.path)
