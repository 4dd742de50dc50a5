"""Ask the questions of `english/` and compare the answers with hand-written SPARQL and tables."""

from __future__ import annotations

import json
import math
import random
import re
import string
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.app.ask.asking import files_beside, interpret
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.interpretation import Interpretation, Reading, Status
from hpc_explorer.language.tables import Evaluator, SavedTable, table_of
from hpc_explorer.query.model.query import Form
from hpc_explorer.query.sparql.writing import sparql_text
from tests.helpers.sessions import session_of

FOLDER = Path(__file__).parent / "english"
PREFIXES = """PREFIX hpc: <https://hpc-fair.github.io/ontology#> PREFIX qudt: <http://qudt.org/schema/qudt/>
PREFIX unit: <http://qudt.org/vocab/unit/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX schema: <http://schema.org/>
PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX provml: <https://example.org/provml#>
PREFIX provlake: <https://example.org/provlake#> PREFIX brick: <https://brickschema.org/schema/Brick#>
PREFIX dcat: <http://www.w3.org/ns/dcat#>
"""
REFUSED = "refused"

Rows = Counter[tuple[str, ...]]
"""The rows of an answer: the value that answers, with its group where there is one."""


@dataclass(frozen=True)
class Asked:
    """A question with its expected answer.

    Args:
        query: SPARQL with the answer as `?x`, its group as `?g`; an ASK; or `refused`. Without it and a table, no
            reading is right.
        table: the cells of what a workflow yields, instead of a query; a number is one cell, a list one column.
        columns: of this table, where its names matter.
        saved: the name of the file that the workflow writes.
        expression: of a workflow that runs scripts, instead of its table.
        ordered: whether the order of the answers counts.
    """

    source: str
    text: str
    query: str = ""
    table: tuple[tuple[object, ...], ...] = ()
    columns: tuple[str, ...] = ()
    saved: str = ""
    expression: str = ""
    ordered: bool = False


@dataclass(frozen=True)
class Outcome:
    """What became of a question.

    Args:
        place: of the right reading among the readings, from 1; 0 if none is right.
    """

    asked: Asked
    interpretation: Interpretation
    place: int

    @property
    def kind(self) -> str:
        """right, asked back, refused or wrong."""
        status = self.interpretation.status
        if self.asked.query == REFUSED:
            return {Status.REFUSED: "right", Status.AMBIGUOUS: "asked back"}.get(status, "wrong")
        if status is Status.REFUSED:
            return "refused"
        if status is Status.AMBIGUOUS:
            return "asked back" if self.place else "wrong"
        return "right" if self.place == 1 else "wrong"


WORLDS = {name: str(FOLDER / name / "graph.ttl") for name in ("tides", "greenhouse")}
"""Graphs with tables beside them, for workflows."""


