"""The resources of a graph that state no class, counted and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hpc_explorer.app.explore.describing import page_of
from hpc_explorer.app.explore.links import MANY
from hpc_explorer.app.home.class_table import MOST_COLUMNS, MOST_ROWS, ClassTable, table_of
from hpc_explorer.app.home.property_groups import ResourceGroup
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import DeadlineExceeded, ServerError
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Count, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS_TO_COUNT = 10.0
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
            for row in session.store.select(query, limits=limits.within(SECONDS_TO_COUNT)):
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
