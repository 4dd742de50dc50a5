"""The changes that a form makes, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.terms import Quad

LONGEST_IN_WORDS = 40
"""The maximum length of a value in the words for a change."""


@dataclass(frozen=True)
class FieldChange:
    """The change of one field.

    Args:
        added: values that the graph does not have yet, as they are shown.
        removed: values that it has and is to lose.
    """

    field: Field
    added: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def words(self) -> str:
        """The change for a person: `License: MIT → BSD`."""
        added, removed = (", ".join(map(_short, values)) for values in (self.added, self.removed))
        if added and removed:
            return f"{self.field.label}: {removed} → {added}"
        return f"{self.field.label}: {added}" if added else f"{self.field.label}: without {removed}"


@dataclass(frozen=True)
class ClassChange:
    """A class added or removed.

    Args:
        label: what people call the class.
        added: whether the resource gets it.
    """

    label: str
    added: bool

    @property
    def words(self) -> str:
        """The change for a person: `class Dataset added`."""
        return f"class {_short(self.label)} {'added' if self.added else 'removed'}"


@dataclass(frozen=True)
class LinkClass:
    """A class added to a linked resource to fix a finding.

    Args:
        statement: what is to be stated.
        words: what that does, for a person.
    """

    statement: Quad
    words: str


def summary_of(changes: Sequence[FieldChange | ClassChange | LinkClass], *, is_new: bool = False) -> str:
    """The changes in one line: `2 changes: License: MIT → BSD · Version: 2`."""
    if not changes:
        return "Nothing typed yet" if is_new else "No changes"
    words = " · ".join(change.words for change in changes)
    return f"{len(changes)} {'change' if len(changes) == 1 else 'changes'}: {words}"


def _short(text: str) -> str:
    return brief(" ".join(text.split()), LONGEST_IN_WORDS)
