"""The phrases of a sentence about a query: words that know the element or the variable of the query that they tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from hpc_explorer.query.model.places import Place
from hpc_explorer.rdf.terms import Variable


class PhraseKind(Enum):
    """What a phrase is."""

    JOINING = "joining"
    THING = "thing"
    CONDITION = "condition"
    COLUMN = "column"
    ORDER = "order"
    LOCKED = "locked"


@dataclass(frozen=True)
class Phrase:
    """A piece of the sentence.

    Args:
        text: its words, without space around them.
        variable: the variable that it names; None: none.
        place: the element that it tells; None: none.
    """

    text: str
    variable: Variable | None = None
    place: Place | None = None
    kind: PhraseKind = PhraseKind.JOINING

    @property
    def is_locked(self) -> bool:
        """Whether it is SPARQL that is kept as it was written."""
        return self.kind is PhraseKind.LOCKED


def phrases_text(phrases: Iterable[Phrase]) -> str:
    """The phrases as one text."""
    return "".join(phrase.text if phrase.text.startswith(";") else f" {phrase.text}" for phrase in phrases).strip()
