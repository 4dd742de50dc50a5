"""Copy an endpoint, or a part of it, to a file that can be loaded into a workspace.

The copy is requested as one streamed response, in which blank nodes keep their identity. If that fails or is truncated,
statements are requested by subject: from a complete list of subjects, or else page by page. A page starts after the
last IRI of the previous one, so concurrent changes do not shift pages.

Statements with blank nodes are requested in one separate response. If that is truncated too, they are fetched with the
resource they describe, at most `BLANK_STEPS` deep. Then a blank node reached from two pages is copied twice, and an
unreachable one is missing; the record of the copy notes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pyoxigraph import RdfFormat, serialize

from hpc_explorer.errors import (
    AnswerDamaged,
    AnswerLimited,
    DeadlineExceeded,
    EndpointFailed,
    EndpointRefused,
    EndpointTooSlow,
    EndpointUnreachable,
    ServerError,
    SourceNotFound,
)
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.remote.dataset import DatasetLayout
from hpc_explorer.stores.remote.mirror_record import MirrorCheck, MirrorPart, MirrorRecord
from hpc_explorer.stores.remote.patterns import anywhere, descendants, descendants_pattern, in_graph, values

if TYPE_CHECKING:
    from hpc_explorer.stores.remote.remote import RemoteStore

MOST_TRIPLES = 5_000_000
"""The default maximum of copied triples; for more, a dump from the endpoint's owner is better."""

# Subjects per page, and maximum subjects per request.
_PAGE = 10_000
_BATCH = 500

# Seconds for counting.
_COUNT_SECONDS = 60.0

_TELL_EVERY = 1_000

# Errors that mean that one response for everything is too much for an endpoint.
_TOO_MUCH = (AnswerLimited, AnswerDamaged, EndpointTooSlow, EndpointFailed, EndpointRefused, EndpointUnreachable)


CopyProgress = Callable[[int, int | None], None]
"""Receives the number of copied triples, and the total if the endpoint reported it."""


def copy_endpoint(
    store: RemoteStore,
    part: MirrorPart,
    folder: Path,
    *,
    most: int | None = None,
    progress: CopyProgress = lambda copied, total: None,
    limits: Limits = NO_LIMITS,
) -> tuple[Path, MirrorRecord]:
    """Copy a part of an endpoint into a new file in `folder`: N-Triples if it has no named graphs, else N-Quads.

    Args:
        most: the maximum number of triples; None: `MOST_TRIPLES`, and the endpoint must report its count.

    Raises:
        AnswerLimited: there are more, or the count is unknown.
        SourceNotFound: there are none.
        ServerError: the endpoint gives no whole answer.
    """
    return _Copy(store, part, folder, most, progress, limits).run()


