"""The export commands."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from hpc_explorer.app.explore.finding import resource_of_key
from hpc_explorer.app.export.choices import Extent
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.lineage.trace.trace import Lineage
from hpc_explorer.rdf.terms import iri_text
from hpc_explorer.ui.bridge.commands import Command, Need, chosen_resource, open_graph
from hpc_explorer.ui.bridge.navigator import Navigator, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.explore.class_tree import ClassTree
from hpc_explorer.ui.explore.inspector import Inspector
from hpc_explorer.ui.export.controller import ExportController
from hpc_explorer.ui.widgets.dialog_parts import open_dialog


class ExportCommands(QObject):
    """Passes the current view and selection to the exporter.

    Args:
        canvas: returns the visible canvas.
        lineage: returns the lineage on the canvas, if any.
    """

    def __init__(
        self,
        exporter: ExportController,
        bridge: SessionBridge,
        navigator: Navigator,
        inspector: Inspector,
        tree: ClassTree,
        canvas: Callable[[], CanvasView],
        lineage: Callable[[], Lineage | None],
    ) -> None:
        super().__init__(exporter)
        self._exporter, self._bridge, self._navigator = exporter, bridge, navigator
        self._inspector, self._tree, self._canvas, self._lineage = inspector, tree, canvas, lineage

    def commands(self, picture: Need) -> tuple[Command, ...]:
        """The commands.

        Args:
            picture: the need for a picture on the canvas.
        """
        resource = chosen_resource(self._bridge, self._navigator)
        return (
            Command("file.export", "Export…", "File", 2, "Ctrl+Shift+E", "export")
            .runs(self._export_graph, open_graph(self._bridge))
            .about("Save the whole graph, one resource or a lineage as JSON-LD or another RDF syntax."),
            Command("file.export_picture", "Export picture…", "File", 2, "", "picture")
            .runs(self._export_picture, picture)
            .about("Save the picture on the canvas as SVG, PNG, PDF or GraphML, as you see it or for paper."),
            Command("edit.copy_picture", "Copy picture", "Edit", 2, "", "copy")
            .runs(lambda: self._exporter.copy_picture(self._canvas(), self._bridge.said.emit), picture)
            .about("Copy the picture on the canvas, to paste it into a text or a slide."),
            Command("resource.copy_iri", "Copy IRI", "Go", 3, "", "copy")
            .runs(self._copy_iri, resource)
            .about("Copy the IRI of the chosen resource."),
            Command("resource.export", "Export this resource…", "Go", 3, "", "export", short="Export…")
            .runs(lambda: self._export(Extent.RESOURCE), resource)
            .about("Save the chosen resource with its description."),
        )

    def _export_graph(self) -> None:
        self._export(Extent.LINEAGE if self._navigator.place.view is View.LINEAGE else Extent.GRAPH)

    def _export_picture(self) -> None:
        open_dialog(self._exporter.ask_picture(self._canvas(), self._navigator.place.view.value))

    def _export(self, proposed: Extent) -> None:
        lineage, focus = self._lineage(), self._navigator.place.selected
        if lineage is not None or focus is None:
            label = self._canvas().scene().focus()
            self._ask(proposed, lineage, label.label if label is not None else "")
            return
        view = self._inspector.view
        self._bridge.run(
            trace_lineage,
            focus,
            title="Trace the lineage",
            on_result=lambda traced: self._ask(
                proposed, traced if len(traced.nodes) > 1 else None, view.ref.label if view is not None else ""
            ),
            on_error=lambda error: self._ask(proposed, None, ""),
            replaces="lineage to export",
        )

    def _ask(self, proposed: Extent, lineage: Lineage | None, label: str) -> None:
        # In other views a card may represent a class or many resources.
        drawn = self._navigator.place.view in (View.EXPLORE, View.GRAPH)
        selected = sorted(self._canvas().selection.keys) if drawn else []
        open_dialog(
            self._exporter.dialog(
                proposed,
                self._inspector.view,
                lineage,
                label,
                [resource_of_key(key) for key in selected],
                self._tree.current_class(),
            )
        )

    def _copy_iri(self) -> None:
        resource = self._navigator.place.selected
        if resource is not None:
            iri = iri_text(resource)
            QGuiApplication.clipboard().setText(iri)
            self._bridge.said.emit(f"Copied {iri}")
