"""Build the columns of a graph: the tables of `layout`, from its facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.columns.facts import Facts
from hpc_explorer.stores.columns.layout import DIGEST, LITERAL, VERSION
from hpc_explorer.stores.columns.raw_triples import TRIPLES
from hpc_explorer.stores.columns.relation import DATE_TIME, DECIMAL, DOUBLE, INTEGER
from hpc_explorer.stores.columns.work import interrupted_by

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from hpc_explorer.stores.local.local import LocalStore

WORTH_FROM = 100_000
"""The smallest number of triples for which columns are built."""

MOST_WIDE = 64
"""The maximum number of predicates with their own columns."""

# The usual length of a triple as text, in bytes.
_TEXT = 140

# Predicates that at least this share of all resources have get a column.
_WIDE_FROM = 0.001

_NUMERIC = ", ".join(f"'{datatype}'" for datatype in (INTEGER, DECIMAL, DOUBLE, XSD.float.value))

_NEEDED_TEXT = f"""CASE
    WHEN n IS NOT NULL AND kind IN ('{DOUBLE}', '{INTEGER}') THEN NULL
    WHEN m IS NOT NULL AND text[-1] = 'Z' THEN NULL
    ELSE text END"""

Report = Callable[[str], None]


def build_columns(
    store: LocalStore,
    file: Path,
    *,
    facts: Facts | None = None,
    n_triples: Path | None = None,
    report: Report = lambda step: None,
    limits: Limits = NO_LIMITS,
) -> None:
    """Build the columns of a store in a new file, each triple once.

    Args:
        facts: the facts of the file that the store was loaded from, if it was read before; they become the file.
        n_triples: an N-Triples file with the same triples, if there is one; reading it is faster.
        report: called with the current step.

    Raises:
        OutputNotWritable: the disk is full, or the file cannot be written.
        Cancelled, DeadlineExceeded: by `limits`; no file is left.
    """
    with facts_named(file, limits):
        made = Facts(file, _TEXT * store.size().value) if facts is None else facts
        try:
            with interrupted_by(made.database, limits):
                if facts is None or not _are_those_of(facts, store):
                    report("reading the facts")
                    document = None if n_triples is None else Document.of_file(n_triples)
                    if (
                        document is None
                        or not made.read_lines(document.open_utf8, TRIPLES, limits=limits)
                        or not _are_those_of(made, store)
                    ):
                        made.read_store(store, limits)
                report("building the facts by column")
                made.ask_again(limits)
                _build_tables(made.database, limits)
            made.keep()
        finally:
            made.close()


def _are_those_of(facts: Facts, store: LocalStore) -> bool:
    """Whether facts of a file are those of the store: no triple twice in any spelling, and no blank nodes."""
    return (
        facts.statements == store.number_stored()
        and not store.keeps_merge
        and not facts.has_blank_nodes
        and facts.has_few_to_ask
    )


@contextmanager
def facts_named(file: Path, limits: Limits) -> Iterator[None]:
    """Turn errors of the column engine into named errors.

    Args:
        file: the file that is made.
    """
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        limits.check("building the facts by column")
        raise
    except (duckdb.IOException, duckdb.OutOfMemoryException, OSError) as error:
        raise OutputNotWritable("the column file cannot be written", f"{file} ({error})", "free some space") from None


_STEPS = (
    "CREATE TABLE term AS SELECT id, iri FROM numbered ORDER BY id",
    f"CREATE TABLE lookup AS SELECT {DIGEST.format('iri')} AS h, id FROM term ORDER BY h",
    "DROP TABLE numbered",
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
    """Make the tables of `layout` from the facts."""
    database.execute("DROP TABLE raw")
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
