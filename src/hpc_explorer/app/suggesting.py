"""What can be said next of a query, with the names that a person reads: lists, ranges, and what a removal gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hpc_explorer.app import operations
from hpc_explorer.app.session import Session
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.ontology.labels import fallback_label
from hpc_explorer.ontology.naming import schema_labels
from hpc_explorer.query.building import Direction, Focused
from hpc_explorer.query.facets.bins import Histogram
from hpc_explorer.query.facets.histogram import histogram
from hpc_explorer.query.facets.options import ClassOption, Page, PropertyOption, ValueOption
from hpc_explorer.query.facets.relaxing import Relaxation, relaxations
from hpc_explorer.query.facets.suggestions import PAGE, class_options, property_options, value_options
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.value_search import ValueMatch, value_matches
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Resource, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Store

MOST_NAMED = 200
"""Resources whose names fit what is searched for; no more are looked for among the values."""


@dataclass(frozen=True)
class Named:
    """Options with what their terms are called.

    Args:
        options: the options of all lists that were asked, as they are to be shown.
        refs: the classes, properties and resources among them.
        total: how many there are in all.
    """

    options: tuple[ClassOption | PropertyOption | ValueOption | ValueMatch, ...]
    refs: dict[Resource, ResourceRef]
    total: Count
    has_more: bool


def _store(session: Session) -> Store:
    return session.with_columns(session.store)


def suggested_classes(
    session: Session, focused: Focused, words: str, offset: int, *, limits: Limits = NO_LIMITS
) -> Named:
    """The classes of what is in focus."""
    fits = _called(session, words, limits)
    page = class_options(_store(session), focused.query, focused.focus, fits=fits, offset=offset, limits=limits)
    return _named(session, page.options, (one.class_ for one in page.options), page, limits)


def suggested_properties(
    session: Session, focused: Focused, words: str, offset: int, *, limits: Limits = NO_LIMITS
) -> Named:
    """The properties of what is in focus, in both directions, those that most have first."""
    fits = _called(session, words, limits)
    found: list[PropertyOption] = []
    total, is_exact = 0, True
    for direction in Direction:
        page = property_options(
            _store(session), focused.query, focused.focus, direction, fits=fits, limit=offset + PAGE, limits=limits
        )
        found += page.options
        total += page.total.value
        is_exact = is_exact and page.total.kind is CountKind.EXACT
    # Classes have a list of their own.
    kept = [one for one in found if one.property != RDF.type or one.direction is Direction.BACKWARD]
    total -= len(found) - len(kept)
    found = sorted(kept, key=lambda one: -one.count.value)
    shown = tuple(found[offset : offset + PAGE])
    count = Count(total, CountKind.EXACT if is_exact else CountKind.AT_LEAST)
    refs = operations.references(session, [one.property for one in shown], limits=limits)
    return Named(shown, dict(refs), count, offset + len(shown) < total)


def suggested_values(
    session: Session, focused: Focused, words: str, offset: int, *, limits: Limits = NO_LIMITS
) -> Named:
    """The values of the focus."""
    named = _resources_called(session, words, limits)
    page = value_options(
        _store(session), focused.query, focused.focus, search=words, named=named, offset=offset, limits=limits
    )
    return _named(session, page.options, (one.value for one in page.options if is_resource(one.value)), page, limits)


def suggested_range(
    session: Session, focused: Focused, unit: NamedNode | None, *, limits: Limits = NO_LIMITS
) -> Histogram | None:
    """How the values of the focus are spread."""
    return histogram(_store(session), focused.query, focused.focus, unit=unit, limits=limits)


def reliefs(session: Session, query: QueryModel, *, limits: Limits = NO_LIMITS) -> tuple[Relaxation, ...]:
    """What an empty query would give without each of its conditions."""
    return relaxations(_store(session), query, limits=limits)


def _named(
    session: Session,
    options: Sequence[ClassOption | ValueOption],
    terms: Iterable[Resource],
    page: Page[ClassOption] | Page[ValueOption],
    limits: Limits,
) -> Named:
    refs = operations.references(session, list(terms), limits=limits)
    return Named(tuple(options), dict(refs), page.total, page.has_more)


def _called(session: Session, words: str, limits: Limits) -> Callable[[NamedNode], bool] | None:
    """Whether a class or property is called so; None where no words are looked for."""
    if not words:
        return None
    labels = schema_labels(session.schema(limits=limits))
    wanted = words.casefold().split()

    def fits(term: NamedNode) -> bool:
        name = f"{labels.get(term, '')} {fallback_label(term)}".casefold()
        return all(word in name for word in wanted)

    return fits


def suggested_matches(session: Session, focused: Focused, words: str, *, limits: Limits = NO_LIMITS) -> Named:
    """Values anywhere around the focus that a text may mean, each with its property."""
    named = _resources_called(session, words, limits)
    found = value_matches(_store(session), focused.query, focused.focus, words, named=named, limits=limits)
    terms = dict.fromkeys(one.property for one in found)
    terms.update(dict.fromkeys(one.value for one in found if isinstance(one.value, NamedNode)))
    refs = operations.references(session, list(terms), limits=limits)
    return Named(found, dict(refs), Count(len(found)), False)


def _resources_called(session: Session, words: str, limits: Limits) -> list[NamedNode]:
    hits = operations.search(session, words, limit=MOST_NAMED, limits=limits).hits if words else ()
    return [hit.ref.resource for hit in hits if isinstance(hit.ref.resource, NamedNode) and not hit.similar]
