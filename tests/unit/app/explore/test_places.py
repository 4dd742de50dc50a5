"""Where a resource is: files beside the source first, then addresses."""

from __future__ import annotations

from pathlib import Path

from hpc_explorer.app.explore.places import place_of
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.sessions import session_of

GRAPH = """
@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
@prefix schema: <http://schema.org/> . @prefix ex: <urn:x:> .
ex:both dcat:downloadURL <https://example.org/a.csv> ; hpc:file "a.csv" .
ex:web dcat:downloadURL <https://example.org/a.csv> ; hpc:file "gone.csv" .
ex:part hpc:file ex:file . ex:file schema:contentUrl "a.csv" .
ex:none hpc:file "gone.csv" .
<https://example.org/page> a ex:Page .
"""


def test_a_file_that_exists_comes_before_an_address(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x", encoding="utf-8")
    (tmp_path / "graph.ttl").write_text(GRAPH, encoding="utf-8")
    session = session_of(tmp_path / "graph.ttl")
    found = {name: place_of(session, NamedNode(f"urn:x:{name}")) for name in ("both", "web", "part", "none")}
    assert found == {
        "both": tmp_path / "a.csv",
        "web": "https://example.org/a.csv",
        "part": tmp_path / "a.csv",
        "none": None,
    }
    assert place_of(session, NamedNode("https://example.org/page")) == "https://example.org/page"
