"""Finding resources by the words of their names: an SQLite FTS5 table beside the store.

A resource is found by the words of its labels, of its local name (CamelCase falls into words) and
of its identifiers, each word by its beginning; a text that begins no word is looked for inside names.
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
from pathlib import Path

from hpc_explorer.errors import StoreError
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits

_WORD = re.compile(r"\w+", re.UNICODE)

# Entries written between two looks at the cancel token.
_BATCH = 5_000

# The search for a text inside names stops here; the count then says "at least".
_MOST_SUBSTRINGS = 500

# It looks into as many names; where there are more, the count says so too.
_MOST_LOOKED_INTO = 100_000

# Of more matches than these only the first are ranked.
_MOST_RANKED = 5_000


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
    """The names of one graph, in memory or in a file. Safe to be asked from several threads.

    Args:
        entries: the names, those that people search for most first.
        file: where to keep them; None for memory. It must not be there yet.
    """

    def __init__(self, entries: Iterable[LabelEntry], file: Path | None = None, *, limits: Limits = NO_LIMITS) -> None:
        self._lock = threading.Lock()
        if file is not None and file.exists():
            raise FileExistsError(file)
        self._database = sqlite3.connect(file or ":memory:", check_same_thread=False)
        # Also an index whose building was cancelled gives back its memory.
        self._give_back = weakref.finalize(self, self._database.close)
        # Half a file is of no use to anybody, so nothing is spent on being able to roll back.
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute(
            "CREATE VIRTUAL TABLE label USING fts5(text, words, iri UNINDEXED, rank_of_kind UNINDEXED, "
            "tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4')"
        )
        # The rows of a resource, by a number made from its IRI: an index of the IRIs would be twice as large.
        self._rows = 0 if file is not None else None
        if file is not None:
            self._database.execute("CREATE TABLE place (resource INTEGER, label INTEGER)")
        batch: list[tuple[str, str, str, int]] = []
        for entry in entries:
            batch.append((entry.text, entry.words, entry.iri, entry.rank))
            if len(batch) == _BATCH:
                limits.check("building the label index")
                self._insert(batch)
                batch = []
        self._insert(batch)
        if file is not None:
            self._database.execute("CREATE INDEX place_of_resource ON place (resource)")
        self._database.commit()

    @classmethod
    def opened(cls, file: Path) -> LabelIndex:
        """The index kept in a file, to be searched only.

        Raises:
            StoreError: there is none.
        """
        index = cls.__new__(cls)
        index._lock = threading.Lock()
        try:
            index._database = sqlite3.connect(
                f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
            )
            index._give_back = weakref.finalize(index, index._database.close)
            index._database.execute("SELECT rowid FROM label LIMIT 1")
        except sqlite3.Error as error:
            raise StoreError(
                "the workspace's label index cannot be read", f"{file} ({error})", "load its sources anew"
            ) from None
        return index

    @classmethod
    def editable(cls, file: Path) -> LabelIndex:
        """The index kept in a file, to be searched and changed by one program.

        A change is not safe from a loss of power before the file is synchronised.

        Raises:
            StoreError: there is none, or it was made without places of its resources.
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
            index._rows = index._database.execute("SELECT MAX(label) FROM place").fetchone()[0] or 0
        except sqlite3.Error as error:
            raise StoreError(
                "the workspace's label index cannot be changed", f"{file} ({error})", "load its sources anew"
            ) from None
        return index

    def replace(self, iris: Iterable[str], entries: Iterable[LabelEntry]) -> None:
        """Give resources other names, all at once.

        Args:
            iris: the resources whose names go.
            entries: the names that come.

        Raises:
            StoreError: the file cannot be written.
        """
        with self._lock:
            try:
                self._database.execute("BEGIN")
                try:
                    for iri in iris:
                        self._remove(iri)
                    self._insert([(entry.text, entry.words, entry.iri, entry.rank) for entry in entries])
                    self._database.execute("COMMIT")
                except BaseException:
                    self._database.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise StoreError("the label index cannot be written", str(error), "check the free space") from None

    def copy_to(self, file: Path) -> None:
        """Write the index to another file, as it is now.

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
        found = self._database.execute(
            "SELECT place.label FROM place JOIN label ON label.rowid = place.label WHERE resource = ? AND iri = ?",
            (_number(iri), iri),
        ).fetchall()
        for row in found:
            self._database.execute("DELETE FROM label WHERE rowid = ?", row)
            self._database.execute("DELETE FROM place WHERE resource = ? AND label = ?", (_number(iri), *row))

    def _insert(self, batch: list[tuple[str, str, str, int]]) -> None:
        if self._rows is None:
            self._database.executemany("INSERT INTO label (text, words, iri, rank_of_kind) VALUES (?, ?, ?, ?)", batch)
            return
        first = self._rows + 1
        self._rows += len(batch)
        self._database.executemany(
            "INSERT INTO label (rowid, text, words, iri, rank_of_kind) VALUES (?, ?, ?, ?, ?)",
            ((row, *entry) for row, entry in enumerate(batch, first)),
        )
        self._database.executemany(
            "INSERT INTO place (resource, label) VALUES (?, ?)",
            ((_number(entry[2]), row) for row, entry in enumerate(batch, first)),
        )

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
                fitting, counted = self._database.execute(
                    "SELECT COUNT(*), COUNT(DISTINCT iri) FROM (SELECT iri FROM label WHERE label MATCH ? LIMIT ?)",
                    (_match(words), _MOST_RANKED),
                ).fetchone()
                return rows, Count(counted, CountKind.AT_LEAST if fitting == _MOST_RANKED else CountKind.EXACT)
            rows, all_seen = self._by_substring(text.strip())
        return rows[:limit], Count(len(rows), CountKind.EXACT if all_seen else CountKind.AT_LEAST)

    def _by_words(self, words: list[str], wanted: str, limit: int) -> tuple[LabelMatch, ...]:
        last = self._bound(_match(words))
        if last is None:
            return self._ranked(_match(words), wanted, limit, "bm25(label, 4.0, 1.0)")
        # Too many to rank, and relevance would be reckoned over all of them: of those that stand in front (people
        # search for them most), first what has just these words.
        exact = _match(words, prefix=False)
        just = self._ranked(exact, wanted, limit, "0", self._bound(exact))
        others = self._ranked(_match(words), wanted, limit, "0", last)
        return _distinct((match.iri, match.text) for match in (*just, *others))[:limit]

    def _bound(self, match: str) -> int | None:
        """The row at which there are as many matches as are ranked; None if there are fewer."""
        row = self._database.execute(
            "SELECT rowid FROM label WHERE label MATCH ? LIMIT 1 OFFSET ?", (match, _MOST_RANKED - 1)
        ).fetchone()
        return None if row is None else int(row[0])

    def _ranked(
        self, match: str, wanted: str, limit: int, relevance: str, last: int | None = None
    ) -> tuple[LabelMatch, ...]:
        # A name that is the text, then one that begins with it, then by relevance (bm25, names before
        # further words) and shortness. Of several names of one resource the best stays.
        rows = self._database.execute(
            f"SELECT iri, text FROM (SELECT iri, text, {relevance} AS relevance, rank_of_kind AS kind "
            f"FROM label WHERE label MATCH ? {'' if last is None else 'AND rowid <= ?'}) "
            "ORDER BY lower(text) = ? DESC, substr(lower(text), 1, ?) = ? DESC, kind, relevance, length(text), iri "
            "LIMIT ?",
            (match, *(() if last is None else (last,)), wanted, len(wanted), wanted, 4 * limit),
        )
        return _distinct(rows)[:limit]

    def _by_substring(self, text: str) -> tuple[tuple[LabelMatch, ...], bool]:
        """What has the text inside, and whether all names were looked through."""
        pattern = "%" + re.sub(r"([%_\\])", r"\\\1", text) + "%"
        last = self._database.execute("SELECT MAX(rowid) FROM label").fetchone()[0] or 0
        rows = self._database.execute(
            "SELECT iri, text FROM label WHERE rowid <= ? AND (text LIKE ? ESCAPE '\\' OR iri LIKE ? ESCAPE '\\') "
            "ORDER BY rank_of_kind, length(text), iri LIMIT ?",
            (_MOST_LOOKED_INTO, pattern, pattern, _MOST_SUBSTRINGS),
        ).fetchall()
        return _distinct(rows), last <= _MOST_LOOKED_INTO and len(rows) < _MOST_SUBSTRINGS

    def close(self) -> None:
        """Give back the memory or the file."""
        with self._lock:
            self._give_back()


def _number(iri: str) -> int:
    """A number that few resources share."""
    return zlib.crc32(iri.encode())


def _match(words: list[str], *, prefix: bool = True) -> str:
    """The FTS5 expression for "every word, by its beginning"; or for just these words."""
    return " AND ".join(f'"{word}"{"*" * prefix}' for word in words)


def _distinct(rows: Iterable[tuple[str, str]]) -> tuple[LabelMatch, ...]:
    best: dict[str, LabelMatch] = {}
    for iri, text in rows:
        best.setdefault(iri, LabelMatch(iri, text))
    return tuple(best.values())
