"""Recognise the pattern of a quantity between two amounts (see `quantity_pattern.py`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from hpc_explorer.query.model.conditions import LockedExpression
from hpc_explorer.query.model.patterns import Element, Filter, Group, QuantityRange, Statement, Values
from hpc_explorer.query.sparql.quantity_pattern import QuantityNames, quantity_pattern
from hpc_explorer.query.sparql.terms import TermWriter
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.sparql_tokens import Token, TokenKind, meaning_tokens
from hpc_explorer.rdf.terms import NamedNode, Variable

Named = Callable[[Token], NamedNode]

_BOUND = re.compile(r".*?(>=|<=|>|<)\s*(-?[0-9.]+)(?:e0)?\s*\*\s*[0-9.]+", re.DOTALL)


def quantity_range(group: Group, writer: TermWriter, named: Named) -> QuantityRange | None:
    """The quantity range that a group expresses; None for any other group.

    Args:
        writer: writes terms as in the query of the group.
        named: returns the IRI of an IRI token or prefixed name.
    """
    match group.elements:
        case (
            Statement(Variable() as node, _, Variable() as amount),
            Statement(_, _, Variable() as unit_name),
            Values((_, Variable() as factor), ((NamedNode() as unit, _), *_)),
            *filters,
        ) if unit in known_units():
            bounds = [_bound(one) for one in filters]
        case _:
            return None
    limits = dict(bound for bound in bounds if bound is not None)
    if not limits or None in bounds:
        return None
    least, most = limits.get(">=", limits.get(">")), limits.get("<=", limits.get("<"))
    quantity = QuantityRange(node, unit, least, most, ">" not in limits, "<" not in limits)
    written = quantity_pattern(quantity, QuantityNames(amount, unit_name, factor), writer).group
    return quantity if _comparable(written, named) == _comparable(group, named) else None


def _bound(element: Element) -> tuple[str, Decimal] | None:
    if not isinstance(element, Filter) or not isinstance(element.condition, LockedExpression):
        return None
    found = _BOUND.fullmatch(element.condition.text)
    return None if found is None else (found[1], Decimal(found[2]))


def _comparable(group: Group, named: Named) -> list[object]:
    """The elements of a pattern, independent of white space and prefixes."""
    return [
        [_meaning(token, named) for token in meaning_tokens(element.condition.text)]
        if isinstance(element, Filter) and isinstance(element.condition, LockedExpression)
        else element
        for element in group.elements
    ]


def _meaning(token: Token, named: Named) -> str:
    if token.kind in (TokenKind.IRI, TokenKind.NAME):
        return str(named(token))
    return token.text[1:] if token.kind is TokenKind.VARIABLE else token.text
