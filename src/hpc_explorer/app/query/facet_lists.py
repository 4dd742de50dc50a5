"""The suggestion lists for a query as rows for display, and the range of values."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum

from hpc_explorer.app.explore.class_filter import listed_classes
from hpc_explorer.app.explore.class_picture import every_class
from hpc_explorer.app.explore.classes import class_tree
from hpc_explorer.app.query.facets import (
    called,
    classes_in_focus,
    facet_store,
    properties_in_focus,
    resources_called,
    term_names,
    value_names,
    values_as_bins,
    values_in_focus,
)
from hpc_explorer.app.query.ranges import RangeChoice, asked_range, asked_values
from hpc_explorer.app.views import ClassNode, FacetRow, ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.query.building import Direction, FocusedQuery, new_query
from hpc_explorer.query.facets.bins import Histogram, ScaleKind
from hpc_explorer.query.facets.options import ClassOption, PropertyOption, ValueOption
from hpc_explorer.query.facets.suggestions import PAGE, focus_count
from hpc_explorer.query.facets.texts import Above
from hpc_explorer.query.facets.value_search import SHOWN, ValueMatch, value_matches
from hpc_explorer.rdf.literals import is_number, literal_text
from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits

MOST_PAIRS = 5_000
"""The most pairs of a class in use and one above it that a query names."""

_MOMENTS = (XSD.dateTime, XSD.dateTimeStamp, XSD.date)


@dataclass(frozen=True)
class Named:
    """Options with the names of their terms."""

    options: tuple[ClassOption | PropertyOption | ValueOption | ValueMatch, ...]
    refs: dict[Resource, ResourceRef]
    total: Count
    has_more: bool


def suggested_classes(
    session: Session,
    focused: FocusedQuery,
    words: str,
    offset: int,
    *,
    with_subclasses: bool = True,
    limits: Limits = NO_LIMITS,
) -> Named:
    """The classes of things in focus, counted as in the class tree.

    Of an endpoint, and of more than `MOST_PAIRS` classes, only the subclasses that the graph itself states count.
    """
    above = _above_of_used(session, with_subclasses, limits)
    page = classes_in_focus(
        session, focused.query, focused.focus, search_for=words, above=above, offset=offset, limits=limits
    )
    if above is not None:
        stated = _stated_above(session, limits) if with_subclasses else {}
        options = tuple(replace(one, below=_to_list(one.class_, above, stated)) for one in page.options)
        page = replace(page, options=options)
    refs = term_names(session, [one.class_ for one in page.options], limits=limits)
    return Named(page.options, refs, page.total, page.has_more)


def _above_of_used(session: Session, with_subclasses: bool, limits: Limits) -> Above | None:
    """The classes in use with those above them in the class tree, or only with those that are equivalent.

    None if there are too many, or of an endpoint.
    """
    if session.store.capabilities.remote:
        return None
    above: dict[NamedNode, set[NamedNode]] = {}
    number = 0
    work: list[tuple[ClassNode, frozenset[NamedNode]]] = [
        (root, frozenset()) for root in class_tree(session, limits=limits)
    ]
    seen: set[tuple[int, frozenset[NamedNode]]] = set()
    while work:
        node, higher = work.pop()
        if (id(node), higher) in seen:
            continue
        seen.add((id(node), higher))
        own = {ref.resource for ref in (node.ref, *node.equivalents) if isinstance(ref.resource, NamedNode)}
        at_or_above = higher | own
        if node.own_instances.value:
            for one in own:
                before = len(above.setdefault(one, set()))
                above[one] |= at_or_above - {one}
                number += len(above[one]) - before
        if number > MOST_PAIRS or len(seen) > MOST_PAIRS:
            return None
        work += [(child, at_or_above if with_subclasses else frozenset()) for child in node.children]
    return above


def _stated_above(session: Session, limits: Limits) -> dict[NamedNode, set[NamedNode]]:
    """The classes with those above them that the graph itself states."""
    parents: dict[NamedNode, set[NamedNode]] = defaultdict(set)
    for quad in session.store.match(None, RDFS.subClassOf, None, limits=limits):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
            parents[quad.subject].add(quad.object)
    return parents


def _to_list(
    class_: NamedNode, above: Above, parents: Mapping[NamedNode, Collection[NamedNode]]
) -> tuple[NamedNode, ...]:
    """The classes in use at or below one, if the graph itself does not state all of that."""

    def is_stated_below(low: NamedNode) -> bool:
        reached, work = {low}, [low]
        while work:
            new = set(parents.get(work.pop(), ())) - reached
            reached |= new
            work += new
        return class_ in reached

    below = [low for low, higher in above.items() if low == class_ or class_ in higher]
    return () if all(map(is_stated_below, below)) else tuple(sorted(below, key=lambda one: one.value))


def beginning_classes(
    session: Session, words: str, offset: int, *, with_subclasses: bool, limits: Limits = NO_LIMITS
) -> Suggested:
    """The classes that a question can begin with, counted as in the class tree.

    Those with direct instances come first, in the order of the home page; then their superclasses, the smallest first.

    Args:
        with_subclasses: whether the instances of subclasses count too.
    """

    def number(node: ClassNode) -> Count:
        return node.instances if with_subclasses else node.own_instances

    fits = called(session, words, limits=limits)
    tree = class_tree(session, limits=limits)
    own = listed_classes(tree)
    known = {node.ref.iri for node in own}
    above = [node for node in every_class(tree).values() if node.ref.iri not in known]
    above.sort(key=lambda node: (node.instances.value, label_order(node.ref.label)))
    found = [
        node
        for node in (*own, *above)
        if number(node).value
        and isinstance(node.ref.resource, NamedNode)
        and (fits is None or any(fits(ref.resource) for ref in (node.ref, *node.equivalents)))  # type: ignore[arg-type]
    ]
    shown = found[offset : offset + PAGE]
    rows = tuple(
        FacetRow(node, node.ref.label, str(number(node)), tip=node.ref.curie, colour_key=node.ref.colour_key)
        for node in shown
    )
    return Suggested(rows, str(Count(len(found))), offset + len(shown) < len(found))


def class_count(session: Session, class_: NamedNode, *, limits: Limits = NO_LIMITS) -> Count:
    """The number of instances of a class and its subclasses, as stated in the graph."""
    anything = new_query(class_)
    store = facet_store(session, limits=limits)
    return focus_count(store, anything.query, anything.focus, limits=limits)


def subclasses_to_ask(session: Session, node: ClassNode, *, limits: Limits = NO_LIMITS) -> dict[NamedNode, str]:
    """The used classes from one in the tree downwards, with labels, to list in a query about its instances.

    Empty if the store counts all instances by itself: it knows the subclasses. It does not know those that only the
    shipped ontology has.
    """
    below: dict[NamedNode, str] = {}
    waiting = [node]
    while waiting:
        one = waiting.pop()
        waiting.extend(one.children)
        for ref in (one.ref, *one.equivalents) if one.own_instances.value else ():
            if isinstance(ref.resource, NamedNode):
                below[ref.resource] = ref.label
    if not below or not isinstance(node.ref.resource, NamedNode):
        return {}
    count = class_count(session, node.ref.resource, limits=limits)
    return {} if count.kind is not CountKind.EXACT or count.value >= node.instances.value else below


def suggested_properties(
    session: Session, focused: FocusedQuery, words: str, offset: int, *, limits: Limits = NO_LIMITS
) -> Named:
    """The properties of things in focus in both directions, most frequent first."""
    found: list[PropertyOption] = []
    total, is_exact = 0, True
    for direction in Direction:
        page = properties_in_focus(
            session, focused.query, focused.focus, direction, search_for=words, limit=sys.maxsize, limits=limits
        )
        # Classes have a list of their own.
        kept = [one for one in page.options if one.property != RDF.type or one.direction is Direction.BACKWARD]
        found += kept
        total += page.total.value - len(page.options) + len(kept)
        is_exact = is_exact and page.total.kind is CountKind.EXACT
    found.sort(key=lambda one: -one.count.value)
    shown = tuple(found[offset : offset + PAGE])
    count = Count(total, CountKind.EXACT if is_exact else CountKind.AT_LEAST)
    refs = term_names(session, [one.property for one in shown], limits=limits)
    return Named(shown, refs, count, offset + len(shown) < total)


def suggested_values(
    session: Session, focused: FocusedQuery, words: str, offset: int, *, limits: Limits = NO_LIMITS
) -> Named:
    """The values of the focus."""
    page = values_in_focus(session, focused.query, focused.focus, search_for=words, offset=offset, limits=limits)
    named = [one.value for one in page.options if isinstance(one.value, NamedNode)]
    return Named(page.options, value_names(session, named, limits=limits), page.total, page.has_more)


def may_be_range(found: Named) -> bool:
    """Whether the values may be numbers, dates or quantities, so that a histogram is worth a request.

    Quantities are nodes: blank nodes are not listed as values, others are recognised by their class.
    """
    values = [one.value for one in found.options if isinstance(one, ValueOption)]
    return not values or any(
        is_number(value) or value.datatype in _MOMENTS
        if isinstance(value, Literal)
        else "quantity" in found.refs[value].kind.casefold()
        for value in values
    )


def suggested_matches(session: Session, focused: FocusedQuery, words: str, *, limits: Limits = NO_LIMITS) -> Named:
    """Values around the focus that match a text, with their properties."""
    named, _ = resources_called(session, words, limits=limits)
    store = facet_store(session, limits=limits)
    found = value_matches(store, focused.query, focused.focus, words, named=named, limits=limits)
    refs = term_names(session, dict.fromkeys(one.property for one in found), limits=limits)
    values = [one.value for one in found if isinstance(one.value, NamedNode)]
    # The store was asked for no more than these.
    total = Count(len(found), CountKind.EXACT if len(found) < SHOWN else CountKind.AT_LEAST)
    return Named(found, refs | value_names(session, values, limits=limits), total, False)


class Facet(Enum):
    """A suggestion list and its title."""

    MATCHES = "Found"
    CLASSES = "Classes"
    PROPERTIES = "Properties"
    VALUES = "Values"


@dataclass(frozen=True)
class Suggested:
    """Some rows of a list, and the total number."""

    rows: tuple[FacetRow, ...]
    total: str
    has_more: bool


@dataclass(frozen=True)
class SuggestedValues(Suggested):
    """Values, with their distribution if they are numbers, dates or quantities."""

    spread: Histogram | None = None
    choice: RangeChoice | None = None


def suggested(
    session: Session,
    facet: Facet,
    focused: FocusedQuery,
    words: str,
    offset: int,
    unit: NamedNode | None,
    with_subclasses: bool = True,
    *,
    limits: Limits = NO_LIMITS,
) -> Suggested:
    """Some rows of a list. The keys of classes that a question can begin with are `ClassNode`s, others are options.

    Args:
        words: the search text; empty: all.
        offset: the number of rows to skip.
        unit: the unit of amounts; None: the most frequent one.
        with_subclasses: for the list of classes, whether instances of subclasses count too.
    """
    is_beginning = not focused.query.where.elements and not session.store.capabilities.remote
    match facet:
        case Facet.CLASSES if is_beginning:
            return beginning_classes(session, words, offset, with_subclasses=with_subclasses, limits=limits)
        case Facet.CLASSES:
            classes = suggested_classes(session, focused, words, offset, with_subclasses=with_subclasses, limits=limits)
            return _rows(classes, focused)
        case Facet.PROPERTIES:
            return _rows(suggested_properties(session, focused, words, offset, limits=limits), focused)
        case Facet.MATCHES:
            return _rows(suggested_matches(session, focused, words, limits=limits), focused)
    named = suggested_values(session, focused, words, offset, limits=limits)
    values = _rows(named, focused)
    if offset or words or not may_be_range(named):
        return SuggestedValues(values.rows, values.total, values.has_more)
    spread = values_as_bins(session, focused.query, focused.focus, unit=unit, seen=_shown(named), limits=limits)
    choice = range_choice(spread, focused) if spread is not None else None
    return SuggestedValues(values.rows, values.total, values.has_more, spread, choice)


def range_choice(spread: Histogram, focused: FocusedQuery) -> RangeChoice:
    """The range to choose from, with the one in the query."""
    bins = spread.bins
    note = []
    if spread.looked_at is not None:
        note.append(f"Only {spread.looked_at:,} different values were counted.")
    if spread.others.value:
        note.append(f"{spread.others} other values are not on this scale.")
    return RangeChoice(
        tuple([one.low for one in bins] + [bins[-1].high]),
        tuple(one.count for one in bins),
        is_time=spread.kind is ScaleKind.MOMENTS,
        unit=spread.unit.symbol if spread.unit is not None else "",
        units=tuple(unit.symbol for unit in spread.units),
        asked=asked_range(focused, spread),
        note=" ".join(note),
        ends=tuple((_written(one.least), _written(one.most)) for one in bins),
    )


def _written(value: Literal | Decimal | None) -> str:
    if value is None:
        return ""
    return value.value if isinstance(value, Literal) else format(value.normalize(), "f")


def _shown(found: Named) -> list[NamedNode | Literal]:
    return [option.value for option in found.options if isinstance(option, ValueOption)]


def _rows(found: Named, focused: FocusedQuery) -> Suggested:
    asked = set(asked_values(focused))
    rows = tuple(_row(option, found.refs, asked) for option in found.options)
    return Suggested(_told_apart(rows), str(found.total), found.has_more)


def _told_apart(rows: Sequence[FacetRow]) -> tuple[FacetRow, ...]:
    """Give rows with the same label a detail: the first line of the tooltip that differs, such as the property."""
    alike: dict[tuple[str, str], list[FacetRow]] = defaultdict(list)
    for row in rows:
        alike[row.way, row.label].append(row)

    def apart(row: FacetRow) -> FacetRow:
        others = [one.tip.split("\n") for one in alike[row.way, row.label] if one is not row]
        if not others or row.detail:
            return row
        lines = row.tip.split("\n")
        return replace(row, detail=next((one for one in lines if not any(one in other for other in others)), lines[-1]))

    return tuple(map(apart, rows))


def _row(
    option: ClassOption | PropertyOption | ValueOption | ValueMatch,
    refs: Mapping[Resource, ResourceRef],
    asked: Collection[object],
) -> FacetRow:
    count = str(option.count)
    match option:
        case ClassOption():
            ref = refs[option.class_]
            return FacetRow(option, ref.label, count, tip=ref.curie, colour_key=ref.colour_key)
        case PropertyOption():
            ref = refs[option.property]
            forward = option.direction is Direction.FORWARD
            way = "→" if forward else "←"
            tip = (
                f"{ref.curie}\n{'Has' if forward else 'Is'} “{ref.label}”{'' if forward else ' of something'}: {count}"
            )
            return FacetRow(option, ref.label, count, tip=tip, way=way)
        case ValueMatch():
            way = "→" if option.direction is Direction.FORWARD else "←"
            value = option.value
            text = refs[value].label if isinstance(value, NamedNode) else literal_text(value)
            ref = refs[option.property]
            return FacetRow(option, f"{ref.label}: {text}", count, tip=f"{ref.curie}\n{value.value}", way=way)
        case ValueOption():
            value = option.value
            if not isinstance(value, Literal):
                ref = refs[value]
                return FacetRow(
                    option, ref.label, count, ref.kind, ref.iri, colour_key=ref.colour_key, is_ticked=value in asked
                )
            language = value.language or ""
            return FacetRow(option, literal_text(value), count, language, value.value, is_ticked=value in asked)
