"""The rules of the grammar, by what they are about."""

from hpc_explorer.language.rules import (
    amounts,
    comparisons,
    counts,
    lineage,
    negation,
    ordering,
    shares,
    superlatives,
    tables,
    texts,
    things,
    times,
)

RULES = tuple(
    one.RULES
    for one in (
        things,
        texts,
        lineage,
        amounts,
        times,
        negation,
        superlatives,
        comparisons,
        ordering,
        counts,
        shares,
        tables,
    )
)
