"""Published descriptions, looked through by hand: what the tests of I and R say of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hpc_explorer.fair.assessment import Assessment, assess
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.values import Verdict
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.fair_mutations import ids

Shared = Callable[[str], Path]
CRATES = "provenance/ro-crate"


def assessed(path: Path, resource: str) -> Assessment:
    store = LocalStore.in_memory()
    load_content(store, read_source(path), NamedNode("urn:test:graph"))
    return assess(subject_of(store, NamedNode(resource)), when=datetime(2026, 1, 1, tzinfo=UTC))


def of_i_and_r(assessment: Assessment, verdict: Verdict) -> frozenset[str]:
    """The indicators of I and R with this verdict."""
    return frozenset(
        finding.indicator
        for finding in assessment.findings
        if finding.verdict is verdict and finding.indicator.removeprefix("RDA-").removeprefix("FsF-")[0] in "IR"
    )


def test_the_record_of_the_published_hpc_ontology(shared_data: Shared) -> None:
    found = assessed(shared_data("ontologies/hpc-public/core.ttl"), "https://hpc-fair.github.io/ontology")

    assert of_i_and_r(found, Verdict.PASS) == ids(
        "I1-01M I1-02M FsF-I1-01M FsF-I1-02M I2-01M R1.1-01M R1.1-02M R1.3-01M"
    )
    assert of_i_and_r(found, Verdict.PARTIAL) == ids("R1-01M R1.1-03M FsF-R1.2-01M")
    assert of_i_and_r(found, Verdict.UNKNOWN) == ids("R1.3-02M R1.3-02D")


@pytest.mark.parametrize(
    ("crate", "passed", "partial"),
    [
        (
            "draft/ml-predict-pipeline",
            "I1-01M I1-01D I1-02M FsF-I1-01M I2-01M R1.1-01M R1.1-02M R1.1-03M R1.2-01M R1.3-01M R1.3-01D",
            "I3-01M R1-01M FsF-R1-01MD FsF-R1.2-01M",
        ),
        (
            "autosubmit/auto-mhm-test-domains",
            "I1-01M I1-01D I1-02M FsF-I1-01M I2-01M I3-03M R1.1-01M R1.1-02M R1.1-03M R1.2-01M R1.3-01M R1.3-01D",
            "R1-01M FsF-R1-01MD FsF-R1.2-01M",
        ),
        (
            "snakemake/crcc-img-convert/fair-crcc-img-convert-run",
            "I1-01M I1-02M FsF-I1-01M I2-01M R1.1-01M R1.1-02M R1.1-03M R1.2-01M R1.3-01M",
            "I1-01D R1.3-01D FsF-R1.2-01M",
        ),
    ],
)
def test_run_crates(shared_data: Shared, crate: str, passed: str, partial: str) -> None:
    """Their folders are no other datasets, and the runs they mention are how they were made."""
    path = shared_data(f"{CRATES}/{crate}/ro-crate-metadata.json")
    found = assessed(path, f"{path.parent.as_uri()}/")
    root = next(finding for finding in found.findings if finding.indicator == "RDA-I1-01M")

    assert root.verdict is Verdict.PASS, "the crate's root is not where it was looked for"
    assert of_i_and_r(found, Verdict.PASS) == ids(passed)
    assert of_i_and_r(found, Verdict.PARTIAL) == ids(partial)
