"""The system libraries that Qt loads on Linux: which are missing, and which packages have them.

    python qt_libraries.py check offscreen|screen     exit code 0 if Qt loads, 1 if not
    python qt_libraries.py debian offscreen|screen    the Debian packages of the missing ones
    python qt_libraries.py explain offscreen|screen   the missing ones, and the command to install them

It needs PySide6 and nothing else of the program. `offscreen` is what drawing into a picture needs; `screen` is what a
window on X11 or Wayland needs.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import shutil
import sys
from pathlib import Path

MODULES = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtTest")

OFFSCREEN = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libOpenGL.so.0": "libopengl0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libglib-2.0.so.0": "libglib2.0-0",
}
SCREEN = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
"""The library as the loader names it, and the Debian package that holds it."""


def libraries(where: str) -> dict[str, str]:
    """The libraries needed for `where`: `offscreen` or `screen`."""
    return OFFSCREEN if where == "offscreen" else OFFSCREEN | SCREEN


def failure(where: str) -> str:
    """Why Qt does not load for `where`, in the loader's words; empty if it does."""
    reason = "there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set"
    try:
        for module in MODULES:
            importlib.import_module(f"PySide6.{module}")
        for plugin in platform_plugins(where):
            try:
                ctypes.CDLL(str(plugin))
                return ""
            except OSError as error:
                reason = str(error)
    except ImportError as error:
        return str(error)
    return reason


def platform_plugins(where: str) -> list[Path]:
    """The Qt platform plugins of which one must load."""
    import PySide6

    folder = Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms"
    if where == "offscreen":
        return [folder / "libqoffscreen.so"]
    names = {"WAYLAND_DISPLAY": "libqwayland.so", "DISPLAY": "libqxcb.so"}
    return [folder / name for variable, name in names.items() if os.environ.get(variable)]


def missing(where: str) -> list[str]:
    """The known libraries that the loader does not find."""
    return [name for name in libraries(where) if not loads(name)]


def loads(library: str) -> bool:
    """Whether the loader finds `library`."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def debian_packages(where: str) -> str:
    """The Debian packages of the missing libraries, as words of a command."""
    return " ".join(libraries(where)[name] for name in missing(where))


def explanation(where: str) -> str:
    """Why Qt does not load, the missing libraries, and the command to install them."""
    lines = [f"Qt cannot be loaded: {failure(where)}"]
    names = missing(where)
    if names:
        lines += [f"These system libraries are missing: {', '.join(names)}", *how_to_install(names)]
    return "\n".join(lines)


def how_to_install(names: list[str]) -> list[str]:
    """The commands that install libraries with the package managers of this system.

    Args:
        names: libraries as the loader names them.
    """
    known = OFFSCREEN | SCREEN
    commands = []
    if shutil.which("apt-get"):
        packages = " ".join(known[name] for name in names)
        commands.append(f"Install them with: sudo apt-get install {packages}")
    for command in ("dnf", "zypper"):
        if shutil.which(command):
            provided = " ".join(f"'{name}()(64bit)'" for name in names)
            commands.append(f"Install them with: sudo {command} install {provided}")
    return commands


def main(task: str, where: str) -> int:
    """Do one of the three tasks; the exit code."""
    if not sys.platform.startswith("linux"):
        return 0
    if task == "check":
        return 1 if failure(where) else 0
    sys.stdout.write((explanation(where) if task == "explain" else debian_packages(where)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
