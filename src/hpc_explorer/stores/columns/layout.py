"""The tables of the columns.

    term(id, iri)            every resource: an IRI, or `_:` and the label of a blank node
    lookup(h, id)            the same, by a digest of the name
    kind(d, datatype)        every kind of literal: its datatype, or `@` and its language
    predicate(id, ...)       every predicate: its statistics, and the location of its statements
    node(id, o17, n18, ...)  a row for every resource, with a column for each predicate with at most one value
    link(p, s, o)            the other statements that lead to resources
    value(p, s, d, t, n, m)  the other statements that lead to literals
    about(version, triples)  the version of the layout, and the number of triples

A literal has the form of the triple store (`stores/local/spellings.py`): its kind (`d`), its text (`t`, absent if
number or moment suffice), its number (`n`, a double) and its moment (`m`, of an `xsd:dateTime`, in microseconds since
1970, UTC). Equal parts mean equal terms. Only finite doubles other than -0.0, and integers and decimals of at most 15
characters, have a number, which is then unique. Ids are ordered by class and IRI, so that a class is contiguous.
"""

from __future__ import annotations

from dataclasses import dataclass

VERSION = 3
"""Incremented when the tables change; columns of another version are rebuilt."""

DIGEST = "CAST(md5_number_lower({}) & 4294967295 AS UINTEGER)"
"""The digest of a name; several names may share one."""

QUOTED = "<<>>"
"""The kind of an object that is a triple; the columns store nothing else of it."""

LITERAL = ("d", "t", "n", "m")
"""The parts of a literal."""


@dataclass(frozen=True)
class PredicateFacts:
    """The statistics of a predicate.

    Args:
        links, values: the numbers of statements that lead to resources and to literals.
        subjects, objects: the numbers of distinct subjects, and of distinct resources as objects.
        wide: whether it has columns of its own in `node`.
        kinds: the kinds of its literals.
        exact: whether `n` and `m` represent all its numbers and moments exactly.
        clock: the time zone of its moments: `Z` (all are UTC), `none`, or `mixed`.
        scale: the maximum number of decimal places.
    """

    id: int
    iri: str
    links: int
    values: int
    subjects: int
    objects: int
    wide: bool
    kinds: tuple[str, ...]
    exact: bool
    clock: str
    scale: int = 0

    def column(self, part: str) -> str:
        """The name of a column in `node`: `o` for the resource, or a part of the literal."""
        return f"{part}{self.id}"
