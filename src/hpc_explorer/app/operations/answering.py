"""Answer: what operations on lineage found, as answers to be read, sorted and saved."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from hpc_explorer.app.answer import Answer, AnswerColumn, AnswerTable, Cell, Kind
from hpc_explorer.app.operations.drawing import lineage_scene
from hpc_explorer.app.operations.finding import references
from hpc_explorer.app.operations.impacting import Impact, ReachedModel, find_impact
from hpc_explorer.app.session import Session
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.lineage.trace import Direction, Lineage, LineageEdge, LineageNode
from hpc_explorer.ontology.labels import fallback_label
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

_EXACT = "Counted exactly, for what is recorded. Affected means: it may be; whether it is, the record cannot say."

MOST_DRAWN = 60
"""A picture of an answer has at most so many nodes."""

MOST_NAMED = 5_000
"""Of so many resources on the ways the labels are asked for; further ones are named by their IRIs."""


def impact_answer(
    session: Session, resource: Resource, *, kinds: Collection[NamedNode] = (), limits: Limits = NO_LIMITS
) -> Answer:
    """Every model that a resource reached, or every instance of other classes: see `impacting.find_impact`.

    Args:
        kinds: count the instances of these classes instead of models.
    """
    found = find_impact(session, resource, kinds=kinds, limits=limits)
    on_the_way = list(dict.fromkeys(edge.effect for model in found.models for edge in model.reached.path))
    names = references(session, on_the_way[:MOST_NAMED], limits=limits)
    schema = session.schema(limits=limits)
    noun = "/".join(schema.class_label(kind) for kind in kinds) if kinds else "model"
    picture, drawn = _ways(session, found, limits)
    title = f"The shortest way to {'each' if drawn == len(found.models) else f'the first {drawn} of them'}"
    return Answer(
        f"What {found.start.label} reached",
        (_affected(found, noun, counted_models=not kinds), *_projects(found)),
        (_EXACT,),
        _impact_tables(found, noun, names),
        picture,
        title if picture is not None else "",
    )


def _affected(found: Impact, noun: str, *, counted_models: bool) -> str:
    number, total = found.total.value, found.candidates.value
    if not total:
        return "No model is recorded here." if counted_models else f"There is nothing of the class {noun} here."
    things = f"of the class {noun}" if not counted_models else noun if total == 1 else f"{noun}s"
    return f"If this is retracted, {number:,} of {total:,} {things} {'is' if number == 1 else 'are'} affected."


def _projects(found: Impact) -> Iterable[str]:
    known = [project for project, _ in found.projects if project is not None]
    if len(known) == 1:
        yield f"Of the project {known[0].label}."
    elif known:
        yield f"They belong to {len(known):,} projects."
    if any(len(model.projects) > 1 for model in found.models):
        yield "What belongs to several projects is counted in each."


def _impact_tables(found: Impact, noun: str, names: dict[Resource, ResourceRef]) -> tuple[AnswerTable, ...]:
    if not found.models:
        return ()
    models = AnswerTable(
        "What is affected",
        (
            AnswerColumn(noun[:1].upper() + noun[1:], Kind.RESOURCE),
            AnswerColumn("Project", Kind.RESOURCE),
            AnswerColumn("Steps", Kind.NUMBER),
            AnswerColumn("By way of"),
        ),
        tuple((model.ref, _owner(model), model.reached.distance, _way(model, names)) for model in found.models),
    )
    projects = AnswerTable(
        "By project",
        (AnswerColumn("Project", Kind.RESOURCE), AnswerColumn("Affected", Kind.NUMBER)),
        tuple((project or "no known project", count.value) for project, count in found.projects),
    )
    return (models, projects)


def _owner(model: ReachedModel) -> Cell:
    if len(model.projects) == 1:
        return model.projects[0]
    return ", ".join(project.label for project in model.projects) or None


def _way(model: ReachedModel, names: dict[Resource, ResourceRef]) -> str:
    passed = (edge.effect for edge in model.reached.path[:-1])
    return " → ".join(names[one].label if one in names else fallback_label(one) for one in passed)


def _ways(session: Session, found: Impact, limits: Limits) -> tuple[Scene | None, int]:
    """The shortest ways to the nearest of what was reached, as many as can be read, and to how many that is."""
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
