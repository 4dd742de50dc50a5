"""What tests of whole programs have in common."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.helpers.killing import Programs


@pytest.fixture
def programs() -> Iterator[Programs]:
    """Programs that can be killed."""
    started = Programs()
    yield started
    started.close()
