"""Evidence of I, R1, R1.2 and R1.3 moves the indicators that read it and no others; another dataset's moves none."""

from __future__ import annotations

import re

import pytest

from hpc_explorer.fair.assessment import assess
from hpc_explorer.fair.checks import checks
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.indicators import INDICATORS, indicator
from hpc_explorer.fair.known_terms import is_known_whole
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS
from hpc_explorer.fair.values import Verdict
from hpc_explorer.rdf.namespaces import WELL_KNOWN
from tests.helpers.fair_evidence_data import BASE, EVIDENCE, OTHERS, Told
from tests.helpers.fair_mutations import PREFIXES, WHEN, store_with, verdicts
from tests.helpers.graphs import ex, store_of

# R1-01M counts attributes, whichever they are, and a person confirms it: nearly all evidence moves it.
JUDGED = frozenset(
    each.id
    for each in INDICATORS
    if each.subprinciple[0] == "I" or (each.subprinciple in ("R1", "R1.2", "R1.3") and each.id != "RDA-R1-01M")
)
NOT_OFFLINE = {"RDA-R1.3-02M", "RDA-R1.3-02D"}
"""Those that need shapes or a local table; tests/unit/fair/checks has them."""

GRAPH = f"{BASE} {OTHERS}"
LINKED = f"{GRAPH} {{d}} dcterms:relation ex:o . ex:run a hpc:Experiment ."
ROWS = [(each, spelling) for each in EVIDENCE for spelling in each.spellings]
every_spelling = pytest.mark.parametrize(
    ("told", "spelling"), ROWS, ids=[f"{each.name}: {spelling}" for each, spelling in ROWS]
)


def moved(before: str, after: str) -> frozenset[str]:
    old, new = verdicts(before), verdicts(after)
    return frozenset(name for name in JUDGED if old[name] is not new[name])


@every_spelling
def test_evidence_moves_what_reads_it_and_its_absence_moves_it_back(told: Told, spelling: str) -> None:
    assert moved(GRAPH, f"{GRAPH} {spelling}") == told.moves


@every_spelling
def test_what_is_said_of_another_dataset_moves_nothing(told: Told, spelling: str) -> None:
    decoy = spelling.replace("{d}", "ex:o").replace("ex:file", "ex:o-file").replace("ex:row", "ex:o-row")

    assert not moved(LINKED, f"{LINKED} {decoy}")


@every_spelling
def test_what_passes_ceases_to_without_the_evidence_it_names(told: Told, spelling: str) -> None:
    subject = subject_of(store_of(PREFIXES + f"{GRAPH} {spelling}".replace("{d}", "ex:d")), ex("d"))
    quads = frozenset(subject.all_quads())
    for finding in assess(subject, when=WHEN).findings:
        # What the general terms of the base pass already is not this evidence's doing.
        if finding.indicator in told.moves - {"RDA-I2-01D"} and finding.verdict is Verdict.PASS:
            assert finding.evidence
            left = subject_of(store_with(quads.difference(finding.evidence)), ex("d"))
            again = checks()[indicator(finding.indicator).test](left, NO_SURROUNDINGS)
            assert again.verdict is not Verdict.PASS, finding


def test_every_indicator_that_the_graph_decides_is_moved() -> None:
    always = {"RDA-I1-01M", "FsF-I1-01M"}  # whatever is said of it, is said in RDF
    standard = {"RDA-R1.3-01M"}  # the base is in DCAT already
    judged = {name for name in JUDGED if indicator(name).decider.is_automatic}

    assert frozenset().union(*(each.moves for each in EVIDENCE)) >= judged - always - standard - NOT_OFFLINE


@pytest.mark.parametrize(
    ("turtle", "before", "after"),
    [
        ("{d} rdfs:label 'x' .", "fail", "fail"),
        ("{d} dcterms:title 'x' .", "fail", "pass"),
        ("{d} hpc:name 'x' .", "fail", "pass"),
        ("{d} dcterms:conformsTo <https://w3id.org/ro/crate/1.1> .", "fail", "pass"),
        ("{d} skos:notation 'x' .", "fail", "fail"),
        ("ex:o dcterms:title 'x' .", "fail", "fail"),
    ],
)
def test_a_standard_is_told_by_its_terms(turtle: str, before: str, after: str) -> None:
    bare = "{d} rdfs:seeAlso ex:o ."

    assert verdicts(bare)["RDA-R1.3-01M"].value == before
    assert verdicts(f"{bare} {turtle}")["RDA-R1.3-01M"].value == after


def test_nothing_said_is_nothing_passed() -> None:
    found = verdicts("ex:o dcterms:title 'x' .")

    assert not [name for name in JUDGED if found[name] in (Verdict.PASS, Verdict.PARTIAL)]


# Slips of the pen: the same evidence, with a letter too much in each term of a vocabulary that is known whole.

_TERM = re.compile(r"(?<![\w<:/#\"'])([a-z]\w*):([A-Za-z]\w+)")
_NO_TERMS = re.compile(r"(\"[^\"]*\"|'[^']*'|<[^>]*>|\^\^\S+)")
_NAMESPACES = {**WELL_KNOWN, **dict(re.findall(r"@prefix (\w+): <([^>]+)>", PREFIXES))}


def misspelt(turtle: str) -> str | None:
    """The turtle with an x after each of its terms; None where it has one of a vocabulary that is not known whole."""
    parts = _NO_TERMS.split(turtle)
    for place in range(0, len(parts), 2):
        if {found[1] for found in _TERM.finditer(parts[place])} - _KNOWN_WHOLE - {"ex"}:
            return None
        parts[place] = _TERM.sub(lambda found: found[0] if found[1] == "ex" else f"{found[0]}x", parts[place])
    return "".join(parts)


_KNOWN_WHOLE = {prefix for prefix, namespace in _NAMESPACES.items() if is_known_whole(namespace)}
SLIPS = [slip for _, spelling in ROWS if (slip := misspelt(spelling)) is not None and slip != spelling]


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_of_the_pen_passes_nothing(slip: str) -> None:
    """What passes by these terms does not; that they are none lowers I1-02M, which counts them, and nothing else."""
    before, after = verdicts(GRAPH), verdicts(f"{GRAPH} {slip}")

    assert {name for name in JUDGED if before[name] is not after[name] and after[name] is Verdict.PASS} == set()
    assert moved(GRAPH, f"{GRAPH} {slip}") <= {"RDA-I1-02M"}


def test_most_of_the_evidence_is_in_terms_that_are_known_one_by_one() -> None:
    assert len(SLIPS) >= 60
