"""Interpretations of the paper where it contradicts itself.

Table II marks eleven indicators that both the RDA and F-UJI have, and section III-A says that F-UJI's result decides
them. Its section VI then counts 39 points, for which a person's answer decides two of those eleven, and for which
FsF-I1-02M passes although the same section says that it does not.
"""

from __future__ import annotations

from dataclasses import dataclass

from hpc_explorer.fair.indicators import INDICATORS


@dataclass(frozen=True)
class Reading:
    """One interpretation of the paper.

    Args:
        note: its effect and purpose.
        automatic: indicators that tests decide despite an answer, unless the test is undecided.
    """

    name: str
    title: str
    note: str
    automatic: frozenset[str] = frozenset()


_VOCABULARIES = "FsF-I1-02M"
_STARRED = frozenset(indicator.id for indicator in INDICATORS if indicator.is_shared)

HYBRID = Reading(
    "hybrid",
    "As the paper counts",
    "A person's answer wins over the test if it has a reason. So the paper comes to 39 of 47 for XPlacer, though its"
    " text says that FsF-I1-02M (known vocabularies) is not fulfilled.",
)
LITERAL = Reading(
    "literal",
    "As the paper says",
    "The test alone decides FsF-I1-02M (known vocabularies), which the paper's text calls not fulfilled for XPlacer:"
    " 38 of 47. All else as the paper counts.",
    frozenset({_VOCABULARIES}),
)
AUTOMATIC_STARS = Reading(
    "automatic-stars",
    "Tests decide what both lists have",
    "The tests alone decide the eleven indicators that the RDA and F-UJI share, as section III-A has it, and"
    " FsF-I1-02M. For XPlacer that is 40 of 47: two on community standards pass that the paper's authors answered"
    " as in implementation.",
    _STARRED | {_VOCABULARIES},
)

READINGS = (HYBRID, LITERAL, AUTOMATIC_STARS)
"""All readings, the default first."""


def reading(name: str) -> Reading:
    """The reading with this name.

    Raises:
        KeyError: unknown name.
    """
    return _BY_NAME[name]


_BY_NAME = {one.name: one for one in READINGS}
