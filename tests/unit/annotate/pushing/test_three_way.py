"""Two changes of one graph are put together, and what stands against each other is asked about."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.pushing.three_way import NO_CHANGES, Changes, merged, resolved
from hpc_explorer.annotate.pushing.values import Choice, ConflictKind
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource, Term
from tests.helpers.examples import examples
from tests.helpers.graphs import GRAPH, ex


def said(subject: str | Resource, predicate: str, value: str | Term) -> Quad:
    about = ex(subject) if isinstance(subject, str) else subject
    return Quad(about, ex(predicate), Literal(value) if isinstance(value, str) else value, GRAPH)


OLD, MINE, THEIRS = (said("a", "name", text) for text in ("old", "mine", "theirs"))
OTHER = said("a", "size", "3")


def test_two_values_of_one_property_are_asked_about_and_either_or_both_can_hold() -> None:
    merge = merged(Changes.between({OLD}, {MINE}), Changes.between({OLD}, {THEIRS}), {THEIRS})
    (conflict,) = merge.conflicts
    assert conflict.kind is ConflictKind.CHANGED
    assert (conflict.base, conflict.mine, conflict.theirs) == (
        (Literal("old"),),
        (Literal("mine"),),
        (Literal("theirs"),),
    )
    assert resolved(merge, {conflict: Choice.MINE}) == (NO_CHANGES, Changes.between({THEIRS}, {MINE}))
    assert resolved(merge, {conflict: Choice.THEIRS}) == (Changes.between({MINE}, {THEIRS}), NO_CHANGES)
    assert resolved(merge, {conflict: Choice.BOTH}) == (
        Changes.between((), {THEIRS}),
        Changes.between((), {MINE}),
    )


def quantity(node: BlankNode, value: str, deeper: BlankNode) -> set[Quad]:
    return {said("a", "size", node), said(node, "value", value), said(node, "of", deeper), said(deeper, "note", value)}


@pytest.mark.parametrize("choice", [Choice.MINE, Choice.THEIRS])
def test_what_is_said_of_a_value_that_is_not_chosen_goes_with_it(choice: Choice) -> None:
    old = {OTHER}
    mine = quantity(BlankNode("m"), "4", BlankNode("mm"))
    theirs = quantity(BlankNode("t"), "5", BlankNode("tt"))
    merge = merged(Changes.between(old, mine), Changes.between(old, theirs), theirs)
    (conflict,) = merge.conflicts
    here, there = resolved(merge, {conflict: choice})
    wanted = mine if choice is Choice.MINE else theirs
    assert applied(mine, here) == applied(theirs, there) == wanted
    here, there = resolved(merge, {conflict: Choice.BOTH})
    assert applied(mine, here) == applied(theirs, there) == mine | theirs


def test_a_value_that_something_else_leads_to_stays() -> None:
    node, inner = BlankNode("t"), BlankNode("tt")
    mine = {said("a", "size", "4")}
    theirs = quantity(node, "5", inner) | {
        said("b", "part", inner),
        said(inner, "self", inner),
        said(node, "self", node),
    }
    merge = merged(Changes.between({OTHER}, mine), Changes.between({OTHER}, theirs), theirs)
    here, there = resolved(merge, dict.fromkeys(merge.conflicts, Choice.MINE))
    kept = {quad for quad in theirs if quad.subject in (ex("b"), inner)}
    assert applied(mine, here) == applied(theirs, there) == mine | kept


def applied(graph: set[Quad], change: Changes) -> set[Quad]:
    return (graph - change.removed) | change.added


_QUADS = st.builds(said, st.sampled_from("ab"), st.sampled_from(["p9", "p10"]), st.sampled_from("123"))
_GRAPHS = st.sets(_QUADS, max_size=6)


@examples(300)
@given(_GRAPHS, _GRAPHS, _GRAPHS, st.data())
def test_two_changes_are_put_together_property_by_property(
    before: set[Quad], here: set[Quad], there: set[Quad], data: st.DataObject
) -> None:
    merge = merged(Changes.between(before, here), Changes.between(before, there), there)
    conflicts, wanted = {}, set()
    for subject, predicate in product("ab", ("p9", "p10")):
        place = ex(subject), ex(predicate)
        base, mine, theirs = (of(graph, *place) for graph in (before, here, there))
        emptied = {name: bool(of(before, place[0])) and not of(graph, place[0]) for name, graph in (("here", here), ("there", there))}  # fmt: skip
        changed_by_both = mine != base != theirs
        if mine != theirs and (changed_by_both or (emptied["there"] if mine != base else emptied["here"])):
            kind = ConflictKind.CHANGED if mine and theirs else ConflictKind.REMOVED_THERE if mine else ConflictKind.REMOVED_HERE  # fmt: skip
            choice = data.draw(st.sampled_from(Choice))
            conflicts[place] = (base, mine, theirs, kind, choice)
            wanted |= {Choice.MINE: mine, Choice.THEIRS: theirs, Choice.BOTH: mine | theirs}[choice]
        else:
            wanted |= theirs if mine == base else mine
    found = {}
    assert [(one.subject, one.predicate) for one in merge.conflicts] == list(conflicts), "in reading order"
    for conflict in merge.conflicts:
        key = conflict.subject, conflict.predicate
        sides = [{Quad(conflict.subject, conflict.predicate, value, conflict.graph) for value in values} for values in (conflict.base, conflict.mine, conflict.theirs)]  # fmt: skip
        assert (*sides, conflict.kind) == conflicts[key][:4]
        found[conflict] = conflicts[key][4]
    done_here, done_there = resolved(merge, found)
    assert applied(here, done_here) == applied(there, done_there) == wanted
    for graph, done in ((here, done_here), (there, done_there)):
        assert done.removed <= graph
        assert not done.added & graph


def of(graph: set[Quad], subject: NamedNode, predicate: NamedNode | None = None) -> set[Quad]:
    return {quad for quad in graph if quad.subject == subject and predicate in (None, quad.predicate)}
