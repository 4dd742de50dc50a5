"""The regular expressions of shapes, matched in a time that the text's length bounds.

Python's engine tries one way after the other: for "(a+)+$" and forty letters that takes years, and nothing stops it.
The store's engine goes through a text once, but takes longer to begin; so it is asked where Python might be slow.

Source: SPARQL 1.1 Query Language, section 17.4.3.14, which SHACL, section 4.4.3, refers to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from pyoxigraph import Store

from hpc_explorer.rdf.terms import Literal

_LONG = 1_000
"""Characters of a text up to which one repeat costs Python no more than a hundredth of a second."""

_VARIABLE_REPEAT = re.compile(r"(?<!\()[*+?]|\{\d*,\d*\}")
_REPEATED_GROUP = re.compile(r"\)[*+?{]")


class PatternFault(ValueError):
    """The text is no regular expression, or one that might be matched for years."""


@dataclass(frozen=True)
class Pattern:
    """A regular expression.

    Args:
        text: as it is written, with its flags before it: `(?i)^a`.
        python: as Python has it.
        repeats: whether a part of it may stand there any number of times.
        quick: whether Python is quick with it, as long as the text is short.
    """

    text: str
    python: re.Pattern[str]
    repeats: bool
    quick: bool

    def is_found_in(self, text: str) -> bool:
        """Whether some part of a text matches."""
        if not self.repeats or (self.quick and len(text) <= _LONG):
            return self.python.search(text) is not None
        return _asked(f"FILTER(REGEX({Literal(text)}, {Literal(self.text)}))")


@lru_cache(maxsize=1_024)
def pattern_of(text: str) -> Pattern:
    """A text as a regular expression.

    Raises:
        PatternFault: it is none, or has repeats beside what only Python knows (a look ahead, the same text once more).
    """
    try:
        python = re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternFault(f"“{text}” is no regular expression ({error})") from None
    variable = len(_VARIABLE_REPEAT.findall(text))
    repeats = variable > 0 or _REPEATED_GROUP.search(text) is not None
    if repeats and not _asked(f'BIND(REGEX("", {Literal(text)}) AS ?found) FILTER(BOUND(?found))'):
        raise PatternFault(f"“{text}” might be matched for years: write it without looking around or back")
    return Pattern(text, python, repeats, variable == 1 and _REPEATED_GROUP.search(text) is None)


def _asked(pattern: str) -> bool:
    return bool(_engine().query(f"ASK {{ {pattern} }}"))


@cache
def _engine() -> Store:
    return Store()
