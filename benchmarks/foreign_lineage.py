"""Prints what lineage finds in provenance that others published: a row for each file, and what is not understood.

    python benchmarks/foreign_lineage.py FOLDER

Every RDF file below the folder (Turtle, TriG, N-Triples, JSON-LD, RO-Crate metadata, manifests of research objects) is
opened by itself. Its lineage edges are those of a trace of one step from each resource; what is not understood are
the links between the ends of these edges that no row of the vocabulary knows.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import ExplorerError
from hpc_explorer.lineage.trace.counts import predicates_not_understood
from hpc_explorer.lineage.trace.trace import Direction, Lineage, LineageNode, edge_of, steps_from
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Resource

PATTERNS = ("*.ttl", "*.trig", "*.nt", "*.jsonld", "ro-crate-metadata.json", "manifest.json", "*.provn", "*.provx")


@dataclass(frozen=True)
class Findings:
    """What one file gave."""

    triples: int
    edges: Counter[Origin]
    relations: Counter[str]
    unknown: Counter[str]


def look_into(file: Path) -> Findings:
    """All lineage edges of one file, by origin and by relation, and the links between their ends that nobody knows.

    Raises:
        ExplorerError: the file cannot be opened.
    """
    session = Session.new()
    try:
        open_sources(session, [str(file)])
        vocabulary = session.lineage_vocabulary()
        everything: dict[Resource, None] = {}
        for quad in session.store.match():
            for term in (quad.subject, quad.object):
                if isinstance(term, (NamedNode, BlankNode)):
                    everything[term] = None
        steps = steps_from(session.store, list(everything), vocabulary, Direction.UPSTREAM)
        edges = [edge_of(step, quads, frozenset({INFERRED})) for step, quads in steps.items()]
        ends = {end: LineageNode(end, 0, False, None) for edge in edges for end in (edge.effect, edge.cause)}
        whole = Lineage(next(iter(ends), NamedNode("urn:none")), Direction.UPSTREAM, ends, tuple(edges), True)
        unknown = predicates_not_understood(session.store, whole, vocabulary) if ends else {}
        return Findings(
            session.store.size().value,
            Counter(edge.origin for edge in edges),
            Counter(edge.relation.name.lower() for edge in edges),
            Counter({session.prefixes.short(term.value): number for term, number in unknown.items()}),
        )
    finally:
        session.close()


def main(folder: Path) -> None:
    """Print the table: a row for each folder two levels down, then what is not understood."""
    files = sorted({file for pattern in PATTERNS for file in folder.rglob(pattern) if file.is_file()})
    rows: dict[str, Counter[str]] = {}
    relations: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    for file in files:
        name = "/".join(file.relative_to(folder).parent.parts[:2]) or "."
        row = rows.setdefault(name, Counter())
        row["files"] += 1
        try:
            found = look_into(file)
        except ExplorerError as error:
            row["refused"] += 1
            print(f"refused: {file.relative_to(folder)}: {error.what}")
            continue
        row["triples"] += found.triples
        row["with edges"] += bool(found.edges)
        for origin, number in found.edges.items():
            row[origin.value] += number
        relations += found.relations
        unknown += found.unknown
    columns = ("files", "refused", "triples", "with edges", *(origin.value for origin in Origin))
    print(f"{'folder':<36}" + "".join(f"{column:>18}" for column in columns))
    for name, row in [*rows.items(), ("all", sum(rows.values(), Counter()))]:
        print(f"{name:<36}" + "".join(f"{row[column]:>18,}" for column in columns))
    print("relations: " + ", ".join(f"{name} {number:,}" for name, number in relations.most_common()))
    print("not understood: " + (", ".join(f"{name} {number:,}" for name, number in unknown.most_common()) or "nothing"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
