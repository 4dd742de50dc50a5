"""What a part of a sentence means: things, what is said of them, and what is asked.

These are values between the sentence and the query: a `Thing` becomes a variable, a `Has` a statement about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import TypeAlias

from hpc_explorer.query.model.conditions import Operator, TextTest
from hpc_explorer.query.model.query import AggregateFunction
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode


@dataclass(frozen=True)
class Step:
    """A property in one direction.

    Args:
        forward: from the subject to the object.
    """

    predicate: NamedNode
    forward: bool = True

    @property
    def turned(self) -> Step:
        """The other direction."""
        return Step(self.predicate, not self.forward)


Steps: TypeAlias = tuple[Step, ...]
"""Properties that mean the same; one of them is enough."""


def turned(steps: Steps) -> Steps:
    """The steps in the other direction."""
    return tuple(step.turned for step in steps)


@dataclass(frozen=True)
class Choice:
    """One of some values; a resource without a class counts as a value too."""

    values: tuple[Literal | NamedNode, ...]


TRUE = Choice((Literal("true", datatype=XSD.boolean),))


@dataclass(frozen=True)
class Amount:
    """A comparison with a number, a quantity or a time.

    Args:
        value: its lexical form; of a time, the first moment of the period meant.
        upper: the greatest, for a range; of a time, the first moment after the period.
        unit: of a quantity.
        is_time: whether the value is a date or a time.
    """

    operator: Operator
    value: str
    upper: str = ""
    unit: NamedNode | None = None
    is_time: bool = False

    @property
    def number(self) -> Decimal:
        """The value as a number."""
        return Decimal(self.value)


@dataclass(frozen=True)
class Part:
    """A text within a value."""

    test: TextTest
    text: str


@dataclass(frozen=True)
class Has:
    """A thing is connected by one of the steps to a target; without a target, to anything.

    Args:
        only: to nothing else.
    """

    steps: Steps
    target: Thing | Choice | Amount | Part | None = None
    negated: bool = False
    only: bool = False


@dataclass(frozen=True)
class Derived:
    """A thing is made from the target, over any number of steps, or the target is made from it.

    Args:
        from_target: the thing is made from the target.
    """

    target: Thing
    from_target: bool
    negated: bool = False


@dataclass(frozen=True)
class Other:
    """A thing is none of the target."""

    target: Thing


@dataclass(frozen=True)
class Either:
    """One of some constraints holds."""

    options: tuple[Constraint, ...]


@dataclass(frozen=True)
class Extreme:
    """A thing is among the first when sorted by a property.

    Args:
        by_count: sort by the number of values instead of the values.
        counted: only values that are such things are counted.
        place: the first place that is asked for: 2 for the second largest.
        per: the first of each of these groups.
    """

    steps: Steps
    is_greatest: bool
    number: int = 1
    by_count: bool = False
    counted: Thing | None = None
    place: int = 1
    per: Grouping | None = None


@dataclass(frozen=True)
class Compared:
    """The value of a property compares with that of another thing: "faster than Summit"."""

    steps: Steps
    operator: Operator
    target: Thing


@dataclass(frozen=True)
class Numbered:
    """The number of different targets compares with a number."""

    steps: Steps
    target: Thing | None
    operator: Operator
    number: int

    @property
    def holds_for_none(self) -> bool:
        """Whether it holds for things without any target: "at most two", "fewer than three"."""
        match self.operator:
            case Operator.LESS | Operator.UNEQUAL:
                return self.number > 0
            case Operator.AT_MOST:
                return self.number >= 0
        return self.operator in (Operator.EQUAL, Operator.AT_LEAST) and self.number == 0


Constraint: TypeAlias = Has | Derived | Other | Either | Extreme | Compared | Numbered


@dataclass(frozen=True)
class Thing:
    """Things of some classes, or certain resources, for which constraints hold.

    Args:
        classes: one of them; empty: any.
        resources: one of them; empty: any.
        is_named: whether the sentence says that it is *named* so.
        is_all: all of the resources, not one of them.
    """

    classes: tuple[NamedNode, ...] = ()
    resources: tuple[NamedNode, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    is_named: bool = False
    is_all: bool = False

    @property
    def is_bare(self) -> bool:
        """Whether it is only a class."""
        return not self.resources and not self.constraints


@dataclass(frozen=True)
class Asked:
    """The values of a property of things.

    Args:
        also: further properties, whose values are shown beside.
        is_descending: the things are asked for in the order of the values, the greatest first or last; None: the values
            are asked for.
        unit: the unit in which the values are asked for.
    """

    host: Thing
    steps: Steps
    also: tuple[Steps, ...] = ()
    is_descending: bool | None = None
    unit: NamedNode | None = None


@dataclass(frozen=True)
class Grouping:
    """The groups of a count or an aggregate: by what a property leads to; without steps, each thing is one.

    Args:
        part: of times: the groups are their years, months or days.
        classes: of the groups, where the property leads to others too.
    """

    steps: Steps
    part: str = ""
    classes: tuple[NamedNode, ...] = ()


@dataclass(frozen=True)
class Picked:
    """Which groups are asked for: those whose number compares, or without an operator the first ones."""

    number: int = 1
    operator: Operator | None = None
    is_greatest: bool = True


@dataclass(frozen=True)
class Counted:
    """The number of things or values, or that number in each group; or the groups with certain numbers."""

    what: Thing | Asked
    per: Grouping | None = None
    picked: Picked | None = None


class Spread(Enum):
    """What is computed of the values of a property, and is no aggregate of SPARQL."""

    RANGE = "RANGE"


@dataclass(frozen=True)
class Summary:
    """A sum, an average or an extreme of the values of a property, for each group; or the first groups."""

    function: AggregateFunction | Spread
    what: Asked
    per: Grouping | None = None
    picked: Picked | None = None


@dataclass(frozen=True)
class Share:
    """How many of some things hold some constraints, in percent, also for each group."""

    of: Thing
    held: tuple[Constraint, ...]
    per: Grouping | None = None


@dataclass(frozen=True)
class Ratio:
    """One property of things as a percentage of another."""

    host: Thing
    steps: Steps
    of: Steps


@dataclass(frozen=True)
class Difference:
    """How much more one thing has of a property than another, or how many times as much.

    Args:
        is_ratio: how many times as much.
        is_signed: less than 0 where the first has less.
    """

    steps: Steps
    one: Thing
    other: Thing
    is_ratio: bool = False
    is_signed: bool = True


@dataclass(frozen=True)
class Several:
    """Several numbers at once, such as two counts."""

    questions: tuple[Counted | Summary, ...]


@dataclass(frozen=True)
class Whether:
    """Whether there is such a thing."""

    what: Thing


@dataclass(frozen=True)
class Every:
    """Whether a constraint holds for each of some things."""

    what: Thing
    held: Constraint


Meaning: TypeAlias = Thing | Asked | Counted | Summary | Several | Share | Ratio | Difference | Whether | Every
"""What a question asks for."""
