"""Measures the layered layout beside graphviz's dot, where that is installed, and the force-directed one.

Crossings are counted in one way for all: each drawing's lines are followed as points in their real places, as `arrange`
returns them and as `dot -Tjson` writes its splines. At every `STEP` of the drawing's length the lines that pass are
sorted by height; two that change their order until the next step cross there.
"""

from __future__ import annotations

import json
import math
import random
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from results import busy, write_section

from hpc_explorer.canvas.card import footprint
from hpc_explorer.canvas.geometry import Curve, Point, Rect, point_along
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode

SIZES = (100, 300, 600, 1_000, 3_000, 10_000)
FORCE_SIZES = (300, 1_000, 5_000, 50_000)
DOT_UP_TO = 1_000
COUNTED_UP_TO = 3_000
STEP = 7.3

Line = list[tuple[float, float]]


# -- graphs


def _scene(count: int, edges: Sequence[tuple[int, int]], kinds: Sequence[str] = ("Dataset", "Activity")) -> Scene:
    nodes = tuple(SceneNode(f"n{at}", f"node number {at}", kinds[at % len(kinds)]) for at in range(count))
    return Scene(nodes, tuple(SceneEdge(f"n{a}", f"n{b}", "led to") for a, b in dict.fromkeys(edges)))


def training(count: int) -> Scene:
    """Learning runs as in PROV-ML: epochs in a chain, each with its model, scores, checks and batches."""
    chance = random.Random(count)
    edges: list[tuple[int, int]] = []
    number = 1
    while number < count:
        run, model = number, number + 1
        edges += [(0, model), (model, run)]
        number += 2
        for _ in range(20):
            epoch, trained = number, number + 1
            edges += [(run, epoch), (model, epoch), (epoch, trained), (model, trained)]
            number += 2
            for _ in range(chance.randrange(1, 4)):
                check, score = number, number + 1
                edges += [(trained, check), (run, check), (check, score)]
                number += 2
            for _ in range(chance.randrange(2, 8)):
                edges.append((epoch, number))
                number += 1
            model = trained
    return _scene(count, [(a, b) for a, b in edges if a < count and b < count])


def derived(count: int) -> Scene:
    """Each thing is derived from two of the thirty made before it."""
    chance = random.Random(count)
    return _scene(
        count,
        [(max(0, at - 1 - chance.randrange(30)), at) for at in range(1, count) for _ in range(2 if at > 1 else 1)],
    )


def random_layers(count: int) -> Scene:
    """About as many layers as nodes in each; twice as many edges as nodes, four of five to the next layer."""
    chance = random.Random(count)
    layers = max(5, round(1.2 * count**0.5))
    layer = sorted(chance.randrange(layers) for _ in range(count))
    members: list[list[int]] = [[] for _ in range(layers)]
    for vertex, at in enumerate(layer):
        members[at].append(vertex)
    edges: dict[tuple[int, int], None] = {}
    while len(edges) < 2 * count:
        left = chance.randrange(count)
        goal = layer[left] + chance.choice((1, 1, 1, 1, 2 + chance.randrange(2)))
        if goal >= layers or not members[goal] or not members[layer[left]]:
            continue
        # Near the same height, as in real data, where a thing has to do with few others.
        share = members[layer[left]].index(left) / len(members[layer[left]])
        at = round(chance.gauss(share, 0.2) * len(members[goal]))
        edges[left, members[goal][min(max(at, 0), len(members[goal]) - 1)]] = None
    return _scene(count, list(edges))


FAMILIES: dict[str, Callable[[int], Scene]] = {
    "training runs": training,
    "derived from two": derived,
    "random layers": random_layers,
}


# -- crossings


def crossings(lines: Sequence[Line]) -> int:
    """How often the lines cross; each runs from left to right."""
    points = [np.asarray(line if line[0][0] <= line[-1][0] else line[::-1]) for line in lines]
    points = [line for line in points if line[-1, 0] - line[0, 0] > STEP]
    first = [int(np.ceil(line[0, 0] / STEP)) for line in points]
    last = [int(np.floor(line[-1, 0] / STEP)) for line in points]
    heights = [
        np.interp(np.arange(a, b + 1) * STEP, line[:, 0], line[:, 1])
        for a, b, line in zip(first, last, points, strict=True)
    ]
    starts = sorted(range(len(points)), key=lambda at: first[at])
    total, next_line = 0, 0
    active: list[int] = []
    for step in range(min(first, default=0), max(last, default=0)):
        while next_line < len(starts) and first[starts[next_line]] <= step:
            active.append(starts[next_line])
            next_line += 1
        active = [at for at in active if last[at] > step]
        here = np.array([heights[at][step - first[at]] for at in active])
        there = np.array([heights[at][step - first[at] + 1] for at in active])
        if len(active) > 1:
            # Equal heights are no crossing: lines that share their way, or meet at a card.
            before, after = here[:, None] - here, there[:, None] - there
            total += int(((before > 1e-3) & (after < -1e-3)).sum())
    return total


