"""Find information needed to repeat a recipe that the record lacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from hpc_explorer.lineage.facts.aspects import kind_words
from hpc_explorer.lineage.recipe.particulars import Particulars
from hpc_explorer.lineage.recipe.recipe import Recipe, Step
from hpc_explorer.rdf.terms import Resource


class GapKind(Enum):
    """The kind of a gap, most severe first."""

    MAKING = "how it was made"
    LOCATION = "where it is"
    PROGRAM = "program"
    VERSION = "version"
    PARTS = "parts"
    CONTENT = "content"
    CHECKSUM = "checksum"
    COMMAND = "command"
    SEED = "random seed"
    MACHINE = "machine"
    PERSON = "person"


_NEEDED = frozenset(
    {GapKind.MAKING, GapKind.LOCATION, GapKind.PROGRAM, GapKind.VERSION, GapKind.PARTS, GapKind.CONTENT}
)


@dataclass(frozen=True)
class Gap:
    """Missing information.

    Args:
        resources: the resources concerned.
        sentence: a description for people.
    """

    lack: GapKind
    resources: tuple[Resource, ...]
    sentence: str

    @property
    def is_needed(self) -> bool:
        """Whether it is required to repeat the recipe; otherwise it would help, or would verify the result."""
        return self.lack in _NEEDED


# Maximum number of names in a sentence.
_MOST_NAMED = 6

_VERSION_IN_NAME = re.compile(r"\bv?\d+(\.\d+)+\b|\bv\d+\b", re.IGNORECASE)
_SOURCE_KINDS = ("script", "softwaresourcecode", "computationalworkflow", "notebook")
_LEARNING = ("training", "learning", "model")


def find_gaps(recipe: Recipe) -> tuple[Gap, ...]:
    """The gaps of a recipe, most severe first."""
    return by_severity(gap for gap in _gaps(recipe) if gap.resources)


def by_severity(gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """Sort gaps, most severe first."""
    order = list(GapKind)
    return tuple(sorted(gaps, key=lambda gap: order.index(gap.lack)))


def _gaps(recipe: Recipe) -> Iterator[Gap]:
    about = recipe.about
    if not recipe.is_made:
        name = about[recipe.start].name
        yield Gap(GapKind.MAKING, (recipe.start,), f"Nothing is recorded of how {name} was made.")
    for step in recipe.steps:
        if step.activity is None:
            made = [use.resource for use in step.outputs]
            causes = _names(recipe, [use.resource for use in step.inputs])
            yield Gap(
                GapKind.MAKING,
                tuple(made),
                f"{_names(recipe, made)} came from {causes}; what was done is not recorded.",
            )
    for resource, number in recipe.unopened:
        yield Gap(GapKind.PARTS, (resource,), f"{about[resource].name} has {number:,} parts, too many to open.")
    yield from _gaps_of_data(recipe)
    yield from _gaps_of_programs(recipe)
    yield from _gaps_of_steps(recipe)


def _gaps_of_data(recipe: Recipe) -> Iterator[Gap]:
    raw = [use.resource for use in recipe.data]
    lost = [one for one in raw if not has_location(recipe, one)]
    yield Gap(GapKind.LOCATION, tuple(lost), f"No location is recorded of {_names(recipe, lost)}.")
    unchecked = [one for one in raw if not checksums_of(recipe, one)]
    yield Gap(
        GapKind.CHECKSUM,
        tuple(unchecked),
        f"No checksum is recorded of {_names(recipe, unchecked)}: a copy cannot be verified.",
    )


def _gaps_of_programs(recipe: Recipe) -> Iterator[Gap]:
    built = {use.resource for step in recipe.steps for use in step.outputs}
    programs = [use.resource for use in recipe.software if use.resource not in built]
    sources = [one for one in programs if _is_source(recipe.about[one])]
    lost = [one for one in sources if not has_location(recipe, one)]
    yield Gap(GapKind.LOCATION, tuple(lost), f"No location is recorded of the code of {_names(recipe, lost)}.")
    others = [one for one in programs if one not in sources and not _has_version(recipe.about[one])]
    yield Gap(GapKind.VERSION, tuple(others), f"No version is recorded of {_names(recipe, others)}.")


def _gaps_of_steps(recipe: Recipe) -> Iterator[Gap]:
    by_activity = {step.activity: step for step in recipe.steps if step.activity is not None}
    wholes = {step.within for step in recipe.steps}
    done = [step for step in recipe.steps if step.activity is not None and step.activity not in wholes]

    def without(field: str) -> list[Resource]:
        return [
            step.activity
            for step in done
            if step.activity is not None and not any(getattr(one, field) for one in _with_wholes(step, by_activity))
        ]

    missing = without("software")
    yield Gap(GapKind.PROGRAM, tuple(missing), f"No program is recorded for {_names(recipe, missing)}.")
    uncalled = without("commands")
    yield Gap(
        GapKind.COMMAND, tuple(uncalled), f"No command line is recorded for {_of_all(recipe, uncalled, len(done))}."
    )
    for lack, field in ((GapKind.MACHINE, "machines"), (GapKind.PERSON, "agents")):
        found = without(field)
        yield Gap(lack, tuple(found), f"No {lack.value} is recorded for {_of_all(recipe, found, len(done))}.")
    learning = [step for step in done if _learns(recipe, step)]
    seeded = any("seed" in parameter.name.casefold() for step in recipe.steps for parameter in step.parameters)
    if learning and not seeded:
        activities = [step.activity for step in learning if step.activity is not None]
        yield Gap(GapKind.SEED, tuple(activities), f"No random seed is recorded for {_names(recipe, activities)}.")


def _with_wholes(step: Step, by_activity: dict[Resource, Step]) -> Iterator[Step]:
    """A step and its parents, whose programs and machines also apply to it."""
    seen: set[int] = set()
    current: Step | None = step
    while current is not None and current.number not in seen:
        seen.add(current.number)
        yield current
        current = None if current.within is None else by_activity.get(current.within)


def _learns(recipe: Recipe, step: Step) -> bool:
    kinds = set(kind_words(recipe.about[step.activity].classes)) if step.activity is not None else set()
    kinds |= {kind for use in step.outputs for kind in kind_words(recipe.about[use.resource].classes)}
    return any(word in kind for kind in kinds for word in _LEARNING if "dataset" not in kind)


def checksums_of(recipe: Recipe, resource: Resource) -> tuple[str, ...]:
    """The checksums of data, or of the files that hold it."""
    about = recipe.about[resource]
    files = (recipe.about[file] for file in about.files if file in recipe.about)
    return tuple(str(one) for known in (about, *files) for one in known.checksums)


def has_location(recipe: Recipe, resource: Resource) -> bool:
    """Whether the location of a resource, or of its files, is recorded."""
    about = recipe.about[resource]
    if about.locations or about.value is not None:
        return True
    return any(recipe.about[file].locations for file in about.files if file in recipe.about)


def _is_source(about: Particulars) -> bool:
    return any(word in kind for kind in kind_words(about.classes) for word in _SOURCE_KINDS)


def _has_version(about: Particulars) -> bool:
    told = any("version" in one.name.casefold() or "commit" in one.name.casefold() for one in about.qualities)
    return about.version is not None or bool(about.checksums) or told or _VERSION_IN_NAME.search(about.name) is not None


def _names(recipe: Recipe, resources: Iterable[Resource]) -> str:
    names = [recipe.about[resource].name for resource in resources]
    shown = names[:_MOST_NAMED]
    if len(names) > _MOST_NAMED:
        return f"{', '.join(shown)} and {len(names) - _MOST_NAMED:,} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""


def _of_all(recipe: Recipe, resources: list[Resource], number: int) -> str:
    if len(resources) == number > 1:
        return f"any of the {number:,} steps"
    return _names(recipe, resources)
