"""The graph as it was: by recorded times, by those of activities, with what is undated kept and marked."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import UsageError
from hpc_explorer.lineage.time.as_of import Moment, State, moment_of, read_moment
from hpc_explorer.lineage.trace.trace import Direction, Lineage, Stop, trace
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of

LIFE = """
ex:run prov:startedAtTime "2024-03-01T08:00:00Z"^^xsd:dateTime ; prov:endedAtTime "2024-03-03T08:00:00Z"^^xsd:dateTime ;
    prov:used ex:data , ex:folklore .
ex:data prov:generatedAtTime "2024-02-01T00:00:00Z"^^xsd:dateTime ; prov:wasDerivedFrom ex:raw .
ex:raw prov:qualifiedGeneration [ prov:atTime "2024-01-01T00:00:00Z"^^xsd:dateTime ] ;
    prov:invalidatedAtTime "2024-02-15T00:00:00Z"^^xsd:dateTime .
ex:epoch prov:wasInformedBy ex:run .
ex:model prov:wasGeneratedBy ex:epoch . ex:report prov:wasGeneratedBy ex:run .
"""


def at(text: str) -> datetime:
    return read_moment(text)


def states(text: str) -> dict[str, State]:
    names = ("run", "data", "raw", "folklore", "epoch", "model", "report")
    known = Moment(store_of(LIFE), LINEAGE_VOCABULARY, at(text)).states([ex(name) for name in names])
    return {name: known[ex(name)] for name in names}


def test_what_was_there() -> None:
    before = states("2024-01-20")
    assert before["raw"] is State.THERE
    assert {name for name, state in before.items() if state is State.NOT_YET} == {
        *("run", "data", "epoch", "model", "report")
    }
    during = states("2024-03-02")
    assert during["raw"] is State.INVALIDATED
    assert {during[name] for name in ("report", "epoch", "model", "folklore")} == {State.UNDATED}
    assert states("2024-03-04")["report"] is State.THERE


def test_a_lineage_as_of() -> None:
    store = store_of(LIFE)

    def nodes(text: str) -> set[str]:
        moment = Moment(store, LINEAGE_VOCABULARY, at(text))
        lineage = trace(store, ex("raw"), LINEAGE_VOCABULARY, direction=Direction.DOWNSTREAM, presence=moment)
        return {node.value.rsplit("/", 1)[1] for node in lineage.nodes if isinstance(node, NamedNode)}

    assert nodes("2024-01-20") == {"raw"}
    assert nodes("2024-02-20") == {"raw", "data"}
    assert nodes("2024-03-02") == {"raw", "data", "run", "epoch", "model", "report"}
    early = trace(store, ex("model"), LINEAGE_VOCABULARY, presence=Moment(store, LINEAGE_VOCABULARY, at("2024-01-20")))
    assert early.nodes[ex("model")].stop is Stop.NOT_YET


def test_a_date_means_its_whole_day() -> None:
    assert read_moment("2024-03-01") == datetime(2024, 3, 2, tzinfo=UTC) - timedelta(microseconds=1)
    assert read_moment("2024-03-01T12:00:00+02:00") == datetime(2024, 3, 1, 10, tzinfo=UTC)
    with pytest.raises(UsageError, match="not a moment"):
        read_moment("last March")
    assert moment_of(Literal("in spring")) is None


_DAYS = st.integers(0, 30)
_STEPS = st.lists(
    st.tuples(
        st.integers(0, 7), st.sampled_from(("wasDerivedFrom", "wasInformedBy", "wasGeneratedBy")), st.integers(0, 7)
    ),
    max_size=16,
)
_TIMES = st.dictionaries(st.integers(0, 7), _DAYS)
_FIRST = datetime(2024, 3, 1, tzinfo=UTC)


def graph(steps: list[tuple[int, str, int]], times: dict[int, int]) -> LocalStore:
    lines = [f"ex:n{effect} prov:{predicate} ex:n{cause} ." for effect, predicate, cause in steps]
    for node, day in times.items():
        stamp = (_FIRST + timedelta(days=day)).isoformat()
        lines.append(f'ex:n{node} prov:generatedAtTime "{stamp}"^^xsd:dateTime .')
    return store_of("\n".join(lines))


def as_of(store: LocalStore, day: int, direction: Direction = Direction.UPSTREAM) -> Lineage:
    moment = Moment(store, LINEAGE_VOCABULARY, _FIRST + timedelta(days=day))
    return trace(store, ex("n0"), LINEAGE_VOCABULARY, direction=direction, presence=moment)


@given(_STEPS, _TIMES, _DAYS, _DAYS, st.sampled_from(Direction))
def test_as_of_grows_with_time_and_ends_at_now(
    steps: list[tuple[int, str, int]], times: dict[int, int], one: int, other: int, direction: Direction
) -> None:
    store = graph(steps, times)
    earlier, later = sorted((one, other))
    before, after = as_of(store, earlier, direction), as_of(store, later, direction)
    assert before.nodes.keys() <= after.nodes.keys()
    assert {edge.evidence for edge in before.edges} <= {edge.evidence for edge in after.edges}
    assert as_of(store, 31, direction) == trace(store, ex("n0"), LINEAGE_VOCABULARY, direction=direction)


@given(_STEPS)
def test_upstream_of_downstream_contains_the_start(steps: list[tuple[int, str, int]]) -> None:
    store = graph(steps, {})
    for resource in trace(store, ex("n0"), LINEAGE_VOCABULARY, direction=Direction.DOWNSTREAM).nodes:
        assert ex("n0") in trace(store, resource, LINEAGE_VOCABULARY).nodes
