"""Validate Croissant documents with MLCommons' own library.

Usage: croissant_validator.py DOCUMENT... Prints what it finds wrong in each, a line each: the name of the document,
`ERROR` or `WARNING`, and its words. It runs by itself: the library warns of much that is its own affair.
"""

from __future__ import annotations

import logging
import sys
import warnings
from pathlib import Path


def main(*documents: str) -> int:
    """Validate."""
    warnings.simplefilter("ignore")
    import mlcroissant
    from absl import logging as absl_logging

    absl_logging.set_verbosity(absl_logging.ERROR)
    logging.disable(logging.CRITICAL)
    wrong = 0
    for document in documents:
        name = Path(document).name
        try:
            issues = mlcroissant.Dataset(jsonld=document).metadata.ctx.issues
        except mlcroissant.ValidationError as error:
            wrong += 1
            sys.stdout.write(
                "".join(f"{name}: ERROR {line.strip()}\n" for line in str(error).splitlines() if line.strip())
            )
            continue
        for said, level in ((issues.errors, "ERROR"), (issues.warnings, "WARNING")):
            sys.stdout.write("".join(f"{name}: {level} {one}\n" for one in sorted(said)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