class _Copy:
    def __init__(
        self,
        store: RemoteStore,
        part: MirrorPart,
        folder: Path,
        most: int | None,
        progress: CopyProgress,
        limits: Limits,
    ) -> None:
        self._store = store
        self._part = part
        # The counts before and after the copy are compared.
        store.always_ask()
        self._layout = store.layout(limits=limits)
        plain = bool(part.query) or not self._layout.has_named
        self._file = folder / ("mirror.nt" if plain else "mirror.nq")
        self._format = RdfFormat.N_TRIPLES if plain else RdfFormat.N_QUADS
        self._most = most
        self._progress = progress
        self._limits = limits
        self._total: int | None = None
        # Number of written triples that are included in the endpoint's count.
        self._comparable = 0
        self._too_many = False
        self._note = ""

    def run(self) -> tuple[Path, MirrorRecord]:
        begun = datetime.now(UTC).isoformat(timespec="seconds")
        if self._part.query:
            copied = self._write(self._constructed())
            check = MirrorCheck.UNCHECKED
            self._note = "the result of a CONSTRUCT is not counted at the endpoint"
        else:
            copied, check = self._copy_pattern()
        if not copied:
            where = f"{self._store.address} ({self._part})" if str(self._part) else self._store.address
            raise SourceNotFound("there is nothing to copy", where, "check the class, graph or query")
        return self._file, MirrorRecord(self._store.address, self._part, begun, copied, check, self._note)

    def _copy_pattern(self) -> tuple[int, MirrorCheck]:
        before = self._total = self._counted()
        self._refuse_too_many(before)
        try:
            copied = self._write(self._store.quads(pattern_of(self._layout, self._part), limits=self._limits))
            whole = before is None or self._comparable >= min(before, self._counted() or before)
        except _TOO_MUCH:
            self._limits.check("copying")
            if self._too_many:
                raise
            whole = False
        if not whole:
            # Truncated, with or without notice.
            copied = self._write(self._paged())
        after = self._counted()
        if before is None or after is None:
            return copied, MirrorCheck.UNCHECKED
        if before != after:
            self._note = f"{before:,} triples before, {after:,} after. {self._note}".strip()
            return copied, MirrorCheck.CHANGED
        if self._comparable != after:
            self._note = f"{self._comparable:,} triples copied, {after:,} counted there. {self._note}".strip()
            return copied, MirrorCheck.DIFFERS
        return copied, MirrorCheck.EXACT

    def _counted(self) -> int | None:
        """The endpoint's current count of quads; for a class, of subjects with an IRI. None if unknown."""
        where = _own_pattern(self._layout, self._part)
        own = self._limits.within(_COUNT_SECONDS)
        try:
            (row,) = self._store.select_plain(f"SELECT (COUNT(*) AS ?n) WHERE {{ {where} }}", limits=own)
            number = row["n"]
            return int(number.value) if isinstance(number, Literal) else None
        except (ServerError, DeadlineExceeded):
            self._limits.check("copying")
            return None

    def _refuse_too_many(self, number: int | None) -> None:
        remedy = "copy a part (--class, --graph or --query), or say how many with --at-most"
        if number is None and self._most is None:
            raise AnswerLimited("the endpoint did not count these triples in time", self._store.address, remedy)
        if number is not None and number > self._allowed:
            raise AnswerLimited(
                f"{number:,} triples exceed the limit of {self._allowed:,}", self._store.address, remedy
            )

    @property
    def _allowed(self) -> int:
        return MOST_TRIPLES if self._most is None else self._most

    def _write(self, quads: Iterator[Quad]) -> int:
        """Write quads to a new file; returns their number."""
        written = self._comparable = 0

        def told() -> Iterator[object]:
            nonlocal written
            for quad in quads:
                written += 1
                self._comparable += self._part.cls is None or isinstance(quad.subject, NamedNode)
                if written % _TELL_EVERY == 1:
                    self._limits.check("copying")
                    self._progress(written, self._total)
                if written > self._allowed:
                    self._too_many = True
                    self._refuse_too_many(written)
                yield quad.triple if self._format == RdfFormat.N_TRIPLES else quad

        serialize(told(), str(self._file), self._format)  # type: ignore[arg-type]  # triples or quads
        self._progress(written, self._total)
        return written

    def _constructed(self) -> Iterator[Quad]:
        for triple in self._store.construct(self._part.query, limits=self._limits):
            yield Quad(triple.subject, triple.predicate, triple.object)

    # Page by page

    def _paged(self) -> Iterator[Quad]:
        blank = self._blank_part()
        if blank is not None:
            yield from blank
        whole = self._all_subjects()
        for subjects in self._pages() if whole is None else (whole,):
            yield from self._of_subjects(subjects, with_parts=blank is None)

    def _blank_part(self) -> Sequence[Quad] | None:
        """All statements with blank nodes, in one response; None if that is too much or only some are copied."""
        if self._part.cls is None:
            where = f"{{ {pattern_of(self._layout, self._part)} }} FILTER(isBlank(?s) || isBlank(?o))"
            try:
                return list(self._store.quads(where, limits=self._limits))
            except _TOO_MUCH:
                self._limits.check("copying")
        self._note = (
            "copied in pages: a blank node that several pages lead to is there several times, "
            "and one that no resource with an IRI leads to is left out"
        )
        return None

    def _all_subjects(self) -> list[NamedNode] | None:
        """The subjects with an IRI, in one response; None if truncated or too much.

        Sorting them, as pages require, may cost an endpoint a hundred times as much.
        """
        subject = f"{_subject_pattern(self._layout, self._part)} FILTER(isIRI(?s))"
        try:
            rows = self._store.select_plain(f"SELECT DISTINCT ?s WHERE {{ {subject} }}", limits=self._limits)
            found: list[NamedNode] = [node for row in rows if isinstance(node := row["s"], NamedNode)]
            number = f"SELECT (COUNT(DISTINCT ?s) AS ?n) WHERE {{ {subject} }}"
            own = self._limits.within(_COUNT_SECONDS)
            (row,) = self._store.select_plain(number, limits=own)
        except (*_TOO_MUCH, DeadlineExceeded):
            self._limits.check("copying")
            return None
        counted = row["n"]
        return found if isinstance(counted, Literal) and counted.value == str(len(found)) else None

    def _pages(self) -> Iterator[list[NamedNode]]:
        """The subjects with an IRI, in the endpoint's order."""
        subject = _subject_pattern(self._layout, self._part)
        last = ""
        while True:
            after = f" && STR(?s) > {Literal(last)}" if last else ""
            query = (
                f"SELECT ?s WHERE {{ {{ SELECT DISTINCT ?s WHERE {{ {subject} FILTER(isIRI(?s){after}) }} }} }} "
                f"ORDER BY STR(?s) LIMIT {_PAGE}"
            )
            rows = self._store.select_plain(query, limits=self._limits)
            page = [row["s"] for row in rows if isinstance(row["s"], NamedNode)]
            if not page:
                return
            newest = max(node.value for node in page)
            if newest <= last:
                raise AnswerDamaged("the endpoint ignores ORDER BY", self._store.address, "")
            last = newest
            yield page

    def _of_subjects(self, subjects: Sequence[NamedNode], *, with_parts: bool) -> Iterator[Quad]:
        """The statements about subjects, in as many requests as necessary."""
        for start in range(0, len(subjects), _BATCH):
            work = [list(subjects[start : start + _BATCH])]
            while work:
                batch = work.pop()
                try:
                    found = self._batch(batch, with_parts)
                except _TOO_MUCH:
                    self._limits.check("copying")
                    if len(batch) == 1:
                        raise
                    half = len(batch) // 2
                    work += [batch[half:], batch[:half]]
                    continue
                yield from found

    def _batch(self, subjects: Sequence[NamedNode], with_parts: bool) -> list[Quad]:
        quads = in_part(self._layout, self._part)
        where = f"{values('?s', subjects)} {quads} FILTER(!isBlank(?o))"
        found = list(self._store.quads(where, limits=self._limits))
        blank_values = f"{values('?s', subjects)} {quads} FILTER(isBlank(?o))"
        if with_parts and self._store.holds(blank_values, self._limits):
            parts = dict.fromkeys(self._store.quads(descendants(self._layout, subjects, None), limits=self._limits))
            found += [quad for quad in parts if self._part.graph in (None, quad.graph_name)]
        return found


