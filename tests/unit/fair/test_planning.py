"""Plans: the smallest set of steps, against all sets tried out, and each gain found by testing again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hpc_explorer.errors import Cancelled, WrongAnswers
from hpc_explorer.fair import smallest_set
from hpc_explorer.fair.answers import Answers
from hpc_explorer.fair.assessment import Assessment, assess
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.indicators import INDICATORS
from hpc_explorer.fair.planning import StepKind, plan
from hpc_explorer.fair.readings import HYBRID, READINGS, Reading
from hpc_explorer.fair.repairing import Repair, example_answers, filled, repairs
from hpc_explorer.fair.scoring import Decided, decided, points_for, score_of
from hpc_explorer.fair.smallest_set import changed
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS, Conformance, NoSurroundings, Surroundings
from hpc_explorer.fair.values import Answer, Level, Verdict
from hpc_explorer.rdf.namespaces import DCTERMS
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.changes.changes import apply_effect, effect_of, net_change
from tests.helpers.examples import examples
from tests.helpers.graphs import store_of

WHEN = datetime(2026, 11, 22, tzinfo=UTC)
SET = NamedNode("https://data.hpc-lab.org/xplacer")
BARE = "a hpc:Dataset ; hpc:name 'XPlacer'"
COMPLETE = {
    "doi": "hpc:id 'https://doi.org/10.5281/zenodo.7019193'^^xsd:anyURI",
    "licence": "dcterms:license <https://creativecommons.org/licenses/by/4.0/>",
    "core": "hpc:description 'Launches' ; dcterms:creator 'Ada' ; dcterms:publisher 'Zenodo' ;"
    " dcterms:issued '2022-08-24' ; hpc:subject 'GPU'",
    "access": "dcterms:accessRights <http://purl.org/coar/access_right/c_abf2>",
    "file": "hpc:file <https://data.hpc-lab.org/xplacer#file>",
    "page": "hpc:url 'https://zenodo.org/records/7019193'^^xsd:anyURI",
    "source": "prov:wasDerivedFrom <https://data.hpc-lab.org/logs>",
    "activity": "hpc:wasGeneratedBy <https://data.hpc-lab.org/run>",
    "creation": "dcterms:created '2020-08-12' ; dcterms:modified '2022-08-24' ; hpc:version '1.0'",
}
BESIDE = """
<https://data.hpc-lab.org/xplacer#file> a hpc:File ; dcat:downloadURL <https://zenodo.org/records/7019193/files/bfs.csv> ;
    hpc:format 'text/csv' ; dcat:byteSize 12 .
<https://data.hpc-lab.org/logs> a hpc:Dataset .
<https://data.hpc-lab.org/xplacer#row=2> hpc:isPartOf <https://data.hpc-lab.org/xplacer> ; hpc:arrayName 'a' ;
    hpc:benchmark <https://github.com/yuhc/gpu-rodinia/bfs> .
