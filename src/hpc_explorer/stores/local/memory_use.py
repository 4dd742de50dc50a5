"""Memory of this machine and this process, and the limit for a query."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hpc_explorer.errors import UsageError

MEMORY_VARIABLE = "HPC_EXPLORER_QUERY_MEMORY"
"""The environment variable with the memory limit in MiB of a query process."""

_SHARE = 0.5
_CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")
_OWN_USE = Path("/proc/self/statm")


def query_memory() -> int | None:
    """The bytes that a query process may use: half of the memory of the machine or container.

    `HPC_EXPLORER_QUERY_MEMORY`, in MiB, overrides it. None if the machine's memory is unknown.

    Raises:
        UsageError: the variable is not a number.
    """
    said = os.environ.get(MEMORY_VARIABLE, "").strip()
    if said:
        if not said.isdecimal() or int(said) < 1:
            raise UsageError("no number of MiB", f"{MEMORY_VARIABLE}={said}", "give a whole number such as 4096")
        return int(said) << 20
    there = machine_memory()
    return None if there is None else int(there * _SHARE)


def machine_memory() -> int | None:
    """The bytes of memory of this machine, or of the container if less; None if unknown."""
    try:
        there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
    try:
        return min(there, int(_CONTAINER_LIMIT.read_text(encoding="ascii")))
    except (OSError, ValueError):
        return there


def used_memory() -> int | None:
    """The bytes of memory used by this process; None if unknown.

    On Linux the current value, elsewhere on Unix the peak, which reaches a limit at the same time.
    """
    try:
        # Pages: all, resident, and those of them that are a file's.
        _, resident, shared, *_ = _OWN_USE.read_text(encoding="ascii").split()
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        pass
    if sys.platform == "win32":
        return None
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
