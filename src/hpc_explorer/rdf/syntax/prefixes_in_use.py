"""Prefixed names for a document that is being written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_NAME = re.compile(r"[A-Za-z](?:[A-Za-z0-9_.\-]*[A-Za-z0-9_\-])?\Z")
_LOCAL = re.compile(r"\w(?:[\w.\-]*[\w\-])?\Z")
_DELIMITERS = "#/:?"


class Shortener:
    """Makes prefixed names and records the used prefixes.

    Only names that are valid in every syntax: namespaces end with `#`, `/`, `:` or `?`, and local names are one word.

    Args:
        prefixes: prefix to namespace; the first prefix of a namespace is used.
        without: prefixes that must not be used.
    """

    def __init__(self, prefixes: Mapping[str, str], without: Iterable[str] = ()) -> None:
        excluded = set(without)
        self._prefixes: dict[str, str] = {}
        for prefix, namespace in prefixes.items():
            if _NAME.match(prefix) and prefix not in excluded and namespace and namespace[-1] in _DELIMITERS:
                self._prefixes.setdefault(namespace, prefix)
        self._known: dict[str, str] = {}
        self._used: set[str] = set()

    def short(self, iri: str) -> str:
        """The prefixed name of an IRI, or the IRI if no prefix fits."""
        found = self._known.get(iri)
        if found is None:
            found = self._known[iri] = self._shortened(iri)
        return found

    @property
    def used(self) -> dict[str, str]:
        """The used prefixes in alphabetical order."""
        return {
            prefix: namespace
            for prefix, namespace in sorted((prefix, namespace) for namespace, prefix in self._prefixes.items())
            if prefix in self._used
        }

    def _shortened(self, iri: str) -> str:
        end = max(iri.rfind(delimiter) for delimiter in _DELIMITERS) + 1
        prefix = self._prefixes.get(iri[:end])
        if prefix is None or not _LOCAL.match(iri, end):
            return iri
        self._used.add(prefix)
        return f"{prefix}:{iri[end:]}"
