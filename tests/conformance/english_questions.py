"""Ask the questions of `english/` and compare the answers with hand-written SPARQL."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.app.ask.asking import interpret
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.language.reading import Interpretation, Reading, Status
from hpc_explorer.query.sparql.writing import sparql_text
from tests.helpers.sessions import session_of

FOLDER = Path(__file__).parent / "english"
PREFIXES = """PREFIX hpc: <https://hpc-fair.github.io/ontology#> PREFIX qudt: <http://qudt.org/schema/qudt/>
PREFIX unit: <http://qudt.org/vocab/unit/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX schema: <http://schema.org/>
PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX provml: <https://example.org/provml#>
PREFIX provlake: <https://example.org/provlake#> PREFIX brick: <https://brickschema.org/schema/Brick#>
"""
REFUSED = "refused"


@dataclass(frozen=True)
class Asked:
    """A question with the pattern of its answer, `?x`."""

    source: str
    text: str
    pattern: str


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
        if self.asked.pattern == REFUSED:
            return {Status.REFUSED: "right", Status.AMBIGUOUS: "asked back"}.get(self.interpretation.status, "wrong")
        if self.interpretation.status is Status.REFUSED:
            return "refused"
        if self.interpretation.status is Status.AMBIGUOUS:
            return "asked back" if self.place else "wrong"
        return "right" if self.place == 1 else "wrong"


def questions(name: str, sources: dict[str, str] | None = None) -> Iterator[Asked]:
    """The questions of a file; a table's name is a sample, or a key of `sources`."""
    document = tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))
    for source, asked in document.items():
        where = (sources or {}).get(source, f"sample:{source}")
        yield from (Asked(where, text, pattern) for text, pattern in asked.items())


def outcomes(asked: list[Asked]) -> list[Outcome]:
    """Ask each question of its graph."""
    found = []
    for source in dict.fromkeys(one.source for one in asked):
        session = session_of(source)
        try:
            found += [_outcome(session, one) for one in asked if one.source == source]
        finally:
            session.close()
    return found


def _outcome(session: Session, asked: Asked) -> Outcome:
    interpretation = interpret(session, asked.text)
    place = 0
    if asked.pattern != REFUSED:
        rows = session.store.select(f"{PREFIXES} SELECT ?x WHERE {{ {asked.pattern} }}")
        expected = {_text(row["x"]) for row in rows}
        assert expected, f"the pattern has no answer: {asked.text}"
        for number, reading in enumerate(interpretation.readings, 1):
            if answer(session, reading) == expected:
                place = number
                break
    return Outcome(asked, interpretation, place)


def answer(session: Session, reading: Reading) -> set[str]:
    """The values that answer a reading."""
    if reading.query is None or reading.variable is None or reading.query.form.value != "SELECT":
        return set()
    rows = session.store.select(sparql_text(reading.query))
    return {_text(row[reading.variable.value]) for row in rows if reading.variable.value in row}


def _text(term: object) -> str:
    return str(getattr(term, "value", term))
