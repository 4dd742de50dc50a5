"""Repair of IRIs with invalid characters, as in `{"@id": "my file.txt"}`.

JSON-LD 1.1 (API, section 8.2) silently drops every triple with such an IRI. Here the characters are percent-encoded, as
RO-Crate and browsers do, and a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from hpc_explorer.rdf.terms import GraphName, Literal, NamedNode, Quad, Term, Triple
from hpc_explorer.wording import counted

_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*\Z")


class IriRepair:
    """Repairs terms of unchecked quads and counts the repairs."""

    def __init__(self) -> None:
        self._repaired: dict[str, NamedNode | None] = {}
        self._changed: dict[str, str] = {}
        self._dropped = 0
        self._without_language = 0

    def quads(self, quads: Iterable[Quad]) -> Iterator[Quad]:
        """The quads with valid IRIs; quads that cannot be repaired are left out and counted."""
        for quad in quads:
            if all(self._is_proper(term) for term in quad):
                yield quad
                continue
            repaired = [self._term(term) for term in quad]
            if None in repaired:
                self._dropped += 1
            else:
                yield Quad(*repaired)  # type: ignore[arg-type]  # each term keeps its kind

    def notes(self) -> list[str]:
        """The repairs, one sentence each; empty if there were none."""
        notes = []
        if self._changed:
            old, new = next(iter(self._changed.items()))
            number = counted(len(self._changed), "IRI")
            notes.append(f"{number} with invalid characters, now percent-encoded: {old} is {new}")
        if self._without_language:
            notes.append(f"{self._without_language:,} texts with an invalid language tag, which was removed")
        if self._dropped:
            notes.append(f"{self._dropped:,} statements left out: their IRIs are invalid")
        return notes

    def _is_proper(self, term: Term | Triple | GraphName) -> bool:
        if isinstance(term, NamedNode):
            value = term.value
            if value not in self._repaired:
                self._repaired[value] = self._iri(value)
            found = self._repaired[value]
            return found is not None and found.value == value
        if isinstance(term, Literal):
            language = term.language
            if language is not None:
                return _LANGUAGE.match(language) is not None
            return self._is_proper(term.datatype)
        return True

    def _term(self, term: Term | Triple | GraphName) -> Term | Triple | GraphName | None:
        if self._is_proper(term):
            return term
        if isinstance(term, NamedNode):
            return self._repaired[term.value]
        if isinstance(term, Literal):
            if term.language is not None:
                self._without_language += 1
                return Literal(term.value)
            datatype = self._repaired[term.datatype.value]
            return None if datatype is None else Literal(term.value, datatype=datatype)
        return term

    def _iri(self, value: str) -> NamedNode | None:
        for repaired in _repairs(value):
            try:
                node = NamedNode(repaired)
            except ValueError:
                continue
            if repaired != value:
                self._changed[value] = repaired
            return node
        return None


_NOWHERE = re.compile(r"[\x00-\x20<>\"{}|^`\\\x7f-\x9f\ue000-\uf8ff]")
_ELSEWHERE = re.compile(r"[\[\]#]|%(?![0-9A-Fa-f]{2})")
_NO_PORT = re.compile(r"(\A[A-Za-z][A-Za-z0-9+.\-]*://[^/?#:@]*):(?!\d*(?:[/?#]|\Z))")


def _repairs(value: str) -> Iterator[str]:
    """Candidates for an IRI: unchanged; invalid characters encoded; misplaced characters encoded too.

    Misplaced are brackets, number signs, percent signs, and a colon without a port: `docker://bash:5.2.15`.
    """
    yield value
    value = _percent_encoded(_NOWHERE, value)
    yield value
    address, number_sign, fragment = _NO_PORT.sub(r"\1%3A", value).partition("#")
    yield _percent_encoded(_ELSEWHERE, address) + number_sign + _percent_encoded(_ELSEWHERE, fragment)


def _percent_encoded(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda found: quote(found[0], safe=""), text)
