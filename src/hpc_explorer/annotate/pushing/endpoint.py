"""Push to an endpoint by one SPARQL Update that applies all changes, or none if the endpoint changed meanwhile.

The WHERE clause requires each changed property to have exactly the values read before, so no other change can happen
between reading and writing. It compares two counts, of expected and of present values, because some endpoints ignore
FILTER NOT EXISTS (decision 0042). Virtuoso reads states from before concurrent updates, so pushes to it take turns
(decision 0054). The result is verified afterwards.

Requests cannot name blank nodes. An existing one is identified by all its statements and a path from a named resource,
which must be unique.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from decimal import Decimal, InvalidOperation

from hpc_explorer.annotate.pushing.files import same_statements
from hpc_explorer.annotate.pushing.three_way import Changes
from hpc_explorer.errors import EndpointRefused, LoginRequired, ServerError, StoreError
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, Literal, NamedNode, Quad, Resource, Term
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.local.spellings import stored_form
from hpc_explorer.stores.protocol.virtuoso import KEPT_AS_NUMBERS, confuses, serialised
from hpc_explorer.stores.remote.patterns import BLANK_STEPS
from hpc_explorer.stores.remote.remote import RemoteStore

MOST_STATEMENTS = 20_000
"""The largest number of statements in one request."""

_Place = tuple[GraphName, Resource, NamedNode]

_Way = tuple[GraphName, NamedNode, tuple[NamedNode, ...]]
"""A graph, a named resource, and the properties on the path to a blank node."""


def update_address_of(address: str) -> str:
    """The default update address: `/update` beside `/query`, otherwise the endpoint's address."""
    return address.removesuffix("/query") + "/update" if address.endswith("/query") else address


class CannotPush(Exception):
    """Why an endpoint cannot be updated, and what to do."""


def push_request(
    there: Changes, seen: Collection[Quad], named: Callable[[GraphName], GraphName], *, is_virtuoso: bool = False
) -> str:
    """The SPARQL Update of a change.

    Args:
        there: the change; blank nodes that are not in `seen` are new.
        seen: the statements about the changed resources when they were read.
        named: maps a graph to its name at the endpoint.
        is_virtuoso: whether the endpoint is Virtuoso.

    Raises:
        CannotPush: the change is too large, or a blank node cannot be identified.
    """
    if len(there.removed) + len(there.added) > MOST_STATEMENTS:
        raise CannotPush(
            f"more than {MOST_STATEMENTS:,} statements do not go into one request: export the edits, as an RDF Patch or"
            " as SPARQL Updates, and have them loaded there"
        )
    nodes = _Nodes(seen, there, named)
    quads = [*nodes.conditions(), *_counts(there, seen, named)]
    removed, added = (_template(side, named, nodes.term) for side in (there.removed, there.added))
    delete = f"DELETE {{\n{removed}}}\n" if removed else ""
    insert = f"INSERT {{\n{added}}}\n" if added else ""
    text = f"{delete}{insert}WHERE {{\n" + "\n".join(quads) + "\n}"
    return (
        serialised(text, {named(quad.graph_name) for quad in (*there.removed, *there.added)}) if is_virtuoso else text
    )


def kept_apart(there: Changes) -> tuple[Changes, Changes]:
    """The part of a change that Virtuoso can apply, and the remaining differences.

    Virtuoso cannot change only the spelling of a value and would lose it (`confuses`).
    """
    kept: dict[Quad, Quad] = {}
    by_place: dict[_Place, list[Quad]] = defaultdict(list)
    for quad in there.removed:
        by_place[_place(quad)].append(quad)
    for quad in there.added:
        for old in by_place.get(_place(quad), ()):
            if confuses(old.object, quad.object):  # type: ignore[arg-type]  # no quoted triples are walked
                kept[quad] = old
    olds = frozenset(kept.values())
    return Changes(there.removed - olds, there.added - kept.keys()), Changes(frozenset(kept), olds)


def send(
    store: RemoteStore,
    text: str,
    there: Changes,
    seen: Collection[Quad],
    look: Callable[[], Collection[Quad]],
    limits: Limits = NO_LIMITS,
) -> Changes:
    """Send a request once and verify the result, so that a lost answer does no harm.

    Args:
        seen: the earlier statements about the changed resources.
        look: reads the current statements, with blank nodes named as in the change where possible.

    Returns:
        The differences in spelling: numbers and times that the endpoint writes differently.

    Raises:
        ServerError: the request failed, or its result could not be verified.
        StoreError: the endpoint changed meanwhile; nothing was written, or values of others remain beside it.
    """
    failure: ServerError | None = None
    try:
        store.update(text, limits=limits)
    except ServerError as error:
        failure = error
    try:
        now = look()
    except ServerError as error:
        raise type(error)(
            "the result of the push cannot be verified", store.address,
            "push again: changes that were applied are recognised",
        ) from failure or error  # fmt: skip
    respelled = _respelled(there, now, answered=failure is None)
    if respelled is not None:
        if _changed_beside(there, seen, now):
            raise StoreError(
                "pushed, but somebody changed the same values at the same moment, and the endpoint has both",
                store.address, "compare again and resolve the conflict",
            )  # fmt: skip
        return respelled
    if failure is not None:
        remedy = failure.remedy
        if isinstance(failure, EndpointRefused) and not isinstance(failure, LoginRequired):
            remedy = "if it takes updates at another address, say which (--update-address); or push less at once"
        raise type(failure)(f"{failure.what}; nothing was pushed", failure.where, remedy) from None
    if same_statements(now, seen):
        raise StoreError(
            "the endpoint does not find its own values; nothing was pushed", store.address, "change it there"
        )
    raise StoreError(
        "somebody changed the same at the endpoint meanwhile: the push was not carried out, or changed at once",
        store.address,
        "look again, and push then",
    )