def our_lines(scene: Scene) -> list[Line]:
    """The lines of our layout; what leads to a frame is one line."""
    lines: list[Line] = []
    for path in {id(route.path): route.path for route in arrange(scene).routes}.values():
        line: Line = [path.start]
        for start, segment in path.pieces():
            steps = 24 if isinstance(segment, Curve) else 1
            line += [point_along(start, segment, step / steps) for step in range(1, steps + 1)]
        lines.append(line)
    return lines


def dot_source(scene: Scene) -> str:
    """The scene for dot, with cards of the same size."""
    lines = ['digraph { rankdir=LR; node [shape=box, fixedsize=true, label=""]; edge [arrowhead=none];']
    for node in scene.nodes:
        room = footprint(node)
        lines.append(f"{node.key} [width={room.width / 72:.3f}, height={room.height / 72:.3f}];")
    lines += [f"{edge.left} -> {edge.right};" for edge in scene.edges]
    return "\n".join([*lines, "}"])


def dot_lines(scene: Scene) -> list[Line]:
    """The lines of dot's layout."""
    done = subprocess.run(["dot", "-Tjson"], input=dot_source(scene), capture_output=True, text=True, check=True)
    lines: list[Line] = []
    for edge in json.loads(done.stdout)["edges"]:
        numbers = [Point(*map(float, pair.split(","))) for pair in edge["pos"].split(" ")]
        line: Line = [numbers[0]]
        for at in range(0, len(numbers) - 1, 3):
            curve = Curve(*numbers[at + 1 : at + 4])
            line += [point_along(numbers[at], curve, step / 24) for step in range(1, 25)]
        lines.append(line)
    return lines


# -- tables


def best(work: Callable[[], object], times: int = 3, clock: Callable[[], float] = time.thread_time) -> float:
    """The median of the seconds that the work takes, by default of the processor."""
    seconds = []
    for _ in range(times):
        began = clock()
        work()
        seconds.append(clock() - began)
    return statistics.median(seconds)


def layered_table() -> list[str]:
    """Seconds and crossings by family and size."""
    has_dot = shutil.which("dot") is not None
    rows = [
        "| graph | nodes | edges | s | dot s | ratio | crossings | dot's | ratio |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for family, make in FAMILIES.items():
        for size in SIZES:
            scene = make(size)
            seconds = best(lambda scene=scene: arrange(scene))
            row = [family, f"{size:,}", f"{len(scene.edges):,}", f"{seconds:.3f}"]
            ours = crossings(our_lines(scene)) if size <= COUNTED_UP_TO else None
            if has_dot and size <= DOT_UP_TO:
                source = dot_source(scene)
                took = best(
                    lambda source=source: subprocess.run(
                        ["dot", "-Tjson"], input=source, capture_output=True, text=True, check=True
                    ),
                    1,
                    time.perf_counter,
                )
                theirs = crossings(dot_lines(scene))
                row += [
                    f"{took:.2f}",
                    f"{seconds / took:.3f}",
                    f"{ours:,}",
                    f"{theirs:,}",
                    f"{ours / max(1, theirs):.2f}",
                ]
            else:
                row += ["–", "–", f"{ours:,}" if ours is not None else "–", "–", "–"]
            rows.append("| " + " | ".join(row) + " |")
            print(rows[-1], flush=True)
    return rows


def force_table() -> list[str]:
    """Seconds by family and size, and how much shorter edges are than pairs at random."""
    rows = ["| graph | nodes | edges | s | edge / random pair |", "|---|---|---|---|---|"]
    for family, make in FAMILIES.items():
        for size in FORCE_SIZES:
            made = make(size)
            scene = Scene(made.nodes, made.edges, "", "force")
            seconds = best(lambda scene=scene: arrange(scene), 3 if size <= 5_000 else 1)
            places = arrange(scene).places
            chance = random.Random(1)
            keys = [node.key for node in scene.nodes]
            edge = statistics.median(_apart(places, edge.source, edge.target) for edge in scene.edges)
            pair = statistics.median(_apart(places, chance.choice(keys), chance.choice(keys)) for _ in range(5_000))
            rows.append(f"| {family} | {size:,} | {len(scene.edges):,} | {seconds:.2f} | {edge / pair:.3f} |")
            print(rows[-1], flush=True)
    return rows


def _apart(places: Mapping[str, Rect], one: str, other: str) -> float:
    return math.dist(places[one].centre, places[other].centre)


def table() -> list[str]:
    """The figures as Markdown."""
    return [
        "Medians of 3. Ours is processor time of the whole layout from scene to lines and labels, dot's its whole",
        "process by the clock. Crossings are counted from the real lines of both drawings.",
        "",
        *layered_table(),
        "",
        "By forces, without overlap of cards; the last column is the middle length of an edge over that of a random",
        "pair of nodes.",
        "",
        *force_table(),
    ]


if __name__ == "__main__":
    before = busy()
    write_section("Layouts", table(), before)
