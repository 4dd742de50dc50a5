"""Full-text search extensions of endpoints, detected by trying them.

SPARQL 1.1 has no full-text search. Servers have different extensions, and whether one is enabled cannot be queried. So
a word from an existing name is searched with each extension; the first one that finds its resource is used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hpc_explorer.errors import DeadlineExceeded, ServerError
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import Limits, Store

# Names to sample for a word, and seconds per attempt.
_SAMPLE = 20
_SECONDS = 5.0

# A word that is neither a number nor a likely stop word.
_LONG_WORD = re.compile(r"[^\W\d_]{5,}")


@dataclass(frozen=True)
class TextSearch:
    """The full-text extension of a family of servers.

    Args:
        server: its name.
        pattern: binds ?s and ?text, given the predicates of names as ?label; `{words}` is the search literal.
        joiner: separates the words.
        shortest_prefix: minimum length for prefix search; shorter words match whole words only.
        quoted: whether each word is quoted.
    """

    server: str
    pattern: str
    joiner: str = " AND "
    shortest_prefix: int = 1
    quoted: bool = False

    def where(self, words: Sequence[str]) -> str:
        """The pattern for resources with a name that has all these words or prefixes.

        Args:
            words: letters and digits only.
        """
        terms = [f"{word}*" if len(word) >= self.shortest_prefix else word for word in words]
        if self.quoted:
            terms = [f"'{term}'" for term in terms]
        return self.pattern.format(words=Literal(self.joiner.join(terms)))


TEXT_SEARCHES = (
    TextSearch(
        "Virtuoso (bif:contains)",
        "?s ?label ?text . ?text <bif:contains> {words} .",
        shortest_prefix=4,
        quoted=True,
    ),
    TextSearch("Jena (text:query)", "(?s ?score) <http://jena.apache.org/text#query> {words} . ?s ?label ?text ."),
    TextSearch(
        "RDF4J (Lucene)",
        "?s <http://www.openrdf.org/contrib/lucenesail#matches> "
        "[ <http://www.openrdf.org/contrib/lucenesail#query> {words} ] . ?s ?label ?text .",
    ),
    TextSearch(
        "Blazegraph (bds:search)",
        "?text <http://www.bigdata.com/rdf/search#search> {words} ; "
        '<http://www.bigdata.com/rdf/search#matchAllTerms> "true" . ?s ?label ?text .',
        joiner=" ",
    ),
    TextSearch(
        "QLever (ql:contains-word)",
        "?record <http://qlever.cs.uni-freiburg.de/builtin-functions/contains-word> {words} ; "
        "<http://qlever.cs.uni-freiburg.de/builtin-functions/contains-entity> ?text . ?s ?label ?text .",
        joiner=" ",
        shortest_prefix=4,
    ),
)
"""Of these, Virtuoso's was tried on a real server; the others are written after their makers' manuals."""


def search_query(search: TextSearch, words: Sequence[str], predicates: Collection[NamedNode], most: int) -> str:
    """The query for at most `most` resources ?s with a name ?text that has these words."""
    labels = " ".join(map(str, predicates))
    return (
        f"SELECT DISTINCT ?s ?text WHERE {{ VALUES ?label {{ {labels} }} {search.where(words)} "
        f"FILTER(isLiteral(?text)) }} LIMIT {most}"
    )


def found_text_search(store: Store, predicates: Collection[NamedNode], *, limits: Limits) -> TextSearch | None:
    """Find the extension that works at an endpoint; None if none does, or if there is no name to try."""
    known = _known_word(store, predicates, limits)
    if known is None:
        return None
    subject, word = known
    labels = " ".join(map(str, predicates))
    for search in TEXT_SEARCHES:
        query = f"ASK {{ VALUES ?label {{ {labels} }} {search.where([word])} FILTER(?s = {subject}) }}"
        try:
            if store.ask(query, limits=limits.within(_SECONDS)):
                return search
        except (ServerError, DeadlineExceeded):
            limits.check("looking for a text search")
    return None


def _known_word(store: Store, predicates: Collection[NamedNode], limits: Limits) -> tuple[NamedNode, str] | None:
    labels = " ".join(map(str, predicates))
    query = (
        f"SELECT ?s ?text WHERE {{ VALUES ?label {{ {labels} }} ?s ?label ?text "
        f"FILTER(isIRI(?s) && isLiteral(?text)) }} LIMIT {_SAMPLE}"
    )
    try:
        for row in store.select(query, limits=limits.within(_SECONDS)):
            subject, text = row["s"], row["text"]
            words = _LONG_WORD.findall(text.value) if isinstance(text, Literal) else []
            if words and isinstance(subject, NamedNode):
                return subject, max(words, key=len).lower()
    except (ServerError, DeadlineExceeded):
        limits.check("looking for a text search")
    return None
