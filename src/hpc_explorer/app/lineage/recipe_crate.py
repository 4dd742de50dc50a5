"""A recipe as a Workflow Run RO-Crate: Process Run Crate 0.5 (https://w3id.org/ro/wfrun/process/0.5), on RO-Crate 1.1.

An activity is a `CreateAction` with `instrument`, `object`, `result` and `agent`, or an `Action` if no executed program
is recorded. A parameter is a `PropertyValue`, data a `File`, a plan a `HowToStep`, the sequence of steps a `HowTo`.
Links without a schema.org term keep their PROV-O or wfprov term, so the crate has the same lineage. Resources keep
their IRIs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hpc_explorer.app.export.crate_files import write_crate_files
from hpc_explorer.app.lineage.recipe_text import recipe_page, repeats_text
from hpc_explorer.app.lineage.reproducing import Reproduction
from hpc_explorer.interchange.crate import METADATA_NAME, NO_LICENCE, RUN_TERMS, crate_document, one_or_all, safe_place
from hpc_explorer.lineage.facts.aspects import Aspect, aspect_of, is_agent, kind_words
from hpc_explorer.lineage.recipe.particulars import Particulars, Setting
from hpc_explorer.lineage.recipe.recipe import Parameter, Step
from hpc_explorer.lineage.trace.trace import LineageEdge
from hpc_explorer.lineage.trace.vocabulary import Relation
from hpc_explorer.rdf.namespaces import PROV, WFPROV
from hpc_explorer.rdf.terms import NamedNode, Resource

Entity = dict[str, Any]

PAGE_NAME = "how-to-make-it-again.md"

_PROFILE = "https://w3id.org/ro/wfrun/process/0.5"

# Relations without a schema.org term.
_OWN_WORDS = {
    Relation.INFORMED: ("wasInformedBy", PROV.wasInformedBy),
    Relation.INFLUENCED: ("wasInfluencedBy", PROV.wasInfluencedBy),
    Relation.ASSOCIATED: ("wasAssociatedWith", PROV.wasAssociatedWith),
    Relation.ATTRIBUTED: ("wasAttributedTo", PROV.wasAttributedTo),
    Relation.PART_OF: ("hadMember", PROV.hadMember),
    Relation.SPECIALISED: ("specializationOf", PROV.specializationOf),
    Relation.GENERATED: ("wasGeneratedBy", PROV.wasGeneratedBy),
    Relation.USED: ("used", PROV.used),
    Relation.DERIVED: ("wasDerivedFrom", PROV.wasDerivedFrom),
    Relation.PLANNED: ("describedByProcess", WFPROV.describedByProcess),
}
_CHECKSUM_TERMS = frozenset({"md5", "sha1", "sha256", "sha512"})
_WORKFLOW_KINDS = ("workflow", "experiment", "process")


def crate_metadata(found: Reproduction, *, now: date, copied: Mapping[Resource, str] | None = None) -> Entity:
    """The content of `ro-crate-metadata.json`.

    Args:
        now: the date of publication.
        copied: the paths of files in the crate.
    """
    return _Crate(found, now, copied or {}).document()


def write_crate(found: Reproduction, target: Path, *, now: date | None = None, copy_files: bool = False) -> int:
    """Write a crate as a new folder, or as a file if the name ends in `.zip`; completely or not at all.

    Args:
        copy_files: include the recipe's files on this machine.

    Returns:
        The number of entities described.

    Raises:
        OutputNotWritable: it cannot be written, or the folder exists and is not empty.
    """
    copied = dict(crate_places(found)) if copy_files else {}
    metadata = crate_metadata(found, now=now or datetime.now(UTC).date(), copied=copied)
    texts = {METADATA_NAME: json.dumps(metadata, indent=1, ensure_ascii=False), PAGE_NAME: recipe_page(found)}
    write_crate_files(target, texts, {place: found.files[resource].path for resource, place in copied.items()})
    return len(metadata["@graph"])


def crate_places(found: Reproduction) -> Iterator[tuple[Resource, str]]:
    """The path of each file in the crate: its name, numbered if several files have it."""
    taken: set[str] = set()
    for resource, file in found.files.items():
        yield resource, safe_place(file.path.name, taken)


class _Crate:
    def __init__(self, found: Reproduction, now: date, copied: Mapping[Resource, str]) -> None:
        self._found, self._recipe, self._about = found, found.recipe, found.recipe.about
        self._now, self._copied = now, copied
        self._entities: dict[Resource, Entity] = {}
        self._others: list[Entity] = []
        self._words: dict[str, str] = {}
        self._actions = {step.activity: step for step in found.recipe.steps if step.activity is not None}
        self._data: dict[Resource, None] = {}

    def document(self) -> Entity:
        for resource in self._named():
            self._entities[resource] = self._entity(resource)
        # Sorted, so that equal recipes give equal crates.
        for edge in sorted(self._recipe.edges, key=lambda edge: (str(edge.effect), str(edge.cause))):
            self._link(edge)
        for step in self._recipe.steps:
            self._complete(step)
        for parameter in self._recipe.expected:
            if parameter.resource is not None and parameter.stated_of in self._actions:
                self._add(self._entities[parameter.stated_of], "result", self._parameter(parameter))
        how_to = self._how_to()
        context: list[object] = [RUN_TERMS]
        if self._words:
            context.append(dict(sorted(self._words.items())))
        root, *frame = self._frame(how_to)
        entities = map(_plain, [*self._entities.values(), *self._others])
        return crate_document("1.1", root, [*frame, *how_to, *entities], context)

    def _named(self) -> list[Resource]:
        """The resources to describe: the ends of every link, and their files."""
        named = dict.fromkeys([self._recipe.start])
        named |= dict.fromkeys(one for edge in self._recipe.edges for one in (edge.effect, edge.cause))
        named |= dict.fromkeys(file for one in list(named) for file in self._about[one].files if file in self._about)
        return list(named)

    def _frame(self, how_to: list[Entity]) -> list[Entity]:
        start = self._found.start
        executed = any(self._entities[one]["@type"][0] == "CreateAction" for one in self._actions)
        root: Entity = {
            "@id": "./",
            "@type": "Dataset",
            "name": f"How to make {start.label} again",
            "description": self._summary(),
            "datePublished": self._now.isoformat(),
            "license": self._licence(),
            "about": self._reference(self._recipe.start),
            "hasPart": [{"@id": PAGE_NAME}, *(self._reference(one) for one in self._data)],
            "mentions": [
                *({"@id": one["@id"]} for one in how_to if one["@type"] == "HowTo"),
                *(self._reference(one) for one in self._actions),
            ],
        }
        # The profile requires executed programs.
        if executed:
            root["conformsTo"] = {"@id": _PROFILE}
        frame: list[Entity] = [
            root,
            {
                "@id": PAGE_NAME,
                "@type": "File",
                "name": root["name"],
                "description": "Everything that is recorded, as a page of text, with what is missing",
                "encodingFormat": "text/markdown",
            },
        ]
        if executed:
            profile = {"@id": _PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"}
            frame.append(profile)
        return frame

    def _summary(self) -> str:
        needed = [gap.sentence for gap in self._found.gaps if gap.is_needed]
        told = f"What is recorded of how {self._found.start.label} was made, in {len(self._recipe.steps)} steps."
        return f"{told} Missing: {' '.join(needed)}" if needed else told

    def _licence(self) -> str:
        told = {
            fact.value
            for use in self._recipe.data
            for fact in self._about[use.resource].facts
            if fact.name == "license"
        }
        if told:
            return f"The data to begin with: {', '.join(sorted(told))}"
        return NO_LICENCE

    def _how_to(self) -> list[Entity]:
        """The sequence of steps, and the action of each (Provenance Run Crate: ControlAction)."""
        if not self._recipe.steps:
            return []
        entities: list[Entity] = []
        for step in self._recipe.steps:
            place = {"@id": f"#step-{step.number}"}
            made = ", ".join(self._about[use.resource].name for use in step.outputs)
            name = self._about[step.activity].name if step.activity else f"Make {made} (not recorded how)"
            entities.append({**place, "@type": "HowToStep", "name": name, "position": step.number})
            if step.activity is not None:
                entities.append(
                    {
                        "@id": f"#control-{step.number}",
                        "@type": "ControlAction",
                        "name": f"Step {step.number}",
                        "instrument": place,
                        "object": self._reference(step.activity),
                    }
                )
        steps = [{"@id": one["@id"]} for one in entities if one["@type"] == "HowToStep"]
        return [
            {"@id": "#how-to", "@type": "HowTo", "name": f"How to make {self._found.start.label} again", "step": steps},
            *entities,
        ]

    def _id(self, resource: Resource) -> str:
        if resource in self._copied:
            return quote(self._copied[resource])
        return resource.value if isinstance(resource, NamedNode) else f"#{resource.value}"

    def _reference(self, resource: Resource) -> Entity:
        return {"@id": self._id(resource)}

    def _entity(self, resource: Resource) -> Entity:
        about = self._about[resource]
        kind = self._kind(resource)
        entity: Entity = {
            "@id": self._id(resource),
            "@type": [*kind, *(cls.value for cls in about.classes if not cls.value.startswith("http://schema.org/"))],
            "name": about.name,
        }
        if about.description:
            entity["description"] = about.description
        if resource in self._copied and isinstance(resource, NamedNode):
            entity["sameAs"] = {"@id": resource.value}
        if kind[0] == "PropertyValue":
            entity["value"] = about.value
            return entity
        if resource in self._actions:
            return entity
        if about.version:
            entity["softwareVersion" if kind[0].startswith("Software") else "version"] = about.version
        if kind[0] == "File":
            self._data[resource] = None
            self._describe_file(entity, resource, about)
        elif about.locations:
            entity["url"] = list(about.locations)
        properties = [*about.facts, *about.qualities, *about.settings]
        if properties:
            entity["additionalProperty"] = [self._property(one) for one in properties]
        return entity

    def _describe_file(self, entity: Entity, resource: Resource, about: Particulars) -> None:
        local = self._found.files.get(resource)
        if about.size:
            entity["contentSize"] = about.size
        elif local is not None:
            entity["contentSize"] = str(local.size)
        for checksum in about.checksums:
            if checksum.algorithm in _CHECKSUM_TERMS:
                entity[checksum.algorithm] = checksum.digest
        if local is not None and local.sha256 is not None:
            entity.setdefault("sha256", local.sha256)
        places = [place for place in (*about.locations, about.value or "") if place and place != entity["@id"]]
        if places:
            entity["contentUrl"] = places
        parts = [file for file in about.files if file in self._entities or file in self._about]
        if parts:
            entity["associatedMedia"] = [self._reference(file) for file in parts]

    def _kind(self, resource: Resource) -> list[str]:
        if resource in self._actions:
            return ["CreateAction" if self._actions[resource].software else "Action"]
        about = self._about[resource]
        kinds = kind_words(about.classes)
        aspects = {
            aspect_of(edge.relation, about.classes, has_value=about.value is not None)
            for edge in self._recipe.edges
            if edge.cause == resource
        }
        if Aspect.PERSON in aspects or (is_agent(about.classes) and Aspect.SOFTWARE not in aspects):
            return ["Organization" if any("organi" in kind for kind in kinds) else "Person"]
        if Aspect.MACHINE in aspects:
            return ["Thing"]
        if Aspect.SOFTWARE in aspects:
            source = any("script" in kind or "source" in kind for kind in kinds)
            return ["SoftwareSourceCode" if source else "SoftwareApplication"]
        if Aspect.PLAN in aspects:
            if not any(edge.effect in self._actions for edge in self._recipe.edges if edge.cause == resource):
                return ["FormalParameter"]
            return ["HowTo" if any(word in kind for kind in kinds for word in _WORKFLOW_KINDS) else "HowToStep"]
        return ["PropertyValue"] if Aspect.PARAMETER in aspects else ["File"]

    def _link(self, edge: LineageEdge) -> None:
        """Add one link of the lineage, in schema.org terms where possible."""
        effect, cause = self._entities[edge.effect], self._entities[edge.cause]
        is_action = edge.effect in self._actions
        kind = cause["@type"][0]
        match edge.relation:
            case Relation.GENERATED if edge.cause in self._actions:
                self._add(cause, "result", {"@id": effect["@id"]})
            case Relation.USED if is_action:
                self._add(effect, "object", {"@id": cause["@id"]})
            case Relation.DERIVED:
                self._add(effect, "isBasedOn", {"@id": cause["@id"]})
            case Relation.PLANNED | Relation.ASSOCIATED if is_action and kind.startswith("Software"):
                self._add(effect, "instrument", {"@id": cause["@id"]})
            case Relation.ASSOCIATED if is_action and kind in ("Person", "Organization"):
                self._add(effect, "agent", {"@id": cause["@id"]})
            case Relation.PLANNED if not is_action and kind == "FormalParameter":
                self._add(effect, "exampleOfWork", {"@id": cause["@id"]})
            case _:
                word, term = _OWN_WORDS[edge.relation]
                self._words[word] = term.value
                self._add(effect, word, {"@id": cause["@id"]})

    def _complete(self, step: Step) -> None:
        """Add what a step has besides its links."""
        if step.activity is None:
            return
        entity = self._entities[step.activity]
        if step.started is not None:
            entity["startTime"] = step.started.isoformat()
        if step.ended is not None:
            entity["endTime"] = step.ended.isoformat()
        told = [*step.commands, *([entity["description"]] if "description" in entity else [])]
        if step.repeats is not None:
            told.append(f"Done {repeats_text(step.repeats, self._about[step.repeats.whole].name)}.")
        if told:
            entity["description"] = "\n".join(told)
        if step.environment:
            entity["environment"] = [self._property(one) for one in step.environment]
        for parameter in step.parameters:
            # Parameters that an activity recorded itself are results.
            if parameter.resource is not None and parameter.resource not in self._entities:
                self._add(entity, "result", self._parameter(parameter))

    def _parameter(self, parameter: Parameter) -> Entity:
        assert parameter.resource is not None
        value = {
            "@id": self._id(parameter.resource),
            "@type": ["PropertyValue", *(cls.value for cls in self._about[parameter.resource].classes)],
            "name": parameter.name,
            "value": parameter.value,
        }
        if all(one["@id"] != value["@id"] for one in self._others):
            self._others.append(value)
        return {"@id": value["@id"]}

    def _property(self, setting: Setting) -> Entity:
        names = self._found.property_names
        number = len(self._others) + 1
        entity = {
            "@id": f"#property-{number}",
            "@type": "PropertyValue",
            "name": names.get(setting.term, setting.name) if setting.term is not None else setting.name,
            "value": setting.value,
        }
        self._others.append(entity)
        return {"@id": entity["@id"]}

    @staticmethod
    def _add(entity: Entity, word: str, value: object) -> None:
        values = entity.setdefault(word, [])
        if value not in values:
            values.append(value)


def _plain(entity: Entity) -> Entity:
    """Replace single-item lists by their item."""
    return {word: one_or_all(value) if isinstance(value, list) else value for word, value in entity.items()}
