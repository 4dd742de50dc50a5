"""What is written of an assessment: each form says the same, escapes what it was given, and others can read it."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hpc_explorer.fair.answers import Answers
from hpc_explorer.fair.assessment import Assessed, Assessment
from hpc_explorer.fair.indicators import INDICATORS
from hpc_explorer.fair.reports.badge import badge
from hpc_explorer.fair.reports.graph import DQV, FTR, graph_name, result_quads
from hpc_explorer.fair.reports.page import page
from hpc_explorer.fair.reports.report import SHOWN_STATEMENTS, Report, report_of
from hpc_explorer.fair.reports.rows import COLUMNS, csv_text
from hpc_explorer.fair.values import Answer, Basis, Finding, Level, Verdict
from hpc_explorer.rdf.namespaces import DCTERMS, PROV, RDF
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad
from hpc_explorer.stores.local.local import LocalStore

SHAPES = Path(__file__).resolve().parents[5] / "shared/data/fair/ftr"

WHEN = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
DATASET = NamedNode("https://lab.example/data/7")
HOSTILE = '<script>alert("x")</script> & "7" ]]>'


def the_report(label: str = "Runs of 2026", *, answers: tuple[Answer, ...] = ()) -> Report:
    """Every third indicator passes, every third fails, every third is not known; the first sentence is hostile."""
    verdicts = (Verdict.PASS, Verdict.FAIL, Verdict.UNKNOWN)
    proof = Quad(DATASET, DCTERMS.term("title"), Literal(HOSTILE), DefaultGraph())
    findings = tuple(
        Finding(
            each.id,
            verdicts[position % 3],
            Basis.DECLARED if position % 3 < 2 else Basis.UNKNOWN,
            HOSTILE if position == 0 else f"Found {position}.",
            (proof,) if position % 3 == 0 else (),
        )
        for position, each in enumerate(INDICATORS)
    )
    assessment = Assessment(DATASET.value, label, Assessed.DATASET, WHEN, "1.0", "0" * 64, findings)
    return report_of(assessment, Answers(DATASET, answers))


def override() -> Answer:
    failed = next(each for n, each in enumerate(INDICATORS) if n % 3 == 1 and each.decider.is_automatic)
    return Answer(failed.id, Level.IMPLEMENTED, "=HYPERLINK(1) seen at the office", "Ada <a@lab>", WHEN)


class Text(HTMLParser):
    """The elements and the words of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def read(html: str) -> tuple[list[str], str]:
    parser = Text()
    parser.feed(html)
    return parser.elements, " ".join(" ".join(parser.words).split())


def test_the_page_tells_each_indicator_once_with_its_sentence() -> None:
    report = the_report(answers=(override(),))
    elements, words = read(page(report))
    for one in report.decided:
        assert one.indicator.text in words
        assert " ".join(one.sentence.split()) in words
    assert f"{report.score} {report.score.percent}" in words
    assert "Answers that win over a test" in words
    assert "seen at the office" in words
    assert not {"script", "link", "img", "iframe"} & set(elements)


def test_the_page_runs_and_loads_nothing_that_it_was_given() -> None:
    html = page(the_report(HOSTILE))
    assert HOSTILE not in html
    assert "<script" not in html
    assert HOSTILE in read(html)[1]
    assert "http" not in html.partition("<style>")[2].partition("</style>")[0]


def test_the_pictures_of_the_page_are_no_black_shapes_without_its_style() -> None:
    pictures = page(the_report()).split("<svg")[1:]
    for each in pictures:
        root = ElementTree.fromstring("<svg" + each.partition("</svg>")[0] + "</svg>")
        for shape in root.iter():
            if shape.tag in ("polygon", "rect"):
                assert shape.get("fill"), shape.attrib


def test_the_badge_is_svg_and_says_the_score() -> None:
    report = the_report()
    root = ElementTree.fromstring(badge(report.score))
    words = "".join(root.itertext())
    assert f"{report.score} · {report.score.percent}" in words


def test_the_table_has_a_row_for_each_and_no_formula() -> None:
    report = the_report(answers=(override(),))
    rows = list(csv.DictReader(io.StringIO(csv_text(report))))
    assert tuple(rows[0]) == COLUMNS
    assert [row["indicator"] for row in rows] == [each.id for each in INDICATORS]
    assert sum(int(row["points_low"]) for row in rows) == report.score.low
    assert sum(int(row["points_high"]) for row in rows) == report.score.high
    assert [row["indicator"] for row in rows if row["override"] == "yes"] == [override().indicator]
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "@", "+"))]


