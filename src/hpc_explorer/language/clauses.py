"""The clauses of a workflow, and the arguments that their phrases give."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from hpc_explorer.language.expressions import (
    Call,
    ScriptOperation,
    leaf,
)
from hpc_explorer.language.meaning import Has, Thing
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.language.words import SentenceToken, stem, word_set
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode

Item: TypeAlias = "str | NamedNode"
"""A column by its name, or the columns about a concept."""

Items = tuple[Item, ...]
Condition: TypeAlias = "tuple[Item, str, str | float | int]"
"""A column, a sign such as ">=" and a value."""

_LATER = frozenset(
    map(
        stem,
        word_set(
            "merge combine join append concatenate convert turn change normalize normalise encode multiply "
            "sort order arrange rank filter keep drop remove delete rename save store write run apply count "
            "average sum aggregate take pull select extract get show fetch limit put return list group"
        ),
    )
)
_BREAKS = frozenset(("then", "afterwards", "subsequently", "finally", "next", "thereafter", ";"))
_DATA = (HPC.Dataset, HPC.File, HPC.Data)
_NO_TABLES = (HPC.Software, HPC.AIModel, HPC.Workflow)


@dataclass(frozen=True)
class Picked:
    """A table, or columns of one.

    Args:
        source: a dataset described in words, or an expression.
        columns: the columns that are kept; empty: all.
        without: whether the columns are those that are left out.
        conditions: of the rows.
    """

    source: Thing | Call
    columns: Items = ()
    without: bool = False
    conditions: tuple[Condition, ...] = ()


@dataclass
class Slots:
    """The arguments of one clause.

    Args:
        number: of rows.
        amount: a number that the words around it do not call a number of rows.
    """

    tables: list[Picked] = field(default_factory=list)
    columns: list[Items] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    group: Items = ()
    format: str = ""
    texts: list[str] = field(default_factory=list)
    number: int | None = None
    amount: int | None = None
    aggregate: str = ""
    operations: list[str] = field(default_factory=list)
    scripts: list[ScriptOperation] = field(default_factory=list)
    is_descending: bool | None = None


def is_data(thing: Thing, terms: GraphTerms) -> bool:
    """Whether a thing is a dataset or a file, which may hold a table."""
    if any(isinstance(one, Has) and one.steps[0].predicate == HPC.column for one in thing.constraints):
        # "… and the columns a and b" picks columns; it does not describe the dataset.
        return False
    classes = thing.classes or tuple(terms.classes_of(thing.resources))
    data = terms.at_or_below(_DATA) - terms.at_or_below(_NO_TABLES)
    return any(cls in data for cls in classes)


def file_leaf(name: str) -> Call:
    """The leaf of a file by its ending."""
    ending = name.rpartition(".")[2].lower()
    return leaf({"csv": "csvFile", "tsv": "csvFile", "json": "jsonFile"}.get(ending, "logFile"), name)


def break_words(words: Sequence[str]) -> frozenset[int]:
    """The places of words that only lead from one clause to the next: "then", "after that"."""
    found = {at for at, word in enumerate(words) if word in _BREAKS}
    for at, pair in enumerate(pairwise(words)):
        if pair in (("after", "that"), ("after", "this")):
            found |= {at, at + 1}
    return frozenset(found)


def clauses(tokens: Sequence[SentenceToken], words: Sequence[str], begun: Container[int]) -> list[tuple[int, int]]:
    """The clauses of a sentence: the spans between "then", a semicolon, or "and" before an operation.

    Args:
        words: the keys of the tokens.
        begun: the places where the name of a script begins, which may be a verb.
    """
    breaks = break_words(words)
    cuts = [0]
    for at, token in enumerate(tokens[:-1]):
        if stem(words[cuts[-1]]) == "group" and token.text not in ".;":
            # "Group by A and sum B" is one operation.
            continue
        is_joined = words[at] in ("and", ",") and (at + 1 in begun or stem(words[at + 1]) in _LATER)
        # "The X, Y and Z" is a list; a full stop within a sentence begins a new one. "By A, then by B" is one order.
        if at and (is_joined or token.text == "." or (at in breaks and words[at + 1] != "by")):
            cuts.append(at + 1)
    cuts.append(len(tokens))
    spans = [(start, end) for start, end in pairwise(cuts) if end > start]
    return [
        span
        for span in spans
        if any(at not in breaks and words[at] != "and" and tokens[at].text not in ",.;" for at in range(*span))
    ]
