"""Follow lineage steps in the columns, many at once.

Statements, graphs and origins of a step come from the triples; the columns find connections faster, one level per scan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.layout import QUOTED, PredicateFacts

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[tuple[int], np.dtype[np.uint32]]


def can_walk(columns: Columns, vocabulary: LineageVocabulary, others: Iterable[NamedNode]) -> bool:
    """Whether the columns have every step: no qualified statements and no partly stored predicates.

    Args:
        others: further predicates to follow.
    """
    known = [columns.predicate(term) for term in (*vocabulary.direct, *others)]
    return not vocabulary.qualified and all(facts is None or QUOTED not in facts.kinds for facts in known)


class Upward:
    """All steps from some resources up to their origins.

    Attributes:
        effects, causes: the two ends of each step.
    """

    effects: Numbers
    causes: Numbers

    def __init__(
        self, columns: Columns, predicates: Mapping[NamedNode, bool], targets: str, *, limits: Limits = NO_LIMITS
    ) -> None:
        """Walk up.

        Args:
            predicates: those to follow, with whether the subject is the effect.
            targets: a SELECT of the numbers to begin with.
        """
        with columns.work(limits) as work:
            work.run(f"CREATE TEMP TABLE frontier AS SELECT DISTINCT id FROM ({targets}) AS t(id) WHERE id IS NOT NULL")
            work.run("CREATE TEMP TABLE seen AS FROM frontier")
            work.run("CREATE TEMP TABLE step (effect UINTEGER, cause UINTEGER)")
            steps = steps_up(columns, predicates)
            while steps and work.number("SELECT count(*) FROM frontier"):
                work.run(f"CREATE OR REPLACE TEMP TABLE found AS SELECT DISTINCT effect, cause FROM ({steps})")
                work.run("INSERT INTO step FROM found")
                work.run(
                    "CREATE OR REPLACE TEMP TABLE frontier AS "
                    "SELECT DISTINCT cause AS id FROM found WHERE cause NOT IN (FROM seen)"
                )
                work.run("INSERT INTO seen FROM frontier")
            self.effects, self.causes = work.arrays("SELECT effect, cause FROM step ORDER BY cause, effect")


def steps_up(columns: Columns, predicates: Mapping[NamedNode, bool], frontier: str = "frontier") -> str:
    """A SELECT of the steps up from a table of ids, as `effect` and `cause`; "" if there are none."""
    parts: list[str] = []
    known = [(facts, along) for term, along in predicates.items() if (facts := columns.predicate(term)) is not None]
    parts += _along([facts for facts, along in known if along and facts.links], frontier)
    parts += _against([facts for facts, along in known if not along and facts.links], frontier)
    return " UNION ALL ".join(parts)


def _along(predicates: Iterable[PredicateFacts], frontier: str) -> Iterable[str]:
    wide = [facts.column("o") for facts in predicates if facts.wide]
    if wide:
        # One scan for all columns.
        yield (
            f"SELECT effect, cause FROM (SELECT id AS effect, unnest([{', '.join(wide)}]) AS cause FROM node "
            f"WHERE id IN (SELECT id FROM {frontier})) WHERE cause IS NOT NULL"
        )
    rest = [str(facts.id) for facts in predicates if not facts.wide]
    if rest:
        yield _of_links("s AS effect, o AS cause", rest, "s", frontier)


def _against(predicates: Iterable[PredicateFacts], frontier: str) -> Iterable[str]:
    for facts in predicates:
        if facts.wide:
            column = facts.column("o")
            yield f"SELECT {column} AS effect, id AS cause FROM node WHERE {column} IN (SELECT id FROM {frontier})"
    rest = [str(facts.id) for facts in predicates if not facts.wide]
    if rest:
        yield _of_links("o AS effect, s AS cause", rest, "o", frontier)


def _of_links(ends: str, predicates: Iterable[str], effect: str, frontier: str) -> str:
    return f"SELECT {ends} FROM link WHERE p IN ({', '.join(predicates)}) AND {effect} IN (SELECT id FROM {frontier})"


def instances(columns: Columns, classes: Iterable[NamedNode], predicate: NamedNode) -> str:
    """A SELECT of the ids of resources with one of these classes as object of a predicate."""
    facts = columns.predicate(predicate)
    numbers = [str(number) for cls in classes if (number := columns.id_of(cls)) is not None]
    if facts is None or not numbers:
        return "SELECT CAST(NULL AS UINTEGER) WHERE false"
    if facts.wide:
        return f"SELECT id FROM node WHERE {facts.column('o')} IN ({', '.join(numbers)})"
    return f"SELECT s FROM link WHERE p = {facts.id} AND o IN ({', '.join(numbers)})"
