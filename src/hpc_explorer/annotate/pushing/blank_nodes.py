"""Match the blank nodes of two versions of a graph, whose labels are unrelated.

Colour refinement (as RDFC-1.0 does with hashes) colours the nodes of both graphs by their statements. A colour that one
node has in each graph is a match. Indistinguishable nodes are matched arbitrarily, and colours are refined again.
Changed nodes are then matched by position: the only unmatched value of a property in both graphs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from hpc_explorer.rdf.terms import BlankNode, GraphName, Quad

_Incident = dict[BlankNode, list[tuple[bool, object, object, object]]]

# After this many arbitrary matches, the rest is matched in order.
_MOST_CHOICES = 200


def same_nodes(there: Iterable[Quad], here: Iterable[Quad]) -> dict[BlankNode, BlankNode]:
    """Map the blank nodes of one graph to those of the other; unmatched nodes are absent."""
    others, own = _incident(there), _incident(here)
    found: dict[BlankNode, BlankNode] = {}
    if not others or not own:
        return found
    for _ in range(_MOST_CHOICES):
        their_colours, my_colours = _coloured(others, own, found)
        alike = _alike(their_colours, my_colours, found)
        new = {theirs[0]: mine[0] for theirs, mine in alike if len(theirs) == len(mine) == 1}
        if not new:
            choice = next(((theirs, mine) for theirs, mine in alike if len(theirs) == len(mine)), None)
            if choice is None:
                break
            new = {choice[0][0]: choice[1][0]}
        found |= new
        if len(found) == min(len(others), len(own)):
            break
    else:
        for theirs, mine in _alike(*_coloured(others, own, found), found):
            if len(theirs) == len(mine):
                found |= dict(zip(theirs, mine, strict=True))
    _by_place(others, own, found)
    return found


def _incident(quads: Iterable[Quad]) -> _Incident:
    """The statements of each blank node: whether it is the subject, the predicate, the other end, the graph."""
    found: _Incident = defaultdict(list)
    for subject, predicate, object_, graph in quads:
        if isinstance(subject, BlankNode):
            found[subject].append((True, predicate, object_, graph))
        if isinstance(object_, BlankNode):
            found[object_].append((False, predicate, subject, graph))
        if isinstance(graph, BlankNode):
            found[graph].append((True, subject, predicate, object_))
    return found


def _coloured(
    others: _Incident, own: _Incident, found: Mapping[BlankNode, BlankNode]
) -> tuple[dict[BlankNode, int], dict[BlankNode, int]]:
    """Colours of the unmatched nodes of both graphs; each matched pair has a unique colour."""
    mine = {node: number for number, node in enumerate(found.values(), 1)}
    theirs = {node: mine[partner] for node, partner in found.items()}
    own_open = {node: statements for node, statements in own.items() if node not in mine}
    others_open = {node: statements for node, statements in others.items() if node not in theirs}
    mine |= dict.fromkeys(own_open, 0)
    theirs |= dict.fromkeys(others_open, 0)
    classes = 0
    while True:
        my_colours, their_colours = _next_colours(own_open, mine), _next_colours(others_open, theirs)
        number = len({*my_colours.values(), *their_colours.values()})
        if number == classes:
            return their_colours, my_colours
        mine |= my_colours
        theirs |= their_colours
        classes = number


def _next_colours(incident: _Incident, colours: Mapping[BlankNode, int]) -> dict[BlankNode, int]:
    def seen(term: object) -> object:
        return ("blank", colours.get(term, 0)) if isinstance(term, BlankNode) else term

    return {
        node: hash((colours[node], frozenset(Counter((role, *map(seen, terms)) for role, *terms in said).items())))
        for node, said in incident.items()
    }


def _alike(
    theirs: Mapping[BlankNode, int], mine: Mapping[BlankNode, int], found: Mapping[BlankNode, BlankNode]
) -> list[tuple[list[BlankNode], list[BlankNode]]]:
    """The unmatched nodes by colour."""
    taken = set(found.values())
    by_colour: dict[int, tuple[list[BlankNode], list[BlankNode]]] = defaultdict(lambda: ([], []))
    for node, colour in theirs.items():
        if node not in found:
            by_colour[colour][0].append(node)
    for node, colour in mine.items():
        if node not in taken:
            by_colour[colour][1].append(node)
    return list(by_colour.values())


def _by_place(others: _Incident, own: _Incident, found: dict[BlankNode, BlankNode]) -> None:
    """Match nodes by the statement that leads to them, where each side has only one candidate."""
    while True:
        taken = set(found.values())
        theirs = _led_to((node for node in others if node not in found), others, found)
        mine = _led_to((node for node in own if node not in taken), own, {node: node for node in taken})
        pairs = {
            (nodes[0], mine[place][0])
            for place, nodes in theirs.items()
            if len(nodes) == 1 and len(mine.get(place, ())) == 1
        }
        # Several statements may lead to one node; they must lead to one node on the other side too.
        partners = Counter(node for pair in pairs for node in (("theirs", pair[0]), ("mine", pair[1])))
        new = {their: own for their, own in pairs if partners["theirs", their] == partners["mine", own] == 1}
        if not new:
            return
        found |= new


def _led_to(
    nodes: Iterable[BlankNode], incident: _Incident, known: Mapping[BlankNode, BlankNode]
) -> dict[tuple[object, object, GraphName], list[BlankNode]]:
    """The nodes by the statements that lead to them from common subjects."""
    places: dict[tuple[object, object, GraphName], list[BlankNode]] = defaultdict(list)
    for node in nodes:
        for is_subject, predicate, other, graph in incident[node]:
            if not is_subject and (not isinstance(other, BlankNode) or other in known):
                start = known[other] if isinstance(other, BlankNode) else other
                places[start, predicate, graph].append(node)  # type: ignore[index]  # a graph's name
    return places
