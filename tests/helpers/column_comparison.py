"""Compares what the columns answer to one query with what the triples answer."""

from __future__ import annotations

import logging
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pyoxigraph

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, Quad, Term
from hpc_explorer.stores.base import Row
from hpc_explorer.stores.changes.changes import ChangeSet, apply_effect, effect_of
from hpc_explorer.stores.columns.building import build_columns
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.column_graphs import GRAPHS, PREFIXES, Edit
from tests.helpers.column_queries import Asked

TOLERANCE = 1e-9
"""Relative; for sums and averages of doubles only, as their last digits depend on the order of addition."""

_OF_FLOATS = 1e-5

# So many rows the engine sorts by insertion, whatever is said of their order.
_ALWAYS_SORTED = 20

# What the engine puts in one order: numbers that it can compare without loss, or texts.
_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,15})?")
_NUMERIC = {XSD.integer, XSD.decimal, XSD.double}

_CHOSEN = re.compile(r"\((SAMPLE|MIN|MAX|GROUP_CONCAT)\((?:DISTINCT )?(.*?)(?:; SEPARATOR=\"\|\")?\) AS \?(\w+)\)")


class Differs(Exception):
    """The columns answer otherwise than the triples."""


# One store and its columns


def turtle_quads(text: str) -> list[Quad]:
    """The statements of a Turtle document that uses the prefixes of the queries, in one named graph."""
    prefixes = "".join(f"@{line} .\n" for line in re.findall(r"PREFIX \S+ <\S+>", PREFIXES)).replace(
        "@PREFIX", "@prefix"
    )
    parsed = pyoxigraph.parse(f"{prefixes}{text}", pyoxigraph.RdfFormat.TURTLE)
    return [Quad(quad.subject, quad.predicate, quad.object, GRAPHS[0]) for quad in parsed]


def filled_store(quads: Iterable[Quad]) -> LocalStore:
    """A store in memory of these quads."""
    store = LocalStore.in_memory()
    store.add_quads(quads)
    store.settle(set(store.graphs()))
    return store


@contextmanager
def built_columns(store: LocalStore, folder: Path, lines: bytes | None = None) -> Iterator[Columns]:
    """The columns of a store, for as long as the block lasts.

    Args:
        lines: N-Triples that say all that the store holds, if they are to be built from these.
    """
    file, text = folder / "columns.db", folder / "lines.nt"
    if lines is not None:
        text.write_bytes(lines)
    build_columns(store, file, n_triples=None if lines is None else text)
    text.unlink(missing_ok=True)
    columns = Columns(file)
    try:
        yield columns
    finally:
        columns.close()
        file.unlink()


def edited(store: LocalStore, columns: Columns, edit: Edit) -> None:
    """Make an edit in a store, and have the columns follow."""
    effect = effect_of(store, ChangeSet(edit.removed, edit.added), restating=True)
    apply_effect(store, effect)
    store.settle(set(store.graphs()))  # who adds what another graph states has the graphs compared
    columns.change(store, (*effect.left, *effect.entered))


# The comparison


def compare(store: LocalStore, columns: Columns, asked: Asked) -> bool:
    """Ask both, and see that they answer the same.

    Returns:
        Whether the columns answered.

    Raises:
        Differs: they answered otherwise.
    """
    asked = sortable(store, asked)
    try:
        found = columns.select(asked.text)
        rows = [dict(row) for row in found]
    except NotByColumns:
        return False
    except Exception as error:  # whatever it is, it is no answer and no refusal
        raise Differs(f"the columns raise {type(error).__name__}: {error}") from error
    expected = store.select(asked.text)
    theirs = [dict(row) for row in expected]
    named = tuple(column.rsplit(" ", 1)[-1].strip("?)") for column in asked.columns)
    if (set(found.variables) if named == ("*",) else found.variables) != (
        set(expected.variables) if named == ("*",) else named
    ):
        raise Differs(f"the variables are {found.variables}")
    chosen = {match[3]: (match[1], match[2]) for column in asked.columns if (match := _CHOSEN.fullmatch(column))}
    reason = _difference(store, asked, rows, theirs, chosen)
    if reason:
        raise Differs(f"{reason}\ncolumns: {shown(rows)}\ntriples: {shown(theirs)}")
    return True


