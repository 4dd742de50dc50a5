"""A disk that is full."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """As on a disk on which no file can grow beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        # Python would write the bytecode of what it imports, cut off at that size, and no program could import it any more.
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "dont_write_bytecode", True)
            patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
