"""The scorer of NAB, on cases of NAB's own tests and of its published results."""

import numpy as np
import pytest

from tests.helpers.nab import STANDARD, Profile, file_score, place_score, probation, shown_score

EVEN = Profile(1.0, 1.0, 1.0)


def alarms(number: int, *places: int) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    found = np.zeros(number, bool)
    found[list(places)] = True
    return found


@pytest.mark.parametrize(("points", "ignored"), [(100, 15), (4032, 604), (5000, 750), (18050, 750)])
def test_the_probation_is_15_percent_and_at_most_750_points(points: int, ignored: int) -> None:
    assert probation(points) == ignored


def test_an_alarm_is_worth_less_the_later_it_comes() -> None:
    """The values are those of NAB's documentation."""
    assert place_score(-1) == pytest.approx(0.98661, abs=1e-5)
    assert place_score(-0.5) == pytest.approx(0.84828, abs=1e-5)
    assert place_score(0) == 0
    assert place_score(1) == pytest.approx(-0.98661, abs=1e-5)
    assert place_score(3) == -1


def test_no_alarm_costs_each_window_and_no_window_costs_nothing() -> None:
    assert file_score(alarms(10), [], 0, EVEN) == 0
    assert file_score(alarms(100), [(10, 19), (50, 59)], 0, EVEN) == -2
    assert file_score(alarms(100), [(10, 19)], 0, Profile(1, 0.055, 2)) == -2
    assert file_score(alarms(100, 0), [], 0, Profile(1, 2, 0.5)) == -2


def test_right_further_and_false_alarms_and_a_missed_window() -> None:
    """A case of NAB's tests: two windows of five points; two alarms in the first, one shortly after it."""
    score = file_score(alarms(100, 32, 33, 39), [(32, 36), (65, 69)], 0, EVEN)
    assert score == pytest.approx(-0.9540, abs=1e-4)


def test_alarms_of_the_probation_do_not_count() -> None:
    assert file_score(alarms(100, 3, 40), [(35, 44)], 15) == pytest.approx(place_score(-0.5) / place_score(-1))


def test_published_results_of_the_random_cut_forest_and_the_windowed_gaussian() -> None:
    """Their scores for files in which the places of all alarms follow from the published counts."""
    # cpu_utilization_asg_misconfiguration: one alarm, before the window, which is missed.
    assert file_score(alarms(18050, 9000), [(16551, 18049)], 750) == pytest.approx(-1.11)
    # ec2_cpu_utilization_c6585a: 12 alarms, no window.
    assert file_score(alarms(4032, *range(1000, 1012)), [], 604) == pytest.approx(-1.32)


def test_the_shown_score_is_0_without_alarms_and_100_for_the_best_ones() -> None:
    assert shown_score(-116, 116) == 0
    assert shown_score(116, 116) == 100
    # The windowed Gaussian: the published raw score of all 58 files, and the published score.
    assert shown_score(-24.0131054891, 116, STANDARD) == pytest.approx(39.6, abs=0.06)
