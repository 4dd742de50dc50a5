"""The view Reproduce of a resource's page: the recipe, and what is missing."""

from __future__ import annotations

from PySide6.QtCore import QObject

from hpc_explorer.app.lineage.recipe_answer import recipe_answer
from hpc_explorer.app.results.answer import Answer
from hpc_explorer.errors import Cancelled
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.bridge.navigator import Navigator, Place, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.results.answer_tab import AnswerTab

TITLE, REQUEST = "How to make it again", "recipe"


class ReproduceController(QObject):
    """Loads the recipe of the resource whose page is shown."""

    def __init__(self, bridge: SessionBridge, navigator: Navigator, tab: AnswerTab, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge, self._navigator, self._tab = bridge, navigator, tab
        self._shown: Resource | None = None
        navigator.moved.connect(self._follow)
        tab.again_wanted.connect(self._load)
        bridge.graph_changed.connect(self._graph_changed)

    def _follow(self, place: Place, before: Place) -> None:
        if place.view is not View.REPRODUCE:
            return
        if place.focus != self._shown:
            self._load()

    def _graph_changed(self) -> None:
        if self._bridge.is_empty or self._navigator.place.view is not View.REPRODUCE:
            self._shown = None
        elif self._tab.answer is None:
            self._load()  # the request was dropped, or used the old graph
        else:
            self._tab.mark_outdated()

    def _load(self) -> None:
        focus = self._shown = self._navigator.place.focus
        if focus is None or self._bridge.is_empty:
            self._bridge.drop(REQUEST)
            self._tab.show_nothing()
            self._bridge.updated.emit()
            return
        self._tab.show_progress(TITLE)
        self._bridge.run(
            recipe_answer,
            focus,
            title=TITLE,
            on_result=self._take,
            on_error=self._failed,
            replaces=REQUEST,
        )
        self._bridge.updated.emit()

    def _take(self, answer: Answer) -> None:
        self._tab.show_answer(answer)
        if self._navigator.place.view is View.REPRODUCE:
            self._tab.take_focus()
        self._bridge.updated.emit()

    def _failed(self, error: BaseException) -> None:
        if isinstance(error, Cancelled):
            self._tab.show_nothing()
            self._shown = None
        else:
            self._tab.show_error(TITLE, error)
        self._bridge.updated.emit()
