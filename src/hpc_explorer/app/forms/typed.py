"""What is typed and not saved yet, kept on disk within a second, so that a crash takes no more than that of it.

Each form that is being filled in is a file `typed/<digest of its key>.json` of the workspace, replaced in one step.
What is there when a workspace is opened was typed in a program that died, and is offered.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hpc_explorer.errors import ExplorerError
from hpc_explorer.rdf.syntax.files import atomic_output, output_error

FOLDER = "typed"
INTERVAL = 0.25
"""Seconds from a key to the writing; what is typed in between is written with it."""

_ENDING = ".json"


@dataclass(frozen=True)
class Typed:
    """The entries typed into a form.

    Args:
        key: which form: the resource that it describes, or its class.
        document: what was typed, as JSON.
        when: when it was kept last.
    """

    key: str
    document: Mapping[str, Any]
    when: datetime


class TypedFormsFile:
    """Keeps what is typed. Calls are quick, and may come with each key that is pressed; a thread writes.

    Args:
        workspace: the folder of the workspace.
        interval: seconds that a document may wait before it is written.
        failed: told, in that thread, why something could not be kept: a full disk, say. It is tried again with the
            next key.
    """

    def __init__(
        self,
        workspace: Path,
        *,
        interval: float = INTERVAL,
        failed: Callable[[ExplorerError], None] = lambda error: None,
    ) -> None:
        self._folder = workspace / FOLDER
        self._interval = interval
        self._failed = failed
        self._waiting: dict[str, Typed] = {}
        self._lock = threading.Lock()
        # Held while files are changed, so that what was dropped is not written after all.
        self._writing = threading.Lock()
        self._timer: threading.Timer | None = None

    def keep(self, key: str, document: Mapping[str, Any]) -> None:
        """Store the entries of a form, replacing earlier ones.

        Args:
            document: what JSON can hold; not to be changed afterwards.
        """
        with self._lock:
            self._waiting[key] = Typed(key, document, datetime.now(UTC))
            if self._timer is None:
                self._timer = threading.Timer(self._interval, self._write)
                self._timer.daemon = True
                self._timer.start()

    def kept(self) -> tuple[Typed, ...]:
        """All stored entries, the latest first; damaged files are left out.

        Raises:
            OutputNotWritable: what waits cannot be written.
        """
        self.flush()
        found = []
        for file in self._folder.glob(f"*{_ENDING}"):
            try:
                members = json.loads(file.read_text(encoding="utf-8"))
                found.append(Typed(members["key"], members["document"], datetime.fromisoformat(members["when"])))
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return tuple(sorted(found, key=lambda typed: typed.when, reverse=True))

    def drop(self, key: str) -> None:
        """Delete the stored entries of a form.

        Raises:
            OutputNotWritable: the file cannot be taken away.
        """
        with self._writing:
            with self._lock:
                self._waiting.pop(key, None)
            try:
                self._file(key).unlink(missing_ok=True)
            except OSError as error:
                raise output_error(error, self._file(key)) from None

    def flush(self) -> None:
        """Write the waiting entries now.

        Raises:
            OutputNotWritable: it cannot be written; it waits for the next key.
        """
        with self._writing:
            with self._lock:
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
                waiting, self._waiting = self._waiting, {}
            try:
                while waiting:
                    key = next(iter(waiting))
                    self._put(waiting[key])
                    del waiting[key]
            finally:
                if waiting:
                    with self._lock:
                        self._waiting = waiting | self._waiting

    def close(self) -> None:
        """Write the waiting entries.

        Raises:
            OutputNotWritable: it cannot be written.
        """
        self.flush()

    def _write(self) -> None:
        with self._lock:
            self._timer = None
        try:
            self.flush()
        except ExplorerError as error:
            self._failed(error)

    def _put(self, typed: Typed) -> None:
        try:
            self._folder.mkdir(exist_ok=True)
        except OSError as error:
            raise output_error(error, self._folder) from None
        content = {"key": typed.key, "when": typed.when.isoformat(), "document": typed.document}
        with atomic_output(self._file(typed.key)) as stream:
            stream.write(json.dumps(content, ensure_ascii=False).encode())

    def _file(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}{_ENDING}"
