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
    """A piece of the sentence."""

    text: str  # its words, without space around them
    variable: Variable | None = None
    place: Place | None = None  # the element that it describes, if any
    kind: PhraseKind = PhraseKind.JOINING

    @property
    def is_locked(self) -> bool:
        """Whether it is SPARQL kept as written."""
        return self.kind is PhraseKind.LOCKED
