"""The table of indicators is Table II: 47, each with a test of its own."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from hpc_explorer.fair.checks import checks
from hpc_explorer.fair.indicators import INDICATORS, indicator
from hpc_explorer.fair.values import Decider, Priority

FAIR = Path(__file__).resolve().parents[4] / "shared/data/fair"


def test_there_are_47_and_11_are_shared() -> None:
    assert len(INDICATORS) == len({each.id for each in INDICATORS}) == len({each.test for each in INDICATORS}) == 47
    assert Counter(each.principle.value for each in INDICATORS) == {"F": 8, "A": 13, "I": 14, "R": 12}
    assert sum(bool(each.rda_id) for each in INDICATORS) == 41
    assert sum(bool(each.fuji_id) for each in INDICATORS) == 17
    assert sum(each.is_shared for each in INDICATORS) == 11
    assert all((each.priority is Priority.NONE) is (not each.rda_id) for each in INDICATORS)


def test_38_need_nobody_7_are_confirmed_and_2_are_asked() -> None:
    assert sum(each.decider.is_automatic for each in INDICATORS) == 38
    assert sum(each.decider is Decider.CONFIRMED for each in INDICATORS) == 7
    assert sum(each.decider is Decider.ASKED for each in INDICATORS) == 2


def test_each_has_a_test() -> None:
    assert checks().keys() == {each.test for each in INDICATORS}


def test_an_indicator_is_found_by_each_of_its_names() -> None:
    for each in INDICATORS:
        for name in filter(None, (each.id, each.rda_id, each.fuji_id, each.test)):
            assert indicator(name) is each


def test_the_table_is_the_paper_s() -> None:
    if not FAIR.is_dir():
        pytest.skip(f"the collected tables are not at {FAIR}")
    rows = list(csv.DictReader((FAIR / "hybrid47_tests.csv").read_text(encoding="utf-8").splitlines()))
    deciders = {"G": "GRAPH", "L": "LIST", "F": "FILE", "C": "CONFIRMED", "M": "ASKED"}
    for row, each in zip(rows, INDICATORS, strict=True):
        assert (row["rda_id"], row["fuji_id"]) == (each.rda_id, each.fuji_id)
        assert row["subprinciple"] == each.subprinciple
        assert row["principle"] == each.principle.value
        assert row["target"] == each.target.value
        assert row["priority"] == each.priority.value
        assert deciders[row["auto"]] == each.decider.name
        assert row["action"] == each.action.value
        assert bool(row["shared"]) is each.is_shared
