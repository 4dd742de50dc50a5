"""Findings as values: place, severity, message and fixes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hpc_explorer.rdf.namespaces import SH
from hpc_explorer.rdf.terms import NamedNode, Resource, Term
from hpc_explorer.stores.changes.changes import ChangeSet


class Severity(Enum):
    """The severities (SHACL, section 2.1.4), the worst first."""

    VIOLATION = "violation"
    WARNING = "warning"
    INFO = "info"


_OF_TERM = {SH.Violation: Severity.VIOLATION, SH.Warning: Severity.WARNING, SH.Info: Severity.INFO}


def severity_of(term: Term | None) -> Severity:
    """The severity of a shape; missing and custom severities count as violations."""
    return _OF_TERM.get(term, Severity.VIOLATION)  # type: ignore[arg-type]  # any term may be asked for


@dataclass(frozen=True)
class Result:
    """A validation result (SHACL, section 3.6.2).

    Args:
        focus: the focus node, which can be a literal.
        path: the property; None for the node itself and for complex paths.
        value: the wrong value; None if it concerns all values or a missing one.
        component: the constraint component, such as `sh:MinCountConstraintComponent`.
        source: the source shape, usually a blank node of the shapes graph.
        severity: the severity in the shape.
        messages: the messages of the shape, if any.
        constraint: the SPARQL-based constraint (section 5.3.1); None for core components.
    """

    focus: Term
    path: NamedNode | None
    value: Term | None
    component: NamedNode
    source: Resource
    severity: Severity
    messages: tuple[str, ...] = ()
    constraint: Resource | None = None


@dataclass(frozen=True)
class Fix:
    """A fix for a finding.

    Args:
        words: a description: "Write it as a number".
        change: the change of the graph, applied after the change under validation, if any.
        kind: identifies equal fixes of different findings: "retype xsd:integer".
    """

    words: str
    change: ChangeSet
    kind: str


@dataclass(frozen=True)
class Finding:
    """A violation of a shape, for display.

    Args:
        focus: the focus node: a resource, or one of its values such as a quantity or a number.
        path: the property of the focus node; None for the node itself or several properties.
        value: the wrong value; None if it concerns all values or a missing one.
        message: the explanation in plain English.
        severity: the severity.
        constraint: the constraint component, such as `sh:DatatypeConstraintComponent`.
        shape: the nearest named shape.
        subject: the resource whose form shows the finding; None for a literal target.
        field: the property whose field shows it; None for the whole resource.
        fixes: the fixes, the likeliest first.
        results: the underlying validation results, the main one first.
    """

    focus: Term
    path: NamedNode | None
    value: Term | None
    message: str
    severity: Severity
    constraint: NamedNode
    shape: Resource
    subject: Resource | None
    field: NamedNode | None
    fixes: tuple[Fix, ...] = ()
    results: tuple[Result, ...] = ()

    @property
    def place(self) -> Term:
        """The resource that shows it, or the literal target."""
        return self.focus if self.subject is None else self.subject


class ShapeFault(Exception):
    """A shapes graph that pySHACL cannot use.

    Args:
        what: pySHACL's message.
        shape: the shape, if known.
    """

    def __init__(self, what: str, shape: Resource | None) -> None:
        super().__init__(what)
        self.what = what
        self.shape = shape
