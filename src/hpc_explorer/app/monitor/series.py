"""Time series of the open graph: import them into the workspace, and read their points.

The points are in the folder `series` of the workspace. A series of a graph without a workspace is read from the file
that the graph names, if that file may be read (`local_files`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hpc_explorer.annotate.units import unit_called
from hpc_explorer.app.journal.edit_steps import EditStep, journal_steps
from hpc_explorer.app.journal.editing import start_editing
from hpc_explorer.app.workspace.local_files import folders_of
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.source_files import checksum_of
from hpc_explorer.errors import DamagedSeries, Unsupported
from hpc_explorer.interchange.foreign import recognise
from hpc_explorer.monitor.series_files import read_series
from hpc_explorer.monitor.series_graph import (
    SeriesOrigin,
    StatedSeries,
    checksums_in,
    data_stores_in,
    machines_in,
    series_in,
    series_iri,
    series_statements,
)
from hpc_explorer.monitor.series_points import NamedSeries
from hpc_explorer.rdf.quantities import unit_of
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.syntax.formats import format_of_name
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.shipped import SAMPLE
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.series import DrawnSeries, Extent, SeriesPoints, SeriesStore, drawn_points

SERIES_FOLDER = "series"
"""The name of the folder in a workspace."""


@dataclass(frozen=True)
class ImportedSeries:
    """What an import of a file or from a server brought.

    Args:
        source: the name of the file, or the address of the server.
        points: the number that was read; `new_points` of them were not in the workspace.
        statements: the number of statements that the graph did not have.
        lost: one line for each thing that could not be read or was out of order.
        step: undoes the statements; None if there were no new ones.
    """

    source: str
    series: tuple[tuple[NamedNode, str], ...]
    points: int
    new_points: int
    statements: int
    lost: tuple[str, ...]
    step: EditStep | None = None


def is_series(name: str) -> bool:
    """Whether a name is that of a file with measurements, and not of a graph or of recorded runs.

    Raises:
        SourceUnreadable: the file cannot be read.
    """
    path = Path(name)
    if name.startswith(SAMPLE) or path.is_dir() or format_of_name(path) is not None:
        return False
    return recognise(Document(name, path=path)) is None


def import_series(
    session: Session,
    paths: Sequence[Path],
    *,
    whole_lines: bool = False,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> tuple[ImportedSeries, ...]:
    """Import the series of files into the open workspace; again it adds nothing.

    The points are on the disk before the graph states their series. A kill in between leaves points that no statement
    names; importing again completes it.

    Args:
        whole_lines: see `read_series`.

    Raises:
        Unsupported: no workspace is open that can be edited.
        InputError: a file cannot be read; those before it are imported.
        StoreLocked, OutputNotWritable: the workspace cannot be written.
    """
    store = writable_store(session, ", ".join(map(str, paths)))
    found = []
    for number, path in enumerate(paths):
        progress(f"reading {path.name}", number / len(paths))
        limits.check("importing time series")
        series, lost = read_series(path, whole_lines=whole_lines)
        origin = SeriesOrigin.of_file(path, checksum_of(path))
        found.append(replace(add_series(session, store, origin, series, lost, limits=limits), source=str(path)))
    progress("done", 1.0)
    return tuple(found)


def writable_store(session: Session, what: str) -> SeriesStore:
    """The series of the open workspace, to add points.

    Raises:
        Unsupported: no workspace is open that can be edited.
    """
    store = _store_of(session)
    if store is None or session.read_only_reason is not None:
        raise Unsupported(session.read_only_reason or "series are kept in a workspace", what, "")
    return store


def add_series(
    session: Session,
    store: SeriesStore,
    origin: SeriesOrigin,
    series: tuple[NamedSeries, ...],
    lost: tuple[str, ...] = (),
    *,
    limits: Limits = NO_LIMITS,
) -> ImportedSeries:
    """Add points to the store, then the statements about their series to the graph.

    Args:
        lost: what could not be read.

    Raises:
        StoreLocked, OutputNotWritable, StoreError: the workspace cannot be written.
    """
    series, mixed = _of_known_unit(session, origin, series, limits)
    points = {series_iri(origin, one).value: SeriesPoints(one.series.times, one.series.values) for one in series}
    new = store.add(points)
    statements = series_statements(
        origin,
        series,
        machines_in(session.store, limits=limits),
        data_stores_in(session.store, limits=limits) if any(not one.host and one.labels for one in series) else {},
        unit_called,
    )
    old = checksums_in(session.store, origin, limits=limits) if origin.checksum else ()
    step = EditStep.made(session, ChangeSet(removed=old, added=statements, words=f"Time series of {origin.label}"))
    return ImportedSeries(
        origin.label,
        tuple((series_iri(origin, one), str(one)) for one in series),
        sum(len(one.series) for one in series),
        new,
        0 if step is None else len(step.change.added),
        lost + mixed,
        step,
    )


def import_into_draft(
    session: Session, paths: Sequence[Path], *, progress: Progress = no_progress, limits: Limits = NO_LIMITS
) -> tuple[tuple[ImportedSeries, ...], tuple[tuple[EditStep, ...], tuple[EditStep, ...]] | None]:
    """Import series into the open workspace, or into a draft that is started for them.

    Returns:
        What was imported, and the undo and redo steps of the draft if one was started.

    Raises:
        Unsupported, InputError, StoreLocked, OutputNotWritable: see `import_series` and `start_editing`.
    """
    before = session.workspace
    start_editing(session, limits=limits)
    found = import_series(session, paths, progress=progress, limits=limits)
    return found, journal_steps(session) if session.workspace is not before else None


def _of_known_unit(
    session: Session, origin: SeriesOrigin, series: tuple[NamedSeries, ...], limits: Limits
) -> tuple[tuple[NamedSeries, ...], tuple[str, ...]]:
    """Leave out the series that the graph states in another unit, and say so."""
    units = {one.iri: one.unit for one in stated_series(session, limits=limits) if one.unit}
    kept, mixed = [], []
    for one in series:
        unit = unit_called(one.unit) if one.unit else None
        symbol = one.unit if unit is None else unit_of(unit).symbol
        known = units.get(series_iri(origin, one), "")
        if known and symbol and known != symbol:
            mixed.append(f"{one} is in {symbol} here and in {known} before; convert it: {origin.label}")
        else:
            kept.append(one)
    return tuple(kept), tuple(mixed)


def _store_of(session: Session) -> SeriesStore | None:
    return None if session.workspace is None else SeriesStore(session.workspace.folder / SERIES_FOLDER)


def stated_series(session: Session, *, limits: Limits = NO_LIMITS) -> tuple[StatedSeries, ...]:
    """The series that the open graph states."""
    return series_in(session.store, lambda unit: unit_of(unit).symbol, limits=limits)


class SeriesReader:
    """Reads the points of stated series, from the workspace or from the files that the graph names."""

    def __init__(self, session: Session) -> None:
        self._store = _store_of(session)
        self._folders = folders_of(session)
        self._session = session

    def extents(self, series: Sequence[StatedSeries]) -> dict[NamedNode, Extent]:
        """When series begin and end; those whose points are not at hand are left out."""
        kept = {} if self._store is None else self._store.extents([one.iri.value for one in series])
        found = {one.iri: kept[one.iri.value] for one in series if one.iri.value in kept}
        for one in series:
            if one.iri not in found and (points := self._from_file(one)) is not None and len(points.times):
                found[one.iri] = Extent(float(points.times[0]), float(points.times[-1]), len(points.times))
        return found

    def points(self, series: StatedSeries, begin: float = float("-inf"), end: float = float("inf")) -> SeriesPoints:
        """The points of a series in an interval; none if they are not at hand."""
        if self._is_kept(series):
            assert self._store is not None
            return self._store.points(series.iri.value, begin, end)
        return (self._from_file(series) or SeriesPoints.none()).between(begin, end)

    def drawn(self, series: StatedSeries, begin: float, end: float, *, most: int = 2_000) -> DrawnSeries:
        """A series at the resolution of a picture; see `SeriesStore.drawn`."""
        if self._is_kept(series):
            assert self._store is not None
            return self._store.drawn(series.iri.value, begin, end, most=most)
        return drawn_points((self._from_file(series) or SeriesPoints.none()).between(begin, end), most)

    def _is_kept(self, series: StatedSeries) -> bool:
        return self._store is not None and bool(self._store.extents([series.iri.value]))

    def _from_file(self, series: StatedSeries) -> SeriesPoints | None:
        path = self._folders.file(series.file) if series.file else None
        if path is None:
            return None
        named = self._session.derived.get(f"series {path}", lambda: _named(path))
        found = named.get(series.key) or (next(iter(named.values())) if len(named) == 1 and not series.key else None)
        return None if found is None else SeriesPoints(found.series.times, found.series.values)


def _named(path: Path) -> dict[str, NamedSeries]:
    try:
        return {str(one): one for one in read_series(path)[0]}
    except DamagedSeries:
        return {}
