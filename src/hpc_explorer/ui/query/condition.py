"""The selected condition of a query: its menu and commands."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
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
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.query.menus import opened_menu


class ChosenCondition(QObject):
    """Changes the selected condition of the query.

    Args:
        change: applies a step, given as a function, with its name for the undo menu.
        ask_alternative: makes the next chosen class or property an alternative to a statement.
        said: shows a message in the status bar.
        window: the parent of the menu.
    """

    def __init__(
        self,
        builder: Builder,
        change: Callable[[Callable[[], QueryModel], str], None],
        ask_alternative: Callable[[Place, Statement], None],
        actions: Actions,
        said: Callable[[str], None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._builder = builder
        self._change = change
        self._ask_alternative = ask_alternative
        self._actions = actions
        self._said = said
        self._window = window

    def menu(self) -> QMenu:
        """The menu of the condition."""
        menu = opened_menu("Condition", self._window)
        names = ("ask.required", "ask.optional", "ask.absent", "ask.repeated", "ask.or", "ask.remove")
        menu.addActions(self._actions.actions(*names))
        return menu

    @staticmethod
    def commands(chosen: Late[ChosenCondition], condition: Need) -> tuple[Command, ...]:
        """The commands of the condition, which need a selected one."""
        return (
            Command("ask.required", "Condition is required", "Ask", 2)
            .runs(chosen.does(lambda one: one.set_mode(Mode.REQUIRED)), condition)
            .marked(chosen.has(lambda one: one.mode is Mode.REQUIRED), choice=True)
            .about("Find only things that meet the selected condition."),
            Command("ask.optional", "Condition is optional", "Ask", 2)
            .runs(chosen.does(lambda one: one.set_mode(Mode.OPTIONAL)), condition)
            .marked(chosen.has(lambda one: one.mode is Mode.OPTIONAL), choice=True)
            .about("Also find things that do not meet the selected condition."),
            Command("ask.absent", "Condition is absent", "Ask", 2)
            .runs(chosen.does(lambda one: one.set_mode(Mode.ABSENT)), condition)
            .marked(chosen.has(lambda one: one.mode is Mode.ABSENT), choice=True)
            .about("Find only things that do not meet the selected condition."),
            Command("ask.repeated", "Over any number of steps", "Ask", 3)
            .runs(chosen.does(ChosenCondition.toggle_repeated), condition)
            .marked(chosen.has(lambda one: one.is_repeated))
            .about("Follow the selected property repeatedly, such as from a part to everything that contains it."),
            Command("ask.or", "Or…", "Ask", 3)
            .runs(chosen.does(ChosenCondition.begin_alternative), condition)
            .about("Choose a class or property as an alternative to the selected condition."),
            Command("ask.remove", "Remove condition", "Ask", 3)
            .runs(chosen.does(ChosenCondition.remove), condition)
            .about("Remove the selected condition, and what depends on it alone."),
        )

    @property
    def mode(self) -> Mode | None:
        """Whether it is required, optional or absent; None if none is selected."""
        place = self._builder.chosen
        return None if place is None else building.mode_of(element_at(self._builder.state.query, place))

    def set_mode(self, mode: Mode) -> None:
        """Make it required, optional or absent."""
        query, place = self._builder.state.query, self._builder.chosen
        if place is not None:
            self._change(lambda: building.with_mode(query, place, mode), f"make it {mode.value}")

    @property
    def is_repeated(self) -> bool:
        """Whether its property is followed repeatedly."""
        place = self._builder.chosen
        if place is None:
            return False
        element = element_at(self._builder.state.query, place)
        return isinstance(element, Statement) and isinstance(element.predicate, RepeatedPath)

    def toggle_repeated(self) -> None:
        """Follow its property repeatedly, or once again."""
        query, place = self._builder.state.query, self._builder.chosen
        if place is not None:
            wanted = not self.is_repeated
            words = "over any number of steps" if wanted else "over one step"
            self._change(lambda: building.with_repeated(query, place, wanted), words)

    def begin_alternative(self) -> None:
        """Use the next chosen class or property as an alternative."""
        query, place = self._builder.state.query, self._builder.chosen
        element = element_at(query, place) if place is not None else None
        if place is not None and isinstance(element, Statement) and isinstance(element.subject, Variable):
            self._builder.focus_on(element.subject)
            self._builder.choose(place)
            self._ask_alternative(place, element)
            self._said("Choose the class or property for the alternative")
        else:
            self._said("Only a class or a property can have an alternative; for values, choose several")

    def remove(self) -> None:
        """Remove the selected condition."""
        if self._builder.chosen is not None:
            self.remove_at(self._builder.chosen)

    def remove_at(self, place: Place) -> None:
        """Remove any condition."""
        query = self._builder.state.query
        self._change(lambda: building.without(query, place), "remove a condition")
