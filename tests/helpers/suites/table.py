"""The page docs/conformance.md: what passes of each published suite, and who has to fix what fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tests.helpers.suites.outcomes import KnownFailures, Outcome, Suite, Verdict

PAGE = Path(__file__).parents[3] / "docs" / "conformance.md"

_HEAD = """\
# Conformance

The published test suites that this program is tried on, and what comes of them. `make conformance` makes this page, by
the code that `tests/conformance/test_published_suites.py` runs; the known failures stand in
`tests/conformance/known_failures.toml`. The suites themselves are not part of the repository.

"Not answered" counts the tests that one way of answering leaves to another one: what the columns of a workspace do not
answer for certain, its triples answer.

| suite | tests | passed | failed | not answered |
|---|---:|---:|---:|---:|
"""
_FAILURES = """
## What fails

Who has to fix it: this program ("ours"), its engine Oxigraph, a library, or the suite itself.

| suite | tests | owner | why |
|---|---|---|---|
"""


def row(suite: Suite, outcomes: Iterable[Outcome]) -> str:
    """The line of the table about one suite."""
    counts = Counter(outcome.verdict for outcome in outcomes)
    numbers = (counts.total(), *(counts[verdict] for verdict in Verdict))
    return f"| [{suite.name}]({suite.source}) | {' | '.join(f'{number:,}' for number in numbers)} |"


def failures(known: Sequence[KnownFailures]) -> list[str]:
    """The lines of the table of failures."""
    return [
        f"| {', '.join(group.suites)} | {', '.join(f'`{test}`' for test in sorted(group.tests))} | {group.owner} "
        f"| {group.reason} |"
        for group in known
    ]


def page(outcomes: Mapping[Suite, Sequence[Outcome]], known: Sequence[KnownFailures]) -> str:
    """The whole page."""
    rows = "".join(f"{row(suite, found)}\n" for suite, found in outcomes.items())
    return _HEAD + rows + _FAILURES + "".join(f"{line}\n" for line in failures(known))
