"""Group the statements of a change by resource, with labels instead of IRIs.

A blank node that is a quantity, a key-value pair or a list is one value, before and after. Statements about other blank
nodes are shown with the resource they belong to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.explore.value_nodes import value_of_node
from hpc_explorer.app.journal.change_views import (
    ChangedProperty,
    ChangedResource,
    ChangedValue,
    ChangeView,
    Happened,
    Unpushed,
    UnpushedSource,
)
from hpc_explorer.app.journal.journal import JournalEntry, entries, working_diff
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.labels import (
    COMMENT_PREDICATES,
    LABEL_PREDICATES,
    fallback_label,
    label_order,
    preferred_text,
)
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.literals import literal_detail, literal_text
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource, Term, Triple, iri_text, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet

MOST_SHOWN = 1_000
"""How many resources of one change are shown at once."""

MOST_NAMED = 20_000
"""Up to so many resources of a change are all named, to be put in order and to count those with certain words."""

MOST_EDITS = 2_000
"""So many edits are looked through to say how many there were, and whose."""

_BATCH = 1_000
_LONGEST_WAY = 200
_MOST_ITEMS = 20
_RANKS = {term: rank for rank, term in enumerate((*LABEL_PREDICATES, RDF.type, *COMMENT_PREDICATES))}


def view_change(
    session: Session,
    change: ChangeSet,
    *,
    words: str = "",
    most: int = MOST_SHOWN,
    now: bool = True,
    limits: Limits = NO_LIMITS,
) -> ChangeView:
    """A change by resource, sorted by label unless there are too many resources.

    Args:
        words: a filter; see `ChangedResource.holds`.
        most: the most resources shown.
        now: whether the store is in the state after the change, so new and deleted resources can be detected.
    """
    return _viewed(_Groups(session, change, limits), words, most, now, limits)


def _viewed(groups: _Groups, words: str, most: int, now: bool, limits: Limits) -> ChangeView:
    roots = list(groups.by_root)
    countable = len(roots) <= MOST_NAMED
    if countable:
        names = groups.names(roots)
        roots.sort(key=lambda root: (label_order(names[root]), iri_text(root)))
    wanted = words.casefold().split()
    found: list[ChangedResource] = []
    matching: int | None = 0
    for start in range(0, len(roots), _BATCH):
        part = groups.resources(roots[start : start + (_BATCH if wanted else most)], now=now)
        part = [one for one in part if one.holds(wanted)]
        matching = None if matching is None else matching + len(part)
        found += part[: most - len(found)]
        limits.check()
        if len(found) >= most and not (wanted and countable):
            matching = None if wanted else len(roots)
            break
    change = groups.change
    return ChangeView(tuple(found), matching, len(roots), len(change.removed), len(change.added))


def view_unpushed(session: Session, *, words: str = "", most: int = MOST_SHOWN, limits: Limits = NO_LIMITS) -> Unpushed:
    """The unpushed changes of the open workspace, if any.

    Args:
        words, most: see `view_change`.

    Raises:
        StoreError: the journal cannot be read.
    """
    workspace = session.workspace
    if workspace is None:
        return Unpushed()
    diffs = working_diff(session)
    limits.check()
    removed = tuple(quad for diff in diffs for quad in diff.removed)
    added = tuple(quad for diff in diffs for quad in diff.added)
    groups = _Groups(session, ChangeSet(removed, added), limits)
    by_source = []
    for diff in diffs:
        quads = (*diff.removed, *diff.added)
        roots = {quad.subject if isinstance(quad.subject, NamedNode) else groups.root_of(quad) for quad in quads}
        by_source.append(UnpushedSource(diff.source, len(roots), len(diff.removed), len(diff.added)))
    edits = holding_edits(session, limits=limits) if diffs else []
    return Unpushed(
        tuple(by_source),
        _viewed(groups, words, most, True, limits),
        len(edits[:MOST_EDITS]),
        len(edits) > MOST_EDITS,
        tuple(sorted({entry.who for entry in edits if entry.who})),
        workspace.revision,
    )


def holding_edits(session: Session, *, limits: Limits = NO_LIMITS) -> list[JournalEntry]:
    """The edits in effect since the last push, newest first; at most `MOST_EDITS` + 1.

    Raises:
        StoreError: the journal cannot be read.
    """
    workspace = session.workspace
    if workspace is None:
        return []
    pushed = {graph: max(source.revision, source.pushed) for source in workspace.sources for graph in source.graphs}
    oldest = min(pushed.values(), default=0)
    found: list[JournalEntry] = []
    for entry in entries(session, limits=limits):
        if len(found) > MOST_EDITS or entry.revision <= oldest:
            break
        graphs = {quad.graph_name for quad in (*entry.removed, *entry.added)}
        holds = entry.undone_by is None and not entry.takes_back
        if holds and any(pushed.get(graph, 0) < entry.revision for graph in graphs):
            found.append(entry)
    return found


@dataclass
class _Node:
    """The statements about a blank node.

    Args:
        owner: the subject and property that link to it; None if there are none.
        stays: the statements that the change does not touch.
    """

    owner: tuple[Resource, NamedNode] | None = None
    stays: list[tuple[NamedNode, Term]] = field(default_factory=list)
    removed: list[tuple[NamedNode, Term]] = field(default_factory=list)
    added: list[tuple[NamedNode, Term]] = field(default_factory=list)


@dataclass
class _Statements:
    """The changed statements of a resource: by path of properties, and by blank node that is one value."""

    by_path: dict[tuple[NamedNode, ...], dict[tuple[Term, bool], list[Quad]]] = field(default_factory=dict)
    nodes: dict[tuple[NamedNode, BlankNode], list[tuple[Quad, bool]]] = field(default_factory=dict)


class _Groups:
    """The statements of a change, grouped by resource."""

    def __init__(self, session: Session, change: ChangeSet, limits: Limits) -> None:
        self._session = session
        self.change = change
        self._limits = limits
        self._nodes: dict[BlankNode, _Node] = {}
        self._read_nodes()
        self._texts: dict[tuple[BlankNode, bool], str | None] = {}
        self._item_refs: Mapping[Resource, ResourceRef] = references(session, self._items(), limits=limits)
        self.by_root: dict[Resource, _Statements] = {}
        for quads, added in ((change.removed, False), (change.added, True)):
            for quad in quads:
                self._sort_in(quad, added)

    # Nodes without names

    def _read_nodes(self) -> None:
        change, store = self.change, self._session.store
        touched: set[tuple[object, NamedNode]] = set()
        for quads, added in ((change.removed, False), (change.added, True)):
            for quad in quads:
                for end in (quad.subject, quad.object):
                    if isinstance(end, BlankNode):
                        self._nodes.setdefault(end, _Node())
                if isinstance(quad.subject, BlankNode):
                    touched.add((quad.subject, quad.predicate))
                    node = self._nodes[quad.subject]
                    (node.added if added else node.removed).append((quad.predicate, _term(quad)))
                if isinstance(quad.object, BlankNode) and quad.object != quad.subject and is_resource(quad.subject):
                    self._nodes[quad.object].owner = (quad.subject, quad.predicate)
        waiting = set(self._nodes)
        for _ in range(_LONGEST_WAY):
            if not waiting:
                break
            for quad in store.match_many(objects=waiting, limits=self._limits):
                end = quad.object
                if isinstance(end, BlankNode) and is_resource(quad.subject) and self._nodes[end].owner is None:
                    self._nodes[end].owner = (quad.subject, quad.predicate)
            following: set[BlankNode] = set()
            for quad in store.match_many(subjects=waiting, limits=self._limits):
                if (quad.subject, quad.predicate) not in touched and isinstance(quad.subject, BlankNode):
                    self._nodes[quad.subject].stays.append((quad.predicate, _term(quad)))
                    if quad.predicate == RDF.rest and isinstance(quad.object, BlankNode):
                        following.add(quad.object)
            owners = (node.owner[0] for one in waiting if (node := self._nodes[one]).owner is not None)
            following.update(owner for owner in owners if isinstance(owner, BlankNode))
            waiting = following - self._nodes.keys()
            self._nodes.update({one: _Node() for one in waiting})

    def _items(self) -> list[Resource]:
        """The resources in lists."""
        stated = (pair for node in self._nodes.values() for pair in (*node.stays, *node.removed, *node.added))
        return list({term for predicate, term in stated if predicate == RDF.first and isinstance(term, NamedNode)})

    def _said(self, node: BlankNode, after: bool) -> list[tuple[NamedNode, Term]]:
        known = self._nodes.get(node, _Node())
        return [*known.stays, *(known.added if after else known.removed)]

    def _text(self, node: BlankNode, after: bool) -> str | None:
        """The text of a blank node as one value, before or after the change; None if it is not one."""
        if (node, after) not in self._texts:
            self._texts[node, after] = self._made_text(node, after)
        return self._texts[node, after]

    def _made_text(self, node: BlankNode, after: bool) -> str | None:
        said = self._said(node, after)
        value = value_of_node((predicate, term) for predicate, term in said if not isinstance(term, BlankNode))
        if value is not None:
            return str(value)
        items: list[str] = []
        at: Term | None = node
        while isinstance(at, BlankNode) and len(items) <= _MOST_ITEMS:
            cell = dict(self._said(at, after))
            if RDF.first not in cell:
                break
            items.append(self._item(cell[RDF.first], after))
            at = cell.get(RDF.rest)
        if not items:
            return None
        return ", ".join(items[:_MOST_ITEMS]) + (", …" if len(items) > _MOST_ITEMS else "")

    def _item(self, term: Term, after: bool) -> str:
        if isinstance(term, Literal):
            return literal_text(term)
        if isinstance(term, NamedNode):
            return self._item_refs[term].label
        return "(list)" if RDF.first in dict(self._said(term, after)) else self._text(term, after) or "(unnamed)"

    # Sorting in

    def root_of(self, quad: Quad) -> Resource:
        """The resource of a statement; for a blank node, the one it belongs to."""
        return self._way_to(quad)[0]

    def _way_to(self, quad: Quad) -> tuple[Resource, list[NamedNode], Term]:
        """The resource of a statement, the path to its value, and the first node on the path."""
        path = [quad.predicate]
        root: Resource = quad.subject  # type: ignore[assignment]  # no quoted triples
        top = _term(quad)
        for _ in range(_LONGEST_WAY):
            owner = self._nodes[root].owner if isinstance(root, BlankNode) else None
            if owner is None:
                break
            top = root
            root = owner[0]
            path.insert(0, owner[1])
        return root, path, top

    def _sort_in(self, quad: Quad, added: bool) -> None:
        root, path, top = self._way_to(quad)
        statements = self.by_root.setdefault(root, _Statements())
        if isinstance(top, BlankNode):
            statements.nodes.setdefault((path[0], top), []).append((quad, added))
        else:
            statements.by_path.setdefault(tuple(path), {}).setdefault((_term(quad), added), []).append(quad)

    def _settle(self, statements: _Statements) -> None:
        """Move statements of blank nodes that are not one value to `by_path`; done only for visible resources."""
        for key in list(statements.nodes):
            if self._text(key[1], False) is None and self._text(key[1], True) is None:
                for quad, added in statements.nodes.pop(key):
                    path = tuple(self._way_to(quad)[1])
                    statements.by_path.setdefault(path, {}).setdefault((_term(quad), added), []).append(quad)

    # Making values

    def names(self, roots: Sequence[Resource]) -> dict[Resource, str]:
        """The labels for sorting; of deleted resources, the former labels."""
        refs = references(self._session, roots, limits=self._limits)
        return {
            root: ref.label if ref.label != fallback_label(root) else _former_label(self.by_root[root]) or ref.label
            for root, ref in refs.items()
        }

    def resources(self, roots: Sequence[Resource], *, now: bool) -> list[ChangedResource]:
        """The changes of these resources."""
        ends: dict[Resource, None] = dict.fromkeys(roots)
        for root in roots:
            self._settle(self.by_root[root])
            for values in self.by_root[root].by_path.values():
                ends.update(dict.fromkeys(term for term, _ in values if is_resource(term)))
        refs = references(self._session, list(ends), limits=self._limits)
        return [self._resource(root, refs, now) for root in roots]

    def _resource(self, root: Resource, refs: Mapping[Resource, ResourceRef], now: bool) -> ChangedResource:
        statements = self.by_root[root]
        values: dict[tuple[NamedNode, ...], list[ChangedValue]] = {}
        for path, terms in statements.by_path.items():
            made = [self._value(term, added, tuple(quads), refs) for (term, added), quads in terms.items()]
            values.setdefault(path, []).extend(made)
        for (predicate, node), quads in statements.nodes.items():
            values.setdefault((predicate,), []).extend(self._node_values(root, predicate, node, quads))
        properties = [
            ChangedProperty(
                path,
                " › ".join(self._label(predicate) for predicate in path),
                tuple(sorted((one for one in made if not one.added), key=lambda one: one.text)),
                tuple(sorted((one for one in made if one.added), key=lambda one: one.text)),
            )
            for path, made in values.items()
        ]
        properties.sort(key=lambda one: (_RANKS.get(one.path[0], len(_RANKS)), one.label.casefold()))
        signs = [added for terms in statements.by_path.values() for (_, added), quads in terms.items() for _ in quads]
        signs += [added for quads in statements.nodes.values() for _, added in quads]
        happened = self._happened(root, any(signs), not all(signs)) if now else Happened.CHANGED
        ref = refs[root]
        if happened is Happened.GONE:
            ref = self._as_it_was(ref, statements)
        return ChangedResource(ref, happened, tuple(properties), signs.count(False), signs.count(True))

    def _happened(self, root: Resource, added: bool, removed: bool) -> Happened:
        found = self._session.store.match(root, limits=self._limits)
        stated = (quad.triple for quad in found if quad.graph_name != INFERRED)
        if not added:
            return Happened.CHANGED if any(True for _ in stated) else Happened.GONE
        if removed:
            return Happened.CHANGED
        paths = self.by_root[root]
        own = {quad.triple for terms in paths.by_path.values() for quads in terms.values() for quad in quads}
        own |= {quad.triple for quads in paths.nodes.values() for quad, _ in quads}
        return Happened.NEW if own and all(triple in own for triple in stated) else Happened.CHANGED

    def _as_it_was(self, ref: ResourceRef, statements: _Statements) -> ResourceRef:
        """A deleted resource with its former label and class."""
        classes = [term for term, _ in statements.by_path.get((RDF.type,), {}) if isinstance(term, NamedNode)]
        kind = self._session.schema(limits=self._limits).class_label(classes[0]) if classes else ref.kind
        return replace(ref, label=_former_label(statements) or ref.label, kind=kind)

    def _value(
        self, term: Term, added: bool, quads: tuple[Quad, ...], refs: Mapping[Resource, ResourceRef]
    ) -> ChangedValue:
        if isinstance(term, Literal):
            kind = f"@{term.language}" if term.language else self._session.prefixes.short(term.datatype.value)
            return ChangedValue(term, literal_text(term), literal_detail(term), kind, None, added, quads)
        if term == RDF.nil:
            return ChangedValue(term, "(empty list)", "", "", None, added, quads)
        ref = refs[term]
        target = ref if isinstance(term, NamedNode) else None
        return ChangedValue(term, ref.label, ref.kind, ref.curie if target else "", target, added, quads)

    def _node_values(
        self, root: Resource, predicate: NamedNode, node: BlankNode, quads: Sequence[tuple[Quad, bool]]
    ) -> Iterator[ChangedValue]:
        """The old and the new value of a blank node."""
        link = [added for quad, added in quads if quad.triple == Triple(root, predicate, node)]
        for after in (False, True):
            text = self._text(node, after)
            if text is None or (link and after not in link):
                continue
            own = tuple(quad for quad, added in quads if added is after)
            yield ChangedValue(node, text, "", "", None, after, own)

    def _label(self, predicate: NamedNode) -> str:
        if predicate == RDF.type:
            return "instance of"
        return self._session.schema(limits=self._limits).property_label(predicate)


def _former_label(statements: _Statements) -> str | None:
    """The label that a change removes from a resource."""
    for predicate in LABEL_PREDICATES:
        terms = statements.by_path.get((predicate,), {})
        removed = [term for term, added in terms if isinstance(term, Literal) and not added]
        if removed:
            return preferred_text(removed)
    return None


def _term(quad: Quad) -> Term:
    return quad.object  # type: ignore[return-value]  # no quoted triples
