"""Encode an assessment as statements in a graph of its own.

Vocabularies: FAIR Test Results 1.2 (https://w3id.org/ftr#) for tests and their results, which its published shapes
check; the Data Quality Vocabulary (W3C Note, https://www.w3.org/TR/vocab-dqv/) for the scores; PROV-O for who and when.
Results decided by a person have `prov:wasAttributedTo`. No statement has the assessed resource as its subject, so that
the results do not affect a later assessment.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from fractions import Fraction

from hpc_explorer.fair.indicators import SUBPRINCIPLES
from hpc_explorer.fair.reports.report import Report, evidence_texts, points_words
from hpc_explorer.fair.scoring import Decided, Part
from hpc_explorer.fair.values import Indicator
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, PROV, RDF, RDFS, XSD, Namespace
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource, Term, resource_of

DQV = Namespace("http://www.w3.org/ns/dqv#")
FTR = Namespace("https://w3id.org/ftr#")
SIO = Namespace("http://semanticscience.org/resource/")
VCARD = Namespace("http://www.w3.org/2006/vcard/ns#")

OWN = "urn:hpc-explorer:fair:"
"""The IRI prefix of indicators, tests and results."""

PREFIXES = {
    "dqv": DQV,
    "ftr": FTR,
    "dcterms": DCTERMS,
    "prov": PROV,
    "sio": SIO,
    "dcat": DCAT,
    "xsd": XSD,
    "rdfs": RDFS,
}
"""Prefixes for files of these statements."""

_BENCHMARK = NamedNode(f"{OWN}hybrid-47")
_ALGORITHM = NamedNode(f"{OWN}hybrid-47/algorithm")
_PERCENT = NamedNode(f"{OWN}metric/percent")
_PROGRAM = NamedNode("urn:hpc-explorer:program")
_PAPER = NamedNode("https://arxiv.org/abs/2211.02092")

# The report has its own licence; the resource keeps its licence.
_LICENCE = NamedNode("https://creativecommons.org/publicdomain/zero/1.0/")

_TYPE = RDF.type

_STANDS_FOR_IT = "It has no IRI: a node without a name stands for it here, and is not the one that it is elsewhere."


def graph_name(report: Report) -> NamedNode:
    """The name of the report's graph; equal reports have the same."""
    return NamedNode(f"{OWN}result/{_key(report)}")


def result_quads(report: Report) -> Iterator[Quad]:
    """The statements of a report: the tests, their results, the result set, and the scores."""
    graph = graph_name(report)
    for subject, predicate, value in result_statements([report]):
        yield Quad(subject, predicate, value, graph)


Said = tuple[Resource, NamedNode, Term]


def result_statements(reports: Iterable[Report]) -> Iterator[Said]:
    """The statements of several reports; the common tests are written once."""
    for number, report in enumerate(reports):
        if not number:
            yield from _tests(report)
        yield from _results(report)


def _tests(report: Report) -> Iterator[Said]:
    """The statements about the tests and the software."""
    version = report.assessment.program
    yield from _program(version)
    yield from _benchmark()
    for one in report.decided:
        yield from _test(one.indicator, version)
    for part in report.score.by_principle:
        metric = _principle_iri(part)
        yield metric, _TYPE, DQV.Metric
        yield metric, DCTERMS.identifier, Literal(metric.value)
        yield metric, DCTERMS.term("title"), Literal(f"FAIR score of {part.name} in percent")
        yield metric, DCTERMS.description, Literal(f"The points reached of the {part.of} of {part.name}, in percent")
        yield metric, DCAT.version, Literal("1")
        yield metric, DQV.expectedDataType, XSD.decimal


