"""How long it takes to check one resource as it is typed, and a graph of a million triples; pySHACL alone beside it.

    python benchmarks/validation.py [TRIPLES]

The graph: rows of measurements as in the paper's Table XI with quantities, one in a hundred of them wrong. pySHACL
alone validates the first 20,000 triples of it, with all of the shapes and the ontology.
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

from hpc_explorer.annotate.validation.checking import Checked
from hpc_explorer.app.checks.validating import check_graph, check_resource
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.changes.changes import ChangeSet

HPC = "https://hpc-fair.github.io/ontology#"
ROW = 20
"""Triples of one row with its quantity and size."""


def write_rows(file: Path, triples: int) -> int:
    """Write rows of a profile as N-Triples; how many triples they are."""
    xsd, qudt, unit = "http://www.w3.org/2001/XMLSchema#", "http://qudt.org/schema/qudt/", "http://qudt.org/vocab/unit/"
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    with file.open("w", encoding="utf-8") as out:
        out.write(
            f'<http://example.org/bench> {kind} <{HPC}Benchmark> .\n<http://example.org/bench> <{HPC}name> "bfs" .\n'
        )
        written = 2
        for number in range(triples // ROW):
            row = f"<http://example.org/row/{number}>"
            calls = '"many"' if number % 100 == 0 else f'"{number}"'
            said = [
                (f"{row} {kind}", f"<{HPC}TableRow>"),
                (f"{row} <{HPC}kernelName>", '"bfs"'),
                (f"{row} <{HPC}arrayName>", f'"array{number % 7}"'),
                (f"{row} <{HPC}commandLineOption>", '"-n 4"'),
                (f"{row} <{HPC}benchmark>", "<http://example.org/bench>"),
                (f"{row} <{HPC}numberOfCalls>", f"{calls}^^<{xsd}integer>"),
                (f"{row} <{HPC}cycle>", f'"{number * 3}"^^<{xsd}integer>'),
                (f"{row} <{HPC}l1CacheUtilizationRate>", f'"{number % 100}.5"^^<{xsd}double>'),
                (f"{row} <{HPC}l2CacheUtilizationRate>", f'"{number % 90}.5"^^<{xsd}double>'),
                (f"{row} <{HPC}cpuPageFault>", f'"{number % 5}"^^<{xsd}integer>'),
                (f"{row} <{HPC}gpuPageFault>", f'"{number % 3}"^^<{xsd}integer>'),
                (f"{row} <{HPC}codeVariant>", f'"{number % 8}"^^<{xsd}integer>'),
            ]
            for name, of, value in (("executionTime", "NanoSEC", 3), ("allocatedDataSize", "KiloBYTE", 4)):
                node = f"_:{name}{number}"
                said += [
                    (f"{row} <{HPC}{name}>", node),
                    (f"{node} {kind}", f"<{qudt}QuantityValue>"),
                    (f"{node} <{qudt}value>", f'"{number * value}.0"^^<{xsd}decimal>'),
                    (f"{node} <{qudt}unit>", f"<{unit}{of}>"),
                ]
            out.writelines(f"{subject} {value} .\n" for subject, value in said)
            written += len(said)
    return written


def check_one() -> None:
    """A resource of some thirty statements, as it would be after another one is typed."""
    session = Session.new()
    open_sources(session, ["sample:xplacer", "sample:fugaku"])
    began = time.perf_counter()
    subject = NamedNode("https://www.top500.org/system/179807")
    check_resource(session, subject)
    first = time.perf_counter() - began
    graph = next(session.store.match(subject)).graph_name
    took = []
    for number in range(200):
        typed = Quad(subject, NamedNode(f"{HPC}computeNodeCount"), Literal(f"{number} nodes"), graph)
        began = time.perf_counter()
        check_resource(session, subject, change=ChangeSet((), (typed,)))
        took.append((time.perf_counter() - began) * 1e3)
    statements = sum(1 for _ in session.store.match(subject))
    took.sort()
    print(
        f"one resource of {statements} statements: first {first * 1e3:.0f} ms, then median "
        f"{statistics.median(took):.1f} ms, 95 % within {took[189]:.1f} ms"
    )
    session.close()


def check_all(folder: Path, triples: int) -> None:
    """A whole graph, its findings counted as they come."""
    file = folder / "rows.nt"
    written = write_rows(file, triples)
    session = Session.new()
    open_sources(session, [str(file)])
    session.usage()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    last: list[Checked] = []
    began = time.perf_counter()
    counts = Counter(finding.severity.value for finding in check_graph(session, progress=last.append))
    took = time.perf_counter() - began
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(
        f"{written:,} triples, {last[-1].resources:,} resources: {took:.1f} s, {written / took:,.0f} triples a second, "
        f"{dict(counts)}, {grown:.0f} MB more memory"
    )
    session.close()


def by_pyshacl(folder: Path) -> None:
    """pySHACL by itself, on a part that it can be waited for with."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pyshacl
        import rdflib

        shapes, ontology = rdflib.Graph(), rdflib.Graph()
        for shape in (shipped_folder("ontology") / "shapes").glob("*.ttl"):
            shapes.parse(shape)
        for part in shipped_folder("ontology").glob("*.ttl"):
            ontology.parse(part)
        written = write_rows(folder / "part.nt", 20_000)
        data = rdflib.Graph().parse(folder / "part.nt")
        began = time.perf_counter()
        pyshacl.validate(data, shacl_graph=shapes, ont_graph=ontology)
        took = time.perf_counter() - began
    print(f"pySHACL alone: {written:,} triples in {took:.1f} s, {written / took:,.0f} triples a second")


if __name__ == "__main__":
    check_one()
    with tempfile.TemporaryDirectory() as place:
        check_all(Path(place), int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
        by_pyshacl(Path(place))
