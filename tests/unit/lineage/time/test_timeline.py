"""A timeline says of each moment what asking as of that moment says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.lineage.time.as_of import Moment, State
from hpc_explorer.lineage.time.timeline import timeline
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, store_of

DAY = datetime(2024, 1, 1, tzinfo=UTC)
NAMES = [f"n{number}" for number in range(7)]
TIMES = ("startedAtTime", "endedAtTime", "generatedAtTime", "invalidatedAtTime")
LINKS = ("wasGeneratedBy", "wasInformedBy", "wasDerivedFrom", "used")


def day(number: int) -> datetime:
    return DAY + timedelta(days=number)


timed = st.tuples(st.sampled_from(NAMES), st.sampled_from(TIMES), st.integers(0, 8))
linked = st.tuples(st.sampled_from(NAMES), st.sampled_from(LINKS), st.sampled_from(NAMES))


@examples(150)
@given(st.lists(timed, max_size=7), st.lists(linked, max_size=12))
def test_it_says_what_each_moment_says(times: list[tuple[str, str, int]], links: list[tuple[str, str, str]]) -> None:
    text = "".join(
        f'ex:{name} prov:{what} "{day(number).isoformat()}"^^xsd:dateTime .\n' for name, what, number in times
    )
    text += "".join(f"ex:{one} prov:{what} ex:{other} .\n" for one, what, other in links)
    store = store_of(text)
    resources = [ex(name) for name in NAMES]
    found = timeline(store, resources, LINEAGE_VOCABULARY)
    for number in range(-1, 10):
        at = day(number)
        known = Moment(store, LINEAGE_VOCABULARY, at).states(resources)
        assert {one: found.state(one, at) for one in resources} == {one: known[one] for one in resources}, at


def test_its_moments_are_those_of_the_resources_each_once() -> None:
    store = store_of("""
ex:run prov:startedAtTime "2024-01-02T00:00:00Z"^^xsd:dateTime ; prov:endedAtTime "2024-01-04T00:00:00Z"^^xsd:dateTime .
ex:model prov:wasGeneratedBy ex:run ; prov:invalidatedAtTime "2024-01-04T00:00:00Z"^^xsd:dateTime .
""")
    found = timeline(store, [ex("run"), ex("model")], LINEAGE_VOCABULARY)
    assert found.moments == (day(1), day(3))
    assert [found.step(day(number)) for number in (0, 1, 2, 3)] == [0, 1, 1, 2]
    assert found.state(ex("model"), day(0)) is State.NOT_YET
    assert found.state(ex("model"), day(2)) is State.UNDATED
    assert found.state(ex("model"), day(3)) is State.INVALIDATED
