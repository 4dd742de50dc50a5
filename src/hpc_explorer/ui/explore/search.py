"""The search of the session for search boxes."""

from __future__ import annotations

from collections.abc import Callable

from hpc_explorer.app.explore.finding import search
from hpc_explorer.app.views import SearchResult
from hpc_explorer.ui.bridge.jobs import Failed
from hpc_explorer.ui.bridge.session import SessionBridge

SEARCH = "search"
"""The name of the request."""


def ask_search(bridge: SessionBridge, text: str, done: Callable[[SearchResult], None], failed: Failed) -> None:
    """Search for a text in place of the search before."""
    bridge.run(search, text, title="Search", on_result=done, on_error=failed, replaces=SEARCH)
