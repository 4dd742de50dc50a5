"""The order in which the things of a lineage are named."""

from __future__ import annotations

from hpc_explorer.app.explore.finding import search
from hpc_explorer.app.lineage.by_class import by_class
from hpc_explorer.app.lineage.traced import traced
from tests.helpers.sessions import session_of


def ends_of(source: str, name: str) -> list[tuple[str, int]]:
    """The classes of the ends of a lineage, with the number of things of each."""
    session = session_of(source)
    start = search(session, name).hits[0].ref.resource
    found = traced(session, start)
    named = by_class([found.refs[node.resource] for node in found.lineage.ends()])
    assert all([ref.label for ref in some] == sorted(ref.label for ref in some) for _, some in named)
    return [(kind, len(some)) for kind, some in named]


def test_raw_data_are_named_before_parameters_and_programs() -> None:
    seismic = ends_of("sample:seismic", "run1-training-epoch1-model")
    assert seismic[:2] == [("Data reference", 3), ("Attribute value", 4)]
    assert ("Learning hyperparameter value", 3) in seismic[1:]
    assert ends_of("sample:xplacer", "decisionTree.onnx") == [("Data", 1), ("Benchmark", 1)]
