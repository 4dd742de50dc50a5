r"""Read the triples of a graph into tables, each term as a number computed from its text.

    raw(s, p, o, v, g)   the statements: keys of the terms; for a literal its text as in N-Triples (`v`) in place of `o`
    seen(h, iri)         the resources with their keys, each at least once
    graph(h, iri)        the names of graphs with their keys, each at least once

They come from the store, or faster from lines: those of the file that it was loaded from, or of a parser.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.stores.base import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from duckdb import DuckDBPyConnection

    from hpc_explorer.stores.local.local import LocalStore

LONGEST = 4 * 1024 * 1024
"""The initial limit of a row in bytes."""

PIECE = 64 * 1024 * 1024
"""The size of a chunk of rows in bytes."""

KEYS = ("xor(hash({0}), hash('#' || {0}))", "md5_number_lower({0})")
"""The key of a term, as SQL; the second one, which costs ten times as much, if two terms have the same first one. The
engine's `hash` alone is the same for many names that differ in two numbers, such as those of epochs and batches."""

IS_RESOURCE = "(starts_with(o, '<') AND NOT starts_with(o, '<<') OR starts_with(o, '_'))"
"""Whether an object is a resource, as SQL."""

_ROWS = "SELECT ?s ?p ?o WHERE { ?s ?p ?o }"

_LINE = r"""SELECT line, s, p, substr(line, length(s) + length(p) + 3, length(line) - length(s) - length(p) - 4) AS rest
    FROM (SELECT line, split_part(line, ' ', 1) AS s, split_part(line, ' ', 2) AS p FROM {rows}
        WHERE line <> '' AND NOT starts_with(line, '#'))"""

# After the last quote, or in a resource, a space comes before the name of the graph only.
_WITHOUT_GRAPH = f"SELECT line, s, p, rest AS o, NULL::VARCHAR AS g FROM ({_LINE})"
_WITH_GRAPH = rf"""SELECT line, s, p, CASE WHEN g = '' THEN rest ELSE left(rest, -(length(g) + 1)) END AS o,
    nullif(g, '') AS g
    FROM (SELECT *, split_part(split_part(rest, CASE WHEN starts_with(rest, '<<') THEN '>>' ELSE '"' END, -1), ' ', 2)
        AS g FROM ({_LINE}))"""

_BLANK = r"""regexp_full_match({0}, '_:[^<>"\\ ]+')"""
_IRI = r"""(starts_with({0}, '<') AND suffix({0}, '>') AND NOT contains({0}, '\') AND NOT contains({0}, '"'))"""
_NODE = f"({_IRI} OR {_BLANK})"
_END = r"""(t = '' OR starts_with(t, '^^<') AND suffix(t, '>') AND NOT contains(t, ' ') AND NOT contains(t, '\')
    OR regexp_full_match(t, '@[A-Za-z0-9-]+'))"""

# The number of lines in another form than `<s> <p> o .`, with single spaces; these need a parser.
_ODD = rf"""SELECT count(*) FROM (SELECT *, split_part(o, '"', -1) AS t FROM piece) WHERE (suffix(line, ' .')
    AND NOT contains(line, '><') AND {_NODE.format("s")} AND {_IRI.format("p")} AND CASE
        WHEN starts_with(o, '"') THEN {_END} AND (strlen(split_part(o, '"', 2)) + strlen(t) + 2 = strlen(o)
            OR regexp_full_match(o, '"([^"\\]|\\.)*"[^"]*'))
        WHEN starts_with(o, '<') THEN NOT starts_with(o, '<<') AND NOT contains(o, ' ') AND {_IRI.format("o")}
        ELSE {_BLANK.format("o")} END AND (g IS NULL OR {_NODE.format("g")})) IS NOT TRUE"""


class OddLines(Exception):
    """Lines that need a parser."""


@dataclass(frozen=True)
class Rows:
    """The form of rows.

    Args:
        sql: the SELECT of `line`, `s`, `p`, `o` and `g` from a file.
        columns: the columns of the file.
        has_header: whether its first line has names.
        check: whether lines may have another form.
    """

    sql: str
    columns: tuple[str, ...] = ("line",)
    has_header: bool = False
    check: bool = False

    def of(self, file: Path, longest: int, *, first: bool) -> tuple[str, list[str]]:
        """The SELECT from a file, with its parameters."""
        columns = ", ".join(f"'{name}': 'VARCHAR'" for name in self.columns)
        delimiter = "\t" if len(self.columns) > 1 else "\x01"
        header = str(first and self.has_header).lower()
        rows = f"""read_csv(?, delim='{delimiter}', quote='', escape='', comment='', header={header}, auto_detect=false,
            new_line='\\n', max_line_size={longest}, buffer_size={2 * longest}, columns={{{columns}}})"""
        return self.sql.format(rows=rows), [str(file)]


