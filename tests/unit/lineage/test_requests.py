"""Whatever is asked of a lineage, each request to the store and to the columns has the limits of the question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hpc_explorer.lineage.columns.impact import column_impact, column_projects_of
from hpc_explorer.lineage.columns.sections import ColumnSections
from hpc_explorer.lineage.facts.compare import compare_lineages
from hpc_explorer.lineage.facts.content import SameContent
from hpc_explorer.lineage.impact.impact import impact
from hpc_explorer.lineage.impact.projects import projects_of
from hpc_explorer.lineage.phases.moment_sections import MomentSections
from hpc_explorer.lineage.phases.phases import phases_of
from hpc_explorer.lineage.phases.section_facts import SectionFacts
from hpc_explorer.lineage.phases.store_sections import StoreSections
from hpc_explorer.lineage.recipe.building import build_recipe
from hpc_explorer.lineage.recipe.particulars import read_particulars
from hpc_explorer.lineage.time.as_of import Moment
from hpc_explorer.lineage.time.recorded import RecordedHistory, RecordedStore, recorded_timeline
from hpc_explorer.lineage.time.timeline import timeline
from hpc_explorer.lineage.trace.counts import next_level, predicates_not_understood
from hpc_explorer.lineage.trace.description import lineage_quads
from hpc_explorer.lineage.trace.path import derivation_path
from hpc_explorer.lineage.trace.trace import Direction, trace
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.rdf.namespaces import HPC, PROV, PROVLAKE, PROVML
from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad, Resource, Term
from hpc_explorer.stores.base import NO_LIMITS, CancelToken, Capabilities, Limits
from hpc_explorer.stores.columns.building import build_columns
from hpc_explorer.stores.columns.columns import Columns, Work
from hpc_explorer.stores.local.local import LocalRows, LocalStore
from tests.helpers.graphs import ex, store_of

LIMITS = Limits(cancel=CancelToken())
LIFE = """
ex:model a provml:Model ; prov:wasGeneratedBy ex:e2 ; prov:wasDerivedFrom ex:set ; hpc:md5 "5df239f0e8d61592c744dda734d5ee55" ;
    mls:hasQuality ex:depth ; hpc:hyperParameter ex:rate ; hpc:size [ qudt:value 2 ; qudt:unit unit:MegaBYTE ] .
ex:copy hpc:md5 "5df239f0e8d61592c744dda734d5ee55" . ex:depth prov:value 12 . ex:rate hpc:key "rate" ; hpc:value 0.1 .
ex:e1 a provml:TrainingSectionExecution ; prov:wasInformedBy ex:run .
ex:e2 a provml:TrainingSectionExecution ; prov:wasInformedBy ex:run ; prov:endedAtTime "2024-03-02T00:00:00Z"^^xsd:dateTime .
ex:b1 prov:wasInformedBy ex:e1 . ex:b2 prov:wasInformedBy ex:e2 ; prov:startedAtTime "2024-03-01T00:00:00Z"^^xsd:dateTime .
ex:v1 a provml:ModelHyperparameterValue ; prov:wasGeneratedBy ex:e1 ; prov:value 1.5e0 ; prov:wasInfluencedBy ex:loss .
ex:v2 a provml:ModelHyperparameterValue ; prov:wasGeneratedBy ex:e2 ; prov:value 0.5e0 ; prov:wasInfluencedBy ex:loss .
ex:loss a provlake:Attribute ; rdfs:label "loss" .
ex:run a provml:TrainingExecution ; prov:used ex:set , ex:rate ; prov:wasAssociatedWith ex:ada ; prov:wasInfluencedBy ex:plan ;
    prov:qualifiedUsage [ prov:entity ex:other ; prov:hadRole ex:input ] ; prov:qualifiedStart [ prov:atTime "2024-02-01" ] .
