"""IRIs with characters that IRIs may not have, as people write them into JSON: `{"@id": "my file.txt"}`.

By the letter of JSON-LD 1.1 (API, section 8.2) every triple with such an IRI is dropped without a word. Here
the characters are percent-encoded, as RO-Crate and browsers have it, and the person is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from hpc_explorer.rdf.terms import GraphName, Literal, NamedNode, Quad, Term, Triple
from hpc_explorer.wording import counted

_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*\Z")


class IriRepair:
    """Mends the terms of quads that the engine did not check, and keeps count."""

    def __init__(self) -> None:
        self._mended: dict[str, NamedNode | None] = {}
        self._changed: dict[str, str] = {}
        self._dropped = 0
        self._without_language = 0

    def quads(self, quads: Iterable[Quad]) -> Iterator[Quad]:
        """The quads with proper IRIs; those whose IRIs cannot be mended are left out, and counted."""
        for quad in quads:
            if all(self._is_proper(term) for term in quad):
                yield quad
                continue
            mended = [self._term(term) for term in quad]
            if None in mended:
                self._dropped += 1
            else:
                yield Quad(*mended)  # type: ignore[arg-type]  # each term keeps its kind

    def notes(self) -> list[str]:
        """What was done, one sentence each; empty where all was in order."""
        notes = []
        if self._changed:
            old, new = next(iter(self._changed.items()))
            number = counted(len(self._changed), "IRI")
            notes.append(f"{number} with characters that IRIs may not have, now percent-encoded: {old} is {new}")
        if self._without_language:
            notes.append(f"{self._without_language:,} texts with a language tag that is none, now without")
        if self._dropped:
            notes.append(f"{self._dropped:,} statements left out: their IRIs are none, even percent-encoded")
        return notes

    def _is_proper(self, term: Term | Triple | GraphName) -> bool:
        if isinstance(term, NamedNode):
            value = term.value
            if value not in self._mended:
                self._mended[value] = self._iri(value)
            found = self._mended[value]
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
            return self._mended[term.value]
        if isinstance(term, Literal):
            if term.language is not None:
                self._without_language += 1
                return Literal(term.value)
            datatype = self._mended[term.datatype.value]
            return None if datatype is None else Literal(term.value, datatype=datatype)
        return term

    def _iri(self, value: str) -> NamedNode | None:
        for mended in _mendings(value):
            try:
                node = NamedNode(mended)
            except ValueError:
                continue
            if mended != value:
                self._changed[value] = mended
            return node
        return None


_NOWHERE = re.compile(r"[\x00-\x20<>\"{}|^`\\\x7f-\x9f\ue000-\uf8ff]")
_ELSEWHERE = re.compile(r"[\[\]#]|%(?![0-9A-Fa-f]{2})")
_NO_PORT = re.compile(r"(\A[A-Za-z][A-Za-z0-9+.\-]*://[^/?#:@]*):(?!\d*(?:[/?#]|\Z))")


def _mendings(value: str) -> Iterator[str]:
    """An IRI as it is; without characters that no IRI has; without those that are out of their place.

    Out of place are brackets, number signs, percent signs, and a colon that no port follows: `docker://bash:5.2.15`.
    """
    yield value
    value = _percent_encoded(_NOWHERE, value)
    yield value
    address, number_sign, fragment = _NO_PORT.sub(r"\1%3A", value).partition("#")
    yield _percent_encoded(_ELSEWHERE, address) + number_sign + _percent_encoded(_ELSEWHERE, fragment)


def _percent_encoded(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda found: quote(found[0], safe=""), text)
