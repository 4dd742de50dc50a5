"""Read the triples of a graph into the table `raw(s, p, o)`, as N-Triples terms.

They come from the store, or faster from the file it was loaded from.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.stores.base import Limits

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from hpc_explorer.stores.local.local import LocalStore

LONGEST = 4 * 1024 * 1024
"""The initial limit of a row in bytes."""

PIECE = 64 * 1024 * 1024
"""The size of a chunk of rows in bytes."""

_ROWS = "SELECT ?s ?p ?o WHERE { ?s ?p ?o }"


def read_store(database: DuckDBPyConnection, store: LocalStore, limits: Limits) -> None:
    """Stream rows from the triple store into the column engine in chunks."""
    database.execute("CREATE TEMP TABLE raw (s VARCHAR, p VARCHAR, o VARCHAR)")
    folder = Path(database.execute("SELECT current_setting('temp_directory')").fetchall()[0][0])
    reader = _PieceReader(database, folder, limits)
    try:
        store.select(_ROWS, limits=limits).write(reader)  # type: ignore[arg-type]  # only used for writing
        reader.end()
    finally:
        reader.close()


class _PieceReader:
    """A stream that loads the rows written to it into the table `raw`."""

    def __init__(self, database: DuckDBPyConnection, folder: Path, limits: Limits) -> None:
        from concurrent.futures import Future, ThreadPoolExecutor

        self._database, self._limits = database, limits
        self._files = [folder / f"piece-{number}.tsv" for number in range(2)]
        self._worker = ThreadPoolExecutor(1, "columns")
        self._reading: Future[None] | None = None
        self._pieces = 0
        self._rows: list[bytes] = []
        self._size = 0

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

    def _read(self, file: Path, has_header: bool) -> None:
        import duckdb

        try:
            self._read_rows(file, has_header, LONGEST)
        except (duckdb.InvalidInputException, duckdb.NotImplementedException):
            # A literal is unusually long; only then is memory for lines as long as the whole chunk allocated.
            self._read_rows(file, has_header, file.stat().st_size + 1)

    def _read_rows(self, file: Path, has_header: bool, longest: int) -> None:
        self._database.execute(
            f"""INSERT INTO raw SELECT s, p, o FROM read_csv(?, delim='\t', quote='', escape='', comment='',
            header={str(has_header).lower()}, auto_detect=false, new_line='\\n', max_line_size={longest},
            buffer_size={2 * longest}, columns={{'s': 'VARCHAR', 'p': 'VARCHAR', 'o': 'VARCHAR'}})""",
            [str(file)],
        )


# The number of lines in another form; escaped characters need a parser.
_ODD = r"""SELECT count(*) FROM raw WHERE (s[1] = '<' AND s[-1] = '>' AND p[1] = '<' AND p[-1] = '>' AND CASE o[1]
            WHEN '<' THEN o[-1] = '>' AND NOT contains(o, ' ')
            WHEN '"' THEN o[-1] IN ('"', '>') OR regexp_matches(o, '"@[A-Za-z0-9-]+$')
            ELSE false END AND NOT contains(s, '\') AND NOT contains(p, '\') AND NOT contains(o, '\u')
            AND NOT contains(o, '\U') AND NOT (o[1] = '<' AND contains(o, '\'))) IS NOT TRUE"""


def read_n_triples(database: DuckDBPyConnection, file: Path) -> bool:
    """Read a file of lines `<s> <p> o .`; returns whether all lines had this form."""
    import duckdb

    try:
        _read_lines(database, file)
    except (duckdb.InvalidInputException, duckdb.ConversionException, duckdb.NotImplementedException):
        database.execute("DROP TABLE IF EXISTS raw")
        return False
    odd = database.execute(_ODD).fetchall()[0][0]
    if odd:
        database.execute("DROP TABLE raw")
    return not odd


def _read_lines(database: DuckDBPyConnection, file: Path) -> None:
    database.execute(
        """CREATE TEMP TABLE raw AS SELECT s, p, rest[length(p) + 2:-3] AS o FROM (
            SELECT s, rest, split_part(rest, ' ', 1) AS p FROM (
                SELECT s, line[length(s) + 2:] AS rest FROM (SELECT line, split_part(line, ' ', 1) AS s FROM read_csv(?,
                    delim='\x01', quote='', escape='', comment='', header=false, auto_detect=false, new_line='\\n',
                    columns={'line': 'VARCHAR'}) WHERE line <> '')))""",
        [str(file)],
    )
