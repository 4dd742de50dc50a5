"""Copying a real Virtuoso that cuts its answers off, and searching one whose text search has indexed nothing."""

from __future__ import annotations

from pathlib import Path

from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS
from hpc_explorer.stores.remote.mirror_record import MirrorCheck, MirrorPart
from hpc_explorer.stores.remote.remote import RemoteStore
from hpc_explorer.stores.remote.text_search import found_text_search
from tests.helpers.virtuoso_server import load, virtuoso_server

GRAPH = NamedNode("http://example.org/graph")
RUN, TOOK, UNIT = (NamedNode(f"http://example.org/{name}") for name in ("Run", "took", "unit"))


def test_a_virtuoso_is_copied_page_by_page(tmp_path: Path) -> None:
    quads = [
        Quad(NamedNode(f"http://example.org/s{number}"), RDFS.label, Literal(f"resource number {number}"), GRAPH)
        for number in range(700)
    ]
    run, span, unit = NamedNode("http://example.org/run"), BlankNode("b1"), BlankNode("b2")
    quads += [Quad(run, RDF.type, RUN, GRAPH), Quad(run, TOOK, span, GRAPH), Quad(span, UNIT, unit, GRAPH)]
    quads += [Quad(unit, RDFS.label, Literal("second"), GRAPH)]
    with virtuoso_server(most_rows=200) as address:
        load(address, quads)
        for part, triples in ((MirrorPart(graph=GRAPH), 704), (MirrorPart(cls=RUN), 4)):
            (source,) = load_into(tmp_path / "w", [address], part=part).loaded
            assert source.mirror is not None
            assert (source.mirror.check, source.triples) == (MirrorCheck.EXACT, triples)
            workspace = OpenWorkspace.open(tmp_path / "w")
            assert workspace.store.ask(f'ASK {{ {run} {TOOK}/{UNIT}/{RDFS.label} "second" }}')
            workspace.close()
        store = RemoteStore(address)
        assert found_text_search(store, LABEL_PREDICATES, limits=NO_LIMITS) is None, "bif:contains has indexed nothing"
        store.close()
