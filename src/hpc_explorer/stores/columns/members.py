"""Sets of resources by predicate and class, which intersect within microseconds.

Large sets are bitmaps, small ones lists of numbers. They are computed in one pass and recomputed after an edit: about
one second and 20 MB for 10 million triples.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hpc_explorer.stores.columns.layout import PredicateFacts
from hpc_explorer.stores.columns.work import Work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A list of 32-bit numbers is used if it is smaller than the bitmap.
_SPARSE = 32


@dataclass(frozen=True, eq=False)
class Members:
    """A set of resources, by their numbers.

    Args:
        size: the number of resources.
        ids: the numbers of its members, each once; None if `bits` has them.
        bits: a bit for each resource, 64 to an element.
    """

    size: int
    ids: NDArray[np.uint32] | None
    bits: NDArray[np.uint64] | None

    @classmethod
    def of(cls, ids: NDArray[Any], size: int) -> Members:
        """The set of these resources; duplicates are allowed."""
        import numpy as np

        known = ids[ids < size]
        if len(known) * _SPARSE <= size:
            return cls(size, np.unique(known).astype(np.uint32), None)
        there = np.zeros(-(-size // 64) * 64, dtype=bool)
        there[known] = True
        return cls(size, None, np.packbits(there, bitorder="little").view(np.uint64))

    @classmethod
    def of_any(cls, sets: Iterable[Members], size: int) -> Members:
        """The union of sets."""
        import numpy as np

        bits = np.zeros(-(-size // 64), dtype=np.uint64)
        for one in sets:
            bits |= one.as_bits()
        return cls(size, None, bits)

    def as_bits(self) -> NDArray[np.uint64]:
        """A bit for each resource."""
        import numpy as np

        if self.bits is not None:
            return self.bits
        assert self.ids is not None
        there = np.zeros(-(-self.size // 64) * 64, dtype=bool)
        there[self.ids] = True
        return np.packbits(there, bitorder="little").view(np.uint64)

    def as_ids(self) -> NDArray[Any]:
        """The numbers, in their order."""
        import numpy as np

        if self.ids is not None:
            return self.ids
        assert self.bits is not None
        return np.flatnonzero(np.unpackbits(self.bits.view(np.uint8), bitorder="little"))

    def __len__(self) -> int:
        import numpy as np

        if self.ids is not None:
            return len(self.ids)
        assert self.bits is not None
        return int(np.bitwise_count(self.bits).sum())

    def number_in(self, other: Members) -> int:
        """The size of the intersection."""
        import numpy as np

        few, many = (self, other) if self.ids is not None else (other, self)
        if few.ids is None:
            assert many.bits is not None
            assert few.bits is not None
            return int(np.bitwise_count(few.bits & many.bits).sum())
        if many.bits is None:
            assert many.ids is not None
            return len(np.intersect1d(few.ids, many.ids, assume_unique=True))
        return int(((many.bits[few.ids >> 6] >> (few.ids & 63).astype(np.uint64)) & np.uint64(1)).sum())


@dataclass(frozen=True, eq=False)
class Memberships:
    """The sets of a graph.

    Args:
        size: the number of resources.
        subjects, objects: the subjects and objects of each predicate, by its number.
        classes: the instances of each class, by its number.
        blanks: the blank nodes.
    """

    size: int
    subjects: Mapping[int, Members]
    objects: Mapping[int, Members]
    classes: Mapping[int, Members]
    blanks: Members


def memberships(work: Work, predicates: Iterable[PredicateFacts], types: PredicateFacts | None) -> Memberships:
    """Compute the sets of a graph from its columns.

    Args:
        types: the statistics of `rdf:type`.
    """
    import numpy as np

    size = work.number("SELECT coalesce(max(id), 0) + 1 FROM term")
    subjects: dict[int, Members] = {}
    objects: dict[int, Members] = {}
    for facts in predicates:
        if not facts.wide:
            continue
        places = [facts.column(part) for part, there in (("o", facts.links), ("d", facts.values)) if there]
        if places:
            (ids,) = work.arrays(f"SELECT id FROM node WHERE coalesce({', '.join(places)}) IS NOT NULL")
            subjects[facts.id] = Members.of(ids, size)
        if facts.links:
            place = facts.column("o")
            (ids,) = work.arrays(f"SELECT DISTINCT {place} AS o FROM node WHERE {place} IS NOT NULL")
            objects[facts.id] = Members.of(ids, size)
    long = work.arrays("SELECT p, s FROM link UNION ALL SELECT p, s FROM value")
    subjects |= {number: Members.of(ids, size) for number, ids in _grouped(*long)}
    objects |= {number: Members.of(ids, size) for number, ids in _grouped(*work.arrays("SELECT p, o FROM link"))}
    classes: dict[int, Members] = {}
    if types is not None:
        place = types.column("o")
        typed = f"SELECT {place} AS o, id FROM node WHERE {place} IS NOT NULL"
        pairs = work.arrays(typed if types.wide else f"SELECT o, s FROM link WHERE p = {types.id}")
        classes = {number: Members.of(np.asarray(ids), size) for number, ids in _grouped(*pairs)}
    (blanks,) = work.arrays("SELECT id FROM term WHERE starts_with(iri, '_:')")
    return Memberships(size, subjects, objects, classes, Members.of(blanks, size))


def _grouped(keys: NDArray[Any], ids: NDArray[Any]) -> Iterable[tuple[int, NDArray[Any]]]:
    """The numbers of each key."""
    import numpy as np

    if not len(keys):
        return
    order = np.argsort(keys, kind="stable")
    keys, ids = keys[order], ids[order]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    for key, group in zip(keys[starts], np.split(ids, starts[1:]), strict=True):
        yield int(key), group
