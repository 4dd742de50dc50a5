"""Times in words have the moments that a calendar gives them."""

from __future__ import annotations

from datetime import date

import pytest

from hpc_explorer.language.periods import Clock, PartPeriod, Period, times
from hpc_explorer.language.words import sentence_tokens


def _read(text: str) -> object:
    """The time that a whole text is; None if it is none, or only its beginning is one."""
    tokens = sentence_tokens(text)
    found = [time for end, time, _ in times(tokens, 0) if end == len(tokens)]
    return found[0] if found else None


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("23 May 2016", "2016-05-23", "2016-05-24"),
        ("the", "", ""),
        ("1st of March 2021", "2021-03-01", "2021-03-02"),
        ("March 3, 2021", "2021-03-03", "2021-03-04"),
        ("March 2021", "2021-03-01", "2021-04-01"),
        ("December 2021", "2021-12-01", "2022-01-01"),
        ("2021", "2021-01-01", "2022-01-01"),
        ("Q4 2021", "2021-10-01", "2022-01-01"),
        ("third quarter of 2021", "2021-07-01", "2021-10-01"),
        ("first week of August 2020", "2020-08-01", "2020-08-08"),
        ("last week of February 2024", "2024-02-23", "2024-03-01"),
        ("second half of October 2020", "2020-10-16", "2020-11-01"),
        ("first half of 2020", "2020-01-01", "2020-07-01"),
        ("last day of February 2024", "2024-02-29", "2024-03-01"),
        ("beginning of March 2021", "2021-03-01", "2021-03-01"),
        ("end of March 2021", "2021-04-01", "2021-04-01"),
        ("2023-03-31T18:00:00+02:00", "2023-03-31T16:00:00+00:00", "2023-03-31T16:00:01+00:00"),
        ("2023-03-31 18:00", "2023-03-31T18:00:00+00:00", "2023-03-31T18:00:01+00:00"),
        ("2023-03-31 01:00 +02:00", "2023-03-30T23:00:00+00:00", "2023-03-30T23:00:01+00:00"),
        ("31 March 2023 at 4 pm", "2023-03-31T16:00:00+00:00", "2023-03-31T16:00:01+00:00"),
        ("31 March 2023 noon", "2023-03-31T12:00:00+00:00", "2023-03-31T12:00:01+00:00"),
    ],
)
def test_times(text: str, first: str, after: str) -> None:
    assert _read(text) == (Period(first, after) if first else None)


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("today", "2026-03-31", "2026-04-01"),
        ("yesterday", "2026-03-30", "2026-03-31"),
        ("this week", "2026-03-30", "2026-04-06"),
        ("last week", "2026-03-23", "2026-03-30"),
        ("last month", "2026-02-01", "2026-03-01"),
        ("this quarter", "2026-01-01", "2026-04-01"),
        ("last quarter", "2025-10-01", "2026-01-01"),
        ("this year", "2026-01-01", "2027-01-01"),
        ("previous year", "2025-01-01", "2026-01-01"),
        ("past month", "2026-02-28", "2026-04-01"),
        ("last 7 days", "2026-03-24", "2026-04-01"),
        ("past ten years", "2016-03-31", "2026-04-01"),
        ("two years ago", "2024-01-01", "2025-01-01"),
        ("a month ago", "2026-02-01", "2026-03-01"),
        ("3 weeks ago", "2026-03-09", "2026-03-16"),
        ("last runs", "", ""),
        ("two years", "", ""),
    ],
)
def test_times_that_depend_on_today(text: str, first: str, after: str) -> None:
    tokens = sentence_tokens(text)
    found = [time for end, time, _ in times(tokens, 0, today=date(2026, 3, 31)) if end == len(tokens)]
    assert found == ([Period(first, after)] if first else [])


@pytest.mark.parametrize(
    "text", ["31 February 2021", "fifth week of March 2021", "40th", "25:00", "13 pm", "third half of 2021"]
)
def test_what_no_calendar_has(text: str) -> None:
    assert _read(text) is None


def test_parts_of_times() -> None:
    assert _read("17th") == PartPeriod(None, 17)
    assert _read("March") == PartPeriod(3)
    assert _read("17 March") == PartPeriod(3, 17)
    assert _read("08:10") == Clock("08:10:00")


def test_a_part_is_completed_by_another_time() -> None:
    march = Period("2021-03-20", "2021-03-21")
    assert PartPeriod(None, 17).within(march) == Period("2021-03-17", "2021-03-18")
    assert PartPeriod(1).within(march) == Period("2021-01-01", "2021-02-01")
    assert PartPeriod(None, 30).within(Period("2021-02-20", "2021-02-21")) is None
    assert PartPeriod(None, 17).within(Period("2021-01-01", "2022-01-01")) is None
