"""Names many resources at once: the columns tell which have labels, and which share their classes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.layout import QUOTED, PredicateFacts
from hpc_explorer.stores.columns.relation import NotByColumns

WORTH_FROM = 500
"""The number of resources from which columns are faster than triples."""


@dataclass(frozen=True)
class Asked:
    """The resources to query.

    Args:
        labelled: the resources with a label.
        like: for each resource, one with the same classes.
    """

    labelled: tuple[Resource, ...]
    like: Mapping[Resource, Resource]


def whom_to_ask(columns: Columns, resources: Collection[Resource], *, limits: Limits = NO_LIMITS) -> Asked | None:
    """Find the resources to query for labels and classes; None if the columns cannot answer."""
    labels = [facts for term in LABEL_PREDICATES if (facts := columns.predicate(term)) is not None]
    types = columns.predicate(RDF.type)
    if any(QUOTED in facts.kinds for facts in (*labels, *([types] if types is not None else []))):
        return None
    numbers = columns.ids_of(resources)
    known = {number: resource for resource, number in numbers.items() if number is not None}
    try:
        with columns.work(limits) as work:
            work.run("CREATE TEMP TABLE named AS SELECT CAST(unnest(?) AS UINTEGER) AS id", [list(known)])
            labelled = {number for facts in labels for (number,) in work.run(_said(facts, "d", "value"))}
            pairs = [] if types is None else work.run(_said(types, "o", "link", with_what=True))
    except NotByColumns:
        return None
    classes: dict[int, set[int]] = defaultdict(set)
    for number, cls in pairs:
        classes[number].add(cls)
    first: dict[frozenset[int], Resource] = {}
    like = {
        resource: resource if number is None else first.setdefault(frozenset(classes.get(number, ())), resource)
        for resource, number in numbers.items()
    }
    ask = [resource for resource, number in numbers.items() if number is None or number in labelled]
    return Asked(tuple(ask), like)


def _said(facts: PredicateFacts, part: str, table: str, *, with_what: bool = False) -> str:
    """A SELECT of the members of `named` with this predicate, and optionally the objects."""
    if not (facts.values if part == "d" else facts.links):
        return f"SELECT id{', id' if with_what else ''} FROM named WHERE false"
    if facts.wide:
        column = facts.column(part)
        what = f", {column}" if with_what else ""
        return f"SELECT id{what} FROM node WHERE {column} IS NOT NULL AND id IN (SELECT id FROM named)"
    what = ", o" if with_what else ""
    return f"SELECT s{what} FROM {table} WHERE p = {facts.id} AND s IN (SELECT id FROM named)"
