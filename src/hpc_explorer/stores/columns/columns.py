"""The columns of a graph, open: they answer queries, and follow the edits of their graph."""

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
from hpc_explorer.stores.columns.building import MEMORY
from hpc_explorer.stores.columns.catalogue import Catalogue
from hpc_explorer.stores.columns.edited_tables import TABLES, EditedTables
from hpc_explorer.stores.columns.interruption import interrupted_by
from hpc_explorer.stores.columns.layout import DIGEST, LITERAL, QUOTED, VERSION, PredicateFacts
from hpc_explorer.stores.columns.literals import number_literal
from hpc_explorer.stores.columns.members import Memberships, memberships
from hpc_explorer.stores.columns.relation import Column, ColumnType, NotByColumns, text
from hpc_explorer.stores.columns.translation import SqlQuery, translate
from hpc_explorer.stores.columns.work import ColumnRows, Work
from hpc_explorer.stores.local.local import LocalStore

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_NAMED = "SELECT id, iri FROM term WHERE id IN (SELECT unnest(?))"

# Through so many statements of one predicate a path of any length is followed.
_MOST_STEPS = 200_000

# From here down numbers stand for resources that only a query speaks of.
_HIGHEST = 2**32 - 1

# The names of so many resources are kept until others are asked for.
_FEW, _MANY = 100, 100_000


class Columns:
    """The columns of a graph.

    What the file says is never changed: what edits make of a subject lies in tables in memory, which stand before it.
    """

    def __init__(self, file: Path) -> None:
        """Open a file of columns.

        Raises:
            StoreError: there is none, or it is of another version or damaged; it is to be built anew then.
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
                    raise StoreError("facts by column of another version", str(file), "they are built anew")
                self._catalogue = Catalogue.read(self._database)
            except BaseException:
                self.close()
                raise
        except duckdb.Error as error:
            raise StoreError("the facts by column cannot be read", f"{file} ({error})", "they are built anew") from None
        self.file = file
        self._edits: EditedTables | None = None
        self._lock = threading.RLock()
        self._ids: dict[Resource, int | None] = {}
        self._counts: dict[tuple[int, int], int] = {}
        self._reaching: dict[tuple[NamedNode, Resource, bool], tuple[int, ...]] = {}
        self._memberships: Memberships | None = None
        self._selected: dict[str, frozenset[int]] = {}
        self._stand_ins: dict[Resource, int] = {}
        # Whoever asked for the names of many often goes on with these.
        self._named_before: dict[Resource, int] = {}
        for table in (*TABLES, "lookup"):
            self._database.execute(f"CREATE VIEW {table} AS SELECT * FROM built.{table}")

    def close(self) -> None:
        """Give the file back; the engine complains at the end of the program of what anybody still has of it."""
        if self._database is not None:
            self._database.close()
            self._database = None

    # What is known

    def predicate(self, predicate: NamedNode) -> PredicateFacts | None:
        """What is known of a predicate; None where the graph does not use it."""
        return self._catalogue.predicates.get(predicate.value)

    def id_of(self, resource: Resource) -> int | None:
        """The number of a resource; None where the graph does not speak of it."""
        if resource not in self._ids:
            self._ids.update(self.ids_of([resource]))
        return self._ids[resource]

    def number_for(self, resource: Resource) -> int:
        """The number of a resource, or one that stands for it where the graph does not speak of it."""
        number = self.id_of(resource)
        return self._stand_ins.setdefault(resource, _HIGHEST - len(self._stand_ins)) if number is None else number

    def kind_of(self, kind: str) -> int | None:
        """The number of a kind of literal; None where there is none such."""
        return self._catalogue.kinds.get(kind)

    def ids_of(self, resources: Iterable[Resource]) -> dict[Resource, int | None]:
        """The numbers of resources; None for what the graph does not speak of."""
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
        """How many statements have this predicate and this resource as object."""
        known = self._counts.get((facts.id, value))
        if known is None:
            where = f"node WHERE {facts.column('o')} = ?" if facts.wide else f"link WHERE p = {facts.id} AND o = ?"
            with self._cursor() as cursor:
                ((known,),) = cursor.execute(f"SELECT count(*) FROM {where}", [value]).fetchall()
            self._counts[facts.id, value] = known
        return known

    def reaching(self, predicate: NamedNode, target: Resource, *, inverse: bool) -> tuple[int, ...]:
        """The numbers of all from which steps of a predicate, or none, lead to a resource.

        Args:
            inverse: the steps go from objects to subjects.

        Raises:
            NotByColumns: there are too many such statements to go through them all.
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
        """Which resources have each predicate, are led to by it, and are of each class.

        Raises:
            NotByColumns: some objects are triples, of which the columns do not tell.
            Cancelled, DeadlineExceeded: by `limits`.
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
        """What is known of each predicate that the graph uses."""
        return tuple(self._catalogue.predicates.values())

    def literal(self, parts: Sequence[Any]) -> Literal:
        """The literal with these parts: the number of its kind, text, number, moment."""
        return self._catalogue.literal(parts)

    # Answering

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> ColumnRows:
        """The solutions of a SELECT query over the merge of all graphs.

        Raises:
            NotByColumns: the columns cannot answer it for certain.
            Cancelled, DeadlineExceeded: by `limits`.
        """
        translated = translate(query, self)
        return self._rows(translated, self.sql(translated.sql, limits=limits))

    def explained(self, query: str, *, limits: Limits = NO_LIMITS) -> tuple[str, str]:
        """A SELECT query as SQL, and how the engine goes about it.

        Raises:
            NotByColumns, Cancelled, DeadlineExceeded: as `select`.
        """
        statement = translate(query, self).sql
        return statement, "\n".join(row[-1] for row in self.sql(f"EXPLAIN {statement}", limits=limits))

    def sql(
        self, statement: str, parameters: Sequence[Any] = (), *, limits: Limits = NO_LIMITS
    ) -> list[tuple[Any, ...]]:
        """The rows of a statement in the columns' own language, over the tables of `layout`.

        Raises:
            NotByColumns: it found in the data what cannot be answered for certain.
            Cancelled, DeadlineExceeded: by `limits`.
        """
        with self.work(limits) as work:
            return work.run(statement, parameters)

    def numbers(self, statement: str, *, limits: Limits = NO_LIMITS) -> frozenset[int]:
        """The numbers that a statement without parameters selects, kept until the next edit.

        Raises:
            NotByColumns, Cancelled, DeadlineExceeded: as `sql`.
        """
        with self._lock:
            if statement not in self._selected:
                self._selected[statement] = frozenset(number for (number,) in self.sql(statement, limits=limits))
            return self._selected[statement]

    @contextmanager
    def work(self, limits: Limits = NO_LIMITS) -> Iterator[Work]:
        """Tables of one's own for a while, made of the columns and gone when the block ends.

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
            raise StoreError("the facts by column were closed", str(self.file), "open the workspace again")
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
        """Follow an edit: what is said of the subjects of these triples is read anew from the store, after the edit."""
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
        """The numbers of all that is spoken of, new ones for what is new."""
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
        """Write the columns as they are now to a new file, edits among them.

        Returns:
            False if that cannot be told in the file's tables, so that there is none: it is to be built anew.

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
                raise OutputNotWritable("the facts by column cannot be written", f"{file} ({error})", "") from None
        return True


def open_columns(file: Path) -> Columns | None:
    """The columns in a file; None if there are none that can be used."""
    if not file.exists():
        return None
    try:
        return Columns(file)
    except StoreError:
        return None
