"""Build a recipe by tracing to all origins.

Each activity is a step with its inputs, parameters, programs, machines and people. Repeated activities of one kind
within another, such as 300 epochs, are summarized (`repeats.py`), so a recipe stays small.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hpc_explorer.lineage.facts.aspects import Aspect, aspect_of, aspect_of_property, is_agent, kind_words
from hpc_explorer.lineage.recipe.particulars import Setting, read_particulars
from hpc_explorer.lineage.recipe.recipe import Parameter, Recipe, Step, Use
from hpc_explorer.lineage.recipe.recorded_links import roles_of, with_content, without_bookkeeping
from hpc_explorer.lineage.recipe.repeats import Repeats, is_part, parts_of, repeats_of
from hpc_explorer.lineage.recipe.step_order import in_order
from hpc_explorer.lineage.time.as_of import Times, read_times
from hpc_explorer.lineage.trace.counts import numbers_within
from hpc_explorer.lineage.trace.trace import Direction, LineageEdge, edge_of, steps_from, trace
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary, Relation
from hpc_explorer.ontology.labels import label_order, term_label
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

_MADE_FROM = frozenset({Relation.DERIVED, Relation.SPECIALISED, Relation.PART_OF, Relation.INFLUENCED})

_ACTIVITIES = ("activity", "action", "execution", "experiment", "run", "processexecution", "job")

# Maximum number of resources recorded with the result to read.
_MOST_RECORDED = 200


def build_recipe(
    store: Store,
    start: Resource,
    vocabulary: LineageVocabulary,
    *,
    inferred_graphs: frozenset[NamedNode] = frozenset(),
    limits: Limits = NO_LIMITS,
) -> Recipe:
    """Build the recipe of a resource.

    Args:
        inferred_graphs: the graphs of inferred statements.
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
    """A step being built; a resource keeps its first link."""

    inputs: dict[Resource, Use] = field(default_factory=dict)
    outputs: dict[Resource, Use] = field(default_factory=dict)
    parameters: dict[Parameter, None] = field(default_factory=dict)
    setting: dict[Aspect, dict[Resource, Use]] = field(default_factory=lambda: defaultdict(dict))

    def uses(self, aspect: Aspect) -> tuple[Use, ...]:
        return tuple(self.setting[aspect].values())


