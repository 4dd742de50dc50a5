"""The known terms for completion, collected once for each state of the graph, and extended on demand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from hpc_explorer.app.query.run_query import store_for
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import AnswerLimited, DeadlineExceeded, ServerError
from hpc_explorer.ontology.labels import labels_of, local_name, search_words
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.query.completion.candidates import Completions
from hpc_explorer.query.completion.known_terms import ClassFacts, KnownTerm, KnownTerms, KnownValue, ValuesOf
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Count, CountKind, Limits, Store, no_progress

SECONDS = 5.0
"""The time limit of a request, in seconds."""

MOST_VALUES = 200
"""The maximum number of values of a property."""

# Up to this many local triples, the usage of all classes is counted at once; beyond, class by class.
_COUNTED_AT_ONCE = 1_000_000


def known_terms(session: Session, *, limits: Limits = NO_LIMITS) -> KnownTerms:
    """The classes and properties in use with their counts, and the usage of properties by class."""
    schema = session.schema(limits=limits)
    usage = session.usage(limits=limits)
    counted = usage.classes()
    prefixes = session.prefixes
    classes = {cls: usage.class_count(cls, number) for cls, number in counted.items()}
    properties = {term: usage.predicate_count(term) for term in usage.predicates}
    known = KnownTerms(
        prefixes,
        _by_use((cls.value, schema.class_label(cls), count) for cls, count in classes.items()),
        _by_use((term.value, schema.property_label(term), count) for term, count in properties.items()),
        _by_use((cls.value, info.label, usage.class_count(cls, counted[cls])) for cls, info in schema.classes.items()),
        below=_below(schema),
        graphs=tuple(source.graph.value for source in session.sources),
    )
    if not _is_soon_counted(session, limits):
        return known
    return replace(known, facts=_facts(session.store, known.classes, "", limits), is_counted=True)


def _by_use(terms: Iterable[tuple[str, str, Count]]) -> dict[str, KnownTerm]:
    made = [KnownTerm(iri, label, _sought(iri, label), count) for iri, label, count in terms]
    return {one.iri: one for one in sorted(made, key=lambda one: (-one.count.value, one.label, one.iri))}


def _sought(iri: str, label: str) -> str:
    """The search text of a term: its name, its label, and the words of both, separated by spaces."""
    name = local_name(iri)
    return " ".join(dict.fromkeys((name, label, search_words(name)))).casefold()


def _below(schema: SchemaIndex) -> dict[str, frozenset[str]]:
    below: dict[str, set[str]] = defaultdict(set)
    for cls in schema.classes:
        for above in schema.superclasses(cls):
            below[above.value].add(cls.value)
    return {above: frozenset(classes) for above, classes in below.items()}


# How classes are used

_OUTGOING = "SELECT ?k ?p (COUNT(*) AS ?n) WHERE {{ {k}?s a ?k ; ?p ?o }} GROUP BY ?k ?p"
_INCOMING = "SELECT ?k ?p (COUNT(*) AS ?n) WHERE {{ {k}?s ?p ?o . ?o a ?k }} GROUP BY ?k ?p"


def _is_soon_counted(session: Session, limits: Limits) -> bool:
    size = session.store.size(limits=limits)
    is_small = size.kind is CountKind.EXACT and size.value <= _COUNTED_AT_ONCE
    return is_small and not session.store.capabilities.remote


def class_facts(
    session: Session, known: KnownTerms, classes: Iterable[str], *, limits: Limits = NO_LIMITS
) -> KnownTerms:
    """Add the usage of these classes; if counting takes too long, all properties without counts."""
    wanted = [cls for cls in classes if known.facts_of(cls) is None]
    if not wanted:
        return known
    own = limits.within(SECONDS)
    named = f"VALUES ?k {{ {' '.join(f'<{cls}>' for cls in wanted)} }} "
    try:
        found = _facts(store_for(session, no_progress, own), wanted, named, own)
    except (DeadlineExceeded, ServerError, AnswerLimited):
        limits.check()
        everything = dict.fromkeys(known.properties, UNKNOWN_COUNT)
        found = dict.fromkeys(wanted, ClassFacts(everything, {}))
    return replace(known, facts={**known.facts, **found})


def _facts(store: Store, classes: Iterable[str], named: str, limits: Limits) -> dict[str, ClassFacts]:
    outgoing: dict[str, dict[str, Count]] = defaultdict(dict)
    incoming: dict[str, dict[str, Count]] = defaultdict(dict)
    for query, into in ((_OUTGOING, outgoing), (_INCOMING, incoming)):
        for row in store.select(query.format(k=named), limits=limits):
            cls, predicate, number = row.get("k"), row.get("p"), row.get("n")
            if isinstance(cls, NamedNode) and isinstance(predicate, NamedNode) and isinstance(number, Literal):
                into[cls.value][predicate.value] = Count(int(number.value))
    return {cls: ClassFacts(outgoing.get(cls, {}), incoming.get(cls, {})) for cls in classes}


# Values


def more_terms(
    session: Session, known: KnownTerms, place: Completions, with_values: bool, *, limits: Limits = NO_LIMITS
) -> KnownTerms:
    """Add what completions at a position need: the usage of classes, and values."""
    more = class_facts(session, known, place.unknown_classes, limits=limits)
    if with_values and place.values is not None:
        more = values_of(session, more, place.values, limits=limits)
    return more


def values_of(session: Session, known: KnownTerms, wanted: ValuesOf, *, limits: Limits = NO_LIMITS) -> KnownTerms:
    """Add the values of a property; none if finding them takes too long."""
    own = limits.within(SECONDS)
    try:
        values, whole = _values(store_for(session, no_progress, own), wanted, own)
        resources = [term for term, _ in values if isinstance(term, NamedNode)]
        labels = labels_of(session.store, resources, limits=own)
    except (DeadlineExceeded, ServerError, AnswerLimited):
        limits.check()
        values, whole, labels = [], False, {}
    found = tuple(
        KnownValue(
            term,
            term.value if isinstance(term, Literal) else labels.get(term, local_name(term.value)),
            count,
        )
        for term, count in values
    )
    return replace(known, values={**known.values, wanted: (found, whole)})


def _values(store: Store, wanted: ValuesOf, limits: Limits) -> tuple[list[tuple[NamedNode | Literal, Count]], bool]:
    """The most frequent values with their counts, and whether these are all."""
    of_class = f"?s a <{wanted.cls}> . " if wanted.cls is not None else ""
    search = f"FILTER(CONTAINS(LCASE(STR(?o)), {Literal(wanted.search)})) " if wanted.search else ""
    rows = store.select(
        f"SELECT ?o (COUNT(*) AS ?n) WHERE {{ {of_class}?s <{wanted.predicate}> ?o . FILTER(!isBlank(?o)) {search}}} "
        f"GROUP BY ?o ORDER BY DESC(?n) LIMIT {MOST_VALUES + 1}",
        limits=limits,
    )
    found: list[tuple[NamedNode | Literal, Count]] = []
    for row in rows:
        value, number = row.get("o"), row.get("n")
        if isinstance(value, (NamedNode, Literal)) and isinstance(number, Literal):
            found.append((value, Count(int(number.value))))
    return found[:MOST_VALUES], len(found) <= MOST_VALUES
