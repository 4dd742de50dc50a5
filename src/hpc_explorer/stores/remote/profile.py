"""Profile an endpoint: counted, stated by the endpoint, or sampled. The origin is always reported.

1. Up to `COUNTED_ANYWAY` triples everything is counted: that takes an endpoint a moment.
2. A larger one, or one that does not say its size, is believed what it states of itself: a VoID description (W3C
  Interest Group Note, section 4) in its data, in its service description (SPARQL 1.1 Service Description, section 3) or
  at `/.well-known/void`. It must name this endpoint, have partitions by class and by property, and agree with the
  number of triples if known. Statements may be out of date: they are shown as such.
3. Without one, the endpoint counts for at most some seconds.
4. Without these counts, each class and predicate is counted up to a small number, "at least" beyond that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import urljoin

from hpc_explorer.errors import DeadlineExceeded, ServerError
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, CountOrigin, Limits, Row, Store
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.profile import TypeSet
from hpc_explorer.stores.remote.remote import RemoteStore

COUNTED_ANYWAY = 1_000_000
"""Triples: an endpoint with no more is counted whole."""

SECONDS_FOR_COUNTS = 30.0
"""Seconds for counting one thing."""

SECONDS_FOR_SAMPLES = 60.0
"""Seconds for all samples."""

# Seconds for the description, and for sampling one thing.
_SECONDS_FOR_DESCRIPTION = 10.0
_SECONDS_FOR_SAMPLE = 10.0

# Maximum number of triples of a description.
_LARGEST_DESCRIPTION = 200_000

SAMPLED_UP_TO = 1_000
"""Up to this number a sampled class or predicate is counted."""

# How many classes and predicates are sampled, and how many in one request.
_MOST_TERMS = 400
_TERMS_AT_ONCE = 20

_DESCRIPTION_GRAPH = NamedNode("urn:hpc-explorer:description")

_PREFIXES = "PREFIX void: <http://rdfs.org/ns/void#> PREFIX sd: <http://www.w3.org/ns/sparql-service-description#> "


@dataclass(frozen=True)
class EndpointProfile:
    """Usage counts of an endpoint.

    Args:
        type_sets: the number of resources with exactly this set of classes; single classes if not `sets_known`.
        sets_known: whether `type_sets` has complete sets.
        predicates: how many triples each predicate has.
        origin: of the numbers.
        note: the source of stated numbers, or the reason for incomplete ones; may be empty.
        kinds: the precision of single numbers where it differs from that of the origin.
    """

    type_sets: Mapping[TypeSet, int]
    sets_known: bool
    predicates: Mapping[NamedNode, int]
    origin: CountOrigin = CountOrigin.COUNTED
    note: str = ""
    kinds: Mapping[NamedNode, CountKind] = field(default_factory=dict)


def profile_endpoint(store: Store, *, limits: Limits = NO_LIMITS) -> EndpointProfile:
    """The best profile available in time.

    Raises:
        ServerError: even sampling fails.
    """
    size = store.size(limits=limits)
    is_small = size.kind is CountKind.EXACT and size.value <= COUNTED_ANYWAY
    stated, note = (None, "") if is_small or not isinstance(store, RemoteStore) else _stated(store, size, limits)
    if stated is not None:
        return stated
    try:
        predicates, all_predicates = _counted(store, "?s ?t ?o", limits)
        type_sets, sets_known, all_classes = _type_sets(store, limits)
        if not (all_predicates and all_classes):
            cut = "the endpoint truncates its results: there are more classes or predicates than these"
            note = f"{cut}; {note}" if note else cut
        return EndpointProfile(type_sets, sets_known, predicates, note=note)
    except (ServerError, DeadlineExceeded):
        limits.check()
    return _sampled(store, note, limits)


# Counted there

# One row for each set of classes: resources first, with their classes as one text, then those texts.
_TYPE_SETS = (
    'SELECT ?types (COUNT(*) AS ?n) WHERE { SELECT ?s (GROUP_CONCAT(DISTINCT STR(?t); SEPARATOR=" ") AS ?types) '
    "WHERE { ?s a ?t FILTER(isIRI(?t)) } GROUP BY ?s } GROUP BY ?types"
)


def _counted(store: Store, pattern: str, limits: Limits) -> tuple[dict[NamedNode, int], bool]:
    """The number of triples, or subjects of a type, for each ?t of a pattern, and whether these are all."""
    what = "*" if "?o" in pattern else "DISTINCT ?s"
    query = f"SELECT ?t (COUNT({what}) AS ?n) WHERE {{ {pattern} }} GROUP BY ?t"
    rows = store.select(query, limits=limits.within(SECONDS_FOR_COUNTS))
    counts = {row["t"]: _number(row) for row in rows if isinstance(row.get("t"), NamedNode)}
    return counts, not rows.limited  # type: ignore[return-value]  # narrowed by the filter


def _type_sets(store: Store, limits: Limits) -> tuple[dict[TypeSet, int], bool, bool]:
    """The type sets with their sizes; single classes if sets are too much for the endpoint.

    Returns:
        The numbers, whether they are of sets, and whether they are complete.
    """
    counts: Counter[TypeSet] = Counter()
    try:
        rows = store.select(_TYPE_SETS, limits=limits.within(SECONDS_FOR_COUNTS))
        for row in rows:
            names = row["types"].value.split()  # type: ignore[union-attr]  # GROUP_CONCAT gives a literal
            counts[frozenset(map(NamedNode, names))] += _number(row)
        if not rows.limited:
            return dict(counts), True, True
    except (ServerError, DeadlineExceeded):
        limits.check()
    per_class, are_all = _counted(store, "?s a ?t", limits)
    return {frozenset({cls}): number for cls, number in per_class.items()}, False, are_all


# Stated by it


def _stated(store: RemoteStore, size: Count, limits: Limits) -> tuple[EndpointProfile | None, str]:
    """The profile stated by the endpoint; or None and the reason why it is not used."""
    note = ""
    own = limits.within(_SECONDS_FOR_DESCRIPTION)
    for place, documents in (
        ("its data", None),
        ("its service description", store.address),
        ("/.well-known/void", urljoin(store.address, "/.well-known/void")),
    ):
        try:
            if documents is None:
                found, triples = _read_description(store, store.address, own)
            else:
                found, triples = _described_in(store, documents, own)
        except (ServerError, DeadlineExceeded):
            limits.check()
            continue
        if found is None:
            continue
        if size.kind is CountKind.EXACT and triples is not None and triples != size.value:
            note = f"its VoID description ({place}) is out of date: it states {triples:,} triples"
            continue
        classes, predicates = found
        sets = {frozenset({cls}): number for cls, number in classes.items()}
        return EndpointProfile(sets, False, predicates, CountOrigin.STATED, f"VoID in {place}; may be out of date"), ""
    return None, note


_Stated = tuple[dict[NamedNode, int], dict[NamedNode, int]]


def _described_in(store: RemoteStore, address: str, limits: Limits) -> tuple[_Stated | None, int | None]:
    triples = islice(store.document(address, limits=limits), _LARGEST_DESCRIPTION)
    held = LocalStore.in_memory()
    held.add_quads(Quad(triple.subject, triple.predicate, triple.object, _DESCRIPTION_GRAPH) for triple in triples)
    try:
        return _read_description(held, store.address, limits)
    finally:
        held.close()


def _read_description(store: Store, address: str, limits: Limits) -> tuple[_Stated | None, int | None]:
    """The partitions and number of triples of the one dataset described as this endpoint."""
    spellings = " ".join(f"<{spelling}>" for spelling in {address, address.rstrip("/"), f"{address.rstrip('/')}/"})
    dataset = (
        f"VALUES ?endpoint {{ {spellings} }} {{ ?d void:sparqlEndpoint ?endpoint }} "
        "UNION { ?service sd:endpoint ?endpoint ; sd:defaultDataset ?d } "
        "UNION { ?service sd:endpoint ?endpoint ; sd:defaultDataset ?all . ?all sd:defaultGraph ?d }"
    )
    whole = f"{_PREFIXES}SELECT ?d ?n WHERE {{ {{ {dataset} }} FILTER NOT EXISTS {{ ?larger void:subset ?d }} "
    heads = list(store.select(f"{whole} OPTIONAL {{ ?d void:triples ?n }} }}", limits=limits))
    if len({row["d"] for row in heads}) != 1:
        return None, None
    query = whole.replace("?d ?n", "?term ?n", 1)
    classes = _partitions(
        store, f"{query} ?d void:classPartition ?x . ?x void:class ?term ; void:entities ?n }}", limits
    )
    predicates = _partitions(
        store, f"{query} ?d void:propertyPartition ?x . ?x void:property ?term ; void:triples ?n }}", limits
    )
    if not classes or not predicates:
        return None, None
    return (classes, predicates), max((_number(row) for row in heads if _is_number(row)), default=None)


def _partitions(store: Store, query: str, limits: Limits) -> dict[NamedNode, int]:
    rows = store.select(query, limits=limits)
    return {row["term"]: _number(row) for row in rows if isinstance(row["term"], NamedNode) and _is_number(row)}


# Sampled


def _sampled(store: Store, note: str, limits: Limits) -> EndpointProfile:
    """Count each class and predicate up to a small number; those not reached in time are unknown."""
    own = limits.within(SECONDS_FOR_SAMPLES)
    classes = _terms(store, "?s a ?t", limits)
    predicates = _terms(store, "?s ?t ?o", limits)
    kinds: dict[NamedNode, CountKind] = {}
    of_class = _sample(store, classes, "?s", "?s a {t}", kinds, own, limits)
    of_predicate = _sample(store, predicates, "?s ?o", "?s {t} ?o", kinds, own, limits)
    reason = f"too slow to be counted there; up to {SAMPLED_UP_TO:,} each, and at most {_MOST_TERMS:,} terms"
    note = f"{reason}; {note}" if note else reason
    sets = {frozenset({cls}): number for cls, number in of_class.items()}
    return EndpointProfile(sets, False, of_predicate, CountOrigin.SAMPLED, note, kinds)


def _terms(store: Store, pattern: str, limits: Limits) -> list[NamedNode]:
    """The classes or predicates in use; if that takes too long, those of the first triples."""
    few = f"SELECT ?t WHERE {{ {pattern} }} LIMIT {SAMPLED_UP_TO}"
    for inner in (f"{{ SELECT DISTINCT ?t WHERE {{ {pattern} }} LIMIT {_MOST_TERMS} }}", f"{{ {few} }}"):
        try:
            rows = store.select(f"SELECT DISTINCT ?t WHERE {{ {inner} }}", limits=limits.within(_SECONDS_FOR_SAMPLE))
            return [row["t"] for row in rows if isinstance(row["t"], NamedNode)]
        except (ServerError, DeadlineExceeded) as error:
            limits.check()
            failed = error
    raise failed


def _sample(
    store: Store,
    terms: Sequence[NamedNode],
    distinct: str,
    pattern: str,
    kinds: dict[NamedNode, CountKind],
    own: Limits,
    limits: Limits,
) -> dict[NamedNode, int]:
    """Count each up to `SAMPLED_UP_TO`; the precision is stored in `kinds`."""
    counts: dict[NamedNode, int] = {}
    rest: Iterable[NamedNode] = iter(terms)
    while batch := list(islice(rest, _TERMS_AT_ONCE)):
        counts |= dict.fromkeys(batch, 0)
        kinds.update(dict.fromkeys(batch, CountKind.UNKNOWN))
        branches = " UNION ".join(
            f"{{ SELECT ({term} AS ?t) (COUNT(*) AS ?n) WHERE {{ {{ SELECT DISTINCT {distinct} "
            f"WHERE {{ {pattern.format(t=term)} }} LIMIT {SAMPLED_UP_TO + 1} }} }} }}"
            for term in batch
        )
        try:
            rows = store.select(f"SELECT ?t ?n WHERE {{ {branches} }}", limits=own.within(_SECONDS_FOR_SAMPLE))
            for row in rows:
                term, number = row["t"], _number(row)
                if isinstance(term, NamedNode):
                    counts[term] = min(number, SAMPLED_UP_TO)
                    kinds[term] = CountKind.AT_LEAST if number > SAMPLED_UP_TO else CountKind.EXACT
        except (ServerError, DeadlineExceeded):
            limits.check()
    return counts


def _is_number(row: Row) -> bool:
    number = row.get("n")
    return isinstance(number, Literal) and number.value.isdigit()


def _number(row: Row) -> int:
    return int(row["n"].value)  # type: ignore[union-attr]  # a literal that is a number
