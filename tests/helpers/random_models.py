"""Random performance models with known parameters, and which of them the runs determine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hpc_explorer.monitor.aspen.evaluation import Target, runtime
from hpc_explorer.monitor.aspen.model import Model
from hpc_explorer.monitor.aspen.reading import parse_machine, parse_model
from hpc_explorer.monitor.fit_problem import Run

MACHINE = """
machine m { node [1] n }
node n { socket [1] cpu  memory [1] ram }
socket cpu { resource flops(n) [n / (2 * giga)] }
memory ram { resource loads(n) [n / (10 * giga)] }
"""


@dataclass(frozen=True)
class RandomModel:
    """A model with runs made by it, and its parameters that the runs cannot determine."""

    model: Model
    truth: dict[str, float]
    runs: Sequence[Run]
    unidentifiable: frozenset[str]


def random_model(random: np.random.Generator, *, noise: float = 0.01, number: int = 30) -> RandomModel:
    """A model of loads, or loads beside flops, with one fault at random: none, a product of two parameters, a
    resource that never decides the time, or an unused parameter."""
    power = int(random.integers(1, 4))
    truth = {"c": float(10 ** random.uniform(2, 6))}
    fault = str(random.choice(["none", "product", "dominated", "unused"]))
    uses, faulty = f"loads [c * x^{power}]", frozenset[str]()
    if fault == "product":
        uses, faulty = f"loads [c * d * x^{power}]", frozenset({"c", "d"})
        truth["d"] = float(10 ** random.uniform(0, 3))
    elif fault == "dominated":
        # At the smallest x, flops take at most a hundredth of the time of the loads.
        uses += " flops [d * x]"
        truth["d"] = truth["c"] / 5 * 100.0 ** (power - 1) * float(10 ** random.uniform(-5, -2))
        # With power 1 both grow alike, and each can take the place of the other.
        faulty = frozenset({"d"} if power > 1 else {"c", "d"})
    elif fault == "unused":
        truth["d"] = 1.0
        faulty = frozenset({"d"})
    text = "model random {\n  param x = 1\n  param steps = 1\n"
    text += "".join(f"  param {name} = 1 in 1e-9 .. 1e18\n" for name in truth)
    text += f"  kernel main {{ iterate [steps] {{ execute {{ {uses} }} }} }}\n}}"
    model, target = parse_model(text), Target(parse_machine(MACHINE), "cpu")
    runs = []
    for _ in range(number):
        values = {"x": float(10 ** random.uniform(2, 5)), "steps": float(random.integers(1, 200))}
        measured = float(runtime(model, target, {**values, **truth})) * float(np.exp(random.normal(0, noise)))
        runs.append(Run(values, target, measured))
    return RandomModel(model, truth, runs, faulty)
