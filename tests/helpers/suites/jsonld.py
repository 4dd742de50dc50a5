"""The W3C's suite of JSON-LD 1.1 that is about reading: toRdf.

A document is read with the base where it is published. One that names a context beside it is read from its folder, and
the address of that folder in what was read stands for the published one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from hpc_explorer.errors import InputError, RemoteContextRefused
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from tests.helpers.suites.outcomes import Outcome, Suite
from tests.helpers.suites.rdf_syntaxes import difference, engine_quads, judged

PUBLISHED = "https://w3c.github.io/json-ld-api/tests/"


def to_rdf_tests(folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The tests of reading, by name. Left out are those of JSON-LD 1.0, and of options that reading does not have."""
    manifest = json.loads((folder / "toRdf-manifest.jsonld").read_text(encoding="utf-8"))
    for test in manifest["sequence"]:
        option = test.get("option", {})
        if "json-ld-1.0" in (option.get("specVersion"), option.get("processingMode")):
            continue
        if option.keys() & {"rdfDirection", "expandContext"}:
            continue
        yield test["@id"].lstrip("#"), test


def _outcomes(folder: Path, made: Path) -> Iterator[Outcome]:
    for name, test in to_rdf_tests(folder):
        yield judged(name, partial(_seen, folder, test))


def _seen(folder: Path, test: Mapping[str, Any]) -> str:
    file = folder / test["input"]
    base = test.get("option", {}).get("base")
    if "expectErrorCode" in test:
        try:
            quads = _read(file, folder, base)
        except InputError:
            return ""
        return f"read, as {len(quads)} statements, where {test['expectErrorCode']} is expected"
    quads = _read(file, folder, base)
    return difference(quads, engine_quads(folder / test["expect"])) if "expect" in test else ""


def _read(file: Path, folder: Path, base: str | None) -> list[Quad]:
    try:
        return list(read_source(file, base=base or PUBLISHED + file.relative_to(folder).as_posix()).quads())
    except RemoteContextRefused:
        here = f"{folder.absolute().as_uri()}/"
        return [_published(quad, here) for quad in read_source(file, base=base).quads()]


def _published(quad: Quad, here: str) -> Quad:
    def moved(term: Any) -> Any:
        if isinstance(term, NamedNode) and term.value.startswith(here):
            return NamedNode(PUBLISHED + term.value.removeprefix(here))
        if isinstance(term, Literal) and term.datatype.value.startswith(here):
            return Literal(term.value, datatype=moved(term.datatype))
        return term

    return Quad(*map(moved, quad))


JSON_LD_SUITES: tuple[Suite, ...] = (
    Suite("JSON-LD 1.1 toRdf", "json-ld", _outcomes, "https://w3c.github.io/json-ld-api/tests/toRdf-manifest.html"),
)