@dataclass(frozen=True)
class _Recorded:
    """Resources recorded with the result, by activity."""

    measures: Sequence[Parameter]
    parameters: dict[Resource, list[Parameter]]
    outputs: dict[Resource, list[Use]]


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
        self._about = read_particulars(store, resources, vocabulary, inferred_graphs=inferred_graphs, limits=limits)
        self._about = with_content(self._about, edges)
        self._about = with_content(self._about, edges)
        plain, self._orchestrated = without_bookkeeping(edges, self._about)
        # A run orchestrated what made something else, too.
        own = [part for part, run in self._orchestrated.items() if run in starts]
        self._edges = _reached((*starts, *own), plain)
        self._times = read_times(store, resources, limits=limits)
        self._activities = self._find_activities()
        self._plan_of = {edge.effect: edge.cause for edge in reversed(self._edges) if edge.relation is Relation.PLANNED}
        self._roles = roles_of(store, self._edges, limits)
        self._causes: dict[Resource, list[LineageEdge]] = defaultdict(list)
        self._known_before: dict[tuple[Resource, Resource], set[Resource]] = {}
        for edge in self._edges:
            self._causes[edge.effect].append(edge)

    def recipe(self) -> Recipe:
        result = self._recorded_with_result()
        drafts = self._drafts(result)
        wholes = self._wholes()
        order = self._ordered(drafts, wholes)
        # A section without its own inputs used the outputs of the sections before it.
        sections = {part: whole for part, whole in wholes.items() if part in self._starts or not drafts[part].inputs}
        repeats = repeats_of(self._store, sections, self._vocabulary, listed=drafts, limits=self._limits)
        steps = tuple(
            self._step(number, one, drafts[one], wholes, repeats.get(one)) for number, one in enumerate(order, start=1)
        )
        every = [use for step in steps for use in step.inputs]
        made = {use.resource for step in steps for use in step.outputs} | self._activities
        data = {use.resource: use for use in every if use.resource not in made}
        for edge in self._edges:
            if edge.relation in (Relation.DERIVED, Relation.PART_OF) and self._is_raw(edge.cause):
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
            expected=tuple(result.measures),
            edges=self._edges,
        )

    def _find_activities(self) -> frozenset[Resource]:
        sure: set[Resource] = set()
        informed: set[Resource] = set()
        entities: set[Resource] = set()
        for edge in self._edges:
            if edge.relation is Relation.GENERATED:
                sure.add(edge.cause)
                entities.add(edge.effect)
            elif edge.relation is Relation.USED:
                sure.add(edge.effect)
                entities.add(edge.cause)
            elif edge.relation is Relation.INFORMED:
                informed.update((edge.effect, edge.cause))
            elif edge.relation is Relation.DERIVED:
                entities.update((edge.effect, edge.cause))
        effects = {edge.effect for edge in self._edges}
        named = {
            resource
            for resource in (*self._starts, *self._about)
            if resource not in entities
            and any(word.endswith(_ACTIVITIES) for word in kind_words(self._about[resource].classes))
            and resource in effects
        }
        # An engine that started a run informed it, but is not a step.
        return frozenset(sure | {one for one in informed | named if not is_agent(self._about[one].classes)})

    # The content of steps

    def _drafts(self, result: _Recorded) -> dict[Resource, _Draft]:
        """The drafts by activity, or by the result if no activity is recorded."""
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
            elif edge.relation in (Relation.DERIVED, Relation.INFLUENCED) and self._is_thing(edge.cause):
                makers = generated.get(edge.effect, ())
                if makers:
                    for maker in makers:
                        # Skip links that a longer path implies.
                        if edge.cause not in self._before(maker, edge.effect):
                            drafts[maker].inputs.setdefault(edge.cause, self._use(edge.cause, edge.origin))
                else:
                    draft = drafts.setdefault(edge.effect, _Draft())
                    draft.inputs.setdefault(edge.cause, self._use(edge.cause, edge.origin))
                    draft.outputs.setdefault(edge.effect, self._use(edge.effect, edge.origin))
        for activity, parameters in result.parameters.items():
            drafts[activity].parameters.update(dict.fromkeys(parameters))
        for activity, uses in result.outputs.items():
            drafts[activity].outputs.update({use.resource: use for use in uses if use.resource != self._start})
        for effect, makers in generated.items():
            for maker in makers:
                drafts[maker].parameters.update(dict.fromkeys(self._said_of(effect)))
        return drafts

    def _note(self, draft: _Draft, edge: LineageEdge) -> None:
        about = self._about[edge.cause]
        if edge.cause in self._activities:
            return
        relation = Relation.ASSOCIATED if is_agent(about.classes) else edge.relation
        aspect = aspect_of(relation, about.classes, has_value=about.value is not None)
        made = any(one.relation is Relation.GENERATED for one in self._causes.get(edge.cause, ()))
        if aspect is Aspect.STRUCTURE or relation is Relation.PART_OF or (aspect is Aspect.PARAMETER and made):
            # A value made by another step is passed on.
            aspect = Aspect.INPUT
        if aspect is Aspect.PARAMETER:
            draft.parameters[self._parameter(edge.cause, edge.origin, edge.effect)] = None
        elif aspect is Aspect.INPUT:
            draft.inputs.setdefault(edge.cause, self._use(edge.cause, edge.origin, edge.effect))
        else:
            draft.setting[aspect].setdefault(edge.cause, self._use(edge.cause, edge.origin))

    def _parameter(self, resource: Resource, origin: Origin, user: Resource | None = None) -> Parameter:
        about = self._about[resource]
        return Parameter(self._role(resource, user) or about.name, about.value or about.name, origin, resource)

    def _said_of(self, thing: Resource) -> Iterator[Parameter]:
        """The parameters of a resource that belong to its making."""
        about = self._about[thing]
        for setting in about.settings:
            yield Parameter(setting.name, setting.value, Origin.ASSERTED, stated_of=thing)
        for setting in self._told(thing, Aspect.PARAMETER):
            yield Parameter(setting.name, setting.value, Origin.ASSERTED, stated_of=thing)

    def _told(self, thing: Resource, aspect: Aspect) -> Iterator[Setting]:
        """The settings among a resource's properties."""
        values: dict[NamedNode, list[str]] = defaultdict(list)
        for predicate, text in self._about[thing].properties:
            if aspect_of_property(predicate) is aspect:
                values[predicate].append(text)
        for predicate, texts in values.items():
            yield Setting(term_label(predicate), ", ".join(texts))

    def _recorded_with_result(self) -> _Recorded:
        """The other outputs of the activities that made the result or are the run."""
        measures = [
            Parameter(setting.name, setting.value, Origin.ASSERTED, stated_of=self._start)
            for setting in self._told(self._start, Aspect.RESULT)
        ]
        runs = [one for one in self._starts if one in self._activities]
        makers = dict.fromkeys(
            [edge.cause for edge in self._causes[self._start] if edge.relation is Relation.GENERATED] + runs
        )
        generated = self._vocabulary.of(frozenset({Relation.GENERATED}))
        steps = steps_from(self._store, list(makers), generated, Direction.DOWNSTREAM, limits=self._limits)
        links = {
            edge.effect: edge
            for edge in (edge_of(key, quads, self._inferred) for key, quads in steps.items())
            if edge.effect not in self._about
        }
        effects = sorted(links, key=lambda one: label_order(str(one)))[:_MOST_RECORDED]
        plans = self._plans_of(effects)
        new = [*effects, *plans.values()]
        self._about |= read_particulars(
            self._store, new, self._vocabulary, inferred_graphs=self._inferred, limits=self._limits
        )
        self._plan_of |= plans
        recorded = _Recorded([], defaultdict(list), defaultdict(list))
        for effect in effects:
            about, maker, origin = self._about[effect], links[effect].cause, links[effect].origin
            kinds = kind_words(about.classes)
            is_value = about.value is not None
            if is_value and any("parameter" in kind for kind in kinds):
                recorded.parameters[maker].append(self._parameter(effect, origin))
            elif is_value and (
                aspect_of(Relation.USED, about.classes, has_value=True) is Aspect.PARAMETER
                or "modelevaluation" in kinds
            ):
                measures.append(replace(self._parameter(effect, origin), stated_of=maker))
            elif maker in runs:
                recorded.outputs[maker].append(self._use(effect, origin))
        return replace(recorded, measures=measures)

    def _plans_of(self, resources: list[Resource]) -> dict[Resource, Resource]:
        """The plans of values: PROV-ML names measures and parameters only by their attribute."""
        steps = steps_from(self._store, resources, self._vocabulary, Direction.UPSTREAM, limits=self._limits)
        return {effect: cause for effect, cause, relation in steps if relation is Relation.PLANNED}

    # Order

    def _wholes(self) -> dict[Resource, Resource]:
        """The parents of activities: of those that informed one, the last started whose time contains it."""
        candidates: dict[Resource, list[Resource]] = defaultdict(list)
        undecided: list[LineageEdge] = []
        for edge in self._edges:
            if edge.relation is Relation.INFORMED and {edge.effect, edge.cause} <= self._activities:
                part, whole = edge.effect, edge.cause
                within = is_part(
                    edge.evidence,
                    self._about[part].classes,
                    self._about[whole].classes,
                    self._times.get(part, Times()),
                    self._times.get(whole, Times()),
                )
                if within:
                    candidates[edge.effect].append(edge.cause)
                elif within is None:
                    undecided.append(edge)
        # Without terms and times: an activity that informed several is taken as their parent.
        informed = [edge.cause for edge in undecided]
        numbers = numbers_within(self._store, informed, self._vocabulary, limits=self._limits)
        for edge in undecided:
            if numbers.get(edge.cause, 0) > 1:
                candidates[edge.effect].append(edge.cause)
        for part, whole in self._orchestrated.items():
            if part in self._activities and whole in self._activities:
                candidates[part].append(whole)
        return {part: max(wholes, key=self._began) for part, wholes in candidates.items()}

    def _began(self, activity: Resource) -> tuple[bool, float, str]:
        born = self._times.get(activity, Times()).born
        return (born is not None, born.timestamp() if born else 0.0, str(activity))

    def _ordered(self, drafts: Mapping[Resource, _Draft], wholes: Mapping[Resource, Resource]) -> list[Resource]:
        """The steps in an order of dependencies, then time, then name."""
        makers: dict[Resource, set[Resource]] = defaultdict(set)
        for key, draft in drafts.items():
            for output in draft.outputs:
                makers[output].add(key)
        needs: dict[Resource, set[Resource]] = {key: set() for key in drafts}
        for key, draft in drafts.items():
            for one in (*draft.inputs, *(one for uses in draft.setting.values() for one in uses)):
                needs[key] |= self._makers_of(one, makers) - {key}
        for edge in self._edges:
            if edge.effect in self._activities and edge.cause in self._activities:
                needs[edge.effect].add(edge.cause)
        return in_order(sorted(drafts, key=self._place), needs, wholes)

    def _place(self, activity: Resource) -> tuple[object, ...]:
        born = self._times.get(activity, Times()).born
        return (born is None, born.timestamp() if born else 0.0, label_order(self._about[activity].name), str(activity))

    def _makers_of(self, thing: Resource, makers: Mapping[Resource, set[Resource]]) -> set[Resource]:
        """The makers of a thing, of its members, or of the thing it is a version of."""
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

    def _before(self, maker: Resource, effect: Resource) -> set[Resource]:
        """The origins of an activity, without those that only precede its results."""
        known = self._known_before.get((maker, effect))
        if known is not None:
            return known
        found: set[Resource] = set()
        waiting, seen = [maker], {maker, effect}
        while waiting:
            for edge in self._causes.get(waiting.pop(), ()):
                found.add(edge.cause)
                if edge.cause not in seen:
                    seen.add(edge.cause)
                    waiting.append(edge.cause)
        self._known_before[maker, effect] = found
        return found

    # The recipe

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

    def _use(self, resource: Resource, origin: Origin, user: Resource | None = None) -> Use:
        return Use(resource, self._role(resource, user), origin)

    def _role(self, resource: Resource, user: Resource | None = None) -> str:
        """The role of a resource: its plan, or its use by the user."""
        plan = self._plan_of.get(resource)
        if plan is not None:
            return self._about[plan].name
        return "" if user is None else self._roles.get((user, resource), "")

    def _sorted(self, uses: Iterable[Use]) -> tuple[Use, ...]:
        return tuple(sorted(uses, key=lambda use: (label_order(self._about[use.resource].name), str(use.resource))))

    def _all(self, groups: Iterable[tuple[Use, ...]]) -> tuple[Use, ...]:
        return self._sorted({use.resource: use for group in groups for use in group}.values())

    def _credited(self) -> tuple[Use, ...]:
        return tuple(self._use(edge.cause, edge.origin) for edge in self._edges if edge.relation is Relation.ATTRIBUTED)

    def _is_thing(self, resource: Resource) -> bool:
        return resource not in self._activities

    def _is_raw(self, resource: Resource) -> bool:
        """Whether neither a resource nor the thing it is a version of has a recorded origin."""
        waiting, seen = [resource], {resource}
        while waiting:
            for edge in self._causes.get(waiting.pop(), ()):
                if edge.relation is Relation.SPECIALISED and edge.cause not in seen:
                    seen.add(edge.cause)
                    waiting.append(edge.cause)
                elif edge.relation in _MADE_FROM | {Relation.GENERATED}:
                    return False
        return self._is_thing(resource) and not is_agent(self._about[resource].classes)


def _reached(starts: Iterable[Resource], edges: Iterable[LineageEdge]) -> tuple[LineageEdge, ...]:
    """The edges that lead on from the starts."""
    causes: dict[Resource, list[LineageEdge]] = defaultdict(list)
    for edge in edges:
        causes[edge.effect].append(edge)
    seen = dict.fromkeys(starts)
    waiting = list(seen)
    reached: list[LineageEdge] = []
    while waiting:
        for edge in causes[waiting.pop()]:
            reached.append(edge)
            if edge.cause not in seen:
                seen[edge.cause] = None
                waiting.append(edge.cause)
    return tuple(reached)
