"""Ten thousand random steps of building a query: no exception, no wrong count, no empty answer that was not announced.

Each step is made as a click would make it, from what the facets offer. Of the list that a step chooses from, the count of
what is chosen is compared with a fresh count by the bare engine; the count of all rows is, in one step of five. Each query
that is reached is written as text and read back. The seeds are fixed; `HPC_EXPLORER_WALK_STEPS` gives each graph so
many steps instead, from seeds of their own.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from tests.helpers.query_walks import Plain, Walk, check_round_trip

SharedData = Callable[[str], Path]

STEPS = int(os.environ.get("HPC_EXPLORER_WALK_STEPS", "0"))
"""So many steps on each graph, if it is asked for."""

EACH = 200
"""After so many steps a walk ends, and the next one has another seed."""


def walk(sources: list[str], steps: int) -> Counter[str]:
    session = Session.new()
    try:
        open_sources(session, sources)
        plain = Plain(session.store.match())
        taken: Counter[str] = Counter()
        counts = empty = 0
        for number in range((STEPS or steps) // EACH):
            one = Walk(session.store, plain, seed=number + (1000 if STEPS else 0), check=check_round_trip)
            one.go(EACH)
            taken += one.taken
            counts += one.counts
            empty += one.empty
    finally:
        session.close()
    # The walk went everywhere, and the comparisons were made.
    assert counts > sum(taken.values()) / 2
    assert empty > 0
    assert {"begin", "class", "property", "value", "match", "remove", "mode", "or", "back"} <= taken.keys()
    return taken


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["npb", "xplacer", "nsf", "fugaku", "seismic"])
def test_walks_over_a_sample_graph(sample: str) -> None:
    assert walk([f"sample:{sample}"], 1_400)["bin"] > 0


def test_short_walks_over_a_sample_graph() -> None:
    assert walk(["sample:npb"], 600)["bin"] > 0


@pytest.mark.slow
def test_walks_over_the_hpc_ontology_with_instances(shared_data: SharedData) -> None:
    modules = ("core", "gpu", "aimodel", "performance", "program")
    files = [str(shared_data("ontologies/hpc-public") / f"{name}.ttl") for name in modules]
    walk([*files, "sample:xplacer", "sample:nsf"], 1_400)


@pytest.mark.slow
def test_walks_over_a_provenance_graph(shared_data: SharedData) -> None:
    crate = shared_data("provenance/ro-crate/cwlprov/ml-predict-pipeline-cwltool")
    walk([str(crate / "metadata/provenance/primary.cwlprov.ttl")], 1_600)
