"""The commands that zoom the picture."""

from __future__ import annotations

from collections.abc import Callable

from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.canvas.view import CanvasView


def drawn_picture(bridge: SessionBridge, canvas: Callable[[], CanvasView]) -> Need:
    """A picture is on the current canvas."""
    return Need("a picture on the canvas", lambda: not bridge.is_empty and bool(canvas().scene().nodes))


def zoom_commands(canvas: Callable[[], CanvasView], picture: Need) -> tuple[Command, ...]:
    """The zoom commands.

    Args:
        canvas: returns the current canvas.
        picture: the condition for the commands.
    """
    return (
        Command("view.zoom_in", "Zoom in", "View", 1, "Ctrl++", "zoom-in")
        .runs(lambda: canvas().zoom_in(), picture)
        .about("Draw the picture larger."),
        Command("view.zoom_out", "Zoom out", "View", 1, "Ctrl+-", "zoom-out")
        .runs(lambda: canvas().zoom_out(), picture)
        .about("Draw the picture smaller."),
        Command("view.fit", "Fit picture", "View", 1, "Ctrl+0", "fit")
        .runs(lambda: canvas().fit(), picture)
        .about("Show the whole picture at once."),
        Command("view.zoom_selection", "Zoom to selection", "View", 1)
        .runs(lambda: canvas().zoom_to_selection(), picture)
        .about("Zoom to the selected nodes, or to the whole picture if none is selected. The Z key does the same."),
    )
