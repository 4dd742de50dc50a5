"""Read F-UJI reports for the seventeen indicators that F-UJI has a metric for.

The paper lets F-UJI decide these (Lin et al. 2022, section III-A). A metric earns the point only if F-UJI gave it all
points, not one sub-test of several. Format: F-UJI's OpenAPI description, `FAIRResults`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hpc_explorer.errors import DamagedReport
from hpc_explorer.fair.access import landing_pages
from hpc_explorer.fair.assessment import Assessment
from hpc_explorer.fair.identity import identifiers_of
from hpc_explorer.fair.indicators import INDICATORS
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.values import Basis, Finding, Indicator, Verdict
from hpc_explorer.rdf.identifiers import persistent_identifier

# A report with all debug messages has a few hundred kilobytes.
_LARGEST = 32 * 2**20

_TIMES = ("end_timestamp", "start_timestamp", "timestamp")

# F-UJI renamed this metric in version 0.5; its question is unchanged.
_RENAMED = {"FsF-I2-01M": "FsF-I1-02M"}

_BY_METRIC = {indicator.fuji_id: indicator for indicator in INDICATORS if indicator.fuji_id}


@dataclass(frozen=True)
class MetricResult:
    """F-UJI's result for one metric.

    Args:
        indicator: the matching indicator.
        metric: F-UJI's name for it.
    """

    indicator: Indicator
    metric: str
    earned: float
    total: float
    message: str

    @property
    def verdict(self) -> Verdict:
        """A pass only if all points were earned."""
        if self.earned >= self.total:
            return Verdict.PASS
        return Verdict.PARTIAL if self.earned > 0 else Verdict.FAIL


@dataclass(frozen=True)
class FujiReport:
    """A report of F-UJI.

    Args:
        target: the requested identifier; may be empty, like all texts of a report.
        results: in the order of the indicators.
        unknown: metrics without an indicator, such as those redefined in 0.8.
    """

    target: str
    resolved: str
    metrics: str
    software: str
    when: datetime | None
    results: tuple[MetricResult, ...]
    unknown: tuple[str, ...]


def read_fuji_report(file: Path) -> FujiReport:
    """Read the JSON response of F-UJI.

    Raises:
        DamagedReport: the file cannot be read or is not a report.
    """
    try:
        if file.stat().st_size > _LARGEST:
            raise DamagedReport("the report is too large to be one of F-UJI", str(file), "choose F-UJI's JSON report")
        document = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError) as problem:
        raise DamagedReport(f"not a JSON report: {problem}", str(file), "choose F-UJI's JSON report") from problem
    return fuji_report_of(document, str(file))


def fuji_report_of(document: Any, where: str = "") -> FujiReport:
    """Decode a report.

    Args:
        where: the document's name for error messages.

    Raises:
        DamagedReport: it is not a report.
    """
    found = document.get("results") if isinstance(document, dict) else None
    if not isinstance(found, list) or not found:
        raise DamagedReport("no report of F-UJI: it has no results", where, "choose F-UJI's JSON report")
    results: dict[str, MetricResult] = {}
    unknown: list[str] = []
    for position, one in enumerate(found, 1):
        result = _result(one, f"{where}, result {position}")
        if isinstance(result, str):
            unknown.append(result)
        else:
            results[result.indicator.id] = result
    if not results:
        raise DamagedReport(
            "none of the report's metrics is among the 17 of F-UJI's metrics 0.4 and 0.5",
            where,
            "assess with metrics_v0.4 or metrics_v0.5",
        )
    request = document.get("request")
    target = request.get("object_identifier") if isinstance(request, dict) else None
    return FujiReport(
        target=_text(target).strip(),
        resolved=_text(document.get("resolved_url")).strip(),
        metrics=_text(document.get("metric_version")),
        software=_text(document.get("software_version")),
        # Reports before 2.0 have a single timestamp.
        when=next((moment for name in _TIMES if (moment := _moment(document.get(name))) is not None), None),
        results=tuple(results[indicator.id] for indicator in INDICATORS if indicator.id in results),
        unknown=tuple(unknown),
    )


def doubt_about(report: FujiReport, subject: Subject) -> str:
    """Explain why the report may be about another resource; empty if it names this one.

    The requested and resolved identifiers of the report are compared with the IRI, the identifiers and the pages of the
    resource, ignoring scheme, www and a trailing slash.
    """
    asked = tuple(dict.fromkeys(each for each in (report.target, report.resolved) if each))
    if not asked:
        return "The report of F-UJI does not say what it is about: check that it is this."
    nodes = (subject.own, *subject.records)
    names = {_address_key(each.text) for node in nodes for each in identifiers_of(subject, node)}
    names.update(_address_key(page.text) for page in landing_pages(subject))
    if names.intersection(map(_address_key, asked)):
        return ""
    led = f", which led it to {asked[1]}" if len(asked) > 1 else ""
    return (
        f"The report of F-UJI is about {asked[0]}{led}: neither the IRI nor an identifier nor a page of this is that."
        " Check that they are the same."
    )


def _address_key(text: str) -> str:
    """Normalise an identifier or an address."""
    text = text.strip()
    if (identifier := persistent_identifier(text)) is not None:
        return identifier.iri.value
    try:
        parts = urlsplit(text)
    except ValueError:
        return text
    if parts.scheme.lower() not in ("http", "https"):
        return text
    host = parts.netloc.lower().removeprefix("www.")
    return f"//{host}{parts.path.rstrip('/')}?{parts.query}#{parts.fragment}"


def with_fuji(assessment: Assessment, report: FujiReport, *, in_doubt: bool) -> Assessment:
    """Replace our findings by F-UJI's results for the metrics in the report.

    The sentence mentions our finding if it differs; the evidence is kept.

    Args:
        in_doubt: whether the report may be about another resource, which each sentence then names.
    """
    by_indicator = {result.indicator.id: result for result in report.results}
    return replace(
        assessment,
        findings=tuple(
            _by_fuji(finding, by_indicator[finding.indicator], report, in_doubt)
            if finding.indicator in by_indicator
            else finding
            for finding in assessment.findings
        ),
    )


def _by_fuji(own: Finding, result: MetricResult, report: FujiReport, in_doubt: bool) -> Finding:
    who = " ".join(("F-UJI", report.software)).strip()
    if in_doubt and (asked := report.target or report.resolved):
        who += f", asked about {asked},"
    words = f"{who} gave {result.metric} {result.earned:g} of {result.total:g}"
    # A warning is not the reason for full points.
    if result.message and result.verdict is not Verdict.PASS:
        words += f": {result.message}"
    if own.verdict is not result.verdict:
        words += f"; the graph says {own.verdict.value}: {own.sentence}"
    return replace(own, verdict=result.verdict, basis=Basis.VERIFIED, sentence=words, missing=(), online=report.when)


def _result(one: Any, where: str) -> MetricResult | str:
    """Decode the result of a metric; its name if it has no indicator."""
    if not isinstance(one, dict) or not isinstance(one.get("metric_identifier"), str):
        raise DamagedReport("a result without metric_identifier", where, "choose F-UJI's JSON report")
    metric: str = one["metric_identifier"]
    indicator = _BY_METRIC.get(_RENAMED.get(metric, metric))
    if indicator is None:
        return metric
    score = one.get("score")
    points = score if isinstance(score, dict) else {}
    earned, total = _number(points.get("earned")), _number(points.get("total"))
    if earned is None or total is None:
        raise DamagedReport(f"the result of {metric} has no score", where, "choose F-UJI's JSON report")
    if not 0 <= earned <= total or total <= 0:
        raise DamagedReport(f"the score of {metric} is {earned:g} of {total:g}", where, "choose F-UJI's JSON report")
    return MetricResult(indicator, metric, earned, total, _message(one))


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _message(result: Mapping[str, Any]) -> str:
    """The first warning of F-UJI; empty if there is none."""
    lines = result.get("test_debug")
    for line in lines if isinstance(lines, list) else ():
        if isinstance(line, str) and line.startswith(("WARNING:", "ERROR:")):
            return line.partition(":")[2].strip().removesuffix(".")
    return ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _moment(value: Any) -> datetime | None:
    try:
        moment = datetime.fromisoformat(_text(value))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
