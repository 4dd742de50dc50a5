"""Standards for metadata, by the namespaces of their terms and the IRIs that dcterms:conformsTo names them by.

The table beside this module is our own compilation of those that the RDA Metadata Standards Catalog and the communities
of science, machine learning and HPC name; a standard without a discipline is a general one.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files


@dataclass(frozen=True)
class MetadataStandard:
    """A standard for metadata.

    Args:
        id: short name.
        name: what people call it.
        iris: what the IRIs of its terms, profiles and versions begin with.
        discipline: whose it is; empty: a general one.
    """

    id: str
    name: str
    iris: tuple[str, ...]
    discipline: str


@cache
def standards() -> tuple[MetadataStandard, ...]:
    """All of the list."""
    text = files("hpc_explorer.fair").joinpath("lists/standards.csv").read_text(encoding="utf-8")
    return tuple(
        MetadataStandard(row["id"], row["name"], tuple(row["iris"].split()), row["discipline"])
        for row in csv.DictReader(text.splitlines())
    )


@lru_cache(maxsize=4096)
def standard_of(iri: str) -> MetadataStandard | None:
    """The listed standard that an IRI is a term, a profile or a version of; the one with the longest beginning."""
    best: tuple[int, MetadataStandard] | None = None
    for standard in standards():
        for beginning in standard.iris:
            if _begins(iri, beginning) and (best is None or len(beginning) > best[0]):
                best = (len(beginning), standard)
    return best[1] if best else None


def _begins(iri: str, beginning: str) -> bool:
    if not iri.startswith(beginning):
        return iri == beginning.rstrip("/#")
    # "http://hl7.org/fhir" begins "http://hl7.org/fhir/Patient", but not "http://hl7.org/fhirpath".
    rest = iri[len(beginning) :]
    return not rest or not beginning[-1].isalnum() or not rest[0].isalpha()
