"""The tests of R1.1: what they say where several files have licences, or some have none."""

from __future__ import annotations

import pytest

from hpc_explorer.fair.checks import checks
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.indicators import indicator
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS
from hpc_explorer.fair.values import Finding, Verdict
from tests.helpers.fair_mutations import PREFIXES
from tests.helpers.graphs import ex, store_of

CC_BY = "dcterms:license <https://creativecommons.org/licenses/by/4.0/>"
A = "ex:d dcat:distribution ex:a . ex:a a dcat:Distribution"
B = "ex:d dcat:distribution ex:b . ex:b a dcat:Distribution ; dcat:downloadURL <https://lab.eu/files/b.csv>"


def finding(name: str, turtle: str) -> Finding:
    subject = subject_of(store_of(PREFIXES + turtle), ex("d"))
    return checks()[indicator(name).test](subject, NO_SURROUNDINGS)


@pytest.mark.parametrize(
    ("turtle", "ending"),
    [
        (f"ex:d {CC_BY} . {A} . {B} .", "by/4.0/."),
        (f"{A} ; {CC_BY} .", "by/4.0/, of its distribution."),
        (f"{A} ; {CC_BY} . {B} ; {CC_BY} .", "by/4.0/, of each distribution."),
        (f"{A} ; {CC_BY} . {B} .", "by/4.0/, of 1 of 2 distributions; b.csv states none."),
        (f"{B} ; {CC_BY} . {A} . ex:d dcat:distribution [ dcat:byteSize 3 ] .",
         "by/4.0/, of 1 of 3 distributions; a and one without a name state none."),
        (f"{A} ; {CC_BY} . " + " ".join(f"ex:d dcat:distribution ex:f{n} . ex:f{n} a dcat:Distribution ." for n in range(5)),
         "by/4.0/, of 1 of 6 distributions; f0, f1, f2 and 2 more state none."),
    ],
)  # fmt: skip
def test_a_licence_of_one_file_counts_and_it_is_told_which_have_none(turtle: str, ending: str) -> None:
    found = finding("RDA-R1.1-01M", turtle)

    assert found.verdict is Verdict.PASS
    assert found.sentence.endswith(ending), found.sentence


def test_another_licence_that_is_none_is_told_beside_the_one_that_counts() -> None:
    own = f"{A} ; {CC_BY} . {B} ; dcterms:license 'our own terms' ."

    standard = finding("RDA-R1.1-02M", own)
    assert (standard.verdict, standard.sentence) == (
        Verdict.PASS, "The licence is CC-BY-4.0, a standard one; “our own terms” is stated too, and is none."
    )  # fmt: skip
    readable = finding("RDA-R1.1-03M", f"{own} ex:b dcterms:license 'and more' .")
    assert readable.verdict is Verdict.PASS
    assert readable.sentence.endswith("; “and more” and “our own terms” are stated too, and no program can tell them.")
    # A note on rights beside a licence is no second licence.
    assert finding("RDA-R1.1-02M", f"ex:d {CC_BY} ; dcterms:rights '© Lab' .").sentence == (
        "The licence is CC-BY-4.0, a standard one."
    )


@pytest.mark.parametrize(
    "value",
    [
        "'notspecified'",
        "'License not specified'",
        "'NOASSERTION'",
        "' unknown '",
        "'N/A'",
        "'TBD'",
        "'-'",
        "<https://lab.eu/crate#unknown-license>",
        "<https://lab.eu/licences/notspecified/>",
    ],
)
def test_words_that_there_is_none_are_no_licence(value: str) -> None:
    for name in ("RDA-R1.1-01M", "RDA-R1.1-02M", "RDA-R1.1-03M"):
        found = finding(name, f"ex:d dcterms:license {value} .")
        assert found.verdict is Verdict.FAIL
        assert found.sentence.startswith("No licence is stated. “"), found.sentence
        assert len(found.evidence) == 1
    beside = finding("RDA-R1.1-02M", f"ex:d {CC_BY} , {value} .")
    assert beside.sentence == "The licence is CC-BY-4.0, a standard one."
    for ours in ("'our own terms, unknown to SPDX'", "'Apache-2.0'", "<https://lab.eu/none/of/them>"):
        assert finding("RDA-R1.1-01M", f"ex:d dcterms:license {ours} .").verdict is Verdict.PASS
