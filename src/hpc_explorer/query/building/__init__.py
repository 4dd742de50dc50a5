"""The steps of building a query by pointing: functions from a query to a query.

A step knows no store and no labels. Each gives a new value, so that undoing a step is keeping the query that was there
before it; `without` takes back what one step added, and what was built upon it. A step that makes no sense raises
`WrongParameter` and nothing else. Every element that a step adds shares a variable with the rest, so no step multiplies
rows by chance; what can make the answer empty is a matter of the data, and told by whoever knows these.
"""

from hpc_explorer.query.building.answers import (
    in_graph,
    with_aggregate,
    with_columns,
    with_duplicates,
    with_having,
    with_limit,
    with_order,
    without_aggregates,
)
from hpc_explorer.query.building.connections import main_variable
from hpc_explorer.query.building.focus import (
    Direction,
    FocusedQuery,
    Mode,
    conditions_on,
    focused_on,
    new_query,
    with_class,
    with_property,
    with_property_value,
    with_quantity,
    with_range,
    with_text,
    with_values,
)
from hpc_explorer.query.building.parts import mode_of, turned, with_alternative, with_mode, with_repeated, without
from hpc_explorer.query.building.variables import new_variable

__all__ = [
    "Direction",
    "FocusedQuery",
    "Mode",
    "conditions_on",
    "focused_on",
    "in_graph",
    "main_variable",
    "mode_of",
    "new_query",
    "new_variable",
    "turned",
    "with_aggregate",
    "with_alternative",
    "with_class",
    "with_columns",
    "with_duplicates",
    "with_having",
    "with_limit",
    "with_mode",
    "with_order",
    "with_property",
    "with_property_value",
    "with_quantity",
    "with_range",
    "with_repeated",
    "with_text",
    "with_values",
    "without",
    "without_aggregates",
]
