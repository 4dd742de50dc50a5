"""What a mend is made from, and what it is: the case of one resource, and a repair."""

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
from hpc_explorer.ontology.inference import INFERRED
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, SCHEMA, SCHEMAS, Namespace
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, NamedNode, Quad, Resource, Term, iri_text
from hpc_explorer.stores.changes.changes import ChangeSet


class Style(Enum):
    """The vocabulary that a description is written in, which a repair goes on in."""

    HPC = "the HPC ontology"
    DCAT = "DCAT"
    SCHEMA_ORG = "schema.org"


Given = Mapping[str, tuple[Term, ...]]
"""What a person answered: the terms, by the name of the question."""

Build = Callable[[Given], tuple[Iterable[Quad], Iterable[Quad]]]
"""What is removed and what is added, given some answers."""


@dataclass(frozen=True)
class Repair:
    """What would mend one or more findings with one edit.

    Args:
        name: what it is called for programs: "doi".
        indicators: the ids of the indicators that it is for; some need another repair too.
        action: of which kind it is.
        words: what it does, in a few words: "Give it a DOI".
        explanation: what to write and where to get it, for a person.
        asks: what only a person knows. Any of them may be answered, and the more the better.
        change: what can be applied as it stands; None while there is nothing to write without an answer.
        form_property: the property whose field in a form it is; None where there is no one field.
        build: the change with some answers; see `repairing.filled`.
    """

    name: str
    indicators: tuple[str, ...]
    action: Action
    words: str
    explanation: str
    asks: tuple[Ask, ...] = ()
    change: ChangeSet | None = None
    form_property: NamedNode | None = None
    build: Build = field(default=lambda given: ((), ()), compare=False, repr=False)


@dataclass(frozen=True)
class Case:
    """One resource, what was found of it, and how its description is written.

    Args:
        findings: by the id of the indicator.
        graph: where new statements go.
        schema: the spelling of schema.org's namespace that the description uses.
    """

    subject: Subject
    surroundings: Surroundings
    findings: Mapping[str, Finding]
    graph: GraphName
    style: Style
    schema: Namespace

    @property
    def resource(self) -> Resource:
        """What is assessed."""
        return self.subject.resource

    @property
    def data(self) -> Spoken:
        """What is assessed, as a sentence names it."""
        return the_data(self.subject)

    def failing(self, *ids: str) -> tuple[str, ...]:
        """Those of these indicators that do not pass."""
        return tuple(id for id in ids if self.findings[id].verdict is not Verdict.PASS)

    def term(self, hpc: NamedNode | None, dcat: NamedNode, schema: str) -> NamedNode:
        """The property for something in the vocabulary of the description.

        Args:
            hpc: the HPC ontology's; None where it has none, and DCAT's stands in.
            schema: the local name of schema.org's.
        """
        if self.style is Style.SCHEMA_ORG:
            return self.schema.term(schema)
        return hpc if self.style is Style.HPC and hpc is not None else dcat

    def quad(self, subject: Resource, predicate: NamedNode, object: Term) -> Quad:
        """A statement for the graph where new ones go."""
        return Quad(subject, predicate, object, self.graph)

    def part(self, name: str) -> Resource:
        """A node for a part of the resource, under its own IRI, that nothing here is called by yet."""
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
        form_property: NamedNode | None = None,
    ) -> Repair:
        """A repair with what can be written without an answer."""
        repair = Repair(
            name, tuple(indicators), action, words, explanation, tuple(asks), None, form_property, self._sound(build)
        )
        return with_change(repair, {})

    def _sound(self, build: Build) -> Build:
        """The same, removing only what is stated and adding only what is not."""
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
    """A repair with the change that some answers make."""
    removed, added = repair.build(given)
    change = ChangeSet(tuple(removed), tuple(added), repair.words)
    return replace(repair, change=change or None)


def case_of(
    subject: Subject, surroundings: Surroundings, findings: Iterable[Finding], graph: GraphName | None = None
) -> Case:
    """The case of a resource.

    Args:
        graph: where new statements go; None: to the graph that states most of the resource.
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
    # What is described in none of them goes on in DCAT, which most catalogues read.
    return next(style for style in Style if counts[style] == best) if best else Style.DCAT


def _is_of(quad: Quad, namespaces: Iterable[str]) -> bool:
    names = [quad.predicate.value]
    if isinstance(quad.object, NamedNode):
        names.append(quad.object.value)
    return any(name.startswith(namespace) for name in names for namespace in namespaces)
