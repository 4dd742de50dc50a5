"""Run the 47 tests on one resource: a pure function of its statements and the surroundings."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

import hpc_explorer
from hpc_explorer.fair.checks import checks
from hpc_explorer.fair.indicators import INDICATORS, indicator
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS, Surroundings
from hpc_explorer.fair.values import Basis, Finding, Verdict
from hpc_explorer.ontology.common_terms import Fact
from hpc_explorer.ontology.labels import LABEL_PREDICATES, fallback_label
from hpc_explorer.rdf.terms import CanonicalizationAlgorithm, Dataset, DefaultGraph, Literal, Quad, iri_text
from hpc_explorer.stores.base import NO_LIMITS, Limits


class Assessed(Enum):
    """The kind of a resource, as assessed."""

    DATASET = "dataset"
    MODEL = "model"


@dataclass(frozen=True)
class Assessment:
    """The results of the 47 tests.

    Args:
        subject: its IRI, or "_:label" for a blank node.
        label: its name for a person.
        when: with time zone.
        fingerprint: SHA-256 of the collected statements in canonical form.
    """

    subject: str
    label: str
    assessed: Assessed
    when: datetime
    program: str
    fingerprint: str
    findings: tuple[Finding, ...]

    def finding(self, name: str) -> Finding:
        """The finding of one indicator, by any of its names.

        Raises:
            KeyError: unknown indicator.
        """
        return self.findings[INDICATORS.index(indicator(name))]


def assess(
    subject: Subject, surroundings: Surroundings = NO_SURROUNDINGS, *, when: datetime, limits: Limits = NO_LIMITS
) -> Assessment:
    """Run all tests.

    Args:
        when: the time to record, with time zone.

    Raises:
        DeadlineExceeded, Cancelled: see `limits`.
    """
    tests = checks()
    findings = []
    for each in INDICATORS:
        limits.check("the assessment")
        test = tests.get(each.test)
        findings.append(
            Finding(each.id, Verdict.UNKNOWN, Basis.UNKNOWN, "This program has no test for it.")
            if test is None
            else _with_links(subject, test(subject, surroundings))
        )
    return Assessment(
        subject=iri_text(subject.resource),
        label=label_of(subject),
        assessed=Assessed.MODEL if subject.is_model else Assessed.DATASET,
        when=when,
        program=hpc_explorer.__version__,
        fingerprint=fingerprint_of(subject),
        findings=tuple(findings),
    )


def _with_links(subject: Subject, finding: Finding) -> Finding:
    """Prepend to each piece of evidence the statements that link its subject to the resource."""
    whole = (each for quad in finding.evidence for each in (*subject.link_to(quad.subject), quad))
    return replace(finding, evidence=tuple(dict.fromkeys(whole)))


def label_of(subject: Subject) -> str:
    """The label of a resource."""
    names = []
    for quad in subject.stated(Fact.NAME):
        if isinstance(name := quad.object, Literal):
            in_english = (name.language or "en").startswith("en")
            names.append((LABEL_PREDICATES.index(quad.predicate), not in_english, name.value))
    return " ".join(min(names)[2].split()) if names else fallback_label(subject.resource)


def fingerprint_of(subject: Subject) -> str:
    """SHA-256 of the statements of a subject in canonical form (RDF Dataset Canonicalization), without their graphs."""
    dataset = Dataset(Quad(quad.subject, quad.predicate, quad.object, DefaultGraph()) for quad in subject.all_quads())
    dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    return hashlib.sha256("\n".join(sorted(str(quad) for quad in dataset)).encode()).hexdigest()
