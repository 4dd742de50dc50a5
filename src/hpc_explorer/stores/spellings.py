"""How literals were spelled, where the engine keeps their value only.

The engine stores numbers, truth values, dates and durations by value: it gives "442010.00" back as "442010"
and "01" as "1". That is right for queries and wrong for a user's file, so quads with such a literal are
remembered here as they were, and given back so by everything but SPARQL results.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from pyoxigraph import RdfFormat, Store, parse, serialize

from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad

_KEPT_AS_THEY_ARE = frozenset({XSD.string, RDF.langString, XSD.anyURI})
_PLAIN_INTEGER = re.compile(r"(?:0|-?[1-9]\d{0,17})\Z")

_PLACE = NamedNode("urn:place")


@lru_cache(maxsize=65_536)
def _stored_form(literal: Literal) -> Literal:
    """The literal as the engine gives it back."""
    scratch = Store()
    scratch.add(Quad(_PLACE, _PLACE, literal))
    (quad,) = scratch
    stored = quad.object
    assert isinstance(stored, Literal)
    return stored


def stored_form(literal: Literal) -> Literal:
    """The literal as the engine gives it back; most literals are themselves."""
    datatype = literal.datatype
    if datatype in _KEPT_AS_THEY_ARE or (datatype == XSD.integer and _PLAIN_INTEGER.match(literal.value)):
        return literal
    return _stored_form(literal)


class Spellings:
    """The quads of one store whose literal was spelled otherwise than the engine keeps it.

    Args:
        file: where they are kept from one opening to the next, as N-Quads; None for a store in memory.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._spelled: dict[Quad, dict[Quad, None]] = {}
        if file is not None and file.exists():
            for quad in parse(path=str(file), format=RdfFormat.N_QUADS):
                self._note(quad)

    def note(self, quads: Iterable[Quad]) -> None:
        """Remember those quads among these that the engine would give back otherwise."""
        self._append([quad for quad in quads if self._note(quad)])

    def _note(self, quad: Quad) -> bool:
        literal = quad.object
        if not isinstance(literal, Literal):
            return False
        stored = stored_form(literal)
        canonical = quad if stored == literal else Quad(quad.subject, quad.predicate, stored, quad.graph_name)
        known = self._spelled.get(canonical)
        if known is None:
            if canonical is quad:
                return False
            self._spelled[canonical] = {quad: None}
            return True
        if quad in known:
            return False
        known[quad] = None
        return True

    def spelled(self, quad: Quad) -> Iterable[Quad]:
        """The quad that the engine gave, as it was spelled: usually itself, rarely several."""
        return self._spelled.get(quad) or (quad,)

    def extra(self) -> int:
        """How many quads more there are than the engine counts: "1" and "01" are one to it."""
        return sum(len(spelled) - 1 for spelled in self._spelled.values())

    def __bool__(self) -> bool:
        return bool(self._spelled)

    def forget(self, gone: Iterable[Quad]) -> None:
        """Forget quads that the engine no longer has."""
        for canonical in gone:
            self._spelled.pop(canonical, None)
        self._rewrite()

    def __iter__(self) -> Iterator[Quad]:
        """The quads as the engine has them."""
        return iter(tuple(self._spelled))

    def _append(self, quads: list[Quad]) -> None:
        if self._file is None or not quads:
            return
        with open(self._file, "ab") as stream:
            serialize(quads, stream, RdfFormat.N_QUADS)
            stream.flush()
            os.fsync(stream.fileno())

    def _rewrite(self) -> None:
        if self._file is None:
            return
        whole = self._file.with_suffix(".new")
        with open(whole, "wb") as stream:
            serialize((quad for known in self._spelled.values() for quad in known), stream, RdfFormat.N_QUADS)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(whole, self._file)
