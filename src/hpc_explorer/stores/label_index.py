"""Finding resources by the words of their names: an SQLite FTS5 table beside the store.

A resource is found by the words of its labels, of its local name (CamelCase falls into words) and
of its identifiers, each word by its beginning; a text that begins no word is looked for inside names.
"""

from __future__ import annotations

import re
import sqlite3
import threading
import weakref
from collections.abc import Iterable
from dataclasses import dataclass

from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits

_WORD = re.compile(r"\w+", re.UNICODE)

# Entries written between two looks at the cancel token.
_BATCH = 5_000

# The search for a text inside names stops here; the count then says "at least".
_MOST_SUBSTRINGS = 500


@dataclass(frozen=True)
class LabelEntry:
    """One name of a resource.

    Args:
        iri: the resource's IRI, or `_:label`.
        text: the name as it is shown.
        words: further words to find it by, such as those its local name falls into.
        rank: 0 for things people search for most (instances), higher for classes and properties.
    """

    iri: str
    text: str
    words: str
    rank: int


@dataclass(frozen=True)
class LabelMatch:
    """A resource found, and the name it was found by."""

    iri: str
    text: str


class LabelIndex:
    """The names of one graph, in memory. Safe to be asked from several threads."""

    def __init__(self, entries: Iterable[LabelEntry], *, limits: Limits = NO_LIMITS) -> None:
        self._lock = threading.Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        # Also an index whose building was cancelled gives back its memory.
        self._give_back = weakref.finalize(self, self._database.close)
        self._database.execute(
            "CREATE VIRTUAL TABLE label USING fts5(text, words, iri UNINDEXED, rank_of_kind UNINDEXED, "
            "tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4')"
        )
        batch: list[tuple[str, str, str, int]] = []
        for entry in entries:
            batch.append((entry.text, entry.words, entry.iri, entry.rank))
            if len(batch) == _BATCH:
                limits.check("building the label index")
                self._insert(batch)
                batch = []
        self._insert(batch)

    def _insert(self, batch: list[tuple[str, str, str, int]]) -> None:
        self._database.executemany("INSERT INTO label (text, words, iri, rank_of_kind) VALUES (?, ?, ?, ?)", batch)

    def search(self, text: str, limit: int) -> tuple[tuple[LabelMatch, ...], Count]:
        """The resources whose names fit, best first, and how many there are in all.

        Args:
            text: what the user typed; every word of it must fit.
            limit: the most matches to return.
        """
        words = _WORD.findall(text)
        if not words:
            return (), Count(0)
        wanted = " ".join(words).casefold()
        with self._lock:
            rows = self._by_words(words, wanted, limit)
            if rows:
                counted = self._database.execute(
                    "SELECT COUNT(DISTINCT iri) FROM label WHERE label MATCH ?", (_match(words),)
                ).fetchone()[0]
                return rows, Count(counted)
            rows = self._by_substring(text.strip())
        found = len(rows)
        return rows[:limit], Count(found, CountKind.AT_LEAST if found == _MOST_SUBSTRINGS else CountKind.EXACT)

    def _by_words(self, words: list[str], wanted: str, limit: int) -> tuple[LabelMatch, ...]:
        # A name that is the text, then one that begins with it, then by relevance (bm25, names before
        # further words) and shortness. Of several names of one resource the best stays.
        rows = self._database.execute(
            "SELECT iri, text FROM (SELECT iri, text, bm25(label, 4.0, 1.0) AS relevance, rank_of_kind AS kind "
            "FROM label WHERE label MATCH ?) "
            "ORDER BY lower(text) = ? DESC, substr(lower(text), 1, ?) = ? DESC, kind, relevance, length(text), iri "
            "LIMIT ?",
            (_match(words), wanted, len(wanted), wanted, 4 * limit),
        )
        return _distinct(rows)[:limit]

    def _by_substring(self, text: str) -> tuple[LabelMatch, ...]:
        pattern = "%" + re.sub(r"([%_\\])", r"\\\1", text) + "%"
        rows = self._database.execute(
            "SELECT iri, text FROM label WHERE text LIKE ? ESCAPE '\\' OR iri LIKE ? ESCAPE '\\' "
            "ORDER BY rank_of_kind, length(text), iri LIMIT ?",
            (pattern, pattern, _MOST_SUBSTRINGS),
        )
        return _distinct(rows)

    def close(self) -> None:
        """Give back the memory."""
        with self._lock:
            self._give_back()


def _match(words: list[str]) -> str:
    """The FTS5 expression for "every word, by its beginning"."""
    return " AND ".join(f'"{word}"*' for word in words)


def _distinct(rows: Iterable[tuple[str, str]]) -> tuple[LabelMatch, ...]:
    best: dict[str, LabelMatch] = {}
    for iri, text in rows:
        best.setdefault(iri, LabelMatch(iri, text))
    return tuple(best.values())
