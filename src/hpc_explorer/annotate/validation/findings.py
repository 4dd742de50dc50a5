"""What was found wrong, as values: where, how bad, in what words, and how it can be mended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hpc_explorer.rdf.namespaces import SH
from hpc_explorer.rdf.terms import NamedNode, Resource, Term
from hpc_explorer.stores.changes.changes import ChangeSet


class Severity(Enum):
    """How bad a finding is (SHACL, section 2.1.4); the worst first."""

    VIOLATION = "violation"
    WARNING = "warning"
    INFO = "info"


_OF_TERM = {SH.Violation: Severity.VIOLATION, SH.Warning: Severity.WARNING, SH.Info: Severity.INFO}


def severity_of(term: Term | None) -> Severity:
    """The severity that a shape gives; one of the user's own counts as a violation, as one that is not given does."""
    return _OF_TERM.get(term, Severity.VIOLATION)  # type: ignore[arg-type]  # any term may be asked for


@dataclass(frozen=True)
class Result:
    """A validation result (SHACL, section 3.6.2), as a processor gives it.

    Args:
        focus: the node that was checked; a literal can be one.
        path: the property it is about; None for the node as a whole, and for a path of more than one property.
        value: the value that is wrong; None where it is about all of them, or about none being there.
        component: the constraint component, such as `sh:MinCountConstraintComponent`.
        source: the shape that says so: a property shape, most often a blank node of the shapes graph.
        severity: as the shape gives it.
        messages: what the shape itself says; empty where it says nothing.
        constraint: the SPARQL-based constraint of the shape (section 5.3.1); None for the components of the core.
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
    """One way to mend a finding.

    Args:
        words: what it does, for a person: "Write it as a number".
        change: the change of the graph, to be made after the change that the finding is about, if it is about one.
        kind: what makes fixes of different findings the same: "retype xsd:integer".
    """

    words: str
    change: ChangeSet
    kind: str


@dataclass(frozen=True)
class Finding:
    """Something that is not as a shape wants it.

    Args:
        focus: the node that it was found at: a resource, or a value of one such as a quantity or a number.
        path: the property of that node; None where it is about the node itself or about several properties.
        value: the value that is wrong; None where it is about all of them, or about none being there.
        message: what is wrong, in plain words.
        severity: how bad it is.
        constraint: SHACL's name of what is not kept to, such as `sh:DatatypeConstraintComponent`.
        shape: the shape that says so: the one with a name that is nearest.
        subject: the resource whose form shows it: the focus, or the one that the value belongs to; None for a literal
            that a shape names as its target.
        field: the property of that resource in whose field it is shown; None for the resource as a whole.
        fixes: ways to mend it, the likeliest first.
        results: the validation results that it stands for, its own first: equal ones, and those that follow from it.
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
        """Where it is shown: the resource, or the literal itself where it is one that no resource is asked for."""
        return self.focus if self.subject is None else self.subject


class ShapeFault(Exception):
    """A shapes graph that pySHACL cannot use.

    Args:
        what: what is wrong, in pySHACL's words.
        shape: the shape it is about, if that is known.
    """

    def __init__(self, what: str, shape: Resource | None) -> None:
        super().__init__(what)
        self.what = what
        self.shape = shape
