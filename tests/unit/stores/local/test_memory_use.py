"""How much memory a query may use."""

from __future__ import annotations

import mmap
import sys

import pytest

from hpc_explorer.errors import UsageError
from hpc_explorer.stores.local.memory_use import MEMORY_VARIABLE, machine_memory, query_memory, used_memory

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="not known there")


def test_half_of_the_machine_unless_said_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MEMORY_VARIABLE, raising=False)
    there, allowed = machine_memory(), query_memory()
    assert there is not None
    assert allowed == there // 2
    monkeypatch.setenv(MEMORY_VARIABLE, "1024")
    assert query_memory() == 1 << 30


@pytest.mark.parametrize("said", ["0", "-5", "2 GB", "1.5"])
def test_no_number_of_mib(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY_VARIABLE, said)
    with pytest.raises(UsageError, match="no number of MiB"):
        query_memory()


def test_what_is_taken_is_counted() -> None:
    before = used_memory()
    # Pages of their own: an ordinary allocation may be given memory that was freed before, and is counted already.
    with mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as taken:
        for page in range(0, len(taken), 4096):
            taken[page] = 1
        after = used_memory()
    assert before is not None
    assert after is not None
    assert after > 0
    assert after - before > 32 << 20
