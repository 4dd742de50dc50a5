"""Checks that a written file contains exactly the intended statements.

Statements without blank nodes are compared by their N-Quads text. Most syntaxes keep blank node labels, which are then
compared like IRIs. JSON-LD and RDF/XML rename them, so the components connected by blank nodes are compared by graph
isomorphism (RDF 1.1 Concepts, section 3.6). All other statements only add to a 128-bit digest, so memory is constant.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from hpc_explorer.rdf.syntax.formats import JSON_LD, RDF_XML, Format
from hpc_explorer.rdf.terms import BlankNode, CanonicalizationAlgorithm, Dataset, Quad

_DIGEST_BYTES = 16
_MOST_ALIKE = 7
"""Limit of blank nodes that differ only in their links; above it, canonical forms take minutes or longer."""


@dataclass(frozen=True)
class ReadBack:
    """The result of reading a file back.

    Args:
        statements: number of statements read.
        left_out, added: numbers of missing and of additional statements.
        loosely: number of statements at similar blank nodes, compared by their neighbourhood only.
        graphs: number of graph names left out because the syntax has none.
        merged: number of duplicates removed for that reason.
    """

    statements: int
    left_out: int = 0
    added: int = 0
    loosely: int = 0
    graphs: int = 0
    merged: int = 0

    @property
    def is_same(self) -> bool:
        """Whether the file contains the intended statements."""
        return not self.left_out and not self.added

    @property
    def sentence(self) -> str:
        """A sentence such as "read back: the same 1,204 statements"."""
        noun = "statement" if self.statements == 1 else "statements"
        if self.is_same:
            told = f"read back: the same {self.statements:,} {noun}"
            if self.graphs:
                told += f", without {names_of_graphs(self.graphs)}"
            if self.merged:
                told += f"; {self.merged:,} fewer, as several graphs state the same"
        else:
            changes = [
                *([f"{self.left_out:,} left out"] if self.left_out else []),
                *([f"{self.added:,} other than before"] if self.added else []),
            ]
            told = f"read back: {self.statements:,} {noun}, {' and '.join(changes)}"
        if self.loosely:
            told += f"; {self.loosely:,} at similar blank nodes were compared by their neighbourhood"
        return told


def names_of_graphs(number: int) -> str:
    """A number of graph names in words."""
    return "the name of a graph" if number == 1 else f"the names of {number:,} graphs"


def keeps_labels(format: Format) -> bool:
    """Whether a syntax keeps blank node labels."""
    return format not in (JSON_LD, RDF_XML)


class Fingerprint:
    """A digest of a set of statements, independent of their order.

    Args:
        by_label: whether blank nodes are compared by label.
        itemised: whether differences can be counted, which takes memory.
    """

    def __init__(self, *, by_label: bool, itemised: bool = False) -> None:
        self.number = 0
        self._by_label = by_label
        self._sum = 0
        self._items: Counter[bytes] | None = Counter() if itemised else None
        self._hanging: list[Quad] = []

    def add(self, quad: Quad) -> None:
        """Add a statement."""
        self.number += 1
        if not self._by_label and _has_blank_node(quad):
            self._hanging.append(quad)
            return
        digest = _digest(str(quad))
        self._sum += int.from_bytes(digest)
        if self._items is not None:
            self._items[digest] += 1

    def fresh(self) -> Fingerprint:
        """An empty digest with the same settings."""
        return Fingerprint(by_label=self._by_label, itemised=self._items is not None)

    def compared_with(self, read: Fingerprint) -> ReadBack:
        """Compare with the digest of the statements read."""
        meant_parts, loosely = _parts(self._hanging)
        read_parts, _ = _parts(read._hanging)
        missing, more = _difference(meant_parts, read_parts)
        if self._items is not None and read._items is not None:
            left_out = missing + (self._items - read._items).total()
            added = more + (read._items - self._items).total()
            return ReadBack(read.number, left_out, added, loosely)
        if missing or more or self._sum != read._sum or self.number != read.number:
            # The digest shows a difference but not its size.
            fewer = max(self.number - read.number, missing, 1)
            return ReadBack(read.number, fewer, max(read.number - self.number, more), loosely)
        return ReadBack(read.number, loosely=loosely)


def _difference(meant: Mapping[tuple[bytes, int], int], read: Mapping[tuple[bytes, int], int]) -> tuple[int, int]:
    missing = Counter(meant) - Counter(read)
    more = Counter(read) - Counter(meant)
    return sum(size * many for (_, size), many in missing.items()), sum(size * many for (_, size), many in more.items())


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest()


def _blank_nodes(quad: Quad) -> Iterator[BlankNode]:
    for term in (quad.subject, quad.object, quad.graph_name):
        if isinstance(term, BlankNode):
            yield term


def _has_blank_node(quad: Quad) -> bool:
    return any(True for _ in _blank_nodes(quad))


# --- components connected by blank nodes


def _parts(quads: list[Quad]) -> tuple[Counter[tuple[bytes, int]], int]:
    """The components as digests with sizes, and the number of statements compared loosely."""
    found: Counter[tuple[bytes, int]] = Counter()
    loosely = 0
    for part in _connected(quads):
        digest, is_exact = _part_digest(part)
        found[digest, len(part)] += 1
        loosely += 0 if is_exact else len(part)
    return found, loosely


def _connected(quads: list[Quad]) -> list[list[Quad]]:
    leader: dict[BlankNode, BlankNode] = {}

    def find(node: BlankNode) -> BlankNode:
        while (above := leader.setdefault(node, node)) != node:
            leader[node] = leader[above]
            node = leader[node]
        return node

    for quad in quads:
        first, *others = map(find, _blank_nodes(quad))
        for other in others:
            leader[find(other)] = find(first)
    parts: dict[BlankNode, list[Quad]] = defaultdict(list)
    for quad in quads:
        parts[find(next(_blank_nodes(quad)))].append(quad)
    return list(parts.values())


def _part_digest(quads: list[Quad]) -> tuple[bytes, bool]:
    """A digest that is equal for isomorphic components, and whether it is exact."""
    colours = _colours(quads)
    alike = len(colours) - len(set(colours.values()))
    exact = not alike or _is_forest(quads)
    if not exact and sum(many for many in Counter(colours.values()).values() if many > 1) <= _MOST_ALIKE:
        dataset = Dataset(quads)
        dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
        return _digest("\n".join(sorted(map(str, dataset)))), True
    return _digest("\n".join(sorted(_coloured(quad, colours) for quad in quads))), exact


def _colours(quads: list[Quad]) -> dict[BlankNode, str]:
    """Colours of blank nodes by their neighbourhood, refined until stable.

    Colour refinement (Weisfeiler and Leman 1968), which is exact for forests.
    """
    around: dict[BlankNode, list[Quad]] = defaultdict(list)
    for quad in quads:
        for node in set(_blank_nodes(quad)):
            around[node].append(quad)
    colours = dict.fromkeys(around, "")
    told_apart = 0
    while told_apart < len(colours):
        colours = {
            node: _digest("\n".join([colours[node], *sorted(_coloured(one, colours, node) for one in its)])).hex()
            for node, its in around.items()
        }
        now = len(set(colours.values()))
        if now == told_apart:
            break
        told_apart = now
    return colours


def _coloured(quad: Quad, colours: Mapping[BlankNode, str], centre: BlankNode | None = None) -> str:
    return " ".join(
        ("_:*" if term == centre else f"_:{colours[term]}") if isinstance(term, BlankNode) else str(term)
        for term in (quad.subject, quad.predicate, quad.object, quad.graph_name)
    )


def _is_forest(quads: list[Quad]) -> bool:
    """Whether blank nodes form a forest in one graph: at most one parent each, no cycle."""
    parents: dict[BlankNode, BlankNode] = {}
    for quad in quads:
        if isinstance(quad.graph_name, BlankNode):
            return False
        if isinstance(quad.object, BlankNode) and isinstance(quad.subject, BlankNode):
            if quad.object in parents:
                return False
            parents[quad.object] = quad.subject
    for start in parents:
        node, steps = start, 0
        while node in parents:
            node, steps = parents[node], steps + 1
            if node == start or steps > len(parents):
                return False
    return True
