"""Edited subjects, in tables in memory that take precedence over the file, which is never changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource, Triple
from hpc_explorer.stores.columns.catalogue import Catalogue
from hpc_explorer.stores.columns.layout import DIGEST, LITERAL
from hpc_explorer.stores.columns.literals import parts_of
from hpc_explorer.stores.columns.relation import text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TABLES = ("term", "node", "link", "value")
"""The tables that an edit writes to, in addition to those of the file."""

_PLACES = (("node", "id"), ("link", "s"), ("value", "s"))
"""The columns of the subject in these tables."""


class EditedTables:
    """Tables of edited subjects. Once created, the views of a connection prefer them to the file's."""

    def __init__(self, connection: DuckDBPyConnection, catalogue: Catalogue) -> None:
        self._connection, self._catalogue = connection, catalogue
        run = connection.execute
        run("CREATE TABLE edited_subject (id UINTEGER PRIMARY KEY)")
        for table in TABLES:
            run(f"CREATE TABLE edited_{table} AS SELECT * FROM built.{table} LIMIT 0")
        run("CREATE OR REPLACE VIEW term AS SELECT * FROM built.term UNION ALL SELECT * FROM edited_term")
        run(
            "CREATE OR REPLACE VIEW lookup AS SELECT * FROM built.lookup "
            f"UNION ALL SELECT {DIGEST.format('iri')}, id FROM edited_term"
        )
        for table, place in _PLACES:
            run(
                f"""CREATE OR REPLACE VIEW {table} AS SELECT * FROM built.{table}
                WHERE {place} NOT IN (FROM edited_subject) UNION ALL SELECT * FROM edited_{table}"""
            )

    def added(self, resources: Iterable[Resource]) -> dict[Resource, int]:
        """Assign numbers to new resources."""
        new = list(resources)
        if not new:
            return {}
        ((highest,),) = self._connection.execute("SELECT coalesce(max(id), 0) FROM term").fetchall()
        numbers = {resource: number for number, resource in enumerate(new, highest + 1)}
        for resource, number in numbers.items():
            self._connection.execute("INSERT INTO edited_term VALUES (?, ?)", [number, str(resource)])
            # Every mentioned resource has a row; a new resource has it here.
            self._connection.execute("INSERT INTO edited_node (id) VALUES (?)", [number])
        return numbers

    def write(self, facts: Mapping[Resource, Collection[Triple]], ids: Mapping[Resource, int]) -> None:
        """Replace all statements of some subjects by these triples.

        Args:
            ids: the number of each resource in them.
        """
        numbers = [ids[subject] for subject in facts]
        for table, place in _PLACES:
            self._connection.execute(f"DELETE FROM edited_{table} WHERE {place} IN (SELECT unnest(?))", [numbers])
        self._connection.execute("INSERT OR IGNORE INTO edited_subject SELECT unnest(?)", [numbers])
        for subject, said in facts.items():
            self._write(ids[subject], said, ids)

    def _write(self, subject: int, said: Iterable[Triple], ids: Mapping[Resource, int]) -> None:
        row: dict[str, Any] = {"id": subject}
        for triple in said:
            facts = self._catalogue.with_triple(triple, ids[triple.predicate])
            resource = isinstance(triple.object, (NamedNode, BlankNode))
            if isinstance(triple.object, Literal):
                parts = parts_of(triple.object)
                told: list[Any] = [self._catalogue.number_of_kind(parts.kind), parts.t, parts.n, parts.m]
            elif resource:
                told = [ids[triple.object]]  # type: ignore[index]  # a resource, as checked above
            else:
                continue
            columns = [facts.column(part) for part in (("o",) if resource else LITERAL)]
            if columns[0] in self._catalogue.of_node and columns[0] not in row:
                row.update(zip(columns, told, strict=True))
            elif facts.wide:
                self._catalogue.distrust(facts)
            else:
                table = "link" if resource else "value"
                marks = ", ".join("?" * (2 + len(told)))
                self._connection.execute(f"INSERT INTO edited_{table} VALUES ({marks})", [facts.id, subject, *told])
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        self._connection.execute(f"INSERT INTO edited_node ({names}) VALUES ({marks})", list(row.values()))

    def write_to(self, file: Path) -> None:
        """Write them into a copy of the file, replacing the statements of the same subjects."""
        run = self._connection.execute
        run(f"ATTACH {text(str(file))} AS saved")
        try:
            for table, place in _PLACES:
                run(f"DELETE FROM saved.{table} WHERE {place} IN (FROM edited_subject)")
                run(f"DELETE FROM saved.{table} WHERE {place} IN (SELECT id FROM edited_term)")
            for table in TABLES:
                run(f"INSERT INTO saved.{table} SELECT * FROM edited_{table}")
            run(f"INSERT INTO saved.lookup SELECT {DIGEST.format('iri')}, id FROM edited_term")
            self._catalogue.write(self._connection)
        finally:
            run("DETACH saved")
