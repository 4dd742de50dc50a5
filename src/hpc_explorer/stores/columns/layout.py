"""How facts lie in columns.

    term(id, iri)            every resource: an IRI, or `_:` and the label of a blank node
    lookup(h, id)            the same, to be found by a digest of the name
    kind(d, datatype)        every kind of literal: its datatype, or `@` and its language
    predicate(id, ...)       every predicate: how often it leads to resources and to literals, and where that lies
    node(id, o17, n18, ...)  a row for every resource, with a column for each predicate that has one value at most
    link(p, s, o)            the other statements that lead to resources
    value(p, s, d, t, n, m)  the other statements that lead to literals
    about(version, triples)  what was built

A literal is kept in the form in which the triple store keeps it (`stores/local/spellings.py`): its kind (`d`), its text
(`t`, absent where number or moment say it all), its number (`n`, a double) and its moment (`m`, of an `xsd:dateTime`,
in microseconds since 1970, UTC). Equal parts mean equal terms. A number is there only for finite doubles other than
-0.0 and for integers and decimals of at most 15 characters, which no two of them share. Ids follow class and IRI, so
that what is of one class lies together.
"""

from __future__ import annotations

from dataclasses import dataclass

VERSION = 3
"""Grows when the tables become others; columns of another version are built anew."""

DIGEST = "CAST(md5_number_lower({}) & 4294967295 AS UINTEGER)"
"""The digest of a name; several names may share one."""

QUOTED = "<<>>"
"""The kind of an object that is a triple itself; of these the columns know nothing else."""

LITERAL = ("d", "t", "n", "m")
"""The parts of a literal."""


@dataclass(frozen=True)
class PredicateFacts:
    """The statistics of a predicate.

    Args:
        links, values: how many statements lead to resources and to literals.
        subjects, objects: how many different subjects, and different resources as objects, there are.
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
