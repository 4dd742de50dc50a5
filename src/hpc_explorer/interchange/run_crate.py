"""Write runs as a Workflow Run RO-Crate, profiles 0.5 (https://www.researchobject.org/workflow-run-crate/).

A run that follows a plan and informed other runs makes a Provenance Run Crate: the plan is the workflow, and each step
has the action that carried it out. Without such a run it is a Process Run Crate.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from hpc_explorer.interchange.crate import NO_LICENCE, RUN_TERMS, crate_document
from hpc_explorer.interchange.runs import DATASETS, EVALUATIONS, HYPERPARAMETERS, Run, Runs
from hpc_explorer.interchange.statements import xsd_time
from hpc_explorer.rdf.namespaces import DCTERMS, HPC
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.wording import counted

Entity = dict[str, Any]

_PROFILES = "https://w3id.org/ro/wfrun"
_VERSION = "0.5"


def run_crate(quads: Iterable[Quad], now: datetime) -> tuple[Entity, tuple[str, ...]]:
    """The content of `ro-crate-metadata.json`, and sentences about what is in it.

    Args:
        now: the date of publication.
    """
    return _RunCrate(Runs(quads), now).document()


class _RunCrate:
    def __init__(self, runs: Runs, now: datetime) -> None:
        self._runs = runs
        self._now = now
        self._entities: dict[str, Entity] = {}

    def document(self) -> tuple[Entity, tuple[str, ...]]:
        runs = self._runs
        workflow = self._workflow()
        actions = [self._action(run) for run in runs.runs]
        profiles = ["process", *(["workflow", "provenance"] if workflow is not None else [])]
        for name in profiles:
            iri = f"{_PROFILES}/{name}/{_VERSION}"
            self._entities[iri] = {
                "@id": iri, "@type": "CreativeWork", "name": f"{name.title()} Run Crate", "version": _VERSION
            }  # fmt: skip
        root: Entity = {
            "@id": "./",
            "@type": "Dataset",
            "name": f"{len(runs.runs):,} runs" if len(runs.runs) != 1 else runs.runs[0].name,
            "description": "Runs, and what they used and generated, as they are recorded in a graph",
            "datePublished": self._now.date().isoformat(),
            "license": NO_LICENCE,
            "conformsTo": [{"@id": f"{_PROFILES}/{name}/{_VERSION}"} for name in profiles],
            "mentions": [{"@id": action} for action in actions],
        }
        if workflow is not None:
            root["mainEntity"] = {"@id": workflow}
            root["hasPart"] = [{"@id": workflow}]
        profile = "Provenance Run Crate" if workflow is not None else "Process Run Crate"
        told = [f"{profile}: {counted(len(runs.runs), 'run')} of {counted(runs.statements, 'statement')}"]
        if workflow is None:
            told.append("no run with steps follows a plan, so it has no workflow")
        return crate_document("1.1", root, self._entities.values(), [RUN_TERMS]), tuple(told)

    def _workflow(self) -> str | None:
        """The workflow of the one run that informed others and followed a plan, with a step for each plan of those."""
        runs = self._runs
        steps: dict[NamedNode, list[Run]] = {}
        for run in runs.runs:
            for parent in run.informed_by:
                steps.setdefault(parent, []).append(run)
        mains = [run for run in runs.runs if run.plans and run.iri in steps and not run.informed_by]
        if len(mains) != 1:
            return None
        main = mains[0]
        own = "workflow"
        workflow: Entity = {
            "@id": own,
            "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"],
            "name": runs.name(main.plans[0]),
            "programmingLanguage": {"@id": "#language"},
            "sameAs": main.plans[0].value,
            "step": [],
            "hasPart": [],
        }
        self._entities["#language"] = {"@id": "#language", "@type": "ComputerLanguage", "name": "as recorded"}
        self._entities[own] = workflow
        for number, step in enumerate(steps[main.iri], start=1):
            tool = self._tool(step)
            name = f"#step/{number}"
            self._entities[name] = {
                "@id": name, "@type": "HowToStep", "position": str(number), "name": step.name,
                "workExample": {"@id": tool},
            }  # fmt: skip
            workflow["step"].append({"@id": name})
            if {"@id": tool} not in workflow["hasPart"]:
                workflow["hasPart"].append({"@id": tool})
            self._entities[f"#control/{number}"] = {
                "@id": f"#control/{number}", "@type": "ControlAction", "name": f"Control of {step.name}",
                "instrument": {"@id": name}, "object": {"@id": step.iri.value},
            }  # fmt: skip
        self._entities["#engine"] = {"@id": "#engine", "@type": "SoftwareApplication", "name": "as recorded"}
        self._entities["#orchestration"] = {
            "@id": "#orchestration", "@type": "OrganizeAction", "name": f"Run of {workflow['name']}",
            "instrument": {"@id": "#engine"}, "result": {"@id": main.iri.value},
            "object": [{"@id": f"#control/{number}"} for number in range(1, len(steps[main.iri]) + 1)],
        }  # fmt: skip
        self._main = main.iri
        return own

    _main: NamedNode | None = None

    def _tool(self, run: Run) -> str:
        """The program or plan of a run, as the instrument of its action."""
        found = next(iter((*run.plans, *run.software)), None)
        own = found.value if found is not None else f"{run.iri.value}#tool"
        name = self._runs.name(found) if found is not None else run.name
        tool: Entity = {"@id": own, "@type": "SoftwareApplication", "name": name}
        if found is not None and (version := self._runs.text(found, HPC.version)):
            tool["softwareVersion"] = version
        self._entities.setdefault(own, tool)
        return own

    def _action(self, run: Run) -> str:
        runs = self._runs
        tool = "workflow" if run.iri == self._main else self._tool(run)
        action: Entity = {"@id": run.iri.value, "@type": "CreateAction", "name": run.name, "instrument": {"@id": tool}}
        if description := runs.text(run.iri, DCTERMS.description):
            action["description"] = description
        for word, moment in (("startTime", run.started), ("endTime", run.ended)):
            if moment is not None:
                action[word] = xsd_time(moment)
        for word, things in (("object", run.used), ("result", run.generated)):
            if things:
                action[word] = [{"@id": self._thing(one)} for one in things]
        agents = [{"@id": self._agent(one)} for one in run.agents]
        if agents:
            action["agent"] = agents[0] if len(agents) == 1 else agents
        status = run.attributes.get("status")
        if status is not None and status.value.upper() in ("FAIL", "FAILED", "ERROR"):
            action["actionStatus"] = "http://schema.org/FailedActionStatus"
        self._entities[run.iri.value] = action
        return run.iri.value

    def _thing(self, iri: NamedNode) -> str:
        runs, own = self._runs, iri.value
        value = runs.value(iri)
        if runs.is_a(iri, HYPERPARAMETERS | EVALUATIONS) or (value is not None and not runs.is_a(iri, DATASETS)):
            entity: Entity = {"@id": own, "@type": "PropertyValue", "name": runs.name(iri)}
            if value is not None:
                entity["value"] = value.value
        elif own.startswith(("http://", "https://", "ftp://")):
            entity = {"@id": own, "@type": "File", "name": runs.name(iri)}
        else:
            # A file that cannot be fetched is no data entity (RO-Crate 1.1, "Data Entities").
            entity = {"@id": own, "@type": "CreativeWork", "name": runs.name(iri)}
        if size := runs.size(iri):
            entity["contentSize"] = size
        entity.update(runs.checksums(iri))
        self._entities.setdefault(own, entity)
        return own

    def _agent(self, iri: NamedNode) -> str:
        entity: Entity = {"@id": iri.value, "@type": "Person", "name": self._runs.name(iri)}
        self._entities.setdefault(iri.value, entity)
        return iri.value