def _results(report: Report) -> Iterator[Said]:
    """The statements about the results and scores."""
    base, assessment = graph_name(report).value, report.assessment
    whole, activity = NamedNode(f"{base}/set"), NamedNode(f"{base}/activity")
    target = resource_of(assessment.subject)
    when = Literal(assessment.when.isoformat(), datatype=XSD.dateTime)
    yield whole, _TYPE, FTR.TestResultSet
    yield whole, DCTERMS.identifier, Literal(whole.value)
    yield whole, DCTERMS.term("title"), Literal(f"How FAIR is {assessment.label}?")
    told = f"{report.score} points ({report.score.percent}). {report.reading.note} {report.doubt}".rstrip()
    if isinstance(target, BlankNode):
        told += f" {_STANDS_FOR_IT}"
        yield target, RDFS.label, Literal(assessment.label)
    yield whole, DCTERMS.description, Literal(told)
    yield whole, DCTERMS.license, _LICENCE
    yield whole, FTR.assessmentTarget, target
    yield whole, PROV.wasGeneratedBy, activity
    yield whole, PROV.generatedAtTime, when
    yield activity, _TYPE, FTR.TestExecutionActivity
    yield activity, PROV.used, target
    yield activity, PROV.endedAtTime, when
    yield activity, PROV.wasAssociatedWith, _PROGRAM
    for one in report.decided:
        result = NamedNode(f"{base}/{one.indicator.id}")
        yield whole, PROV.hadMember, result
        yield from _result(one, result, target, when)
    yield from _scores(report, base, whole, target)


def _program(version: str) -> Iterator[Said]:
    yield _PROGRAM, _TYPE, PROV.SoftwareAgent
    yield _PROGRAM, _TYPE, VCARD.Organization
    yield _PROGRAM, VCARD.term("organization-name"), Literal("HPC Explorer")
    yield _PROGRAM, DCAT.version, Literal(version)


def _benchmark() -> Iterator[Said]:
    yield _BENCHMARK, _TYPE, FTR.Benchmark
    yield _BENCHMARK, DCTERMS.identifier, Literal(_BENCHMARK.value)
    yield _BENCHMARK, DCTERMS.term("title"), Literal("Hybrid FAIR assessment for HPC, 47 indicators")
    yield (
        _BENCHMARK,
        DCTERMS.description,
        Literal("The 41 maturity indicators of the RDA and the 17 metrics of F-UJI, put together by Lin et al. 2022"),
    )
    yield _BENCHMARK, DCTERMS.source, _PAPER
    yield _BENCHMARK, DCAT.version, Literal("1")
    yield _ALGORITHM, _TYPE, FTR.ScoringAlgorithm
    yield _ALGORITHM, DCTERMS.term("title"), Literal("One point for each indicator that is fully reached")
    yield _ALGORITHM, DCTERMS.source, _PAPER
    yield _PERCENT, _TYPE, DQV.Metric
    yield _PERCENT, DCTERMS.identifier, Literal(_PERCENT.value)
    yield _PERCENT, DCTERMS.term("title"), Literal("FAIR score in percent")
    yield _PERCENT, DCTERMS.description, Literal("The points reached, of 47, in percent; the least while some are open")
    yield _PERCENT, DCAT.version, Literal("1")
    yield _PERCENT, DQV.expectedDataType, XSD.decimal


def _test(indicator: Indicator, program: str) -> Iterator[Said]:
    metric, test = _metric_iri(indicator), NamedNode(f"{OWN}test/{indicator.test}")
    names = ", ".join(name for name in (indicator.rda_id, indicator.fuji_id) if name)
    yield _BENCHMARK, FTR.hasAssociatedMetric, metric
    yield _ALGORITHM, FTR.invokesTest, test
    yield metric, _TYPE, DQV.Metric
    yield metric, DCTERMS.identifier, Literal(indicator.id)
    yield metric, DCTERMS.term("title"), Literal(names)
    yield metric, DCTERMS.description, Literal(indicator.text)
    yield metric, DCAT.version, Literal("1")
    yield metric, DQV.inDimension, _dimension_iri(indicator)
    yield metric, FTR.hasBenchmark, _BENCHMARK
    yield _dimension_iri(indicator), _TYPE, DQV.Dimension
    yield (
        _dimension_iri(indicator),
        RDFS.label,
        Literal(f"FAIR principle {indicator.subprinciple}: {SUBPRINCIPLES[indicator.subprinciple]}"),
    )
    yield test, _TYPE, FTR.Test
    yield test, DCTERMS.identifier, Literal(indicator.test)
    yield test, DCTERMS.term("title"), Literal(indicator.test.replace("_", " "))
    yield test, DCTERMS.description, Literal(f"{indicator.text}: decided by {indicator.decider.value}")
    yield test, DCTERMS.license, _LICENCE
    yield test, DCAT.version, Literal(program)
    yield test, DCAT.contactPoint, _PROGRAM
    yield test, DCTERMS.creator, _PROGRAM
    yield test, SIO.SIO_000233, metric


