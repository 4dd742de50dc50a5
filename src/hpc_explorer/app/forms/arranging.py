"""The groups of a form, and the fields that are visible at first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hpc_explorer.annotate.forms.form import Field, FieldGroup, Reason
from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.ontology.labels import COMMENT_PREDICATES, LABEL_PREDICATES
from hpc_explorer.rdf.terms import NamedNode

EMPTY_IN_SIGHT, EMPTY_OF_A_GROUP = 16, 4
"""Empty fields visible at first: in the whole form, and in one group."""


NAMING = "Name and description"
"""The group that comes first."""

_NAMING = frozenset((*LABEL_PREDICATES, *COMMENT_PREDICATES))


def groups_of(filling: Filling) -> tuple[FieldGroup, ...]:
    """The groups of a form; names and descriptions form the first group."""
    naming = tuple(one for one in filling.form.fields if one.predicate in _NAMING)
    rest = (
        FieldGroup(group.label, tuple(one for one in group.fields if one.predicate not in _NAMING))
        for group in filling.groups
    )
    groups = (FieldGroup(NAMING, naming), *rest)
    return tuple(group for group in groups if group.fields)


def doubled_labels(fields: Sequence[Field]) -> frozenset[str]:
    """The labels that more than one property has."""
    counts = Counter(one.label for one in fields)
    return frozenset(label for label, count in counts.items() if count > 1)


def in_sight_at_first(filling: Filling, *, read_only: bool) -> set[NamedNode]:
    """The fields that are not folded: filled, typed into or required ones, and the likeliest of the others."""
    shown = {one.predicate for one in filling.fields if one.values or one.predicate in filling.entries}
    shown |= {one.predicate for one in filling.more}
    if read_only:
        return shown
    shown |= {one.predicate for one in filling.fields if one.required}
    empty = [one for one in filling.fields if one.predicate not in shown]
    if len(empty) <= EMPTY_IN_SIGHT + 1:
        return shown | {one.predicate for one in empty}
    likely: list[Field] = []
    for group in groups_of(filling):
        of_group = [one for one in group.fields if one.predicate not in shown]
        likely += sorted(of_group, key=_likelihood)[:EMPTY_OF_A_GROUP]
    return shown | {one.predicate for one in sorted(likely, key=_likelihood)[:EMPTY_IN_SIGHT]}


def _likelihood(one: Field) -> int:
    """Sort key: names first, then fields of shapes, then those that other members of the class have."""
    if one.predicate in _NAMING:
        return 0
    if one.recommended:
        return 1
    return {Reason.SHAPE: 2, Reason.USE: 3}.get(one.reason, 4)
