"""What is said of a resource, in the sections that it is read in: stated and inferred, of it and to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hpc_explorer.app.views import PropertyView, ResourceView, ValueView
from hpc_explorer.rdf.origin import Origin


class Sections(NamedTuple):
    """The properties of a resource, below its description, and likewise what links to it.

    Args:
        stated, links: of which a source states a value.
        inferred, inferred_links: whose values are all inferred.
    """

    stated: tuple[PropertyView, ...]
    inferred: tuple[PropertyView, ...]
    links: tuple[PropertyView, ...]
    inferred_links: tuple[PropertyView, ...]


def sections(view: ResourceView) -> Sections:
    """What is shown of a resource below its description."""
    return Sections(*_parted(_without(view.outgoing, describing(view))), *_parted(view.incoming))


def describing(view: ResourceView) -> ValueView | None:
    """The value that is the description of a resource, if one is."""
    if not view.description:
        return None
    return next((value for one in view.outgoing for value in one.values if value.text == view.description), None)


def _without(properties: Sequence[PropertyView], shown: ValueView | None) -> tuple[PropertyView, ...]:
    """The properties without a value that already stands elsewhere, where it is the only one of its property."""
    return tuple(one for one in properties if shown is None or one.values != (shown,))


def _parted(properties: Sequence[PropertyView]) -> tuple[tuple[PropertyView, ...], tuple[PropertyView, ...]]:
    inferred = [one for one in properties if all(value.origin is Origin.INFERRED for value in one.values)]
    return tuple(one for one in properties if one not in inferred), tuple(inferred)
