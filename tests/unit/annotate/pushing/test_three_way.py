"""Two changes of one graph are put together, and what stands against each other is asked about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.pushing.three_way import NO_CHANGES, Changes, merged, resolved
from hpc_explorer.annotate.pushing.values import Choice, ConflictKind
from hpc_explorer.rdf.terms import BlankNode, Literal, Quad, Resource, Term
from tests.helpers.graphs import GRAPH, ex


def said(subject: str | Resource, predicate: str, value: str | Term) -> Quad:
    about = ex(subject) if isinstance(subject, str) else subject
    return Quad(about, ex(predicate), Literal(value) if isinstance(value, str) else value, GRAPH)


OLD, MINE, THEIRS = (said("a", "name", text) for text in ("old", "mine", "theirs"))
OTHER = said("a", "size", "3")


def test_two_properties_of_one_resource_go_side_by_side() -> None:
    mine, theirs = Changes.between({OLD, OTHER}, {MINE, OTHER}), Changes.between({OLD, OTHER}, {OLD})
    merge = merged(mine, theirs, {OLD})
    assert (merge.conflicts, merge.here, merge.there) == ((), theirs, mine)


def test_the_same_change_is_none_to_make() -> None:
    change = Changes.between({OLD}, {MINE})
    merge = merged(change, change, {MINE})
    assert (merge.conflicts, merge.here, merge.there) == ((), NO_CHANGES, NO_CHANGES)


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


def test_a_resource_that_one_side_emptied_is_asked_about_where_the_other_changed_it() -> None:
    added = said("a", "note", "new")
    gone = Changes.between({OLD}, ())
    (there,) = merged(Changes.between({OLD}, {OLD, added}), gone, ()).conflicts
    assert (there.kind, there.predicate) == (ConflictKind.REMOVED_THERE, ex("note"))
    (here,) = merged(gone, Changes.between({OLD}, {OLD, added}), {OLD, added}).conflicts[:1]
    assert here.kind is ConflictKind.REMOVED_HERE
    # Where something of it is left, that is no conflict.
    assert merged(Changes.between({OLD, OTHER}, {OLD, OTHER, added}), gone, {OTHER}).conflicts == ()


_QUADS = st.builds(said, st.sampled_from("ab"), st.sampled_from("pq"), st.sampled_from("123"))
_GRAPHS = st.sets(_QUADS, max_size=6)


@given(_GRAPHS, _GRAPHS, _GRAPHS, st.sampled_from(Choice))
def test_with_each_conflict_decided_both_sides_say_the_same(
    before: set[Quad], here: set[Quad], there: set[Quad], choice: Choice
) -> None:
    merge = merged(Changes.between(before, here), Changes.between(before, there), there)
    done_here, done_there = resolved(merge, dict.fromkeys(merge.conflicts, choice))
    assert (here - done_here.removed) | done_here.added == (there - done_there.removed) | done_there.added
