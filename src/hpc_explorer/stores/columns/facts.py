"""The statements of a graph as numbers, read once: for counts, names and columns.

    numbered(h, id, iri)     the resources by class and name; `h` is the key in `raw`
    links(p, s, o)           the statements that lead to resources
    literals(p, s, g, kind, text, n, m, again, derived, shape, spelt)    the others

`kind`, `text`, `n` and `m` are the parts of a literal in the form of the triple store (`layout`); `again` is its text
where the triple store must be asked for this form. `derived` is its datatype if it is kept with another. `shape` is how
it is spelled in the file: twice the number of decimals, and one more if the last one is 0; -1 if its text, `spelt`,
must be looked at; NULL if every spelling is kept.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from hpc_explorer.rdf.datatypes import DERIVED_INTEGERS
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.syntax.files import remove_folder
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.columns.layout import QUOTED
from hpc_explorer.stores.columns.literals import DECIMAL_TEXT, DOUBLE_TEXT, INTEGER_TEXT, MOMENT, MOST_DIGITS, parts_of
from hpc_explorer.stores.columns.raw_triples import KEYS, OddLines, RawReader, Rows, read_store
from hpc_explorer.stores.columns.relation import DATE_TIME, DECIMAL, DOUBLE, INTEGER, STRING
from hpc_explorer.stores.local.memory_use import machine_memory
from hpc_explorer.stores.local.spellings import stored_form

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from hpc_explorer.stores.local.local import LocalStore

MEMORY = 750_000_000
"""The least memory limit of building in bytes; beyond it, the engine uses the disk."""

MOST_RESPELLED = 100_000
"""The number of literals that the triple store parses at a time."""

CHUNK = 4 * 1024 * 1024
"""The number of bytes that are read from a file at a time."""

_WHOLE = sorted(datatype.value for datatype in DERIVED_INTEGERS)


class Facts:
    """The facts of one graph, in a new database file.

    Args:
        file: the file that `keep` makes; until then it is beside it.
        size: the size of the statements as text in bytes, about.

    Attributes:
        database: the connection.
    """

    def __init__(self, file: Path, size: int) -> None:
        """Make a database file beside `file`.

        Raises:
            OSError: it cannot be written.
        """
        import duckdb

        self.file = file
        self._making = file.with_name(f"{file.name}.new")
        self._scratch = Path(tempfile.mkdtemp(prefix="columns-", dir=file.parent))
        try:
            self._making.unlink(missing_ok=True)
            config: dict[str, str | bool | int | float | list[str]] = {
                "memory_limit": f"{_memory_for(size)}B",
                "temp_directory": str(self._scratch),
                "threads": max(1, min(4, os.cpu_count() or 1)),
                "preserve_insertion_order": False,
            }
            self.database: DuckDBPyConnection = duckdb.connect(str(self._making), config=config)
        except BaseException:
            remove_folder(self._scratch)
            raise
        self.database.execute("SET TimeZone = 'UTC'")

    def close(self) -> None:
        """Close and delete it, unless it was kept."""
        self.database.close()
        remove_folder(self._scratch)
        for left in (self._making, self._making.with_name(f"{self._making.name}.wal")):
            with suppress(OSError):
                left.unlink()

    def keep(self) -> None:
        """Move the file into place."""
        self.database.close()
        self._making.replace(self.file)

    def number(self, statement: str) -> int:
        """The number that a statement returns."""
        ((number,),) = self.database.execute(statement).fetchall()
        return int(number)

    def read_lines(
        self,
        opened: Callable[[], BinaryIO],
        rows: Rows,
        *,
        report: Callable[[int], None] = lambda statements: None,
        limits: Limits,
    ) -> bool:
        """Read lines and number their terms; returns whether they could be read without a parser.

        Args:
            opened: opens the lines from the start.
            report: called with the number of statements read.
        """

        def read(key: str) -> None:
            reader = RawReader(self.database, rows, key, report=report, limits=limits)
            try:
                with opened() as stream:
                    while data := stream.read(CHUNK):
                        reader.write(data)
                reader.end()
            finally:
                reader.close()

        import duckdb

        try:
            self._numbered(read, limits)
        except (OddLines, duckdb.InvalidInputException, duckdb.ConversionException, duckdb.NotImplementedException):
            return False
        self._make_literals(spelled=True, limits=limits)
        return True

    def read_store(self, store: LocalStore, limits: Limits) -> None:
        """Read the triples of a store, and number their terms."""
        self._numbered(lambda key: read_store(self.database, store, key, limits), limits)
        self._make_literals(spelled=False, limits=limits)

    def _numbered(self, read: Callable[[str], None], limits: Limits) -> None:
        for key in KEYS:
            read(key)
            limits.check(_BUILDING)
            self._run("CREATE OR REPLACE TEMP TABLE one AS SELECT DISTINCT h, iri FROM seen")
            if self.number("SELECT count(*) - count(DISTINCT h) FROM one") == 0:
                break
        else:
            raise OddLines
        self._run("DROP TABLE seen")
        limits.check(_BUILDING)
        is_type = f"raw.p = (SELECT h FROM one WHERE iri = '<{RDF.type.value}>')"
        self._run(
            f"""CREATE OR REPLACE TEMP TABLE numbered AS
            SELECT h, CAST(row_number() OVER (ORDER BY class NULLS FIRST, iri) AS UINTEGER) AS id, iri FROM one
            LEFT JOIN (SELECT raw.s, min(iri) AS class FROM raw JOIN one ON raw.o = h WHERE {is_type} GROUP BY raw.s)
            ON s = h ORDER BY id"""
        )
        self._run("DROP TABLE one")
        limits.check(_BUILDING)
        self._run(
            """CREATE OR REPLACE TEMP TABLE links AS SELECT ps.id AS p, ss.id AS s, os.id AS o FROM raw
            JOIN numbered ss ON raw.s = ss.h JOIN numbered ps ON raw.p = ps.h JOIN numbered os ON raw.o = os.h"""
        )

    def _make_literals(self, *, spelled: bool, limits: Limits) -> None:
        limits.check(_BUILDING)
        self._run(f"CREATE OR REPLACE TEMP TABLE literals AS {_literals(spelled=spelled)}")

    @property
    def statements(self) -> int:
        """How many statements were read, repeated ones included."""
        return self.number("SELECT (SELECT count(*) FROM links) + (SELECT count(*) FROM literals)")

    @property
    def has_blank_nodes(self) -> bool:
        """Whether there are blank nodes; the triple store names them otherwise than a file."""
        return self.number("SELECT count(*) FROM numbered WHERE starts_with(iri, '_')") > 0

    @property
    def has_few_to_ask(self) -> bool:
        """Whether the triple store must be asked for the form of few literals."""
        asked = f"SELECT DISTINCT again FROM literals WHERE again IS NOT NULL LIMIT {MOST_RESPELLED + 1}"
        return self.number(f"SELECT count(*) FROM ({asked})") <= MOST_RESPELLED

    def subjects(self) -> Iterator[str]:
        """The IRIs of all subjects, by class and name."""
        rows = self.database.execute(
            """SELECT iri[2:-2] FROM numbered WHERE starts_with(iri, '<')
            AND id IN (SELECT s FROM links UNION SELECT s FROM literals) ORDER BY id"""
        )
        while some := rows.fetchmany(_MANY):
            for (iri,) in some:
                yield iri

    def ask_again(self, limits: Limits) -> None:
        """Replace literals by the triple store's form of them where it must be asked."""
        again = self.database.execute("SELECT DISTINCT again FROM literals WHERE again IS NOT NULL").fetchall()
        for number in range(0, len(again), MOST_RESPELLED):
            limits.check(_BUILDING)
            _ask_again(self.database, [o for (o,) in again[number : number + MOST_RESPELLED]])

    def _run(self, statement: str) -> None:
        self.database.execute(statement)


