"""Phases of a lineage and the numbers on their cards are those of a plain reckoning over the triples, before and after edits."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Collection, Iterable, Set
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, parse

from hpc_explorer.app.lineage.phase_viewing import phase_view
from hpc_explorer.app.lineage.phase_views import FoldedLineage, PhaseRow, member_of_key
from hpc_explorer.app.lineage.phasing import fold_lineage
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace import loading
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.lineage.phases.phases import Phase
from hpc_explorer.lineage.phases.sections import Level
from hpc_explorer.rdf.namespaces import PROV, PROVLAKE, PROVML, RDF, RDFS, XSD
from hpc_explorer.rdf.syntax.formats import N_TRIPLES
from hpc_explorer.rdf.terms import DefaultGraph, Literal, NamedNode, Quad
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.changes.changes import ChangeSet
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, text_of
from tests.helpers.plain_engine import PlainEngine

Triple = tuple[Any, NamedNode, Any]

MODEL = ex("model")
THINGS = [MODEL, *(ex(f"t{number}") for number in range(4))]
ACTIVITIES = [ex(f"a{number}") for number in range(9)]
PLANS = [ex("epoch"), ex("batch")]
LOSS = ex("loss")
ALWAYS: list[Triple] = [
    *((plan, RDF.type, PROVLAKE.DataTransformation) for plan in PLANS),
    *((plan, RDFS.label, Literal(plan.value.rpartition("/")[2])) for plan in (*PLANS, LOSS)),
]

# What the module of phases says of classes, tags, products and names, as far as the graphs here have them.
OF_CLASS = {
    PROVML.DataCuration: Phase.CURATION,
    PROVML.DataPreparation: Phase.PREPARATION,
    PROVML.TrainingExecution: Phase.LEARNING,
    PROVML.LearningProcessExecution: Phase.LEARNING,
}
WORKFLOWS = {PROVML.LearningProcessExecution, PROVLAKE.WorkflowExecution}
SECTIONS = {
    PROVML.TrainingExecution,
    PROVML.LearningProcessExecution,
    PROVLAKE.WorkflowExecution,
    PROVLAKE.DataTransformationExecution,
}
_ONTOLOGY = PlainEngine(parse(path=str(shipped_folder("ontology") / "provml.ttl"), format=RdfFormat.TURTLE))
ABOVE = [
    pair for pair in _ONTOLOGY.rows("SELECT ?c ?d { ?c rdfs:subClassOf+ ?d }") if pair[0] in {*SECTIONS, *OF_CLASS}
]
OF_TAG = {"Training": Phase.LEARNING, "data  Preparation": Phase.PREPARATION, "Curation": Phase.CURATION}
OF_PRODUCT = {
    PROVML.Model: Phase.LEARNING,
    PROVML.LearningDataset: Phase.PREPARATION,
    PROVML.CuratedDomainData: Phase.CURATION,
}
OF_NAME = {"Fine-tuning it": Phase.LEARNING, "Preprocess": Phase.PREPARATION, "Curated": Phase.CURATION}
ORDER = list(Phase)

moments = st.integers(0, 59).map(lambda second: Literal(f"2024-03-01T10:00:{second:02}Z", datatype=XSD.dateTime))
numbers = st.sampled_from(["0.5", "-1.25", "3.0E0", "NaN", "INF"]).map(lambda one: Literal(one, datatype=XSD.double))


@st.composite
def triples_of(draw: st.DrawFn) -> list[Triple]:
    """Activities as a tree of sections, what they used and made, when they were, and what they measured."""
    found: list[Triple] = [(MODEL, PROV.wasGeneratedBy, draw(st.sampled_from(ACTIVITIES)))]
    usual = draw(st.sampled_from([PROVLAKE.DataTransformationExecution, PROVML.TrainingExecution]))
    for at, one in enumerate(ACTIVITIES):
        cls = draw(st.sampled_from([usual, usual, usual, None, PROVLAKE.WorkflowExecution, *OF_CLASS]))
        if cls is not None:
            found.append((one, RDF.type, cls))
        if at and draw(st.integers(0, 3)):
            whole = ACTIVITIES[draw(st.integers(0, at - 1))]
            is_forwards = draw(st.booleans())
            found.append((one, PROV.wasInformedBy, whole) if is_forwards else (whole, PROV.informed, one))
        optional = {
            PROV.wasInfluencedBy: st.sampled_from(PLANS),
            PROV.startedAtTime: moments,
            PROV.endedAtTime: moments,
            PROVLAKE.tag: st.sampled_from(sorted(OF_TAG)).map(Literal),
            RDFS.label: st.sampled_from(sorted(OF_NAME)).map(Literal),
        }
        for predicate, values in optional.items():
            if draw(st.integers(0, 5)) < (2 if predicate in (PROVLAKE.tag, RDFS.label) else 4):
                found.append((one, predicate, draw(values)))
        if draw(st.booleans()):
            value = ex(f"v{at}")
            found += [
                (value, PROV.wasGeneratedBy, one),
                (value, PROV.value, draw(numbers)),
                (value, PROV.wasDerivedFrom, LOSS),
            ]
    for thing in THINGS:
        found += [
            (thing, RDF.type, cls)
            for cls in draw(st.sets(st.sampled_from([*OF_PRODUCT, PROVML.RawDomainData]), max_size=1))
        ]
    links = st.tuples(st.sampled_from(ACTIVITIES), st.just(PROV.used), st.sampled_from(THINGS)) | st.tuples(
        st.sampled_from(THINGS), st.just(PROV.wasGeneratedBy), st.sampled_from(ACTIVITIES)
    )
    return list(dict.fromkeys([*found, *draw(st.lists(links, min_size=3, max_size=9)), *ALWAYS]))


class Plain:
    """The triples, and what they say of a lineage."""

    def __init__(self, triples: Collection[Triple], everything: Iterable[Triple]) -> None:
        self._engine = PlainEngine(Quad(*triple, DefaultGraph()) for triple in triples)
        self._said: dict[tuple[Any, NamedNode], set[Any]] = {}
        for subject, predicate, value in triples:
            self._said.setdefault((subject, predicate), set()).add(value)
        step = (
            "(prov:used|prov:wasGeneratedBy|prov:wasDerivedFrom|prov:wasInformedBy|^prov:informed|prov:wasInfluencedBy)"
        )
        # A class that says less than another one of the graph tells no kind.
        used = {cls for _, predicate, cls in everything if predicate == RDF.type}
        self.general = {above for cls, above in ABOVE if cls in used}
        self.nodes = {MODEL} | {one for (one,) in self._engine.rows(f"SELECT ?x {{ {MODEL} {step}* ?x }}")}
        self.used = self.pairs("prov:used")
        self.made = self.pairs("^prov:wasGeneratedBy")
        self.informed = self.pairs("prov:wasInformedBy|^prov:informed")
        self.activities = {one for pair in self.informed for one in pair if one in self.nodes}
        self.activities |= {one for one, _ in self.used | self.made if one in self.nodes}
        self.whole = {
            section: whole
            for section, whole in self.informed
            if section in self.nodes and SECTIONS & self.values(section, RDF.type)
        }

    def pairs(self, path: str) -> set[tuple[Any, Any]]:
        return set(self._engine.rows(f"SELECT ?s ?o {{ ?s {path} ?o }}"))

    def values(self, thing: NamedNode, predicate: NamedNode) -> set[Any]:
        return self._said.get((thing, predicate), set())

    def moment(self, thing: NamedNode, predicate: NamedNode) -> datetime | None:
        return min((datetime.fromisoformat(one.value) for one in self.values(thing, predicate)), default=None)

    def measured(self, activity: NamedNode) -> list[Any]:
        return [number for one, made in self.made if one == activity for number in self.values(made, PROV.value)]

    def below(self, wholes: Iterable[NamedNode], depth: int) -> list[NamedNode]:
        level = list(wholes)
        for _ in range(depth):
            level = [section for section, whole in self.informed if whole in level]
        return level

    def told_by(self, activities: Iterable[NamedNode]) -> list[NamedNode]:
        """The sections that cards tell of: of a workflow its stages, else two levels."""
        return [
            section
            for one in activities
            for depth in ((1,) if WORKFLOWS & self.values(one, RDF.type) else (1, 2))
            for section in self.below([one], depth)
        ]

    def inside(self, activity: NamedNode, among: Collection[NamedNode]) -> set[NamedNode]:
        """The sections of an activity in the lineage, at any depth, of its own phase."""
        direct = {one for one in among if self.whole.get(one) == activity}
        return direct.union(*(self.inside(one, among) for one in direct))

    def phases(self) -> dict[NamedNode, Phase]:
        """The phase of each activity, by the rules that the module tells, each before the next one."""
        placed: dict[NamedNode, Phase] = {}

        def hand_on() -> None:
            while True:
                new = {one: placed[whole] for one, whole in self.whole.items() if whole in placed and one not in placed}
                if not new:
                    of_whole: dict[NamedNode, set[Phase]] = {}
                    for one, whole in self.whole.items():
                        if one in placed and whole not in placed:
                            of_whole.setdefault(whole, set()).add(placed[one])
                    deepest = max((self._depth(whole) for whole, some in of_whole.items() if len(some) == 1), default=0)
                    new = {
                        whole: some.pop()
                        for whole, some in of_whole.items()
                        if len(some) == 1 and self._depth(whole) == deepest
                    }
                    if not new:
                        return
                    placed.update(new)
                    continue
                placed.update(new)

        def place(rule: Any) -> None:
            found = {one: rule(one) for one in self.activities if one not in placed}
            placed.update({one: min(phases, key=ORDER.index) for one, phases in found.items() if phases})

        place(lambda one: {OF_CLASS[cls] for cls in self.values(one, RDF.type) & OF_CLASS.keys()})
        place(lambda one: {OF_TAG[tag.value] for tag in self.values(one, PROVLAKE.tag)})
        hand_on()
        place(self._by_product)
        hand_on()
        place(lambda one: {OF_NAME[name.value] for name in self.values(one, RDFS.label)})
        hand_on()
        learnt = {thing for one, thing in self.used if placed.get(one) is Phase.LEARNING}
        place(lambda one: {Phase.PREPARATION} if (self._products(one) & learnt) else set())
        hand_on()
        return {one: placed.get(one, Phase.OTHER) for one in self.activities}

    def _depth(self, one: NamedNode) -> int:
        return 1 + self._depth(self.whole[one]) if one in self.whole else 1

    def _products(self, activity: NamedNode) -> set[Any]:
        return {thing for one, thing in self.made if one == activity and thing in self.nodes}

    def _by_product(self, activity: NamedNode) -> set[Phase]:
        found = {
            OF_PRODUCT[cls]
            for thing in self._products(activity)
            for cls in self.values(thing, RDF.type) & OF_PRODUCT.keys()
        }
        if found:
            return {max(found, key=ORDER.index)}
        raw = any(PROVML.RawDomainData in self.values(thing, RDF.type) for one, thing in self.used if one == activity)
        return {Phase.CURATION} if raw else set()


def told(counts: Iterable[str]) -> Counter[str]:
    """What the counts of a card say: of epochs, of batches, of others."""
    found: Counter[str] = Counter()
    for one in counts:
        number, _, name = one.partition(" ")
        known = next((plan for plan in ("epoch", "batch") if name.startswith(plan)), "other")
        found[known] += int(number.replace(",", ""))
    return found


def named(plain: Plain, sections: Iterable[NamedNode]) -> Counter[str]:
    """The same of some sections."""
    plans = (plain.values(one, PROV.wasInfluencedBy) for one in sections)
    return Counter(next((plan.value.rpartition("/")[2] for plan in some), "other") for some in plans)


def opened(session: Session, folded: FoldedLineage) -> list[list[PhaseRow]]:
    """What is in sight while nothing is open, and so on until all is."""
    looks = []
    is_open: Set[str] = frozenset()
    while True:
        view = phase_view(session, folded, is_open)
        looks.append(list(view.rows))
        more = {row.key for row in view.rows if row.opens} - is_open
        if not more:
            return looks
        is_open |= more


def late_by(triples: Collection[Triple], at: datetime) -> set[Any]:
    """What was not there yet: begun later, or undated and come of such a thing, unless that or its own end was by then."""
    plain = Plain(triples, ())
    things = [*ACTIVITIES, *THINGS, *(one for one, predicate, _ in triples if predicate == PROV.value)]
    born, ends = ({one: plain.moment(one, term) for one in things} for term in (PROV.startedAtTime, PROV.endedAtTime))
    ended = {one for one, end in ends.items() if end is not None and end <= at}
    makers = {(thing, maker) for maker, thing in plain.made}
    undated = (
        {one for one, moment in born.items() if moment is None}
        - ended
        - {one for one, maker in makers if maker in ended}
    )
    late = {one for one, moment in born.items() if moment is not None and moment > at}
    while more := {one for one, cause in makers | plain.informed if cause in late and one in undated} - late:
        late |= more
    return late


def by(triples: Collection[Triple], at: datetime) -> list[Triple]:
    """What was there by a moment, without the ends that came later."""
    late = late_by(triples, at)
    kept = [triple for triple in triples if late.isdisjoint(triple)]
    return [one for one in kept if one[1] != PROV.endedAtTime or datetime.fromisoformat(one[2].value) <= at]


def check(session: Session, triples: Collection[Triple], at: datetime | None = None) -> None:
    """Compare what is told of phases with what the triples say."""
    plain = Plain(triples if at is None else by(triples, at), triples)
    folded = fold_lineage(session, trace_lineage(session, MODEL, as_of=at), as_of=at)
    assert folded.lineage.nodes.keys() == plain.nodes
    phases = plain.phases()
    assert {one: folded.placed[one].phase for one in phases} == phases
    for thing in plain.nodes - phases.keys() - set(PLANS):
        makers, users = (
            {phases[one] for one, made in pairs if made == thing and one in phases}
            for pairs in (plain.made, plain.used)
        )
        assert folded.placed[thing].phase is min(makers or users, key=ORDER.index, default=Phase.OTHER)

    looks = opened(session, folded)
    for rows in looks:
        cards = {row.phase: row for row in rows if row.level is Level.PHASE}
        assert cards.keys() == {one.phase for one in folded.placed.values()}
        for phase, card in cards.items():
            its = [one for one, of in phases.items() if of is phase]
            tops = [one for one in its if plain.whole.get(one) not in its]
            stages = [stage for top in tops for stage in [one for one in its if plain.whole.get(one) == top] or [top]]
            below = named(plain, plain.told_by(stages))
            assert told(card.counts) == (below or Counter(other=len(its)))
            assert (card.began, card.ended) == span(plain, {*its, *plain.told_by(stages)})
            for row in rows:
                if row.level is Level.ACTIVITY and row.phase is phase and row.ref is not None:
                    check_activity(plain, row, its, stages)
        for row in rows:
            if row.sections is not None:
                check_group(plain, row)


def span(plain: Plain, activities: Iterable[NamedNode]) -> tuple[datetime | None, datetime | None]:
    its = list(activities)
    begins = (plain.moment(one, PROV.startedAtTime) for one in its)
    ends = (plain.moment(one, PROV.endedAtTime) for one in its)
    return min(filter(None, begins), default=None), max(filter(None, ends), default=None)


def check_activity(plain: Plain, row: PhaseRow, its: Collection[NamedNode], stages: Collection[NamedNode]) -> None:
    """Compare the card of an activity; one of a group of sections tells no times."""
    assert row.ref is not None
    one = row.ref.resource
    assert isinstance(one, NamedNode)
    assert told(row.counts) == named(plain, plain.told_by([one]))
    if member_of_key(row.key) is not None:
        return
    inside = plain.inside(one, its)
    dated = plain.moment(one, PROV.startedAtTime) is not None
    of = {one} if dated else {one, *inside, *plain.told_by([one]), *plain.told_by(inside & {*stages})}
    assert (row.began, row.ended) == span(plain, of)


def check_group(plain: Plain, row: PhaseRow) -> None:
    sections = row.sections
    assert sections is not None
    its = [
        one
        for one in plain.below([sections.parent], sections.depth)
        if {sections.kind.plan} == (plain.values(one, PROV.wasInfluencedBy) or {None})
        and {sections.kind.cls} == (plain.values(one, RDF.type) - plain.general or {None})
    ]
    assert (sections.count, row.title.split()[0]) == (len(its), f"{len(its):,}")
    assert (row.began, row.ended) == span(plain, its)
    measured = [float(number.value) for one in its for number in plain.measured(one)]
    finite = [number for number in measured if math.isfinite(number)]
    assert len(row.values or ()) == bool(measured)
    for value in row.values or ():
        facts = value.facts
        assert (facts.count, facts.not_finite) == (len(measured), len(measured) - len(finite))
        assert (facts.lowest, facts.highest) == (min(finite, default=None), max(finite, default=None))
        assert facts.mean == (pytest.approx(sum(finite) / len(finite)) if finite else None)


_CASE = itertools.count()


@pytest.mark.slow
@examples(12)
@given(triples_of(), st.lists(st.integers(0, 60), max_size=6), triples_of(), st.integers(0, 59))
def test_phases_of_a_workspace_and_after_edits(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    triples: list[Triple],
    places: list[int],
    others: list[Triple],
    second: int,
) -> None:
    number = next(_CASE)
    monkeypatch.setattr(loading, "WORTH_FROM", 1 if number % 2 else 10**6)  # with columns and without
    file, workspace = tmp_path / f"{number}.nt", tmp_path / f"{number}"
    file.write_text(text_of([Quad(*triple, DefaultGraph()) for triple in triples], N_TRIPLES), encoding="utf-8")
    load_into(workspace, [str(file)])
    removable = [one for one in triples if one[0] != MODEL and one not in ALWAYS]
    fewer = set(triples) - {removable[place % len(removable)] for place in places}
    at = datetime(2024, 3, 1, 10, 0, second, tzinfo=UTC)
    with closing(Session.new()) as session:
        open_sources(session, [str(workspace)], keep_workspace=True)
        assert (session.columns is not None) == bool(number % 2)
        graph = session.sources[0].graph
        check(session, triples)
        check(session, triples, at)
        for before, after in ((set(triples), fewer), (fewer, set(others))):
            removed, added = (tuple(Quad(*one, graph) for one in some) for some in (before - after, after - before))
            session.edit(ChangeSet(removed, added, "edit"))
            check(session, after)
        check(session, others, at)
