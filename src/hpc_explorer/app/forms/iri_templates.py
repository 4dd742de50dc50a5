"""The IRI templates of new resources: those in a file, else one derived from the IRIs of the graph.

    iri_templates.json     {"": "https://example.org/{class}/{name}", "https://…#Data": "https://…/data/DA{number:6}"}

The file is read from the workspace first, then from the folder of the settings. A template also applies to subclasses
of its class; the template of "" applies to every class.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hpc_explorer.annotate.minting import IriTemplate, Minting, template_like
from hpc_explorer.app.settings import settings_file
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import DamagedSettings
from hpc_explorer.ontology.sampling import some_members
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits

_FILE = "iri_templates.json"

# Members of a class whose IRIs are compared to derive a template.
_LOOKED_AT = 200

_UNIQUE = IriTemplate("urn:uuid:{uuid}")


def templates_file(session: Session | None) -> Path:
    """The file of templates: in the workspace of a session, else beside the settings."""
    if session is not None and session.workspace is not None:
        return session.workspace.folder / _FILE
    return settings_file().with_name(_FILE)


def kept_templates(file: Path) -> dict[str, IriTemplate]:
    """The templates of a file by class IRI; empty if there is no file.

    Raises:
        DamagedSettings: the file is not a JSON object of texts.
        InvalidIri: a text is not a valid template.
    """
    try:
        values: Any = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedSettings(f"the IRI templates cannot be read ({error})", str(file), "fix or remove it") from None
    if not isinstance(values, dict) or not all(isinstance(text, str) for text in values.values()):
        raise DamagedSettings("the IRI templates are no object of texts", str(file), "fix or remove it")
    return {cls: IriTemplate(text) for cls, text in values.items()}


def template_for(session: Session, cls: NamedNode, *, limits: Limits = NO_LIMITS) -> IriTemplate:
    """The template for the IRI of a new member of a class.

    The order is: the template of the class or its nearest superclass (workspace, then settings); a template derived
    from the IRIs of its members; the template of ""; a UUID.

    Raises:
        DamagedSettings, InvalidIri: as `kept_templates`.
    """
    schema = session.form_schema(limits=limits)
    kept = [kept_templates(file) for file in dict.fromkeys((templates_file(session), templates_file(None)))]
    for templates in kept:
        chosen = Minting(_UNIQUE, _by_class(templates)).template(cls, schema)
        if chosen is not _UNIQUE:
            return chosen
    like = template_like(iris_of_members(session, cls, limits=limits))
    if like is not None:
        return like
    for templates in kept:
        if "" in templates:
            return templates[""]
    return _UNIQUE


def iris_of_members(session: Session, cls: NamedNode, *, limits: Limits = NO_LIMITS) -> list[str]:
    """The IRIs of members of a class; a sample if it is large."""
    return [one.value for one in some_members(session.store, (cls,), _LOOKED_AT, limits=limits)]


def _by_class(templates: Mapping[str, IriTemplate]) -> dict[NamedNode, IriTemplate]:
    return {NamedNode(cls): template for cls, template in templates.items() if cls}
