"""Repair licences: MT-license of section III-B."""

from __future__ import annotations

from hpc_explorer.fair.checks.licence import licences_of
from hpc_explorer.fair.repairs.asking import Ask, AskKind, Choice
from hpc_explorer.fair.repairs.case import Case, Given, Repair, Style
from hpc_explorer.fair.terms import FairFact, Role
from hpc_explorer.fair.values import Action
from hpc_explorer.ontology.licences import licence_address, licence_node, licence_of
from hpc_explorer.rdf.namespaces import DC, DCTERMS, HPC
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource

_IDS = ("RDA-R1.1-01M", "RDA-R1.1-02M", "RDA-R1.1-03M")
COMMON = ("CC-BY-4.0", "CC-BY-SA-4.0", "CC0-1.0", "ODbL-1.0", "PDDL-1.0", "MIT", "Apache-2.0")
"""Common licences for data and models, the least restrictive first."""


def licence(case: Case) -> Repair | None:
    """Add a machine-readable licence: the address of one stated in words, else a question."""
    wanted = case.failing(*_IDS)
    if not wanted:
        return None
    stated = [
        quad
        for quad in case.subject.stated(FairFact.LICENCE, of=[Role.DISTRIBUTION])
        # Rights statements have many meanings, and an access level must not be replaced by a licence.
        if quad.predicate not in (DCTERMS.rights, DC.rights)
    ]
    meant = [(quad, node) for quad in stated if (node := _meant(quad)) is not None] or _named(case)
    predicate = case.term(HPC.license, DCTERMS.license, "license")
    ask = Ask(
        "licence", "Under which licence may it be used?", AskKind.LICENCE, predicate, case.resource,
        ("CC-BY-4.0",), tuple(Choice(licence_address(each), each) for each in COMMON),
    )  # fmt: skip

    def build(given: Given) -> tuple[list[Quad], list[Quad]]:
        if "licence" in given:
            (node,) = given["licence"]
            assert isinstance(node, NamedNode)
            # The replaced text names no known licence; two different licences would be ambiguous.
            return [quad for quad in stated if quad.subject == case.resource], _written(case, case.resource, node)
        added = [quad for old, node in meant for quad in _written(case, old.subject, node)]  # type: ignore[arg-type]  # no quoted triples
        # A node with further statements about the licence is kept.
        return [quad for quad, _ in meant if isinstance(quad.object, (Literal, NamedNode))], added

    if meant:
        said = meant[0][0].object
        words = "Write the licence in machine-readable form"
        shown = f"“{said.value}”" if isinstance(said, (Literal, NamedNode)) else "What is stated"
        explanation = f"{shown} is {_identifier(meant[0][1])}: its address says that to programs too."
        return case.repair("licence", wanted, Action.LICENCE, words, explanation, build)
    return case.repair(
        "licence", wanted, Action.LICENCE, "Choose a licence",
        f"Only who owns {case.data} can say it. Without a licence nobody may use {case.data.do('them', 'it')}."
        " CC-BY-4.0 asks to be named; CC0-1.0"
        " asks for nothing.",
        build, asks=[ask],
    )  # fmt: skip


def _meant(quad: Quad) -> NamedNode | None:
    if isinstance(quad.object, BlankNode) or not isinstance(quad.object, (NamedNode, Literal)):
        return None
    node = licence_node(quad.object.value)
    return None if node == quad.object else node


def _named(case: Case) -> list[tuple[Quad, NamedNode]]:
    """Licences that are nodes, by their name or address."""
    return [
        (each.evidence[0], node)
        for each in licences_of(case.subject)
        if len(each.evidence) > 1
        and isinstance(each.evidence[0].object, BlankNode)
        and (node := licence_node(each.words)) is not None
    ][:1]


def _written(case: Case, resource: Resource, node: NamedNode) -> list[Quad]:
    """A licence in the vocabulary: the HPC ontology also needs its identifier as text, which others do not read."""
    found = licence_of(node.value)
    if case.style is Style.HPC and found is not None:
        return [
            case.quad(resource, HPC.license, Literal(found.id)),
            case.quad(resource, DCTERMS.license, node),
        ]
    return [case.quad(resource, case.term(None, DCTERMS.license, "license"), node)]


def _identifier(node: NamedNode) -> str:
    found = licence_of(node.value)
    return found.id if found is not None else node.value
