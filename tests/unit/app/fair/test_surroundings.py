"""What tests may ask in a session: terms, shapes, files of this machine and their columns."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from hpc_explorer.app.fair.surroundings import SessionSurroundings
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.sample_places import opened

HEAD = """@prefix : <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix csvw: <http://www.w3.org/ns/csvw#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
A = NamedNode("http://example.org/a")


@contextmanager
def graph(folder: Path, text: str) -> Iterator[Session]:
    (folder / "a.ttl").write_text(HEAD + text)
    with opened(str(folder / "a.ttl")) as session:
        yield session


def test_terms_are_known_by_what_ships_and_by_what_is_open(tmp_path: Path) -> None:
    with graph(tmp_path, ":Mine a owl:Class . :a a :Mine , :Other .") as session:
        known = SessionSurroundings(session).knows
        assert known(HPC.Dataset)
        assert known(NamedNode("http://example.org/Mine")) == "what is open"
        assert known(NamedNode("http://example.org/Other")) is None


def test_a_description_against_the_shapes_of_its_class(tmp_path: Path) -> None:
    with graph(tmp_path, ':a a hpc:Cluster ; hpc:name "A" ; hpc:computeNodeCount "many" .') as session:
        surroundings = SessionSurroundings(session)
        subject = subject_of(session.store, A)
        found = surroundings.conforms(subject)
        assert found is not None
        assert not found.conforms
        assert found.profile == "the HPC ontology"
        ((message, quad),) = found.violations
        assert "many" in message
        assert quad is not None
        assert quad.predicate == HPC.computeNodeCount
        # A description counts as it is given, not as the graph has it.
        fixed = [quad for quad in subject.quads if quad.predicate != HPC.computeNodeCount]
        again = surroundings.conforms(replace(subject, quads=tuple(fixed)))
        assert again is not None
        assert again.conforms


def test_no_shapes_no_verdict(tmp_path: Path) -> None:
    with graph(tmp_path, ":a a dcat:Dataset .") as session:
        assert SessionSurroundings(session).conforms(subject_of(session.store, A)) is None


def test_local_files(tmp_path: Path) -> None:
    content = b"size,time\n1,0.5\n"
    (tmp_path / "my data.csv").write_bytes(content)
    with graph(tmp_path, ":a a dcat:Dataset .") as session:
        look = SessionSurroundings(session).local_file
        path = tmp_path / "my data.csv"
        for address in (str(path), path.as_uri(), "my data.csv", "my%20data.csv"):
            found = look(address)
            assert found is not None, address
            assert (found.name, found.size, found.media_type) == ("my data.csv", len(content), "text/csv")
            assert found.columns == ("size", "time")
            assert found.checksums["sha256"] == hashlib.sha256(content).hexdigest()
        for address in (
            "",
            "other.csv",
            "https://example.org/my%20data.csv",
            "file://elsewhere/a",
            str(tmp_path),
            "\0",
        ):
            assert look(address) is None, address


COLUMNS = """:a a dcat:Dataset ; dcat:distribution :f .
:f dcat:downloadURL <t.csv> ; csvw:tableSchema :s .
:s csvw:column ( :c1 :c2 ) .
:c1 csvw:name "size" ; csvw:datatype xsd:integer ; csvw:required true .
:c2 csvw:title "time" ; csvw:name "t" ; csvw:datatype "number" .
"""


@pytest.mark.parametrize(
    ("table", "faults"),
    [
        ("size,time\n1,0.5\n2,\n", ()),
        ("size\n1\n", ("the column time is not in the file",)),
        ("size,time,more\n1,2,3\n", ("the column more is not described",)),
        ("size,time\n,0.5\n1.5,fast\nx,slow\n", ("row 1: size is empty", "row 2: size is '1.5', no whole number", "row 2: time is 'fast', no number")),
    ],
)  # fmt: skip
def test_a_table_against_its_description(tmp_path: Path, table: str, faults: tuple[str, ...]) -> None:
    (tmp_path / "t.csv").write_text(table)
    with graph(tmp_path, COLUMNS) as session:
        found = SessionSurroundings(session).table_faults(subject_of(session.store, A))
    assert found is not None
    assert (found.file, found.faults) == ("t.csv", faults)


def test_no_file_or_no_description_no_verdict(tmp_path: Path) -> None:
    with graph(tmp_path, COLUMNS) as session:
        assert SessionSurroundings(session).table_faults(subject_of(session.store, A)) is None
    (tmp_path / "t.csv").write_text("size\n")
    with graph(tmp_path, ":a a dcat:Dataset ; dcat:distribution :f . :f dcat:downloadURL <t.csv> .") as session:
        assert SessionSurroundings(session).table_faults(subject_of(session.store, A)) is None
