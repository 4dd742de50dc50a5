"""The facets of a query and the conditions that empty it, with the names of their terms.

A list is counted completely if time allows, otherwise partly, otherwise not at all; each page says which.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from hpc_explorer.app.explore.finding import colour_key, naming_store, references, search
from hpc_explorer.app.query.run_query import start_queries, store_for
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import DeadlineExceeded, ServerError
from hpc_explorer.ontology.labels import fallback_label, labels_of
from hpc_explorer.query.building import Direction
from hpc_explorer.query.facets.bins import Histogram
from hpc_explorer.query.facets.click_plan import Facet, FacetResult, SchemaTerms, ask_click, in_time
from hpc_explorer.query.facets.histogram import Among, histogram
from hpc_explorer.query.facets.options import ClassOption, Page, PropertyOption, ValueOption
from hpc_explorer.query.facets.places import place_of
from hpc_explorer.query.facets.relaxing import Relaxation, relaxations
from hpc_explorer.query.facets.suggestions import PAGE, class_options, property_options, value_options
from hpc_explorer.query.facets.texts import Above
from hpc_explorer.query.model.places import Place
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, Variable, iri_text
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Store, no_progress
from hpc_explorer.stores.columns.building import WORTH_FROM
from hpc_explorer.stores.columns.relation import NotByColumns

_GRAMMAR = frozenset({RDF.type, RDFS.subClassOf})

MOST_NAMED = 200
"""The maximum number of resources found by name that are searched among the values."""

# The maximum number of classes and properties listed without counts.
_MOST_TERMS = 200


@dataclass(frozen=True)
class NamedFacet:
    """A facet with the names of the classes, properties and resources in it."""

    result: FacetResult
    refs: dict[Resource, ResourceRef] = field(default_factory=dict)


def facet_store(session: Session, *, limits: Limits = NO_LIMITS) -> Store:
    """The store for facets: the columns of a workspace if there are any.

    A small graph is queried directly; for a large one, a process that can be stopped.
    """
    store = session.store
    if store.capabilities.remote:
        return store
    if session.columns is None and store.size(limits=limits).value <= WORTH_FROM:
        return store
    return store_for(session, no_progress, limits)


def prepare_facets(session: Session, *, limits: Limits = NO_LIMITS) -> None:
    """Prepare the first suggestions for a large graph: the sets of subjects and objects of predicates."""
    start_queries(session)
    if session.columns is not None:
        with suppress(NotByColumns):
            session.columns.memberships(limits)


def facets_of(
    session: Session,
    query: QueryModel,
    focus: Variable,
    report: Callable[[NamedFacet], None],
    *,
    visible: Collection[Facet] = tuple(Facet),
    limits: Limits = NO_LIMITS,
) -> None:
    """All that a click shows, reported part by part (`query.facets.click_plan`).

    Args:
        report: called in this thread; a part may be reported twice, first as unknown.
        visible: only these facets.

    Raises:
        Cancelled, DeadlineExceeded: by `limits`.
        ExplorerError: the query itself cannot be answered.
    """

    def named(part: FacetResult) -> None:
        report(NamedFacet(part, _names(session, part, limits)))

    store = facet_store(session, limits=limits)
    known = SchemaTerms() if not store.capabilities.remote else _schema_terms(session, limits)
    ask_click(store, query, focus, named, visible=visible, known=known, limits=limits)


def _schema_terms(session: Session, limits: Limits) -> SchemaTerms:
    usage = session.usage(limits=limits)
    classes = [cls for cls, _ in usage.classes().most_common(_MOST_TERMS)]
    properties = sorted(usage.predicates, key=lambda term: -usage.predicates[term])[:_MOST_TERMS]
    return SchemaTerms(tuple(classes), tuple(properties))


def _names(session: Session, part: FacetResult, limits: Limits) -> dict[Resource, ResourceRef]:
    if not isinstance(part.value, Page):
        return {}
    terms: list[NamedNode] = []
    values: list[NamedNode] = []
    for option in part.value.options:
        match option:
            case ClassOption():
                terms.append(option.class_)
            case PropertyOption():
                terms.append(option.property)
            case ValueOption(value=NamedNode() as value):
                values.append(value)
    return term_names(session, terms, limits=limits) | value_names(session, values, limits=limits)


def term_names(
    session: Session, terms: Iterable[NamedNode], *, limits: Limits = NO_LIMITS
) -> dict[Resource, ResourceRef]:
    """The names of classes and properties, without requests to an endpoint."""
    wanted = list(terms)
    if not session.store.capabilities.remote:
        return references(session, wanted, limits=limits) if wanted else {}
    return {term: _plain(session, term, None, limits) for term in wanted}


def names_of(
    session: Session, terms: Collection[NamedNode], *, limits: Limits = NO_LIMITS
) -> dict[Resource, ResourceRef]:
    """The names of terms of a query: classes, properties or values."""
    schema = session.schema(limits=limits)
    own = {one for one in terms if one in schema.classes or one in schema.properties or one in _GRAMMAR}
    values = [one for one in terms if one not in own]
    return term_names(session, own, limits=limits) | value_names(session, values, limits=limits)


def value_names(
    session: Session, values: Sequence[NamedNode], *, limits: Limits = NO_LIMITS
) -> dict[Resource, ResourceRef]:
    """The names of values, with one request to an endpoint."""
    if not values or not session.store.capabilities.remote:
        return references(session, values, limits=limits) if values else {}
    try:
        labels = labels_of(naming_store(session, limits=limits), values, limits=limits)
    except (ServerError, DeadlineExceeded):
        # Values can be chosen without labels.
        limits.check()
        labels = {}
    return {value: _plain(session, value, labels.get(value), limits) for value in values}


def _plain(session: Session, resource: NamedNode, label: str | None, limits: Limits) -> ResourceRef:
    schema = session.schema(limits=limits)
    info = schema.classes.get(resource) or schema.properties.get(resource)
    iri = iri_text(resource)
    key = colour_key(schema, resource if resource in schema.classes else None, session.styled)
    named = label or (info.label if info else fallback_label(resource))
    return ResourceRef(resource, named, iri, session.prefixes.short(iri), "", key)


# Single lists with search and pages


def classes_in_focus(
    session: Session,
    query: QueryModel,
    focus: Variable,
    *,
    search_for: str = "",
    above: Above | None = None,
    offset: int = 0,
    limit: int = PAGE,
    limits: Limits = NO_LIMITS,
) -> Page[ClassOption]:
    """The classes of things in focus; with a search, those with a matching name.

    Args:
        above: each class in use with all classes above it; None: as the graph states them.
    """
    store, fits = facet_store(session, limits=limits), called(session, search_for, limits=limits)
    return in_time(
        store,
        lambda most, own: class_options(
            store, query, focus, fits=fits, above=above, offset=offset, limit=limit, most=most, limits=own
        ),
        limits,
    )


def properties_in_focus(
    session: Session,
    query: QueryModel,
    focus: Variable,
    direction: Direction,
    *,
    search_for: str = "",
    offset: int = 0,
    limit: int = PAGE,
    limits: Limits = NO_LIMITS,
) -> Page[PropertyOption]:
    """The properties of things in focus; with a search, those with a matching name."""
    store, fits = facet_store(session, limits=limits), called(session, search_for, limits=limits)
    return in_time(
        store,
        lambda most, own: property_options(
            store, query, focus, direction, fits=fits, offset=offset, limit=limit, most=most, limits=own
        ),
        limits,
    )


def values_in_focus(
    session: Session,
    query: QueryModel,
    focus: Variable,
    *,
    search_for: str = "",
    offset: int = 0,
    limit: int = PAGE,
    limits: Limits = NO_LIMITS,
) -> Page[ValueOption]:
    """The values of the focus; with a search, matching literals and resources with a matching name."""
    store = facet_store(session, limits=limits)
    named, are_all = resources_called(session, search_for, limits=limits)
    page = in_time(
        store,
        lambda most, own: value_options(
            store, query, focus, search=search_for, named=named, offset=offset, limit=limit, most=most, limits=own
        ),
        limits,
    )
    if are_all or page.total.kind is not CountKind.EXACT:
        return page
    # Only some of the matching names were searched among the values.
    total = Count(page.total.value, CountKind.AT_LEAST)
    return Page(page.options, total, page.has_more, page.effort, page.looked_at)


def values_as_bins(
    session: Session,
    query: QueryModel,
    focus: Variable,
    *,
    unit: NamedNode | None = None,
    seen: Sequence[NamedNode | Literal] | None = None,
    limits: Limits = NO_LIMITS,
) -> Histogram | None:
    """The distribution of the focus's values; None if there are no numbers, dates and quantities.

    Args:
        seen: the first values: an endpoint is not asked if they show that there is no distribution.
    """
    store = facet_store(session, limits=limits)
    among = Among.ANYTHING
    if seen is not None and store.capabilities.remote:
        if seen and not any(isinstance(one, Literal) and place_of(one) is not None for one in seen):
            return None
        # Blank nodes are not listed among the values, but may be quantities.
        among = Among.LITERALS if seen else Among.QUANTITIES
    return in_time(store, lambda _, own: histogram(store, query, focus, among=among, unit=unit, limits=own), limits)


def what_empties(
    session: Session, query: QueryModel, *, seconds: float = 5.0, limits: Limits = NO_LIMITS
) -> tuple[Relaxation, ...]:
    """The results of a query without rows when each of its conditions is removed."""
    return relaxations(facet_store(session, limits=limits), query, seconds=seconds, limits=limits)


@dataclass(frozen=True)
class Relief:
    """The result of removing a condition.

    Args:
        words: the removed conditions in words.
        count: the number of rows without them.
        query: the remaining query.
    """

    words: str
    count: Count
    query: QueryModel


def reliefs(
    session: Session, query: QueryModel, words_of: Callable[[Place], str], *, limits: Limits = NO_LIMITS
) -> tuple[Relief, ...]:
    """The results of a query without rows when each of its conditions is removed, in words.

    Args:
        words_of: returns the words of the condition at a place.
    """
    return tuple(
        Relief(" and ".join(map(words_of, one.places)) or "the condition on the groups", one.count, one.query)
        for one in what_empties(session, query, limits=limits)
    )


def called(session: Session, text: str, *, limits: Limits = NO_LIMITS) -> Callable[[NamedNode], bool] | None:
    """A test whether the name of a class or property contains all words of a text; None for a blank text."""
    words = text.casefold().split()
    if not words:
        return None
    schema = session.schema(limits=limits)

    def fits(term: NamedNode) -> bool:
        info = schema.classes.get(term) or schema.properties.get(term)
        name = f"{info.label if info else ''} {fallback_label(term)}".casefold()
        return all(word in name for word in words)

    return fits


def resources_called(session: Session, text: str, *, limits: Limits = NO_LIMITS) -> tuple[list[NamedNode], bool]:
    """The resources that the label index finds for a text, and whether these are all."""
    if not text.strip():
        return [], True
    found = search(session, text, limit=MOST_NAMED, limits=limits)
    named = [hit.ref.resource for hit in found.hits if isinstance(hit.ref.resource, NamedNode) and not hit.similar]
    are_all = found.total.kind is CountKind.EXACT and found.total.value <= len(found.hits)
    return named, are_all
