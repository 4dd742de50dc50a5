"""What is derived from a slow endpoint: made once, and nobody has to wait for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from hpc_explorer.app.explore.classes import class_tree
from hpc_explorer.app.explore.finding import search
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled, DeadlineExceeded
from hpc_explorer.stores.base import CancelToken, Limits
from tests.helpers.sessions import session_of
from tests.helpers.slow_endpoint import SlowEndpoint, slow_endpoint

THING = "<urn:x:one> a <urn:x:Thing> ; <http://www.w3.org/2000/01/rdf-schema#label> 'early bird specimen' ."


@pytest.fixture
def endpoint(request: pytest.FixtureRequest) -> Iterator[SlowEndpoint]:
    with slow_endpoint(request.param) as running:
        running.insert(THING)
        yield running


@pytest.fixture
def session(endpoint: SlowEndpoint, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setenv("HPC_EXPLORER_CACHE", "off")
    opened = session_of(endpoint.address)
    yield opened
    opened.close()


@pytest.mark.parametrize("endpoint", ["GROUP_CONCAT"], indirect=True)
def test_who_waits_for_what_another_thread_makes_can_stop(session: Session, endpoint: SlowEndpoint) -> None:
    made = []
    maker = threading.Thread(target=lambda: made.append(session.usage()))
    maker.start()
    try:
        assert endpoint.held.wait(60)
        with pytest.raises(DeadlineExceeded):
            session.usage(limits=Limits.seconds(0.2))
        with pytest.raises(DeadlineExceeded):
            class_tree(session, limits=Limits.seconds(0.2))
    finally:
        endpoint.go_on.set()
        maker.join()
    assert made == [session.usage()]


@pytest.mark.parametrize("endpoint", ["early"], indirect=True)
def test_a_search_ends_with_the_limits_of_the_one_who_searches(session: Session, endpoint: SlowEndpoint) -> None:
    class_tree(session)
    with pytest.raises(DeadlineExceeded):
        session.label_index().search("early", 10, limits=Limits.seconds(0.2))
    token = CancelToken()
    threading.Timer(0.2, token.cancel).start()
    with pytest.raises(Cancelled):
        search(session, "early", limits=Limits(cancel=token))
    assert not endpoint.answered, "nobody waited for the server"
    endpoint.go_on.set()
    assert [hit.ref.label for hit in search(session, "early").hits] == ["early bird specimen"]


@pytest.mark.parametrize("endpoint", ["COUNT(*)"], indirect=True)
def test_counting_an_endpoint_ends_with_the_limits_of_the_one_who_asks(
    endpoint: SlowEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HPC_EXPLORER_CACHE", "off")
    session = Session.new()
    with pytest.raises(DeadlineExceeded):
        open_sources(session, [endpoint.address], limits=Limits.seconds(2))
    assert not endpoint.answered, "nobody waited for the server"
    session.close()


def test_limits_within_others() -> None:
    token = CancelToken()
    now = time.monotonic()
    assert Limits(now + 5, token).within(60) == Limits(now + 5, token)
    shorter = Limits(now + 60, token).within(5)
    assert shorter.cancel is token
    assert shorter.deadline is not None
    assert now + 5 <= shorter.deadline < now + 30
    assert Limits().within(5).deadline is not None
