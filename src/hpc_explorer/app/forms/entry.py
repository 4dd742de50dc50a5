"""One value of a field as somebody types it: a text, with the kind and the language that it is to have.

It stays text until it is read; so nothing is lost that is wrong or not finished yet.
"""

from __future__ import annotations

from dataclasses import dataclass

from hpc_explorer.annotate.forms.entries import check_value, entry_text, read_entry
from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.annotate.forms.values import Value
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.terms import Literal


@dataclass(frozen=True)
class Entry:
    """One value of a field as it is typed.

    Args:
        text: what is typed; blank: no value.
        kind: what the value is to be.
        language: the language chosen beside a text; empty: none.
        before: the value of the graph that it takes the place of; None for one more.
    """

    text: str
    kind: ValueKind
    language: str = ""
    before: Value | None = None

    @property
    def is_blank(self) -> bool:
        """Whether nothing is typed."""
        return not self.text.strip()

    @property
    def is_as_before(self) -> bool:
        """Whether it equals the value in the graph."""
        return (
            self.before is not None
            and self.text == entry_text(self.before)
            and self.language == language_of(self.before)
        )

    def read(self, of: Field, prefixes: PrefixMap | None = None) -> Value | None:
        """The value; None if nothing is typed.

        Raises:
            WrongEntry: there is none for what is typed.
        """
        if self.is_as_before:
            return self.before  # "1" for yes, say, keeps its spelling
        if self.is_blank:
            return None
        value = read_entry(self.text, self.kind, language=self.language, prefixes=prefixes, before=self.before)
        check_value(of, value)
        return value


def entries_of_values(of: Field) -> tuple[Entry, ...]:
    """The entries for the values of a field."""
    return tuple(
        Entry(entry_text(value), of.kind_of(value), language_of(value), value)
        for value in sorted(of.values, key=entry_text)
    )


def blank_entry(of: Field) -> Entry:
    """An empty entry of a field."""
    kind = of.kinds[0]
    language = of.languages[0] if of.languages else "en" if kind.widget is Widget.LANGUAGE_TEXT else ""
    return Entry("", kind, language if kind.widget is Widget.LANGUAGE_TEXT else "")


def language_of(value: Value) -> str:
    """The language of a text, or empty."""
    return (value.language or "") if isinstance(value, Literal) else ""
