"""Search the resources of an endpoint by name: the endpoint finds candidates, the label index ranks them.

Candidates come from the endpoint's own text search if it has one (`stores.remote.text_search`), otherwise from a filter
over all names. The profile gives their number, which is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Protocol

from hpc_explorer.errors import AnswerLimited, DeadlineExceeded, EndpointFailed
from hpc_explorer.ontology.labels import LABEL_PREDICATES, fallback_label
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Store
from hpc_explorer.stores.names.label_index import LabelEntry, LabelIndex, LabelMatch
from hpc_explorer.stores.remote.text_search import TextSearch, found_text_search, search_query

# Maximum number of candidates of each kind; with more, the count is a lower bound.
_MOST_CANDIDATES = 500

MOST_SCANNED = 1_000_000
"""With more triples, the last parts of IRIs are not searched if the endpoint has a text search."""

# Maximum seconds for a filter over all names.
_SECONDS = 15.0

_WORD = re.compile(r"\w+")

# SPARQL for the last part of an IRI.
_LAST_PART = 'REPLACE(STR(?s), "^.*[/#]", "")'

_NAME_AND_LAST_PART = 'CONCAT(STR(?text), " ", ?local)'


class LabelSearch(Protocol):
    """Finds resources by the words of their names."""

    @property
    def how(self) -> str:
        """How it searches, and the cost, for display; may be empty."""
        ...

    def search(self, text: str, limit: int, *, limits: Limits = NO_LIMITS) -> tuple[tuple[LabelMatch, ...], Count]:
        """The matching resources, best first, and their total number."""
        ...

    def close(self) -> None:
        """Release all resources."""
        ...


class EndpointLabels:
    """A search over the names at an endpoint, requested at each search.

    Args:
        schema: the classes and properties, whose names the endpoint may not have.
        entry: makes the entry of a resource under a name.
        names: the number of names at the endpoint.
    """

    def __init__(
        self,
        store: Store,
        schema: SchemaIndex,
        entry: Callable[[Resource, str], LabelEntry],
        names: Count,
        *,
        limits: Limits = NO_LIMITS,
    ) -> None:
        self._store = store
        self._schema = schema
        self._entry = entry
        self._names = names
        self._own = found_text_search(store, LABEL_PREDICATES, limits=limits)

    @property
    def how(self) -> str:
        """The text search that is used, or how many names are scanned."""
        size = self._store.size()
        if self._own is None:
            return f"looks through {self._names} names and the IRIs of {size} triples at the endpoint"
        scanned = f", and the IRIs of {size} triples" if self._scans_iris() else "; the words of IRIs are not searched"
        return f"by the endpoint's own text search, {self._own.server}{scanned}"

    def _knows(self, words: list[str], own: TextSearch) -> bool:
        """Whether to use the endpoint's text search: it may not find words by short prefixes."""
        is_small = self._names.kind is CountKind.EXACT and self._names.value <= MOST_SCANNED
        return not is_small or min(map(len, words)) >= own.shortest_prefix

    def _scans_iris(self) -> bool:
        size = self._store.size()
        return self._own is None or (size.kind is not CountKind.UNKNOWN and size.value <= MOST_SCANNED)

    def search(self, text: str, limit: int, *, limits: Limits = NO_LIMITS) -> tuple[tuple[LabelMatch, ...], Count]:
        """As `LabelIndex.search`; the count is a lower bound if the endpoint has more names or is too slow.

        It is also one with the endpoint's text search, because it is unknown which names that has indexed.
        """
        words = [word.lower() for word in _WORD.findall(text)]
        if not words:
            return (), Count(0)
        complete = [True]
        index = LabelIndex(self._candidates(words, complete, limits))
        try:
            matches, count = index.search(text, limit, limits=limits)
        finally:
            index.close()
        return matches, count if complete[0] else Count(count.value, CountKind.AT_LEAST)

    def _candidates(self, words: list[str], complete: list[bool], limits: Limits) -> Iterator[LabelEntry]:
        own = limits.within(_SECONDS)
        named: set[Resource] = set()
        predicates = " ".join(map(str, LABEL_PREDICATES))
        by_label = (
            f"SELECT DISTINCT ?s ?text WHERE {{ VALUES ?label {{ {predicates} }} ?s ?label ?text "
            f'FILTER(isLiteral(?text)) BIND(IF(isIRI(?s), {_LAST_PART}, "") AS ?local) '
            f"{_contains(_NAME_AND_LAST_PART, words)} }} LIMIT {_MOST_CANDIDATES}"
        )
        if self._own is not None and self._knows(words, self._own):
            complete[0] = False
            by_label = search_query(self._own, words, LABEL_PREDICATES, _MOST_CANDIDATES)
        for subject, name in self._found(by_label, own, limits, complete):
            if name is not None:
                named.add(subject)
                yield self._entry(subject, name)
        by_iri = (
            f"SELECT DISTINCT ?s WHERE {{ ?s ?p ?o FILTER(isIRI(?s)) {_contains(_LAST_PART, words)} }} "
            f"LIMIT {_MOST_CANDIDATES}"
        )
        terms = {term: info.label for term, info in self._schema.classes.items()}
        terms |= {term: info.label for term, info in self._schema.properties.items()}
        for subject, _ in self._found(by_iri, own, limits, complete) if self._scans_iris() else ():
            if subject not in named and subject not in terms:
                named.add(subject)
                yield self._entry(subject, fallback_label(subject))
        for term, label in terms.items():
            if term not in named:
                yield self._entry(term, label)

    def _found(
        self, query: str, own: Limits, limits: Limits, complete: list[bool]
    ) -> Iterator[tuple[Resource, str | None]]:
        """The results of a query until the `own` limits end it; the caller's limits end the whole search."""
        number = 0
        try:
            for row in self._store.select(query, limits=own):
                number += 1
                subject, text = row["s"], row.get("text")
                if isinstance(subject, (NamedNode, BlankNode)):
                    yield subject, text.value if isinstance(text, Literal) else None
        except (DeadlineExceeded, EndpointFailed, AnswerLimited):
            limits.check("the search")
            complete[0] = False
        if number >= _MOST_CANDIDATES:
            complete[0] = False

    def close(self) -> None:
        """Do nothing."""


def _contains(text: str, words: list[str]) -> str:
    return f"FILTER({' && '.join(f'CONTAINS(LCASE({text}), {Literal(word)})' for word in words)})"
