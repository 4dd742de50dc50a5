"""Check that a window can be shown before Qt starts, because Qt ends the process if it cannot."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from pathlib import Path
from typing import NoReturn

from hpc_explorer.errors import UsageError
from hpc_explorer.ui.window.qt_libraries import how_to_install, loads, missing, platform_plugins

_REMEDY = "use the commands, see `hpc-explorer --help`, or draw without a screen: hpc-explorer tour"


def require_screen() -> None:
    """Check that Qt will find a screen.

    Raises:
        UsageError: there is no screen, or a system library is missing.
    """
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return
    plugins = platform_plugins("screen")
    if plugins and not any(loads(str(plugin)) for plugin in plugins):
        refuse_without_qt("its platform plugin cannot be loaded")
    if _wayland_answers():
        return
    if not os.environ.get("DISPLAY"):
        raise UsageError(
            "there is no screen to show the window on", "neither DISPLAY nor WAYLAND_DISPLAY is set", _REMEDY
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


def refuse_without_qt(reason: str) -> NoReturn:
    """Explain why Qt cannot be loaded.

    Args:
        reason: why Qt cannot be loaded.

    Raises:
        UsageError: always; if libraries are missing, it names the packages to install.
    """
    where = "offscreen" if os.environ.get("QT_QPA_PLATFORM") else "screen"
    names = missing(where) if sys.platform.startswith("linux") else []
    if names:
        how = "; ".join(how_to_install(names)) or "install them with the package manager of your system"
        raise UsageError("the window needs system libraries that are missing", ", ".join(names), how)
    raise UsageError("the window needs Qt, which cannot be loaded", reason, "pip install 'hpc-explorer[gui]'")


def _x11_answers() -> bool:
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not refused
