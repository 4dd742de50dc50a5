"""Facets of an open session: named, searched by label, and of a workspace the same as of its files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.query.facets import (
    NamedFacet,
    classes_in_focus,
    facet_store,
    facets_of,
    properties_in_focus,
    values_as_bins,
    values_in_focus,
    what_empties,
)
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled
from hpc_explorer.query.building import Direction, new_query, with_property
from hpc_explorer.query.facets.bins import ScaleKind
from hpc_explorer.query.facets.click_plan import Facet, State
from hpc_explorer.query.facets.options import Page
from hpc_explorer.query.facets.suggestions import solution_count
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.stores.base import NO_LIMITS, CancelToken, Count, Limits
from tests.helpers.sessions import session_of


@pytest.fixture(params=["in memory", "workspace"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Session]:
    name = "sample:xplacer"
    if request.param == "workspace":
        name = str(tmp_path / "workspace")
        load_into(Path(name), ["sample:xplacer"])
    session = session_of(name)
    yield session
    session.close()


MODELS = new_query(HPC.AIModel, name="model")


@pytest.mark.parametrize("limits", [NO_LIMITS, Limits(cancel=CancelToken())])
def test_a_click_names_what_it_tells(session: Session, limits: Limits) -> None:
    found: dict[Facet, NamedFacet] = {}

    def tell(part: NamedFacet) -> None:
        found[part.result.facet] = part

    facets_of(session, MODELS.query, MODELS.focus, tell, limits=limits)
    assert {part.result.state for part in found.values()} == {State.READY}
    assert found[Facet.COUNT].result.value == Count(3)
    properties = found[Facet.PROPERTIES]
    assert isinstance(properties.result.value, Page)
    assert properties.refs[HPC.targetMachine].label == "target machine"
    values = found[Facet.VALUES]
    assert isinstance(values.result.value, Page)
    assert {ref.label for ref in values.refs.values()} == {
        "decisionTree.onnx",
        "randomForest.onnx",
        "decisionTree-p100.onnx",
    }
    assert {ref.kind for ref in values.refs.values()} == {"AI model"}


def test_lists_are_searched_by_label(session: Session) -> None:
    classes = classes_in_focus(session, MODELS.query, MODELS.focus, search_for="model AI")
    assert [one.class_ for one in classes.options] == [HPC.AIModel]
    forward = Direction.FORWARD
    named = properties_in_focus(session, MODELS.query, MODELS.focus, forward, search_for="target mach")
    assert [(one.property, one.count) for one in named.options] == [(HPC.targetMachine, Count(3))]
    trees = values_in_focus(session, MODELS.query, MODELS.focus, search_for="decisionTree")
    assert len(trees.options) == 2
    label = with_property(MODELS, HPC.name, forward, name="name")
    assert len(values_in_focus(session, label.query, label.focus, search_for="DECISION").options) == 2
    assert not values_in_focus(session, label.query, label.focus, search_for="no such thing").options


def test_numbers_are_shown_in_bins_and_rows_are_counted(session: Session) -> None:
    accuracy = with_property(MODELS, HPC.accuracy, Direction.FORWARD, name="accuracy")
    bins = values_as_bins(session, accuracy.query, accuracy.focus)
    assert bins is not None
    assert bins.kind in (ScaleKind.NUMBERS, ScaleKind.QUANTITIES)
    assert sum(one.count for one in bins.bins) == bins.total.value == 2
    assert solution_count(facet_store(session), accuracy.query) == Count(2)


def test_what_empties_a_query_is_told(session: Session) -> None:
    query = query_model("SELECT * WHERE { ?m a hpc:AIModel . ?m hpc:colour ?colour }", session.prefixes)
    assert [(one.place, one.count) for one in what_empties(session, query) if one.helps] == [((1,), Count(3))]


def test_nobody_waits_for_a_click_that_was_taken_back(session: Session) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        facets_of(session, MODELS.query, MODELS.focus, lambda part: None, limits=Limits(cancel=cancel))
