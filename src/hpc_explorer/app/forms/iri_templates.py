"""How the IRIs of new resources are made: templates that were chosen for classes, and what the graph does already.

    iri_templates.json     {"": "https://example.org/{class}/{name}", "https://…#Data": "https://…/data/DA{number:6}"}

Such a file may lie in a workspace, for what is described there, and beside the settings, for all others. A template
counts for the classes below its class too; the one for "" counts for all.
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

# So many members of a class are looked at to tell how their IRIs are made.
_LOOKED_AT = 200

_UNIQUE = IriTemplate("urn:uuid:{uuid}")


def templates_file(session: Session | None) -> Path:
    """Where templates are kept: in the workspace of a session, else beside the settings."""
    if session is not None and session.workspace is not None:
        return session.workspace.folder / _FILE
    return settings_file().with_name(_FILE)


def kept_templates(file: Path) -> dict[str, IriTemplate]:
    """The templates of a file, by the IRI of their class; that of "" is for all. None of them where there is no file.

    Raises:
        DamagedSettings: the file holds something else.
        InvalidIri: a text in it is no template.
    """
    try:
        values: Any = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedSettings(f"the IRI templates cannot be read ({error})", str(file), "mend or remove it") from None
    if not isinstance(values, dict) or not all(isinstance(text, str) for text in values.values()):
        raise DamagedSettings("the IRI templates are no object of texts", str(file), "mend or remove it")
    return {cls: IriTemplate(text) for cls, text in values.items()}


def template_for(session: Session, cls: NamedNode, *, limits: Limits = NO_LIMITS) -> IriTemplate:
    """How the IRI of a new member of a class is made.

    By the template that was kept for it or the nearest class above it, in the workspace before the settings; else as
    the IRIs of its members are made; else by the template kept for all; else by a number that no other program gives.

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
    """The IRIs of members of a class; of a large one not of all."""
    return [one.value for one in some_members(session.store, (cls,), _LOOKED_AT, limits=limits)]


def _by_class(templates: Mapping[str, IriTemplate]) -> dict[NamedNode, IriTemplate]:
    return {NamedNode(cls): template for cls, template in templates.items() if cls}
