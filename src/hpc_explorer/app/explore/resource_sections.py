"""The sections of a description: stated and inferred properties, and links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hpc_explorer.app.views import PropertyView, ResourceView, ValueView
from hpc_explorer.rdf.origin import Origin


class Sections(NamedTuple):
    """The properties and incoming links of a resource.

    Args:
        stated, links: with a stated value.
        inferred, inferred_links: with inferred values only.
    """

    stated: tuple[PropertyView, ...]
    inferred: tuple[PropertyView, ...]
    links: tuple[PropertyView, ...]
    inferred_links: tuple[PropertyView, ...]


def sections(view: ResourceView) -> Sections:
    """Divide a description, without the value shown as the description."""
    return Sections(*_parted(_without(view.outgoing, describing(view))), *_parted(view.incoming))


def describing(view: ResourceView) -> ValueView | None:
    """The value that is the description, if any."""
    if not view.description:
        return None
    return next((value for one in view.outgoing for value in one.values if value.text == view.description), None)


def _without(properties: Sequence[PropertyView], shown: ValueView | None) -> tuple[PropertyView, ...]:
    """The properties except the one whose only value is shown elsewhere."""
    return tuple(one for one in properties if shown is None or one.values != (shown,))


def _parted(properties: Sequence[PropertyView]) -> tuple[tuple[PropertyView, ...], tuple[PropertyView, ...]]:
    inferred = [one for one in properties if all(value.origin is Origin.INFERRED for value in one.values)]
    return tuple(one for one in properties if one not in inferred), tuple(inferred)
