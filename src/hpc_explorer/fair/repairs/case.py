"""The case of one resource, from which repairs are built, and the repair itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from hpc_explorer.fair.checks.words import Spoken, the_data
from hpc_explorer.fair.repairs.asking import Ask
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import Surroundings
from hpc_explorer.fair.terms import FAIR4ML_SPELLINGS
from hpc_explorer.fair.values import Action, Finding, Verdict
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, SCHEMA, SCHEMAS, Namespace
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, NamedNode, Quad, Resource, Term, iri_text
from hpc_explorer.stores.changes.changes import ChangeSet


class Style(Enum):
    """The vocabulary of a description, which repairs use too."""

    HPC = "the HPC ontology"
    DCAT = "DCAT"
    SCHEMA_ORG = "schema.org"


Given = Mapping[str, tuple[Term, ...]]
"""Answers as terms, by the name of the question."""

Build = Callable[[Given], tuple[Iterable[Quad], Iterable[Quad]]]
"""Computes the removed and added statements from some answers."""


@dataclass(frozen=True)
class Repair:
    """A fix for one or more findings, applied as one edit.

    Args:
        name: a short name for programs: "doi".
        indicators: ids of indicators; some need further repairs.
        explanation: what to write and where to find it.
        asks: optional questions.
        change: what can be applied without answers; None if nothing.
        build: computes the change for some answers; see `repairing.filled`.
    """

    name: str
    indicators: tuple[str, ...]
    action: Action
    words: str
    explanation: str
    asks: tuple[Ask, ...] = ()
    change: ChangeSet | None = None
    build: Build = field(default=lambda given: ((), ()), compare=False, repr=False)


@dataclass(frozen=True)
class Case:
    """One resource with its findings and the style of its description.

    Args:
        findings: by the id of the indicator.
        graph: the graph for new statements.
        schema: the namespace of schema.org in the description.
    """

    subject: Subject
    surroundings: Surroundings
    findings: Mapping[str, Finding]
    graph: GraphName
    style: Style
    schema: Namespace

    @property
    def resource(self) -> Resource:
        """The assessed resource."""
        return self.subject.resource

    @property
    def data(self) -> Spoken:
        """How a sentence names the resource."""
        return the_data(self.subject)

    def failing(self, *ids: str) -> tuple[str, ...]:
        """Those of these indicators that do not pass."""
        return tuple(id for id in ids if self.findings[id].verdict is not Verdict.PASS)

    def term(self, hpc: NamedNode | None, dcat: NamedNode, schema: str) -> NamedNode:
        """The property in the vocabulary of the description.

        Args:
            hpc: the HPC ontology's; None to use DCAT's.
            schema: the local name in schema.org.
        """
        if self.style is Style.SCHEMA_ORG:
            return self.schema.term(schema)
        return hpc if self.style is Style.HPC and hpc is not None else dcat

    def quad(self, subject: Resource, predicate: NamedNode, object: Term) -> Quad:
        """A statement for the graph of new statements."""
        return Quad(subject, predicate, object, self.graph)

    def part(self, name: str) -> Resource:
        """A new node for a part of the resource, under its IRI."""
        taken = {node.resource for nodes in self.subject.nodes.values() for node in nodes} | set(self.subject.targets)
        base = iri_text(self.resource)
        for number in range(1, len(taken) + 2):
            local = name if number == 1 else f"{name}-{number}"
            node: Resource
            if isinstance(self.resource, BlankNode):
                node = BlankNode(f"{self.resource.value}-{local}")
            else:
                node = NamedNode(f"{base}-{local}" if "#" in base else f"{base}#{local}")
            if node not in taken:
                return node
        raise AssertionError("one of more names than are taken is free")

    def repair(
        self,
        name: str,
        indicators: Sequence[str],
        action: Action,
        words: str,
        explanation: str,
        build: Build,
        *,
        asks: Sequence[Ask] = (),
    ) -> Repair:
        """Create a repair with the change that needs no answer."""
        repair = Repair(name, tuple(indicators), action, words, explanation, tuple(asks), None, self._sound(build))
        return with_change(repair, {})

    def _sound(self, build: Build) -> Build:
        """Wrap a build function to remove only existing statements and add only new ones."""
        stated = {(quad.subject, quad.predicate, quad.object) for quad in self._stated()}

        def sound(given: Given) -> tuple[Iterable[Quad], Iterable[Quad]]:
            removed, added = build(given)
            gone = tuple(dict.fromkeys(quad for quad in removed if quad.graph_name != INFERRED))
            away = {(quad.subject, quad.predicate, quad.object) for quad in gone}
            new = tuple(
                quad
                for quad in dict.fromkeys(added)
                if (quad.subject, quad.predicate, quad.object) not in stated - away
            )
            return gone, new

        return sound

    def _stated(self) -> Iterable[Quad]:
        return (quad for quad in self.subject.all_quads() if quad.graph_name != INFERRED)


def with_change(repair: Repair, given: Given) -> Repair:
    """Return a repair with the change for the given answers."""
    removed, added = repair.build(given)
    change = ChangeSet(tuple(removed), tuple(added), repair.words)
    return replace(repair, change=change or None)


def case_of(
    subject: Subject, surroundings: Surroundings, findings: Iterable[Finding], graph: GraphName | None = None
) -> Case:
    """The case of a resource.

    Args:
        graph: the graph for new statements; None: the one with most statements about the resource.
    """
    own = [quad for quad in subject.quads if quad.graph_name != INFERRED]
    graphs = Counter(quad.graph_name for quad in own)
    most = min(graphs, key=lambda each: (-graphs[each], str(each)), default=DefaultGraph())
    secure = sum(_is_of(quad, (SCHEMAS,)) for quad in own) >= sum(_is_of(quad, (SCHEMA,)) for quad in own)
    return Case(
        subject,
        surroundings,
        {finding.indicator: finding for finding in findings},
        most if graph is None else graph,
        _style(own),
        SCHEMAS if secure else SCHEMA,
    )


def _style(own: Sequence[Quad]) -> Style:
    counts = {
        Style.HPC: sum(_is_of(quad, (HPC,)) for quad in own),
        Style.DCAT: sum(_is_of(quad, (DCAT, DCTERMS)) for quad in own),
        Style.SCHEMA_ORG: sum(_is_of(quad, (SCHEMA, SCHEMAS, *FAIR4ML_SPELLINGS)) for quad in own),
    }
    best = max(counts.values())
    # DCAT is the default because most catalogues read it.
    return next(style for style in Style if counts[style] == best) if best else Style.DCAT


def _is_of(quad: Quad, namespaces: Iterable[str]) -> bool:
    names = [quad.predicate.value]
    if isinstance(quad.object, NamedNode):
        names.append(quad.object.value)
    return any(name.startswith(namespace) for name in names for namespace in namespaces)
