"""The statements about what a run took place in: persons, software, and facts about the implementation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from hpc_explorer.interchange.capture.paths import RUN, rank_of, workflow_of
from hpc_explorer.interchange.capture.terms import (
    LABEL,
    PART,
    TAG,
    TYPE,
    VALUE,
    as_literal,
    as_part,
    as_text,
    ml,
    mls,
    prov,
)


def person_of(activity: str, person: Mapping[str, str]) -> str:
    """The statements about a person who takes part in a run.

    Args:
        activity: the run as a term.
        person: name, and role, orcid and email where they are known.
    """
    name = str(person["name"])
    if person.get("orcid"):
        iri = f"https://orcid.org/{as_part(person['orcid'])}"
    elif person.get("email"):
        iri = f"mailto:{quote(person['email'], safe='@')}"
    else:
        iri = f"urn:hpc-explorer:person:{as_part(name)}"
    role = f"<{iri}> {TAG} {as_text(person['role'])} .\n" if person.get("role") else ""
    return (
        f"<{iri}> {TYPE} {ml('Persona')} .\n<{iri}> {LABEL} {as_text(name)} .\n{role}"
        f"{activity} {prov('wasAssociatedWith')} <{iri}> .\n"
    )


def characteristics(path: str, values: Mapping[str, Any]) -> str:
    """The implementation that a run executes, and facts about it."""
    run = path.partition("/")[0]
    implementation = f"<{RUN}{path}/implementation>"
    label = f"implementation of {unquote(workflow_of(run))}" + (f" ({rank_of(path)})" if rank_of(path) else "")
    out = [f"{implementation} {TYPE} {ml('Implementation')} .\n{implementation} {LABEL} {as_text(label)} .\n"]
    out.append(f"<{RUN}{run}> {mls('executes')} {implementation} .\n")
    for name, value in values.items():
        if value in ("", None):
            continue
        fact = f"<{RUN}{path}/implementation/{as_part(name)}>"
        out.append(f"{fact} {TYPE} {ml('ImplementationCharacteristic')} .\n{fact} {LABEL} {as_text(name)} .\n")
        out.append(f"{fact} {VALUE} {as_literal(value)} .\n{implementation} {mls('hasQuality')} {fact} .\n")
    return "".join(out)


def software_of(path: str, software: Mapping[str, str]) -> str:
    """The statements about the software of a run's implementation.

    Args:
        path: the run or one of its processes.
        software: versions by name.
    """
    out: list[str] = []
    implementation = f"<{RUN}{path}/implementation>"
    for name, version in software.items():
        package = f"<urn:hpc-explorer:software:{as_part(name)}:{as_part(version)}>"
        out.append(f"{package} {TYPE} {ml('Software')} .\n{package} {LABEL} {as_text(f'{name} {version}')} .\n")
        out.append(f"{package} <http://schema.org/softwareVersion> {as_text(version)} .\n")
        out.append(f"{implementation} {PART} {package} .\n")
    return "".join(out)
