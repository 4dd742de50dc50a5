"""Findings for display: grouped, counted, and filtered by severity and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from hpc_explorer.annotate.validation.findings import Finding, Severity
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.ontology.labels import label_order, local_name
from hpc_explorer.rdf.namespaces import SH
from hpc_explorer.rdf.terms import NamedNode


class FindingsBy(Enum):
    """A grouping of findings; the value is the title of its switch."""

    PROBLEM = "By problem"
    RESOURCE = "By resource"


@dataclass(frozen=True)
class Located:
    """A finding with the names of its resource and shape.

    Args:
        ref: its resource; where it is about a literal that no resource is asked for, that literal.
        field: what the property in whose field it stands is called; empty for the resource as a whole.
    """

    finding: Finding
    ref: ResourceRef
    field: str

    @property
    def shape(self) -> str:
        """The name of the shape."""
        shape = self.finding.shape
        return local_name(shape.value) if isinstance(shape, NamedNode) else "a shape without a name"


@dataclass(frozen=True)
class FindingGroup:
    """Findings of one group.

    Args:
        title: what they have in common.
        severity: the worst of theirs.
        ref: the resource that they are about, where they are grouped so.
        findings: they themselves.
    """

    title: str
    severity: Severity
    ref: ResourceRef | None
    findings: tuple[Located, ...]


_PROBLEMS = {
    SH.MinCountConstraintComponent: "missing",
    SH.MaxCountConstraintComponent: "too many values",
    SH.DatatypeConstraintComponent: "not the right kind of value",
    SH.OrConstraintComponent: "not the right kind of value",
    SH.ClassConstraintComponent: "not of the right class",
    SH.NodeKindConstraintComponent: "not the right kind of value",
    SH.NodeConstraintComponent: "what it links to is not as wanted",
    SH.InConstraintComponent: "not one of those allowed",
    SH.PatternConstraintComponent: "does not match the pattern",
    SH.MinInclusiveConstraintComponent: "too small",
    SH.MaxInclusiveConstraintComponent: "too large",
    SH.MinExclusiveConstraintComponent: "too small",
    SH.MaxExclusiveConstraintComponent: "too large",
    SH.MinLengthConstraintComponent: "too short",
    SH.MaxLengthConstraintComponent: "too long",
    SH.LanguageInConstraintComponent: "not in a language that is allowed",
    SH.UniqueLangConstraintComponent: "twice in one language",
    SH.ClosedConstraintComponent: "not expected here",
}

_ORDER = tuple(Severity)


def problem_of(one: Located) -> str:
    """The problem of a finding, in a few words."""
    finding = one.finding
    what = _PROBLEMS.get(finding.constraint, "does not conform to the shape")
    return f"{one.field}: {what}" if one.field else what[:1].upper() + what[1:]


def narrowed(findings: Iterable[Located], severities: Iterable[Severity], words: str) -> list[Located]:
    """The findings of some severities that contain all words in the message, the resource's name or the shape's."""
    wanted, typed = frozenset(severities), words.casefold().split()

    def has(one: Located) -> bool:
        text = f"{one.finding.message}\n{one.ref.label}\n{one.ref.curie}\n{one.ref.kind}\n{one.shape}".casefold()
        return all(word in text for word in typed)

    return [one for one in findings if one.finding.severity in wanted and (not typed or has(one))]


def grouped(findings: Sequence[Located], by: FindingsBy) -> tuple[FindingGroup, ...]:
    """The findings in groups, worst and largest first."""
    groups: dict[object, list[Located]] = {}
    for one in findings:
        finding = one.finding
        key: object = finding.place
        if by is FindingsBy.PROBLEM:
            key = (finding.severity, finding.shape, problem_of(one))
        groups.setdefault(key, []).append(one)
    made = [
        FindingGroup(
            _title(members) if by is FindingsBy.PROBLEM else members[0].ref.label,
            min((one.finding.severity for one in members), key=_ORDER.index),
            None if by is FindingsBy.PROBLEM else members[0].ref,
            tuple(members),
        )
        for members in (sorted(some, key=_place) for some in groups.values())
    ]
    if by is FindingsBy.PROBLEM:
        made = _told_apart(made)
    return tuple(sorted(made, key=_rank))


def difference_of(one: Located, group: FindingGroup) -> str:
    """What the message of a finding adds to the title of its group, or empty."""
    message = " ".join(one.finding.message.split())
    for said in (group.title.removeprefix(f"{one.shape} · "), one.field):
        if said and message.startswith(said):
            return message[len(said) :].lstrip(" :;,")
    return message


def _rank(group: FindingGroup) -> tuple[object, ...]:
    return _ORDER.index(group.severity), -len(group.findings), label_order(group.title), group.title


def _place(one: Located) -> tuple[object, ...]:
    return label_order(one.ref.label), one.ref.iri, label_order(one.finding.message)


def _told_apart(groups: Sequence[FindingGroup]) -> list[FindingGroup]:
    """The groups, with the name of the shape before titles that occur more than once."""
    times = Counter(group.title for group in groups)
    return [
        replace(group, title=f"{group.findings[0].shape} · {group.title}") if times[group.title] > 1 else group
        for group in groups
    ]


def _title(members: Sequence[Located]) -> str:
    """What the findings of a problem have in common: the message, if it is the same."""
    messages = {one.finding.message for one in members}
    return messages.pop() if len(messages) == 1 and len(members) > 1 else problem_of(members[0])


def report_text(findings: Sequence[Located], summary: str) -> str:
    """The findings as lines to copy: severity, resource, IRI and message, separated by tabs."""
    lines = [summary]
    for one in findings:
        lines.append("\t".join((one.finding.severity.value, one.ref.label, one.ref.iri, one.finding.message)))
    return "\n".join(lines) + "\n"
