"""Search resources by the words of their names: an SQLite FTS5 table next to the store.

    label(text, words, first, last)            each name once or a few times, and the range of its resources
    resource(id, name, iri, rank, digest)      the resources, those of one row of `label` in succession

A resource matches by the beginnings of words in its labels, its local name (split at CamelCase) and its identifiers. If
few match, substrings of words and then similarly spelled words (`similar_words`) are tried.
"""

from __future__ import annotations

import re
import sqlite3
import threading
import weakref
import zlib
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from hpc_explorer.errors import StoreError
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits
from hpc_explorer.stores.names.similar_words import TOKENIZER, Vocabulary, any_of

# Entries written between two checks for cancellation. Those of one name are one row of the table of names.
_BATCH = 50_000

MOST_RANKED = 1_000
"""At most this many matches are ranked; the count is then a lower bound."""

MOST_LOOKED_INTO = 25_000
"""At most this many names are scanned for text that is not part of a word; the count is then a lower bound."""

# Prefixes with up to this many words are expanded to the words.
_MOST_WORDS = 48

# Maximum number of words that contain a substring.
_MOST_PARTS = 500

# Maximum number of words of a search text.
_MOST_TYPED = 64

# Maximum number of mistyped words in a search text.
_MOST_MISTYPED = 3

# With fewer matches than this, and no exact one, further searches are tried.
_LITTLE = 3

_Row = tuple[str, str, int]

# The resources of names; the names are the outer loop, in their order.
_NAMED = (
    "SELECT iri, text, resource.rank FROM label CROSS JOIN resource ON resource.id BETWEEN label.first AND label.last"
)


class LabelEntry(NamedTuple):
    """One name of a resource.

    Args:
        iri: the resource's IRI, or `_:label`.
        text: the displayed name.
        words: further words to match, such as those of its local name.
        rank: 0 for instances, higher for classes and properties.
    """

    iri: str
    text: str
    words: str
    rank: int


class MatchQuality(IntEnum):
    """How well a name matches, best first."""

    EXACT = 0
    BEGINNING = 1
    WORDS = 2
    INSIDE = 3
    SIMILAR = 4


@dataclass(frozen=True)
class LabelMatch:
    """A matching resource, its name, and the quality of the match."""

    iri: str
    text: str
    fit: MatchQuality


