"""The condition that is chosen in the sentence of the tab Ask: its menu, and what its commands make of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from hpc_explorer.app.query.builder import Builder
from hpc_explorer.query import building
from hpc_explorer.query.building import Mode
from hpc_explorer.query.model.paths import RepeatedPath
from hpc_explorer.query.model.patterns import Statement
from hpc_explorer.query.model.places import Place, element_at
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.rdf.terms import Variable
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.query.menus import opened_menu
from hpc_explorer.ui.query.suggestions import Suggestions


class ChosenCondition(QObject):
    """Changes the chosen condition of the question as it is.

    Args:
        change: makes a step, given as a function, under words for the undo.
        window: what the menu belongs to.

    Signals:
        said(str): what is to be done next, or why nothing can be.
    """

    said = Signal(str)

    def __init__(
        self,
        builder: Builder,
        change: Callable[[Callable[[], QueryModel], str], None],
        suggestions: Suggestions,
        actions: Actions,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._builder = builder
        self._change = change
        self._suggestions = suggestions
        self._actions = actions
        self._window = window

    def menu(self) -> QMenu:
        """What can be done with it."""
        menu = opened_menu("Condition", self._window)
        names = ("ask.required", "ask.optional", "ask.absent", "ask.repeated", "ask.or", "ask.remove")
        menu.addActions(self._actions.actions(*names))
        return menu

    def commands(self, condition: Need) -> tuple[Command, ...]:
        """What can be done with it.

        Args:
            condition: that one is chosen.
        """
        return (
            Command("ask.required", "Condition is required", "Ask", 2)
            .runs(lambda: self.set_mode(Mode.REQUIRED), condition)
            .marked(lambda: self.mode is Mode.REQUIRED, choice=True)
            .about("Only what meets the chosen condition is found."),
            Command("ask.optional", "Condition is optional", "Ask", 2)
            .runs(lambda: self.set_mode(Mode.OPTIONAL), condition)
            .marked(lambda: self.mode is Mode.OPTIONAL, choice=True)
            .about("What does not meet the chosen condition is found too."),
            Command("ask.absent", "Condition is absent", "Ask", 2)
            .runs(lambda: self.set_mode(Mode.ABSENT), condition)
            .marked(lambda: self.mode is Mode.ABSENT, choice=True)
            .about("Only what does not meet the chosen condition is found."),
            Command("ask.repeated", "Over any number of steps", "Ask", 3)
            .runs(self.toggle_repeated, condition)
            .marked(lambda: self.is_repeated)
            .about("Follow the chosen property again and again, such as from a part to all that it is a part of."),
            Command("ask.or", "Or…", "Ask", 3)
            .runs(self.begin_alternative, condition)
            .about("Choose another class or property that may stand in place of the chosen condition."),
            Command("ask.remove", "Remove condition", "Ask", 3, "Ctrl+Shift+Delete")
            .runs(self.remove, condition)
            .about("Take the chosen condition out of the question, with what hangs on it alone."),
        )

    @property
    def mode(self) -> Mode | None:
        """Whether it has to be met; None where none is chosen, or it is of no such kind."""
        place = self._builder.chosen
        return None if place is None else building.mode_of(element_at(self._builder.state.query, place))

    def set_mode(self, mode: Mode) -> None:
        """Say whether it has to be met."""
        query, place = self._builder.state.query, self._builder.chosen
        if place is not None:
            self._change(lambda: building.with_mode(query, place, mode), f"make it {mode.value}")

    @property
    def is_repeated(self) -> bool:
        """Whether it is met over any number of steps."""
        place = self._builder.chosen
        if place is None:
            return False
        element = element_at(self._builder.state.query, place)
        return isinstance(element, Statement) and isinstance(element.predicate, RepeatedPath)

    def toggle_repeated(self) -> None:
        """Have it be met over any number of steps, or over one again."""
        query, place = self._builder.state.query, self._builder.chosen
        if place is not None:
            wanted = not self.is_repeated
            words = "over any number of steps" if wanted else "over one step"
            self._change(lambda: building.with_repeated(query, place, wanted), words)

    def begin_alternative(self) -> None:
        """Have the next class or property be another way to meet it."""
        query, place = self._builder.state.query, self._builder.chosen
        element = element_at(query, place) if place is not None else None
        if place is not None and isinstance(element, Statement) and isinstance(element.subject, Variable):
            self._builder.focus_on(element.subject)
            self._builder.choose(place)
            self._suggestions.begin_alternative(place, element)
            self.said.emit("Choose the class or the property that may stand in its place")
        else:
            self.said.emit("Only a class or a property can have another in its place; of values choose several")

    def remove(self) -> None:
        """Take it away."""
        if self._builder.chosen is not None:
            self.remove_at(self._builder.chosen)

    def remove_at(self, place: Place) -> None:
        """Take away any condition."""
        query = self._builder.state.query
        self._change(lambda: building.without(query, place), "remove a condition")
