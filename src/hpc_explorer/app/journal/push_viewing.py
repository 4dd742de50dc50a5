"""A push plan for people: its conflicts with labels instead of IRIs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hpc_explorer.annotate.pushing.values import Conflict, Pushed, PushPlan, Target, TargetKind
from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.explore.value_nodes import value_of_node
from hpc_explorer.app.journal.change_views import statement_figures
from hpc_explorer.app.journal.push import push_plan
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.literals import literal_detail, literal_text
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource, Term, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits


@dataclass(frozen=True)
class ConflictView:
    """A conflict for people.

    Args:
        ref: the resource.
        label: the property, or the path of properties through blank nodes.
        base, mine, theirs, both: the values as texts.
    """

    conflict: Conflict
    ref: ResourceRef
    label: str
    base: tuple[str, ...]
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    both: tuple[str, ...]


@dataclass(frozen=True)
class TargetView:
    """A target with its conflicts."""

    target: Target
    conflicts: tuple[ConflictView, ...]


@dataclass(frozen=True)
class PlanView:
    """A push plan for people."""

    plan: PushPlan
    targets: tuple[TargetView, ...]

    @property
    def conflicts(self) -> tuple[ConflictView, ...]:
        """The conflicts of all targets."""
        return tuple(conflict for target in self.targets for conflict in target.conflicts)

    @property
    def has_work(self) -> bool:
        """Whether a target can be pushed to."""
        return any(one.target.refused is None for one in self.targets)


def planned_push(
    session: Session, *, progress: Callable[[str], None] = lambda step: None, limits: Limits = NO_LIMITS
) -> PlanView:
    """Plan a push; see `push_plan`."""
    return view_plan(session, push_plan(session, progress=progress, limits=limits), limits=limits)


def view_plan(session: Session, plan: PushPlan, *, limits: Limits = NO_LIMITS) -> PlanView:
    """A plan with labels."""
    return PlanView(plan, tuple(TargetView(target, _conflicts(session, target, limits)) for target in plan.targets))


def _conflicts(session: Session, target: Target, limits: Limits) -> tuple[ConflictView, ...]:
    if not target.conflicts:
        return ()
    nodes = {
        term
        for conflict in target.conflicts
        for term in (*conflict.base, *conflict.mine, *conflict.theirs)
        if isinstance(term, BlankNode)
    }
    said = _said_of(session, target, nodes, limits)
    ways = {
        conflict.subject: _way_to(session, conflict.subject, limits)
        for conflict in target.conflicts
        if isinstance(conflict.subject, BlankNode)
    }
    wanted: dict[Resource, None] = {}
    for conflict in target.conflicts:
        wanted[ways[conflict.subject][0] if isinstance(conflict.subject, BlankNode) else conflict.subject] = None
        terms = (*conflict.base, *conflict.mine, *conflict.theirs)
        wanted.update(dict.fromkeys(term for term in terms if is_resource(term)))
    refs = references(session, list(wanted), limits=limits)
    schema = session.schema(limits=limits)
    found = []
    for conflict in target.conflicts:
        root: Resource = conflict.subject
        path: tuple[NamedNode, ...] = (conflict.predicate,)
        if isinstance(conflict.subject, BlankNode):
            root, above = ways[conflict.subject]
            path = (*above, conflict.predicate)
        base, mine, theirs = (
            tuple(_text(term, refs, said) for term in terms)
            for terms in (conflict.base, conflict.mine, conflict.theirs)
        )
        both = tuple(dict.fromkeys((*mine, *theirs)))
        label = " › ".join(schema.property_label(one) for one in path)
        found.append(ConflictView(conflict, refs[root], label, base, mine, theirs, both))
    return tuple(found)


def _said_of(
    session: Session, target: Target, nodes: set[BlankNode], limits: Limits
) -> Mapping[object, list[tuple[NamedNode, Literal | NamedNode]]]:
    """The statements about blank nodes on both sides, before and after."""
    said: defaultdict[object, dict[tuple[NamedNode, Literal | NamedNode], None]] = defaultdict(dict)
    changed = (*target.removed, *target.theirs_removed, *target.added, *target.theirs_added)
    here = session.store.match_many(subjects=nodes, limits=limits) if nodes else ()
    for quad in (*changed, *here):
        if quad.subject in nodes and isinstance(quad.object, (Literal, NamedNode)):
            said[quad.subject][quad.predicate, quad.object] = None
    return {node: list(pairs) for node, pairs in said.items()}


def _way_to(session: Session, node: BlankNode, limits: Limits) -> tuple[Resource, tuple[NamedNode, ...]]:
    """The resource that a blank node belongs to, and the path of properties."""
    root: Resource = node
    path: tuple[NamedNode, ...] = ()
    seen: set[Resource] = set()
    while isinstance(root, BlankNode) and root not in seen:
        seen.add(root)
        above = next(iter(session.store.match(None, None, root, limits=limits)), None)
        if above is None or not is_resource(above.subject):
            break
        root, path = above.subject, (above.predicate, *path)
    return root, path


def _text(
    term: Term,
    refs: Mapping[Resource, ResourceRef],
    said: Mapping[object, list[tuple[NamedNode, Literal | NamedNode]]],
) -> str:
    if isinstance(term, Literal):
        detail = literal_detail(term)
        return f"{literal_text(term)} ({detail})" if detail else literal_text(term)
    value = value_of_node(said.get(term, ())) if isinstance(term, BlankNode) else None
    return str(value) if value is not None else refs[term].label


def target_lines(target: Target) -> list[str]:
    """The plan for a target, as sentences."""
    if target.refused is not None:
        return [f"Not written: {target.refused}"]
    # With conflicts, the final number depends on the user's choices.
    written = f"Changed here: {statement_figures(len(target.removed), len(target.added))}"
    if target.kind is TargetKind.ENDPOINT:
        lines = [f"{written}. Sent as one SPARQL Update: all of it or nothing."]
    elif target.rewritten:
        lines = [f"{written}. The file has to be rewritten as a whole: {target.rewritten}."]
    else:
        lines = [f"{written}. The rest of the file stays as it is."]
    theirs = len(target.theirs_removed) + len(target.theirs_added)
    if theirs:
        figures = statement_figures(len(target.theirs_removed), len(target.theirs_added))
        lines.append(f"Changed there meanwhile, and taken over here: {figures}.")
    return lines


def result_text(one: Pushed) -> str:
    """The result for a target."""
    said = f"{statement_figures(one.removed, one.added)} written."
    if one.taken_removed or one.taken_added:
        said += f" Taken over from there: {statement_figures(one.taken_removed, one.taken_added)}."
    return said
