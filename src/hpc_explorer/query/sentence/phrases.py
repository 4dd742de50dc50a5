"""The phrases of a sentence about a query; each knows the element or variable that it describes."""

from __future__ import annotations

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
        variable: the variable that it names, if any.
        place: the element that it describes, if any.
    """

    text: str
    variable: Variable | None = None
    place: Place | None = None
    kind: PhraseKind = PhraseKind.JOINING

    @property
    def is_locked(self) -> bool:
        """Whether it is SPARQL kept as written."""
        return self.kind is PhraseKind.LOCKED