def _memory_for(size: int) -> int:
    """The memory limit in bytes: half the text, as the names are sorted; at most a quarter of what the machine has."""
    return max(MEMORY, min(size // 2, (machine_memory() or 0) // 4))


_BUILDING = "building the facts by column"
_MANY = 10_000


def parsed_literals(spelled: Sequence[str]) -> list[Literal]:
    """The literals of texts as in N-Triples."""
    from pyoxigraph import RdfFormat, parse

    lines = "".join(f"<x:s> <x:p> {o} .\n" for o in spelled)
    return [one.object for one in parse(lines, format=RdfFormat.N_TRIPLES) if isinstance(one.object, Literal)]


def _ask_again(database: DuckDBPyConnection, spelled: Sequence[str]) -> None:
    found = [(parts_of(one), stored_form(one).value) for one in parsed_literals(spelled)]
    columns: tuple[list[Any], ...] = (
        list(spelled),
        [parts.kind for parts, _ in found],
        [text for _, text in found],
        [parts.n for parts, _ in found],
        [parts.m for parts, _ in found],
    )
    database.execute(
        """UPDATE literals SET kind = asked.kind, text = asked.text, n = asked.n, m = asked.m FROM (
            SELECT unnest(?) AS o, unnest(?) AS kind, unnest(?) AS text, unnest(CAST(? AS DOUBLE[])) AS n,
                unnest(CAST(? AS BIGINT[])) AS m) AS asked WHERE again = asked.o""",
        columns,
    )


# Literals

_RAW_TEXT = "o[2:-(length(suffix) + 2)]"

_TEXT = rf"""CASE WHEN o[1] <> '"' THEN o ELSE CASE WHEN contains(o, '\') THEN
    replace(replace(replace(replace(replace(replace(replace(replace({_RAW_TEXT}, '\\', chr(1)),
        '\t', chr(9)), '\n', chr(10)), '\r', chr(13)), '\b', chr(8)), '\f', chr(12)), '\"', '"'), chr(1), '\')
    ELSE {_RAW_TEXT} END END"""

_NUMBER = f"""CASE
    WHEN kind = '{DOUBLE}' AND regexp_full_match(text, '{DOUBLE_TEXT}') AND isfinite(TRY_CAST(text AS DOUBLE))
        AND (TRY_CAST(text AS DOUBLE) <> 0 OR text[1] <> '-') THEN TRY_CAST(text AS DOUBLE)
    WHEN kind = '{INTEGER}' AND length(text) <= {MOST_DIGITS} AND regexp_full_match(text, '{INTEGER_TEXT}')
        THEN TRY_CAST(text AS DOUBLE)
    WHEN kind = '{DECIMAL}' AND length(text) <= {MOST_DIGITS} AND regexp_full_match(text, '{DECIMAL_TEXT}')
        THEN TRY_CAST(text AS DOUBLE) END"""

_INSTANT = f"""CASE WHEN kind = '{DATE_TIME}' AND regexp_full_match(text, '{MOMENT}') AND text[:4] <> '0000'
    THEN epoch_us(TRY_CAST(text AS TIMESTAMPTZ)) END"""

# Zeros after the decimal point that the triple store does not keep; they are common in files.
_SHORTENED = rf"""CASE
    WHEN kind = '{DECIMAL}' AND regexp_full_match(text, '-?(0|[1-9]\d*)\.\d*0') AND length(text) <= {MOST_DIGITS}
        AND NOT regexp_full_match(text, '-0\.0*') THEN rtrim(rtrim(text, '0'), '.')
    WHEN kind = '{DATE_TIME}' AND contains(text, '.') THEN
        regexp_replace(regexp_replace(text, '\.0+(Z|[+-]\d\d:\d\d)?$', '\1'),
            '(\.\d*[1-9])0+(Z|[+-]\d\d:\d\d)?$', '\1\2')
    ELSE text END"""

_OTHER_VALUES = ", ".join(
    f"'{XSD.term(name).value}'"
    for name in (
        *("float", "time", "gYear", "gYearMonth", "gMonthDay", "gMonth", "gDay"),
        *("duration", "yearMonthDuration", "dayTimeDuration"),
    )
)

# Literals that the triple store may normalize, so it must be asked.
_RESPELLED = rf"""CASE kind
    WHEN '{INTEGER}' THEN NOT regexp_full_match(text, '{INTEGER_TEXT}')
    WHEN '{DECIMAL}' THEN NOT regexp_full_match(text, '{DECIMAL_TEXT}') OR text = '-0'
    WHEN '{DOUBLE}' THEN n IS NULL
    WHEN '{DATE_TIME}' THEN m IS NULL OR text[-6:] IN ('+00:00', '-00:00')
    WHEN '{XSD.date.value}' THEN NOT regexp_full_match(text, '\d{{4}}-\d\d-\d\d')
    WHEN '{XSD.boolean.value}' THEN text NOT IN ('true', 'false')
    ELSE kind IN ({_OTHER_VALUES}) END"""

# U+0001 replaces a backslash while a text is unescaped, so the engine parses texts that contain both. It also parses
# the other escapes.
_AMBIGUOUS = r"""contains(o, '\') AND (contains(o, chr(1)) OR regexp_matches(o, '(^|[^\\])(\\\\)*\\[uU'']'))"""

_KIND = f"""CASE
    WHEN o[1] = '"' THEN CASE suffix[1]
        WHEN '' THEN '{STRING}'
        WHEN '@' THEN CASE WHEN contains(suffix, '--') THEN '{QUOTED}' ELSE lower(suffix) END
        ELSE CASE
            WHEN suffix[4:-2] IN ({", ".join(f"'{iri}'" for iri in _WHOLE)}) THEN '{INTEGER}'
            WHEN suffix[4:-2] = '{XSD.dateTimeStamp.value}' THEN '{DATE_TIME}'
            ELSE suffix[4:-2] END
        END
    WHEN starts_with(o, '<<') THEN '{QUOTED}'
    WHEN o IN ('true', 'false') THEN '{XSD.boolean.value}'
    WHEN regexp_matches(o, '[eE]') THEN '{DOUBLE}'
    WHEN contains(o, '.') THEN '{DECIMAL}'
    ELSE '{INTEGER}' END"""

_DERIVED = f"""CASE WHEN suffix[4:-2] IN ({", ".join(f"'{iri}'" for iri in (*_WHOLE, XSD.dateTimeStamp.value))})
    THEN suffix[4:-2] END"""

_DECIMALS = "2 * length(split_part({0}, '.', 2)) + CAST(contains({0}, '.') AND suffix({0}, '0') AS INTEGER)"


def _digits(most: int) -> str:
    """Whether a number has at most so many digits, as SQL."""
    return f"length(replace(replace(spelling, '-', ''), '.', '')) <= {most}"


# As `style_range` of `stores.local.styles` for the usual spellings; the others are left to it.
_SHAPE = rf"""CASE
    WHEN derived IS NOT NULL THEN -1
    WHEN kind IN ('{STRING}', '{QUOTED}', '{XSD.anyURI.value}') OR starts_with(kind, '@') THEN NULL
    WHEN kind = '{INTEGER}' THEN CASE WHEN regexp_full_match(spelling, '0|-?[1-9]\d{{0,17}}') THEN 0 ELSE -1 END
    WHEN kind IN ('{DOUBLE}', '{DECIMAL}', '{XSD.float.value}') THEN CASE
        WHEN regexp_full_match(spelling, '-?(0|[1-9]\d*)(\.\d+)?') AND CASE kind WHEN '{DOUBLE}' THEN {_digits(15)}
            WHEN '{DECIMAL}' THEN {_digits(18)} AND NOT regexp_full_match(spelling, '-0(\.0+)?') ELSE {_digits(6)} END
        THEN {_DECIMALS.format("spelling")} ELSE -1 END
    WHEN kind = '{DATE_TIME}' THEN CASE
        WHEN regexp_full_match(spelling, '\d{{4}}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{{1,9}})?Z?')
        THEN {_DECIMALS.format("rtrim(spelling, 'Z')")} ELSE -1 END
    WHEN kind = '{XSD.boolean.value}' AND spelling IN ('true', 'false') THEN 0
    ELSE -1 END"""


def _literals(*, spelled: bool) -> str:
    """The SELECT that makes literals of the table `raw`.

    Args:
        spelled: literals are spelled as in a file, not as in the triple store.
    """
    if spelled:
        text, respelled, derived, shape = _SHORTENED, f"({_RESPELLED}) OR", _DERIVED, _SHAPE
    else:
        text, respelled, derived, shape = "text", "", "NULL", "NULL"
    return f"""SELECT p, s, g, kind, text, n, m, CASE WHEN {respelled} ({_AMBIGUOUS}) THEN o END AS again, derived,
        shape, CASE WHEN shape = -1 THEN o END AS spelt FROM (
        SELECT *, {_NUMBER} AS n, {_INSTANT} AS m, {shape} AS shape FROM (
            SELECT * EXCLUDE text, text AS spelling, {text} AS text FROM (
                SELECT p, s, g, o, {_KIND} AS kind, {derived} AS derived, {_TEXT} AS text FROM (
                    SELECT ps.id AS p, ss.id AS s, raw.g, raw.v AS o, split_part(raw.v, '"', -1) AS suffix FROM raw
                    JOIN numbered ss ON raw.s = ss.h JOIN numbered ps ON raw.p = ps.h WHERE raw.v IS NOT NULL))))"""
