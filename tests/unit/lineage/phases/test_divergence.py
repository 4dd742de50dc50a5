"""Where a series goes wrong: at what is not finite, and where a loss turns upwards for good; noise and flat ends do not count."""

import math
import statistics

from hypothesis import assume, given
from hypothesis import strategies as st

from hpc_explorer.lineage.phases.divergence import BLOCKS, ERRORS, RISE, Divergence, first_divergence, should_fall

FALLING = [1.0 - number / 1_000 for number in range(600)]
NOISE = [0.02 * math.sin(7.3 * number) for number in range(600)]


def test_a_falling_loss_with_noise_goes_wrong_nowhere() -> None:
    noisy = [fall + noise for fall, noise in zip(FALLING, NOISE, strict=True)]
    assert first_divergence(noisy, should_fall=True) is None
    assert first_divergence([0.5 + noise for noise in NOISE], should_fall=True) is None


def test_a_loss_rises_from_the_end_of_its_lowest_block() -> None:
    numbers = [*FALLING, *(0.4 + number / 500 for number in range(600))]
    found = first_divergence(numbers, should_fall=True)
    assert found is not None
    assert found.what == "rises"
    assert abs(found.position - 600) <= len(numbers) // BLOCKS
    assert first_divergence(numbers, should_fall=False) is None


def test_what_is_not_finite_is_found_whatever_the_number_means() -> None:
    for broken in (math.nan, math.inf, -math.inf):
        for falls in (True, False):
            assert first_divergence([*FALLING[:40], broken, 0.1], should_fall=falls) == Divergence(40, "not finite")


def test_the_first_of_both_counts() -> None:
    rising = [*FALLING, *(0.4 + number / 500 for number in range(600))]
    found = first_divergence([*rising, math.nan], should_fall=True)
    assert found is not None
    assert found.what == "rises"


def test_one_number_is_no_trend() -> None:
    assert first_divergence([], should_fall=True) is None
    assert first_divergence([0.5], should_fall=True) is None


def test_losses_and_errors_are_meant_to_fall() -> None:
    assert all(map(should_fall, ("batch_loss", "Loss", "mean squared error", "RMSE")))
    assert not any(map(should_fall, ("accuracy", "learning_rate")))


@given(st.lists(st.integers(0, 9) | st.integers(40, 49), min_size=2, max_size=130))
def test_a_rise_is_one_of_the_last_block_over_the_lowest(numbers: list[int]) -> None:
    length = max(1, len(numbers) // BLOCKS)
    blocks = [numbers[at : at + length] for at in range(0, len(numbers) - length + 1, length)]
    means = [statistics.fmean(block) for block in blocks]
    lowest, last = min(means), means[-1]
    error = 0.0
    if length > 1:
        pooled = statistics.fmean(statistics.variance(block) for block in blocks)
        error = math.sqrt(2 * pooled / length)
    least = max(RISE * lowest, ERRORS * error)
    assume(abs(last - lowest - least) > 1e-9 or least == 0)
    rises = last > lowest and last - lowest >= least
    expected = Divergence((means.index(lowest) + 1) * length, "rises") if rises else None
    assert first_divergence(numbers, should_fall=True) == expected


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True, width=32), max_size=120), st.booleans())
def test_a_place_is_one_of_the_series(numbers: list[float], falls: bool) -> None:
    found = first_divergence(numbers, should_fall=falls)
    finite = all(map(math.isfinite, numbers))
    assert found is None or 0 <= found.position < len(numbers)
    assert finite or found is not None
    if found is not None and found.what == "not finite":
        assert not math.isfinite(numbers[found.position])
