"""The text search that an endpoint has of its own, beside SPARQL: found by trying, and used only where it finds.

SPARQL 1.1 has no index of words. Servers have their own, each with its own patterns, and whether one is switched on,
and for which names, cannot be asked. So a word of a name that is known to be there is looked for in each of these ways:
the first that finds that very resource is believed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hpc_explorer.errors import DeadlineExceeded, ServerError
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import Limits, Store

# How many names are looked at for a word to try, and how long one try may take, in seconds.
_SAMPLE = 20
_SECONDS = 5.0

# A word that no list of stop words leaves out, and that is no number.
_LONG_WORD = re.compile(r"[^\W\d_]{5,}")


@dataclass(frozen=True)
class TextSearch:
    """One way of searching text that a family of servers has.

    Args:
        server: whose it is.
        pattern: binds ?s and ?text, given the names' predicates as ?label; `{words}` is the literal to look for.
        joiner: what stands between the words.
        shortest_prefix: a word of at least so many letters finds those that it begins; a shorter one itself only.
        quoted: whether each word is put into single quotes.
    """

    server: str
    pattern: str
    joiner: str = " AND "
    shortest_prefix: int = 1
    quoted: bool = False

    def where(self, words: Sequence[str]) -> str:
        """The pattern for resources with a name that has all these words, or words that they begin.

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
    """The text search that works at an endpoint; None if none does, or if nothing there has a name to try it with."""
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
