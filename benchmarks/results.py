"""Keeps benchmarks/RESULTS.md: each benchmark writes its own section, and leaves those of the others as they are."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"

TITLE = """# Measured

Made by `make bench`, or by a script of this folder alone. Read the ratios: the seconds belong to the machine and
the hour.
"""

ORDER = (
    "What a user waits for",
    "A workspace on the PROV-ML graph",
    "Sums and ways from the facts by column",
    "What recording costs",
    "What a batch costs",
    "A recorded run of the paper's shape",
    "A question in English",
    "A click in the query builder",
    "Label search",
    "The same asked of others",
    "The window over a server",
    "Edits of a workspace",
    "Edits without a pause",
    "Converting a table",
    "How FAIR",
    "Stopping a query",
    "Inference",
    "Layouts",
    "Frames of the canvas",
    "The form of a resource",
    "Watching runs",
)
"""The headings of the sections, as they follow each other."""


def busy() -> float:
    """How many processes the machine had to run on average in the last minute."""
    return os.getloadavg()[0]


def machine(busy_before: float) -> str:
    """When and where something was measured, and what else the machine had to do."""
    return (
        f"On {datetime.now(UTC):%Y-%m-%d}: {os.cpu_count()} cores ({_processor()}), {_memory():.0f} GiB, "
        f"Python {platform.python_version()}; {busy_before:.1f} other processes to run on average as it began."
    )


def write_section(heading: str, lines: Iterable[str], busy_before: float) -> None:
    """Print a section, and put it into the results in place of the one of this heading.

    Args:
        heading: one of `ORDER`.
        lines: what stands below it, as Markdown.
        busy_before: what `busy` said before the work began.
    """
    body = "\n".join(lines).strip("\n")
    text = f"{machine(busy_before)}\n\n{body}\n"
    print(f"## {heading}\n\n{text}")
    written = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    sections = dict(re.findall(r"^## (.*?)\n\n(.*?)(?=^## |\Z)", written, re.MULTILINE | re.DOTALL))
    sections[heading] = text
    parts = [f"## {name}\n\n{sections[name].strip()}\n" for name in ORDER if name in sections]
    RESULTS.write_text("\n".join([TITLE, *parts]), encoding="utf-8")


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _memory() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
