"""Join the premises of a specialised rule over relations, in pieces, so that memory is bounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from hpc_explorer.ontology.reasoning.facts import Facts, Key
from hpc_explorer.ontology.reasoning.relations import (
    LITERALS,
    Rows,
    among,
    matches,
    objects_of,
    paired,
    subjects_of,
)
from hpc_explorer.ontology.rules import Rule
from hpc_explorer.rdf.terms import Variable
from hpc_explorer.stores.base import Limits

_PIECE = 1 << 18
"""How many statements are joined at once."""


class Atom(NamedTuple):
    """A premise in numbers; variables are negative.

    Args:
        key: the class whose members, or the predicate whose statements it is about.
        object: the class, for members.
    """

    key: Key
    subject: int
    object: int


class Special(NamedTuple):
    """A rule specialised by definitions.

    Args:
        rule: written out for the members of its list, if it has one.
        atoms: the premises that are to be joined.
        conclusions: subject, predicate and object.
        variables: the variable of -1, of -2 and so on.
        values: what the definitions say of variables.
        binds_equals: whether it concludes that terms are equal.
    """

    rule: Rule
    atoms: tuple[Atom, ...]
    conclusions: tuple[tuple[int, int, int], ...]
    variables: tuple[Variable, ...]
    values: dict[int, int]
    binds_equals: bool


class Table:
    """Solutions of joined premises: a column of numbers for each variable."""

    def __init__(self, size: int, columns: dict[int, Rows]) -> None:
        self.size = size
        self.columns = columns

    def at(self, places: Rows) -> Table:
        """The rows at some places, in that order."""
        return Table(places.size, {name: column[places] for name, column in self.columns.items()})


class Joiner:
    """Joins premises over facts."""

    def __init__(self, facts: Facts, limits: Limits) -> None:
        self._facts = facts
        self._limits = limits

    def solutions(self, special: Special, delta: tuple[int, Rows] | None = None) -> Iterator[Table]:
        """The solutions of a rule's premises.

        Args:
            delta: the place of a premise, and the statements that it is to be matched with; None: all known ones.
        """
        if not special.atoms:
            yield Table(1, {})
            return
        if delta is None:
            sizes = [self._size(atom) for atom in special.atoms]
            if 0 in sizes:
                return
            place = sizes.index(min(sizes))
            delta = place, self._facts.rows(self._key(special.atoms[place]))
        place, rows = delta
        others = [atom for number, atom in enumerate(special.atoms) if number != place]
        # In a group of terms that are concluded to be equal, one is joined with all, or all with one.
        has_twin = special.binds_equals and any(one.key == special.atoms[place].key for one in others)
        if has_twin:
            rows = self._one_of_each_group(special, special.atoms[place], rows)
        for start in range(0, rows.size, _PIECE):
            self._limits.check("inferring")
            table = self._started(special.atoms[place], rows[start : start + _PIECE])
            rest = list(others)
            while rest and table.size:
                # The premise with the most ends known comes next, and of those the smallest.
                atom = max(rest, key=lambda one: (self._bound(one, table), -self._size(one)))
                rest.remove(atom)
                first_only = not rest and not has_twin and self._needs_one(special, atom, table)
                table = self._joined(table, atom, first_only)
            if table.size:
                yield table

    def column(self, table: Table, slot: int) -> Rows:
        """The values of a variable, or of a constant."""
        if slot >= 0:
            return np.full(table.size, self._facts.canonical(slot), dtype=np.int64)
        return table.columns[slot]

    def _key(self, atom: Atom) -> Key:
        return atom.key[0], self._facts.canonical(atom.key[1])

    def _size(self, atom: Atom) -> int:
        return LITERALS if self._facts.is_datatype(atom.key) else int(self._facts.rows(self._key(atom)).size)

    def _bound(self, atom: Atom, table: Table) -> int:
        return sum(end >= 0 or end in table.columns for end in (atom.subject, atom.object))

    def _needs_one(self, special: Special, atom: Atom, table: Table) -> bool:
        """Whether one match for each row is enough, as the others are concluded to equal it."""
        if not special.binds_equals or atom.key[0]:
            return False
        free = [end for end in (atom.subject, atom.object) if end < 0 and end not in table.columns]
        return len(free) == 1 and self._uses(special, free[0]) == 1

    def _one_of_each_group(self, special: Special, atom: Atom, rows: Rows) -> Rows:
        """One statement for each value of the end that other premises share, if they do not ask for the other end."""
        alone = [end for end in (atom.subject, atom.object) if end < 0 and self._uses(special, end) == 1]
        if len(alone) != 1 or atom.key[0]:
            return rows
        shared = objects_of(rows) if alone[0] == atom.subject else subjects_of(rows)
        _, places = np.unique(shared, return_index=True)
        return rows[places]

    def _uses(self, special: Special, slot: int) -> int:
        return sum(slot in (other.subject, other.object) for other in special.atoms)

    def _started(self, atom: Atom, rows: Rows) -> Table:
        if atom.key[0]:
            return self._filtered(Table(rows.size, {}), ((atom.subject, rows),))
        return self._filtered(
            Table(rows.size, {}), ((atom.subject, subjects_of(rows)), (atom.object, objects_of(rows)))
        )

    def _filtered(self, table: Table, ends: Iterable[tuple[int, Rows]]) -> Table:
        """The table with further columns, where they agree with constants and with the columns it has."""
        keep = np.ones(table.size, dtype=np.bool_)
        columns = dict(table.columns)
        for slot, values in ends:
            if slot >= 0:
                keep &= values == self._facts.canonical(slot)
            elif slot in columns:
                keep &= values == columns[slot]
            else:
                columns[slot] = values
        found = Table(table.size, columns)
        return found if keep.all() else found.at(np.flatnonzero(keep))

    def _joined(self, table: Table, atom: Atom, first_only: bool) -> Table:
        key = self._key(atom)
        subject, value = (
            self.column(table, slot) if slot >= 0 or slot in table.columns else None
            for slot in (atom.subject, atom.object)
        )
        rows = self._facts.rows(key)
        if subject is not None and value is not None:
            if key == (False, self._facts.same_as):
                keep = subject == value
            elif key[0]:
                keep = among(subject, rows)
                if self._facts.is_datatype(atom.key):
                    keep |= self._facts.of_datatype(subject, atom.key[1])
            else:
                keep = among(paired(subject, value), rows)
            return table.at(np.flatnonzero(keep))
        if subject is not None:
            places, ends = matches(rows, subject, first_only)
            return self._filtered(table.at(places), ((atom.object, ends),))
        if value is not None and not key[0]:
            places, ends = matches(self._facts.by_object(key), value, first_only)
            return self._filtered(table.at(places), ((atom.subject, ends),))
        # No end is known: every row goes with every statement.
        places = np.repeat(np.arange(table.size, dtype=np.int64), rows.size)
        all_rows = np.tile(rows, table.size)
        if key[0]:
            return self._filtered(table.at(places), ((atom.subject, all_rows),))
        ends_of_all = ((atom.subject, subjects_of(all_rows)), (atom.object, objects_of(all_rows)))
        return self._filtered(table.at(places), ends_of_all)
