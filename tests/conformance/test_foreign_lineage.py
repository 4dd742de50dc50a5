"""Lineage of provenance that others published: what is found, and that nothing in it is passed over silently."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import NamedNode

SharedData = Callable[[str], Path]

NO_LINEAGE = re.compile(r"wasInvalidatedBy|qualifiedInvalidation|alternateOf|invalidated")
SPEAKS = re.compile(r"prov:(was[A-Z]\w+|used|qualified\w+|hadMember|specializationOf|mentionOf|actedOnBehalfOf)\b")


ONE_END_ONLY = [
    *("association1.ttl", "attribution1.ttl", "derivation2.ttl", "derivation9.ttl", "generation1.ttl"),
    "influence1.ttl",
]
"""These have a qualifying node that names no other end."""


@pytest.fixture(scope="module")
def foreign() -> Iterator[ModuleType]:
    folder = str(Path(__file__).parents[2] / "benchmarks")
    sys.path.insert(0, folder)
    yield importlib.import_module("foreign_lineage")
    sys.path.remove(folder)


def test_one_run_has_the_same_lineage_in_every_syntax(shared_data: SharedData, foreign: ModuleType) -> None:
    folder = shared_data("provenance/ro-crate/cwlprov/ml-predict-pipeline-cwltool/metadata/provenance")
    found = [foreign.look_into(folder / f"primary.cwlprov.{suffix}") for suffix in ("ttl", "nt", "jsonld")]
    assert [one.edges[Origin.ASSERTED] for one in found] == [216] * 3
    assert [one.relations for one in found] == [found[0].relations] * 3
    assert [one.unknown.total() for one in found] == [0] * 3


@pytest.mark.parametrize("folder", ["WfExS-backend", "autosubmit", "draft", "profiles"])
def test_every_workflow_run_crate_has_edges(shared_data: SharedData, foreign: ModuleType, folder: str) -> None:
    crates = sorted(shared_data(f"provenance/ro-crate/{folder}").rglob("ro-crate-metadata.json"))
    assert crates
    for crate in crates:
        found = foreign.look_into(crate)
        assert found.edges[Origin.ASSERTED] > 0, crate
        assert set(found.unknown) <= {"schema:softwareAddOn", "schema:image", "schema:softwareRequirements"}, crate


def test_each_prov_o_file_that_speaks_of_lineage_has_edges(shared_data: SharedData, foreign: ModuleType) -> None:
    files = sorted(shared_data("provenance/prov-json/rdf").glob("*.ttl"))
    assert len(files) > 100
    silent = [
        file.name
        for file in files
        if SPEAKS.search(NO_LINEAGE.sub("", file.read_text(encoding="utf-8"))) and not foreign.look_into(file).edges
    ]
    assert silent == ONE_END_ONLY


def test_two_published_crates_share_a_file(shared_data: SharedData) -> None:
    """The same data matrix, staged for one run and used by another: only its checksum says that it is one."""
    folder = shared_data("provenance/ro-crate/WfExS-backend")
    names = ("cosifer-nxf_staged", "cosifer-cwl_provenance")
    staged, used = (NamedNode((folder / name / "inputs/data_matrix.csv").as_uri()) for name in names)
    session = Session.new()
    try:
        open_sources(session, [str(folder / name / "ro-crate-metadata.json") for name in names])
        apart = trace_lineage(session, staged, downstream=True)
        joined = trace_lineage(session, staged, downstream=True, match_content=True)
    finally:
        session.close()
    assert set(apart.nodes) == {staged}
    assert [(edge.cause, edge.effect) for edge in joined.edges if edge.origin is Origin.MATCHED] == [(staged, used)]
    assert len(joined.nodes) == 8
