"""Build the columns of a graph: the tables of `layout`, from its triples."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.rdf.datatypes import DERIVED_INTEGERS
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.syntax.files import remove_folder
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.columns.layout import DIGEST, LITERAL, QUOTED, VERSION
from hpc_explorer.stores.columns.literals import DECIMAL_TEXT, DOUBLE_TEXT, INTEGER_TEXT, MOMENT, MOST_DIGITS, parts_of
from hpc_explorer.stores.columns.raw_triples import read_n_triples, read_store
from hpc_explorer.stores.columns.relation import DATE_TIME, DECIMAL, DOUBLE, INTEGER, STRING
from hpc_explorer.stores.columns.work import interrupted_by
from hpc_explorer.stores.local.spellings import stored_form

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from hpc_explorer.stores.local.local import LocalStore

MEMORY = "2GB"
"""The memory limit of building and answering; beyond it, the engine uses the disk."""

WORTH_FROM = 100_000
"""The smallest number of triples for which columns are built."""

MOST_WIDE = 64
"""The maximum number of predicates with their own columns."""

# Predicates that at least this share of all resources have get a column.
_WIDE_FROM = 0.001

_WHOLE = sorted(datatype.value for datatype in DERIVED_INTEGERS)

_NUMERIC = ", ".join(f"'{datatype}'" for datatype in (INTEGER, DECIMAL, DOUBLE, XSD.float.value))

Report = Callable[[str], None]


def build_columns(
    store: LocalStore,
    file: Path,
    *,
    n_triples: Path | None = None,
    report: Report = lambda step: None,
    limits: Limits = NO_LIMITS,
) -> None:
    """Build the columns of a store in a new file, each triple once.

    Args:
        n_triples: an N-Triples file with the same triples, if there is one; reading it is faster.
        report: called with the current step.

    Raises:
        OutputNotWritable: the disk is full, or the file cannot be written.
        Cancelled, DeadlineExceeded: by `limits`; no file is left.
    """
    import duckdb

    try:
        with _new_database(file) as database, interrupted_by(database, limits):
            report("reading the facts")
            # Lines that repeat a triple, in any spelling, exceed the store's count.
            if (
                n_triples is None
                or not read_n_triples(database, n_triples)
                or database.execute("SELECT count(*) FROM raw").fetchall()[0][0] != store.number_stored()
                or not _parse(database, limits, spelled=True)
            ):
                database.execute("DROP TABLE IF EXISTS raw")
                database.execute("DROP TABLE IF EXISTS literals")
                read_store(database, store, limits)
                _parse(database, limits, spelled=False)
            report("building the facts by column")
            _build_tables(database, limits)
    except duckdb.InterruptException:
        limits.check("building the facts by column")
        raise
    except (duckdb.IOException, duckdb.OutOfMemoryException, OSError) as error:
        raise OutputNotWritable("the column file cannot be written", f"{file} ({error})", "free some space") from None


@contextmanager
def _new_database(file: Path) -> Iterator[DuckDBPyConnection]:
    """Create a database file; it is removed if the block raises."""
    import duckdb

    making = file.with_name(f"{file.name}.new")
    scratch = Path(tempfile.mkdtemp(prefix="columns-", dir=file.parent))
    try:
        with suppress(FileNotFoundError):
            making.unlink()
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": MEMORY,
            "temp_directory": str(scratch),
            "threads": max(1, min(4, os.cpu_count() or 1)),
            "preserve_insertion_order": False,
        }
        database = duckdb.connect(str(making), config=config)
        try:
            yield database
        finally:
            database.close()
        making.replace(file)
    finally:
        remove_folder(scratch)
        for left in (making, making.with_name(f"{making.name}.wal")):
            with suppress(OSError):
                left.unlink()


# Literals

_IS_RESOURCE = "(o[1] = '<' AND o[2] <> '<' OR o[1] = '_')"

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

_NEEDED_TEXT = f"""CASE
    WHEN n IS NOT NULL AND kind IN ('{DOUBLE}', '{INTEGER}') THEN NULL
    WHEN m IS NOT NULL AND text[-1] = 'Z' THEN NULL
    ELSE text END"""

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

# U+0001 replaces a backslash while a text is unescaped, so the engine parses texts that contain both.
_AMBIGUOUS = r"contains(o, chr(1)) AND contains(o, '\')"

MOST_RESPELLED = 100_000
"""The number of literals that the triple store parses at a time."""


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


def _literals(*, spelled: bool) -> str:
    """The SELECT that makes literals of the table `raw`; `again` holds those that the triple store must parse.

    Args:
        spelled: literals are spelled as in a file, not as in the triple store.
    """
    text, respelled = (_SHORTENED, f"({_RESPELLED}) OR") if spelled else ("text", "")
    return f"""SELECT p, s, kind, text, n, m, CASE WHEN {respelled} ({_AMBIGUOUS}) THEN o END AS again FROM (
        SELECT *, {_NUMBER} AS n, {_INSTANT} AS m FROM (
            SELECT * EXCLUDE text, {text} AS text FROM (
                SELECT p, s, o, {_KIND} AS kind, {_TEXT} AS text FROM (
                    SELECT ps.id AS p, ss.id AS s, raw.o, split_part(raw.o, '"', -1) AS suffix FROM raw
                    JOIN term ss ON raw.s = ss.iri JOIN term ps ON raw.p = ps.iri WHERE NOT {_IS_RESOURCE}))))"""


def _parse(database: DuckDBPyConnection, limits: Limits, *, spelled: bool) -> bool:
    """Make the tables `term`, `lookup`, `links` and `literals` from the table `raw`, and drop it.

    Returns:
        False if the engine would have to parse too many literals; the tables are dropped then.
    """
    for step in _TERMS:
        limits.check("building the facts by column")
        database.execute(step)
    database.execute(f"CREATE TEMP TABLE literals AS {_literals(spelled=spelled)}")
    limits.check("building the facts by column")
    again = database.execute(
        f"SELECT DISTINCT again FROM literals WHERE again IS NOT NULL LIMIT {MOST_RESPELLED + 1}"
    ).fetchall()
    if spelled and len(again) > MOST_RESPELLED:
        for table in ("term", "lookup", "links", "literals"):
            database.execute(f"DROP TABLE {table}")
        return False
    database.execute("DROP TABLE raw")
    for number in range(0, len(again), MOST_RESPELLED):
        limits.check("building the facts by column")
        _ask_again(database, [o for (o,) in again[number : number + MOST_RESPELLED]])
    database.execute("ALTER TABLE literals DROP again")
    return True


def _ask_again(database: DuckDBPyConnection, spelled: Sequence[str]) -> None:
    """Replace literals by the triple store's form of them."""
    from pyoxigraph import RdfFormat, parse

    lines = "".join(f"<x:s> <x:p> {o} .\n" for o in spelled)
    literals = [triple.object for triple in parse(lines, format=RdfFormat.N_TRIPLES)]
    found = [(parts_of(one), stored_form(one).value) for one in literals if isinstance(one, Literal)]
    columns = (
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


_TERMS = (
    f"""CREATE TABLE term AS SELECT CAST(row_number() OVER (ORDER BY class NULLS FIRST, iri) AS UINTEGER) AS id, iri
        FROM (SELECT s AS iri FROM raw UNION SELECT p FROM raw UNION SELECT o FROM raw WHERE {_IS_RESOURCE})
        LEFT JOIN (SELECT s, min(o) AS class FROM raw WHERE p = '<{RDF.type.value}>' GROUP BY s) ON iri = s
        ORDER BY id""",
    f"CREATE TABLE lookup AS SELECT {DIGEST.format('iri')} AS h, id FROM term ORDER BY h",
    f"""CREATE TEMP TABLE links AS SELECT ps.id AS p, ss.id AS s, os.id AS o FROM raw
        JOIN term ss ON raw.s = ss.iri JOIN term ps ON raw.p = ps.iri JOIN term os ON raw.o = os.iri
        WHERE {_IS_RESOURCE}""",
)

_STEPS = (
    """CREATE TABLE kind AS SELECT CAST(row_number() OVER (ORDER BY kind) AS USMALLINT) AS d, kind AS datatype
        FROM (SELECT DISTINCT kind FROM literals)""",
    f"""CREATE TABLE predicate AS SELECT id, iri[2:-2] AS iri, links, "values", subjects, objects, kinds, exact, clock,
            scale, subjects = links + "values" AND (links = 0 OR "values" = 0)
            AND subjects >= {_WIDE_FROM} * (SELECT count(*) FROM term) AS wide FROM (
        SELECT coalesce(l.p, v.p) AS id, coalesce(links, 0) AS links, coalesce("values", 0) AS "values",
            greatest(coalesce(l.subjects, 0), coalesce(v.subjects, 0)) AS subjects, coalesce(objects, 0) AS objects,
            coalesce(kinds, []) AS kinds, coalesce(exact, true) AS exact, coalesce(clock, 'none') AS clock,
            coalesce(scale, 0) AS scale
        FROM (SELECT p, count(*) AS links, count(DISTINCT s) AS subjects, count(DISTINCT o) AS objects FROM links
              GROUP BY p) l
        FULL JOIN (SELECT p, count(*) AS "values", count(DISTINCT s) AS subjects,
                list_sort(list(DISTINCT kind)) AS kinds,
                bool_and(CASE WHEN kind IN ({_NUMERIC}) THEN n IS NOT NULL
                    WHEN kind = '{DATE_TIME}' THEN m IS NOT NULL ELSE true END) AS exact,
                CASE WHEN coalesce(bool_and(text[-1] = 'Z') FILTER (kind = '{DATE_TIME}'), false) THEN 'Z'
                    WHEN bool_or(regexp_matches(text, '(Z|[+-]\\d\\d:\\d\\d)$')) FILTER (kind = '{DATE_TIME}')
                    THEN 'mixed' ELSE 'none' END AS clock,
                max(length(split_part(text, '.', 2))) FILTER (kind = '{DECIMAL}' AND n IS NOT NULL) AS scale
              FROM literals GROUP BY p) v ON l.p = v.p
        ) JOIN term USING (id) ORDER BY id""",
    f"""CREATE TEMP TABLE parsed AS SELECT p, s, d, {_NEEDED_TEXT} AS t, n, m
        FROM literals JOIN kind ON kind = datatype""",
    "DROP TABLE literals",
)


def _build_tables(database: DuckDBPyConnection, limits: Limits) -> None:
    """Make the tables of `layout` from the table `raw`."""
    database.execute("SET TimeZone = 'UTC'")
    triples = database.execute("SELECT (SELECT count(*) FROM links) + (SELECT count(*) FROM literals)").fetchall()[0][0]
    for step in _STEPS:
        limits.check("building the facts by column")
        database.execute(step)
    ids, of_links, of_values = [], [], []
    for number, links in database.execute(
        f"SELECT id, links FROM predicate WHERE wide ORDER BY subjects DESC LIMIT {MOST_WIDE}"
    ).fetchall():
        ids.append(number)
        if links:
            of_links.append(f"max(o) FILTER (p = {number}) AS o{number}")
        else:
            of_values += [f"max({part}) FILTER (p = {number}) AS {part}{number}" for part in LITERAL]
    wide = ", ".join(map(str, ids)) or "NULL"
    database.execute(
        f"UPDATE predicate SET wide = false WHERE wide AND id NOT IN ({wide})"
        if ids
        else "UPDATE predicate SET wide = false"
    )
    limits.check("building the facts by column")
    database.execute(
        f"""CREATE TABLE node AS SELECT id, * EXCLUDE (id, s) FROM (SELECT id FROM term)
        LEFT JOIN (SELECT {", ".join(["s", *of_links])} FROM links WHERE p IN ({wide}) GROUP BY s) l ON l.s = id
        LEFT JOIN (SELECT {", ".join(["s", *of_values])} FROM parsed WHERE p IN ({wide}) GROUP BY s) v ON v.s = id
        ORDER BY id"""
    )
    limits.check("building the facts by column")
    rest = f"WHERE p NOT IN ({wide})" if ids else ""
    database.execute(f"CREATE TABLE link AS SELECT p, s, o FROM links {rest} ORDER BY p, o, s")
    database.execute(f"CREATE TABLE value AS SELECT p, s, d, t, n, m FROM parsed {rest} ORDER BY p, s")
    database.execute("CREATE TABLE about AS SELECT ? AS version, ? AS triples", [VERSION, triples])
    database.execute("DROP TABLE links")
    database.execute("DROP TABLE parsed")
    database.execute("CHECKPOINT")
