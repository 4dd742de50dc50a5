"""How to make a thing again: the data to begin with, and every step in order with its programs, machine and people.

Built from a trace to the ends (`trace.py`). An activity of the trace is a step; what it used are its inputs and
parameters, what it was carried out with its programs, machines and people. What many activities of one kind did within
another, such as 300 epochs, is told once (`repeats.py`), so that a recipe stays small however large the graph is. What
a person would need and the record lacks is named (`gaps.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from hpc_explorer.lineage.as_of import Times, read_times
from hpc_explorer.lineage.aspects import Aspect, aspect_of, aspect_of_property, kind_words
from hpc_explorer.lineage.facts import VALUES
from hpc_explorer.lineage.particulars import Particulars, Setting, read_particulars
from hpc_explorer.lineage.repeats import Repeats, is_part, parts_of, repeats_of
from hpc_explorer.lineage.trace import Direction, LineageEdge, edge_of, steps_from, trace
from hpc_explorer.lineage.vocabulary import LineageVocabulary, Relation
from hpc_explorer.lineage.within import numbers_within
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


@dataclass(frozen=True)
class Use:
    """Something that takes part in a step, and what as.

    Args:
        role: what it was planned as; empty where no plan names it.
        origin: whether a source says so, or a rule concluded it.
    """

    resource: Resource
    role: str
    origin: Origin


@dataclass(frozen=True)
class Parameter:
    """A value that a step was carried out with, or that came of it.

    Args:
        resource: the value as a resource; None where it is said of another.
        stated_of: what it is said of, where that is not the step: a hyperparameter is often said of the model.
    """

    name: str
    value: str
    origin: Origin
    resource: Resource | None = None
    stated_of: Resource | None = None


@dataclass(frozen=True)
class Step:
    """One thing to do.

    Args:
        activity: what was done; None where only the result is recorded, and what it was derived from.
        number: its place in the order, from 1.
        within: the step that this one is a part of.
        repeats: what was done many times where this step stands.
    """

    activity: Resource | None
    number: int
    inputs: tuple[Use, ...] = ()
    outputs: tuple[Use, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    software: tuple[Use, ...] = ()
    machines: tuple[Use, ...] = ()
    agents: tuple[Use, ...] = ()
    plans: tuple[Use, ...] = ()
    commands: tuple[str, ...] = ()
    environment: tuple[Setting, ...] = ()
    started: datetime | None = None
    ended: datetime | None = None
    within: Resource | None = None
    repeats: Repeats | None = None


@dataclass(frozen=True)
class Recipe:
    """All that is recorded of how a thing was made.

    Args:
        start: what is to be made again: a model, another artefact, or a run.
        about: what the record says of each resource named here.
        steps: in an order in which each comes after what it needs.
        data: what the record begins with: data that nothing is recorded before.
        expected: the measures that were recorded with the result, to compare with.
        edges: the links it all rests on, each with its origin.
        unopened: the activities that have too many parts to be looked at, with how many.
    """

    start: Resource
    about: Mapping[Resource, Particulars]
    steps: tuple[Step, ...]
    data: tuple[Use, ...]
    software: tuple[Use, ...]
    machines: tuple[Use, ...]
    people: tuple[Use, ...]
    plans: tuple[Use, ...]
    expected: tuple[Parameter, ...]
    edges: tuple[LineageEdge, ...]
    unopened: tuple[tuple[Resource, int], ...] = ()

    @property
    def is_made(self) -> bool:
        """Whether anything is recorded of how it was made."""
        return bool(self.steps)


_MADE_FROM = frozenset({Relation.DERIVED, Relation.SPECIALISED, Relation.PART_OF, Relation.INFLUENCED})

# RO-Crate: who orchestrated a run, and which step of the plan was carried out, are actions too.
_BOOKKEEPING = frozenset({"organizeaction", "controlaction"})
_ACTIVITIES = ("activity", "action", "execution", "experiment", "run", "processexecution", "job")

# So many values of one step are listed as measures.
_MOST_EXPECTED = 60


def build_recipe(
    store: Store,
    start: Resource,
    vocabulary: LineageVocabulary,
    *,
    inferred_graphs: frozenset[NamedNode] = frozenset(),
    limits: Limits = NO_LIMITS,
) -> Recipe:
    """All that is recorded of how something was made.

    Args:
        inferred_graphs: the graphs whose statements were concluded by rules.

    Raises:
        Cancelled, DeadlineExceeded: by `limits`.
    """
    parts = parts_of(store, start, vocabulary, limits=limits)
    starts = {start: None, **dict.fromkeys(parts.followed)}
    edges: dict[tuple[Resource, Resource, Relation], LineageEdge] = {}
    for one in starts:
        lineage = trace(store, one, vocabulary, inferred_graphs=inferred_graphs, limits=limits)
        edges |= {(edge.effect, edge.cause, edge.relation): edge for edge in lineage.edges}
    builder = _Builder(store, vocabulary, inferred_graphs, limits, start, tuple(starts), tuple(edges.values()))
    return replace(builder.recipe(), unopened=parts.unopened)


@dataclass
class _Draft:
    """A step while it is put together; a resource keeps its first link."""

    inputs: dict[Resource, Use] = field(default_factory=dict)
    outputs: dict[Resource, Use] = field(default_factory=dict)
    parameters: dict[Parameter, None] = field(default_factory=dict)
    setting: dict[Aspect, dict[Resource, Use]] = field(default_factory=lambda: defaultdict(dict))

    def uses(self, aspect: Aspect) -> tuple[Use, ...]:
        return tuple(self.setting[aspect].values())


class _Builder:
    def __init__(
        self,
        store: Store,
        vocabulary: LineageVocabulary,
        inferred_graphs: frozenset[NamedNode],
        limits: Limits,
        start: Resource,
        starts: tuple[Resource, ...],
        edges: tuple[LineageEdge, ...],
    ) -> None:
        self._store, self._vocabulary, self._inferred, self._limits = store, vocabulary, inferred_graphs, limits
        self._start, self._starts = start, starts
        resources = [*starts, *(one for edge in edges for one in (edge.effect, edge.cause))]
        self._about = read_particulars(store, resources, vocabulary, limits=limits)
        self._edges, self._orchestrated = _without_bookkeeping(edges, self._about)
        self._times = read_times(store, resources, limits=limits)
        self._activities = self._find_activities()
        self._plan_of = {edge.effect: edge.cause for edge in reversed(self._edges) if edge.relation is Relation.PLANNED}
        self._causes: dict[Resource, list[LineageEdge]] = defaultdict(list)
        for edge in self._edges:
            self._causes[edge.effect].append(edge)

    def recipe(self) -> Recipe:
        expected, own = self._recorded_with_result()
        drafts = self._drafts(own)
        wholes = self._wholes()
        order = self._ordered(drafts, wholes)
        # A section that used nothing of its own worked on what those before it had left.
        sections = {part: whole for part, whole in wholes.items() if part in self._starts or not drafts[part].inputs}
        repeats = repeats_of(self._store, sections, self._vocabulary, limits=self._limits)
        steps = tuple(
            self._step(number, one, drafts[one], wholes, repeats.get(one)) for number, one in enumerate(order, start=1)
        )
        every = [use for step in steps for use in step.inputs]
        made = {use.resource for step in steps for use in step.outputs} | self._activities
        data = {use.resource: use for use in every if use.resource not in made}
        for edge in self._edges:
            if edge.relation in (Relation.DERIVED, Relation.PART_OF, Relation.SPECIALISED) and self._is_raw(edge.cause):
                data.setdefault(edge.cause, self._use(edge.cause, edge.origin))
        return Recipe(
            start=self._start,
            about=self._about,
            steps=steps,
            data=self._sorted(use for use in data.values() if self._is_raw(use.resource)),
            software=self._all(step.software for step in steps),
            machines=self._all(step.machines for step in steps),
            people=self._all((*(step.agents for step in steps), self._credited())),
            plans=self._all(step.plans for step in steps),
            expected=expected,
            edges=self._edges,
        )

    def _find_activities(self) -> frozenset[Resource]:
        found: set[Resource] = set()
        entities: set[Resource] = set()
        for edge in self._edges:
            if edge.relation is Relation.GENERATED:
                found.add(edge.cause)
                entities.add(edge.effect)
            elif edge.relation is Relation.USED:
                found.add(edge.effect)
                entities.add(edge.cause)
            elif edge.relation is Relation.INFORMED:
                found.update((edge.effect, edge.cause))
            elif edge.relation is Relation.DERIVED:
                entities.update((edge.effect, edge.cause))
        named = {
            resource
            for resource in (*self._starts, *self._about)
            if resource not in entities
            and any(word.endswith(_ACTIVITIES) for word in kind_words(self._about[resource].classes))
            and any(edge.effect == resource for edge in self._edges)
        }
        # What both made and was made is an activity that another orchestrated.
        return frozenset(found | named)

    # What each step is made of

    def _drafts(self, own: Mapping[Resource, list[Parameter]]) -> dict[Resource, _Draft]:
        """The drafts by activity; by the result, where nothing says what was done."""
        drafts: dict[Resource, _Draft] = {activity: _Draft() for activity in self._activities}
        generated: dict[Resource, list[Resource]] = defaultdict(list)
        for edge in self._edges:
            if edge.relation is Relation.GENERATED:
                generated[edge.effect].append(edge.cause)
                if edge.effect not in self._activities:
                    drafts[edge.cause].outputs.setdefault(edge.effect, self._use(edge.effect, edge.origin))
        for edge in self._edges:
            if edge.effect in self._activities:
                self._note(drafts[edge.effect], edge)
            elif edge.relation in _MADE_FROM - {Relation.PART_OF} and self._is_thing(edge.cause):
                makers = generated.get(edge.effect, ())
                if makers:
                    for maker in makers:
                        if not self._comes_from(maker, edge.cause, {edge.effect}):
                            use = Use(edge.cause, edge.relation.value, edge.origin)
                            drafts[maker].inputs.setdefault(edge.cause, use)
                elif edge.relation is not Relation.SPECIALISED:
                    draft = drafts.setdefault(edge.effect, _Draft())
                    draft.inputs.setdefault(edge.cause, self._use(edge.cause, edge.origin))
                    draft.outputs.setdefault(edge.effect, self._use(edge.effect, edge.origin))
        for activity, parameters in own.items():
            drafts[activity].parameters.update(dict.fromkeys(parameters))
        for effect, makers in generated.items():
            for maker in makers:
                drafts[maker].parameters.update(dict.fromkeys(self._said_of(effect)))
        return drafts

    def _note(self, draft: _Draft, edge: LineageEdge) -> None:
        about = self._about[edge.cause]
        aspect = aspect_of(edge.relation, about.classes, has_value=about.value is not None)
        if edge.relation is Relation.INFLUENCED and edge.cause not in self._activities:
            aspect = Aspect.INPUT
        if edge.relation in (Relation.GENERATED, Relation.INFORMED) or edge.cause in self._activities:
            return
        if edge.relation is Relation.PART_OF:
            aspect = Aspect.INPUT
        if aspect is Aspect.PARAMETER:
            draft.parameters[self._parameter(edge.cause, edge.origin)] = None
        elif aspect is Aspect.INPUT:
            draft.inputs.setdefault(edge.cause, self._use(edge.cause, edge.origin))
        else:
            draft.setting[aspect].setdefault(edge.cause, self._use(edge.cause, edge.origin))

    def _parameter(self, resource: Resource, origin: Origin) -> Parameter:
        about = self._about[resource]
        return Parameter(self._role(resource) or about.name, about.value or about.name, origin, resource)

    def _said_of(self, thing: Resource) -> Iterator[Parameter]:
        """The parameters that are said of a thing and belong to its making."""
        about = self._about[thing]
        for setting in about.settings:
            yield Parameter(setting.name, setting.value, Origin.ASSERTED, stated_of=thing)
        for setting in self._told(thing, Aspect.PARAMETER):
            yield Parameter(setting.name, setting.value, Origin.ASSERTED, stated_of=thing)

    def _told(self, thing: Resource, aspect: Aspect) -> Iterator[Setting]:
        """What a thing's properties tell of its making."""
        from hpc_explorer.ontology.labels import term_label

        values: dict[NamedNode, list[str]] = defaultdict(list)
        for predicate, text in self._about[thing].properties:
            if aspect_of_property(predicate) is aspect:
                values[predicate].append(text)
        for predicate, texts in values.items():
            yield Setting(term_label(predicate), ", ".join(texts))

    def _recorded_with_result(self) -> tuple[tuple[Parameter, ...], dict[Resource, list[Parameter]]]:
        """The measures of the result, and the parameters that the activities which made it recorded beside it."""
        measures = [
            Parameter(setting.name, setting.value, Origin.ASSERTED, stated_of=self._start)
            for setting in self._told(self._start, Aspect.RESULT)
        ]
        makers = [edge.cause for edge in self._causes[self._start] if edge.relation is Relation.GENERATED]
        makers += [one for one in self._starts if one in self._activities and one not in makers]
        own: dict[Resource, list[Parameter]] = defaultdict(list)
        generated = self._vocabulary.of(frozenset({Relation.GENERATED}))
        found = {
            (effect, maker): edge_of((effect, maker, relation), quads, self._inferred)
            for (effect, maker, relation), quads in steps_from(
                self._store, makers, generated, Direction.DOWNSTREAM, limits=self._limits
            ).items()
            if effect not in self._about
        }
        valued = {
            quad.subject
            for quad in self._store.match_many(
                subjects=[effect for effect, _ in found], predicates=VALUES, limits=self._limits
            )
            if isinstance(quad.object, Literal)
        }
        chosen = sorted((pair for pair in found if pair[0] in valued), key=lambda pair: label_order(str(pair[0])))
        effects = [effect for effect, _ in chosen[:_MOST_EXPECTED]]
        plans = self._plans_of(effects)
        self._about |= read_particulars(self._store, [*effects, *plans.values()], self._vocabulary, limits=self._limits)
        self._plan_of |= plans
        for effect, maker in chosen[:_MOST_EXPECTED]:
            about, origin = self._about[effect], found[effect, maker].origin
            kinds = kind_words(about.classes)
            if (
                aspect_of(Relation.USED, about.classes, has_value=True) is Aspect.PARAMETER
                or "modelevaluation" in kinds
            ):
                parameter = self._parameter(effect, origin)
                if any("parameter" in kind for kind in kinds):
                    own[maker].append(parameter)
                else:
                    measures.append(parameter)
        return tuple(measures), own

    def _plans_of(self, resources: list[Resource]) -> dict[Resource, Resource]:
        """What values were planned as; PROV-ML names no measure and no parameter but by its attribute."""
        steps = steps_from(self._store, resources, self._vocabulary, Direction.UPSTREAM, limits=self._limits)
        return {effect: cause for effect, cause, relation in steps if relation is Relation.PLANNED}

    # The order

    def _wholes(self) -> dict[Resource, Resource]:
        """What activities are parts of: of all that informed one, that which began last and has it within its time."""
        candidates: dict[Resource, list[Resource]] = defaultdict(list)
        undecided: list[LineageEdge] = []
        for edge in self._edges:
            if edge.relation is Relation.INFORMED:
                known = [self._about[one].classes for one in (edge.effect, edge.cause)]
                times = [self._times.get(one, Times()) for one in (edge.effect, edge.cause)]
                within = is_part(edge.evidence, *known, *times)
                if within:
                    candidates[edge.effect].append(edge.cause)
                elif within is None:
                    undecided.append(edge)
        # Neither terms nor times tell: one that informed several is taken for what they are parts of.
        informed = [edge.cause for edge in undecided]
        numbers = numbers_within(self._store, informed, self._vocabulary, limits=self._limits)
        for edge in undecided:
            if numbers.get(edge.cause, 0) > 1:
                candidates[edge.effect].append(edge.cause)
        for part, whole in self._orchestrated.items():
            candidates[part].append(whole)
        return {part: max(wholes, key=self._began) for part, wholes in candidates.items()}

    def _began(self, activity: Resource) -> tuple[bool, float, str]:
        born = self._times.get(activity, Times()).born
        return (born is not None, born.timestamp() if born else 0.0, str(activity))

    def _ordered(self, drafts: Mapping[Resource, _Draft], wholes: Mapping[Resource, Resource]) -> list[Resource]:
        """Each after what it needs; among those that could come next, by their time and then by name."""
        makers: dict[Resource, set[Resource]] = defaultdict(set)
        for key, draft in drafts.items():
            for output in draft.outputs:
                makers[output].add(key)
        needs: dict[Resource, set[Resource]] = {key: set() for key in drafts}
        for key, draft in drafts.items():
            for one in draft.inputs:
                needs[key] |= self._makers_of(one, makers) - {key}
        for edge in self._edges:
            if edge.effect in self._activities and edge.cause in self._activities:
                needs[edge.effect].add(edge.cause)
        for key, whole in wholes.items():
            # A whole that made what its parts made is no need of theirs by that.
            needs[whole].discard(key)
        left = dict.fromkeys(sorted(drafts, key=self._place))
        order: list[Resource] = []
        while left:
            ready = next((key for key in left if not (needs[key] & left.keys())), None)
            # Only a circle has nothing that could come first.
            chosen = ready if ready is not None else next(iter(left))
            del left[chosen]
            order.append(chosen)
        return order

    def _place(self, activity: Resource) -> tuple[object, ...]:
        born = self._times.get(activity, Times()).born
        return (born is None, born.timestamp() if born else 0.0, label_order(self._about[activity].name), str(activity))

    def _makers_of(self, thing: Resource, makers: Mapping[Resource, set[Resource]]) -> set[Resource]:
        """What made a thing, or its members, or that of which it is a version."""
        found: set[Resource] = set()
        waiting, seen = [thing], {thing}
        while waiting:
            one = waiting.pop()
            found |= makers.get(one, set())
            for edge in self._causes.get(one, ()):
                if edge.relation in _MADE_FROM and edge.cause not in seen:
                    seen.add(edge.cause)
                    waiting.append(edge.cause)
        return found

    def _comes_from(self, effect: Resource, cause: Resource, without: set[Resource]) -> bool:
        """Whether a longer way says that something came from something else."""
        waiting, seen = [effect], {effect, *without}
        while waiting:
            for edge in self._causes.get(waiting.pop(), ()):
                if edge.cause == cause:
                    return True
                if edge.cause not in seen:
                    seen.add(edge.cause)
                    waiting.append(edge.cause)
        return False

    # The value

    def _step(
        self,
        number: int,
        key: Resource,
        draft: _Draft,
        wholes: Mapping[Resource, Resource],
        repeats: Repeats | None,
    ) -> Step:
        is_activity = key in self._activities
        about, times = self._about[key], self._times.get(key, Times())
        return Step(
            activity=key if is_activity else None,
            number=number,
            inputs=self._sorted(draft.inputs.values()),
            outputs=self._sorted(draft.outputs.values()),
            parameters=tuple(sorted(draft.parameters, key=lambda one: (label_order(one.name), one.value))),
            software=self._sorted(draft.uses(Aspect.SOFTWARE)),
            machines=self._sorted(draft.uses(Aspect.MACHINE)),
            agents=self._sorted(draft.uses(Aspect.PERSON)),
            plans=self._sorted(draft.uses(Aspect.PLAN)),
            commands=about.commands if is_activity else (),
            environment=about.environment,
            started=times.born if is_activity else None,
            ended=times.ended if is_activity else None,
            within=wholes.get(key),
            repeats=repeats,
        )

    def _use(self, resource: Resource, origin: Origin) -> Use:
        return Use(resource, self._role(resource), origin)

    def _role(self, resource: Resource) -> str:
        plan = self._plan_of.get(resource)
        return "" if plan is None else self._about[plan].name

    def _sorted(self, uses: Iterable[Use]) -> tuple[Use, ...]:
        return tuple(sorted(uses, key=lambda use: (label_order(self._about[use.resource].name), str(use.resource))))

    def _all(self, groups: Iterable[tuple[Use, ...]]) -> tuple[Use, ...]:
        return self._sorted({use.resource: use for group in groups for use in group}.values())

    def _credited(self) -> tuple[Use, ...]:
        return tuple(self._use(edge.cause, edge.origin) for edge in self._edges if edge.relation is Relation.ATTRIBUTED)

    def _is_thing(self, resource: Resource) -> bool:
        return resource not in self._activities

    def _is_raw(self, resource: Resource) -> bool:
        return self._is_thing(resource) and not any(
            edge.relation in _MADE_FROM | {Relation.GENERATED} for edge in self._causes.get(resource, ())
        )


