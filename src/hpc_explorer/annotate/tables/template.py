"""IRI templates: `https://example.org/machine/{System ID}`, with the text of columns percent-encoded in their blanks.

All but letters, digits, `-`, `.`, `_` and `~` is encoded (RFC 6570, simple expansion), so what stands in a cell can
neither leave its place in the IRI nor end it. `{#}` is the number of the row, `{@file}` the name of the table's file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from hpc_explorer.errors import InvalidIri
from hpc_explorer.rdf.terms import NamedNode

ROW_NUMBER = "#"
"""The blank that stands for the number of the row."""

FILE_NAME = "@file"
"""The blank that stands for the name of the table's file, without its ending."""

_BLANK = re.compile(r"\{([^{}]*)\}")
# Scheme and host are the mapping's own: no cell can choose to whom an IRI belongs.
_START = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:(?://[^/?#]+[/?#].*|(?!//).+)\Z", re.DOTALL)
_WHOLE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:.+\Z", re.DOTALL)


@dataclass(frozen=True)
class Template:
    """An IRI with blanks.

    Args:
        text: as it is written.
        parts: the texts before, between and behind the blanks, one more than there are blanks.
        blanks: the columns that fill them; `#` for the number of the row, `@file` for the name of the file.
    """

    text: str
    parts: tuple[str, ...]
    blanks: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it takes."""
        return tuple(name for name in self.blanks if name not in (ROW_NUMBER, FILE_NAME))

    def renamed(self, names: Mapping[str, str]) -> Template:
        """The same template for columns that are called otherwise.

        Args:
            names: the new names of columns, by the old ones.
        """
        blanks = tuple(names.get(name, name) for name in self.blanks)
        text = self.parts[0] + "".join(f"{{{name}}}{part}" for name, part in zip(blanks, self.parts[1:], strict=True))
        return Template(text, self.parts, blanks) if blanks != self.blanks else self

    def fill(self, row: int, text_of: Callable[[str], str]) -> NamedNode:
        """The IRI for a row.

        Args:
            row: its number.
            text_of: the text of a column, or of `@file`, without the space around it.

        Raises:
            InvalidIri: a text is empty, no Unicode, or a step up a path.
        """
        made = [self.parts[0]]
        for name, after in zip(self.blanks, self.parts[1:], strict=True):
            text = str(row) if name == ROW_NUMBER else text_of(name)
            if not text:
                raise InvalidIri(f"no value in the column {name!r}, which the IRI needs", self.text)
            if "\0" in text:
                raise InvalidIri("a NUL character cannot stand in an IRI", self.text)
            if text in (".", ".."):
                # Readers take these for steps up and along the path (RFC 3986, section 5.2.4).
                raise InvalidIri("a step in a path cannot stand in an IRI", text)
            try:
                made += (quote(text, safe=""), after)
            except UnicodeEncodeError:
                raise InvalidIri("the text is no Unicode", repr(text)) from None
        try:
            return NamedNode("".join(made))
        except ValueError as error:
            raise InvalidIri(f"not a valid IRI ({error})", "".join(made)) from None


def parse_template(text: str) -> Template:
    """Read a template.

    Raises:
        InvalidIri: a brace is open or alone, a blank has no name, or the IRI's beginning is left to the table.
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
