"""Start a process that does not run the main module of this one."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

_LOCK = threading.Lock()


@contextmanager
def without_main_module() -> Iterator[None]:
    """Hide the main module while a process is started.

    `multiprocessing` runs the main module again in each new process. A script that queries a graph would run twice.
    """
    with _LOCK:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main
