"""What became of a sentence: its readings, or the words that are not understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from hpc_explorer.language.chart import Lexeme
from hpc_explorer.language.expressions import Call
from hpc_explorer.language.word_meanings import WordMeaning
from hpc_explorer.language.words import SentenceToken, Spelling
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.rdf.terms import Variable
from hpc_explorer.wording import counted


class Status(Enum):
    """What became of a sentence."""

    UNDERSTOOD = "understood"
    AMBIGUOUS = "ambiguous"
    REFUSED = "refused"


@dataclass(frozen=True)
class Reading:
    """One way to understand a sentence.

    Args:
        sentence: what it means, in English.
        price: how far it strays from the words; less is better.
        lexemes: the role of each part.
        tags: its properties with their values.
        query: the query of a question.
        variable: the column of the query that holds the answer.
        expression: the workflow, or the question as an expression where it can be one.
        rows: the number of rows of a question; None if not counted.
        at_least: whether there may be more rows.
        left_out: phrases of the sentence that may say something, and were not read.
        made: the size of the table that a workflow makes, where it was looked at.
        suggestion: the sentence of a language model that has this reading; empty if the user's own sentence has it.
    """

    sentence: str
    price: float
    lexemes: tuple[Lexeme, ...] = ()
    tags: tuple[str, ...] = ()
    query: QueryModel | None = None
    variable: Variable | None = None
    expression: Call | None = None
    rows: int | None = None
    at_least: bool = False
    left_out: tuple[str, ...] = ()
    suggestion: str = ""
    made: str = ""

    @property
    def size(self) -> str:
        """The number of rows in words; of a workflow, what it makes if that was looked at."""
        if self.query is None:
            return self.made
        if self.rows is None:
            return "number of rows unknown"
        return f"{'at least ' if self.at_least else ''}{counted(self.rows, 'row')}"


@dataclass(frozen=True)
class UnknownWord:
    """A word that means nothing here, with similar words that do."""

    text: str
    start: int
    end: int
    near: tuple[str, ...] = ()


@dataclass(frozen=True)
class Interpretation:
    """What a sentence may mean.

    Args:
        readings: best first; several if `status` is ambiguous.
        unknown: the words that are not understood.
        corrected: words that were read as others.
        problem: why there is no reading, in a sentence.
        meanings: what its words may mean.
    """

    text: str
    tokens: tuple[SentenceToken, ...]
    status: Status
    readings: tuple[Reading, ...] = ()
    unknown: tuple[UnknownWord, ...] = ()
    corrected: tuple[Spelling, ...] = ()
    problem: str = ""
    meanings: tuple[WordMeaning, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about words that were read as others or not at all."""
        return self._noted(self.readings if self.status is Status.AMBIGUOUS else self.readings[:1])

    def notes_on(self, reading: Reading) -> tuple[str, ...]:
        """The notes on one of the readings."""
        return self._noted((reading,))

    def _noted(self, readings: Sequence[Reading]) -> tuple[str, ...]:
        left_out = dict.fromkeys(phrase for reading in readings for phrase in reading.left_out)
        return (
            *(f"“{one.written}” was read as “{one.read}”." for one in self.corrected),
            *(f"“{phrase}” was left out." for phrase in left_out),
        )