def sortable(store: LocalStore, asked: Asked) -> Asked:
    """The query, or without its order where that would end the process.

    The engine (0.5.13) compares some literals by value and the rest by text. That is no order, and its sort of more than
    20 rows panics on some such mixtures, which ends the whole process.
    """
    keys = _keys_of(store, asked)
    if keys is None:
        return asked
    unordered = replace(asked, order=(), slice="")
    rows = [dict(row) for row in store.select(unordered.text)]
    if len(rows) <= _ALWAYS_SORTED:
        return asked
    columns = zip(*(keys(row) or () for row in rows), strict=False)
    return asked if all(map(_is_ordered, columns)) else unordered


def _is_ordered(values: Sequence[Term | None]) -> bool:
    literals = [value for value in values if isinstance(value, Literal)]
    return all(one.datatype == XSD.string for one in literals) or all(
        one.datatype in _NUMERIC and _NUMBER.fullmatch(one.value) for one in literals
    )


def _difference(
    store: LocalStore, asked: Asked, rows: list[Row], theirs: list[Row], chosen: Mapping[str, tuple[str, str]]
) -> str:
    """What is wrong with some rows; nothing if they are as good as those of the triples."""
    keys = _keys_of(store, asked)
    if asked.slice:
        if len(rows) != len(theirs):
            return "another number of rows"
        whole = [dict(row) for row in store.select(replace(asked, slice="", order=()).text)]
        extra, _ = _left_over(store, asked, rows, whole, chosen)
        if extra:
            return f"rows beyond those of the query without its limit: {shown(extra)}"
    else:
        extra, missing = _left_over(store, asked, rows, theirs, chosen)
        if asked.duplicates == "REDUCED":
            # How often a solution comes is left to whoever answers.
            known = {_exact(row, ()) for row in theirs}
            extra = [row for row in extra if _exact(row, ()) not in known]
            seen = {_exact(row, ()) for row in rows}
            missing = [row for row in missing if _exact(row, ()) not in seen]
        if extra or missing:
            return f"too many: {shown(extra)}; missing: {shown(missing)}"
    if keys is not None and asked.duplicates != "REDUCED":
        for place, (one, other) in enumerate(zip(map(keys, rows), map(keys, theirs), strict=True)):
            if one is not None and other is not None and not all(map(_level_or_near, one, other)):
                return f"another order from row {place} on"
    for name, (function, argument) in chosen.items():
        if function == "SAMPLE":
            wrong = next(
                (row for row in rows if name in row and not _is_member(store, asked, row, name, argument)), None
            )
            if wrong is not None:
                return f"?{name} is no value of its group: {shown([wrong])}"
    return ""


def _left_over(
    store: LocalStore, asked: Asked, rows: Sequence[Row], theirs: Sequence[Row], chosen: Mapping[str, tuple[str, str]]
) -> tuple[list[Row], list[Row]]:
    """Those rows of each side that have no match on the other."""
    samples = tuple(name for name, (function, _) in chosen.items() if function == "SAMPLE")
    ours, others = Counter(_exact(row, samples) for row in rows), Counter(_exact(row, samples) for row in theirs)
    extra, missing = _picked(rows, ours - others, samples), _picked(theirs, others - ours, samples)
    for row in list(extra):
        match = next((other for other in missing if _alike(store, asked, row, other, chosen)), None)
        if match is not None:
            extra.remove(row)
            missing.remove(match)
    return extra, missing


def _exact(row: Row, without: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, str(term)) for name, term in row.items() if name not in without))


def _picked(rows: Iterable[Row], wanted: Counter[tuple[tuple[str, str], ...]], without: Sequence[str]) -> list[Row]:
    left, found = Counter(wanted), []
    for row in rows:
        if left[_exact(row, without)] > 0:
            left[_exact(row, without)] -= 1
            found.append(row)
    return found


def _alike(store: LocalStore, asked: Asked, row: Row, other: Row, chosen: Mapping[str, tuple[str, str]]) -> bool:
    """Whether rows say the same but for what the order of solutions decides."""
    for name in {*row, *other}:
        function, argument = chosen.get(name, ("", ""))
        one, two = row.get(name), other.get(name)
        if one == two or function == "SAMPLE":
            continue
        if not isinstance(one, Literal) or not isinstance(two, Literal):
            return False
        if function == "GROUP_CONCAT" and sorted(one.value.split("|")) == sorted(two.value.split("|")):
            continue
        if function in ("MIN", "MAX") and _level(one, two) and _is_member(store, asked, row, name, argument):
            continue
        if re.search(r"\b(SUM|AVG)\(", asked.text) and _is_near(one, two):
            continue
        return False
    return True