def questions(name: str, sources: Mapping[str, str] = WORLDS) -> Iterator[Asked]:
    """The questions of a file; a source is a sample, or a key of `sources`."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    if name.endswith(".json"):
        for one in json.loads(text):
            query = REFUSED if one.get("refused") else one.get("rows", "")
            table = tuple(map(tuple, one.get("table", ())))
            source = sources.get(one["source"], one["source"])
            yield Asked(source, one["text"], query, table, tuple(one.get("columns", ())), one.get("saved", ""),
                        one.get("expression", ""), one.get("ordered", False))  # fmt: skip
        return
    for source, asked in tomllib.loads(text).items():
        where = sources.get(source, f"sample:{source}")
        for question, pattern in asked.items():
            yield Asked(where, question, pattern if pattern == REFUSED else f"SELECT ?x {{ {pattern} }}")


def outcomes(asked: Sequence[Asked]) -> list[Outcome]:
    """Ask each question of its graph."""
    found = []
    for source in dict.fromkeys(one.source for one in asked):
        session = session_of(source)
        try:
            found += [outcome(session, one) for one in asked if one.source == source]
        finally:
            session.close()
    return found


def outcome(session: Session, asked: Asked, text: str = "") -> Outcome:
    """Ask a question, in other words where they are given."""
    interpretation = interpret(session, text or asked.text)
    places = (number for number, one in enumerate(interpretation.readings, 1) if is_right(session, one, asked))
    return Outcome(asked, interpretation, 0 if asked.query == REFUSED else next(places, 0))


def mistyped(text: str, dice: random.Random) -> str:
    """A sentence with one typing error in a word of four letters or more; the first letter is kept.

    A letter is missing, is one too many, is another, or has changed places with the next one.
    """
    word = dice.choice(list(re.finditer(r"[A-Za-z]{4,}", text)))
    letters, other = list(word[0]), dice.choice(string.ascii_lowercase)
    at = dice.randrange(1, len(letters) - 1)
    match dice.randrange(4):
        case 0:
            del letters[at]
        case 1:
            letters.insert(at, other)
        case 2:
            letters[at] = other
        case _:
            letters[at], letters[at + 1] = letters[at + 1], letters[at]
    return f"{text[: word.start()]}{''.join(letters)}{text[word.end() :]}"


def is_right(session: Session, reading: Reading, asked: Asked) -> bool:
    """Whether a reading has the expected answer."""
    if asked.expression:
        return str(reading.expression) == asked.expression
    if asked.table:
        return _is_table(session, reading, asked)
    if not asked.query:
        return False
    if asked.query.startswith("ASK"):
        if reading.query is None or reading.query.form is not Form.ASK:
            return False
        return session.store.ask(PREFIXES + asked.query) == session.store.ask(sparql_text(reading.query))
    rows = list(session.store.select(PREFIXES + asked.query))
    assert rows, f"the query has no answer: {asked.text}"
    expected = [tuple(_text(row[name]) for name in ("x", "g") if name in row) for row in rows]
    if asked.ordered and reading.query is not None and reading.variable is not None:
        answer = reading.variable.value
        found = [_text(row[answer]) for row in session.store.select(sparql_text(reading.query)) if answer in row]
        return list(dict.fromkeys(found)) == [one[0] for one in expected]
    return _answers(session, reading, Counter(expected))


def _answers(session: Session, reading: Reading, expected: Rows) -> bool:
    """Whether the answers are the expected ones; groups stand in any other column of the same row."""
    if reading.query is None or reading.variable is None or reading.query.form is not Form.SELECT:
        return False
    answer = reading.variable.value
    rows = [row for row in session.store.select(sparql_text(reading.query)) if answer in row]
    if all(len(one) == 1 for one in expected):
        return {_text(row[answer]) for row in rows} == {one[0] for one in expected}
    found: Rows = Counter()
    for row in rows:
        values = {_text(value) for value in row.values()}
        found.update(one for one in expected if one[0] == _text(row[answer]) and one[1] in values)
    return found == expected and len(rows) == expected.total()


def _is_table(session: Session, reading: Reading, asked: Asked) -> bool:
    """Whether a reading is a workflow that yields the expected table."""
    if reading.expression is None or reading.query is not None:
        return False
    files = files_beside(session)

    def no_script(name: str, given: Path) -> Path:
        raise WrongParameter("no script is run here", name, "")

    with tempfile.TemporaryDirectory() as folder:
        try:
            result = Evaluator(files.__getitem__, no_script, Path(folder)).value(reading.expression)
            if isinstance(result, (int, float, list)):
                cells = result if isinstance(result, list) else [result]
                return not asked.saved and _cells([one] for one in cells) == _cells(asked.table)
            table = table_of(result)
        except WrongParameter:
            return False
    saved = result.name if isinstance(result, SavedTable) else ""
    is_named = not asked.columns or tuple(table.columns) == asked.columns
    return saved == asked.saved and is_named and _cells(table.to_numpy().tolist()) == _cells(asked.table)


def _cells(rows: Iterable[Iterable[object]]) -> list[list[str]]:
    return [[_text(cell) for cell in row] for row in rows]


def _text(term: object) -> str:
    """A term or cell as text; numbers that are the same have the same text, a duration being its seconds."""
    text = str(getattr(term, "value", term))
    span = re.fullmatch(r"P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?", text)
    if span and any(span.groups()):
        days, hours, minutes, seconds = (float(part or 0) for part in span.groups())
        return f"{((days * 24 + hours) * 60 + minutes) * 60 + seconds:.8g}"
    if re.fullmatch(r"[-+]?\d*\.?\d+([eE][-+]?\d+)?", text) and math.isfinite(number := float(text)):
        return f"{number:.8g}"
    return text
