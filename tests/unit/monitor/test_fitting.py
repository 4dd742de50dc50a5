"""Fitting: values, intervals, identifiability, and when a model is declined."""

import numpy as np
import pytest

from hpc_explorer.errors import UnusableModel
from hpc_explorer.monitor.aspen.evaluation import Target, runtime
from hpc_explorer.monitor.aspen.reading import parse_machine, parse_model
from hpc_explorer.monitor.fit_problem import Run
from hpc_explorer.monitor.fitting import fit
from tests.helpers.random_models import MACHINE, random_model

DYNAMICS = parse_model("""model dynamics {
  param atoms = 1e6
  param steps = 100
  param c = 1 in 1 .. 1e18
  param d = 1 in 1 .. 1e18
  kernel main { iterate [steps] { execute { loads [c * atoms^2] flops [d * atoms] } } }
}""")
TARGET = Target(parse_machine(MACHINE), "cpu")
FASTER = Target(parse_machine(MACHINE.replace("10 * giga", "40 * giga")), "cpu")


def _runs(c: float, d: float, number: int = 30, noise: float = 0.01) -> list[Run]:
    random = np.random.default_rng(3)
    runs = []
    for _ in range(number):
        values = {"atoms": float(10 ** random.uniform(3, 6)), "steps": float(random.integers(10, 500))}
        seconds = float(runtime(DYNAMICS, TARGET, {**values, "c": c, "d": d}))
        runs.append(Run(values, TARGET, seconds * float(np.exp(random.normal(0, noise)))))
    return runs


def test_the_fit_finds_c_and_says_that_d_is_not_identified() -> None:
    found = fit(DYNAMICS, _runs(402.1, 10.95))
    c, d = found.parameters
    assert c.value == pytest.approx(402.1, rel=0.005)
    assert c.identified
    assert c.low < 402.1 < c.high
    assert not d.identified
    assert d.low == 1
    assert found.usable
    assert fit(DYNAMICS, _runs(402.1, 10.95)) == found


def test_a_prediction_for_another_input_and_another_machine() -> None:
    found = fit(DYNAMICS, _runs(402.1, 10.95))
    same = found.predict({"atoms": 2e6, "steps": 10}, TARGET)
    assert same.low < 402.1 * 4e12 / 1e10 * 10 < same.high
    assert not same.uncertain
    small = found.predict({"atoms": 100, "steps": 10}, FASTER)
    assert small.uncertain == ("d",)
    assert small.high > 2 * small.low


def test_run_times_that_the_input_does_not_explain_give_no_model() -> None:
    random = np.random.default_rng(1)
    template = parse_model("""model t { param x = 1 param a = 1 in 1e-6 .. 1e6
      kernel main { execute { loads [a * x * giga] } } }""")
    runs = [Run({"x": float(random.uniform(1, 100))}, TARGET, float(random.uniform(1, 100))) for _ in range(20)]
    found = fit(template, runs)
    assert "the median of past runs" in found.declined
    with pytest.raises(UnusableModel, match="no usable model"):
        found.predict({"x": 1.0}, TARGET)
    assert "too few" in fit(template, runs[:3]).declined


def test_counters_are_fitted_without_a_machine() -> None:
    runs = [Run({"atoms": float(n), "steps": 1.0}, TARGET, 7.0 * n, f"line {n}") for n in (10, 20, 50, 70, 90)]
    found = fit(DYNAMICS, runs, resource="flops")
    assert found.values["d"] == pytest.approx(7)
    assert found.predict({"atoms": 1000.0, "steps": 2.0}, TARGET).value == pytest.approx(14000)


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ([Run({"atoms": 1.0}, TARGET, 0.0, "runs.csv:2")] * 2, "a measurement of 0: runs.csv:2"),
        ([Run({"atoms": 1.0}, TARGET, 1.0)], "1 past runs"),
        (
            [Run({"atoms": 1.0}, TARGET, 1.0, "runs.csv:2"), Run({}, TARGET, 1.0, "runs.csv:3")],
            "no value of atoms: runs.csv:3",
        ),
    ],
)
def test_runs_that_cannot_be_fitted(runs: list[Run], message: str) -> None:
    with pytest.raises(UnusableModel, match=message):
        fit(DYNAMICS, runs)


@pytest.mark.slow
def test_random_models_say_which_parameters_the_runs_determine() -> None:
    """1,000 of them are in benchmarks/monitoring.py."""
    random = np.random.default_rng(7)
    for _ in range(12):
        case = random_model(random)
        for parameter in fit(case.model, case.runs).parameters:
            assert parameter.identified == (parameter.name not in case.unidentifiable), (parameter, case)
            if parameter.identified:
                assert parameter.value == pytest.approx(case.truth[parameter.name], rel=0.02)
