"""What is seen online or on this machine fills in what only a person can say for certain."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hpc_explorer.fair.assessment import assess
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.surroundings import LocalFile, NoSurroundings, Seen
from hpc_explorer.fair.values import Basis, Finding, Verdict
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.graphs import ex, store_of

SEEN = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
WITH_DOI = 'ex:d a dcat:Dataset ; dcterms:identifier "10.5281/zenodo.1" .'


@dataclass(frozen=True)
class Web(NoSurroundings):
    """A web that answers everything in the same way."""

    status: int
    led_to: str = ""

    def online(self, url: str) -> Seen | None:
        return Seen(self.status, self.led_to or f"{url}/page", "text/html", SEEN)


@dataclass(frozen=True)
class Folder(NoSurroundings):
    """A machine with one file."""

    address: str

    def local_file(self, address: str) -> LocalFile | None:
        return LocalFile(Path("/data/runs.csv"), "runs.csv", 12) if address == self.address else None


def finding(turtle: str, name: str, surroundings: NoSurroundings) -> Finding:
    return assess(subject_of(store_of(turtle), ex("d")), surroundings, when=SEEN).finding(name)


@pytest.mark.parametrize("name", ["RDA-A1-03M", "RDA-A1-03D"])
@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (200, Verdict.PASS),
        (302, Verdict.PASS),
        (401, Verdict.PARTIAL),
        (403, Verdict.PARTIAL),
        (404, Verdict.FAIL),
        (500, Verdict.FAIL),
        (0, Verdict.FAIL),
    ],
)
def test_what_was_seen_online_is_filled_in_with_its_time(name: str, status: int, verdict: Verdict) -> None:
    found = finding(WITH_DOI, name, Web(status))

    assert (found.verdict, found.basis, found.online) == (verdict, Basis.VERIFIED, SEEN)
    assert "https://doi.org/10.5281/zenodo.1" in found.sentence


@pytest.mark.parametrize("name", ["RDA-A1-03M", "RDA-A1-03D"])
@pytest.mark.parametrize("turtle", [WITH_DOI, "ex:d a dcat:Dataset ."])
def test_offline_nobody_has_looked(name: str, turtle: str) -> None:
    found = finding(turtle, name, NoSurroundings())

    assert (found.verdict, found.basis, found.online) == (Verdict.UNKNOWN, Basis.UNKNOWN, None)


DOI = "https://doi.org/10.5281/zenodo.1"
WITH_RECORD = f"ex:r a dcat:CatalogRecord ; foaf:primaryTopic ex:d ; dcterms:identifier '{DOI}' . ex:d a dcat:Dataset ."


@pytest.mark.parametrize(
    ("turtle", "of", "names"),
    [
        (WITH_DOI, ex("d"), ["RDA-F1-01D", "RDA-F1-01M", "RDA-A2-01M"]),
        (WITH_RECORD, ex("d"), ["RDA-F1-01M", "RDA-A2-01M"]),
        ("<https://w3id.org/lab/d> a dcat:Dataset .", NamedNode("https://w3id.org/lab/d"), ["RDA-F1-01D", "RDA-F1-01M"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("surroundings", "verdict", "basis"),
    [
        (NoSurroundings(), Verdict.PASS, Basis.DECLARED),
        (Web(200), Verdict.PASS, Basis.VERIFIED),
        (Web(404), Verdict.FAIL, Basis.VERIFIED),
        (Web(0), Verdict.PASS, Basis.DECLARED),
        (Web(503), Verdict.PASS, Basis.DECLARED),
        (Web(404, "https://zenodo.org/record/1"), Verdict.PASS, Basis.VERIFIED),
    ],
)
def test_an_identifier_that_was_only_read_is_not_verified(
    turtle: str, of: NamedNode, names: list[str], surroundings: NoSurroundings, verdict: Verdict, basis: Basis
) -> None:
    assessment = assess(subject_of(store_of(turtle), of), surroundings, when=SEEN)
    for name in names:
        found = assessment.finding(name)
        assert (found.verdict, found.basis) == (verdict, basis), name
        assert found.online == (None if basis is Basis.DECLARED else SEEN)
        assert found.evidence


def test_a_file_on_this_machine_is_reached() -> None:
    turtle = 'ex:d dcat:distribution [ dcat:downloadURL "data/runs.csv" ] .'

    assert finding(turtle, "RDA-A1-02D", NoSurroundings()).verdict is Verdict.FAIL
    found = finding(turtle, "RDA-A1-02D", Folder("data/runs.csv"))
    assert (found.verdict, found.basis) == (Verdict.PASS, Basis.VERIFIED)
    assert len(found.evidence) == 2


def test_a_restricted_dataset_passes_with_somebody_to_ask() -> None:
    restricted = "ex:d dcterms:accessRights <http://purl.org/coar/access_right/c_16ec> ."

    assert finding(restricted, "FsF-A1-01M", NoSurroundings()).verdict is Verdict.PARTIAL
    for more in ("dcat:contactPoint ex:lab", 'schemas:conditionsOfAccess "sign"', 'dcterms:available "2030"'):
        assert finding(f"{restricted} ex:d {more} .", "FsF-A1-01M", NoSurroundings()).verdict is Verdict.PASS


def test_the_published_words_for_a_licence() -> None:
    turtle = 'ex:d dcterms:license "the Creative Commons Attribution 4.0" .'
    verdicts = [finding(turtle, f"RDA-R1.1-0{number}M", NoSurroundings()).verdict for number in (1, 2, 3)]

    assert verdicts == [Verdict.PASS, Verdict.PASS, Verdict.PARTIAL]
