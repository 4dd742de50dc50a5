"""The steps of building a query visually: functions from a query to a query.

A step uses no store and no labels and returns a new value, so undo keeps the previous query; `without` removes a step
and what depends on it. An invalid step raises `WrongParameter`. Each added element shares a variable with the rest, so
no step multiplies rows by accident.
"""

from hpc_explorer.query.building.answers import (
    with_aggregate,
    with_duplicates,
    with_limit,
    with_order,
    without_aggregates,
)
from hpc_explorer.query.building.connections import main_variable, new_variable
from hpc_explorer.query.building.focus import (
    Direction,
    FocusedQuery,
    Mode,
    conditions_on,
    new_query,
    with_class,
    with_comparison,
    with_property,
    with_property_value,
    with_quantity,
    with_range,
    with_values,
)
from hpc_explorer.query.building.parts import mode_of, turned, with_alternative, with_mode, with_repeated, without

__all__ = [
    "Direction",
    "FocusedQuery",
    "Mode",
    "conditions_on",
    "main_variable",
    "mode_of",
    "new_query",
    "new_variable",
    "turned",
    "with_aggregate",
    "with_alternative",
    "with_class",
    "with_comparison",
    "with_duplicates",
    "with_limit",
    "with_mode",
    "with_order",
    "with_property",
    "with_property_value",
    "with_quantity",
    "with_range",
    "with_repeated",
    "with_values",
    "without",
    "without_aggregates",
]
