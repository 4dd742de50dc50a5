"""A thousand random steps on a real graph: each undone gives back the view and the picture that were there before."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator

import pytest

from hpc_explorer.app.explore.finding import resource_of_key
from hpc_explorer.app.graph.expanding import (
    carried_over,
    classes_in,
    expand,
    filter_choices,
    neighbour_sets,
    refreshed,
    show_resources,
)
from hpc_explorer.app.graph.view_document import ViewDocument
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.workspace.opening import close_source
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.export.svg import to_svg
from hpc_explorer.canvas.palette import LIGHT
from hpc_explorer.canvas.picture import draw
from hpc_explorer.canvas.view import steps
from hpc_explorer.canvas.view.placing import drawn, placed_view, rearranged
from hpc_explorer.canvas.view.saved import from_json, to_json
from hpc_explorer.canvas.view.state import Filters, GraphView
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.sessions import session_of

STEPS = 1_000
MOST_NODES = 14
"""Beyond so many, the next steps take away."""
PICTURED = 8
"""Every so many steps the picture is compared as well as the model."""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    session = session_of("sample:xplacer")
    yield session
    session.close()


class Hand:
    """Does at random what a person can do to a view."""

    def __init__(self, session: Session, seed: int) -> None:
        self.random = random.Random(seed)
        self.session = session
        self.all = sorted({quad.subject.value for quad in session.store.match() if isinstance(quad.subject, NamedNode)})

    def some(self, view: GraphView, most: int = 3) -> list[str]:
        keys = sorted(view.nodes)
        return self.random.sample(keys, min(len(keys), self.random.randint(1, most)))

    def expanded(self, view: GraphView) -> GraphView:
        anchor = self.some(view, 1)[0]
        sets = neighbour_sets(self.session, resource_of_key(anchor))
        if not sets:
            return view
        of = self.random.choice(sets).of
        classes = classes_in(self.session, of)
        if classes and self.random.random() < 0.3:
            of = self.random.choice(classes).of
        return expand(self.session, view, of, number=self.random.randint(1, 6))

    def filters(self, view: GraphView) -> Filters:
        offered = filter_choices(self.session, view)

        def out(choices: tuple[object, ...]) -> frozenset[str]:
            return frozenset(one.key for one in choices if self.random.random() < 0.2)  # type: ignore[attr-defined]

        return Filters(out(offered.classes), out(offered.predicates), text=self.random.choice(["", "", "data", "e"]))

    def step(self, view: GraphView) -> GraphView:
        if not view.nodes or self.random.random() < 0.1:
            return show_resources(self.session, view, [NamedNode(self.random.choice(self.all))])
        if len(view.nodes) > MOST_NODES:
            return steps.removed(view, self.some(view, 8))
        moves: list[Callable[[], GraphView]] = [
            lambda: self.expanded(view),
            lambda: self.expanded(view),
            lambda: self.expanded(view),
            lambda: steps.collapsed_node(view, self.some(view, 1)[0]),
            lambda: steps.hidden(view, self.some(view)),
            lambda: steps.shown_again(view),
            lambda: steps.removed(view, self.some(view, 2)),
            lambda: steps.focused(view, self.some(view, 1)[0], self.random.randint(1, 4)),
            lambda: steps.focused(view, None),
            lambda: steps.filtered(view, self.filters(view)),
            lambda: steps.filtered(view, Filters()),
            lambda: steps.dragged(
                view, {key: (self.random.randint(-900, 900), self.random.randint(-900, 900)) for key in self.some(view)}
            ),
            lambda: steps.pinned(view, self.some(view)),
            lambda: steps.pinned(view, self.some(view), fixed=False),
            lambda: rearranged(view, self.random.choice(["layered", "force", "tree"])),  # type: ignore[arg-type]
        ]
        return self.random.choice(moves)()


def state(view: GraphView, number: int) -> tuple[str, str]:
    """The model and, of some steps, the picture, as texts."""
    if number % PICTURED:
        return to_json(view), ""
    picture = to_svg(draw(*drawn(view), LIGHT), embed_fonts=False)
    return to_json(view), hashlib.sha256(picture.encode()).hexdigest()


@pytest.mark.slow
def test_a_thousand_random_steps_undone_give_back_each_view_and_each_picture(session: Session) -> None:
    undo = UndoStack()
    document = ViewDocument(undo)
    hand = Hand(session, seed=7)
    states = [state(document.view, 0)]
    while len(states) <= STEPS:
        before, number = undo.last, len(states)
        document.change(hand.step(document.view), f"step {number}")
        document.settle(placed_view(document.view))
        if hand.random.random() < 0.2 and document.view.nodes:
            document.settle(steps.selecting(document.view, hand.some(document.view)))
        if undo.last is before:
            states.pop()  # nothing but the selection is another one
            number -= 1
        states.append(state(document.view, number))
    assert max(text.count('"key"') for text, _ in states) > MOST_NODES
    assert len({picture for _, picture in states}) > STEPS / PICTURED / 2
    for number in range(STEPS, 0, -1):
        assert undo.undo_words == f"step {number}"
        assert state(document.view, number) == states[number]
        assert undo.undo()
    assert document.view == GraphView()
    assert not undo.undo()
    for number in range(1, STEPS + 1):
        assert undo.redo_words == f"step {number}"
        assert undo.redo()
        assert to_json(document.view) == states[number][0]
    assert state(document.view, STEPS) == states[STEPS]
    assert from_json(to_json(document.view)) == document.view


def test_steps_carried_over_to_another_graph_show_nothing_that_is_not_there() -> None:
    """The same random walk, then a source beside is closed: every step to and fro still gives a view of what is left."""
    session = session_of("sample:xplacer", "sample:npb")
    undo = UndoStack()
    document = ViewDocument(undo)
    hand = Hand(session, seed=3)
    for number in range(120):
        document.change(hand.step(document.view), f"step {number}")
        document.settle(placed_view(document.view))
    for _ in range(30):
        undo.undo()
    steps_before = len(undo.done), len(undo.undone)
    (gone,) = [source.graph for source in session.sources if "npb" in source.name]
    close_source(session, gone)
    before = document.view
    view, history = carried_over(session, before, document.history)
    assert view == refreshed(session, before)
    assert (len(history.done), len(history.undone)) == steps_before
    assert 0 < history.lost < sum(steps_before)
    document.carry(view, history)
    assert len(undo.done) + len(undo.undone) == sum(steps_before) - history.lost
    states = []
    while undo.undo():
        states.append(to_json(document.view))
        assert refreshed(session, document.view) == document.view
        from_json(to_json(document.view))
    for known in reversed(states[:-1]):
        undo.redo()
        assert comparable(to_json(document.view)) == comparable(known)
    while undo.redo():
        assert refreshed(session, document.view) == document.view
    session.close()


def comparable(text: str) -> str:
    """Without places and selection, which a step takes over from what was there."""
    members = json.loads(text)
    return json.dumps(
        {name: value for name, value in members.items() if name not in ("places", "arranged", "selected")}
    )
