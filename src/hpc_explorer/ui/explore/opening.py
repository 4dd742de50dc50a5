"""Opens the file or the address of the chosen resource with the program that the desktop has for it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from hpc_explorer.app.explore.places import place_of
from hpc_explorer.ui.bridge.commands import Command, chosen_resource
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge


class PlaceOpener(QObject):
    """Opens what a resource describes.

    Args:
        open_url: opens a file or an address outside the program.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        parent: QObject,
        open_url: Callable[[QUrl], object] = QDesktopServices.openUrl,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._navigator, self.open_url = bridge, navigator, open_url

    def commands(self) -> tuple[Command, ...]:
        """The command."""
        return (
            Command("resource.open", "Open file or address", "Go", 3, "", "file")
            .runs(self.open, chosen_resource(self._bridge, self._navigator))
            .about("Open the file of the chosen resource on this machine, or its address on the web."),
        )

    def open(self) -> None:
        """Open the file or the address of the chosen resource; for a program, the folder it is in."""
        resource = self._navigator.place.selected
        if resource is not None:
            self._bridge.run(
                place_of,
                resource,
                title="Find its file or address",
                on_result=self._open,
                replaces="place of a resource",
            )

    def _open(self, place: Path | str | None) -> None:
        if place is None:
            self._bridge.said.emit("No file on this machine and no web address is recorded for it")
        elif isinstance(place, str):
            self.open_url(QUrl(place))
            self._bridge.said.emit(f"Opened {place}")
        else:
            # Opening a program would run it.
            path = place.parent if os.access(place, os.X_OK) else place
            self.open_url(QUrl.fromLocalFile(str(path.absolute())))
            self._bridge.said.emit(f"Opened {path}")
