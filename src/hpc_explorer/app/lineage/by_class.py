"""The things of a lineage by class, raw data first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.kinds import kind_of
from hpc_explorer.ontology.labels import label_order

_FIRST = {"file": 0, "data": 1, "model": 2}


def by_class(
    refs: Iterable[ResourceRef], *, unknown: str = "without a class"
) -> Sequence[tuple[str, Sequence[ResourceRef]]]:
    """The names of classes with their things by name: files, data and models first, then the most frequent class.

    Args:
        unknown: what to call the class of things without one.
    """
    grouped: dict[str, list[ResourceRef]] = defaultdict(list)
    for ref in refs:
        grouped[ref.kind or unknown].append(ref)

    def order(kind: str) -> tuple[int, int, str]:
        members = grouped[kind]
        return _FIRST.get(kind_of(members[0].colour_key), len(_FIRST)), -len(members), kind

    return [
        (kind, sorted(grouped[kind], key=lambda ref: label_order(ref.label))) for kind in sorted(grouped, key=order)
    ]
