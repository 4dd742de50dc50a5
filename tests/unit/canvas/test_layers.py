"""The steps of the layered layout, each against the plainest way of doing the same."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hpc_explorer.canvas.layout.layers import Layering, components, with_dummies, without_cycles, wrapped
from hpc_explorer.canvas.layout.order import crossings, reduce_crossings
from hpc_explorer.canvas.layout.order_arrays import reduce_crossings_in_arrays
from hpc_explorer.canvas.layout.place import heights, low_heights
from hpc_explorer.canvas.layout.ranking import assign_layers, longest_path
from hpc_explorer.canvas.layout.segments import inversions


@st.composite
def graphs(draw: st.DrawFn, most: int = 14) -> tuple[int, list[tuple[int, int]]]:
    count = draw(st.integers(1, most))
    vertex = st.integers(0, count - 1)
    return count, draw(st.lists(st.tuples(vertex, vertex), max_size=3 * count))


@st.composite
def connected(draw: st.DrawFn, most: int = 12) -> tuple[int, list[tuple[int, int]]]:
    """A connected acyclic graph."""
    count = draw(st.integers(1, most))
    edges = [(draw(st.integers(0, at - 1)), at) for at in range(1, count)]
    vertex = st.integers(0, count - 1)
    more = draw(st.lists(st.tuples(vertex, vertex), max_size=2 * count))
    return count, sorted({*edges, *((a, b) for a, b in more if a < b)})


def layered(count: int, edges: list[tuple[int, int]]) -> Layering:
    return with_dummies(count, edges, assign_layers(count, edges))


@given(graphs())
def test_breaking_cycles_leaves_an_order_and_loses_no_edge(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    acyclic = without_cycles(count, edges)
    layer = longest_path(count, acyclic)
    assert all(layer[left] < layer[right] for left, right in acyclic)
    assert {frozenset(edge) for edge in acyclic} == {frozenset(edge) for edge in edges if edge[0] != edge[1]}


@given(connected())
def test_an_acyclic_graph_keeps_every_edge_as_it_is(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    assert without_cycles(count, edges) == edges


def test_a_cycle_is_broken_at_one_edge() -> None:
    ring = [(at, (at + 1) % 5) for at in range(5)]
    kept = set(without_cycles(5, ring)) & set(ring)
    assert len(kept) == 4


@given(connected(most=6))
def test_the_layers_make_the_edges_as_short_as_can_be(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    layer = assign_layers(count, edges)
    assert min(layer) == 0
    assert all(layer[left] < layer[right] for left, right in edges)
    shortest = min(
        sum(trial[right] - trial[left] for left, right in edges)
        for trial in itertools.product(range(count), repeat=count)
        if all(trial[left] < trial[right] for left, right in edges)
    )
    assert sum(layer[right] - layer[left] for left, right in edges) == shortest


def test_a_graph_in_two_parts_cannot_be_ranked() -> None:
    with pytest.raises(ValueError, match="not connected"):
        assign_layers(4, [(0, 1), (2, 3)])
    assert components(4, [(2, 3), (0, 1)]) == [[0, 1], [2, 3]]


@given(connected())
def test_edges_run_over_one_dummy_in_each_layer_between(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    layering = layered(count, edges)
    assert set(layering.chains) == set(edges)
    for (left, right), chain in layering.chains.items():
        assert (chain[0], chain[-1]) == (left, right)
        assert all(layering.is_dummy(vertex) for vertex in chain[1:-1])
        at = [layering.layer_of[vertex] for vertex in chain]
        assert at == list(range(at[0], at[-1] + 1))


@given(connected(), st.randoms(use_true_random=False))
def test_crossings_are_counted_as_pairs_of_segments_that_cross(
    graph: tuple[int, list[tuple[int, int]]], shuffle: random.Random
) -> None:
    layering = layered(*graph)
    for layer in layering.layers:
        shuffle.shuffle(layer)
    plain = 0
    for at in range(len(layering.layers) - 1):
        left = {vertex: place for place, vertex in enumerate(layering.layers[at])}
        right = {vertex: place for place, vertex in enumerate(layering.layers[at + 1])}
        segments = [(left[vertex], right[end]) for vertex in layering.layers[at] for end in layering.after[vertex]]
        plain += sum((a - c) * (b - d) < 0 for (a, b), (c, d) in itertools.combinations(segments, 2))
    assert crossings(layering) == plain


@given(connected())
def test_reducing_crossings_keeps_the_vertices_and_never_makes_more(graph: tuple[int, list[tuple[int, int]]]) -> None:
    layering = layered(*graph)
    before, members = crossings(layering), [sorted(layer) for layer in layering.layers]
    left = reduce_crossings(layering)
    assert left == crossings(layering)
    assert left <= before
    assert [sorted(layer) for layer in layering.layers] == members


def test_a_planar_ladder_ends_without_crossings() -> None:
    rungs = [(2 * at, 2 * at + 2) for at in range(10)] + [(2 * at + 1, 2 * at + 3) for at in range(10)]
    rungs += [(2 * at, 2 * at + 3) for at in range(10)]
    layering = layered(22, without_cycles(22, [*rungs, (0, 1)]))
    for layer in layering.layers:
        layer.reverse()
    assert reduce_crossings(layering) == 0


@given(connected(most=20), st.integers(1, 4))
def test_wrapped_columns_are_low_and_edges_still_lead_right(
    graph: tuple[int, list[tuple[int, int]]], tallest: int
) -> None:
    layering = layered(*graph)
    reduce_crossings(layering)
    low = wrapped(layering, tallest)
    for layer in low.layers:
        assert sum(not low.is_dummy(vertex) for vertex in layer) <= tallest
    assert sorted(vertex for layer in low.layers for vertex in layer) == list(range(len(low.layer_of)))
    for edge, chain in low.chains.items():
        assert (chain[0], chain[-1]) == edge
        at = [low.layer_of[vertex] for vertex in chain]
        assert at == list(range(at[0], at[-1] + 1))
        assert all(right in low.after[left] for left, right in itertools.pairwise(chain))


@given(connected(most=20), st.integers(1, 5))
def test_vertices_of_a_column_keep_their_order_and_distance(
    graph: tuple[int, list[tuple[int, int]]], tallest: int
) -> None:
    layering = layered(*graph)
    reduce_crossings(layering)
    layering = wrapped(layering, tallest)

    def room(upper: int, lower: int) -> float:
        return 10.0 + upper % 5 + lower % 3

    gaps = [[room(upper, lower) for upper, lower in itertools.pairwise(layer)] for layer in layering.layers]
    for y in (heights(layering, gaps), low_heights(layering, gaps)):
        for layer in layering.layers:
            for upper, lower in itertools.pairwise(layer):
                assert y[lower] - y[upper] >= room(upper, lower) - 1e-6


def test_a_long_edge_is_straight_where_nothing_is_in_its_way() -> None:
    layering = layered(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)])
    reduce_crossings(layering)
    y = heights(layering, [[10.0] * (len(layer) - 1) for layer in layering.layers])
    chain = layering.chains[(0, 4)]
    assert len({y[vertex] for vertex in chain[1:-1]}) == 1


@given(connected(most=20))
def test_arrays_reduce_crossings_too_and_count_them_alike(graph: tuple[int, list[tuple[int, int]]]) -> None:
    layering = layered(*graph)
    members = [sorted(layer) for layer in layering.layers]
    shown: list[int] = []
    left = reduce_crossings_in_arrays(layering, improved=lambda: shown.append(crossings(layering)))
    assert left == crossings(layering)
    assert left <= shown[0]
    assert [sorted(layer) for layer in layering.layers] == members


def test_arrays_cross_no_more_than_the_plain_way_where_both_can_be_used() -> None:
    graph = mesh_edges(90)
    plain, arrays = layered(90, graph), layered(90, graph)
    assert reduce_crossings_in_arrays(arrays) <= 1.05 * reduce_crossings(plain)


def mesh_edges(count: int) -> list[tuple[int, int]]:
    return sorted(
        {(at * 7 % at, at) for at in range(1, count)}
        | {(at // 2, at) for at in range(2, count)}
        | {(at - 1 - at * 5 % min(at, 9), at) for at in range(1, count)}
    )


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 3)), max_size=40))
def test_inversions_are_counted_as_pairs(pairs: list[tuple[int, int]]) -> None:
    import numpy as np

    plain = sum(one[1] * other[1] for one, other in itertools.combinations(pairs, 2) if one[0] > other[0])
    values, weights = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    assert inversions(values, weights) == plain


@given(connected(most=20))
def test_edges_share_the_way_they_are_told_to(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    layer_of = assign_layers(count, edges)
    layering = with_dummies(count, edges, layer_of, {edge: edge[0] for edge in edges})
    passing = {(edge[0], vertex) for edge, chain in layering.chains.items() for vertex in chain[1:-1]}
    dummies = len(layering.layer_of) - count
    farthest = {left: max(layer_of[b] for a, b in edges if a == left) for left, _ in edges}
    assert len(passing) == dummies == sum(far - layer_of[left] - 1 for left, far in farthest.items())


@pytest.mark.parametrize("reduce", [reduce_crossings, reduce_crossings_in_arrays])
@given(connected(most=14))
def test_no_vertex_has_a_better_place_in_its_layer(
    reduce: Callable[[Layering], int], graph: tuple[int, list[tuple[int, int]]]
) -> None:
    layering = layered(*graph)
    left = reduce(layering)
    for layer in layering.layers:
        order = list(layer)
        for vertex, place in itertools.product(order, range(len(order))):
            layer.remove(vertex)
            layer.insert(place, vertex)
            assert crossings(layering) >= left
            layer[:] = order


@pytest.mark.parametrize("reduce", [reduce_crossings, reduce_crossings_in_arrays])
def test_small_graphs_get_the_fewest_crossings_that_are_possible(reduce: Callable[[Layering], int]) -> None:
    chance = random.Random(1)
    for _ in range(25):
        layer_of = [at for at in range(4) for _ in range(chance.randint(2, 3))]
        pairs = itertools.combinations(range(len(layer_of)), 2)
        edges = [(a, b) for a, b in pairs if layer_of[b] - layer_of[a] == 1 and chance.random() < 0.5]
        layering = with_dummies(len(layer_of), edges, layer_of)
        every = itertools.product(*map(itertools.permutations, layering.layers))
        fewest = min(crossings(replace(layering, layers=[list(order) for order in orders])) for orders in every)
        assert reduce(layering) == crossings(layering) == fewest


@given(connected(most=20))
def test_low_heights_are_as_near_to_their_neighbours_as_the_room_allows(
    graph: tuple[int, list[tuple[int, int]]],
) -> None:
    layering = layered(*graph)
    reduce_crossings(layering)
    gaps = spread(layering)
    y = low_heights(layering, gaps)
    # The layer that was placed last: what stands close together is, all in all, as high as its neighbours are.
    first = layering.layers[0]
    group: list[float] = []
    for vertex, room in zip(first, [*gaps[0], 0.0], strict=True):
        ends = layering.after[vertex]
        group.append(sum(y[end] for end in ends) / len(ends) - y[vertex] if ends else 0.0)
        below = first[first.index(vertex) + 1] if vertex != first[-1] else None
        if below is None or y[below] - y[vertex] > room + 1e-6:
            assert sum(group) == pytest.approx(0.0, abs=1e-6)
            # None would come nearer by leaving the others upwards or downwards.
            assert all(sum(group[:at]) >= -1e-6 for at in range(len(group)))
            group = []


def spread(layering: Layering) -> list[list[float]]:
    """Distances that hang on the two vertices, whichever is above."""
    return [[10.0 + upper % 5 + lower % 5 for upper, lower in itertools.pairwise(layer)] for layer in layering.layers]


@pytest.mark.parametrize("way", ["alone", "from the left", "from the right"])
@given(connected())
def test_long_edges_are_straight_between_their_ends(way: str, graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    end = {"alone": None, "from the left": 0, "from the right": 1}[way]
    shared = None if end is None else {edge: edge[end] for edge in edges}
    layering = with_dummies(count, edges, assign_layers(count, edges), shared)
    reduce_crossings(layering)
    place = {vertex: at for layer in layering.layers for at, vertex in enumerate(layer)}
    y = heights(layering, spread(layering))
    inner = {pair for chain in layering.chains.values() for pair in itertools.pairwise(chain[1:-1])}
    for (a, b), (c, d) in itertools.combinations(inner, 2):
        assume(layering.layer_of[a] != layering.layer_of[c] or (place[a] - place[c]) * (place[b] - place[d]) > 0)
    for left, right in inner:
        assert y[left] == pytest.approx(y[right])


@given(connected())
def test_upside_down_and_from_the_right_the_heights_are_the_same(graph: tuple[int, list[tuple[int, int]]]) -> None:
    layering = layered(*graph)
    reduce_crossings(layering)
    y = heights(layering, spread(layering))
    turned = replace(layering, layers=[layer[::-1] for layer in layering.layers])
    below = heights(turned, spread(turned))
    assert [one - other for one, other in itertools.pairwise(y)] == pytest.approx(
        [other - one for one, other in itertools.pairwise(below)]
    )
    mirrored = replace(layering, layers=layering.layers[::-1], before=layering.after, after=layering.before)
    across = heights(mirrored, spread(mirrored))
    assert [one - other for one, other in itertools.pairwise(y)] == pytest.approx(
        [one - other for one, other in itertools.pairwise(across)]
    )