def _result(one: Decided, result: NamedNode, target: Resource, when: Literal) -> Iterator[Said]:
    finding = one.finding
    yield result, _TYPE, FTR.TestResult
    yield result, DCTERMS.identifier, Literal(result.value)
    yield result, DCTERMS.term("title"), Literal(one.indicator.text)
    yield result, DCTERMS.description, Literal(one.sentence)
    yield result, DCTERMS.license, _LICENCE
    yield result, PROV.value, Literal(_value(one))
    yield result, PROV.generatedAtTime, when
    evidence = "\n".join(evidence_texts(one))
    said = f"Test: {finding.verdict.value} ({finding.basis.value}). {finding.sentence}"
    yield result, FTR.log, Literal(f"{said}\n{evidence}" if evidence else said)
    if not one.points.is_open:
        yield result, FTR.completion, Literal(str(100 * one.points.low), datatype=XSD.integer)
    yield result, FTR.outputFromTest, NamedNode(f"{OWN}test/{one.indicator.test}")
    yield result, FTR.assessmentTarget, target
    if one.answer is not None and one.answer.who and one.basis.value == "human":
        person = NamedNode(f"{result.value}/person")
        yield result, PROV.wasAttributedTo, person
        yield person, _TYPE, PROV.Person
        yield person, RDFS.label, Literal(one.answer.who)


def _value(one: Decided) -> str:
    """The result in terms of FAIR Test Results: pass, fail or indeterminate."""
    return {"reached": "pass", "not reached": "fail", "open": "indeterminate"}[points_words(one)]


def _scores(report: Report, base: str, whole: NamedNode, target: Resource) -> Iterator[Said]:
    total = NamedNode(f"{base}/score")
    yield total, _TYPE, FTR.BenchmarkScore
    yield total, _TYPE, DQV.QualityMeasurement
    yield total, DQV.isMeasurementOf, _PERCENT
    yield total, DQV.computedOn, target
    yield total, DQV.value, _decimal(report.score.percent_low)
    yield total, RDFS.label, Literal(f"{report.score} points, {report.score.percent}")
    yield total, FTR.scoredTestResults, whole
    yield total, FTR.outputFromAlgorithm, _ALGORITHM
    yield total, FTR.log, Literal(report.reading.note)
    for part in report.score.by_principle:
        measured = NamedNode(f"{base}/score/{part.name}")
        yield measured, _TYPE, DQV.QualityMeasurement
        yield measured, DQV.isMeasurementOf, _principle_iri(part)
        yield measured, DQV.computedOn, target
        yield measured, DQV.value, _decimal(Fraction(100 * part.points.low, part.of))
        yield measured, RDFS.label, Literal(str(part))


def _decimal(share: Fraction) -> Literal:
    return Literal(f"{float(share):.4f}", datatype=XSD.decimal)


def _metric_iri(indicator: Indicator) -> NamedNode:
    return NamedNode(f"{OWN}metric/{indicator.id}")


def _principle_iri(part: Part) -> NamedNode:
    return NamedNode(f"{OWN}metric/{part.name}")


def _dimension_iri(indicator: Indicator) -> NamedNode:
    return NamedNode(f"{OWN}dimension/{indicator.subprinciple}")


def _key(report: Report) -> str:
    """A short key, unique by resource, moment, graph and reading."""
    assessment = report.assessment
    outcome = ",".join(f"{one.indicator.id}={one.points}" for one in report.decided)
    parts = (assessment.subject, assessment.when.isoformat(), assessment.fingerprint, report.reading.name, outcome)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
