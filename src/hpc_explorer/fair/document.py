"""Encode assessments as JSON and decode them, for the history, the command line and other programs.

{"format": "hpc-explorer fair assessment", "version": 1,
 "subject": IRI, "label": text, "when": moment, "program": version, "fingerprint": SHA-256,
 "class": "dataset" or "model",
 "findings": [{"indicator", "verdict", "basis", "sentence", "evidence": [statement], "missing": [IRI], "online"}]}

A statement is [subject, predicate, object] or [subject, predicate, object, graph]. A term is written as in SPARQL 1.1
Query Results JSON: {"type": "uri", "bnode" or "literal", "value", "datatype", "xml:lang"}. Empty values of a finding
are omitted, and unknown keys are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from hpc_explorer.errors import DamagedAssessment
from hpc_explorer.fair.answers import Answers
from hpc_explorer.fair.assessment import Assessed, Assessment
from hpc_explorer.fair.values import Answer, Basis, Finding, Level, Verdict
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term

FORMAT = "hpc-explorer fair assessment"
VERSION = 1


# Writing


def document_of(assessment: Assessment) -> dict[str, Any]:
    """Encode an assessment; equal assessments give equal documents."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "subject": assessment.subject,
        "label": assessment.label,
        "when": assessment.when.isoformat(),
        "program": assessment.program,
        "fingerprint": assessment.fingerprint,
        "class": assessment.assessed.value,
        "findings": [_finding_document(finding) for finding in assessment.findings],
    }


def _finding_document(finding: Finding) -> dict[str, Any]:
    said: dict[str, Any] = {
        "indicator": finding.indicator,
        "verdict": finding.verdict.value,
        "basis": finding.basis.value,
        "sentence": finding.sentence,
    }
    if finding.evidence:
        said["evidence"] = [_statement_document(quad) for quad in finding.evidence]
    if finding.missing:
        said["missing"] = [term.value for term in finding.missing]
    if finding.online is not None:
        said["online"] = finding.online.isoformat()
    return said


def _statement_document(quad: Quad) -> list[dict[str, str]]:
    terms = [quad.subject, quad.predicate, quad.object]
    if not isinstance(quad.graph_name, DefaultGraph):
        terms.append(quad.graph_name)
    return [_term_document(term) for term in terms]  # type: ignore[arg-type]  # no quoted triples are evidence


def _term_document(term: Term) -> dict[str, str]:
    if isinstance(term, NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, BlankNode):
        return {"type": "bnode", "value": term.value}
    if term.language is not None:
        return {"type": "literal", "value": term.value, "xml:lang": term.language}
    if term.datatype == XSD.string:
        return {"type": "literal", "value": term.value}
    return {"type": "literal", "value": term.value, "datatype": term.datatype.value}


def answers_document(answers: Answers) -> list[dict[str, Any]]:
    """Encode the answers about one resource."""
    return [{"indicator": answer.indicator, **answer_document(answer)} for answer in answers.answers]


def answer_document(answer: Answer) -> dict[str, Any]:
    """Encode an answer without its resource."""
    return {
        "level": int(answer.level),
        "note": answer.note,
        "who": answer.who,
        "when": answer.when.isoformat(),
    }


# Reading


def json_of_text(text: str, name: str, line: int = 1) -> Any:
    """Parse a JSON text.

    Args:
        name: the file name for error messages.
        line: its first line in that file.

    Raises:
        DamagedAssessment: invalid JSON; names line and column.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        place = f":{error.lineno + line - 1}:{error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise _fault("invalid JSON", f"{name}{place}") from None


def assessment_of(document: Any, name: str) -> Assessment:
    """Decode an assessment.

    Raises:
        DamagedAssessment: invalid, or of a later version.
    """
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise _fault("it is not an assessment of this program", name)
    version = document.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise _fault(f"it is written in version {version} of the format", name)
    try:
        return Assessment(
            subject=_text(document["subject"]),
            label=_text(document["label"]),
            when=_moment(document["when"]),
            program=_text(document["program"]),
            fingerprint=_text(document["fingerprint"]),
            assessed=Assessed(document["class"]),
            findings=tuple(_finding(said) for said in document["findings"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _fault(f"a part of it is missing or wrong ({type(error).__name__}: {error})", name) from None


def answers_of(document: Any, resource: NamedNode, name: str) -> Answers:
    """Decode answers.

    Raises:
        DamagedAssessment: the document is invalid.
    """
    try:
        return Answers(
            resource,
            tuple(
                Answer(
                    _text(said["indicator"]),
                    Level(said["level"]),
                    _text(said["note"]),
                    _text(said["who"]),
                    _moment(said["when"]),
                )
                for said in document
            ),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise _fault(f"an answer is wrong ({type(error).__name__}: {error})", name) from None


def _finding(said: Mapping[str, Any]) -> Finding:
    return Finding(
        _text(said["indicator"]),
        Verdict(said["verdict"]),
        Basis(said["basis"]),
        _text(said["sentence"]),
        tuple(_statement(terms) for terms in said.get("evidence", ())),
        tuple(NamedNode(_text(iri)) for iri in said.get("missing", ())),
        _moment(said["online"]) if "online" in said else None,
    )


def _statement(terms: Any) -> Quad:
    return Quad(*(_term(said) for said in terms))  # type: ignore[arg-type]  # the engine checks where a term may stand


def _term(said: Mapping[str, str]) -> Term:
    value = said["value"]
    if said["type"] == "uri":
        return NamedNode(value)
    if said["type"] == "bnode":
        return BlankNode(value)
    if said["type"] != "literal":
        raise ValueError(f"unknown type of term: {said['type']}")
    if "xml:lang" in said:
        return Literal(value, language=said["xml:lang"])
    return Literal(value, datatype=NamedNode(said["datatype"])) if "datatype" in said else Literal(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"no text: {value!r}")
    return value


def _moment(value: Any) -> datetime:
    return datetime.fromisoformat(_text(value))


def _fault(what: str, where: str) -> DamagedAssessment:
    return DamagedAssessment(f"this assessment cannot be read: {what}", where, "take one that this program wrote")
