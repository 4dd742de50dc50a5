"""Is there a screen a window can be shown on? Exit code 0 if there is, 1 if not.

A variable that names a screen is not enough: in a container or an old session it may name one that no longer answers.
"""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from pathlib import Path


def wayland_answers() -> bool:
    """Whether a Wayland compositor listens where WAYLAND_DISPLAY says."""
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


def x11_answers() -> bool:
    """Whether the X server of DISPLAY accepts a connection."""
    if not os.environ.get("DISPLAY"):
        return False
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return False
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not refused


if __name__ == "__main__":
    is_linux = sys.platform.startswith("linux")
    sys.exit(0 if not is_linux or wayland_answers() or x11_answers() else 1)
