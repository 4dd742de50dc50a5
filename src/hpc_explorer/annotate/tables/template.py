"""IRI templates such as `https://example.org/machine/{System ID}`, filled with percent-encoded cells.

All but letters, digits, `-`, `.`, `_` and `~` is encoded (RFC 6570, simple expansion), so a cell cannot change the rest
of the IRI. `{#}` is the row number, `{@file}` the name of the table's file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from hpc_explorer.errors import InvalidIri
from hpc_explorer.rdf.terms import NamedNode

ROW_NUMBER = "#"
"""The placeholder of the row number."""

FILE_NAME = "@file"
"""The placeholder of the table's file name without extension."""

_BLANK = re.compile(r"\{([^{}]*)\}")
# Scheme and host must be fixed: a cell must not choose the owner of an IRI.
_START = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:(?://[^/?#]+[/?#].*|(?!//).+)\Z", re.DOTALL)
_WHOLE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:.+\Z", re.DOTALL)


@dataclass(frozen=True)
class Template:
    """An IRI with placeholders.

    Args:
        text: the template as written.
        parts: the texts around the placeholders, one more than these.
        blanks: the columns of the placeholders; `#` for the row number, `@file` for the file name.
    """

    text: str
    parts: tuple[str, ...]
    blanks: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it uses."""
        return tuple(name for name in self.blanks if name not in (ROW_NUMBER, FILE_NAME))

    def renamed(self, names: Mapping[str, str]) -> Template:
        """The template with renamed columns.

        Args:
            names: new names by old name.
        """
        blanks = tuple(names.get(name, name) for name in self.blanks)
        text = self.parts[0] + "".join(f"{{{name}}}{part}" for name, part in zip(blanks, self.parts[1:], strict=True))
        return Template(text, self.parts, blanks) if blanks != self.blanks else self

    def fill(self, row: int, text_of: Callable[[str], str]) -> NamedNode:
        """The IRI of a row.

        Args:
            row: the row number.
            text_of: returns the text of a column or `@file`, without surrounding whitespace.

        Raises:
            InvalidIri: a text is empty, invalid Unicode, or a dot segment.
        """
        made = [self.parts[0]]
        for name, after in zip(self.blanks, self.parts[1:], strict=True):
            text = str(row) if name == ROW_NUMBER else text_of(name)
            if not text:
                raise InvalidIri(f"no value in the column {name!r}, which the IRI needs", self.text)
            if "\0" in text:
                raise InvalidIri("an IRI cannot contain a NUL character", self.text)
            if text in (".", ".."):
                # Dot segments change the path (RFC 3986, section 5.2.4).
                raise InvalidIri("an IRI cannot contain a dot segment", text)
            try:
                made += (quote(text, safe=""), after)
            except UnicodeEncodeError:
                raise InvalidIri("the text is not valid Unicode", repr(text)) from None
        try:
            return NamedNode("".join(made))
        except ValueError as error:
            raise InvalidIri(f"not a valid IRI ({error})", "".join(made)) from None


def parse_template(text: str) -> Template:
    """Parse a template.

    Raises:
        InvalidIri: unbalanced braces, an unnamed placeholder, or a variable scheme or host.
    """
    pieces = _BLANK.split(text)
    parts, blanks = tuple(pieces[::2]), tuple(name.strip() for name in pieces[1::2])
    if any("{" in part or "}" in part for part in parts) or "" in blanks:
        raise InvalidIri("not an IRI template", text, "each blank is the name of a column in braces")
    if not (_START if blanks else _WHOLE).match(parts[0]):
        raise InvalidIri(
            "an IRI template begins with a whole IRI", text, "write https://…/ before the first blank, or a prefix"
        )
    template = Template(text, parts, blanks)
    template.fill(1, lambda _: "x")
    return template
