"""JSON-LD contexts available offline: schema.org, CodeMeta, RO-Crate, PROV, workflow run, HPC.

Sources and licences: `contexts/README.md`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hpc_explorer.rdf.namespaces import SCHEMA, WELL_KNOWN

Context = dict[str, Any] | list[Any] | str | None
"""The value of a JSON-LD `@context` (JSON-LD 1.1, section 9.15)."""

_FOLDER = Path(__file__).resolve().parent / "contexts"
_SCHEMA_ORG_TERMS = "schema-org-terms.json"

HPC_CONTEXT_URLS = (
    "https://hpc-fair.github.io/ontology/context.jsonld",
    "https://hpc-fair.github.io/ontology",
    "https://example.org/HPC-Ontology",
    "https://github.com/HPC-FAIR/HPC-Ontology",
)
"""Addresses of the HPC context: its own and those of the ontology."""


def known_context(url: str) -> Context:
    """The context at an address; None if it is not available offline."""
    found = _documents().get(_normal(url))
    if found is None:
        return None
    release = found.get("schema_org_terms")
    context: Context = found["@context"]
    if release is not None and isinstance(context, dict):
        return {**_schema_org_terms(release), **context}
    return context


def known_urls() -> tuple[str, ...]:
    """The available addresses in alphabetical order."""
    return tuple(sorted(url for document in _all_documents() for url in document["urls"]))


def _normal(url: str) -> str:
    """An address without scheme and without a final slash or number sign."""
    return url.strip().partition("://")[2].rstrip("/#")


@cache
def _all_documents() -> tuple[Mapping[str, Any], ...]:
    files = sorted(path for path in _FOLDER.glob("*.json") if path.name != _SCHEMA_ORG_TERMS)
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in files]
    return (*documents, {"urls": HPC_CONTEXT_URLS, "@context": dict(WELL_KNOWN)})


@cache
def _documents() -> Mapping[str, Mapping[str, Any]]:
    return {_normal(url): document for document in _all_documents() for url in document["urls"]}


@cache
def _schema_org_terms(version: str) -> Mapping[str, str]:
    """The schema.org terms in the context of an RO-Crate version."""
    terms: set[str] = set()
    for release in json.loads((_FOLDER / _SCHEMA_ORG_TERMS).read_text(encoding="utf-8")):
        terms = (terms | set(release["added"])) - set(release["dropped"])
        if release["ro-crate"] == version:
            break
    return {term: SCHEMA + term for term in sorted(terms)}
