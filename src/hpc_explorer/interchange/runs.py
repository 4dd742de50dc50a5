"""The runs that statements describe, for formats that consist of runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import unquote

from hpc_explorer.interchange.statements import WORKFLOW_RUN, moment_of
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, PROV, PROVLAKE, PROVML, RDF, RDFS, SCHEMA, SCHEMAS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Term

HYPERPARAMETERS = frozenset({PROVML.LearningHyperparameterValue, PROVML.ModelHyperparameterValue})
EVALUATIONS = frozenset({PROVML.ModelEvaluation})
MODELS = frozenset({PROVML.Model, HPC.AIModel, HPC.MachineLearningModel})
DATASETS = frozenset({PROVML.LearningDataset, HPC.Dataset, HPC.CSVDataset, SCHEMA.Dataset, SCHEMAS.Dataset})

_USED = (PROV.used, HPC.used, HPC.hadInput, SCHEMA.object, SCHEMAS.object)
_GENERATES = (PROV.generated, HPC.generated, HPC.hadOutput, SCHEMA.result, SCHEMAS.result)
_GENERATED_BY = (PROV.wasGeneratedBy, HPC.wasGeneratedBy)
_INFORMED = (PROV.wasInformedBy, HPC.wasInformedBy, HPC.wasPrecededBy)
_PLANS = (HPC.usedWorkflow, SCHEMA.instrument, SCHEMAS.instrument, PROV.hadPlan)
_AGENTS = (PROV.wasAssociatedWith, HPC.wasAssociatedWith, HPC.wasConductedBy, SCHEMA.agent, SCHEMAS.agent)
_SOFTWARE = (HPC.wasAWS, HPC.wasAssociatedWithSoftware)
_MACHINES = (HPC.wasAWH, HPC.wasAssociatedWithHardware)
_STARTED = (PROV.startedAtTime, HPC.startDate, SCHEMA.startTime, SCHEMAS.startTime)
_ENDED = (PROV.endedAtTime, HPC.endDate, SCHEMA.endTime, SCHEMAS.endTime)
_RUNS = frozenset(
    {
        PROV.Activity, HPC.Experiment, HPC.Activity, PROVML.LearningProcessExecution, PROVLAKE.WorkflowExecution,
        PROVLAKE.DataTransformationExecution, SCHEMA.CreateAction, SCHEMAS.CreateAction,
    }
)  # fmt: skip
_NAMES = (RDFS.label, HPC.name, SCHEMA.name, SCHEMAS.name, DCTERMS.term("title"))
_CHECKSUMS = {
    "md5": (WORKFLOW_RUN.md5, HPC.md5),
    "sha1": (WORKFLOW_RUN.sha1,),
    "sha256": (WORKFLOW_RUN.sha256, SCHEMA.sha256, SCHEMAS.sha256),
    "sha512": (WORKFLOW_RUN.sha512,),
}


@dataclass
class Run:
    """An activity, with the IRIs of linked resources."""

    iri: NamedNode
    name: str
    started: datetime | None = None
    ended: datetime | None = None
    used: list[NamedNode] = field(default_factory=list)
    generated: list[NamedNode] = field(default_factory=list)
    informed_by: list[NamedNode] = field(default_factory=list)
    plans: list[NamedNode] = field(default_factory=list)
    agents: list[NamedNode] = field(default_factory=list)
    software: list[NamedNode] = field(default_factory=list)
    machines: list[NamedNode] = field(default_factory=list)
    attributes: dict[str, Literal] = field(default_factory=dict)


class Runs:
    """The runs in statements, and the statements about other resources.

    Attributes:
        runs: in the order of their times and names.
        statements: the number of statements.
    """

    def __init__(self, quads: Iterable[Quad]) -> None:
        self._about: dict[NamedNode, dict[NamedNode, list[Term]]] = defaultdict(lambda: defaultdict(list))
        self.statements = 0
        used_by: set[NamedNode] = set()
        for quad in dict.fromkeys(quads):
            self.statements += 1
            if isinstance(quad.subject, NamedNode) and isinstance(quad.object, (NamedNode, Literal)):
                self._about[quad.subject][quad.predicate].append(quad.object)
                if quad.predicate in _USED or quad.predicate in _GENERATES:
                    used_by.add(quad.subject)
                elif quad.predicate in _GENERATED_BY and isinstance(quad.object, NamedNode):
                    used_by.add(quad.object)
        found = {iri: Run(iri, self.name(iri)) for iri in list(self._about) if self._is_run(iri, used_by)}
        for iri in sorted(used_by - set(found), key=str):
            found[iri] = Run(iri, self.name(iri))
        for iri, run in found.items():
            own = self._about.get(iri, {})
            run.started, run.ended = self._time(own, _STARTED), self._time(own, _ENDED)
            run.used = self._links(own, _USED)
            run.generated = self._links(own, _GENERATES)
            run.informed_by = [one for one in self._links(own, _INFORMED) if one in found and one != iri]
            run.plans, run.agents = self._links(own, _PLANS), self._links(own, _AGENTS)
            run.software, run.machines = self._links(own, _SOFTWARE), self._links(own, _MACHINES)
        for iri, own in list(self._about.items()):
            for by in self._links(own, _GENERATED_BY):
                if by in found and iri not in found[by].generated:
                    found[by].generated.append(iri)
            for owner in self._links(own, (PROVLAKE.isCharacteristicOf,)):
                value = self.value(iri)
                if owner in found and value is not None:
                    found[owner].attributes[self.name(iri)] = value
        self.runs = sorted(
            found.values(), key=lambda run: (run.started is None, str(run.started or ""), run.name, run.iri.value)
        )

    def _is_run(self, iri: NamedNode, used_by: set[NamedNode]) -> bool:
        return iri in used_by or any(cls in _RUNS for cls in self._about[iri].get(RDF.type, ()))

    def _links(self, own: dict[NamedNode, list[Term]], predicates: Iterable[NamedNode]) -> list[NamedNode]:
        found = (term for predicate in predicates for term in own.get(predicate, ()))
        return list(dict.fromkeys(term for term in found if isinstance(term, NamedNode)))

    @staticmethod
    def _time(own: dict[NamedNode, list[Term]], predicates: Iterable[NamedNode]) -> datetime | None:
        for predicate in predicates:
            for term in own.get(predicate, ()):
                if isinstance(term, Literal) and (moment := moment_of(term.value)) is not None:
                    return moment
        return None

    def text(self, iri: NamedNode, *predicates: NamedNode) -> str:
        """The first text of a resource with one of the predicates; empty if there is none."""
        own = self._about.get(iri, {})
        texts = (term.value for one in predicates for term in own.get(one, ()) if isinstance(term, Literal))
        return next((text for text in texts if text.strip()), "")

    def links(self, iri: NamedNode, *predicates: NamedNode) -> list[NamedNode]:
        """The resources that a resource is linked to."""
        return self._links(self._about.get(iri, {}), predicates)

    def name(self, iri: NamedNode) -> str:
        """The name of a resource, or the end of its IRI."""
        return self.text(iri, *_NAMES) or unquote(iri.value.rstrip("/").replace("#", "/").rsplit("/", 1)[-1])

    def is_a(self, iri: NamedNode, classes: frozenset[NamedNode]) -> bool:
        """Whether a resource has one of the classes."""
        return not classes.isdisjoint(self._about.get(iri, {}).get(RDF.type, ()))

    def value(self, iri: NamedNode) -> Literal | None:
        """The value of a parameter or metric."""
        own = self._about.get(iri, {})
        values = (term for one in (PROV.value, SCHEMA.value, SCHEMAS.value) for term in own.get(one, ()))
        return next((term for term in values if isinstance(term, Literal)), None)

    def moment(self, iri: NamedNode) -> datetime | None:
        """When a resource was generated."""
        return self._time(self._about.get(iri, {}), (PROV.generatedAtTime,))

    def step(self, iri: NamedNode) -> int:
        """The step of a value of a metric."""
        text = self.text(iri, SCHEMA.position)
        return int(text) if text.lstrip("-").isdecimal() else 0

    def size(self, iri: NamedNode) -> str:
        """The size of a file in bytes; empty if unknown."""
        text = self.text(iri, DCAT.byteSize, SCHEMA.contentSize, SCHEMAS.contentSize)
        return text if text.isdecimal() else ""

    def checksums(self, iri: NamedNode) -> dict[str, str]:
        """The checksums of a file, by algorithm."""
        return {name: text for name, terms in _CHECKSUMS.items() if (text := self.text(iri, *terms))}
