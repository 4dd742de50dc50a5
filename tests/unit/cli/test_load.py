"""The line that tells how far a load has come."""

from __future__ import annotations

import io

from hpc_explorer.app.workspace.load_progress import LoadProgress, progress_text
from hpc_explorer.cli.load import ProgressLine


def test_it_tells_bytes_speed_and_time_left() -> None:
    text = progress_text(LoadProgress("reading a.nt", 500_000_000, 1_500_000_000, 4_000_000), 10.0)
    assert text == "reading a.nt · 500.0 MB of 1.5 GB · 4,000,000 triples, 400,000/s · about 20 s of reading left"
    assert progress_text(LoadProgress("indexing names", 10, 10, 0), 3.0) == "indexing names"


def test_elsewhere_than_on_a_terminal_each_step_gets_a_line() -> None:
    stream = io.StringIO()
    line = ProgressLine(stream)
    for done in range(100):
        line(LoadProgress("reading a.nt", done, 1000, 0))
    line(LoadProgress("indexing names", 1000, 1000, 0))
    line.end()
    assert [text.split(" · ")[0] for text in stream.getvalue().splitlines()] == ["reading a.nt", "indexing names"]
