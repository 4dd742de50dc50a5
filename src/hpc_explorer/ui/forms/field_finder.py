"""Finds fields of a form by their names, and properties that could be added."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from hpc_explorer.app.forms.arranging import doubled_labels
from hpc_explorer.app.forms.fields import PropertyChoice, properties_to_add
from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.canvas.text import brief
from hpc_explorer.language.lexicon import english, is_called
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.rdf.terms import NamedNode, Resource, iri_text
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.suggest_line import Suggestion, Suggestions

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

ADDED_FIELD = "field to add"
"""The name of the request for properties to add."""

MOST_FOUND = 40
"""The maximum number of suggestions."""


class FieldFinder:
    """Suggests fields; the properties of the graph are requested once.

    Args:
        filling: the form in sight; None while there is none.
        can_add: whether a field can be added to it.
    """

    def __init__(
        self, bridge: SessionBridge, filling: Callable[[], Filling | None], can_add: Callable[[], bool]
    ) -> None:
        self._bridge, self._filling, self._can_add = bridge, filling, can_add
        self._properties: tuple[PropertyChoice, ...] | None = None

    def forget(self) -> None:
        """Forget the properties, because the graph has changed."""
        self._properties = None

    def find(self, text: str, answer: Callable[[Suggestions], None]) -> None:
        """Suggest fields and properties once the properties are known."""
        if self._properties is not None:
            answer(fitting(text, self._filling(), self._properties))
            return
        can_add = self._can_add()

        def took(found: tuple[PropertyChoice, ...]) -> None:
            self._properties = found if can_add else None
            answer(fitting(text, self._filling(), found))

        listed = partial(_properties, can_add=can_add)
        self._bridge.run(listed, title="List the properties", on_result=took, replaces=ADDED_FIELD)


def _properties(session: Session, *, can_add: bool, limits: Limits = NO_LIMITS) -> tuple[PropertyChoice, ...]:
    """The properties to add; reads the words that people use for them too, which takes 50 ms."""
    english()
    return properties_to_add(session, limits=limits) if can_add else ()


def fitting(text: str, filling: Filling | None, properties: Sequence[PropertyChoice]) -> Suggestions:
    """The fields that match a text, then the properties without a field."""
    if filling is None:
        return Suggestions()
    words = text.casefold().split()

    typed = " ".join(words)

    def rank(label: str, resource: Resource) -> int:
        names = (label.casefold(), local_name(iri_text(resource)).casefold())
        if typed in names:
            return 0
        if any(name.startswith(typed) for name in names):
            return 1
        return 2 if _fits_name(words, label, resource) else 3

    fields = [one for one in filling.fields if _fits(words, one.label, one.predicate)]
    fields.sort(key=lambda one: rank(one.label, one.predicate))
    twice = doubled_labels(fields)
    offered = [
        Suggestion(
            one.predicate,
            f"{one.label} ({local_name(one.predicate.value)})" if one.label in twice else one.label,
            brief(one.description, 60) or "field",
        )
        for one in fields
    ]
    known = {one.predicate for one in filling.fields}
    more = [
        one for one in properties if one.ref.resource not in known and _fits(words, one.ref.label, one.ref.resource)
    ]
    more.sort(key=lambda one: rank(one.ref.label, one.ref.resource))
    offered += [
        Suggestion(one.ref.resource, one.ref.label, f"add · {one.ref.curie} {brief(one.description, 40)}".strip())
        for one in more
    ]
    remark = "" if offered else f"No field or property is called “{text}”"
    if len(offered) > MOST_FOUND:
        remark = f"{MOST_FOUND} of {len(offered):,}: type more of the name"
    return Suggestions(tuple(offered[:MOST_FOUND]), remark)


def _fits(words: Sequence[str], label: str, resource: object) -> bool:
    return _fits_name(words, label, resource) or is_called(label, " ".join(words))


def _fits_name(words: Sequence[str], label: str, resource: object) -> bool:
    text = f"{label} {local_name(resource.value) if isinstance(resource, NamedNode) else ''}".casefold()
    return all(word in text for word in words)