"""


def facts_without(*names: str) -> str:
    return " ; ".join([BARE, *(text for name, text in COMPLETE.items() if name not in names)])


def described(*without: str) -> tuple[Subject, Assessment]:
    subject = subject_of(store_of(f"<{SET.value}> {facts_without(*without)} .{BESIDE}"), SET)
    return subject, assess(subject, when=WHEN)


def after(subject: Subject, chosen: tuple[Repair, ...], around: Surroundings = NO_SURROUNDINGS) -> tuple[Decided, ...]:
    change = net_change([repair.change for repair in chosen if repair.change])
    return decided(assess(changed(subject, change), around, when=WHEN))


def fewest(subject: Subject, assessment: Assessment, wanted: int, around: Surroundings = NO_SURROUNDINGS) -> int:
    """The steps of the smallest plan, all sets of repairs tried out."""
    offered = [filled(repair, example_answers(repair)) for repair in repairs(assessment, subject, around)]
    fixes = tuple(repair for repair in offered if repair.change)
    fixed = {one.indicator.id for one in after(subject, fixes, around) if one.finding.verdict is Verdict.PASS}
    best = 99
    for size in range(len(fixes) + 1):
        if size >= best:
            break
        for chosen in combinations(fixes, size):
            told = after(subject, chosen, around)
            low = sum(one.points.low for one in told)
            looks = sum(
                one.points.is_open
                and (one.finding.verdict in (Verdict.PASS, Verdict.UNKNOWN) or one.indicator.id not in fixed)
                for one in told
            )
            if low + looks >= wanted:
                best = min(best, size + max(0, wanted - low))
    return best


@examples(4)
@given(
    st.lists(st.sampled_from(["doi", "licence", "access", "page", "creation", "activity"]), max_size=3, unique=True),
    st.integers(30, 46),
)
def test_no_smaller_plan_reaches_the_target(without: list[str], wanted: int) -> None:
    subject, assessment = described(*without)
    found = plan(assessment, subject, wanted)
    assert found.exact
    if found.is_reached:
        assert len(found.steps) == fewest(subject, assessment, wanted) == found.fewest


@dataclass(frozen=True)
class TwoOfThree(NoSurroundings):
    """Shapes that any two of three facts satisfy: no repair changes their verdict alone, and none as the last."""

    def conforms(self, subject: Subject) -> Conformance:
        facts = (DCTERMS.license, DCTERMS.accessRights, DCTERMS.language)
        there = sum(any(quad.predicate == fact for quad in subject.quads) for fact in facts)
        return Conformance("ours", NamedNode("https://lab.eu/shapes"), there >= 2)


@pytest.mark.parametrize("more", [5, 8, 12])
def test_what_no_repair_decides_alone_is_found_by_testing(more: int) -> None:
    subject, _ = described("licence", "access")
    assessment = assess(subject, TwoOfThree(), when=WHEN)
    wanted = score_of(decided(assessment)).points.low + more

    found = plan(assessment, subject, wanted, surroundings=TwoOfThree())

    assert found.is_reached
    assert found.exact
    assert len(found.steps) == fewest(subject, assessment, wanted, TwoOfThree())


LEVELS = st.dictionaries(st.sampled_from([one.id for one in INDICATORS]), st.sampled_from(Level), max_size=3)


@examples(8)
@example(set(COMPLETE), {}, 0, HYBRID)
@example(set(COMPLETE), {}, 83.0, HYBRID)
@example(set(COMPLETE), {}, 47, HYBRID)
@example({"doi"}, {"RDA-A2-01M": Level.PLANNED}, 47, HYBRID)
@example({"doi", "licence"}, {}, 44, HYBRID)
@given(
    st.sets(st.sampled_from(sorted(COMPLETE))),
    LEVELS,
    st.one_of(st.integers(20, 47), st.floats(50, 100)),
    st.sampled_from(READINGS),
)
def test_each_step_gains_what_the_plan_says(
    without: set[str], levels: dict[str, Level], target: float, reading: Reading
) -> None:
    """The steps are done in the graph itself, one after the other, and it is assessed anew after each."""
    store = store_of(f"<{SET.value}> {facts_without(*without)} .{BESIDE}")
    answers = Answers(SET, tuple(Answer(id, level, "why", "Ada", WHEN) for id, level in levels.items()))
    subject = subject_of(store, SET)
    assessment = assess(subject, when=WHEN)
    found = plan(assessment, subject, target, answers=answers, reading=reading)
    now = decided(assessment, answers, reading)
    assert found.start == score_of(now).points
    for step in found.steps:
        before = now
        if step.repair is None:
            assert (step.kind, step.gains) == (StepKind.CONFIRM, (step.confirms,))
            answers = answers.with_answer(Answer(step.confirms, Level.IMPLEMENTED, "looked", "Ada", WHEN))
        else:
            assert step.kind is (StepKind.ANSWER if step.repair.asks else StepKind.APPLY)
            assert step.repair.change
            apply_effect(store, effect_of(store, step.repair.change))
        now = decided(assess(subject_of(store, SET), when=WHEN), answers, reading)
        assert step.points == score_of(now).points
        assert set(step.earned) == {one.indicator.id for one, was in zip(now, before, strict=True) if more(one, was)}
        # What is still to be confirmed earns its point by an answer, which the test does not contradict.
        looked = (Answer(each, Level.IMPLEMENTED, "", "Ada", WHEN) for each in step.to_confirm)
        answered = {
            one.indicator.id: one
            for one in decided(assess(subject_of(store, SET), when=WHEN), Answers(SET, tuple(looked)), reading)
        }
        assert [answered[each].points.low for each in step.to_confirm] == [1] * len(step.to_confirm)
    assert found.reaches == score_of(now).points
    assert found.is_reached == (found.reaches.low >= found.target)
    assert found.target == points_for(target, len(INDICATORS))


def more(one: Decided, than: Decided) -> bool:
    return one.points.low > than.points.low


def test_a_doi_raises_four_at_once_and_is_one_step() -> None:
    subject, assessment = described("doi")
    before = score_of(decided(assessment)).low
    (step,) = plan(assessment, subject, before + 2).steps
    assert step.repair is not None
    assert step.repair.name == "doi"
    assert {"RDA-F1-01D", "RDA-F1-01M", "RDA-A2-01M"} <= set(step.gains)
    assert step.kind is StepKind.ANSWER


def test_what_gains_most_comes_first() -> None:
    subject, assessment = described("doi", "licence")
    fixing = [step for step in plan(assessment, subject, 47).steps if step.repair]
    assert [step.repair.name for step in fixing[:2] if step.repair] == ["doi", "licence"]
    gains = [len(step.gains) for step in fixing]
    assert gains == sorted(gains, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "number", "most"), [("MOST_LOOKED_AT", 3, 47), ("MOST_LOOKED_AT", 200, 3), ("MOST_TESTED", 0, 9)]
)
def test_a_search_that_is_cut_short_gives_a_plan_and_says_so(
    monkeypatch: pytest.MonkeyPatch, limit: str, number: int, most: int
) -> None:
    subject, assessment = described(*COMPLETE)
    whole = plan(assessment, subject, 30)
    monkeypatch.setattr(smallest_set, limit, number)
    cut = plan(assessment, subject, 30)
    assert (whole.exact, cut.exact, cut.is_reached) == (True, False, True)
    assert cut.fewest <= whole.fewest == len(whole.steps) <= len(cut.steps) <= most


def test_what_can_be_applied_comes_before_what_is_asked() -> None:
    facts = "a dcat:Dataset ; dcterms:license 'CC BY 4.0'"
    subject = subject_of(store_of(f"<{SET.value}> {facts} ."), SET)
    assessment = assess(subject, when=WHEN)
    found = plan(assessment, subject, score_of(decided(assessment)).low + 1)
    assert [step.kind for step in found.steps] == [StepKind.APPLY]
    assert found.assumes == {}


def test_only_a_person_can_confirm() -> None:
    subject, assessment = described()
    found = plan(assessment, subject, score_of(decided(assessment)).low + 2)
    assert [step.kind for step in found.steps] == [StepKind.CONFIRM] * 2


def test_what_is_filled_in_as_reached_is_looked_at_before_what_is_not() -> None:
    facts = "a schema:Dataset ; schema:url <https://lab.eu/p> ; <http://mlcommons.org/croissant/isLiveDataset> true"
    subject = subject_of(store_of(f"<{SET.value}> {facts} ."), SET)
    assessment = assess(subject, when=WHEN)
    verdicts = {finding.indicator: finding.verdict for finding in assessment.findings}
    assert verdicts["RDA-I2-01M"] is Verdict.FAIL
    found = plan(assessment, subject, 47)
    looks = [verdicts[step.confirms] for step in found.steps if step.confirms in ("RDA-I2-01M", "RDA-R1.3-02M")]
    assert looks == [Verdict.UNKNOWN, Verdict.FAIL]


def test_answers_that_were_given_are_reckoned_with() -> None:
    subject, assessment = described("doi")
    (doi,) = [repair for repair in repairs(assessment, subject) if repair.name == "doi"]
    found = plan(assessment, subject, 47, given={doi.asks[0]: "10.5281/zenodo.5"})
    (step,) = [step for step in found.steps if step.repair is not None and step.repair.name == "doi"]
    assert step.repair is not None
    assert step.repair.change is not None
    assert any("zenodo.5" in str(quad.object) for quad in step.repair.change.added)
    assert doi.asks[0] not in found.assumes


def test_a_target_out_of_reach_gets_all_that_helps() -> None:
    subject, assessment = described("doi")
    person = [one.id for one in INDICATORS if not one.decider.is_automatic]
    said = Answers(SET, tuple(Answer(id, Level.PLANNED, "", "Ada", WHEN) for id in person))
    found = plan(assessment, subject, 47, answers=said)
    assert not found.is_reached
    assert found.start.low < found.reaches.low < 47
    # Nobody can take back what they said of an identifier that nobody looked up.
    assert not {"RDA-A1-03M", "RDA-A1-03D"} & {step.confirms for step in found.steps}


def test_no_such_target_and_no_more_time() -> None:
    subject, assessment = described()
    with pytest.raises(WrongAnswers):
        plan(assessment, subject, 48)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        plan(assessment, subject, 47, limits=Limits(cancel=token))
