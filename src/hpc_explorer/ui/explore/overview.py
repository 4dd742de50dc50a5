"""The open sources and classes in the left pane, and the number of triples in the status bar."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from hpc_explorer.app.explore.class_filter import is_mostly_schema
from hpc_explorer.app.explore.class_picture import every_class
from hpc_explorer.app.explore.overview import Overview, overview
from hpc_explorer.app.views import source_title
from hpc_explorer.app.workspace.replacing import close_all, close_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import NamedNode, Resource, iri_text
from hpc_explorer.ui.bridge.commands import Command, Need, open_graph
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.explore.browser import Browser
from hpc_explorer.ui.explore.class_view import ClassView
from hpc_explorer.ui.explore.looks import LooksController
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.theme import GRID, font
from hpc_explorer.ui.widgets.timers import single_shot

GROWN_AFTER = 1_000
"""Milliseconds after which a source that grows is counted again."""


class GraphOverview(QObject):
    """Updates the lists of classes and sources, and closes sources.

    Args:
        looks: receives the classes.
        leave: asks about unsaved changes, then calls its argument.

    Attributes:
        size_label: the number of triples.

    Signals:
        named(str): the names of the open sources.
        counted(tuple): the class tree of another state of the graph.
    """

    named = Signal(str)
    counted = Signal(object)

    def __init__(
        self,
        bridge: SessionBridge,
        browser: Browser,
        classes: ClassView,
        looks: LooksController,
        preferences: Preferences,
        leave: Callable[[Callable[[], None]], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._browser, self._classes, self._looks = bridge, browser, classes, looks
        self._preferences = preferences
        self._leave = leave
        self._only_used = preferences.settings.only_used_classes
        self.size_label = Label()
        self.size_label.setFont(font(figures=True))
        self.size_label.setContentsMargins(0, 0, 2 * GRID, 0)
        self.size_label.setProperty("role", "muted")
        browser.sources.close_wanted.connect(self._close)
        classes.tree_wanted.connect(self.ask)
        bridge.graph_grew.connect(self._grew)
        self._growing = single_shot(self, GROWN_AFTER, self.ask)
        self._asked = self._took = 0.0

    def commands(self) -> tuple[Command, ...]:
        """The commands for the open sources."""
        graph = open_graph(self._bridge)
        endpoint = Need("an open endpoint", lambda: not self._bridge.is_empty and self._bridge.is_remote)
        return (
            Command("source.close", "Close source", "File", 1, "Ctrl+W", "close")
            .runs(self._browser.sources.close_current, graph)
            .about("Close the chosen source, or the only one. Its file stays as it is."),
            Command("source.refresh", "Refresh", "File", 1, "F5", "refresh")
            .runs(self._refresh, endpoint)
            .about("Query the endpoint again, without cached answers."),
            Command("file.close_all", "Close all sources", "File", 1)
            .runs(self._close_all, graph)
            .about("Close everything and return to the start page."),
            Command("view.only_used", "Only classes with instances", "View", 3, "", "filter")
            .runs(self._toggle_only_used)
            .marked(lambda: self._only_used)
            .about("Hide classes without instances."),
        )

    def ask(self) -> None:
        """Update the lists."""
        if self._bridge.is_empty:
            self._browser.show_classes((), only_used=self._only_used)
            self._browser.show_sources(())
            self.size_label.setText("")
            self.counted.emit(())
        else:
            self._asked = time.monotonic()
            self._bridge.run(
                partial(overview, with_inferred=self._classes.with_inferred),
                title="Count the classes",
                on_result=self._take,
                replaces="overview",
            )

    def _grew(self) -> None:
        """Count again after a pause, so that counting takes a quarter of the time while a source grows."""
        if not self._growing.isActive():
            self._growing.start(max(GROWN_AFTER, round(3_000 * self._took)))

    def _take(self, graph: Overview) -> None:
        self._took = time.monotonic() - self._asked
        self._browser.show_sources(graph.sources)
        self._looks.set_classes(graph.classes)
        wanted = self._preferences.settings.only_used_classes
        self._only_used = wanted and not is_mostly_schema(graph.classes)
        self._browser.show_classes(graph.classes, only_used=self._only_used)
        self._bridge.updated.emit()
        self.counted.emit(graph.classes)
        inferred = f", {graph.inferred:,} inferred" if graph.inferred else ""
        self.size_label.setText(f"{graph.triples} triples{inferred}")
        names = [source_title(source.name) for source in graph.sources]
        self.named.emit(", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else ""))

    def reveal(self, resource: Resource) -> bool:
        """Show the classes without instances if this is one of them; returns whether it is."""
        tree = self._browser.classes
        hidden = self._only_used and iri_text(resource) in every_class(tree.all_classes)
        if hidden:
            self._browser.filter.clear()
            self._toggle_only_used()
            self._bridge.updated.emit()
        return hidden

    def _toggle_only_used(self) -> None:
        self._only_used = not self._only_used
        self._preferences.change(only_used_classes=self._only_used)
        self._browser.classes.set_only_used(self._only_used)

    def _close(self, graph: NamedNode) -> None:
        if self._bridge.workspace is not None:
            self._close_all()
        else:
            self._bridge.run(close_sources, [graph], title="Close", writes=True)

    def _close_all(self) -> None:
        def close() -> None:
            self._bridge.run(close_all, title="Close", closes=True)

        self._leave(close)

    def _refresh(self) -> None:
        self._bridge.run(Session.refresh, title="Refresh", closes=True)
