"""The command `reproduce`: how to make a resource again, as text, JSON, JSON-LD or an RO-Crate."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.cli.arguments import (
    add_copied_files,
    add_options,
    add_sources,
    open_session,
    print_copied,
    resource_of,
)
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hpc_explorer.app.lineage.reproducing import Reproduction
    from hpc_explorer.lineage.recipe.particulars import Particulars, Setting
    from hpc_explorer.lineage.recipe.recipe import Parameter, Step, Use


def describe_reproduce(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `reproduce`."""
    add_sources(parser)
    add_options(parser, "--infer", "--rules", "--own-schema")
    parser.add_argument("iri", metavar="IRI", help="the model, artefact or run")
    parser.add_argument(
        "--format", choices=("text", "jsonld", "crate"), default="text", help="crate: a Workflow Run RO-Crate"
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="a file; for a crate a new folder, or a .zip file")
    parser.add_argument(
        "--check-files", action="store_true", help="compare the files on this machine with their recorded checksums"
    )
    add_copied_files(parser)
    add_options(parser, "--vocabulary", "--json")


def run_reproduce(arguments: argparse.Namespace) -> int:
    """Run `reproduce`: exit code 1 if something required is missing."""
    from hpc_explorer.app.lineage.recipe_crate import crate_places, write_crate
    from hpc_explorer.app.lineage.recipe_text import recipe_page, recipe_text
    from hpc_explorer.app.lineage.reproducing import export_reproduction, reproduce, reproduction_document

    chosen, output = arguments.format, arguments.output
    if chosen == "crate" and output is None and not arguments.list_files:
        raise UsageError("a crate needs a target", "--format crate", "name a new folder or a .zip file with -o")
    for option, given in (("--copy-files", arguments.copy_files), ("--list-files", arguments.list_files)):
        if given and chosen != "crate":
            raise UsageError("only a crate contains files", option, "add --format crate")
    if arguments.json and chosen != "text":
        raise UsageError("--json excludes another format", f"--format {chosen}", "leave one of them out")
    session = open_session(arguments)
    resource = resource_of(arguments, arguments.iri)
    found = reproduce(session, resource, check_files=arguments.check_files, limits=arguments.limits)
    places = {place: found.files[one].path for one, place in crate_places(found)}
    if arguments.list_files:
        print_copied(places, found.refused)
        return DONE
    if chosen == "crate":
        if arguments.copy_files:
            print_copied(places, found.refused, sys.stderr)
        number = write_crate(found, Path(output), copy_files=arguments.copy_files)
        print(f"{number:,} entities written to {output}")
    elif chosen == "jsonld" and output is not None:
        report = export_reproduction(session, found, Path(output), limits=arguments.limits)
        print(f"{report.triples:,} triples written to {report.path} ({report.format})")
    else:
        text = (
            _json(found)
            if arguments.json
            else (recipe_page(found).removesuffix("\n") if str(output).endswith(".md") else recipe_text(found))
            if chosen == "text"
            else reproduction_document(session, found, limits=arguments.limits)
        )
        _write(text, output)
    return DONE if found.is_complete else FOUND_WRONG


def _write(text: str, output: str | None) -> None:
    if output is None:
        print(text)
        return
    from hpc_explorer.rdf.syntax.files import atomic_output

    with atomic_output(Path(output)) as stream:
        stream.write((text + "\n").encode("utf-8"))
    print(f"written to {output}")


def _json(found: Reproduction) -> str:
    from hpc_explorer.cli import as_json
    from hpc_explorer.rdf.terms import iri_text

    recipe = found.recipe
    return as_json.dump(
        {
            "start": as_json.named(found.start),
            "complete": found.is_complete,
            "missing": [
                {
                    "what": gap.lack.value,
                    "needed": gap.is_needed,
                    "resources": [iri_text(one) for one in gap.resources],
                    "sentence": gap.sentence,
                }
                for gap in found.gaps
            ],
            "data": _uses(recipe.data),
            "software": _uses(recipe.software),
            "machines": _uses(recipe.machines),
            "people": _uses(recipe.people),
            "plans": _uses(recipe.plans),
            "steps": [_step(step) for step in recipe.steps],
            "expected": [_parameter(one) for one in recipe.expected],
            "resources": {iri_text(one.resource): _particulars(found, one) for one in recipe.about.values()},
            "links": [as_json.step(edge) for edge in recipe.edges],
        }
    )


def _uses(uses: Iterable[Use]) -> list[dict[str, Any]]:
    from hpc_explorer.rdf.terms import iri_text

    return [{"iri": iri_text(use.resource), "role": use.role, "origin": use.origin.value} for use in uses]


def _step(step: Step) -> dict[str, Any]:
    from hpc_explorer.rdf.terms import iri_text

    repeats = step.repeats
    return {
        "number": step.number,
        "activity": None if step.activity is None else iri_text(step.activity),
        "started": None if step.started is None else step.started.isoformat(),
        "ended": None if step.ended is None else step.ended.isoformat(),
        "within": None if step.within is None else iri_text(step.within),
        "inputs": _uses(step.inputs),
        "outputs": _uses(step.outputs),
        "parameters": [_parameter(one) for one in step.parameters],
        "software": _uses(step.software),
        "machines": _uses(step.machines),
        "people": _uses(step.agents),
        "plans": _uses(step.plans),
        "commands": list(step.commands),
        "environment": _settings(step.environment),
        "repeats": None
        if repeats is None
        else {
            "whole": iri_text(repeats.whole),
            "number": repeats.number,
            "total": repeats.total,
            "first": repeats.first,
            "last": repeats.last,
            "inner": repeats.inner,
            "by_time": repeats.by_time,
            "values": [{"name": one.name, "first": one.first, "last": one.last} for one in repeats.values],
        },
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    from hpc_explorer.rdf.terms import iri_text

    return {
        "name": parameter.name,
        "value": parameter.value,
        "origin": parameter.origin.value,
        "iri": None if parameter.resource is None else iri_text(parameter.resource),
        "of": None if parameter.stated_of is None else iri_text(parameter.stated_of),
    }


def _settings(settings: Iterable[Setting]) -> list[dict[str, str]]:
    return [{"name": one.name, "value": one.value} for one in settings]


def _particulars(found: Reproduction, about: Particulars) -> dict[str, Any]:
    from hpc_explorer.rdf.terms import iri_text

    local = found.files.get(about.resource)
    return {
        "name": about.name,
        "classes": [cls.value for cls in about.classes],
        "value": about.value,
        "version": about.version,
        "description": about.description,
        "size": about.size,
        "checksums": [{"algorithm": one.algorithm, "digest": one.digest} for one in about.checksums],
        "locations": list(about.locations),
        "facts": _settings(about.facts),
        "settings": _settings(about.settings),
        "qualities": _settings(about.qualities),
        "files": [iri_text(file) for file in about.files],
        "here": None
        if local is None
        else {"path": str(local.path), "size": local.size, "sha256": local.sha256, "agrees": local.agrees},
    }
