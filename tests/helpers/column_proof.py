"""Compares what the columns answer with what the triples answer, on random graphs, queries and edits.

From the command line, for a long run:

    python -m tests.helpers.column_proof --queries 100000 --seed 1
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from random import Random

import pyoxigraph

from hpc_explorer.errors import ExplorerError
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, Quad, Term
from hpc_explorer.stores.base import Row
from hpc_explorer.stores.changes import ChangeSet, apply_effect, effect_of
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.drawing import draw_columns
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.local import LocalStore
from tests.helpers.column_graphs import GRAPHS, PREFIXES, Edit, Schema, plain_lines, random_edit, random_graph
from tests.helpers.column_queries import Asked, random_query

TOLERANCE = 1e-9
"""Relative; for sums and averages of doubles only, as their last digits depend on the order of addition."""

# So many rows the engine sorts by insertion, whatever is said of their order.
_ALWAYS_SORTED = 20

# Datatypes whose values the engine puts in one order; nothing stands for resources and what has no value.
_TOTAL = (
    {"", XSD.integer.value, XSD.decimal.value},
    {"", XSD.integer.value, XSD.double.value},
    {"", XSD.string.value},
    {"", XSD.boolean.value},
)

_CHOSEN = re.compile(r"\((SAMPLE|MIN|MAX|GROUP_CONCAT)\((?:DISTINCT )?(.*?)(?:; SEPARATOR=\"\|\")?\) AS \?(\w+)\)")


class Differs(Exception):
    """The columns answer otherwise than the triples."""


@dataclass
class Tally:
    """What a run has seen.

    Args:
        asked: how many queries were compared, before and after edits.
        answered: how many of them the columns answered.
        found: how many had a row with more than zeros.
        refusals: why the columns refused, with how often.
    """

    asked: int = 0
    answered: int = 0
    found: int = 0
    refusals: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        """The share of queries that the columns answered."""
        return self.answered / max(1, self.asked)


# One store and its columns


def turtle_quads(text: str) -> list[Quad]:
    """The statements of a Turtle document that uses the prefixes of the queries, in one named graph."""
    prefixes = "".join(f"@{line} .\n" for line in re.findall(r"PREFIX \S+ <\S+>", PREFIXES)).replace("@PREFIX", "@prefix")
    parsed = pyoxigraph.parse(f"{prefixes}{text}", pyoxigraph.RdfFormat.TURTLE)
    return [Quad(quad.subject, quad.predicate, quad.object, GRAPHS[0]) for quad in parsed]


def filled_store(quads: Iterable[Quad]) -> LocalStore:
    """A store in memory of these quads."""
    store = LocalStore.in_memory()
    store.add_quads(quads)
    store.settle(set(store.graphs()))
    return store


@contextmanager
def drawn_columns(store: LocalStore, folder: Path, lines: bytes | None = None) -> Iterator[Columns]:
    """The columns of a store, for as long as the block lasts.

    Args:
        lines: N-Triples that say all that the store holds, if they are to be drawn from these.
    """
    file, text = folder / "columns.db", folder / "lines.nt"
    if lines is not None:
        text.write_bytes(lines)
    draw_columns(store, file, n_triples=None if lines is None else text)
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
    except Exception as error:  # noqa: BLE001  # whatever it is, it is no answer and no refusal
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
    for values in zip(*(keys(row) or () for row in rows), strict=False):
        sorts = {value.datatype.value if isinstance(value, Literal) else "" for value in values}
        if not any(sorts <= whole for whole in _TOTAL):
            return unordered
    return asked


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
            if one is not None and other is not None and not all(map(_level, one, other)):
                return f"another order from row {place} on"
    for name, (function, argument) in chosen.items():
        if function == "SAMPLE":
            wrong = next((row for row in rows if name in row and not _is_member(store, asked, row, name, argument)), None)
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
    first, second = float(one.value), float(other.value)
    tolerance = TOLERANCE if one.datatype == XSD.double else 1e-5
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


# Many graphs and queries


@dataclass(frozen=True)
class Case:
    """A graph, edits of it, and queries that are asked before and after each."""

    quads: tuple[Quad, ...]
    edits: tuple[Edit, ...]
    queries: tuple[Asked, ...]


def random_case(seed: int, queries: int, edits: int) -> Case:
    """A case that the seed says all of; most of its queries find something."""
    rng = Random(seed)
    schema, quads = random_graph(rng)
    store = filled_store(quads)
    asked = tuple(_finding_query(rng, schema, store) for _ in range(queries))
    changes: list[Edit] = []
    left = list(dict.fromkeys(quads))
    for _ in range(edits):
        change = random_edit(rng, schema, left)
        left = [quad for quad in left if quad not in change.removed] + list(change.added)
        changes.append(change)
    return Case(tuple(dict.fromkeys(quads)), tuple(changes), asked)


def finds_something(rows: Iterable[Row]) -> bool:
    """Whether any row has a term that is neither zero nor an empty text."""
    return any(not isinstance(term, Literal) or term.value not in ("", "0") for row in rows for term in row.values())


def _finding_query(rng: Random, schema: Schema, store: LocalStore) -> Asked:
    asked = random_query(rng, schema)
    for _ in range(2):
        if finds_something(store.select(replace(asked, order=(), slice="").text)):
            break
        asked = random_query(rng, schema)
    return asked


@dataclass(frozen=True)
class Difference:
    """A query that the columns answer otherwise, after some edits of a graph."""

    quads: tuple[Quad, ...]
    edits: tuple[Edit, ...]
    query: Asked
    words: str

    @property
    def stated(self) -> dict[Quad, None]:
        """What the graph states after the edits."""
        stated = dict.fromkeys(self.quads)
        for edit in self.edits:
            stated = dict.fromkeys([*(quad for quad in stated if quad not in edit.removed), *edit.added])
        return stated

    @property
    def shape(self) -> str:
        """The query without its names and constants: differences of one shape often have one cause."""
        text = self.query.text.removeprefix(PREFIXES)
        return re.sub(r"<[^>]*>|:\w+|\?\w+|\d+", "", text) + self.words.split(":")[0]

    def __str__(self) -> str:
        lines = [self.query.text.removeprefix(PREFIXES), self.words, *(f"  {quad}" for quad in self.quads)]
        for edit in self.edits:
            lines += [*(f"  - {quad}" for quad in edit.removed), *(f"  + {quad}" for quad in edit.added)]
        return "\n".join([*lines, f"RDFLib: {judged(self.stated, self.query.text)}"])


def differences(case: Case, folder: Path, tally: Tally) -> Iterator[Difference]:
    """The queries of a case that the columns answer otherwise, each once and with as few words as will do."""
    store = filled_store(case.quads)
    wrong: set[Asked] = set()

    def asked_of(columns: Columns, queries: Iterable[Asked], edits: tuple[Edit, ...]) -> Iterator[Difference]:
        for asked in queries:
            if asked not in wrong:
                tally.asked += 1
                words = _words(store, columns, asked)
                tally.answered += words is not None
                if words:
                    wrong.add(asked)
                    small, words = _smaller_query(store, columns, asked, words)
                    yield Difference(case.quads, edits, small, words)

    with drawn_columns(store, folder, plain_lines(case.quads)) as columns:
        yield from asked_of(columns, case.queries, ())
        for done, edit in enumerate(case.edits, 1):
            edited(store, columns, edit)
            yield from asked_of(columns, case.queries, case.edits[:done])
        if case.edits and columns.copy_to(folder / "copy.db"):
            copy = Columns(folder / "copy.db")
            try:
                yield from asked_of(copy, case.queries[::4], case.edits)
            finally:
                copy.close()
                copy.file.unlink()


def _words(store: LocalStore, columns: Columns, asked: Asked) -> str | None:
    """How the columns differ; nothing if they do not, None if they do not answer."""
    try:
        return "" if compare(store, columns, asked) else None
    except Differs as difference:
        return str(difference)


# Small examples


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(?:\^\^\S+?(?=[\s,)}]|$)|@[\w-]+)?|<[^<>\s]*>|[\w:?.-]+|\S')


def _smaller_query(store: LocalStore, columns: Columns, asked: Asked, words: str) -> tuple[Asked, str]:
    """The query with pieces left out, as long as the columns differ in the same way."""
    best, end = (asked, words), time.monotonic() + 20

    def attempt(**pieces: object) -> bool:
        nonlocal best
        query = replace(best[0], **pieces)  # type: ignore[arg-type]
        if query == best[0] or time.monotonic() > end:
            return False
        try:
            pyoxigraph.Store().query(query.text)
            found = _words(store, columns, query)
        except (SyntaxError, ExplorerError):
            return False
        if not found or found.split(":")[0] != words.split(":")[0]:
            return False
        best = query, found
        return True

    for name in ("slice", "having", "duplicates"):
        attempt(**{name: ""})
    for name in ("order", "group", "columns"):
        for part in getattr(asked, name):
            attempt(**{name: tuple(one for one in getattr(best[0], name) if one != part)})
    for name in ("body", "having"):
        size = max(1, len(_TOKEN.findall(getattr(best[0], name))) // 2)
        while size:
            place = 0
            while place < len(tokens := _TOKEN.findall(getattr(best[0], name))):
                if not attempt(**{name: " ".join(tokens[:place] + tokens[place + size :])}):
                    place += 1
            size -= 1 if size < 12 else size // 3
    return best


def smaller(difference: Difference, folder: Path, seconds: float = 20.0) -> Difference:
    """A difference like this one with as few statements as were found in some time."""
    end = time.monotonic() + seconds
    best, from_lines = difference, plain_lines(difference.quads) is not None

    def still(**pieces: object) -> bool:
        nonlocal best
        candidate = replace(best, **pieces)  # type: ignore[arg-type]
        if time.monotonic() > end:
            return False
        store = filled_store(candidate.quads)
        with drawn_columns(store, folder, plain_lines(candidate.quads) if from_lines else None) as columns:
            for edit in candidate.edits:
                edited(store, columns, edit)
            words = _words(store, columns, candidate.query)
        if not words or words.split(":")[0] != best.words.split(":")[0]:
            return False
        best = replace(candidate, words=words)
        return True

    def with_fewer(now: Callable[[], tuple[Quad, ...]], attempt: Callable[[tuple[Quad, ...]], bool]) -> None:
        size = max(1, len(now()) // 2)
        while size:
            place = 0
            while place < len(now()):
                if not attempt(now()[:place] + now()[place + size :]):
                    place += size
            size //= 2

    asked = f"{best.query.text} type"
    still(quads=tuple(quad for quad in best.quads if quad.predicate.value.rpartition("/")[2].split("#")[-1] in asked))
    if best.edits and not still(quads=tuple(best.stated), edits=()):
        for number in range(len(best.edits)):
            for name in ("removed", "added"):

                def attempt(part: tuple[Quad, ...], number: int = number, name: str = name) -> bool:
                    edits = list(best.edits)
                    edits[number] = replace(edits[number], **{name: part})
                    return still(edits=tuple(edits))

                with_fewer(lambda number=number, name=name: getattr(best.edits[number], name), attempt)  # type: ignore[misc]
    with_fewer(lambda: best.quads, lambda part: still(quads=part))
    return best


def main(arguments: Sequence[str] | None = None) -> int:
    """The long run; each difference is printed with a small graph. Returns 1 if there was one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=10_000, help="how many queries to compare")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="begins the draws")
    parser.add_argument("--per-graph", type=int, default=60, help="queries for each graph")
    parser.add_argument("--edits", type=int, default=2, help="edits of each graph, after which all is asked again")
    parser.add_argument("--most", type=int, default=20, help="end after so many differences")
    parser.add_argument("--seconds", type=float, default=20.0, help="for making each difference smaller")
    options = parser.parse_args(arguments)
    print(f"seed {options.seed}", flush=True)
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)
    tally, began, graphs, found = Tally(), time.monotonic(), 0, 0
    shapes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        while tally.asked < options.queries and found < options.most:
            case = random_case(options.seed + graphs, options.per_graph, options.edits)
            for difference in list(differences(case, folder, tally)):  # the columns are closed by then
                found += 1
                shapes[difference.shape] += 1
                if shapes[difference.shape] == 1:
                    small = smaller(difference, folder, options.seconds)
                    print(f"\n--- {found}: seed {options.seed + graphs}\n{small}", flush=True)
            graphs += 1
    seconds = time.monotonic() - began
    print(
        f"\n{tally.asked} queries over {graphs} graphs, {tally.answered} answered by the columns ({tally.share:.0%}), "
        f"{found} differences of {len(shapes)} shapes; seed {options.seed}, {seconds:.0f} s, {tally.asked / seconds:.0f} queries a second"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
