"""Regular expressions of shapes, matched in bounded time.

Python's engine backtracks: "(a+)+$" on forty letters runs for years and cannot be interrupted. The store's engine runs
in linear time but starts more slowly, so it is used only for patterns that may be slow in Python.

Source: SPARQL 1.1 Query Language, section 17.4.3.14, which SHACL, section 4.4.3, refers to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from pyoxigraph import Store

from hpc_explorer.rdf.terms import Literal

_LONG = 1_000
"""Longest text, in characters, for which one repeat takes Python at most 10 ms."""

_VARIABLE_REPEAT = re.compile(r"(?<!\()[*+?]|\{\d*,\d*\}")
_REPEATED_GROUP = re.compile(r"\)[*+?{]")


class PatternFault(ValueError):
    """The pattern is invalid, or matching may take unbounded time."""


@dataclass(frozen=True)
class Pattern:
    """A regular expression.

    Args:
        text: the pattern with its flags first: `(?i)^a`.
        python: the compiled pattern.
        repeats: whether it has an unbounded repeat.
        quick: whether Python matches it quickly on short texts.
    """

    text: str
    python: re.Pattern[str]
    repeats: bool
    quick: bool

    def is_found_in(self, text: str) -> bool:
        """Whether any part of a text matches."""
        if not self.repeats or (self.quick and len(text) <= _LONG):
            return self.python.search(text) is not None
        return _asked(f"FILTER(REGEX({Literal(text)}, {Literal(self.text)}))")


@lru_cache(maxsize=1_024)
def pattern_of(text: str) -> Pattern:
    """Compile a regular expression.

    Raises:
        PatternFault: it is invalid, or combines repeats with lookaround or backreferences.
    """
    try:
        python = re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternFault(f"“{text}” is not a regular expression ({error})") from None
    variable = len(_VARIABLE_REPEAT.findall(text))
    repeats = variable > 0 or _REPEATED_GROUP.search(text) is not None
    if repeats and not _asked(f'BIND(REGEX("", {Literal(text)}) AS ?found) FILTER(BOUND(?found))'):
        raise PatternFault(f"“{text}” may take unbounded time: remove lookaround and backreferences")
    return Pattern(text, python, repeats, variable == 1 and _REPEATED_GROUP.search(text) is None)


def _asked(pattern: str) -> bool:
    return bool(_engine().query(f"ASK {{ {pattern} }}"))


@cache
def _engine() -> Store:
    return Store()