def test_of_much_evidence_a_part_is_told_and_how_much_more_there_is() -> None:
    report = the_report()
    first = report.decided[0]
    many = tuple(Quad(DATASET, DCTERMS.term("title"), Literal(f"title {n}"), DefaultGraph()) for n in range(20_000))
    large = replace(
        report, decided=(replace(first, finding=replace(first.finding, evidence=many)), *report.decided[1:])
    )
    words = read(page(large))[1]
    assert "Evidence: 20,000 statements" in words
    assert f"… and {20_000 - SHOWN_STATEMENTS:,} more" in words
    assert len(page(large)) < 2 * len(page(report))
    cell = next(csv.DictReader(io.StringIO(csv_text(large))))["evidence"]
    assert len(cell.splitlines()) == SHOWN_STATEMENTS + 1
    assert cell.endswith("more")


def test_the_statements_can_be_queried_for_the_score() -> None:
    report = the_report()
    store = LocalStore.in_memory()
    store.add_quads(result_quads(report))
    rows = list(
        store.select(
            f"SELECT (COUNT(?r) AS ?n) WHERE {{ GRAPH <{graph_name(report).value}> {{ "
            f"?r a <{FTR}TestResult> ; <{PROV}value> 'pass' ; <{FTR}assessmentTarget> <{DATASET.value}> }} }}"
        )
    )
    assert rows[0]["n"].value == str(report.score.low)  # type: ignore[union-attr]
    [value] = [
        quad.object.value  # type: ignore[union-attr]
        for measured in store.match(None, RDF.type, FTR.BenchmarkScore)
        for quad in store.match(measured.subject, DQV.value)  # type: ignore[arg-type]
    ]
    assert abs(Fraction(value) - report.score.percent_low) < Fraction(1, 1000)


def test_the_statements_say_nothing_of_the_resource_itself() -> None:
    assert not [quad for quad in result_quads(the_report()) if quad.subject == DATASET]


def test_of_what_has_no_iri_they_say_that_a_node_stands_for_it() -> None:
    named = the_report()
    report = replace(named, assessment=replace(named.assessment, subject="_:b7"))
    quads = tuple(result_quads(report))
    [label] = [quad.object for quad in quads if quad.subject == BlankNode("b7")]
    assert label == Literal("Runs of 2026")
    told = "a node without a name stands for it here"
    assert sum(told in quad.object.value for quad in quads if isinstance(quad.object, Literal)) == 1
    assert not any(told in quad.object.value for quad in result_quads(named) if isinstance(quad.object, Literal))


def test_the_same_report_makes_the_same_statements_and_another_reading_others() -> None:
    assert list(result_quads(the_report())) == list(result_quads(the_report()))
    assert graph_name(the_report()) != graph_name(the_report(answers=(override(),)))


@pytest.mark.parametrize(
    ("shapes", "focus"),
    [
        ("testResult.shacl.ttl", None),
        ("testResultSet.shacl.ttl", "TestResultSet"),
        ("test.shacl.ttl", "Test"),
        ("metric.shacl.ttl", None),
        ("benchmark.shacl.ttl", None),
    ],
)
def test_the_statements_conform_to_the_published_shapes(shapes: str, focus: str | None) -> None:
    """Shapes without a target are asked about the class that they are named after."""
    file = SHAPES / shapes
    if not file.is_file():
        pytest.skip(f"the published shapes of FAIR Test Results are missing: {file}")
    import pyshacl
    import rdflib

    data = rdflib.Graph()
    for quad in result_quads(the_report(answers=(override(),))):
        data.parse(data=f"{quad.subject} {quad.predicate} {quad.object} .", format="nt")
    graph = rdflib.Graph().parse(file)
    if focus is not None:
        shape = {"TestResultSet": "testResultSetShape", "Test": "testShape"}[focus]
        target = rdflib.URIRef("http://www.w3.org/ns/shacl#targetClass")
        graph.add((rdflib.URIRef(f"http://www.example.org/me#{shape}"), target, rdflib.URIRef(f"{FTR}{focus}")))
    conforms, _, told = pyshacl.validate(data, shacl_graph=graph)
    assert conforms, told
    data.remove((None, rdflib.URIRef(DCTERMS.identifier.value), None))
    assert not pyshacl.validate(data, shacl_graph=graph)[0], "the shapes look at nothing"
