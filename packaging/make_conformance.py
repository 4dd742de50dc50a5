"""Runs the published test suites and writes docs/conformance.md. They need the shared data beside the project.

PYTHONPATH=. python packaging/make_conformance.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.helpers.suites.all_suites import SUITES
from tests.helpers.suites.outcomes import Outcome, Suite, known_failures, surprises
from tests.helpers.suites.table import PAGE, page

SUITES_FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "suites"


def main() -> int:
    """Run all, write the page, and print what is other than the known failures say."""
    if not SUITES_FOLDER.is_dir():
        print(f"the published suites are missing: {SUITES_FOLDER}", file=sys.stderr)
        return 2
    known = known_failures()
    outcomes: dict[Suite, list[Outcome]] = {}
    found: list[str] = []
    for suite in SUITES:
        with tempfile.TemporaryDirectory() as made:
            outcomes[suite] = list(suite.run(SUITES_FOLDER / suite.folder, Path(made)))
        found += [f"{suite.name}: {line}" for line in surprises(suite.name, outcomes[suite], known)]
    PAGE.write_text(page(outcomes, known), encoding="utf-8")
    print(f"written: {PAGE}")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
