"""Compares the columns with the triples on random graphs, queries and edits, and makes small what differs.

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
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pyoxigraph

from hpc_explorer.errors import ExplorerError
from hpc_explorer.rdf.terms import Literal, Quad
from hpc_explorer.stores.base import Row
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.column_comparison import Differs, built_columns, compare, edited, filled_store, judged
from tests.helpers.column_graphs import PREFIXES, Edit, Schema, plain_lines, random_edit, random_graph
from tests.helpers.column_queries import Asked, random_query


@dataclass
class Tally:
    """What a run has seen.

    Args:
        asked: how many queries were compared, before and after edits.
        answered: how many of them the columns answered.
        found: how many had a row with more than zeros.
    """

    asked: int = 0
    answered: int = 0
    found: int = 0

    @property
    def share(self) -> float:
        """The share of queries that the columns answered."""
        return self.answered / max(1, self.asked)


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

    with built_columns(store, folder, plain_lines(case.quads)) as columns:
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
        with built_columns(store, folder, plain_lines(candidate.quads) if from_lines else None) as columns:
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


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


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
    _say(f"seed {options.seed}")
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
                    _say(f"\n--- {found}: seed {options.seed + graphs}\n{small}")
            graphs += 1
    seconds = time.monotonic() - began
    _say(
        f"\n{tally.asked} queries over {graphs} graphs, {tally.answered} answered by the columns ({tally.share:.0%}), "
        f"{found} differences of {len(shapes)} shapes; seed {options.seed}, {seconds:.0f} s, "
        f"{tally.asked / time.process_time():.0f} queries for each second of processor time"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