class LabelIndex:
    """The index of the names of one graph, in memory or in a file. Thread-safe for searching.

    Args:
        entries: the names, the most likely search results first.
        file: a new file for the index; None for memory.

    Raises:
        StoreError: the file cannot be written.
    """

    def __init__(self, entries: Iterable[LabelEntry], file: Path | None = None, *, limits: Limits = NO_LIMITS) -> None:
        self._lock = threading.Lock()
        if file is not None and file.exists():
            raise FileExistsError(file)
        try:
            self._make(entries, file, limits)
        except sqlite3.Error as error:
            raise StoreError("the label index cannot be written", f"{file} ({error})", "check the free space") from None

    def _make(self, entries: Iterable[LabelEntry], file: Path | None, limits: Limits) -> None:
        self._database = sqlite3.connect(file or ":memory:", check_same_thread=False)
        # Release the memory also if building was cancelled.
        self._give_back = weakref.finalize(self, self._database.close)
        # A partial file is useless, so no journal is needed.
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute(
            "CREATE VIRTUAL TABLE label USING fts5(text, words, first UNINDEXED, last UNINDEXED, "
            f"tokenize = '{TOKENIZER}', prefix = '2 3 4')"
        )
        self._database.execute(
            "CREATE TABLE resource (id INTEGER PRIMARY KEY, name INTEGER, iri TEXT, rank INTEGER, digest INTEGER)"
        )
        self._last_label = self._last_resource = 0
        batch: list[LabelEntry] = []
        for entry in entries:
            batch.append(entry)
            if len(batch) == _BATCH:
                limits.check("building the label index")
                self._insert(batch)
                batch = []
        self._insert(batch)
        if file is not None:
            # An index of the IRIs would be twice as large.
            self._database.execute("CREATE INDEX resource_by_digest ON resource (digest)")
        limits.check("building the label index")
        self._words = Vocabulary(self._database, limits=limits)
        self._database.commit()

    @classmethod
    def opened(cls, file: Path) -> LabelIndex:
        """Open an index file read-only.

        Raises:
            StoreError: there is no index.
        """
        index = cls.__new__(cls)
        index._lock = threading.Lock()
        try:
            index._database = sqlite3.connect(
                f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
            )
            index._give_back = weakref.finalize(index, index._database.close)
            index._database.execute("SELECT first FROM label LIMIT 1")
            index._words = Vocabulary(index._database, writable=False)
        except sqlite3.Error as error:
            raise StoreError(
                "the workspace's label index cannot be read", f"{file} ({error})", "load its sources anew"
            ) from None
        return index

    @classmethod
    def editable(cls, file: Path) -> LabelIndex:
        """Open an index file for searching and for changes by one process.

        Changes are not durable until the file is synchronised.

        Raises:
            StoreError: there is no index, or it cannot be edited.
        """
        index = cls.__new__(cls)
        index._lock = threading.Lock()
        try:
            index._database = sqlite3.connect(
                f"{file.absolute().as_uri()}?mode=rw", uri=True, check_same_thread=False, isolation_level=None
            )
            index._give_back = weakref.finalize(index, index._database.close)
            index._database.execute("PRAGMA journal_mode = MEMORY")
            index._database.execute("PRAGMA synchronous = OFF")
            last = "SELECT coalesce(MAX(name), 0), coalesce(MAX(id), 0) FROM resource"
            index._last_label, index._last_resource = index._database.execute(last).fetchone()
            index._words = Vocabulary(index._database)
        except sqlite3.Error as error:
            raise StoreError(
                "the workspace's label index cannot be changed", f"{file} ({error})", "load its sources anew"
            ) from None
        return index

    @staticmethod
    def is_current(file: Path) -> bool:
        """Whether an index file has the tables that this version reads; an older one is made anew."""
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            columns = [row[1] for row in database.execute("PRAGMA table_info(label)")]
        return not columns or "first" in columns

    def replace(self, iris: Iterable[str], entries: Iterable[LabelEntry]) -> None:
        """Replace the names of resources atomically.

        Args:
            iris: the resources whose names are removed.
            entries: the names, the most likely search results first.

        Raises:
            StoreError: the file cannot be written.
        """
        named = list(entries)
        with self._lock:
            try:
                words = {word for entry in named for word in self._words.tokens(f"{entry.text} {entry.words}")}
                self._database.execute("BEGIN")
                try:
                    for iri in iris:
                        self._remove(iri)
                    self._insert(named)
                    self._words.learn(words)
                    self._database.execute("COMMIT")
                except BaseException:
                    self._database.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise StoreError("the label index cannot be written", str(error), "check the free space") from None

    def copy_to(self, file: Path) -> None:
        """Copy the current index to another file.

        Raises:
            StoreError: it cannot be written.
        """
        with self._lock:
            try:
                with closing(sqlite3.connect(file)) as copy:
                    self._database.backup(copy)
            except sqlite3.Error as error:
                raise StoreError("the label index cannot be copied", str(error), "check the free space") from None

    def _remove(self, iri: str) -> None:
        run = self._database.execute
        found = run("SELECT id, name FROM resource WHERE digest = ? AND iri = ?", (_digest(iri), iri)).fetchall()
        for resource, label in found:
            run("DELETE FROM resource WHERE id = ?", (resource,))
            run(
                "DELETE FROM label WHERE rowid = ? "
                "AND NOT EXISTS (SELECT 1 FROM resource WHERE id BETWEEN label.first AND label.last)",
                (label,),
            )

    def _insert(self, batch: Iterable[LabelEntry]) -> None:
        """Insert names, each once, and the resources of each in one range of numbers."""
        named: dict[tuple[str, str], list[LabelEntry]] = {}
        for entry in batch:
            named.setdefault((entry.text, entry.words), []).append(entry)
        labels: list[tuple[int, str, str, int, int]] = []
        resources: list[tuple[int, int, str, int, int]] = []
        for (text, words), entries in named.items():
            self._last_label += 1
            first, label = self._last_resource + 1, self._last_label
            self._last_resource += len(entries)
            labels.append((label, text, words, first, self._last_resource))
            resources += (
                (resource, label, entry.iri, entry.rank, _digest(entry.iri))
                for resource, entry in enumerate(entries, first)
            )
        self._database.executemany("INSERT INTO label (rowid, text, words, first, last) VALUES (?, ?, ?, ?, ?)", labels)
        self._database.executemany("INSERT INTO resource VALUES (?, ?, ?, ?, ?)", resources)

    how = ""
    """There is nothing to say of how it searches: it holds all names."""

    def search(self, text: str, limit: int, *, limits: Limits = NO_LIMITS) -> tuple[tuple[LabelMatch, ...], Count]:
        """The best matches, and the total number of matches.

        Every word of the text must match. If there are few matches, substring matches are added, and if a word is
        unknown or no name has all words, similarly spelled ones.

        Args:
            text: what the user typed.
            limit: the maximum number of matches.
        """
        # Invalid bytes from a terminal arrive as lone surrogates, which SQLite rejects.
        text = text.encode(errors="replace").decode()
        with self._lock:
            words = self._words.tokens(text)[:_MOST_TYPED]
        if not words:
            return (), Count(0)
        typed = " ".join(text.split()).casefold()
        found: dict[str, LabelMatch] = {}
        complete = True
        with self._lock:
            mistyped = not all(map(self._words.has, words))
            for look, most in (
                (self._by_words, 0),
                (self._by_part, _LITTLE),
                (self._by_sign, 1),
                (self._by_likeness, _LITTLE if mistyped else 1),
            ):
                if found and (len(found) >= most or any(match.fit is MatchQuality.EXACT for match in found.values())):
                    continue
                limits.check("the search")
                matches, all_seen = look(words, typed)
                for match in matches:
                    found.setdefault(match.iri, match)
                complete = complete and all_seen
        count = Count(len(found), CountKind.EXACT if complete else CountKind.AT_LEAST)
        return tuple(found.values())[:limit], count

    def named(self, text: str, limit: int, *, limits: Limits = NO_LIMITS) -> tuple[str, ...]:
        """The IRIs of resources with exactly this name, in any capitals; of very frequent words, among the first names.

        Args:
            limit: the maximum number of IRIs.
        """
        limits.check("the search")
        typed = " ".join(text.encode(errors="replace").decode().split()).casefold()
        with self._lock:
            words = self._words.tokens(typed)[:_MOST_TYPED]
            if not words or not all(map(self._words.has, words)):
                return ()
            rows, _ = self._rows(" AND ".join(any_of([word]) for word in words))
        return tuple(dict.fromkeys(iri for iri, name, _ in rows if name.casefold() == typed))[:limit]

    def _by_words(self, words: list[str], typed: str) -> tuple[list[LabelMatch], bool]:
        rows, all_seen = self._rows(" AND ".join(map(self._beginning, words)))
        if not all_seen:
            # Too many to rank: take the first ones and exact matches.
            rows += self._rows(" AND ".join(any_of([word]) for word in words))[0]
        ranked = []
        for iri, text, kind in rows:
            name = text.casefold()
            fit = (
                MatchQuality.EXACT
                if name == typed
                else MatchQuality.BEGINNING
                if name.startswith(typed)
                else MatchQuality.WORDS
            )
            # Words of the name count more than other words, and more if the name is short.
            named = all(word in name for word in words)
            ranked.append((fit, kind, not named, len(name.split()), len(text), iri, text))
        return [LabelMatch(iri, text, fit) for fit, *_, iri, text in sorted(ranked)], all_seen

    def _beginning(self, word: str) -> str:
        """The FTS5 expression for a prefix, expanded to its words if they are few, which is faster."""
        words = self._words.beginning_with(word, _MOST_WORDS + 1)
        return any_of(words) if 0 < len(words) <= _MOST_WORDS else any_of([word], begin=True)

    def _by_part(self, words: list[str], typed: str) -> tuple[list[LabelMatch], bool]:
        first, *others = words
        having = self._words.containing(first, _MOST_PARTS + 1)
        if not having:
            return [], True
        rows, all_seen = self._rows(" AND ".join((any_of(having[:_MOST_PARTS]), *map(self._beginning, others))))
        if others:
            rows = [row for row in rows if typed in row[1].casefold()]
        return _in_order(rows, MatchQuality.INSIDE), all_seen and len(having) <= _MOST_PARTS

    def _by_sign(self, words: list[str], typed: str) -> tuple[list[LabelMatch], bool]:
        """Search for text that is not indexed as a word: punctuation, and fewer than three letters."""
        pattern = "%" + re.sub(r"([%_\\])", r"\\\1", typed) + "%"
        last = self._database.execute("SELECT MAX(id) FROM resource").fetchone()[0] or 0
        # Labels and their resources have the same order, so that the first resources have the first labels.
        rows = self._database.execute(
            f"{_NAMED} WHERE label.rowid <= (SELECT name FROM resource WHERE id <= ? ORDER BY id DESC LIMIT 1) "
            "AND +resource.id <= ? "
            "AND (text LIKE ? ESCAPE '\\' OR iri LIKE ? ESCAPE '\\') LIMIT ?",
            (MOST_LOOKED_INTO, MOST_LOOKED_INTO, pattern, pattern, MOST_RANKED + 1),
        ).fetchall()
        all_seen = last <= MOST_LOOKED_INTO and len(rows) <= MOST_RANKED
        return _in_order(rows[:MOST_RANKED], MatchQuality.INSIDE), all_seen

    def _by_likeness(self, words: list[str], typed: str) -> tuple[list[LabelMatch], bool]:
        unknown = [word for word in words if not self._words.beginning_with(word, 1)]
        asked = (unknown or words)[:_MOST_MISTYPED]
        if len(unknown) > _MOST_MISTYPED:
            return [], False
        near = {word: self._words.near(word, _MOST_WORDS) for word in asked}
        choices = []
        for word in words:
            choice = [self._beginning(word)] if word not in unknown else []
            if word in near and near[word].words:
                choice.append(any_of(near[word].words, begin=near[word].begin))
            choices.append(" OR ".join(choice))
        if not all(choices):
            return [], True
        rows, all_seen = self._rows(" AND ".join(f"({choice})" for choice in choices))
        return _in_order(rows, MatchQuality.SIMILAR), all_seen and all(found.complete for found in near.values())

    def _rows(self, match: str) -> tuple[list[_Row], bool]:
        """The first names that match an FTS5 expression, and whether these are all."""
        rows = self._database.execute(f"{_NAMED} WHERE label MATCH ? LIMIT ?", (match, MOST_RANKED + 1)).fetchall()
        return rows[:MOST_RANKED], len(rows) <= MOST_RANKED

    def close(self) -> None:
        """Close the index."""
        with self._lock:
            self._give_back()


def _in_order(rows: Iterable[_Row], fit: MatchQuality) -> list[LabelMatch]:
    """Sort instances before classes and properties, short names before long ones."""
    ordered = sorted(rows, key=lambda row: (row[2], len(row[1]), row[0], row[1]))
    return [LabelMatch(iri, text, fit) for iri, text, _ in ordered]


def _digest(iri: str) -> int:
    """A hash of an IRI."""
    return zlib.crc32(iri.encode())
