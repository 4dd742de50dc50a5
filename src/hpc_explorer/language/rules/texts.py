"""Rules for parts of texts: a name that contains a word, a licence that starts with one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.grammar import Grammar, RuleTable
from hpc_explorer.language.meaning import Has, Part
from hpc_explorer.query.model.conditions import TextTest

RULES = RuleTable()

_TESTS = {"starts": TextTest.STARTS, "ends": TextTest.ENDS, "contains": TextTest.CONTAINS}


@RULES.add("texttest", "text")
def test_text(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not set(gap) - {".", "the"}:
        yield "part", Part(_TESTS[left.meaning], f".{right.meaning}" if "." in gap else right.meaning), 0.0


@RULES.add("noun", "part")
def noun_part(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    steps = tuple(step for step in left.meaning if grammar.terms.leads_to_literal(step))
    if steps and not any(step.predicate in grammar.terms.numeric for step in steps):
        yield "con", (Has(steps, right.meaning),), 0.0
