"""The partial token at a cursor, and how well terms match it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hpc_explorer.query.completion.cursor_context import CursorContext
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.sparql_tokens import TokenKind

NO_FIT = 9
"""The rank of a name that does not match; 0 is the best match."""

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class TypedToken:
    """The partial token at a cursor.

    Args:
        token: its text.
        is_iri, is_string, is_variable: its kind; none of them for a name or keyword.
        prefix: before the colon of a name; None if there is none.
        namespace: of that prefix; None if it is unknown.
        text: the search text in lower case: a name without prefix, a string without quotes.
        words: its words.
    """

    token: str
    is_iri: bool
    is_string: bool
    is_variable: bool
    prefix: str | None
    namespace: str | None
    text: str
    words: tuple[str, ...]

    def fits(self, sought: str, iri: str) -> int:
        """How well a term matches, by its words in lower case and its IRI."""
        if self.is_iri:
            return 0 if iri and f"<{iri}".casefold().startswith(self.token.rstrip(">").casefold()) else NO_FIT
        if self.prefix is not None:
            if self.namespace is None or not iri.startswith(self.namespace):
                return NO_FIT
            if iri[len(self.namespace) :].casefold().startswith(self.text):
                return 0
        return self.fits_words(sought)

    def fits_words(self, sought: str) -> int:
        """How well something matches by its words in lower case."""
        if sought.startswith(self.text):
            return 0
        if all(f" {word}" in sought or sought.startswith(word) for word in self.words):
            return 1
        if all(word in sought for word in self.words):
            return 2
        return NO_FIT


def typed_token(token: str, declared: Mapping[str, str], known: Mapping[str, str]) -> TypedToken:
    """Parse a partial token.

    Args:
        declared: the declared prefixes.
        known: prefixes that can be declared.
    """
    is_iri, is_string, is_variable = token[:1] == "<", token[:1] in {"'", '"'}, token[:1] in {"?", "$"}
    prefix, text = None, token
    if ":" in token and not (is_iri or is_string or is_variable):
        prefix, _, text = token.partition(":")
    namespace = declared.get(prefix, known.get(prefix)) if prefix is not None else None
    text = text.strip("\"'").casefold()
    return TypedToken(token, is_iri, is_string, is_variable, prefix, namespace, text, tuple(_WORD.findall(text)))


_PREFIX = re.compile(r"(?:[^\W\d_](?:[\w\-]*\w)?)?\Z")
_IRI = re.compile(r"[^<>\"{}|^`\\\x00-\x20]+\Z")
_GLUES = re.compile(r"[\w:%\\\-\u00B7\u203F\u2040@(\"'^<]|\.[\w:%\\]")


class TermNames:
    """The names of terms in a text.

    Args:
        declared: the prefixes that it declares.
        known: those that can be declared.
    """

    def __init__(self, declared: Mapping[str, str], known: PrefixMap) -> None:
        self._declared = declared
        self._own = PrefixMap(dict(declared))
        self._known = known

    def of(self, iri: str) -> tuple[str, tuple[tuple[str, str], ...]]:
        """The name of a term, and the prefix to declare for it."""
        own = self._own.curie(iri)
        if own is not None and own.partition(":")[0] in self._declared:
            return own, ()
        name = self._known.curie(iri)
        if name is None:
            return f"<{iri}>", ()
        prefix = name.partition(":")[0]
        if prefix in self._declared or not is_prefix(prefix) or not is_iri(self._known[prefix]):
            return f"<{iri}>", ()
        return name, ((prefix, self._known[prefix]),)


def is_prefix(text: str) -> bool:
    """Whether it is a valid prefix."""
    return _PREFIX.match(text) is not None


def is_iri(text: str) -> bool:
    """Whether it is a valid IRI in angle brackets."""
    return _IRI.match(text) is not None


def padding(text: str, at: CursorContext) -> tuple[str, str]:
    """The space needed around a completion to keep it apart from adjacent tokens."""
    before, after = at.before, at.after
    glued_left = before is not None and before.end == at.start
    left = (
        " "
        if glued_left and before is not None and (before.kind is TokenKind.UNKNOWN or before.text in ("<", "?"))
        else ""
    )
    right = " " if _GLUES.match(text, at.end) and not (after is not None and after.text == "(") else ""
    return left, right
