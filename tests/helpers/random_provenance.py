"""Small random graphs of provenance: activities, what they used and made, who did it, plans, times, values and files."""

from __future__ import annotations

import random
from collections.abc import Callable

from hpc_explorer.rdf.namespaces import HPC, PROV, RDF, RDFS, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource
from tests.helpers.graphs import ex

GRAPH = NamedNode("http://example.org/graph")


def random_provenance(dice: random.Random, size: int = 12) -> tuple[list[Quad], list[NamedNode]]:
    """The statements of a graph, and its resources.

    Args:
        size: the number of activities, and of things.
    """
    found: dict[Quad, None] = {}

    def say(subject: Resource, predicate: NamedNode, value: Resource | Literal) -> None:
        found[Quad(subject, predicate, value, GRAPH)] = None

    activities = [ex(f"activity{number}") for number in range(size)]
    things = [ex(f"thing{number}") for number in range(size)]
    agents, plans = [ex(f"agent{number}") for number in range(2)], [ex(f"plan{number}") for number in range(3)]
    for one in plans:
        say(one, RDF.type, PROV.Plan)
    for one in agents:
        say(one, RDF.type, dice.choice((PROV.Agent, PROV.SoftwareAgent)))
    for number, one in enumerate(activities):
        say(one, RDF.type, dice.choice((PROV.Activity, ex("Training"))))
        if dice.random() < 0.7:
            began = Literal(f"2026-01-{1 + number:02}T00:00:00Z", datatype=XSD.dateTime)
            say(one, PROV.startedAtTime, began)
        for _ in range(dice.randint(0, 2)):
            say(one, PROV.used, dice.choice(things))
        for _ in range(dice.randint(0, 2)):
            say(one, PROV.wasInformedBy, dice.choice(activities))
        if dice.random() < 0.5:
            say(one, PROV.wasAssociatedWith, dice.choice(agents))
        if dice.random() < 0.5:
            say(one, PROV.wasInfluencedBy, dice.choice(plans))
        if dice.random() < 0.5:
            say(one, ex("rate"), Literal(dice.randint(1, 3)))
        if dice.random() < 0.3:
            _qualified(dice, say, one, dice.choice(things))
    for one in things:
        say(one, RDF.type, dice.choice((PROV.Entity, HPC.Dataset, HPC.AIModel)))
        if dice.random() < 0.6:
            say(one, RDFS.label, Literal(f"name {dice.randint(1, 5)}"))
        if dice.random() < 0.7:
            say(one, PROV.wasGeneratedBy, dice.choice(activities))
        if dice.random() < 0.4:
            say(one, PROV.wasDerivedFrom, dice.choice(things))
        if dice.random() < 0.4:
            say(one, PROV.value, Literal(dice.randint(1, 4)))
        if dice.random() < 0.3:
            say(one, HPC.md5, Literal(dice.choice("abc") * 32))
    return list(found), [*activities, *things]


def _qualified(
    dice: random.Random,
    say: Callable[[Resource, NamedNode, Resource | Literal], None],
    activity: NamedNode,
    thing: NamedNode,
) -> None:
    usage = BlankNode() if dice.random() < 0.5 else ex(f"usage{dice.randint(1, 9)}")
    say(activity, PROV.qualifiedUsage, usage)
    say(usage, PROV.entity, thing)
