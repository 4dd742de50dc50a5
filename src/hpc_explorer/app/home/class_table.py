"""The resources of a class as a table, with their most filled properties as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from hpc_explorer.app.explore.classes import instances_of
from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.explore.value_nodes import values_of_nodes
from hpc_explorer.app.results.cells import term_text
from hpc_explorer.app.results.rows import HeldRows, RowBatch
from hpc_explorer.app.views import ResourcePage, ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.labels import COMMENT_PREDICATES, LABEL_PREDICATES
from hpc_explorer.query.table import Column, kinds_in
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, Term, Triple, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits
from hpc_explorer.wording import counted

MOST_ROWS = 1_000
"""The most rows of a table at first."""

MOST_COLUMNS = 8
"""The most properties shown as columns."""

MOST_VALUES = 3
"""The most values named in one cell."""

_NO_COLUMNS = {*LABEL_PREDICATES, *COMMENT_PREDICATES, RDF.type, OWL.sameAs, RDFS.isDefinedBy}
"""Properties that are no columns: the name is the first column already, and a description is too long."""


@dataclass(frozen=True)
class ClassTable:
    """The resources of a class, or of another group.

    Args:
        of: the class, or the property that all of them have.
        rows: the resource in the first column, then its properties.
        total: the number of resources of the group.
        left_out: the properties without a column: the label of each, and how many of the rows have it.
        by_label: whether the rows are sorted by name; otherwise they are in the order of the store.
    """

    of: NamedNode
    rows: HeldRows
    total: Count
    left_out: tuple[tuple[str, int], ...]
    by_label: bool

    @property
    def words(self) -> str:
        """What is shown and what is left out, in one line."""
        shown = len(self.rows)
        if shown < self.total.value:
            order = "" if self.by_label else ", not sorted"
            parts = [f"the first {shown:,} of {self.total} rows{order}"]
        else:
            parts = [counted(shown, "row")]
        if self.left_out:
            columns = len(self.rows.columns) - 1
            parts.append(f"{columns:,} of {columns + len(self.left_out):,} properties as columns")
        return "  ·  ".join(parts)


def class_table(
    session: Session,
    cls: NamedNode,
    *,
    most_rows: int = MOST_ROWS,
    most_columns: int = MOST_COLUMNS,
    limits: Limits = NO_LIMITS,
) -> ClassTable:
    """The first resources of a class and its subclasses, with the properties that most of them have.

    Raises:
        Cancelled, DeadlineExceeded: by the limits.
    """
    page = instances_of(session, cls, limit=most_rows, limits=limits)
    return table_of(session, cls, page, most_columns=most_columns, limits=limits)


def table_of(
    session: Session, of: NamedNode, page: ResourcePage, *, most_columns: int, limits: Limits = NO_LIMITS
) -> ClassTable:
    """A page of resources as a table, with the properties that most of them have.

    Args:
        of: what they have in common: their class, or a property of theirs.
    """
    instances = [ref.resource for ref in page.items]
    values = _values_of(session, instances, limits)
    schema = session.schema(limits=limits)
    filled = Counter(predicate for its in values.values() for predicate in its)
    labels = {predicate: schema.property_label(predicate) for predicate in filled}
    yes_or_no = {
        predicate for its in values.values() for predicate, some in its.items() if _is_yes_or_no(some.first[0])
    }
    ordered = sorted(filled, key=lambda one: (one in yes_or_no, -filled[one], labels[one].casefold(), one.value))
    chosen, others = ordered[:most_columns], ordered[most_columns:]
    shown = (its[predicate] for its in values.values() for predicate in chosen if predicate in its)
    targets = list(dict.fromkeys(term for some in shown for term in some.first if is_resource(term)))
    nodes = values_of_nodes(session, targets, limits=limits)
    refs = {ref.resource: ref for ref in page.items} | references(session, targets, limits=limits)
    refs |= {node: replace(refs[node], label=str(value)) for node, value in nodes.items()}
    columns: tuple[Sequence[Term | None], ...] = (
        instances,
        *([_cell(values[one].get(predicate), refs) for one in instances] for predicate in chosen),
    )
    rows = HeldRows((Column("Name"), *(Column(labels[predicate]) for predicate in chosen)))
    rows.add(RowBatch(len(instances), columns, refs, tuple(map(kinds_in, columns))))
    rows.name(refs, nodes)
    return ClassTable(of, rows, page.total, tuple((labels[one], filled[one]) for one in others), page.by_label)


@dataclass
class _Values:
    """The values of one property of one resource: the first of them, and the number of all."""

    first: list[Term]
    number: int = 0


def _values_of(
    session: Session, instances: Collection[Resource], limits: Limits
) -> dict[Resource, dict[NamedNode, _Values]]:
    found: dict[Resource, dict[NamedNode, _Values]] = {one: {} for one in instances}
    for quad in session.store.match_many(subjects=instances, limits=limits):
        if quad.predicate in _NO_COLUMNS or isinstance(quad.object, Triple):
            continue
        values = found[quad.subject].setdefault(quad.predicate, _Values([]))  # type: ignore[index]  # asked for them
        if quad.object not in values.first:
            values.number += 1
            if len(values.first) < MOST_VALUES:
                values.first.append(quad.object)
    return found


def _is_yes_or_no(term: Term) -> bool:
    """Whether it is a boolean, which says too little for one of the few columns."""
    return isinstance(term, Literal) and term.datatype == XSD.boolean


def _cell(values: _Values | None, refs: Mapping[Resource, ResourceRef]) -> Term | None:
    """The only value, or a text that lists several."""
    if values is None or values.number == 1:
        return values.first[0] if values is not None else None
    texts = sorted((term_text(term, refs) for term in values.first), key=str.casefold)
    rest = values.number - len(texts)
    return Literal(", ".join(texts) + (f" and {rest:,} more" if rest else ""))
