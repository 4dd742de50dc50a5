"""The spelling of completions: names of terms and surrounding space."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hpc_explorer.query.completion.cursor_context import CursorContext
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.sparql_tokens import TokenKind

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