def _respelled(there: Changes, now: Collection[Quad], *, answered: bool) -> Changes | None:
    """The differences in spelling after a change; None if it was not applied.

    Args:
        answered: whether the endpoint reported success. Only then can a remaining old value be the endpoint's spelling
            of the new one.
    """
    stated = set(now)
    by_place: dict[_Place, list[Term]] = defaultdict(list)
    for quad in now:
        by_place[_place(quad)].append(quad.object)  # type: ignore[arg-type]  # no quoted triples are walked
    removed, added = set(), set()
    for quad in there.added - stated:
        same = [value for value in by_place[_place(quad)] if same_value(value, quad.object)]  # type: ignore[arg-type]  # likewise
        if not same:
            return None
        removed.add(quad)
        added.add(Quad(quad.subject, quad.predicate, same[0], quad.graph_name))
    left = (there.removed - there.added) & stated
    if left and not (answered and left <= added):
        return None
    return Changes(frozenset(removed), frozenset(added))


def _changed_beside(there: Changes, seen: Collection[Quad], now: Collection[Quad]) -> bool:
    """Whether a changed property has other values than expected."""
    places = {_place(quad) for quad in (*there.removed, *there.added)}
    meant, found = (_values((set(seen) - there.removed) | there.added, places), _values(now, places))
    return any(not _alike(meant[place], found[place]) for place in places)


def _values(quads: Iterable[Quad], places: Collection[_Place]) -> dict[_Place, list[Term]]:
    values: dict[_Place, list[Term]] = defaultdict(list)
    for quad in quads:
        if _place(quad) in places:
            values[_place(quad)].append(quad.object)  # type: ignore[arg-type]  # no quoted triples are walked
    return values


def _alike(some: Collection[Term], others: Collection[Term]) -> bool:
    """Whether all values are among the others. Blank nodes are only counted."""
    nodes = [sum(isinstance(value, BlankNode) for value in side) for side in (some, others)]
    return nodes[0] == nodes[1] and all(
        isinstance(value, BlankNode) or value in side or any(same_value(value, one) for one in side)
        for values, side in ((some, others), (others, some))
        for value in values
    )


def same_value(one: Term, other: Term) -> bool:
    """Whether two terms have the same value, regardless of spelling."""
    if one == other:
        return True
    if not isinstance(one, Literal) or not isinstance(other, Literal):
        return False
    if stored_form(one) == stored_form(other):
        return True
    if one.datatype != other.datatype and not KEPT_AS_NUMBERS.issuperset((one.datatype, other.datatype)):
        return False
    try:
        return Decimal(one.value) == Decimal(other.value)
    except InvalidOperation:
        return False


# The request


def _template(quads: Iterable[Quad], named: Callable[[GraphName], GraphName], term: Callable[[object], str]) -> str:
    graphs: dict[GraphName, list[str]] = defaultdict(list)
    for quad in sorted(quads, key=str):
        graphs[named(quad.graph_name)].append(f"{term(quad.subject)} {quad.predicate} {term(quad.object)} .\n")
    return "".join(_in_graph(graph, "".join(lines)) + "\n" for graph, lines in graphs.items())


def _in_graph(graph: GraphName, pattern: str) -> str:
    return pattern if isinstance(graph, DefaultGraph) else f"GRAPH {graph} {{ {pattern} }}"


def _counts(there: Changes, seen: Collection[Quad], named: Callable[[GraphName], GraphName]) -> Iterator[str]:
    """The condition that each changed property has exactly the values read before."""
    touched = {_place(quad) for quad in (*there.removed, *there.added) if isinstance(quad.subject, NamedNode)}
    graphs: dict[GraphName, list[_Place]] = defaultdict(list)
    for place in sorted(touched, key=str):
        graphs[named(place[0])].append(place)
    for number, (graph, places) in enumerate(graphs.items()):
        values = [quad for quad in seen if _place(quad) in touched and named(quad.graph_name) == graph]
        expected = [quad for quad in values if not isinstance(quad.object, BlankNode)]
        s, p, o = (f"?{name}{number}" for name in "spo")
        if expected:
            rows = " ".join(f"({quad.subject} {quad.predicate} {quad.object})" for quad in expected)
            pattern = f"VALUES ({s} {p} {o}) {{ {rows} }} {_in_graph(graph, f'{s} {p} {o}')}"
            yield _counted(f"?kept{number}", pattern, len(expected))
        rows = " ".join(f"({place[1]} {place[2]})" for place in places)
        pattern = f"VALUES ({s}t {p}t) {{ {rows} }} {_in_graph(graph, f'{s}t {p}t {o}t')}"
        yield _counted(f"?all{number}", pattern, len(values))


