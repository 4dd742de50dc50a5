"""Plurals, numbers of things, and times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from hpc_explorer.wording import counted, plural, time_text


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("row", "rows"),
        ("epoch", "epochs"),
        ("batch", "batches"),
        ("class", "classes"),
        ("activity", "activities"),
        ("key", "keys"),
        ("person", "people"),
        ("dataset (from 2021)", "datasets (from 2021)"),
    ],
)
def test_plurals(noun: str, expected: str) -> None:
    assert plural(noun) == expected


@pytest.mark.parametrize(("number", "text"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1200, "1,200 rows")])
def test_a_number_of_things(number: int, text: str) -> None:
    assert counted(number, "row") == text


def test_times_are_shown_in_utc() -> None:
    berlin = timezone(timedelta(hours=2))
    assert time_text(datetime(2023, 4, 5, 18, 0, tzinfo=berlin)) == "2023-04-05 16:00:00"
    assert time_text(datetime(2023, 4, 5, 18, 0, 0, 250_000, tzinfo=UTC)) == "2023-04-05 18:00:00.250"
    assert time_text(datetime(2023, 4, 5, 18, 0)) == "2023-04-05 18:00:00"  # noqa: DTZ001