STORED = Rows("SELECT s, p, o, NULL::VARCHAR AS g FROM {rows}", ("s", "p", "o"), has_header=True)
"""The rows that the triple store writes."""

TRIPLES = Rows(_WITHOUT_GRAPH, check=True)
"""The lines of an N-Triples file."""

QUADS = Rows(_WITH_GRAPH, check=True)
"""The lines of an N-Quads file."""

PARSED = Rows(_WITH_GRAPH)
"""N-Quads that the engine wrote."""


class RawReader:
    """A stream that loads the rows written to it into the tables, in chunks.

    Args:
        key: one of `KEYS`.
        report: called with the number of statements read.

    Raises:
        OddLines: lines have another form.
    """

    def __init__(
        self,
        database: DuckDBPyConnection,
        rows: Rows,
        key: str,
        *,
        report: Callable[[int], None] = lambda statements: None,
        limits: Limits,
    ) -> None:
        folder = Path(database.execute("SELECT current_setting('temp_directory')").fetchall()[0][0])
        self._database, self._kind, self._key = database, rows, key
        self._report, self._limits = report, limits
        self._files = [folder / f"piece-{number}.txt" for number in range(2)]
        self._worker = ThreadPoolExecutor(1, "columns")
        self._reading: Future[None] | None = None
        self._pieces = 0
        self._statements = 0
        self._rows: list[bytes] = []
        self._size = 0
        for table in ("raw (s UBIGINT, p UBIGINT, o UBIGINT, v VARCHAR, g UBIGINT)", *_NAMES):
            database.execute(f"CREATE OR REPLACE TEMP TABLE {table}")

    def write(self, data: bytes) -> int:
        """Take some bytes."""
        self._rows.append(bytes(data))
        self._size += len(data)
        if self._size >= PIECE:
            self._limits.check("reading the facts")
            whole, _, rest = b"".join(self._rows).rpartition(b"\n")
            self._hand_over(whole + b"\n")
            self._rows, self._size = [rest], len(rest)
        return len(data)

    def flush(self) -> None:
        """Do nothing; there is no buffer to flush."""

    def end(self) -> None:
        """Load the rest."""
        self._hand_over(b"".join(self._rows))
        self._wait()
        self._database.execute("DROP TABLE IF EXISTS piece")

    def close(self) -> None:
        """Wait for pending loads."""
        self._worker.shutdown()

    def _hand_over(self, rows: bytes) -> None:
        file = self._files[self._pieces % 2]
        file.write_bytes(rows)
        self._wait()
        self._reading = self._worker.submit(self._read, file, self._pieces == 0)
        self._pieces += 1

    def _wait(self) -> None:
        if self._reading is not None:
            self._reading.result()

    def _read(self, file: Path, first: bool) -> None:
        import duckdb

        try:
            self._read_rows(file, LONGEST, first)
        except (duckdb.InvalidInputException, duckdb.NotImplementedException):
            # A literal is unusually long; only then is memory for lines as long as the whole chunk allocated.
            self._read_rows(file, file.stat().st_size + 1, first)

    def _read_rows(self, file: Path, longest: int, first: bool) -> None:
        run = self._database.execute
        select, parameters = self._kind.of(file, longest, first=first)
        run(f"CREATE OR REPLACE TEMP TABLE piece AS {select}", parameters)
        if self._kind.check and run(_ODD).fetchall()[0][0]:
            raise OddLines
        key = self._key.format
        ((number,),) = run(
            f"""INSERT INTO raw SELECT {key("s")}, {key("p")}, CASE WHEN {IS_RESOURCE} THEN {key("o")} END,
            CASE WHEN NOT {IS_RESOURCE} THEN o END, CASE WHEN g IS NOT NULL THEN {key("g")} END FROM piece"""
        ).fetchall()
        run(
            f"""INSERT INTO seen SELECT {key("iri")}, iri FROM (
            SELECT s AS iri FROM piece UNION SELECT p FROM piece UNION SELECT o FROM piece WHERE {IS_RESOURCE})"""
        )
        run(f"INSERT INTO graph SELECT DISTINCT {key('g')}, g FROM piece WHERE g IS NOT NULL")
        self._statements += number
        self._report(self._statements)


_NAMES = ("seen (h UBIGINT, iri VARCHAR)", "graph (h UBIGINT, iri VARCHAR)")


def read_store(database: DuckDBPyConnection, store: LocalStore, key: str, limits: Limits) -> None:
    """Stream rows from the triple store into the tables.

    Args:
        key: one of `KEYS`.
    """
    reader = RawReader(database, STORED, key, limits=limits)
    try:
        store.select(_ROWS, limits=limits).write(reader)  # type: ignore[arg-type]  # only used for writing
        reader.end()
    finally:
        reader.close()
