"""The offered repairs on the sample graphs: nearly all that the tests find wanting passes after them, and all is taken back.

Each question is answered by its own example, as a person would answer it by a fact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from hpc_explorer.fair.assessment import Assessment, assess
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.indicators import indicator
from hpc_explorer.fair.repairing import example_answers, filled, repairs, repairs_of
from hpc_explorer.fair.scoring import decided, score_of
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS, LocalFile, NoSurroundings, Surroundings
from hpc_explorer.fair.terms import DATASET_CLASSES, MODEL_CLASSES
from hpc_explorer.fair.values import Verdict
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.changes.changes import apply_effect, effect_of
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore

WHEN = datetime(2026, 11, 22, tzinfo=UTC)
SAMPLES = sorted(shipped_folder("sample_graphs").glob("*.ttl"))
GRAPH = NamedNode("urn:test:sample")


@cache
def store_of_sample(sample: Path) -> LocalStore:
    store = LocalStore.in_memory()
    load_content(store, read_source(sample), GRAPH)
    store.settle([GRAPH])
    return store


def assessed(sample: Path) -> list[NamedNode]:
    """The datasets and models of a sample, sorted."""
    classes = DATASET_CLASSES | MODEL_CLASSES
    quads = store_of_sample(sample).match(predicate=RDF.type)
    members = {quad.subject for quad in quads if quad.object in classes and isinstance(quad.subject, NamedNode)}
    return sorted(members, key=lambda node: node.value)  # type: ignore[union-attr]  # named nodes


def failures(assessment: Assessment) -> dict[str, str]:
    """What the tests decide by themselves, and against the resource, with the reason."""
    return {
        finding.indicator: finding.sentence
        for finding in assessment.findings
        if indicator(finding.indicator).decider.is_automatic and finding.verdict in (Verdict.FAIL, Verdict.PARTIAL)
    }


@dataclass(frozen=True)
class FileAtHand(NoSurroundings):
    """A machine that has the file of the examples."""

    def local_file(self, address: str) -> LocalFile | None:
        columns = ("kernel", "array", "benchmark", "time")
        return LocalFile(Path("bfs-labelled.csv"), "bfs-labelled.csv", 48213, "text/csv", columns=columns)


def after_repairs(store: LocalStore, resource: NamedNode, surroundings: Surroundings) -> Iterator[Assessment]:
    """The assessment before and after all repairs; that they can be taken back is checked too."""
    subject = subject_of(store, resource)
    before = assess(subject, surroundings, when=WHEN)
    stated = frozenset(store.match())
    yield before
    offered = repairs(before, subject, surroundings)
    for each, reason in failures(before).items():
        assert repairs_of(offered, each), (resource, each, reason)
    inverses = []
    for repair in offered:
        change = filled(repair, example_answers(repair)).change
        if change is not None:
            effect = effect_of(store, change)
            apply_effect(store, effect)
            inverses.append(effect.change.inverse("back"))
    yield assess(subject_of(store, resource), surroundings, when=WHEN)
    for inverse in reversed(inverses):
        apply_effect(store, effect_of(store, inverse))
    again = assess(subject_of(store, resource), surroundings, when=WHEN)
    assert frozenset(store.match()) == stated
    assert again == before
    assert score_of(decided(again)) == score_of(decided(before))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("samples", "surroundings", "share"),
    [
        (SAMPLES, NO_SURROUNDINGS, 0.95),
        ([sample for sample in SAMPLES if sample.stem.startswith("xplacer")], FileAtHand(), 0.99),
    ],
    ids=["bare", "file at hand"],
)
def test_repairs_fix_what_the_tests_find_wanting_and_are_taken_back(
    samples: list[Path], surroundings: Surroundings, share: float
) -> None:
    wanting = fixed = 0
    left: Counter[tuple[str, str]] = Counter()
    for sample in samples:
        for resource in assessed(sample):
            before, after = after_repairs(store_of_sample(sample), resource, surroundings)
            for each in failures(before):
                found = after.finding(each)
                wanting += 1
                fixed += found.verdict is Verdict.PASS
                left[each, found.sentence] += found.verdict is not Verdict.PASS
            # And what passed before still does.
            assert not failures(after).keys() - failures(before).keys(), resource
    assert wanting >= 100
    assert fixed >= share * wanting, [(each, count) for each, count in left.most_common() if count]