ex:plan a prov:Plan ; provlake:isPartOf ex:study . ex:study a provml:Study ; hpc:aiModel ex:model .
ex:set prov:wasGeneratedBy ex:prepare . ex:prepare prov:used ex:raw ; provlake:tag "Preparation" ; ex:odd ex:raw .
ex:second a provml:Model ; prov:wasGeneratedBy ex:fit . ex:fit prov:used ex:set ; prov:wasInfluencedBy ex:plan .
"""


class Watched(LocalStore):
    """A store that takes no request without the limits of the question."""

    remote = False

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(writable=True, remote=self.remote)

    def match(
        self,
        subject: Resource | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: GraphName | None = None,
        *,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        assert limits is LIMITS
        return super().match(subject, predicate, object, graph, limits=limits)

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        assert limits is LIMITS
        return super().match_many(subjects=subjects, predicates=predicates, objects=objects, limits=limits)

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> LocalRows:
        assert limits is LIMITS
        return super().select(query, limits=limits)

    def ask(self, query: str, *, limits: Limits = NO_LIMITS) -> bool:
        assert limits is LIMITS
        return super().ask(query, limits=limits)


class WatchedColumns(Columns):
    """Columns that answer nothing without the limits of the question."""

    def sql(
        self, statement: str, parameters: Sequence[Any] = (), *, limits: Limits = NO_LIMITS
    ) -> list[tuple[Any, ...]]:
        assert limits is LIMITS
        return super().sql(statement, parameters, limits=limits)

    def work(self, limits: Limits = NO_LIMITS) -> AbstractContextManager[Work]:  # type: ignore[override]  # what the decorator makes of it
        assert limits is LIMITS
        return super().work(limits)


def watched(remote: bool = False) -> Watched:
    plain, store = store_of(LIFE), Watched.in_memory()
    store.add_quads(plain.match())
    assert isinstance(store, Watched)
    store.remote = remote
    return store


V, MODEL, RUN = LINEAGE_VOCABULARY, ex("model"), ex("run")
SEVERAL = [ex(name) for name in ("model", "e1", "e2", "run", "set", "v1", "second")]
RARE = {PROVLAKE.isPartOf: 0, HPC.aiModel: 0}
EVERYTHING = frozenset(
    {PROV.wasGeneratedBy, PROV.used, PROV.wasInformedBy, PROV.wasDerivedFrom, PROV.wasAssociatedWith}
)


def at_march(store: Watched) -> Moment:
    return Moment(store, V, datetime(2024, 3, 1, 12, tzinfo=UTC))


def all_of_sections(facts: Callable[[], SectionFacts]) -> None:
    """Each question to somebody who was asked nothing before."""
    for depth in (1, 2):
        for groups in facts().sections([RUN], depth, limits=LIMITS).values():
            for one, values in facts().values(groups, limits=LIMITS).items():
                for value in values:
                    facts().series(one, value.kind, limits=LIMITS)
            for one in groups:
                assert facts().members(one, limits=LIMITS)


def of_columns(store: Watched, columns: WatchedColumns) -> None:
    vocabulary = V.only(EVERYTHING)
    answer = column_impact(columns, store, ex("set"), vocabulary, [PROVML.Model], limits=LIMITS)
    assert answer is not None
    assert [one.resource for one in answer[0]] == [MODEL, ex("second")]
    projects = column_projects_of(columns, SEVERAL, vocabulary, limits=LIMITS)
    assert projects is not None
    assert MODEL in projects
    all_of_sections(lambda: ColumnSections(columns, (), StoreSections(store)))


def recorded(store: Watched) -> None:
    history = RecordedHistory()
    lineage = trace(RecordedStore(store, history, None), MODEL, V, limits=LIMITS)
    assert recorded_timeline(store, lineage, history, limits=LIMITS).states(None).keys() == lineage.nodes.keys()


QUESTIONS: dict[str, Callable[[Watched], object]] = {
    "upstream": lambda store: trace(store, MODEL, V, content=SameContent(store), limits=LIMITS),
    "downstream": lambda store: trace(store, ex("raw"), V, direction=Direction.DOWNSTREAM, limits=LIMITS),
    "as of": lambda store: trace(store, MODEL, V, presence=at_march(store), limits=LIMITS),
    "impact": lambda store: impact(store, ex("set"), V, [MODEL], content=SameContent(store), limits=LIMITS),
    "impact as of": lambda store: impact(store, ex("set"), V, [MODEL], presence=at_march(store), limits=LIMITS),
    "path": lambda store: derivation_path(store, MODEL, ex("raw"), V, limits=LIMITS),
    "projects": lambda store: projects_of(store, SEVERAL, V, limits=LIMITS),
    "rare projects": lambda store: projects_of(store, SEVERAL, V, used=RARE, limits=LIMITS),
    "comparing": lambda store: compare_lineages(store, MODEL, ex("second"), V, limits=LIMITS),
    "comparing runs": lambda store: compare_lineages(store, RUN, ex("fit"), V, limits=LIMITS),
    "recipe": lambda store: build_recipe(store, MODEL, V, limits=LIMITS),
    "recipe of a run": lambda store: build_recipe(store, RUN, V, limits=LIMITS),
    "particulars": lambda store: read_particulars(store, SEVERAL, V, limits=LIMITS),
    "phases": lambda store: phases_of(store, trace(store, MODEL, V, limits=LIMITS), lambda cls: (), limits=LIMITS),
    "timeline": lambda store: timeline(store, SEVERAL, V, limits=LIMITS),
    "quads": lambda store: list(lineage_quads(store, trace(store, MODEL, V, limits=LIMITS), limits=LIMITS)),
    "not understood": lambda store: predicates_not_understood(
        store, trace(store, MODEL, V, limits=LIMITS), V, limits=LIMITS
    ),
    "next level": lambda store: next_level(store, trace(store, MODEL, V, depth=1, limits=LIMITS), V, limits=LIMITS),
    "sections": lambda store: all_of_sections(lambda: StoreSections(store)),
    "sections as of": lambda store: all_of_sections(lambda: MomentSections(at_march(store))),
    "recorded": recorded,
}


@pytest.mark.parametrize("remote", [False, True])
@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_each_request_has_the_limits_of_the_question(ask: Callable[[Watched], object], remote: bool) -> None:
    ask(watched(remote))


def test_each_look_into_the_columns_has_the_limits_of_the_question(tmp_path: Path) -> None:
    build_columns(store_of(LIFE), tmp_path / "columns.db")
    columns = WatchedColumns(tmp_path / "columns.db")
    of_columns(watched(), columns)
    columns.close()
