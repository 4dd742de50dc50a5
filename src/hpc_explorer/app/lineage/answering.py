"""Results of lineage operations as answers with tables and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from hpc_explorer.app.explore.drawing import lineage_edge, lineage_scene
from hpc_explorer.app.explore.finding import key_of, references
from hpc_explorer.app.lineage.comparing import Comparison, compare_resources
from hpc_explorer.app.lineage.impact import Impact, ReachedModel, find_impact
from hpc_explorer.app.results.answer import Answer, AnswerLine, AnswerTable, AnswerText, Cell
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.scene import Scene, SceneNode
from hpc_explorer.canvas.text import brief
from hpc_explorer.lineage.facts.aspects import Aspect
from hpc_explorer.lineage.facts.compare import Place
from hpc_explorer.lineage.trace.trace import Direction, Lineage, LineageEdge, LineageNode, edge_of, steps_from
from hpc_explorer.ontology.labels import fallback_label
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.query.table import CellKind, Column, Table
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

_EXACT = "Counted exactly, for what is recorded. Affected means possibly affected; the record cannot show more."

_ABSENT = "(absent)"

_SETTING = frozenset({"agent", "software", "machine"})
_ROWS: dict[tuple[str, ...], int] = {("A",): 0, (): 1}

MOST_DRAWN = 60
"""Maximum nodes in a picture of paths."""

MOST_PAIRS, MOST_SHARED = 40, 20
"""Maximum pairs and shared resources in a picture of two lineages."""

LONGEST_NAME = 70
"""Maximum characters of a name in a title."""

MOST_NAMED = 5_000
"""Maximum resources on the paths with labels; others are named by their IRIs."""


def impact_answer(
    session: Session, resource: Resource, *, kinds: Collection[NamedNode] = (), limits: Limits = NO_LIMITS
) -> Answer:
    """Every model that a resource reached, or every instance of other classes; see `impact.find_impact`.

    Args:
        kinds: count the instances of these classes instead of models.
    """
    return answer_of_impact(session, find_impact(session, resource, kinds=kinds, limits=limits), kinds, limits=limits)


def answer_of_impact(
    session: Session, found: Impact, kinds: Collection[NamedNode] = (), *, limits: Limits = NO_LIMITS
) -> Answer:
    """An impact as an answer.

    Args:
        kinds: the classes that were counted; none for models.
    """
    on_the_way = list(dict.fromkeys(edge.effect for model in found.models for edge in model.reached.path))
    names = references(session, on_the_way[:MOST_NAMED], limits=limits)
    schema = session.schema(limits=limits)
    noun = "/".join(schema.class_label(kind) for kind in kinds) if kinds else "model"
    picture, drawn = _ways(session, found, limits)
    title = f"The shortest way to {'each' if drawn == len(found.models) else f'the first {drawn} of them'}"
    return Answer(
        f"What {_named(found.start)} reached",
        (_affected(found, noun, counted_models=not kinds), *_projects(found)),
        (_EXACT, *((f"As of {found.as_of.isoformat()}.",) if found.as_of is not None else ())),
        _impact_tables(found, noun, names),
        picture,
        title if picture is not None else "",
    )


def _affected(found: Impact, noun: str, *, counted_models: bool) -> str:
    number, total = found.total.value, found.candidates.value
    if not total:
        return "No model is recorded here." if counted_models else f"There are no resources of the class {noun} here."
    things = f"of the class {noun}" if not counted_models else noun if total == 1 else f"{noun}s"
    condition = "" if found.is_anomaly else "If this is retracted, "
    return f"{condition}{number:,} of {total:,} {things} {'is' if number == 1 else 'are'} affected."


def _projects(found: Impact) -> Iterable[str]:
    known = [project for project, _ in found.projects if project is not None]
    if len(known) == 1:
        yield f"Of the project {known[0].label}."
    elif known:
        yield f"They belong to {len(known):,} projects."
    if any(len(model.projects) > 1 for model in found.models):
        yield "Models of several projects are counted in each."


def _impact_tables(found: Impact, noun: str, names: dict[Resource, ResourceRef]) -> tuple[AnswerTable, ...]:
    if not found.models:
        return ()
    models = Table[Cell](
        (
            Column(noun[:1].upper() + noun[1:], CellKind.RESOURCE),
            Column("Project", CellKind.RESOURCE),
            Column("Steps", CellKind.NUMBER),
            Column("By way of"),
        ),
        tuple((model.ref, _owner(model), model.reached.distance, _way(model, names)) for model in found.models),
        "What is affected",
    )
    projects = Table[Cell](
        (Column("Project", CellKind.RESOURCE), Column("Affected", CellKind.NUMBER)),
        tuple((project or "no known project", count.value) for project, count in found.projects),
        "By project",
    )
    return (models, projects) if any(project is not None for project, _ in found.projects) else (models,)


def _owner(model: ReachedModel) -> Cell:
    if len(model.projects) == 1:
        return model.projects[0]
    return ", ".join(project.label for project in model.projects) or None


def _way(model: ReachedModel, names: dict[Resource, ResourceRef]) -> str:
    passed = (edge.effect for edge in model.reached.path[:-1])
    return " → ".join(names[one].label if one in names else fallback_label(one) for one in passed)


def _ways(session: Session, found: Impact, limits: Limits) -> tuple[Scene | None, int]:
    """The shortest paths to the nearest resources, up to `MOST_DRAWN` nodes, and the number of these resources."""
    depths: dict[Resource, int] = {found.start.resource: 0}
    edges: dict[LineageEdge, None] = {}
    drawn = 0
    for model in sorted(found.models, key=lambda model: (model.reached.distance, model.ref.label)):
        new = {edge.effect: number + 1 for number, edge in enumerate(model.reached.path) if edge.effect not in depths}
        if len(depths) + len(new) > MOST_DRAWN:
            break
        depths.update(new)
        edges.update(dict.fromkeys(model.reached.path))
        drawn += 1
    if not drawn:
        return None, 0
    nodes = {one: LineageNode(one, depth, is_context=False, stop=None) for one, depth in depths.items()}
    ways = Lineage(found.start.resource, Direction.DOWNSTREAM, nodes, tuple(edges), complete=False)
    return lineage_scene(session, ways, with_setting=True, with_shortcuts=True, limits=limits), drawn


def comparison_answer(session: Session, first: Resource, second: Resource, *, limits: Limits = NO_LIMITS) -> Answer:
    """The differences between two runs or models; see `comparing.compare_resources`."""
    return answer_of_comparison(session, compare_resources(session, first, second, limits=limits), limits=limits)


def answer_of_comparison(session: Session, found: Comparison, *, limits: Limits = NO_LIMITS) -> Answer:
    """A comparison as an answer."""
    picture, drawn = _side_by_side(session, found, limits)
    total = len(found.differences)
    part = "" if drawn == total else f": where the first {drawn:,} of {total:,} differences are"
    return Answer(
        f"{_named(found.first)} compared with {_named(found.second)}",
        tuple(_compared(found)),
        tuple(_how_compared(found)),
        (
            AnswerText(
                "",
                (
                    AnswerLine(f"A: {found.first.label}", found.first),
                    AnswerLine(f"B: {found.second.label}", found.second),
                ),
            ),
            _difference_table(found),
        ),
        picture,
        _drawn_title(picture, part),
    )


def _compared(found: Comparison) -> Iterable[str]:
    number = len(found.differences)
    if not number:
        yield "No difference found."
        return
    divergent = found.first_parameter
    if divergent is not None:
        sides = [_ABSENT if side is None else side for side in (divergent.first, divergent.second)]
        yield f"The first parameter that differs is {divergent.name}: {sides[0]} in A, {sides[1]} in B."
    else:
        yield "No parameter differs."
    aspects = Counter(one.aspect for one in found.differences)
    kinds = ", ".join(f"{aspects[aspect]:,} of {aspect.value}" for aspect in Aspect if aspect in aspects)
    yield (
        f"{number:,} differences: {kinds}." if number > 1 else f"1 difference, of {found.differences[0].aspect.value}."
    )


def _how_compared(found: Comparison) -> Iterable[str]:
    yield f"{found.aligned:,} pairs were compared, by plan and role. Names and times are left out: they always differ."
    for name, sections in found.unopened:
        yield f"Not opened: {sections:,} sections of {name}."


def _difference_table(found: Comparison) -> AnswerTable:
    dated = any(one.when is not None for one in found.differences)
    columns = (
        Column("What", CellKind.TEXT),
        Column("Name"),
        Column("A"),
        Column("B"),
        Column("In"),
        Column("Places", CellKind.NUMBER),
        *((Column("When", CellKind.TIME, "UTC"),) if dated else ()),
    )
    rows = tuple(
        (
            one.aspect.value,
            one.name,
            _ABSENT if one.first is None else one.first,
            _ABSENT if one.second is None else one.second,
            one.role,
            one.count,
            *((one.when,) if dated else ()),
        )
        for one in found.differences
    )
    return Table(columns, rows, "Differences, in order", "Nothing differs.")


def _side_by_side(session: Session, found: Comparison, limits: Limits) -> tuple[Scene | None, int]:
    """Both lineages in one layered picture. Shared resources appear once; badges on the others say whose they are."""
    pairs, told = _drawn_pairs(found)
    if not pairs:
        return None, 0
    # A resource that is in both lineages at different places has both letters.
    found_marks: dict[Resource, set[str]] = {}
    for (first, second), differs in pairs.items():
        for side, one, other in (("A", first, second), ("B", second, first)):
            if one is not None:
                found_marks.setdefault(one, set()).update((side, "≠") if differs and other is not None else (side,))
    marks: dict[Resource, tuple[str, ...]] = {one: tuple(sorted(which)) for one, which in found_marks.items()}
    beside = [one for one, near in found.shared if near in marks and one not in marks]
    marks.update(dict.fromkeys(beside[:MOST_SHARED], ()))
    refs = references(session, marks, limits=limits)
    setting = {one for one in marks if not marks[one] and refs[one].colour_key in _SETTING}
    numbers = {one: number for number, one in enumerate(marks)}
    # This order breaks ties in the layout: the first lineage is above the second.
    ordered = sorted(marks.keys() - setting, key=lambda one: (_ROWS.get(marks[one][:1], 2), numbers[one]))
    drawn = set(ordered)
    ends = {found.first.resource, found.second.resource}
    nodes = tuple(
        SceneNode(
            key_of(one),
            refs[one].label,
            refs[one].kind,
            refs[one].colour_key,
            tooltip=refs[one].iri,
            focus=one in ends,
            badges=marks[one],
        )
        for one in ordered
    )
    vocabulary = session.lineage_vocabulary(limits=limits)
    steps = steps_from(session.store, ordered, vocabulary, Direction.UPSTREAM, limits=limits)
    inferred = frozenset({INFERRED})
    edges = tuple(
        lineage_edge(session, edge_of(step, quads, inferred))
        for step, quads in steps.items()
        if step[0] in drawn and step[1] in drawn and step[0] != step[1]
    )
    title = f"A: {_named(found.first)}  ·  B: {_named(found.second)}"
    aside = "shared people, programs and machines are left out" if setting else ""
    return Scene(nodes, edges, title, "layered", note=aside), told


def _drawn_title(picture: Scene | None, part: str) -> str:
    if picture is None:
        return ""
    return f"Side by side{part}{f'; {picture.note}' if picture.note else ''}"


def _drawn_pairs(found: Comparison) -> tuple[dict[Place, bool], int]:
    """The paths to the first places of the first differences, up to `MOST_PAIRS` pairs. Returns each pair with whether
    it differs, and the number of differences.
    """
    pairs: dict[Place, bool] = {}
    for number, way in enumerate(found.ways):
        if len(pairs.keys() | set(way)) > MOST_PAIRS:
            return pairs, number
        for pair in way:
            pairs.setdefault(pair, False)
        pairs[way[-1]] = True
    return pairs, len(found.ways)


def _named(ref: ResourceRef) -> str:
    """A name for use within a line."""
    return brief(ref.label, LONGEST_NAME)
