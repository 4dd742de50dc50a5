"""Recognises plain JSON-LD documents, which the engine reads correctly and three times faster than they are expanded.

A document is plain if it has at most one context, at the top, whose terms are IRIs, and contains only nodes, values and
these terms. Anything else makes it not plain, so that unknown faults of the engine cannot affect other documents.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Any

from hpc_explorer.rdf.syntax.relative_iris import has_scheme

# Two function calls for each level.
_DEEPEST = 100

_TERM = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*\Z")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_\-]*\Z")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:(?!.*/\.)[A-Za-z0-9_~.\-/#?=&+,;:!$'()*@%]+\Z")
_RELATIVE = re.compile(r"(?!.*/\.)[A-Za-z0-9_#][A-Za-z0-9_~.\-/#?=&]*\Z")
_BLANK = re.compile(r"_:[A-Za-z0-9]+\Z")
_LANGUAGE = re.compile(r"[a-z]{1,8}(?:-[a-z0-9]{1,8})*\Z")


class _Kind(Enum):
    """The kinds of keys of a node."""

    ID = auto()
    TYPE = auto()
    PROPERTY = auto()
    LINK = auto()
    """A property whose strings are IRIs."""
    OTHER = auto()


class _NotPlain(Exception):
    """The document is not plain."""


def is_plain(document: Any, base: str) -> bool:
    """Whether a parsed document is plain."""
    if not has_scheme(base) or "/." in base:
        return False
    try:
        _check(document)
    except _NotPlain:
        return False
    return True


def _check(document: Any) -> None:
    if isinstance(document, list):
        terms, nodes = _Terms({}), document
    elif isinstance(document, dict):
        terms = _Terms(document.get("@context", {}))
        members = {key: member for key, member in document.items() if key != "@context"}
        nodes = members["@graph"] if members.keys() == {"@graph"} else [members]
    else:
        raise _NotPlain
    _must(isinstance(nodes, list))
    for node in nodes:
        _must(isinstance(node, dict))
        terms.check_node(node, 0)


def _must(holds: bool) -> None:
    if not holds:
        raise _NotPlain


class _Terms:
    """The terms of a context: IRIs, or aliases of `@id` and `@type`."""

    def __init__(self, context: Any) -> None:
        _must(isinstance(context, dict))
        self._vocab = "@vocab" in context
        self._kinds: dict[str, _Kind] = {"@id": _Kind.ID, "@type": _Kind.TYPE}
        self._prefixes = {
            term
            for term, iri in context.items()
            if isinstance(iri, str) and _TERM.match(term) and _IRI.match(iri) and iri.endswith(("/", "#"))
        }
        self._terms = context.keys()
        for term, definition in context.items():
            if term == "@vocab":
                _must(isinstance(definition, str) and _is_namespace(definition, self._terms))
            elif term != "@version" or definition != 1.1:
                _must(_TERM.match(term) is not None)
                self._kinds[term] = self._kind_of_term(definition)

    def _kind_of_term(self, definition: Any) -> _Kind:
        if definition == "@id":
            return _Kind.ID
        if definition == "@type":
            return _Kind.TYPE
        if isinstance(definition, dict):
            _must(definition.keys() <= {"@id", "@type"})
            kind = definition.get("@type", "urn:any")
            _must(kind == "@id" or self._is_iri(kind))
            _must(self._is_iri(definition["@id"]) if "@id" in definition else self._vocab)
            return _Kind.LINK if kind == "@id" else _Kind.PROPERTY
        _must(self._is_iri(definition))
        return _Kind.PROPERTY

    def _is_iri(self, text: Any) -> bool:
        """Whether a text is an IRI, or a prefix and a name."""
        if not isinstance(text, str) or _IRI.match(text) is None:
            return False
        prefix, _, name = text.partition(":")
        return not name.startswith("//") if prefix in self._prefixes else prefix not in self._terms

    def kind(self, key: str) -> _Kind:
        """The kind of a key, cached."""
        if key not in self._kinds:
            is_property = self._is_iri(key) if ":" in key else self._vocab and _NAME.match(key) is not None
            self._kinds[key] = _Kind.PROPERTY if is_property else _Kind.OTHER
        return self._kinds[key]

    def check_node(self, node: dict[str, Any], depth: int) -> None:
        """Check an object that is not a value.

        Raises:
            _NotPlain: it is not plain.
        """
        _must(bool(node) and depth < _DEEPEST)
        seen: set[_Kind] = set()
        for key, member in node.items():
            kind = self.kind(key)
            if kind is _Kind.ID:
                _must(kind not in seen and self._is_reference(member))
            elif kind is _Kind.TYPE:
                _must(kind not in seen and member != [])
                for one in member if isinstance(member, list) else [member]:
                    _must(isinstance(one, str) and self.kind(one) in (_Kind.PROPERTY, _Kind.LINK))
            elif kind is _Kind.OTHER:
                raise _NotPlain
            else:
                for one in member if isinstance(member, list) else [member]:
                    self._check_value(one, kind, depth)
                continue
            seen.add(kind)

    def _check_value(self, value: Any, kind: _Kind, depth: int) -> None:
        if isinstance(value, str):
            _must(kind is not _Kind.LINK or self._is_reference(value))
        elif not isinstance(value, dict):
            _must(isinstance(value, (bool, int, float)) and kind is not _Kind.LINK)
        elif "@value" not in value:
            self.check_node(value, depth + 1)
        elif len(value) == 1:
            _must(isinstance(value["@value"], (str, bool, int, float)))
        else:
            _must(len(value) == 2 and isinstance(value["@value"], str))
            if "@language" in value:
                _must(isinstance(value["@language"], str) and _LANGUAGE.match(value["@language"]) is not None)
            else:
                _must(isinstance(value.get("@type"), str) and self._is_iri(value["@type"]))

    def _is_reference(self, text: Any) -> bool:
        if not isinstance(text, str):
            return False
        if text.startswith("_:"):
            return _BLANK.match(text) is not None
        # The engine reads a string that is an alias of `@id` as the keyword.
        return self._is_iri(text) or (_RELATIVE.match(text) is not None and text not in self._terms)


def _is_namespace(iri: str, terms: Any) -> bool:
    return _IRI.match(iri) is not None and iri.endswith(("/", "#")) and iri.partition(":")[0] not in terms