def in_part(layout: DatasetLayout, part: MirrorPart) -> str:
    """The group that matches ?s ?p ?o in ?g, or in the part's graph."""
    if part.graph is None:
        return anywhere(layout, "?s", "?p", "?o", "?g")
    return f"{in_graph(layout, '?s', '?p', '?o', part.graph)} BIND({part.graph} AS ?g)"


def pattern_of(layout: DatasetLayout, part: MirrorPart) -> str:
    """The pattern whose solutions ?s ?p ?o ?g are the quads to copy, each once."""
    if part.cls is None:
        return in_part(layout, part)
    instances = _subject_pattern(layout, part)
    own = f"{instances} {{ {in_part(layout, part)} }}"
    parts = descendants_pattern(layout, f"{{ {instances.replace('?s', '?n0')} }}")
    limited = f" FILTER(?g = {part.graph})" if part.graph else ""
    return f"{{ SELECT DISTINCT ?s ?p ?o ?g WHERE {{ {{ {own} }} UNION {{ {parts}{limited} }} }} }}"


def _own_pattern(layout: DatasetLayout, part: MirrorPart) -> str:
    """The same without nested blank nodes of instances, and without instances that are blank nodes."""
    if part.cls is None:
        return in_part(layout, part)
    return f"{_subject_pattern(layout, part)} {{ {in_part(layout, part)} }} FILTER(isIRI(?s))"


def _subject_pattern(layout: DatasetLayout, part: MirrorPart) -> str:
    """The pattern whose solutions ?s are the subjects to copy."""
    if part.cls is None:
        return in_part(layout, part)
    typed = (
        anywhere(layout, "?s", str(RDF.type), str(part.cls), "?typed_in")
        if part.graph is None
        else in_graph(layout, "?s", str(RDF.type), str(part.cls), part.graph)
    )
    return f"{{ SELECT DISTINCT ?s WHERE {{ {typed} }} }}"
