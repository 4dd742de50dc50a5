"""The graph that the benchmarks use is what it says, and the paper's questions have answers in it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from hpc_explorer.app.lineage.reproducing import reproduce
from hpc_explorer.lineage.trace.trace import trace
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.sessions import session_of

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
EPOCHS, WORKFLOWS, BATCHES = 3, 8, 200


@pytest.fixture(scope="module")
def benchmarks() -> Iterator[tuple[ModuleType, ModuleType]]:
    sys.path.insert(0, str(BENCHMARKS))
    yield importlib.import_module("provml_graph"), importlib.import_module("provml_queries")
    sys.path.remove(str(BENCHMARKS))


@pytest.mark.slow
@pytest.mark.parametrize("with_provml", [True, False])
def test_graph_and_questions(benchmarks: tuple[ModuleType, ModuleType], with_provml: bool, tmp_path: Path) -> None:
    graph, queries = benchmarks
    file = tmp_path / "graph.nt"
    said = graph.write_graph(file, "1/100", with_provml=with_provml)
    store = LocalStore.in_memory()
    load_content(store, read_source(file), NamedNode("urn:g"))
    counted = WORKFLOWS * EPOCHS * BATCHES * 21 + WORKFLOWS * EPOCHS * 36 + WORKFLOWS * 300 + 90
    assert said == store.size().value == counted
    for workflow in range(WORKFLOWS):
        rows = {
            name: list(store.select(text))
            for name, text in queries.questions("1/100", with_provml=with_provml, workflow=workflow).items()
        }
        assert {name: len(found) for name, found in rows.items()} == {"Q1": 1, "Q5": EPOCHS, "Q7": EPOCHS}
        assert rows["Q1"][0]["basin"].value == "North Sea"
    session = session_of(file)
    found = reproduce(session, NamedNode(graph.model_of("1/100")))
    made = [found.recipe.about[step.activity].name for step in found.recipe.steps if step.activity is not None]
    assert made == ["curation", "preparation0", "run 0", "training", f"e{EPOCHS - 1}"]
    repeats = found.recipe.steps[-1].repeats
    assert repeats is not None
    assert (repeats.number, repeats.total, repeats.inner) == (EPOCHS, EPOCHS, EPOCHS * BATCHES)
    assert [use.resource for use in found.recipe.data] == [NamedNode(f"{graph.BASE}raw")]
    session.close()
    lineage = trace(store, NamedNode(graph.model_of("1/100")), LINEAGE_VOCABULARY)
    assert NamedNode(f"{graph.BASE}raw") in lineage.nodes
    assert 20 < len(lineage.nodes) < 60