def _counted(variable: str, pattern: str, number: int) -> str:
    """The condition that a pattern has `number` solutions."""
    return f"{{ SELECT (COUNT(*) AS {variable}) WHERE {{ {pattern} }} }} FILTER({variable} = {number})"


class _Nodes:
    """The blank nodes of a change: variables for existing ones, labels for new ones."""

    def __init__(self, seen: Collection[Quad], there: Changes, named: Callable[[GraphName], GraphName]) -> None:
        self._named = named
        self._of: dict[BlankNode, list[Quad]] = defaultdict(list)
        self._to: dict[BlankNode, list[Quad]] = defaultdict(list)
        for quad in seen:
            if isinstance(quad.subject, BlankNode):
                self._of[quad.subject].append(quad)
            if isinstance(quad.object, BlankNode):
                self._to[quad.object].append(quad)
        known = {*self._of, *self._to}
        self._labels: dict[BlankNode, str] = {}
        waiting = [
            node
            for quad in sorted((*there.removed, *there.added), key=str)
            for node in (quad.subject, quad.object)
            if isinstance(node, BlankNode)
        ]
        self._described: dict[Quad, None] = {}
        while waiting:
            node = waiting.pop()
            if node in self._labels:
                continue
            self._labels[node] = f"?b{len(self._labels)}" if node in known else f"_:n{len(self._labels)}"
            around = (*self._of.get(node, ()), *self._to.get(node, ()))
            self._described.update(dict.fromkeys(around))
            waiting += [end for quad in around for end in (quad.subject, quad.object) if isinstance(end, BlankNode)]

    def term(self, term: object) -> str:
        """A term in the syntax of the request."""
        return self._labels[term] if isinstance(term, BlankNode) else str(term)

    def conditions(self) -> Iterator[str]:
        """The conditions that identify the blank nodes and exclude additional statements."""
        if not self._described:
            return
        pattern = _template(self._described, self._named, self.term).replace("\n", " ")
        yield pattern
        again = _template(self._described, self._named, lambda term: self.term(term).replace("?b", "?c")).replace(
            "\n", " "
        )
        yield _counted("?ways", again, 1)
        for number, (graph, start, predicates) in enumerate(sorted(self._ways_to(), key=str)):
            statements = sum(len(self._of[node]) for node in self._led_to(graph, start, predicates))
            steps, end = [], str(start)
            for step, predicate in enumerate(predicates):
                begin, end = end, f"?w{number}x{step}"
                steps.append(_in_graph(self._named(graph), f"{begin} {predicate} {end} ."))
            steps.append(_in_graph(self._named(graph), f"{end} ?w{number}p ?w{number}o ."))
            steps.append(f"FILTER(isBlank({end}))")
            yield _counted(f"?said{number}", " ".join(steps), statements)

    def _ways_to(self) -> set[_Way]:
        """A path to each existing blank node."""
        found = set()
        for node, label in self._labels.items():
            if not label.startswith("?"):
                continue
            way = next(self._ways(node, BLANK_STEPS), None)
            if way is None:
                raise CannotPush("a blank node without a path from a named resource cannot be identified")
            found.add(way)
        return found

    def _ways(self, node: BlankNode, steps: int) -> Iterator[_Way]:
        for quad in self._to[node]:
            if isinstance(quad.subject, NamedNode):
                yield quad.graph_name, quad.subject, (quad.predicate,)
            elif isinstance(quad.subject, BlankNode) and steps:
                for graph, start, predicates in self._ways(quad.subject, steps - 1):
                    if graph == quad.graph_name:
                        yield graph, start, (*predicates, quad.predicate)

    def _led_to(self, graph: GraphName, start: NamedNode, predicates: tuple[NamedNode, ...]) -> set[BlankNode]:
        """The blank nodes at the end of a path."""
        ends: set[BlankNode] = set()
        starts: set[Resource] = {start}
        for predicate in predicates:
            ends = {
                node
                for node, quads in self._to.items()
                for quad in quads
                if quad.subject in starts and quad.predicate == predicate and quad.graph_name == graph
            }
            starts = set(ends)
        return ends


def _place(quad: Quad) -> _Place:
    return quad.graph_name, quad.subject, quad.predicate  # type: ignore[return-value]  # no quoted subjects
