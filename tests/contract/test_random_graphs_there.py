"""On random graphs, what is found over a server is what is found in a file with the same statements."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hpc_explorer.app.fair.assessing import assess_resource, plan_for, repairs_for
from hpc_explorer.app.lineage.comparing import Comparison, compare_resources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.syntax.formats import N_QUADS
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.contract.conftest import insertion
from tests.helpers.counting_relay import counting_relay
from tests.helpers.graphs import ex, text_of
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.random_provenance import random_provenance
from tests.helpers.sessions import session_of

GRAPHS = [1, 2, 3, 4, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(5, 40))]
"""The seeds of the graphs."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with oxigraph_server() as address:
        yield address


@contextmanager
def both(server: str, folder: Path, seed: int) -> Iterator[tuple[Session, Session, random.Random, list[NamedNode]]]:
    """A graph over the server and as a file, the dice that made it, and its resources."""
    dice = random.Random(seed)
    quads, resources = random_provenance(dice)
    file = folder / "graph.nq"
    file.write_text(text_of(quads, N_QUADS))
    store = RemoteStore(f"{server}/query", update_address=f"{server}/update")
    store.update("DROP ALL")
    store.update(insertion(quads))
    store.close()
    there, here = session_of(f"{server}/query"), session_of(file)
    yield there, here, dice, resources
    there.close()
    here.close()


def without_ways(found: Comparison) -> tuple[object, ...]:
    """Of several first places any is right."""
    return found.first, found.second, found.differences, found.aligned, found.unopened


@pytest.mark.parametrize("seed", GRAPHS)
def test_resources_are_compared_alike(server: str, tmp_path: Path, seed: int) -> None:
    with both(server, tmp_path, seed) as (there, here, dice, resources):
        for _ in range(6):
            first, second = dice.sample(resources, 2)
            assert without_ways(compare_resources(there, first, second)) == without_ways(
                compare_resources(here, first, second)
            )


def test_a_comparison_and_a_plan_ask_once_for_what_they_use_often(server: str, tmp_path: Path) -> None:
    with both(server, tmp_path, 1) as (_, _, _, _), counting_relay(f"{server}/query") as traffic:
        session = session_of(traffic.address)
        session.lineage_vocabulary()
        before = traffic.requests
        compare_resources(session, ex("activity3"), ex("activity4"))
        assert traffic.requests - before <= 14
        view = assess_resource(session, ex("thing3"))
        before = traffic.requests
        plan_for(session, view, 60.0)
        assert traffic.requests - before <= 6
        session.close()


@pytest.mark.parametrize("seed", GRAPHS[:6])
def test_what_is_fair_is_planned_alike(server: str, tmp_path: Path, seed: int) -> None:
    with both(server, tmp_path, seed) as (there, here, _, resources):
        resource = next(one for one in resources if "thing" in one.value)
        told = []
        for session in (there, here):
            view = assess_resource(session, resource)
            plan = plan_for(session, view, 60.0)
            words = [(step.words, step.gains, step.points) for step in plan.steps]
            told.append((view.score, [one.words for one in repairs_for(session, view)], words, plan.reaches))
        assert told[0] == told[1]
