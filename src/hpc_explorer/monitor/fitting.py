"""Fit the free parameters of a model to past runs, and predict runs from it.

Least squares on logarithms: of parameters, because their ranges span many orders of magnitude, and of times, because
errors of run times are relative. A model is usable only if it predicts runs held back better than the median of past
runs does; otherwise `Fit.declined` says why.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hpc_explorer.errors import UnusableModel
from hpc_explorer.monitor.aspen.evaluation import Target, Value
from hpc_explorer.monitor.aspen.model import Model
from hpc_explorer.monitor.fit_problem import FitProblem, Run, value_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

CONFIDENCE = 0.95
"""The confidence of intervals of parameters."""

# The probability by chance above which a parameter's improvement of a fit does not count.
_CHANCE = 1e-3

_FOLDS = 5

# Singular values of the Jacobian below this share of the largest are taken as zero: they are at the level of the
# errors of its finite differences.
_ZERO = 1e-6

# A parameter whose interval spans more than this factor to either side counts as not identified.
_WIDEST = 10.0


@dataclass(frozen=True)
class FittedParameter:
    """A fitted parameter.

    Args:
        low, high: its interval at 95 % confidence; the whole range if the runs do not limit it.
        identified: whether the runs determine it.
        why: why it is not identified.
    """

    name: str
    value: float
    low: float
    high: float
    identified: bool
    why: str = ""


@dataclass(frozen=True)
class Prediction:
    """A predicted value with its interval.

    Args:
        value: in the unit of the measurements.
        low, high: the interval for one new run.
        confidence: the probability that a run lies inside.
        uncertain: parameters that are not identified and that change this prediction.
    """

    value: float
    low: float
    high: float
    confidence: float
    uncertain: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fit:
    """A model fitted to runs.

    Args:
        template: the model with its free parameters.
        parameters: the fitted parameters, in the order of the model.
        runs: the number of runs.
        spread: the standard deviation of the logarithm of measured over predicted.
        held_back_error: the mean absolute error of the logarithm on runs held back.
        median_error: that of the median of the other runs.
        declined: why the model is not usable; empty if it is.
        resource: the resource whose quantity was measured; empty for run times.
        covariance: of the logarithms of the identified parameters.
    """

    template: Model
    parameters: tuple[FittedParameter, ...]
    runs: int
    spread: float
    held_back_error: float
    median_error: float
    declined: str
    resource: str
    covariance: tuple[tuple[float, ...], ...]

    @property
    def usable(self) -> bool:
        """Whether it beats the median of past runs."""
        return not self.declined

    @cached_property
    def values(self) -> dict[str, float]:
        """The fitted parameters by name."""
        return {one.name: one.value for one in self.parameters}

    @cached_property
    def model(self) -> Model:
        """The model with the fitted values as constants."""
        return self.template.with_values(self.values)

    def predict(self, values: Mapping[str, float], target: Target, confidence: float = CONFIDENCE) -> Prediction:
        """Predict one run, also for other inputs and another machine.

        Raises:
            UnusableModel: the fit was declined, or the values cannot be evaluated.
        """
        if self.declined:
            raise UnusableModel("no usable model", self.template.name, self.declined)
        return self._predict(values, target, confidence)

    def _predict(self, values: Mapping[str, float], target: Target, confidence: float) -> Prediction:
        from scipy.stats import t

        def at(**changed: float) -> float:
            given: dict[str, Value] = {**values, **self.values, **changed}
            found = float(value_of(self.template, target, given, self.resource))
            if not (math.isfinite(found) and found > 0):
                raise UnusableModel(f"the model gives {found:g} for these values", self.template.name, "check them")
            return found

        center = at()
        known = [one for one in self.parameters if one.identified]
        step = 1e-4
        slopes = [(math.log(at(**{one.name: one.value * (1 + step)})) - math.log(center)) / step for one in known]
        variance = self.spread**2
        for row, slope in zip(self.covariance, slopes, strict=True):
            variance += slope * sum(one * other for one, other in zip(row, slopes, strict=True))
        freedom = max(1, self.runs - len(self.parameters))
        margin = float(t.ppf(0.5 + confidence / 2, freedom)) * math.sqrt(variance)
        lowest = highest = center
        uncertain = []
        for one in self.parameters:
            if not one.identified:
                ends = [at(**{one.name: end}) for end in (one.low, one.high)]
                if max(abs(math.log(end / center)) for end in ends) > 1e-6:
                    uncertain.append(one.name)
                    lowest, highest = min(lowest, *ends), max(highest, *ends)
        return Prediction(center, lowest * math.exp(-margin), highest * math.exp(margin), confidence, tuple(uncertain))


def fit(template: Model, runs: Sequence[Run], *, resource: str = "", seed: int = 0) -> Fit:
    """Fit the free parameters of a model.

    Args:
        resource: what was measured: the quantity of this resource, or the run time if empty.
        seed: of the random starts; the same seed gives the same fit.

    Raises:
        UnusableModel: the model has no free parameter, a range is empty, a measurement is not positive, or the model
            cannot be evaluated.
    """
    import numpy as np

    problem = FitProblem(template, runs, resource)
    best, cost = problem.solve(np.random.default_rng(seed))
    freedom = max(1, len(runs) - len(problem.names))
    parameters, covariance, spread = _intervals(problem, best, cost, freedom)
    ours, medians = _held_back(problem, best)
    return Fit(
        template,
        parameters,
        len(runs),
        spread,
        float(np.mean(ours)) if len(ours) else math.nan,
        float(np.mean(medians)) if len(medians) else math.nan,
        _declined(len(runs), len(problem.names), ours, medians),
        resource,
        covariance,
    )


def _intervals(
    problem: FitProblem, best: Array, cost: float, freedom: int
) -> tuple[tuple[FittedParameter, ...], tuple[tuple[float, ...], ...], float]:
    """The parameters with intervals, the covariance of those that are identified, and the spread."""
    import numpy as np
    from scipy.stats import t

    # The rounding of measurements limits how precise a fit can claim to be.
    spread = max(math.sqrt(cost / freedom), 1e-9)
    jacobian = _jacobian(problem, best)
    _, sizes, directions = np.linalg.svd(jacobian, full_matrices=True)
    sizes = np.concatenate([sizes, np.zeros(len(best) - len(sizes))])
    nothing = sizes <= _ZERO * max(float(sizes.max(initial=0.0)), 1e-12)
    # A parameter is not identified if a direction that changes no prediction moves it.
    free = (np.abs(directions[nothing]) > 1e-3).any(axis=0) if nothing.any() else np.zeros(len(best), bool)
    inverse = np.where(nothing, 0.0, 1.0 / np.where(nothing, 1.0, sizes) ** 2)
    covariance = spread**2 * (directions.T * inverse) @ directions
    margin = float(t.ppf(0.5 + CONFIDENCE / 2, freedom)) * np.sqrt(np.diag(covariance))
    # An optimum may fit the noise of a few runs with a parameter that has no other effect, so only an improvement that
    # is unlikely by chance counts. As it may choose the runs whose noise it fits, that holds for each of them
    # (Bonferroni).
    chance = _CHANCE / max(len(problem.runs), 1)
    allowed = cost + max(float(t.ppf(1 - chance / 2, freedom)) ** 2 * spread**2, 1e-12)
    outward = problem.outward
    known: list[int] = []
    parameters: list[FittedParameter] = []
    idle = {
        number: _limits(problem, best, number, allowed)
        for number in range(len(best))
        if _fits_at_an_end(problem, best, number, allowed)
    }
    for number, name in enumerate(problem.names):
        value = float(outward(best)[number])
        why = ""
        if number in idle:
            why = "the runs fit as well without it"
            ends = idle[number]
        elif any(_fits_at_an_end(problem, limit, number, allowed) for other in idle.values() for limit in other):
            why = "another parameter can take its place"
            ends = _limits(problem, best, number, allowed)
            ends = (problem.box_low, ends[1])
        elif free[number]:
            why = "only its product or sum with others counts"
            ends = (problem.box_low, problem.box_high)
        else:
            ends = (best - margin, best + margin)
            at_end = min(best[number] - problem.box_low[number], problem.box_high[number] - best[number]) < 1e-6
            if at_end:
                why = "it lies at the end of its range"
            elif (problem.logs[number] and margin[number] > math.log(_WIDEST)) or (
                not problem.logs[number] and margin[number] > abs(value) * _WIDEST
            ):
                why = "the runs hardly limit it"
        low_value, high_value = (
            float(outward(np.clip(end, problem.box_low, problem.box_high))[number]) for end in ends
        )
        parameters.append(FittedParameter(name, value, low_value, high_value, not why, why))
        if not why:
            known.append(number)
    scale = np.where(problem.logs, 1.0, 1.0 / np.where(best == 0, 1.0, best))
    covariance = covariance * np.outer(scale, scale)
    rows = tuple(tuple(float(covariance[row, column]) for column in known) for row in known)
    return tuple(parameters), rows, spread


def _jacobian(problem: FitProblem, point: Array) -> Array:
    import numpy as np

    columns = []
    for number in range(len(point)):
        step = np.zeros(len(point))
        step[number] = 1e-5 if problem.logs[number] else 1e-5 * max(1.0, abs(float(point[number])))
        slope = (problem.residuals(point + step) - problem.residuals(point - step)) / (2 * step[number])
        columns.append(slope)
    return np.column_stack(columns)


def _fits_at_an_end(problem: FitProblem, best: Array, number: int, allowed: float) -> bool:
    """Whether a parameter may go to an end of its range, where the others stay, without a worse fit."""
    for end in (problem.box_low, problem.box_high):
        point = best.copy()
        point[number] = end[number]
        if (problem.residuals(point) ** 2).sum() <= allowed:
            return True
    return False


def _limits(problem: FitProblem, best: Array, number: int, allowed: float) -> tuple[Array, Array]:
    """How far a parameter that changes nothing at the optimum may go before the fit gets worse."""
    import numpy as np

    def fits(value: float) -> bool:
        point = best.copy()
        point[number] = value
        return bool((problem.residuals(point) ** 2).sum() <= allowed)

    ends = []
    for end in (problem.box_low, problem.box_high):
        good, bad = float(best[number]), float(end[number])
        if not fits(bad):
            for _ in range(30):
                middle = (good + bad) / 2
                good, bad = (middle, bad) if fits(middle) else (good, middle)
        else:
            good = bad
        limit = np.array(best)
        limit[number] = good
        ends.append(limit)
    return ends[0], ends[1]


def _held_back(problem: FitProblem, best: Array) -> tuple[Array, Array]:
    """The absolute errors of the model and of the median on each run, both found without that run."""
    import numpy as np

    number = len(problem.runs)
    if number <= len(problem.names) + 2:
        return np.array([]), np.array([])
    folds = min(_FOLDS, number)
    order = np.random.default_rng(1).permutation(number)
    measured = np.log([run.measured for run in problem.runs])
    ours, medians = np.empty(number), np.empty(number)
    for fold in range(folds):
        held = order[fold::folds]
        others = np.setdiff1d(order, held)
        part = problem.subset([int(one) for one in others])
        point, _ = part.improve(best)
        ours[held] = np.abs(problem.residuals(point)[held])
        medians[held] = np.abs(measured[held] - np.median(measured[others]))
    return ours, medians


def _declined(runs: int, parameters: int, ours: Array, medians: Array) -> str:
    """Why a model is not usable: it must beat the median by more than two standard errors of the difference."""
    import numpy as np

    if not len(ours):
        return f"{runs} past runs are too few to fit {parameters} parameters and hold some back"
    gain = medians - ours
    if float(np.mean(gain)) > 2 * float(np.std(gain)) / math.sqrt(len(gain)) and float(np.mean(gain)) > 1e-9:
        return ""
    own, median = float(np.mean(ours)), float(np.mean(medians))
    errors = f"on runs held back its error is {own:.1%}, and that of the median of past runs {median:.1%}"
    return f"{errors}, which may be chance" if own < median else errors
