"""The words of a label index, with a search for similarly spelled words.

A sorted table and a trigram index of the words are created with the label index. Words with *one* typing error are
found by trying all spellings it could come from (P. Norvig, "How to write a spelling corrector", 2007). With *two*
errors, one third of a word is still intact, so only words with one of these parts are compared.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from hpc_explorer.stores.base import NO_LIMITS, Limits

TOKENIZER = "unicode61 remove_diacritics 2"
"""What takes a text apart into words, for SQLite: small letters, and Latin ones without accents."""

# Minimum lengths of a word for one and two errors; shorter ones would match nearly anything.
_ONE_FROM, _TWO_FROM = 3, 7

# Minimum length of a prefix with one error.
_BEGINNING_FROM = 5

# Maximum length of a word.
_LONGEST = 40

# Maximum number of candidates compared with a mistyped word.
_MOST_COMPARED = 5_000

# Maximum number of letters tried in place of a mistyped one.
_MOST_LETTERS = 64

# Words written between two checks for cancellation.
_BATCH = 50_000

_LAST = chr(0x10FFFF)


@dataclass(frozen=True)
class SimilarWords:
    """Candidates for a mistyped word.

    Args:
        words: words of the vocabulary, or prefixes of them.
        begin: whether they are prefixes.
        complete: whether these are all.
    """

    words: tuple[str, ...]
    begin: bool = False
    complete: bool = True


class Vocabulary:
    """The vocabulary of an FTS5 table named `label`, stored in the same database.

    Args:
        database: the vocabulary is created if it is missing.
        writable: whether it may be stored there; otherwise temporary tables are used.

    Raises:
        Cancelled, DeadlineExceeded: by `limits`; the vocabulary is incomplete.
    """

    def __init__(self, database: sqlite3.Connection, *, writable: bool = True, limits: Limits = NO_LIMITS) -> None:
        self._database = database
        # The temporary store cannot be changed within a transaction.
        database.commit()
        database.execute("PRAGMA temp_store = MEMORY")
        drawn = database.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'word_letters'").fetchone()
        if drawn is None:
            self._draw("main" if writable else "temp", limits)
        database.execute(f"CREATE VIRTUAL TABLE temp.typed USING fts5(text, tokenize = '{TOKENIZER}')")
        database.execute("CREATE VIRTUAL TABLE temp.typed_word USING fts5vocab(temp, typed, instance)")
        self._letters = str(database.execute("SELECT letters FROM word_letters").fetchone()[0])

    def _draw(self, schema: str, limits: Limits) -> None:
        run = self._database.execute
        run("CREATE VIRTUAL TABLE temp.term USING fts5vocab(main, label, row)")
        run(f"CREATE TABLE {schema}.word (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        run(f"INSERT INTO {schema}.word (text) SELECT term FROM temp.term ORDER BY term")
        run(f"CREATE INDEX {schema}.word_by_text ON word (text)")
        run(
            f"CREATE VIRTUAL TABLE {schema}.word_part USING fts5(text, content = '', detail = none, "
            "tokenize = 'trigram case_sensitive 1')"
        )
        number = run(f"SELECT COUNT(*) FROM {schema}.word").fetchone()[0]
        for first in range(1, number + 1, _BATCH):
            limits.check("building the label index")
            run(
                f"INSERT INTO {schema}.word_part (rowid, text) SELECT id, text FROM {schema}.word "
                "WHERE id BETWEEN ? AND ? AND length(text) > 2",
                (first, first + _BATCH - 1),
            )
        letters: set[str] = set()
        for (text,) in run(f"SELECT text FROM {schema}.word"):
            letters.update(text)
        run(f"CREATE TABLE {schema}.word_letters (letters TEXT NOT NULL)")
        run(f"INSERT INTO {schema}.word_letters VALUES (?)", ("".join(sorted(letters)),))
        run("DROP TABLE temp.term")

    def tokens(self, text: str) -> list[str]:
        """Split a text into words as the index does."""
        run = self._database.execute
        run("INSERT INTO temp.typed VALUES (?)", (text,))
        words = [str(word) for (word,) in run("SELECT term FROM temp.typed_word ORDER BY offset")]
        run("DELETE FROM temp.typed")
        self._database.commit()
        return words

    def learn(self, words: Collection[str]) -> None:
        """Add words from `tokens`. Words that no name has any more remain, without effect.

        Call it within a transaction, for a writable index.
        """
        run = self._database.execute
        for word in words:
            if not self.has(word):
                row = run("INSERT INTO word (text) VALUES (?)", (word,)).lastrowid
                if len(word) > 2:
                    run("INSERT INTO word_part (rowid, text) VALUES (?, ?)", (row, word))
        letters = "".join(sorted(set(self._letters).union(*words)))
        if letters != self._letters:
            run("UPDATE word_letters SET letters = ?", (letters,))
            self._letters = letters

    def has(self, word: str) -> bool:
        """Whether it is one of the words."""
        return self._database.execute("SELECT 1 FROM word WHERE text = ?", (word,)).fetchone() is not None

    def beginning_with(self, beginning: str, most: int) -> tuple[str, ...]:
        """The first words with this prefix, in alphabetical order."""
        rows = self._database.execute(
            "SELECT text FROM word WHERE text >= ? AND text < ? LIMIT ?", (beginning, beginning + _LAST, most)
        )
        return tuple(text for (text,) in rows)

    def containing(self, part: str, most: int) -> tuple[str, ...]:
        """Words that contain this text of at least three letters."""
        if len(part) < 3:
            return ()
        rows = self._database.execute(
            "SELECT word.text FROM word_part JOIN word ON word.id = word_part.rowid "
            "WHERE word_part MATCH ? AND instr(word.text, ?) LIMIT ?",
            (_trigrams(part), part, most),
        )
        return tuple(text for (text,) in rows)

    def near(self, word: str, most: int) -> SimilarWords:
        """The words with the fewest errors: a letter too many, missing or replaced, or two swapped.

        One error is allowed from three letters on and two from seven on (all of them from nine on); one in words with
        digits, none in numbers. Prefixes are tried if no whole word is similar.
        """
        length = len(word)
        if not _ONE_FROM <= length <= _LONGEST or word.isdecimal():
            return SimilarWords(())
        letters = self._letters_beside(word)
        spellings = json.dumps(sorted(set(_one_slip(word, letters[:_MOST_LETTERS]))))
        whole = self._among("EXISTS (SELECT 1 FROM word WHERE text = value)", spellings, most)
        if len(letters) > _MOST_LETTERS:
            whole = replace(whole, complete=False)
        if whole.words or length < _BEGINNING_FROM:
            return whole
        begun = self._among(
            f"EXISTS (SELECT 1 FROM word WHERE text >= value AND text < value || char({ord(_LAST)}))", spellings, most
        )
        if begun.words or length < _TWO_FROM or any(map(str.isdecimal, word)):
            return SimilarWords(begun.words, True, begun.complete and whole.complete)
        return self._two_slips(word, most)

    def _among(self, condition: str, spellings: str, most: int) -> SimilarWords:
        rows = self._database.execute(
            f"SELECT value FROM json_each(?) WHERE {condition} LIMIT ?", (spellings, most + 1)
        ).fetchall()
        return SimilarWords(tuple(text for (text,) in rows[:most]), complete=len(rows) <= most)

    def _letters_beside(self, word: str) -> str:
        """The letters to try: those of the vocabulary in the scripts of this word, and digits."""
        blocks = {ord(letter) >> 8 for letter in word} | {0}
        return "".join(letter for letter in self._letters if ord(letter) >> 8 in blocks)

    def _two_slips(self, word: str, most: int) -> SimilarWords:
        # The trigram index needs three letters.
        parts = [(at, part) for at, part in _parts(word) if len(part) >= 3]
        rows = self._database.execute(
            "SELECT word.text FROM word_part JOIN word ON word.id = word_part.rowid "
            "WHERE word_part MATCH ? AND length(word.text) >= ? LIMIT ?",
            (" OR ".join(f"({_trigrams(part)})" for _, part in parts), len(word) - 2, _MOST_COMPARED),
        ).fetchall()
        letters = set(word)
        compared = [
            (*distances(word, text, 2), text)
            for (text,) in rows
            if len(letters.difference(text)) <= 2
            and any(text.find(part, max(0, at - 2), at + 2 + len(part)) >= 0 for at, part in parts)
        ]
        complete = len(rows) < _MOST_COMPARED and len(word) >= 9
        for measure in (0, 1):
            fitting = sorted(found[2] for found in compared if found[measure] <= 2)
            if fitting:
                return SimilarWords(tuple(fitting[:most]), complete=complete and len(fitting) <= most)
        return SimilarWords((), complete=complete)


def _trigrams(part: str) -> str:
    return " AND ".join(f'"{part[at : at + 3]}"' for at in range(len(part) - 2))


def _one_slip(word: str, letters: str) -> Iterator[str]:
    """All spellings with one error."""
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        for letter in letters:
            yield before + letter + after
            if after:
                yield before + letter + after[1:]


def _parts(word: str) -> Iterator[tuple[int, str]]:
    """The positions and parts of a word that two errors can leave intact: a third of it, or what two swapped letters
    join.
    """
    one, two = len(word) // 3, 2 * len(word) // 3

    def swapped(text: str, at: int) -> str:
        return text[: at - 1] + text[at] + text[at - 1] + text[at + 1 :]

    yield 0, word[:one]
    yield one, word[one:two]
    yield two, word[two:]
    yield 0, swapped(word, one)[:two]
    yield one, swapped(word, two)[one:]
    yield 0, swapped(swapped(word, one), two)


def distances(typed: str, word: str, most: int) -> tuple[int, int]:
    """The number of errors between the typed text and a word, and between it and the nearest prefix of the word.

    An error is a letter too many, missing or replaced, or two neighbours swapped ("optimal string alignment").

    Args:
        most: larger numbers are returned as `most + 1`.
    """
    far = most + 1
    width = min(len(word), len(typed) + most)
    before: list[int] = []
    row = list(range(width + 1))
    for number, letter in enumerate(typed, 1):
        older, before, row = before, row, [far] * (width + 1)
        row[0] = number
        for column in range(max(1, number - most), min(width, number + most) + 1):
            least = before[column - 1] if letter == word[column - 1] else before[column - 1] + 1
            if before[column] < least:
                least = before[column] + 1
            if row[column - 1] < least:
                least = row[column - 1] + 1
            if number > 1 and column > 1 and letter == word[column - 2] and typed[number - 2] == word[column - 1]:
                least = min(least, older[column - 2] + 1)
            row[column] = least
        if min(row) > most:
            return far, far
    return (min(row[-1], far) if width == len(word) else far), min(row)


def any_of(words: Iterable[str], *, begin: bool = False) -> str:
    """The FTS5 expression for any of these words or prefixes."""
    return "(" + " OR ".join(f'"{word}"{"*" * begin}' for word in words) + ")"
