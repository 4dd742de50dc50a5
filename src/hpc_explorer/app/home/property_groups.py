"""The groups of a graph without classes: the resources that have a property, and those that state no class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hpc_explorer.app.explore.classes import page_of
from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.explore.links import MANY
from hpc_explorer.app.home.class_table import MOST_COLUMNS, MOST_ROWS, ClassTable, table_of
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import DeadlineExceeded, ServerError
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Count, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator


SECONDS_TO_COUNT = 30.0
"""The seconds that counting resources may take; after that the counts are unknown."""

_COUNTED = "SELECT ?p (COUNT(DISTINCT ?s) AS ?n) WHERE { ?s ?p ?o } GROUP BY ?p"


@dataclass(frozen=True)
class ResourceGroup:
    """The resources that have a property, or those without a class.

    Args:
        ref: the property; `rdf:type` for those without a class.
        resources: their number.
    """

    ref: ResourceRef
    resources: Count


def property_groups(session: Session, *, limits: Limits = NO_LIMITS) -> tuple[ResourceGroup, ...]:
    """The properties in use with the number of resources that have each, the largest first.

    Raises:
        Cancelled, DeadlineExceeded: by the limits.
    """
    triples = session.usage(limits=limits).predicates
    counts: dict[NamedNode, Count] = dict.fromkeys(triples, UNKNOWN_COUNT)
    try:
        for row in session.store.select(_COUNTED, limits=limits.within(SECONDS_TO_COUNT)):
            counts[row["p"]] = Count(int(row["n"].value))  # type: ignore[index, union-attr]  # IRIs and numbers
    except (ServerError, DeadlineExceeded):
        limits.check()
    refs = references(session, list(counts), limits=limits)
    schema = session.schema(limits=limits)

    def order(predicate: NamedNode) -> tuple[int, int, object, str]:
        label = schema.property_label(predicate)
        return -counts[predicate].value, -triples.get(predicate, 0), label_order(label), predicate.value

    return tuple(ResourceGroup(refs[predicate], counts[predicate]) for predicate in sorted(counts, key=order))


def property_table(
    session: Session,
    group: ResourceGroup,
    *,
    most_rows: int = MOST_ROWS,
    most_columns: int = MOST_COLUMNS,
    limits: Limits = NO_LIMITS,
) -> ClassTable:
    """The first resources that have a property, with the properties that most of them have.

    Raises:
        Cancelled, DeadlineExceeded: by the limits.
    """
    predicate = group.ref.resource
    assert isinstance(predicate, NamedNode)
    page = page_of(
        session,
        f"?s {predicate} ?o",
        lambda: (quad.subject for quad in session.store.match(None, predicate, None, limits=limits)),
        lambda: group.resources,
        limit=most_rows,
        limits=limits,
    )
    return table_of(session, predicate, page, most_columns=most_columns, limits=limits)


SECONDS_WITHOUT_CLASS = 10.0
"""The seconds that counting may take; after that the number is unknown."""

_SUBJECTS = (
    f"{{ SELECT DISTINCT ?s WHERE {{ ?s ?p ?o FILTER (?p != <{RDF.rest.value}> && ?p != <{RDF.first.value}>) }} }} "
    f"FILTER NOT EXISTS {{ ?s <{RDF.type.value}> ?class FILTER isIRI(?class) }}"
)
"""The members of an RDF list are values of the resource that has the list; the cells between them are no resources."""


def without_class(session: Session, *, limits: Limits = NO_LIMITS) -> ResourceGroup:
    """The group of the resources without a class that has a name.

    Their number is unknown at an endpoint, which would have to read all it has, and where counting takes too long.

    Raises:
        Cancelled: by the limits.
    """
    number = UNKNOWN_COUNT
    if not session.store.capabilities.remote:
        query = f"SELECT (COUNT(?s) AS ?n) WHERE {{ {_SUBJECTS} }}"
        try:
            for row in session.store.select(query, limits=limits.within(SECONDS_WITHOUT_CLASS)):
                number = Count(int(row["n"].value))  # type: ignore[union-attr]  # a number
        except (ServerError, DeadlineExceeded):
            limits.check()
    return group_without_class(number)


def group_without_class(number: Count) -> ResourceGroup:
    """The group, of which only the number is known or not."""
    return ResourceGroup(ResourceRef(RDF.type, "Without a class", RDF.type.value, "rdf:type", "", ""), number)


def without_class_table(
    session: Session,
    group: ResourceGroup,
    *,
    most_rows: int = MOST_ROWS,
    most_columns: int = MOST_COLUMNS,
    limits: Limits = NO_LIMITS,
) -> ClassTable:
    """The first resources without a class, with the properties that most of them have.

    Raises:
        Cancelled, DeadlineExceeded: by the limits.
    """

    def subjects() -> Iterator[object]:
        query = f"SELECT ?s WHERE {{ {_SUBJECTS} }} LIMIT {max(MANY, most_rows) + 1}"
        return (row["s"] for row in session.store.select(query, limits=limits))

    page = page_of(session, _SUBJECTS, subjects, lambda: group.resources, limit=most_rows, limits=limits)
    return table_of(session, RDF.type, page, most_columns=most_columns, limits=limits)
