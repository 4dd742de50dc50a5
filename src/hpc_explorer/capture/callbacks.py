"""What the adapters share: steps that are begun in one call of a library and ended in another."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hpc_explorer.capture.activities import epoch, stage, workflow
from hpc_explorer.capture.calls import batch, log_metric
from hpc_explorer.capture.running import current
from hpc_explorer.capture.waiting import Activity


class OpenSteps:
    """The steps that a callback has begun. A workflow is begun around the first one if none is running."""

    def __init__(self) -> None:
        self._steps: list[tuple[str, Any]] = []

    def begin(self, kind: str, detail: Any = None) -> Activity | None:
        """Begin a stage (`training`, `validation`, `evaluation`), an `epoch` or a `batch`.

        Args:
            detail: the number of an epoch or batch.
        """
        if current() is None:
            self._enter("workflow", workflow(script_name()))
        return self._enter(
            kind, {"epoch": epoch, "batch": batch}[kind](detail) if kind in ("epoch", "batch") else stage(kind)
        )

    def end(self, kind: str) -> None:
        """End the innermost step of this kind, and those within it that are still open; nothing if there is none."""
        if all(name != kind for name, _ in self._steps):
            return
        while self._steps:
            name, step = self._steps.pop()
            step.__exit__(None, None, None)
            if name == kind:
                break
        if len(self._steps) == 1 and self._steps[0][0] == "workflow":
            self._steps.pop()[1].__exit__(None, None, None)

    def is_open(self, kind: str) -> bool:
        """Whether a step of this kind is open."""
        return any(name == kind for name, _ in self._steps)

    def _enter(self, kind: str, step: Any) -> Activity | None:
        activity: Activity | None = step.__enter__()
        self._steps.append((kind, step))
        return activity


def script_name() -> str:
    """The name of the script that runs, for a workflow without a name."""
    return Path(sys.argv[0] or "python").stem or "python"


def log_numbers(values: Mapping[str, Any] | None, step: int | None = None) -> None:
    """Record those values that are a single number."""
    for name, value in (values or {}).items():
        if isinstance(value, int | float | str):
            is_number = not isinstance(value, bool | str)
        else:  # an array of NumPy, or a tensor
            numel = getattr(value, "numel", None)
            is_number = (numel() if callable(numel) else getattr(value, "size", 0)) == 1
        if is_number:
            log_metric(name, value, step)
