"""Autoregression of a series, and its fit by the Levinson-Durbin recursion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

MOST_LAGS = 72


@dataclass(frozen=True, eq=False)
class Autoregression:
    """x(t) - mean = sum of coefficients[k] (x(t-k-1) - mean) + noise.

    Args:
        coefficients: that of the last value first.
        deviation: the standard deviation of the noise.
    """

    mean: float
    coefficients: Array
    deviation: float

    @property
    def lags(self) -> int:
        """The number of earlier values that a prediction uses."""
        return len(self.coefficients)

    def deviations(self, steps: int) -> Array:
        """The standard deviation of the error of predictions 1 to `steps` steps ahead."""
        import numpy as np
        from scipy.signal import lfilter

        impulse = np.zeros(steps)
        impulse[0] = 1.0
        weights = lfilter([1.0], np.concatenate([[1.0], -self.coefficients]), impulse)
        result: Array = self.deviation * np.sqrt(np.cumsum(weights**2))
        return result


def autoregression(values: Array, *, most_lags: int = MOST_LAGS) -> Autoregression:
    """Fit an autoregression to a series without anomalies by the Levinson-Durbin recursion; BIC chooses the lags."""
    import numpy as np

    number = len(values)
    mean = float(np.mean(values)) if number else 0.0
    lags = max(0, min(most_lags, number // 4))
    covariances = autocovariances(values, lags)
    if lags == 0 or covariances[0] <= 0:
        return Autoregression(mean, np.array([]), math.sqrt(max(float(covariances[0]), 0.0)))
    best = Autoregression(mean, np.array([]), math.sqrt(float(covariances[0])))
    best_bic = number * math.log(covariances[0])
    coefficients, variance = np.array([]), float(covariances[0])
    for lag in range(1, lags + 1):
        reflection = (covariances[lag] - coefficients @ covariances[lag - 1 : 0 : -1][: lag - 1]) / variance
        coefficients = np.concatenate([coefficients - reflection * coefficients[::-1], [reflection]])
        variance *= 1 - reflection**2
        if variance <= 0:
            break
        bic = number * math.log(variance) + lag * math.log(number)
        if bic < best_bic:
            best_bic, best = bic, Autoregression(mean, coefficients, math.sqrt(variance))
    return best


def autocovariances(values: Array, lags: int) -> Array:
    """The autocovariances of lag 0 to `lags`, by a Fourier transform."""
    import numpy as np

    number = len(values)
    if not number:
        return np.zeros(lags + 1)
    size = 1 << (2 * number - 1).bit_length()
    spectrum = np.fft.rfft(values - np.mean(values), size)
    result: Array = np.fft.irfft(np.abs(spectrum) ** 2, size)[: lags + 1] / number
    return result
