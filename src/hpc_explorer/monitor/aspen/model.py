"""An Aspen application model or machine as a value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

# Expressions


@dataclass(frozen=True)
class Number:
    """A constant, in its original spelling."""

    value: float
    text: str


@dataclass(frozen=True)
class Name:
    """A parameter by name."""

    name: str


@dataclass(frozen=True)
class Negation:
    """The negative of an expression."""

    operand: Expr


@dataclass(frozen=True)
class Operation:
    """`left operator right`; the operator is one of + - * / ^."""

    operator: str
    left: Expr
    right: Expr
    line: int = field(default=0, compare=False)
    where: str = field(default="", compare=False)


@dataclass(frozen=True)
class Function:
    """A function of expressions: min, max, ceil, floor, log, log2, sqrt, exp."""

    name: str
    arguments: tuple[Expr, ...]
    line: int = field(default=0, compare=False)
    where: str = field(default="", compare=False)


Expr: TypeAlias = "Number | Name | Negation | Operation | Function"


# Application models


@dataclass(frozen=True)
class Param:
    """A parameter with its default; with `low` and `high` it is free, and fitting determines it."""

    name: str
    default: Expr
    low: Expr | None = None
    high: Expr | None = None

    @property
    def is_free(self) -> bool:
        """Whether fitting determines it."""
        return self.low is not None


@dataclass(frozen=True)
class Data:
    """A data structure, with its size in bytes or its shape."""

    name: str
    size: Expr | None = None
    shape: Function | None = None


@dataclass(frozen=True)
class Trait:
    """A trait of a use, such as `simd` or `stride(2)`."""

    name: str
    argument: Expr | None = None


@dataclass(frozen=True)
class Use:
    """The use of a resource: a quantity, perhaps of elements of some size in bytes, to or from data."""

    resource: str
    quantity: Expr
    size: Expr | None = None
    direction: str = ""
    data: str = ""
    traits: tuple[Trait, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Execute:
    """Uses that overlap in time, by `parallelism` units at once."""

    uses: tuple[Use, ...]
    parallelism: Expr | None = None
    label: str = ""


@dataclass(frozen=True)
class Repeat:
    """Statements that run several times: `iterate` or `map`."""

    word: str
    count: Expr
    body: tuple[Statement, ...]
    name: str = ""
    label: str = ""


@dataclass(frozen=True)
class Group:
    """Statements one after the other (`seq`) or side by side (`par`)."""

    word: str
    body: tuple[Statement, ...]
    label: str = ""


@dataclass(frozen=True)
class Call:
    """A call of another kernel."""

    kernel: str
    line: int = field(default=0, compare=False)


Statement: TypeAlias = "Execute | Repeat | Group | Call"


@dataclass(frozen=True)
class Kernel:
    """A kernel with its own parameters and data."""

    name: str
    body: tuple[Statement, ...]
    globals: tuple[Param | Data, ...] = ()


@dataclass(frozen=True)
class Model:
    """An application model; `main` is the kernel that runs."""

    name: str
    globals: tuple[Param | Data, ...]
    kernels: tuple[Kernel, ...]

    @property
    def params(self) -> tuple[Param, ...]:
        """Its parameters, in order."""
        return tuple(one for one in self.globals if isinstance(one, Param))

    @property
    def free(self) -> tuple[Param, ...]:
        """The parameters that fitting determines."""
        return tuple(one for one in self.params if one.is_free)

    def with_values(self, values: dict[str, float]) -> Model:
        """The model with constants in place of some parameters, without their ranges."""
        return replace(
            self,
            globals=tuple(
                Param(one.name, number(values[one.name])) if isinstance(one, Param) and one.name in values else one
                for one in self.globals
            ),
        )


# Machines


@dataclass(frozen=True)
class TraitTime:
    """How a trait changes the time of a resource: an expression in `base`, and in its argument if it has one."""

    name: str
    expression: Expr
    argument: str = ""


@dataclass(frozen=True)
class Resource:
    """What a component can do: the seconds that a quantity takes on one instance of it."""

    name: str
    argument: str
    seconds: Expr
    traits: tuple[TraitTime, ...] = ()


@dataclass(frozen=True)
class Property:
    """A property of a component; it does not affect time."""

    name: str
    value: Expr | None = None


@dataclass(frozen=True)
class Power:
    """The static or dynamic power of a component; it does not affect time."""

    kind: str
    value: Expr


@dataclass(frozen=True)
class Part:
    """Components inside a component."""

    kind: str
    name: str
    count: Expr | None = None


@dataclass(frozen=True)
class Conflict:
    """Two resources whose times add instead of overlapping."""

    first: str
    second: str


@dataclass(frozen=True)
class Component:
    """A machine, node, socket, core, memory, cache, interconnect or link."""

    kind: str
    name: str
    members: tuple[Resource | Property | Power | Part | Conflict, ...]


@dataclass(frozen=True)
class Machine:
    """A machine file: parameters and components; the component of kind `machine` is the root."""

    params: tuple[Param, ...]
    components: tuple[Component, ...]


def number(value: float) -> Number:
    """A constant in its shortest spelling that reads back to the same value."""
    text = repr(float(value))
    return Number(float(value), text.removesuffix(".0") if "e" not in text else text)
