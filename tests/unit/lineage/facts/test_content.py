"""The same content under two names: joined by checksums that were recorded, and by nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.lineage.facts.content import ALGORITHMS, SameContent, algorithms_of
from hpc_explorer.lineage.impact.impact import impact
from hpc_explorer.lineage.trace.backbone import backbone
from hpc_explorer.lineage.trace.path import derivation_path
from hpc_explorer.lineage.trace.trace import Direction, Lineage, Stop, trace
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY, Relation
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of

WFRUN = "https://w3id.org/ro/terms/workflow-run#"
A, B = "ab" * 32, "cd" * 32
EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

TWO_RECORDS = (
    f'ex:copy prov:wasGeneratedBy ex:first . ex:first prov:used ex:raw . ex:copy <{WFRUN}sha256> "{A}" .',
    f'ex:model prov:wasGeneratedBy ex:second . ex:second prov:used ex:input . ex:input schema:sha256 "{A.upper()}" .',
)
"""One run made a file, and another used it; each record has its own name for it."""


def joined(
    store: LocalStore, start: str, direction: Direction = Direction.UPSTREAM, depth: int | None = None
) -> Lineage:
    return trace(store, ex(start), LINEAGE_VOCABULARY, direction=direction, depth=depth, content=SameContent(store))


def names(lineage: Lineage) -> set[str]:
    return {node.value.rsplit("/", 1)[1] for node in lineage.nodes if isinstance(node, NamedNode)}


def matched(lineage: Lineage) -> list[tuple[str, str]]:
    return [
        (str(edge.effect.value).rsplit("/", 1)[1], str(edge.cause.value).rsplit("/", 1)[1])
        for edge in lineage.edges
        if edge.origin is Origin.MATCHED
    ]


def pairs(turtle: str, start: str = "a") -> set[str]:
    found = SameContent(store_of(turtle)).of([ex(start)])
    return {str(other.value).rsplit("/", 1)[1] for _, other in found}


def test_a_trace_goes_on_in_another_record() -> None:
    store = store_of(*TWO_RECORDS)
    assert names(trace(store, ex("model"), LINEAGE_VOCABULARY)) == {"model", "second", "input"}
    lineage = joined(store, "model")
    assert names(lineage) == {"model", "second", "input", "copy", "first", "raw"}
    assert matched(lineage) == [("input", "copy")]
    assert [node.resource for node in lineage.ends()] == [ex("raw")]
    edge = next(edge for edge in lineage.edges if edge.origin is Origin.MATCHED)
    assert edge.relation is Relation.SAME_CONTENT
    assert algorithms_of(edge) == ("sha256",)
    # What stands behind it are the two statements as they are in the graph.
    assert {quad.subject for quad in edge.evidence} == {ex("input"), ex("copy")}
    assert set(edge.evidence) <= set(store.match())


def test_downstream_a_path_and_an_impact_go_on_too() -> None:
    store = store_of(*TWO_RECORDS)
    lineage = joined(store, "raw", Direction.DOWNSTREAM)
    assert names(lineage) == {"model", "second", "input", "copy", "first", "raw"}
    assert matched(lineage) == [("input", "copy")]
    assert derivation_path(store, ex("model"), ex("raw"), LINEAGE_VOCABULARY) is None
    steps = derivation_path(store, ex("model"), ex("raw"), LINEAGE_VOCABULARY, content=SameContent(store))
    assert steps is not None
    assert [step.origin for step in steps].count(Origin.MATCHED) == 1
    assert impact(store, ex("raw"), LINEAGE_VOCABULARY, [ex("model")]) == ()
    (reached,) = impact(store, ex("raw"), LINEAGE_VOCABULARY, [ex("model")], content=SameContent(store))
    assert reached.distance == 5
    assert [step.origin for step in reached.path].count(Origin.MATCHED) == 1


cased = st.tuples(st.booleans(), st.booleans()).map(lambda upper: "".join(("AB", "ab")[not big] for big in upper) * 16)


@given(st.lists(cased, min_size=2, max_size=5))
def test_letters_of_any_case_spell_one_digest(digests: list[str]) -> None:
    turtle = " ".join(f'ex:n{at} schema:sha256 "{text}" .' for at, text in enumerate(digests))
    assert pairs(turtle, "n0") == {f"n{at}" for at in range(1, len(digests))}
    assert "n0" in pairs(turtle, "n1")


def test_the_depth_counts_the_step_and_says_what_is_beyond() -> None:
    lineage = joined(store_of(*TWO_RECORDS), "model", depth=2)
    assert names(lineage) == {"model", "second", "input"}
    assert lineage.nodes[ex("input")].stop is Stop.DEPTH
    assert "copy" in names(joined(store_of(*TWO_RECORDS), "model", depth=3))


@pytest.mark.parametrize(
    "turtle",
    [
        f'ex:a <{WFRUN}sha256> "" . ex:b <{WFRUN}sha256> "" .',
        f'ex:a <{WFRUN}sha256> "abcd" . ex:b <{WFRUN}sha256> "abcd" .',
        f'ex:a <{WFRUN}sha256> "{"xy" * 32}" . ex:b <{WFRUN}sha256> "{"xy" * 32}" .',
        f'ex:a <{WFRUN}sha256> "{EMPTY_SHA256}" . ex:b <{WFRUN}sha256> "{EMPTY_SHA256}" .',
        f'ex:a <{WFRUN}sha256> "{A}" . ex:b <{WFRUN}sha512> "{A}" .',
        f'ex:a <{WFRUN}sha256> "{A}" . ex:b <{WFRUN}sha256> "{B}" .',
        f'ex:a rdfs:label "{A}" . ex:b rdfs:label "{A}" .',
        f'ex:a prov:value "{A}" . ex:b prov:value "{A}" .',
        f'ex:a <http://spdx.org/rdf/terms#checksumValue> "{A}" . ex:b <{WFRUN}sha256> "{A}" .',
        f"ex:a <{WFRUN}sha256> <urn:x:{A}> . ex:b <{WFRUN}sha256> <urn:x:{A}> .",
    ],
)
def test_nothing_else_is_the_same_content(turtle: str) -> None:
    assert pairs(turtle) == set()


def test_a_digest_is_found_in_either_case_and_as_binary() -> None:
    for other in (f'"{A}"', f'"{A.upper()}"', f'"{A}"^^xsd:hexBinary', f'"{A}"^^xsd:string'):
        assert pairs(f'ex:a <{WFRUN}sha256> "{A}" . ex:b schema:sha256 {other} .') == {"b"}
    assert pairs(f'ex:a hpc:md5 "{"0f" * 16}" . ex:b <{WFRUN}md5> "{"0F" * 16}" .') == {"b"}


def test_the_same_file_in_two_sources_is_no_pair() -> None:
    store = store_of(f'ex:a schema:sha256 "{A}" .', f'ex:a schema:sha256 "{A}" .')
    assert SameContent(store).of([ex("a")]) == {}


def test_what_a_step_states_is_not_matched_as_well() -> None:
    told = f'ex:a schema:sha256 "{A}" ; prov:wasDerivedFrom ex:b . ex:b schema:sha256 "{A}" .'
    lineage = joined(store_of(told), "a")
    assert [edge.origin for edge in lineage.edges] == [Origin.ASSERTED]


def test_a_matched_way_makes_no_stated_link_a_shortcut() -> None:
    told = (
        f'ex:a schema:sha256 "{A}" ; prov:wasDerivedFrom ex:c . ex:b schema:sha256 "{A}" ; prov:wasDerivedFrom ex:c .'
    )
    lineage = joined(store_of(told), "a")
    assert set(backbone(lineage).edges) == set(lineage.edges)
    assert len(lineage.edges) == 3


def test_many_copies_are_joined_once_each() -> None:
    copies = "".join(f'ex:n{number} schema:sha256 "{A}" .' for number in range(20))
    for direction in Direction:
        lineage = joined(store_of(copies), "n3", direction)
        assert len(lineage.nodes) == 20
        assert len(lineage.edges) == 19


_NODES = st.integers(0, 7)
_STEPS = st.lists(
    st.tuples(_NODES, st.sampled_from(("wasDerivedFrom", "wasInformedBy", "wasGeneratedBy")), _NODES), max_size=12
)
_SUMS = st.lists(st.tuples(_NODES, st.sampled_from(sorted(ALGORITHMS, key=str)), st.integers(0, 2)), max_size=8)
_LENGTHS = {"md5": 16, "sha1": 20, "sha256": 32, "sha512": 64}


def graph(steps: list[tuple[int, str, int]], sums: list[tuple[int, NamedNode, int]]) -> LocalStore:
    lines = [f"ex:n{effect} prov:{predicate} ex:n{cause} ." for effect, predicate, cause in steps]
    for node, predicate, content in sums:
        lines.append(f'ex:n{node} {predicate} "{f"{content}a" * _LENGTHS[ALGORITHMS[predicate]]}" .')
    return store_of("\n".join(lines))


@given(_STEPS, _SUMS)
def test_without_it_nothing_changes_and_with_it_what_is_stated_stays(
    steps: list[tuple[int, str, int]], sums: list[tuple[int, NamedNode, int]]
) -> None:
    for direction in Direction:
        plain = trace(graph(steps, []), ex("n0"), LINEAGE_VOCABULARY, direction=direction)
        store = graph(steps, sums)
        assert trace(store, ex("n0"), LINEAGE_VOCABULARY, direction=direction) == plain
        lineage = joined(store, "n0", direction)
        assert plain.nodes.keys() <= lineage.nodes.keys()
        assert set(plain.edges) <= set(lineage.edges)
        assert len(matched(lineage)) < len(lineage.nodes)


@given(_STEPS, _SUMS)
def test_upstream_of_downstream_contains_the_start_and_the_impact_is_the_same(
    steps: list[tuple[int, str, int]], sums: list[tuple[int, NamedNode, int]]
) -> None:
    store = graph(steps, sums)
    below = joined(store, "n0", Direction.DOWNSTREAM)
    for resource in below.nodes:
        assert ex("n0") in joined(store, str(resource.value).rsplit("/", 1)[1]).nodes
    targets = [ex(f"n{number}") for number in range(1, 8)]
    reached = impact(store, ex("n0"), LINEAGE_VOCABULARY, targets, content=SameContent(store))
    assert {one.resource for one in reached} == set(below.nodes) - {ex("n0")}
