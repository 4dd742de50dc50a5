"""The 47 indicators, read from the table in this folder.

Source: Lin et al. 2022, Table II: the 41 maturity indicators of the RDA (doi:10.15497/rda00050) and the 17 metrics of
F-UJI (version 0.4, doi:10.5281/zenodo.4081213), of which 11 are the same. The texts are our own.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from hpc_explorer.fair.values import Action, Decider, Indicator, Principle, Priority, Target

SUBPRINCIPLES = {
    "F1": "identifiers",
    "F2": "rich metadata",
    "F3": "metadata names the data",
    "F4": "can be found",
    "A1": "can be reached",
    "A1.1": "open protocol",
    "A1.2": "protocol with logins",
    "A2": "metadata stay",
    "I1": "formal language",
    "I2": "FAIR vocabularies",
    "I3": "qualified links",
    "R1": "attributes for reuse",
    "R1.1": "licence",
    "R1.2": "provenance",
    "R1.3": "community standards",
}
"""The topic of each subprinciple."""


def _read() -> tuple[Indicator, ...]:
    table = files("hpc_explorer.fair").joinpath("indicators.csv").read_text(encoding="utf-8")
    return tuple(
        Indicator(
            id=row["rda_id"] or row["fuji_id"],
            rda_id=row["rda_id"],
            fuji_id=row["fuji_id"],
            principle=Principle(row["principle"]),
            subprinciple=row["subprinciple"],
            target=Target(row["target"]),
            priority=Priority(row["priority"]),
            text=row["text"],
            decider=Decider[row["decider"]],
            action=Action[row["action"]],
            test=row["test"],
        )
        for row in csv.DictReader(table.splitlines())
    )


INDICATORS: tuple[Indicator, ...] = _read()
"""All indicators, in the order of Table II."""


@cache
def _by_name() -> Mapping[str, Indicator]:
    names: Iterable[tuple[str, Indicator]] = (
        (name, each) for each in INDICATORS for name in (each.id, each.rda_id, each.fuji_id, each.test) if name
    )
    return dict(names)


def indicator(name: str) -> Indicator:
    """The indicator with this name: the RDA's, F-UJI's, or that of its test.

    Raises:
        KeyError: unknown name.
    """
    return _by_name()[name]
