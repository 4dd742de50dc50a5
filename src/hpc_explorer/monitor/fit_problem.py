"""The least-squares problem of a fit: past runs, and their residuals as a function of the free parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hpc_explorer.errors import UnusableModel
from hpc_explorer.monitor.aspen.evaluation import Target, Value, evaluate, requirement, runtime
from hpc_explorer.monitor.aspen.model import Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_STARTS = 16

# Two starts with costs this near to each other, relative to 1, have found the same optimum.
_SAME_COST = 1e-7


@dataclass(frozen=True)
class Run:
    """A past run.

    Args:
        values: the parameters of the model for this run.
        target: where it ran.
        measured: its run time in seconds, or the quantity of the resource that is fitted.
        where: file and line, for errors.
    """

    values: Mapping[str, float]
    target: Target
    measured: float
    where: str = ""


def value_of(template: Model, target: Target, values: Mapping[str, Value], resource: str) -> Any:
    """The run time that a model gives, or the quantity of a resource."""
    return requirement(template, resource, values) if resource else runtime(template, target, values)


class FitProblem:
    """The residuals of a fit, as a function of parameters in their search space."""

    def __init__(self, template: Model, runs: Sequence[Run], resource: str = "") -> None:
        import numpy as np

        if not template.free:
            raise UnusableModel("no free parameter", template.name, "give one a range: param c = 1 in 1 .. 1e18")
        if len(runs) < 2:
            raise UnusableModel(f"{len(runs)} past runs", template.name, "a fit needs two or more")
        for run in runs:
            if not (math.isfinite(run.measured) and run.measured > 0):
                raise UnusableModel(f"a measurement of {run.measured:g}", run.where, "it must be positive")
        self.template, self.runs, self.resource = template, runs, resource
        self.names = [param.name for param in template.free]
        low, high, start = [], [], []
        for param in template.free:
            ends = [float(evaluate(end, {})) for end in (param.low, param.high) if end is not None]
            if not ends[0] < ends[1]:
                raise UnusableModel(f"the range of {param.name} is empty", template.name, "write low .. high")
            low.append(ends[0])
            high.append(ends[1])
            start.append(min(max(float(evaluate(param.default, {})), ends[0]), ends[1]))
        self.logs = np.array(low) > 0
        self.box_low, self.box_high = self.inward(np.array(low)), self.inward(np.array(high))
        self.start = self.inward(np.array(start))
        self._measured = np.log([run.measured for run in runs])
        self._groups = self._grouped(runs)

    def _grouped(self, runs: Sequence[Run]) -> list[tuple[Target, dict[str, Any], Any]]:
        """The runs of each target, with each parameter as an array."""
        import numpy as np

        found: dict[int, list[int]] = {}
        for number, run in enumerate(runs):
            found.setdefault(id(run.target), []).append(number)
        given = [param.name for param in self.template.params if not param.is_free]
        groups = []
        for numbers in found.values():
            names = [name for name in given if any(name in runs[number].values for number in numbers)]
            for number in numbers:
                lacking = [name for name in names if name not in runs[number].values]
                if lacking:
                    raise UnusableModel(f"no value of {lacking[0]}", runs[number].where, "give each run a value")
            values = {name: np.array([float(runs[number].values[name]) for number in numbers]) for name in names}
            groups.append((runs[numbers[0]].target, values, np.array(numbers)))
        return groups

    def subset(self, numbers: Sequence[int]) -> FitProblem:
        """The same problem with some of the runs."""
        return FitProblem(self.template, [self.runs[number] for number in numbers], self.resource)

    def inward(self, values: Array) -> Array:
        """Parameters in the search space: logarithms where the range is positive."""
        import numpy as np

        return np.where(self.logs, np.log(np.where(self.logs, values, 1.0)), values)

    def outward(self, point: Array) -> Array:
        """The parameters of a point of the search space."""
        import numpy as np

        return np.where(self.logs, np.exp(np.where(self.logs, point, 0.0)), point)

    def residuals(self, point: Array) -> Array:
        """The logarithm of predicted over measured of each run; a large number where the model gives none."""
        import numpy as np

        values = dict(zip(self.names, map(float, self.outward(point)), strict=True))
        result = np.empty(len(self.runs))
        for target, given, numbers in self._groups:
            predicted = value_of(self.template, target, {**given, **values}, self.resource)
            with np.errstate(all="ignore"):
                result[numbers] = np.log(predicted) - self._measured[numbers]
        return np.nan_to_num(result, nan=1e3, posinf=1e3, neginf=-1e3)

    def improve(self, start: Array) -> tuple[Array, float]:
        """The nearest optimum, and its sum of squares."""
        import numpy as np
        from scipy.optimize import least_squares

        inside = np.clip(start, self.box_low, self.box_high)
        found = least_squares(self.residuals, inside, bounds=(self.box_low, self.box_high), max_nfev=60, method="trf")
        return found.x, float(2 * found.cost)

    def solve(self, random: np.random.Generator) -> tuple[Array, float]:
        """The best optimum from several starts. It ends early when three starts agree."""
        starts = [self.start]
        starts += [random.uniform(self.box_low, self.box_high) for _ in range(_STARTS - 1)]
        starts.sort(key=lambda start: float((self.residuals(start) ** 2).sum()))
        best, cost, agreeing = self.start, math.inf, 0
        for start in starts:
            point, found = self.improve(start)
            if found < cost - _SAME_COST * (1 + found):
                best, cost, agreeing = point, found, 1
            elif found < cost + _SAME_COST * (1 + found):
                agreeing += 1
            if agreeing == 3:
                break
        return best, cost
