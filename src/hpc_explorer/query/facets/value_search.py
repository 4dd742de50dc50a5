"""Search for a value among all properties of a variable.

One query finds literals by their text, a second one resources that were found by name before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hpc_explorer.query.building import Direction
from hpc_explorer.query.facets.by_sparql import number_of
from hpc_explorer.query.facets.texts import bindings
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits, Store

SHOWN = 20
"""The number of matches listed."""

_TRUE = Literal("true", datatype=XSD.boolean)


@dataclass(frozen=True)
class ValueMatch:
    """A value connected with the focus by a property.

    Args:
        direction: backward: the value is the subject, the focus the object.
        count: the number of different things in focus that have it.
    """

    property: NamedNode
    direction: Direction
    value: NamedNode | Literal
    count: Count


def value_matches(
    store: Store,
    query: QueryModel,
    focus: Variable,
    text: str,
    *,
    named: Sequence[NamedNode] = (),
    limit: int = SHOWN,
    limits: Limits = NO_LIMITS,
) -> tuple[ValueMatch, ...]:
    """The properties of the focus with a matching value, most frequent first.

    Empty if the query says nothing about the focus. Classes are excluded; they have their own list.

    Args:
        text: searched in literals, ignoring case.
        named: resources found by name for this text.
    """
    focused = bindings(query, (focus,))
    if focused.is_anything or not text.strip():
        return ()
    one, (by, value, back, number) = str(focus), focused.names("property", "value", "back", "number")
    folded = Literal(text.strip().lower())
    patterns = [
        f"{one} {by} {value} FILTER(isLiteral({value}) && CONTAINS(LCASE(STR({value})), {folded})) "
        f"BIND(false AS {back})"
    ]
    if named:
        known = f"VALUES {value} {{ {' '.join(map(str, named))} }}"
        forward = f"{known} {one} {by} {value} FILTER({by} != {RDF.type}) BIND(false AS {back})"
        backward = f"{known} {value} {by} {one} BIND(true AS {back})"
        patterns.append(f"{{ {forward} }} UNION {{ {backward} }}")
    head = f"{by} {value} {back} (COUNT(DISTINCT {one}) AS {number})"
    # As in `by_sparql`: values of mixed types are sorted by their texts.
    order = f"DESC({number}) {by} STR({value}) DATATYPE({value}) LANG({value})"
    tail = f"GROUP BY {by} {value} {back} ORDER BY {order} LIMIT {limit}"
    found = []
    for pattern in patterns:
        for row in store.select(focused.around(head, pattern, tail), limits=limits):
            predicate, term, is_backward = row[by[1:]], row[value[1:]], row[back[1:]]
            if isinstance(predicate, NamedNode) and isinstance(term, (NamedNode, Literal)):
                direction = Direction.BACKWARD if is_backward == _TRUE else Direction.FORWARD
                found.append(ValueMatch(predicate, direction, term, Count(number_of(row[number[1:]]))))
    found.sort(key=lambda match: -match.count.value)
    return tuple(found[:limit])
