"""Ontologies and provenance as they are published: each opens, or is refused by the name that stands here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, parse

from hpc_explorer.errors import ExplorerError, SourceSyntaxError, UnsupportedSyntax
from hpc_explorer.rdf.aliases import CANONICAL, undo_aliases
from hpc_explorer.rdf.namespaces import HPC, OWL, PROV, RDF, SCHEMA
from hpc_explorer.rdf.syntax.formats import JSON_LD, RDF_XML, TRIG, TURTLE, Format
from hpc_explorer.rdf.syntax.reading import read_bytes, read_source
from hpc_explorer.rdf.terms import NamedNode, Quad
from tests.helpers.datasets import same
from tests.helpers.graphs import text_of

SharedData = Callable[[str], Path]

RDF_FILES = ("*.ttl", "*.nt", "*.nq", "*.trig", "*.owl", "*.rdf", "*.jsonld", "ro-crate-metadata.json", "manifest.json")

REFUSED: dict[str, tuple[type[ExplorerError], str]] = {
    "mls_dmop-dmexperiment-iris.ttl": (SourceSyntaxError, "prefix DCHARS: has not been declared"),
    "prov_agent.owl": (SourceSyntaxError, "PREFIX keyword should be followed by a prefix"),
    "primary.cwlprov.provn": (UnsupportedSyntax, "PROV-N"),
    "primary.cwlprov.xml": (UnsupportedSyntax, "PROV-XML"),
    "primary.cwlprov.json": (UnsupportedSyntax, "PROV-JSON"),
}
"""Two that do not keep to the syntax they are in, and the same provenance in syntaxes that are not RDF."""


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["ontologies", "provenance"])
def test_every_rdf_file_opens_or_is_refused_by_name(shared_data: SharedData, folder: str) -> None:
    root = shared_data(folder)
    files = {file for pattern in (*RDF_FILES, "*cwlprov*") for file in root.rglob(pattern) if file.is_file()}
    assert files
    refused = set()
    for file in sorted(files):
        try:
            assert sum(1 for _ in read_source(file).quads()), file
        except ExplorerError as error:
            refused.add(file.name)
            kind, what = REFUSED[file.name]
            assert isinstance(error, kind), error
            assert what in str(error)
    assert refused == {file.name for file in files} & set(REFUSED)


def test_the_published_hpc_ontology_has_its_classes(shared_data: SharedData) -> None:
    folder = shared_data("ontologies/hpc-public")
    modules = [path for path in folder.glob("*.ttl") if path.stem != "callgraph"]
    quads = {quad for path in modules for quad in read_source(path).quads()}
    classes = {
        quad.subject
        for quad in quads
        if quad.predicate == RDF.type and quad.object == OWL.Class and str(quad.subject).startswith(f"<{HPC}")
    }
    assert len(classes) == 373


@pytest.mark.parametrize("format", [TURTLE, TRIG, RDF_XML, JSON_LD], ids=str)
def test_published_documents_come_back_from_every_format(shared_data: SharedData, format: Format) -> None:
    names = [
        "ontologies/hpc-public/program.ttl", "ontologies/vocabularies/w3c_prov-o-20130430.ttl",
        "ontologies/vocabularies/mls_MLSchema.ttl",
        "provenance/ro-crate/draft/ml-predict-pipeline-cwltool-runcrate/ro-crate-metadata.json",
        "provenance/ro-crate/cwlprov/ml-predict-pipeline-cwltool/metadata/provenance/primary.cwlprov.ttl",
    ]  # fmt: skip
    for name in names:
        content = read_source(shared_data(name))
        quads = list(content.quads())
        text = text_of(quads, format, content.prefixes)
        again = read_bytes(text.encode(), name=f"x.{format.extension}", base="http://base.example/").quads()
        assert same(again, quads), name


def test_one_run_tells_the_same_in_turtle_and_in_json_ld(shared_data: SharedData) -> None:
    folder = shared_data("provenance/ro-crate/cwlprov/ml-predict-pipeline-cwltool/metadata/provenance")
    documents = [list(read_source(folder / f"primary.cwlprov.{ending}").quads()) for ending in ("ttl", "nt", "jsonld")]
    predicates = [sorted(quad.predicate.value for quad in quads if quad.predicate != RDF.type) for quads in documents]
    assert predicates[0] == predicates[1] == predicates[2]
    assert PROV.qualifiedUsage.value in predicates[0]


def test_a_workflow_run_crate_has_its_runs(shared_data: SharedData) -> None:
    content = read_source(shared_data("provenance/ro-crate/draft/ml-predict-pipeline/ro-crate-metadata.json"))
    quads = list(content.quads())
    runs = {quad.subject for quad in quads if quad.object in (SCHEMA.CreateAction, SCHEMA.OrganizeAction)}
    assert runs
    assert runs & {quad.subject for quad in quads if quad.predicate == SCHEMA.object}
    assert runs & {quad.subject for quad in quads if quad.predicate == SCHEMA.result}
    assert content.notes == []


def test_a_published_conversion_is_read_as_hpc_and_undone_exactly(shared_data: SharedData) -> None:
    path = shared_data("tables/xplacer-reference/rodinia_3.1_cuda_bfs_datalevel-lassen-plus-rowId.nt")
    content = read_source(path)
    quads = list(content.quads())
    assert content.aliases.namespaces == (
        ("https://github.com/HPC-FAIR/HPC-Ontology/blob/main/hpc-ontology.ttl#", CANONICAL),
    )
    assert Quad(NamedNode("http://example.org/rodinia-nw-lassen.csv/1"), RDF.type, HPC.TableRow) in quads
    original = list(parse(path=str(path), format=RdfFormat.N_TRIPLES))
    assert same(undo_aliases(quads, content.aliases), original)
