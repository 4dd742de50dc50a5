"""Metadata standards, by the namespaces of their terms and the IRIs used with dcterms:conformsTo.

The table in this folder is our own compilation from the RDA Metadata Standards Catalog and communities of science,
machine learning and HPC; a standard without a discipline is generic.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files


@dataclass(frozen=True)
class MetadataStandard:
    """A metadata standard.

    Args:
        iris: IRI prefixes of its terms, profiles and versions.
        discipline: empty if generic.
    """

    id: str
    name: str
    iris: tuple[str, ...]
    discipline: str


@cache
def standards() -> tuple[MetadataStandard, ...]:
    """All standards of the list."""
    text = files("hpc_explorer.fair").joinpath("lists/standards.csv").read_text(encoding="utf-8")
    return tuple(
        MetadataStandard(row["id"], row["name"], tuple(row["iris"].split()), row["discipline"])
        for row in csv.DictReader(text.splitlines())
    )


@lru_cache(maxsize=4096)
def standard_of(iri: str) -> MetadataStandard | None:
    """The listed standard of a term, profile or version; the longest prefix wins."""
    best: tuple[int, MetadataStandard] | None = None
    for standard in standards():
        for beginning in standard.iris:
            if _begins(iri, beginning) and (best is None or len(beginning) > best[0]):
                best = (len(beginning), standard)
    return best[1] if best else None


def _begins(iri: str, beginning: str) -> bool:
    if not iri.startswith(beginning):
        return iri == beginning.rstrip("/#")
    # "http://hl7.org/fhir" is a prefix of "http://hl7.org/fhir/Patient", but not of "http://hl7.org/fhirpath".
    rest = iri[len(beginning) :]
    return not rest or not beginning[-1].isalnum() or not rest[0].isalpha()