def _without_bookkeeping(
    edges: tuple[LineageEdge, ...], about: Mapping[Resource, Particulars]
) -> tuple[tuple[LineageEdge, ...], dict[Resource, Resource]]:
    """RO-Crate's actions about actions, told of the actions that they are about (Provenance Run Crate 0.5).

    An OrganizeAction says which engine ran a workflow, and a ControlAction which step of the plan an action carried
    out. Given back are the other links, and for each action within a workflow the run of that.
    """
    books = {resource for resource, known in about.items() if kind_words(known.classes) & _BOOKKEEPING}
    if not books:
        return edges, {}
    told = [edge for edge in edges if edge.effect not in books and edge.cause not in books]
    runs: dict[Resource, set[Resource]] = defaultdict(set)
    controlled: dict[Resource, set[Resource]] = defaultdict(set)
    for edge in edges:
        if edge.cause in books and edge.effect not in books and edge.relation is Relation.GENERATED:
            runs[edge.cause].add(edge.effect)
        elif edge.effect in books and edge.relation is Relation.USED:
            controlled[edge.effect].add(edge.cause)
    known = {(edge.effect, edge.cause, edge.relation) for edge in told}
    for edge in edges:
        if edge.effect in books and edge.relation.is_context:
            for action in runs.get(edge.effect) or controlled[edge.effect] - books:
                moved = replace(edge, effect=action)
                key = (moved.effect, moved.cause, moved.relation)
                if key not in known:
                    known.add(key)
                    told.append(moved)
    within = {
        action: run
        for book, made in runs.items()
        for run in made
        for control in controlled[book]
        for action in (controlled[control] - books if control in books else {control})
        if action != run
    }
    return tuple(told), within