def _is_near(one: Literal, other: Literal) -> bool:
    if one.datatype != other.datatype or one.datatype not in (XSD.double, XSD.float):
        return False
    try:
        first, second = float(one.value), float(other.value)
    except ValueError:
        return False
    tolerance = TOLERANCE if one.datatype == XSD.double else _OF_FLOATS
    return abs(first - second) <= tolerance * max(abs(first), abs(second))


def _is_member(store: LocalStore, asked: Asked, row: Row, name: str, argument: str) -> bool:
    """Whether the value of a variable is one that its group has."""
    values = Asked((*asked.group, f"(COALESCE({argument}) AS ?value)"), asked.body, "DISTINCT")
    keys = [key.rsplit(" ", 1)[-1].strip("?)") for key in asked.group]
    shown_keys = [key for key in keys if f"?{key}" in asked.columns]
    for solution in store.select(values.text):
        if all(solution.get(key) == row.get(key) for key in shown_keys) and solution.get("value") == row[name]:
            return True
    return False


def _keys_of(store: LocalStore, asked: Asked) -> Callable[[Row], tuple[Term | None, ...] | None] | None:
    """What gives the values that a row is ordered by; None of a row of which that is not known."""
    if not asked.order:
        return None
    keys = [re.fullmatch(r"(?:ASC|DESC)?(\(.*\)|\?\w+)", key)[1] for key in asked.order]  # type: ignore[index]
    plain = [key.strip("()") for key in keys]
    if all(re.fullmatch(r"\?\w+", key) for key in plain):
        return lambda row: tuple(row.get(key[1:]) for key in plain)  # type: ignore[misc]
    told = " ".join(f"BIND({key} AS ?key{number})" for number, key in enumerate(keys))
    inner = replace(asked, order=(), slice="").text.removeprefix(PREFIXES)
    whole = Asked(("*",), f"{{ {inner} }} {told}")
    known = {}
    for row in store.select(whole.text):
        values = tuple(row.get(f"key{number}") for number in range(len(keys)))
        known[_exact({name: term for name, term in row.items() if not name.startswith("key")}, ())] = values
    return lambda row: known.get(_exact(row, ()))  # type: ignore[return-value]


def _level_or_near(one: Term | None, other: Term | None) -> bool:
    near = isinstance(one, Literal) and isinstance(other, Literal) and _is_near(one, other)
    return near or _level(one, other)


@lru_cache(maxsize=100_000)
def _level(one: Term | None, other: Term | None) -> bool:
    """Whether the engine puts neither of two terms before the other."""
    if one == other:
        return True
    if not isinstance(one, Literal) or not isinstance(other, Literal):
        return False
    rows = pyoxigraph.Store().query(f"SELECT ({one} <= {other} && {one} >= {other} AS ?level) {{}}")
    (row,) = rows  # type: ignore[misc]
    return row[0] is not None and row[0].value == "true"


def shown(rows: Sequence[Row], most: int = 12) -> str:
    """Rows as text."""
    each = ["{" + ", ".join(f"?{name} {term}" for name, term in sorted(row.items())) + "}" for row in rows[:most]]
    return " ".join(each) + (f" and {len(rows) - most} more" if len(rows) > most else "") if each else "none"


def judged(quads: Iterable[Quad], query: str) -> str:
    """What RDFLib answers, as text: it decides nothing, and helps to see who is right."""
    import rdflib

    logger = logging.getLogger("rdflib")
    before = logger.level, rdflib.NORMALIZE_LITERALS
    logger.setLevel(logging.CRITICAL)
    rdflib.NORMALIZE_LITERALS = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph = rdflib.Graph().parse(data="".join(f"{quad.triple} .\n" for quad in quads), format="nt")
            rows = [[None if term is None else term.n3() for term in row] for row in graph.query(query)]  # type: ignore[union-attr]
    except Exception as error:  # noqa: BLE001  # it may not know the query, or the graph
        return f"{type(error).__name__}: {error}"
    finally:
        logger.setLevel(before[0])
        rdflib.NORMALIZE_LITERALS = before[1]
    return f"{len(rows)} rows: {sorted(map(str, rows))[:12]}"
