"""Loads pyqtgraph, which draws the plots, in small steps between events.

Its import takes 0.2 s. In another thread it would make classes of Qt there, which ended a program.
"""

from __future__ import annotations

import ast
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from pathlib import Path

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QObject

from hpc_explorer.ui.widgets.turns import Turn

LIBRARY = "pyqtgraph"

STEP = 0.008
"""Seconds of work between two events. A single statement of the library takes at most twice as long."""


class PlotLibrary(QObject):
    """Loads the library when it is first needed.

    Args:
        parent: the loading stops with this object.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._turn = Turn(self, self._work)
        self._then: Callable[[], None] | None = None

    @property
    def is_loading(self) -> bool:
        """Whether a function waits for the library."""
        return self._then is not None

    def when_loaded(self, then: Callable[[], None]) -> None:
        """Call a function once the library is loaded, in place of one that still waits."""
        self._then = then
        self._work()

    def drop(self) -> None:
        """Forget the function that waits."""
        self._then = None

    def _work(self) -> None:
        ends, was_loading = time.perf_counter() + STEP, False
        for _ in _steps():
            was_loading = True
            if time.perf_counter() > ends:
                break
        if was_loading:  # what comes then takes its own time
            self._turn.start()
            return
        then, self._then = self._then, None
        if then is not None:
            then()


@cache
def _steps() -> Iterator[None]:
    """The imports in steps; once for the program, as it is the program that has the modules."""
    if LIBRARY not in sys.modules:
        yield from _library_steps()
    for part in ("timeline", "plots", "page"):
        import_module(f"hpc_explorer.ui.monitor.{part}")
        yield


def _library_steps() -> Iterator[None]:
    # The library asks for all of these, and PySide makes a class when it is first asked for.
    for qt in (QtCore, QtGui, QtWidgets):
        for name in dir(qt):
            getattr(qt, name)
            yield
    spec = find_spec(LIBRARY)
    if spec is None or spec.origin is None:
        return  # who imports it tells what is missing
    module = sys.modules[LIBRARY] = module_from_spec(spec)
    try:
        for statement in ast.parse(Path(spec.origin).read_bytes()).body:
            code = compile(ast.Module([statement], []), spec.origin, "exec")
            exec(code, module.__dict__)  # what the import does, with a pause after each statement
            yield
    except BaseException:
        del sys.modules[LIBRARY]
        raise
