"""Looking for a value among all properties of a variable."""

from __future__ import annotations

from hpc_explorer.query.building import Direction, FocusedQuery, new_query, with_property_value
from hpc_explorer.query.facets.value_search import ValueMatch, value_matches
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import Literal, Variable
from hpc_explorer.stores.base import Count
from tests.helpers.graphs import ex, store_of

STORE = store_of("""
ex:tahiti a hpc:GPU ; hpc:vendor "AMD" ; hpc:name "AMD Radeon" .
ex:vega a hpc:GPU ; hpc:vendor "AMD" ; hpc:name "AMD Vega" .
ex:v100 a hpc:GPU ; hpc:vendor "NVIDIA" ; hpc:name "Nvidia V100" .
ex:machine a hpc:Computer ; hpc:coProcessor ex:tahiti , ex:vega ; hpc:vendor "AMD Works" ; hpc:name "amd box" .
""")
GPUS = new_query(HPC.GPU, name="gpu")


def found(text: str, focused: FocusedQuery = GPUS, **more: object) -> tuple[ValueMatch, ...]:
    return value_matches(STORE, focused.query, focused.focus, text, **more)  # type: ignore[arg-type]


def test_literals_of_whatever_property_with_exact_counts() -> None:
    assert found("amd") == (
        ValueMatch(HPC.vendor, Direction.FORWARD, Literal("AMD"), Count(2)),
        ValueMatch(HPC.name, Direction.FORWARD, Literal("AMD Radeon"), Count(1)),
        ValueMatch(HPC.name, Direction.FORWARD, Literal("AMD Vega"), Count(1)),
    )
    assert found("amd", limit=1) == found("amd")[:1]


def test_resources_that_a_search_by_name_found_both_ways() -> None:
    assert found("box", named=[ex("machine"), HPC.GPU]) == (
        ValueMatch(HPC.coProcessor, Direction.BACKWARD, ex("machine"), Count(2)),
    )
    machines = new_query(HPC.Computer)
    assert found("vega", machines, named=[ex("vega")]) == (
        ValueMatch(HPC.coProcessor, Direction.FORWARD, ex("vega"), Count(1)),
    )


def test_no_text_or_nothing_in_focus_finds_nothing() -> None:
    assert found(" ") == ()
    assert found('"} #') == ()
    assert value_matches(STORE, QueryModel(), Variable("x"), "amd") == ()


def test_what_is_found_has_so_many_rows_when_it_is_asked_for() -> None:
    for match in (*found("amd"), *found("box", named=[ex("machine")])):
        step = with_property_value(GPUS, match.property, match.direction, match.value, name="it")
        rows = list(STORE.select(sparql_text(step.query)))
        assert len({row["gpu"] for row in rows}) == match.count.value
