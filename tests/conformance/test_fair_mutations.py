"""Evidence moves the indicators that read it and no others; what is said of another dataset moves none."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import chain

import pytest

from hpc_explorer.fair.assessment import assess
from hpc_explorer.fair.checks import checks
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.indicators import INDICATORS, indicator
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS
from hpc_explorer.fair.values import Verdict
from hpc_explorer.rdf.terms import Quad
from tests.helpers.fair_evidence import ACCESSIBLE, FINDABLE, LICENCE
from tests.helpers.fair_mutations import BARE, PREFIXES, WHEN, Evidence, assessed, changed, store_with, whole_without
from tests.helpers.graphs import ex, store_of

EVIDENCE: tuple[Evidence, ...] = (*FINDABLE, *ACCESSIBLE, *LICENCE)

SUFFICIENT = frozenset(each.id for each in INDICATORS if each.subprinciple[0] in "FA" or each.subprinciple == "R1.1")
"""The indicators whose evidence is all that they look at. Those that count how much of a description is known, or
how many of its values have units, look at the rest as well."""

ROWS = [(each, spelling) for each in EVIDENCE for spelling in each.spellings]

every_spelling = pytest.mark.parametrize(
    ("evidence", "spelling"), ROWS, ids=[f"{number} {each.name}" for number, (each, _) in enumerate(ROWS)]
)


@every_spelling
def test_evidence_alone_moves_what_reads_it(evidence: Evidence, spelling: str) -> None:
    assert changed(BARE, f"{BARE}\n{spelling}") == evidence.alone


@every_spelling
def test_evidence_that_was_missing_moves_what_reads_it(evidence: Evidence, spelling: str) -> None:
    without = whole_without(evidence.instead_of)

    assert changed(without, f"{without}\n{spelling}") == evidence.whole


# How a decoy stands to the dataset: linked to in the base graph, and as nodes without a name that are datasets.
DECOYS = {
    "a dataset it links to": "{it}",
    "a dataset it was made from": "ex:d prov:wasDerivedFrom ex:source . ex:source a dcat:Dataset . {it}",
    "a dataset of the same activity": "ex:run prov:used ex:source ; prov:generated ex:another . {it}",
}


@every_spelling
def test_what_is_said_of_another_dataset_moves_nothing(evidence: Evidence, spelling: str) -> None:
    decoy = spelling.replace("{d}", "ex:other").replace("ex:file", "ex:other-file").replace("ex:s ", "ex:other-s ")
    without = whole_without(evidence.instead_of)

    assert not changed(without, f"{without}\n{decoy}")
    assert not changed(BARE, f"{BARE}\n{decoy}")


def test_there_are_enough_mutations() -> None:
    assert 3 * len(ROWS) >= 200
    assert len(set(chain.from_iterable(each.spellings for each in EVIDENCE))) == len(ROWS)


@every_spelling
def test_the_evidence_of_a_finding_is_enough_for_it(evidence: Evidence, spelling: str) -> None:
    """A graph of nothing but the evidence gives the same verdict, so nothing that decided is left unsaid."""
    for finding in assessed(f"{BARE}\n{spelling}").findings:
        if finding.indicator in SUFFICIENT and finding.verdict in (Verdict.PASS, Verdict.PARTIAL):
            assert verdict_by(finding.indicator, finding.evidence) is finding.verdict, finding


@cache
def verdict_by(name: str, quads: Collection[Quad]) -> Verdict:
    """The verdict of one test in a graph of these statements."""
    return checks()[indicator(name).test](subject_of(store_with(quads), ex("d")), NO_SURROUNDINGS).verdict


def test_without_its_evidence_nothing_passes() -> None:
    """Whatever passes ceases to when the statements that prove it are taken away, as often as others take their place."""
    quads = frozenset(subject_of(store_of(PREFIXES + whole_without().replace("{d}", "ex:d")), ex("d")).all_quads())
    for finding in assessed(whole_without()).findings:
        left = quads
        while finding.indicator in SUFFICIENT and finding.verdict is Verdict.PASS:
            assert finding.evidence, f"{finding.indicator} passes without evidence"
            assert left.issuperset(finding.evidence)
            left -= frozenset(finding.evidence)
            again = assess(subject_of(store_with(left), ex("d")), when=WHEN)
            finding = again.finding(finding.indicator)
