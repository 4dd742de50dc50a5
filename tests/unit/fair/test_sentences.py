"""What sentences call the thing that is assessed: a model is not called data, and has no columns."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from hpc_explorer.fair.assessment import assess
from hpc_explorer.fair.checks.words import DATA, METADATA, MODEL
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.repairing import repairs
from tests.helpers.fair_evidence_data import EVIDENCE
from tests.helpers.fair_mutations import PREFIXES, WHOLE
from tests.helpers.graphs import ex, store_of

WHEN = datetime(2026, 11, 22, tzinfo=UTC)
MODELS = ("hpc:AIModel", "fair4ml:MLModel", "mls:Model")
# What a model was trained on is data, and what a repair tells of repositories is general.
OF_DATA = re.compile(r"\bthe data\b(?! it was trained on)|\bdata elements?\b|\bcolumns?\b|\bits dataset\b", re.I)
BROKEN = re.compile(
    r"(?<!does )the model (are|have|come)\b|(?<!of )(?<!about )(?<!to )the data (is|has|comes)\b|\b(a|the) (a|the)\b|  |\.\.(?!\.)|\b1 \w+ are\b",
    re.I,
)


def said(turtle: str) -> list[str]:
    """All that a person reads of a resource: sentences, repairs and questions."""
    subject = subject_of(store_of(PREFIXES + turtle.replace("{d}", "ex:d")), ex("d"))
    assessment = assess(subject, when=WHEN)
    fixes = repairs(assessment, subject)
    return [
        *(finding.sentence for finding in assessment.findings),
        *(text for each in fixes for text in (each.words, each.explanation, *(ask.question for ask in each.asks))),
    ]


def states(cls: str) -> list[str]:
    """Descriptions of a resource of a class: bare, whole, and with each part of the whole alone or left out."""
    bare = f"{{d}} a {cls} . "
    parts = list(WHOLE.values())
    alone = [bare + part for part in parts]
    without = [bare + " ".join(part for part in parts if part is not left) for left in parts]
    return [bare, bare + " ".join(parts), *alone, *without]


@pytest.mark.parametrize("cls", MODELS)
def test_of_a_model_nothing_is_said_as_of_data(cls: str) -> None:
    wrong = {text for turtle in states(cls) for text in said(turtle) if OF_DATA.search(text) or BROKEN.search(text)}

    assert wrong == set()


def test_of_data_the_verbs_are_those_of_several() -> None:
    spoken = {text for turtle in states("dcat:Dataset") for text in said(turtle)}
    evidence = {
        text
        for each in EVIDENCE
        for spelling in each.spellings[:1]
        for text in said(f"{{d}} a dcat:Dataset . {spelling}")
    }

    assert {text for text in spoken | evidence if "the model" in text.lower() and "or model" not in text} == set()
    assert {text for text in spoken | evidence if BROKEN.search(text)} == set()


def test_words_for_one_and_for_several() -> None:
    assert (MODEL.first, MODEL.are, MODEL.do("have", "has")) == ("The model", "is", "has")
    assert (DATA.first, DATA.are, DATA.do("have", "has")) == ("The data", "are", "have")
    assert f"{METADATA} {METADATA.are}" == "the metadata are"
