from __future__ import annotations

import pytest

from hpc_explorer.app.views import source_title


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("/data/run/lassen.nq.gz", "lassen.nq.gz"),
        ("sample:xplacer", "sample:xplacer"),
        ("https://example.org/sparql", "example.org/sparql"),
        ("/", "/"),
        ("redis://user:secret@host:1/runs", "host:1/runs"),
        ("https://host/@ada/runs.ttl", "host/@ada/runs.ttl"),
    ],
)
def test_source_titles_are_short_and_never_empty(name: str, title: str) -> None:
    assert source_title(name) == title
