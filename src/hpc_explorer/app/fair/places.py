"""The files of FAIR answers and of the history of assessments, beside the graph.

| what is open                    | answers                          | history                                |
|---------------------------------|----------------------------------|----------------------------------------|
| a file `NAME.ttl`               | `NAME.fair.toml` beside it       | `NAME.fair-history.jsonl` beside it    |
| a draft of such a file          | the same                         | the same                               |
| a workspace                     | `fair.toml` in its folder        | `fair-history.jsonl` in its folder     |
| a sample, endpoint, web document| a file in the user's data folder | the same                               |

The answers that ship with a sample are read first; once a person answers, those about that resource are their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from hpc_explorer.app.journal.editing import drafts_folder
from hpc_explorer.app.settings import data_folder
from hpc_explorer.app.workspace.session import Session, Source
from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.rdf.syntax.formats import format_of_name
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.shipped import SAMPLE, shipped_folder
from hpc_explorer.stores.base import NO_LIMITS, Limits

ANSWERS_END = ".fair.toml"
HISTORY_END = ".fair-history.jsonl"

_FOLDER = "fair"
_LONGEST_STEM = 40


@dataclass(frozen=True)
class FairPlaces:
    """The files of one source.

    Args:
        answers: where answers are read and written.
        history: where assessments are kept.
        shipped: the answers that ship with a sample; None of anything else.
    """

    answers: Path
    history: Path
    shipped: Path | None = None

    def prepare(self) -> None:
        """Create the folder of the files.

        Raises:
            OutputNotWritable: it cannot be made.
        """
        try:
            self.answers.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputNotWritable(
                f"the folder cannot be made ({error.strerror})", str(self.answers.parent), "make room there"
            ) from None


def fair_places(session: Session, resource: Resource | None = None, *, limits: Limits = NO_LIMITS) -> FairPlaces:
    """The files of the open sources.

    Args:
        resource: of several open files, the one that says something of it counts; None: the first.
    """
    workspace = session.workspace
    if workspace is not None and workspace.folder.absolute().parent != drafts_folder().absolute():
        return _in_folder(workspace.folder)
    source = _source_of(session, resource, limits)
    if source is None:
        return _in_folder(workspace.folder) if workspace is not None else _of_user("what is open", None)
    name = source.summary.name
    if name.startswith(SAMPLE):
        story = name.removeprefix(SAMPLE)
        return _of_user(name, shipped_folder("sample_graphs") / f"{story}{ANSWERS_END}")
    if source.path is not None:
        stem = file_stem(source.path)
        folder = source.path.absolute().parent
        return FairPlaces(folder / f"{stem}{ANSWERS_END}", folder / f"{stem}{HISTORY_END}")
    # What was begun in a draft is in no file yet.
    return _in_folder(workspace.folder) if workspace is not None else _of_user(name, None)


def file_stem(path: Path) -> str:
    """A file's name without the extensions of its format: `run.v2` for `run.v2.ttl.gz`."""
    name = path.name
    if name.lower().endswith(".gz"):
        name = name[:-3]
    return Path(name).stem if format_of_name(Path(name)) is not None else name


def _source_of(session: Session, resource: Resource | None, limits: Limits) -> Source | None:
    opened = session.opened
    if resource is None or len(opened) <= 1:
        return opened[0] if opened else None
    stated = {quad.graph_name for quad in session.store.match(resource, limits=limits)}
    return next((source for source in opened if stated.intersection(source.graphs)), opened[0])


def _in_folder(folder: Path) -> FairPlaces:
    return FairPlaces(folder / ANSWERS_END[1:], folder / HISTORY_END[1:])


def _of_user(name: str, shipped: Path | None) -> FairPlaces:
    words = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:_LONGEST_STEM].lower()
    # Two addresses may be alike in their letters.
    stem = words if shipped is not None else f"{words}-{sha256(name.encode()).hexdigest()[:8]}"
    folder = data_folder() / _FOLDER
    return FairPlaces(folder / f"{stem}{ANSWERS_END}", folder / f"{stem}{HISTORY_END}", shipped)
