"""Questions in English have the answers of hand-written SPARQL; what is not understood is refused."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from hpc_explorer.app.ask.asking import interpret
from hpc_explorer.language.interpretation import Status
from tests.conformance.english_questions import FOLDER, REFUSED, is_right, mistyped, outcome, outcomes, questions
from tests.helpers.sessions import session_of


def test_sixty_questions_about_the_samples() -> None:
    found = outcomes(list(questions("samples.toml")))
    counted = Counter(one.kind for one in found)
    wrong = [one.asked.text for one in found if one.kind == "wrong"]
    assert len(found) == 60
    assert not wrong
    assert counted["right"] >= 58, [one.asked.text for one in found if one.kind != "right"]


@pytest.mark.parametrize(
    ("name", "number", "right"),
    [
        ("sixty", 60, 59),
        ("twenty", 20, 19),
        ("second_twenty", 20, 17),
        ("third_twenty", 20, 17),
        ("sixty_more", 60, 58),
        ("fourth_twenty", 20, 18),
        ("fifth_twenty", 20, 18),
        ("sixth_twenty", 20, 15),
        ("seventh_twenty", 20, 15),
        ("eighth_twenty", 20, 16),
        ("ninth_thirty", 26, 26),
        ("tenth_twenty", 20, 19),
        ("eleventh_twenty", 20, 20),
        ("twelfth_twenty", 20, 17),
        ("thirteenth_twenty", 20, 17),
        ("fourteenth_twenty", 20, 20),
        ("fifteenth_twenty", 20, 18),
        ("sixteenth_twenty", 20, 20),
        ("seventeenth_twenty", 20, 19),
        ("eighteenth_twenty", 20, 20),
        ("nineteenth_twenty", 20, 18),
        ("twentieth_twenty", 20, 19),
        ("twenty_first_twenty", 20, 20),
        ("twenty_second_twenty", 20, 18),
        ("twenty_third_twenty", 20, 20),
        ("twenty_fourth_twenty", 20, 20),
        ("twenty_fifth_twenty", 20, 18),
        ("workflows_thirty", 30, 28),
        ("workflows_twenty", 20, 18),
        ("workflows_third", 20, 18),
    ],
)
def test_questions_that_were_written_before_they_were_asked(name: str, number: int, right: int) -> None:
    found = outcomes(list(questions(f"{name}.json")))
    counted = Counter(one.kind for one in found)
    assert len(found) == number
    assert not [one.asked.text for one in found if one.kind == "wrong"]
    assert counted["right"] >= right, [one.asked.text for one in found if one.kind != "right"]


@pytest.mark.slow
def test_one_typing_error_in_each_question_keeps_its_result() -> None:
    dice = random.Random(20261127)
    asked = [
        one
        for name in ("sixty", "twenty", "second_twenty", "third_twenty", "sixty_more")
        for one in questions(f"{name}.json")
    ]
    kept: dict[str, bool] = {}
    for source in dict.fromkeys(one.source for one in asked):
        session = session_of(source)
        for one in asked:
            if one.source == source and outcome(session, one).place:
                wrong = mistyped(one.text, dice)
                kept[wrong] = outcome(session, one, wrong).place > 0
        session.close()
    assert len(kept) > 150
    assert sum(kept.values()) >= 0.9 * len(kept), [text for text, found in kept.items() if not found]


RESTRICTING = (
    "for our customers", "near Paris", "without approval", "of last week's team", "for my colleagues in Oslo",
    "with our consent", "since the merger", "that I like", "and nothing else", "only on weekends", "of the same kind",
    "for the current user", "that we need", "of mine",
)  # fmt: skip


def silently_dropped(name: str, phrases: Iterable[str]) -> list[str]:
    """The questions of a set with more words at their end that are answered as if these were not there."""
    found = []
    asked = [one for one in questions(name) if one.query != REFUSED]
    for source in dict.fromkeys(one.source for one in asked):
        session = session_of(source)
        for one in asked:
            for phrase in phrases if one.source == source else ():
                text = f"{one.text.rstrip('?.!')} {phrase}"
                interpretation = interpret(session, text)
                if interpretation.status is Status.UNDERSTOOD and not interpretation.notes:
                    best = interpretation.readings[0]
                    if is_right(session, best, one):
                        found.append(f"{text}: {best.sentence}")
        session.close()
    return found


def test_words_that_restrict_a_question_are_not_dropped() -> None:
    assert not silently_dropped("fourth_twenty.json", RESTRICTING[:3])


@pytest.mark.slow
@pytest.mark.parametrize("phrase", RESTRICTING)
@pytest.mark.parametrize("name", ["samples.toml", "sixty.json", "sixty_more.json", "fifth_twenty.json"])
def test_no_words_that_restrict_a_question_are_dropped(name: str, phrase: str) -> None:
    assert not silently_dropped(name, [phrase])


def test_words_that_change_a_meaning_are_read_or_told() -> None:
    """Where a request has no expected answer, nothing in the graph or the tables answers it."""
    found = outcomes(list(questions("changed_meanings.json")))
    silent = [one for one in found if one.interpretation.status is Status.UNDERSTOOD
              and not one.interpretation.notes and not one.place]  # fmt: skip
    assert len(found) == 41
    assert not [f"{one.asked.text}: {one.interpretation.readings[0].sentence}" for one in silent]


CRATES = {
    "others.toml": "provenance/ro-crate/snakemake/crcc-img-convert/fair-crcc-img-convert-run/ro-crate-metadata.json",
    "others_third.json": "provenance/ro-crate/sparql/provenance_run_crate/ro-crate-metadata.json",
    "thirty.json": "provenance/ro-crate/sparql/provenance_run_crate/ro-crate-metadata.json",
}


@pytest.mark.parametrize("name", sorted(CRATES))
@pytest.mark.parametrize("source", ["seismic", "building", "crate"])
def test_ten_questions_in_another_vocabulary(source: str, name: str, shared_data: Callable[[str], Path]) -> None:
    files = {"building": str(FOLDER / "building.ttl")}
    if source == "crate":
        files["crate"] = str(shared_data(CRATES[name]))
    where = files.get(source, f"sample:{source}")
    found = outcomes([one for one in questions(name, files) if one.source == where])
    assert len(found) == 10
    assert not [one.asked.text for one in found if one.kind == "wrong"]
    assert sum(one.kind == "right" for one in found) >= 9, [one.asked.text for one in found if one.kind != "right"]


def test_questions_about_the_world_of_the_development_questions(shared_data: Callable[[str], Path]) -> None:
    found = outcomes(list(questions("world.json", {"world": str(shared_data("language") / "world" / "world.ttl")})))
    assert len(found) == 14
    assert not [one.asked.text for one in found if one.kind == "wrong"]
    assert sum(one.kind == "right" for one in found) >= 12


MORE = {
    "prediction": "provenance/ro-crate/draft/ml-predict-pipeline/ro-crate-metadata.json",
    "weka": "ontologies/vocabularies/mls_MLSchemaExample1.ttl",
}


def test_thirty_questions_on_a_crate_prov_ml_and_ml_schema(shared_data: Callable[[str], Path]) -> None:
    sources = {name: str(shared_data(path)) for name, path in MORE.items()}
    found = outcomes(list(questions("foreign_thirty.json", sources)))
    assert len(found) == 30
    assert not [one.asked.text for one in found if one.kind == "wrong"]
    assert sum(one.kind == "right" for one in found) >= 23, [one.asked.text for one in found if one.kind != "right"]


def test_sixty_development_questions(shared_data: Callable[[str], Path], tmp_path: Path) -> None:
    folder = shared_data("language")
    session = session_of(folder / "world" / "world.ttl")
    predictions = {}
    for gold in json.loads((folder / "dev60.json").read_text(encoding="utf-8"))["queries"]:
        best = interpret(session, gold["query"]).readings[0]
        predictions[gold["id"]] = {"expression": str(best.expression), "default_tags": list(best.tags)}
    session.close()
    file = tmp_path / "predictions.json"
    file.write_text(json.dumps(predictions), encoding="utf-8")
    scorer = [sys.executable, str(folder / "tools" / "score.py"), str(folder / "dev60.json"), str(file)]
    printed = subprocess.run(scorer, capture_output=True, text=True, check=True, timeout=120).stdout
    assert re.search(r"ALL +n=60 synthesis=100.00% .*split_default=100.00%", printed), printed
