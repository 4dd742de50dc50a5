"""Open columns of a graph: they answer queries and follow edits."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.errors import OutputNotWritable, StoreError
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource, Term, Triple, resource_of_n_triples
from hpc_explorer.stores.base import NO_LIMITS, Limits, Row
from hpc_explorer.stores.columns.catalogue import Catalogue
from hpc_explorer.stores.columns.edited_tables import TABLES, EditedTables
from hpc_explorer.stores.columns.layout import DIGEST, LITERAL, QUOTED, VERSION, PredicateFacts
from hpc_explorer.stores.columns.literals import number_literal
from hpc_explorer.stores.columns.members import Memberships, memberships
from hpc_explorer.stores.columns.relation import Column, ColumnType, NotByColumns, text
from hpc_explorer.stores.columns.translation import SqlQuery, translate
from hpc_explorer.stores.columns.work import ColumnRows, Work, interrupted_by

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from hpc_explorer.stores.local.local import LocalStore

MEMORY = "2GB"
"""The memory limit of answering; beyond it, the engine uses the disk."""

_NAMED = "SELECT id, iri FROM term WHERE id IN (SELECT unnest(?))"

# Maximum number of statements of one predicate to follow for a path of any length.
_MOST_STEPS = 200_000

# This and smaller numbers are resources that only a query mentions.
_HIGHEST = 2**32 - 1

# Maximum number of cached resource names.
_FEW, _MANY = 100, 100_000


class Columns:
    """The columns of a graph.

    The file is never changed: edited subjects are kept in tables in memory that take precedence.
    """

    def __init__(self, file: Path) -> None:
        """Open a file of columns.

        Raises:
            StoreError: the file is missing, damaged or of another version; it must be rebuilt.
        """
        import duckdb

        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": MEMORY,
            "threads": max(1, min(4, os.cpu_count() or 1)),
            "disabled_optimizers": "join_order,build_side_probe_side",
        }
        try:
            self._database: DuckDBPyConnection | None = duckdb.connect(config=config)
            try:
                self._database.execute(f"ATTACH {text(str(file))} AS built (READ_ONLY)")
                self._database.execute("SET TimeZone = 'UTC'")
                ((version, self.triples),) = self._database.execute(
                    "SELECT version, triples FROM built.about"
                ).fetchall()
                if version != VERSION:
                    raise StoreError("columns of another version", str(file), "they are built anew")
                self._catalogue = Catalogue.read(self._database)
            except BaseException:
                self.close()
                raise
        except duckdb.Error as error:
            raise StoreError("the column file cannot be read", f"{file} ({error})", "they are built anew") from None
        self.file = file
        self._edits: EditedTables | None = None
        self._lock = threading.RLock()
        self._ids: dict[Resource, int | None] = {}
        self._counts: dict[tuple[int, int], int] = {}
        self._reaching: dict[tuple[NamedNode, Resource, bool], tuple[int, ...]] = {}
        self._memberships: Memberships | None = None
        self._selected: dict[str, frozenset[int]] = {}
        self._stand_ins: dict[Resource, int] = {}
        # A caller that asked for many names often continues with these.
        self._named_before: dict[Resource, int] = {}
        for table in (*TABLES, "lookup"):
            self._database.execute(f"CREATE VIEW {table} AS SELECT * FROM built.{table}")

    def close(self) -> None:
        """Close the file; the engine complains at exit about open references."""
        if self._database is not None:
            self._database.close()
            self._database = None

    # Statistics

    def predicate(self, predicate: NamedNode) -> PredicateFacts | None:
        """The statistics of a predicate; None if the graph does not use it."""
        return self._catalogue.predicates.get(predicate.value)

    def id_of(self, resource: Resource) -> int | None:
        """The number of a resource; None if the graph does not mention it."""
        if resource not in self._ids:
            self._ids.update(self.ids_of([resource]))
        return self._ids[resource]

    def number_for(self, resource: Resource) -> int:
        """The number of a resource, or a temporary one if the graph does not mention it."""
        number = self.id_of(resource)
        return self._stand_ins.setdefault(resource, _HIGHEST - len(self._stand_ins)) if number is None else number

    def kind_of(self, kind: str) -> int | None:
        """The number of a kind of literal; None if the graph has none."""
        return self._catalogue.kinds.get(kind)

    def ids_of(self, resources: Iterable[Resource]) -> dict[Resource, int | None]:
        """The numbers of resources; None for those that the graph does not mention."""
        found: dict[Resource, int | None] = {one: self._named_before.get(one) for one in resources}
        named = {str(resource): resource for resource, number in found.items() if number is None}
        if not named:
            return found
        with self._cursor() as cursor:
            places = cursor.execute(
                f"SELECT id FROM lookup WHERE h IN (SELECT {DIGEST.format('name')} FROM (SELECT unnest(?) AS name))",
                [list(named)],
            ).fetchall()
            rows = cursor.execute(_NAMED, [[number for (number,) in places]]).fetchall()
        for number, iri in rows:
            if iri in named:
                found[named[iri]] = number
        return found

    def resources(self, ids: Iterable[int]) -> dict[int, Resource]:
        """The resources with these numbers."""
        wanted = sorted(set(ids))
        if not wanted:
            return {}
        with self._cursor() as cursor:
            rows = cursor.execute(_NAMED, [wanted]).fetchall()
        found = {number: resource_of_n_triples(iri) for number, iri in rows}
        if _FEW < len(found) <= _MANY:
            self._named_before = {resource: number for number, resource in found.items()}
        if len(found) < len(wanted):
            found |= {number: resource for resource, number in self._stand_ins.items()}
        return found

    def count(self, facts: PredicateFacts, value: int) -> int:
        """The number of statements with this predicate and this resource as object."""
        known = self._counts.get((facts.id, value))
        if known is None:
            where = f"node WHERE {facts.column('o')} = ?" if facts.wide else f"link WHERE p = {facts.id} AND o = ?"
            with self._cursor() as cursor:
                ((known,),) = cursor.execute(f"SELECT count(*) FROM {where}", [value]).fetchall()
            self._counts[facts.id, value] = known
        return known

    def reaching(self, predicate: NamedNode, target: Resource, *, inverse: bool) -> tuple[int, ...]:
        """The numbers of all resources from which any number of steps of a predicate lead to a resource.

        Args:
            inverse: whether the steps go from objects to subjects.

        Raises:
            NotByColumns: there are too many such statements to follow.
        """
        key = (predicate, target, inverse)
        if key not in self._reaching:
            end = self.number_for(target)
            facts = self.predicate(predicate)
            if facts is None or not facts.links:
                self._reaching[key] = (end,)
            elif facts.links > _MOST_STEPS or QUOTED in facts.kinds:
                raise NotByColumns("a path of any length over many statements")
            else:
                start, to = ("o", "s") if inverse else ("s", "o")
                sql = (
                    f"WITH RECURSIVE step AS ({self.links_sql(facts)}), found(id) AS (SELECT CAST({end} AS UINTEGER) "
                    f"UNION SELECT step.{start} FROM step JOIN found ON step.{to} = found.id) SELECT id FROM found"
                )
                with self._cursor() as cursor:
                    self._reaching[key] = tuple(number for (number,) in cursor.execute(sql).fetchall())
        return self._reaching[key]

    def memberships(self, limits: Limits = NO_LIMITS) -> Memberships:
        """The sets of resources by predicate, as subjects and objects, and by class.

        Raises:
            NotByColumns: some objects are triples, which the columns do not store.
        """
        with self._lock:
            if self._memberships is None:
                if any(QUOTED in facts.kinds for facts in self.predicates):
                    raise NotByColumns("objects that are triples")
                with self.work(limits) as work:
                    self._memberships = memberships(work, self.predicates, self.predicate(RDF.type))
            return self._memberships

    @staticmethod
    def links_sql(facts: PredicateFacts) -> str:
        """The statements of a predicate that lead to resources, as SQL with the columns `s` and `o`."""
        if not facts.wide:
            return f"SELECT s, o FROM link WHERE p = {facts.id}"
        place = facts.column("o")
        return f"SELECT id AS s, {place} AS o FROM node WHERE {place} IS NOT NULL"

    @property
    def predicates(self) -> tuple[PredicateFacts, ...]:
        """The statistics of each predicate that the graph uses."""
        return tuple(self._catalogue.predicates.values())

    def literal(self, parts: Sequence[Any]) -> Literal:
        """The literal with these parts: number of its kind, text, number, moment."""
        return self._catalogue.literal(parts)

    # Answering

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> ColumnRows:
        """The solutions of a SELECT query over the merge of all graphs.

        Raises:
            NotByColumns: the columns cannot answer it for certain.
        """
        translated = translate(query, self)
        return self._rows(translated, self.sql(translated.sql, limits=limits))

    def explained(self, query: str, *, limits: Limits = NO_LIMITS) -> tuple[str, str]:
        """Translate a SELECT query to SQL with the engine's query plan.

        Raises:
            NotByColumns, Cancelled, DeadlineExceeded: as `select`.
        """
        statement = translate(query, self).sql
        return statement, "\n".join(row[-1] for row in self.sql(f"EXPLAIN {statement}", limits=limits))

    def sql(
        self, statement: str, parameters: Sequence[Any] = (), *, limits: Limits = NO_LIMITS
    ) -> list[tuple[Any, ...]]:
        """Run an SQL statement over the tables of `layout`.

        Raises:
            NotByColumns: the data cannot be answered exactly.
        """
        with self.work(limits) as work:
            return work.run(statement, parameters)

    def numbers(self, statement: str, *, limits: Limits = NO_LIMITS) -> frozenset[int]:
        """The numbers that a statement without parameters selects, cached until the next edit.

        Raises:
            NotByColumns, Cancelled, DeadlineExceeded: as `sql`.
        """
        with self._lock:
            if statement not in self._selected:
                self._selected[statement] = frozenset(number for (number,) in self.sql(statement, limits=limits))
            return self._selected[statement]

    @contextmanager
    def work(self, limits: Limits = NO_LIMITS) -> Iterator[Work]:
        """Temporary tables, dropped at the end of the block.

        Raises:
            NotByColumns, Cancelled, DeadlineExceeded: as `sql`.
        """
        import duckdb

        limits.check()
        with self._cursor() as cursor:
            try:
                with interrupted_by(cursor, limits):
                    yield Work(cursor)
            except duckdb.InterruptException:
                limits.check()
                raise
            except duckdb.Error as error:
                raise NotByColumns(str(error)) from None

    def _cursor(self) -> DuckDBPyConnection:
        return self._connection().cursor()

    def _connection(self) -> DuckDBPyConnection:
        if self._database is None:
            raise StoreError("the columns were closed", str(self.file), "open the workspace again")
        return self._database

    def _rows(self, query: SqlQuery, rows: list[tuple[Any, ...]]) -> ColumnRows:
        places: list[tuple[str, Column, int]] = []
        place = 0
        for name, column in query.variables:
            places.append((name, column, place))
            place += len(column.parts)
        of_resources = [place for _, column, place in places if column.kind is ColumnType.RESOURCE]
        resources = self.resources(row[place] for row in rows for place in of_resources if row[place] is not None)
        literals: dict[tuple[Any, ...], Literal] = {}

        def term(row: tuple[Any, ...], column: Column, place: int) -> Term | None:
            if row[place] is None:
                return None
            if column.kind is ColumnType.RESOURCE:
                return resources[row[place]]
            if column.kind is ColumnType.NUMBER:
                return number_literal(row[place], column.datatypes[0], column.scale)
            parts = row[place : place + len(LITERAL)]
            if parts not in literals:
                literals[parts] = self._catalogue.literal(parts)
            return literals[parts]

        found: list[Row] = []
        for row in rows:
            terms = ((name, term(row, column, place)) for name, column, place in places)
            found.append({name: value for name, value in terms if value is not None})
        return ColumnRows(tuple(name for name, _ in query.variables), found)

    # Edits

    def change(self, store: LocalStore, triples: Iterable[Triple]) -> None:
        """Apply an edit: reload the statements of the subjects of these triples from the edited store."""
        subjects = {triple.subject for triple in triples if isinstance(triple.subject, (NamedNode, BlankNode))}
        if not subjects:
            return
        with self._lock:
            if self._edits is None:
                self._edits = EditedTables(self._connection(), self._catalogue)
            facts = {subject: store.stored_triples_of(subject) for subject in subjects}
            self._ids.clear()
            self._counts.clear()
            self._reaching.clear()
            self._selected.clear()
            self._memberships = None
            self._edits.write(facts, self._numbered(facts))

    def _numbered(self, facts: Mapping[Resource, Collection[Triple]]) -> dict[Resource, int]:
        """The numbers of all resources mentioned; new resources get new ones."""
        assert self._edits is not None
        spoken: dict[Resource, None] = dict.fromkeys(facts)
        for said in facts.values():
            for triple in said:
                spoken[triple.predicate] = None
                if isinstance(triple.object, (NamedNode, BlankNode)):
                    spoken[triple.object] = None
        known = self.ids_of(spoken)
        known |= self._edits.added(resource for resource in spoken if known[resource] is None)
        return {resource: number for resource, number in known.items() if number is not None}

    def copy_to(self, file: Path) -> bool:
        """Write the current columns, with edits, to a new file.

        Returns:
            False if the file's tables cannot represent them and no file was written; they must be rebuilt.

        Raises:
            OutputNotWritable: the file cannot be written.
        """
        import duckdb

        with self._lock:
            if any(facts.wide and QUOTED in facts.kinds for facts in self.predicates):
                return False
            making = file.with_name(f"{file.name}.new")
            try:
                shutil.copyfile(self.file, making)
                if self._edits is not None:
                    self._edits.write_to(making)
                making.replace(file)
            except (OSError, duckdb.Error) as error:
                making.unlink(missing_ok=True)
                raise OutputNotWritable("the column file cannot be written", f"{file} ({error})", "") from None
        return True


def open_columns(file: Path) -> Columns | None:
    """The columns in a file; None if the file is missing or unusable."""
    if not file.exists():
        return None
    try:
        return Columns(file)
    except StoreError:
        return None
