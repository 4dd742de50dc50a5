"""The time that a model takes on a machine, and the quantities of a resource that it needs.

Values are numbers or numpy arrays of one value per run, so that one walk over the tree evaluates all runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from hpc_explorer.errors import UnusableModel
from hpc_explorer.monitor.aspen import model as m

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Value: TypeAlias = "float | NDArray[np.float64]"

MOST_EXPONENT = 64.0
"""The largest exponent of `^` in absolute value."""


def runtime(model: m.Model, target: Target, values: Mapping[str, Value], *, par_overlaps: bool = False) -> Value:
    """The seconds that a model takes.

    Args:
        target: where it runs.
        values: numbers or arrays for the parameters; the others have their defaults.
        par_overlaps: whether the branches of `par` overlap; the original adds their times.

    Raises:
        UnusableModel: a name or resource is unknown, kernels call each other in a circle, or a value is no number.
    """
    import numpy as np

    walk = _Walk(model, values, target, par_overlaps)
    with np.errstate(all="ignore"):
        return walk.kernel("main", ())


def requirement(model: m.Model, resource: str, values: Mapping[str, Value]) -> Value:
    """The total quantity of a resource that a model needs, on any machine.

    Raises:
        UnusableModel: see `runtime`.
    """
    import numpy as np

    walk = _Walk(model, values, None, False, resource)
    with np.errstate(all="ignore"):
        return walk.kernel("main", ())


def parameter_values(model: m.Model, values: Mapping[str, Value]) -> dict[str, Value]:
    """The values of all parameters of a model, in its order; those given override defaults.

    Raises:
        UnusableModel: a default uses an unknown name.
    """
    found: dict[str, Value] = {}
    for param in model.params:
        found[param.name] = values[param.name] if param.name in values else evaluate(param.default, found)
    return found


def evaluate(expr: m.Expr, names: Mapping[str, Value]) -> Value:
    """The value of an expression.

    Raises:
        UnusableModel: a name or function is unknown, or an exponent is too large.
    """
    import numpy as np

    match expr:
        case m.Number():
            return expr.value
        case m.Name():
            if expr.name not in names:
                raise UnusableModel(f"no parameter {expr.name}", "", "declare it with `param`")
            return names[expr.name]
        case m.Negation():
            return -evaluate(expr.operand, names)
        case m.Function():
            return _function(expr, [evaluate(one, names) for one in expr.arguments])
    left, right = evaluate(expr.left, names), evaluate(expr.right, names)
    match expr.operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            if np.any(np.asarray(right) == 0):
                raise UnusableModel(
                    "division by zero", f"{expr.where}:{expr.line}", "check the values of the parameters"
                )
            return left / right
    if np.any(np.abs(right) > MOST_EXPONENT):
        raise UnusableModel(f"an exponent above {MOST_EXPONENT:g}", f"{expr.where}:{expr.line}", "")
    result: Value = np.power(np.asarray(left, float), right)
    return result if np.ndim(result) else float(result)


def _function(expr: m.Function, values: list[Value]) -> Value:
    import numpy as np

    several: dict[str, Any] = {"min": np.minimum, "max": np.maximum}
    one: dict[str, Any] = {
        "ceil": np.ceil, "floor": np.floor, "log": np.log, "log2": np.log2, "sqrt": np.sqrt, "exp": np.exp,
    }  # fmt: skip
    if expr.name in several and values:
        result = values[0]
        for value in values[1:]:
            result = several[expr.name](result, value)
        return result
    if expr.name in one and len(values) == 1:
        found: Value = one[expr.name](values[0])
        return found
    known = ", ".join((*several, *one))
    raise UnusableModel(
        f"no function {expr.name} of {len(values)} values", f"{expr.where}:{expr.line}", f"there are {known}"
    )


class Target:
    """A machine with the name of the socket that a model runs on. It finds resources from the root of the machine.

    Raises:
        UnusableModel: the machine has no root or no such socket.
    """

    def __init__(self, machine: m.Machine, socket: str) -> None:
        self.socket = socket
        self._components = {one.name: one for one in machine.components}
        roots = [one for one in machine.components if one.kind == "machine"]
        if not roots:
            raise UnusableModel("no component of kind machine", "", "add `machine NAME { … }` to the machine file")
        self._root = roots[0]
        sockets = [one.name for one in machine.components if one.kind == "socket"]
        if socket not in sockets:
            raise UnusableModel(f"no socket {socket}", "", f"the machine has {', '.join(sockets) or 'none'}")
        self.params: dict[str, Value] = {}
        for param in machine.params:
            self.params[param.name] = evaluate(param.default, self.params)
        self.groups = self._groups(machine)
        self._found: dict[str, tuple[m.Resource, float]] = {}

    @staticmethod
    def _groups(machine: m.Machine) -> dict[str, str]:
        """The representative of each resource among those it conflicts with, also through others."""
        above: dict[str, str] = {}

        def top(name: str) -> str:
            while above.get(name, name) != name:
                name = above[name]
            return name

        for component in machine.components:
            for member in component.members:
                if isinstance(member, m.Conflict):
                    above[top(member.first)] = top(member.second)
        return {name: top(name) for name in {*above, *above.values()}}

    def resource(self, name: str) -> tuple[m.Resource, float]:
        """A resource, and how many instances of its component the machine has."""
        if name not in self._found:
            found = self._search(self._root, name, 1.0, ())
            if found is None:
                raise UnusableModel(
                    f"no resource {name} on socket {self.socket}", "", "add it to the machine file, or choose another"
                )
            self._found[name] = found
        return self._found[name]

    def _search(
        self, component: m.Component, name: str, number: float, above: tuple[str, ...]
    ) -> tuple[m.Resource, float] | None:
        if component.kind == "socket" and component.name != self.socket:
            return None
        if component.name in above:
            raise UnusableModel(f"component {component.name} contains itself", "", "correct the machine file")
        for member in component.members:
            if isinstance(member, m.Resource) and member.name == name:
                return member, number
        for member in component.members:
            if isinstance(member, m.Part) and member.name in self._components:
                count = 1.0 if member.count is None else float(evaluate(member.count, self.params))
                found = self._search(self._components[member.name], name, number * count, (*above, component.name))
                if found is not None:
                    return found
        return None


class _Walk:
    """One evaluation of a model: its time, or the requirement of one resource."""

    def __init__(
        self,
        model: m.Model,
        values: Mapping[str, Value],
        target: Target | None,
        par_overlaps: bool,
        resource: str = "",
    ) -> None:
        self._kernels = {kernel.name: kernel for kernel in model.kernels}
        self._names = parameter_values(model, values)
        self._target = target
        self._par_overlaps = par_overlaps
        self._resource = resource

    def kernel(self, name: str, above: tuple[str, ...], line: int = 0) -> Value:
        if name not in self._kernels:
            raise UnusableModel(f"no kernel {name}", f"line {line}", "define it, or correct the call")
        if name in above:
            raise UnusableModel(f"kernel {name} calls itself", f"line {line}", "remove the call")
        kernel = self._kernels[name]
        names = self._names
        for one in kernel.globals:
            if isinstance(one, m.Param):
                names = {**names, one.name: evaluate(one.default, names)}
        return self._sum(kernel.body, names, (*above, name))

    def _sum(self, body: Iterable[m.Statement], names: Mapping[str, Value], above: tuple[str, ...]) -> Value:
        total: Value = 0.0
        for one in body:
            total = total + self._statement(one, names, above)
        return total

    def _statement(self, one: m.Statement, names: Mapping[str, Value], above: tuple[str, ...]) -> Value:
        import numpy as np

        match one:
            case m.Call():
                return self.kernel(one.kernel, above, one.line)
            case m.Repeat():
                return evaluate(one.count, names) * self._sum(one.body, names, above)
            case m.Group():
                if one.word == "par" and self._par_overlaps:
                    longest: Value = 0.0
                    for part in one.body:
                        longest = np.maximum(longest, self._statement(part, names, above))
                    return longest
                return self._sum(one.body, names, above)
        return self._execute(one, names)

    def _execute(self, one: m.Execute, names: Mapping[str, Value]) -> Value:
        import numpy as np

        parallelism: Value = 1.0 if one.parallelism is None else evaluate(one.parallelism, names)
        if self._target is None:
            total: Value = 0.0
            for use in one.uses:
                if use.resource == self._resource:
                    total = total + parallelism * evaluate(use.quantity, names)
            return total
        groups: dict[str, Value] = {}
        for use in one.uses:
            group = self._target.groups.get(use.resource, use.resource)
            groups[group] = groups.get(group, 0.0) + self._use(use, parallelism, names)
        longest: Value = 0.0
        for seconds in groups.values():
            longest = np.maximum(longest, seconds)
        return longest

    def _use(self, use: m.Use, parallelism: Value, names: Mapping[str, Value]) -> Value:
        import numpy as np

        assert self._target is not None
        resource, instances = self._target.resource(use.resource)
        quantity = evaluate(use.quantity, names)
        if use.size is not None:
            quantity = quantity * evaluate(use.size, names)
        params = self._target.params
        seconds = evaluate(resource.seconds, {**params, resource.argument: quantity})
        known = {trait.name: trait for trait in resource.traits}
        for trait in use.traits:
            effect = known.get(trait.name)
            if effect is not None:
                given = {"base": seconds}
                if effect.argument and trait.argument is not None:
                    given[effect.argument] = evaluate(trait.argument, names)
                seconds = evaluate(effect.expression, {**params, **given})
        return np.ceil(parallelism / instances) * seconds
