"""Whether a window can be shown. This is checked before Qt starts, because Qt ends the process if it cannot."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from pathlib import Path

from hpc_explorer.errors import UsageError

_REMEDY = "use the commands, see `hpc-explorer --help`, or draw without a screen: hpc-explorer tour"


def require_screen() -> None:
    """Check that Qt will find a screen.

    Raises:
        UsageError: there is no screen, or a system library is missing.
    """
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return
    if _wayland_answers():
        return
    if not os.environ.get("DISPLAY"):
        raise UsageError(
            "there is no screen to show the window on", "neither DISPLAY nor WAYLAND_DISPLAY is set", _REMEDY
        )
    missing = _missing_library()
    if missing:
        raise UsageError(
            "a system library that the window needs is missing",
            missing,
            "on Debian or Ubuntu: apt-get install libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-keysyms1 "
            "libxcb-image0 libxcb-render-util0 libxcb-shape0 libxcb-xkb1",
        )
    if not _x11_answers():
        raise UsageError("the screen does not answer", f"DISPLAY={os.environ['DISPLAY']}", _REMEDY)


def _wayland_answers() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY")
    if not name:
        return False
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "/"), name)
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return False
    return True


def _missing_library() -> str:
    """Why Qt's X11 plug-in does not load; empty if it does."""
    from PySide6.QtCore import QLibraryInfo

    plugin = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms", "libqxcb.so")
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        return str(error)
    return ""


def _x11_answers() -> bool:
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not refused
