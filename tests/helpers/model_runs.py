"""Runs whose jobs take a time that depends on their input, as tables of Flow-Bench."""

from __future__ import annotations

import math

import numpy as np

HEAD = ",execute_start,execute_end,runtime,stage_in_delay,kickstart_hostname,kickstart_transformations,stage_in_bytes\n"


def table(run: int, *, slow: int = -1, jobs: int = 12) -> str:
    """A run whose jobs take 20 s and 10 s for each gigabyte; one may take three times as long."""
    random, rows = np.random.default_rng(10 + run), [HEAD]
    for number in range(jobs):
        size = 10 ** random.uniform(8, 10.5) if number != slow else 1e9
        seconds = (20 + size * 1e-8) * math.exp(random.normal(0, 0.03)) * (3 if number == slow else 1)
        begin = 1_600_000_000 + 10_000 * run + 50 * number
        rows.append(f"map_{run}_{number},{begin},{begin + seconds},{seconds},0,n{number % 4},map,{size:.0f}\n")
    return "".join(rows)
