"""Evidence for the FAIR indicators, in every spelling, to be put into a graph and taken out of it.

Each `Evidence` is written in several spellings. Three things must hold of each spelling:

- put into a description that says nothing but its class (`BARE`), it changes the verdict of exactly `alone`;
- put into one that says everything (`WHOLE`) but what stands in `instead_of`, it changes exactly `whole`;
- said of another dataset of the same graph, that the described one links to, it changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from hpc_explorer.fair.assessment import Assessment, assess
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.values import Verdict
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of

WHEN = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)

PREFIXES = """
@prefix adms: <http://www.w3.org/ns/adms#> .
@prefix cc: <http://creativecommons.org/ns#> .
@prefix cr: <http://mlcommons.org/croissant/> .
@prefix csvw: <http://www.w3.org/ns/csvw#> .
@prefix dqv: <http://www.w3.org/ns/dqv#> .
@prefix fair4ml: <https://w3id.org/fair4ml#> .
@prefix pav: <http://purl.org/pav/> .
@prefix qb: <http://purl.org/linked-data/cube#> .
@prefix spdx: <http://spdx.org/rdf/terms#> .
@prefix vcard: <http://www.w3.org/2006/vcard/ns#> .
"""

BARE = "{d} a dcat:Dataset ; dcterms:relation ex:other . ex:other a dcat:Dataset ."
"""A dataset by its class alone, whose address is nobody's, and another one that it links to."""

WHOLE: Mapping[str, str] = {
    "identifier": '{d} dcterms:identifier "10.5281/zenodo.4711" .',
    "creator": "{d} dcterms:creator ex:ann . ex:ann a foaf:Person .",
    "title": '{d} dcterms:title "Runs" .',
    "publisher": "{d} dcterms:publisher ex:lab . ex:lab a foaf:Organization .",
    "issued": '{d} dcterms:issued "2022-11-01"^^xsd:date .',
    "description": '{d} dcterms:description "Runs of seven benchmarks on two machines." .',
    "keyword": '{d} dcat:keyword "GPU" .',
    "language": '{d} dcterms:language "en" .',
    "temporal": '{d} dcterms:temporal "2022" .',
    "theme": "{d} dcat:theme ex:theme .",
    "version": '{d} dcat:version "1.2" .',
    "page": "{d} dcat:landingPage <https://lab.eu/runs> .",
    "files": "{d} dcat:distribution ex:csv . ex:csv a dcat:Distribution ; "
    'dcat:downloadURL <https://lab.eu/runs.csv> ; dcat:mediaType "text/csv" .',
    "rights": "{d} dcterms:accessRights <http://purl.org/coar/access_right/c_abf2> .",
    "catalogue": "ex:catalogue a dcat:Catalog ; dcat:dataset {d} .",
    "licence": "{d} dcterms:license <https://creativecommons.org/licenses/by/4.0/> .",
}
"""A description with one statement or a few for each kind of evidence."""


def ids(text: str) -> frozenset[str]:
    """Indicators by their names without "RDA-": "F1-01M FsF-F2-01M"."""
    return frozenset(name if name.startswith("FsF-") else f"RDA-{name}" for name in text.split())


@dataclass(frozen=True)
class Evidence:
    """A kind of evidence.

    Args:
        name: for a person.
        spellings: Turtle with `{d}` for the dataset; each of them says the same.
        alone: the indicators whose verdict it changes where nothing else is said.
        whole: those whose verdict it changes where all else is said.
        instead_of: the parts of `WHOLE` that are left out then.
    """

    name: str
    spellings: tuple[str, ...]
    alone: frozenset[str]
    whole: frozenset[str]
    instead_of: tuple[str, ...]


def whole_without(parts: Iterable[str] = ()) -> str:
    """The description that says everything but some parts."""
    left_out = frozenset(parts)
    assert left_out <= WHOLE.keys()
    return "\n".join((BARE, *(text for name, text in WHOLE.items() if name not in left_out)))


@cache
def assessed(turtle: str) -> Assessment:
    """The assessment of `ex:d` in a graph, written with `{d}` for it."""
    store = store_of(PREFIXES + turtle.replace("{d}", "ex:d"))
    return assess(subject_of(store, ex("d")), when=WHEN)


def verdicts(turtle: str) -> dict[str, Verdict]:
    """The verdict of each indicator."""
    return {finding.indicator: finding.verdict for finding in assessed(turtle).findings}


BY_VOCABULARY = ids("I1-02M FsF-I1-02M I2-01M R1.3-01M")
"""The indicators that look at the vocabularies of a description, whatever it says with them."""


def changed(before: str, after: str) -> frozenset[str]:
    """The indicators whose verdict is another in another graph, but for those that look at its vocabularies."""
    return changed_by_vocabulary(before, after) - BY_VOCABULARY


def changed_by_vocabulary(before: str, after: str) -> frozenset[str]:
    """The indicators whose verdict is another in another graph."""
    old, new = verdicts(before), verdicts(after)
    return frozenset(name for name in old if old[name] is not new[name])


def store_with(quads: Collection[Quad]) -> LocalStore:
    """A store that holds these quads."""
    store = LocalStore.in_memory()
    store.change((), quads, spelled={}, growth=len(quads))
    return store
