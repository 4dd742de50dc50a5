"""How long it takes to assess one resource in a large graph, and every dataset of a catalogue.

    python benchmarks/fair.py [TRIPLES] [DATASETS]

The graph for one: the dataset of the sample xplacer-after with many rows as linked data, among other datasets. The
catalogue: records in DCAT, each with a distribution, a contact, a publisher, a licence and what made it, of which some
lack something.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from results import busy, write_section

from hpc_explorer.app.fair.assessing import assess_resource
from hpc_explorer.app.fair.assessing_many import assess_many, first_to_fix, ranked, resources_to_assess
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.shipped import shipped_folder

AFTER = NamedNode("https://doi.org/10.5072/xplacer.ibm")
PREFIXES = """@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dcterms: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
@prefix prov: <http://www.w3.org/ns/prov#> . @prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> . @prefix vcard: <http://www.w3.org/2006/vcard/ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rows: <https://doi.org/10.5072/xplacer.ibm#> .
@prefix : <https://catalogue.example.org/> .
"""
DATASET = """:d{n} a dcat:Dataset ; dcterms:title "Runs of case {n}" ; dcterms:description "Timings of case {n}" ;
  dcterms:identifier "10.5072/runs.{n}" ; dcterms:creator :p{p} ; dcterms:publisher :us ;
  dcterms:issued "2024-01-01"^^xsd:date ; dcat:keyword "timing" , "case {n}" ; dcat:landingPage :page{n} ;
  dcat:contactPoint [ vcard:fn "Us" ; vcard:hasEmail <mailto:us@example.org> ] ; dcterms:isPartOf :all ;
  prov:wasDerivedFrom :d{before} ; prov:wasGeneratedBy :run{n} ; dcat:distribution :f{n} .
:f{n} a dcat:Distribution ; dcterms:title "{n}.csv" ; dcat:downloadURL :files{n} ; dcat:mediaType "text/csv" ;
  dcat:byteSize {n} .
:run{n} a prov:Activity ; prov:startedAtTime "2024-01-01T00:00:00Z"^^xsd:dateTime ; prov:wasAssociatedWith :p{p} .
:p{p} a foaf:Person ; foaf:name "Person {p}" .
:all dcat:dataset :d{n} .
"""
LICENCE = ":d{n} dcterms:license <https://creativecommons.org/licenses/by/4.0/> .\n"
ROW = """rows:r{n} a hpc:TableRow ; hpc:name "row {n}" ; hpc:isPartOf <https://doi.org/10.5072/xplacer.ibm> ;
  hpc:hostToDeviceTransferSize [ a qudt:QuantityValue ; qudt:value {n}.5 ; qudt:unit unit:KiloBYTE ] .
"""
ROW_TRIPLES = 7


def catalogue(datasets: int) -> str:
    """Records of a catalogue; one in three says its licence."""
    return "".join(
        DATASET.format(n=n, p=n % 50, before=n - 1) + (LICENCE.format(n=n) if n % 3 == 0 else "")
        for n in range(1, datasets + 1)
    )


def session_on(folder: Path, name: str, text: str) -> Session:
    """A session on a graph, with its counts and classes made."""
    file = folder / f"{name}.ttl"
    file.write_text(PREFIXES + text, encoding="utf-8")
    session = Session.new()
    open_sources(session, [str(file)])
    session.schema()
    return session


def one(folder: Path, triples: int) -> str:
    """The 47 tests on one resource: the first time, and then."""
    record = (shipped_folder("sample_graphs") / "xplacer-after.ttl").read_text(encoding="utf-8")
    others = catalogue(1_000)
    rows = "".join(ROW.format(n=n) for n in range((triples - 30_000) // ROW_TRIPLES))
    session = session_on(folder, "one", record + PREFIXES + others + rows)
    number = session.store.size().value
    took = []
    for _ in range(20):
        began = time.perf_counter()
        view = assess_resource(session, AFTER)
        took.append(time.perf_counter() - began)
    assert view.score.of == 47
    session.close()
    return f"| one resource | {number:,} triples | {took[0]:.2f} | {statistics.median(took):.3f} |"


def many(folder: Path, datasets: int) -> str:
    """All datasets of a catalogue, ranked."""
    session = session_on(folder, "many", catalogue(datasets))
    began = time.perf_counter()
    views = list(assess_many(session, resources_to_assess(session)))
    fixes = first_to_fix(views)
    best = ranked(views)[0]
    took = time.perf_counter() - began
    number = session.store.size().value
    session.close()
    print(f"best {best.score}, first to fix {fixes[0].indicator.id}", file=sys.stderr)
    return f"| {len(views):,} datasets | {number:,} triples | {took:.1f} | {took / len(views):.4f} each |"


def main() -> None:
    """Measure both, and write the section."""
    triples, datasets = (int(word) for word in (sys.argv[1:] + ["100000", "1000"][len(sys.argv) - 1 :])[:2])
    before = busy()
    with tempfile.TemporaryDirectory() as place:
        rows = [one(Path(place), triples), many(Path(place), datasets)]
    lines = [
        "All 47 tests, in seconds: first, and the median of twenty; of a catalogue all of it, with the ranking.",
        "",
        "| what | graph | first or all | then |",
        "|---|---|---|---|",
        *rows,
    ]
    write_section("How FAIR", lines, before)


if __name__ == "__main__":
    main()
