"""A page to share: what it holds, and what it must not hold."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hpc_explorer.app.explore.finding import resolve
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.share.page import page_html
from hpc_explorer.app.share.sharing import shared_page, write_shared_page
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import OutputNotWritable, UsageError
from hpc_explorer.rdf.syntax.reading import read_bytes
from tests.helpers.sessions import session_of

MODEL = "http://example.org/AIModel/MO000001"


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the texts of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self._script = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._script = dict(attrs).get("type") or "" if tag == "script" else ""

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data

    def with_class(self, name: str) -> int:
        return sum(name in (attributes.get("class") or "").split() for _, attributes in self.found)


def page_of(source: str | Path, name: str) -> tuple[str, Session]:
    session = session_of(source)
    return page_html(shared_page(session, resolve(session, name))), session


def test_every_resource_and_link_of_the_picture_is_in_the_page() -> None:
    text, session = page_of("sample:xplacer", "decisionTree.onnx")
    page = Elements(text)
    scene = json.loads(page.scripts["application/json"])
    lineage = trace_lineage(session, resolve(session, "decisionTree.onnx"))
    assert page.with_class("node") == len(scene["nodes"])
    assert {node["iri"] for node in scene["nodes"]} <= {str(one.value) for one in lineage.nodes}
    drawn = sum(
        len((attributes["data-edges"] or "").split()) for _, attributes in page.found if "data-edges" in attributes
    )
    assert drawn == len(scene["edges"]) == len([edge for edge in scene["edges"] if edge["evidence"]])
    assert f"{len(scene['nodes'])} of {len(lineage.nodes)} resources drawn" in text
    for title in ("Facts", "Lineage", "Reproduce", "FAIR"):
        assert f">{title}" in text


def test_the_statements_in_the_page_are_those_of_the_lineage() -> None:
    text, session = page_of("sample:xplacer", "decisionTree.onnx")
    document = Elements(text).scripts["application/ld+json"]
    stated = {(quad.subject, quad.predicate, quad.object) for quad in session.store.match()}
    content = read_bytes(document.encode(), name="page.jsonld", base="http://example.org/")
    triples = {(quad.subject, quad.predicate, quad.object) for quad in content.quads()}
    named = {triple for triple in triples if "_:" not in f"{triple[0]}{triple[2]}"}
    assert len(named) > 500
    assert named <= stated


def test_a_page_loads_nothing_from_elsewhere() -> None:
    text, _ = page_of("sample:xplacer", "decisionTree.onnx")
    for tag, attributes in Elements(text).found:
        assert tag not in ("link", "img", "iframe", "object", "embed")
        assert "src" not in attributes
        assert not any(name.startswith("on") for name in attributes)
    assert re.findall(r"url\((?!data:|#)", text) == []


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


def test_text_of_the_graph_is_never_markup(tmp_path: Path) -> None:
    literal = json.dumps(HOSTILE)
    source = tmp_path / "<b>graph.ttl"
    source.write_text(
        "@prefix prov: <http://www.w3.org/ns/prov#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
        f"<urn:a> a prov:Entity ; rdfs:label {literal} ; rdfs:comment {literal} ; <urn:p> {literal} ;"
        " rdfs:seeAlso <javascript:alert(3)> ; prov:wasDerivedFrom <javascript:alert(4)> ."
        f"<javascript:alert(4)> a prov:Entity ; rdfs:label {literal} ."
    )
    text, _ = page_of(source, "urn:a")
    page = Elements(text)
    assert sum(tag == "script" for tag, _ in page.found) == 3
    assert not any(tag in ("img", "b") for tag, _ in page.found)
    assert not any((attributes.get("href") or "#").startswith("javascript") for _, attributes in page.found)
    assert any(node["label"] == HOSTILE for node in json.loads(page.scripts["application/json"])["nodes"])


@pytest.mark.slow
def test_five_hundred_nodes_take_less_than_two_megabytes(tmp_path: Path) -> None:
    source = tmp_path / "chain.ttl"
    lines = [
        f"<http://ex.org/file/{at}> a prov:Entity ; rdfs:label 'intermediate file number {at} of the run' ;"
        f" prov:wasDerivedFrom <http://ex.org/file/{2 * at}>, <http://ex.org/file/{2 * at + 1}> ."
        for at in range(1, 250)
    ]
    lines += [f"<http://ex.org/file/{at}> a prov:Entity ; rdfs:label 'raw file {at}' ." for at in range(250, 500)]
    prefixes = "@prefix prov: <http://www.w3.org/ns/prov#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    source.write_text(prefixes + "\n".join(lines))
    text, _ = page_of(source, "http://ex.org/file/1")
    assert Elements(text).with_class("node") == 499
    assert len(text.encode()) < 2_000_000


def test_the_folder_of_a_source_is_not_given_away(tmp_path: Path) -> None:
    source = tmp_path / "secret-folder" / "graph.ttl"
    source.parent.mkdir()
    source.write_text("<http://ex.org/a> <http://ex.org/p> 1 .")
    text, _ = page_of(source, "http://ex.org/a")
    assert "graph.ttl" in text
    assert "secret-folder" not in text


@pytest.mark.parametrize("name", ["page.txt", "page"])
def test_another_ending_is_refused(tmp_path: Path, name: str) -> None:
    session = session_of("sample:xplacer")
    with pytest.raises(UsageError):
        write_shared_page(session, resolve(session, MODEL), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    session = session_of("sample:xplacer")
    with pytest.raises(OutputNotWritable):
        write_shared_page(session, resolve(session, MODEL), tmp_path / "none" / "page.html")
