"""Compare two assessments by indicator, down to the statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hpc_explorer.fair.scoring import Decided, Interval
from hpc_explorer.fair.values import Answer, Indicator
from hpc_explorer.rdf.terms import BlankNode, CanonicalizationAlgorithm, Dataset, Quad, Triple


@dataclass(frozen=True)
class Changed:
    """One indicator that changed.

    Args:
        before, after: the results.
        gone: removed evidence; graphs are ignored.
        new: added evidence.
    """

    indicator: Indicator
    before: Decided
    after: Decided
    gone: tuple[Triple, ...]
    new: tuple[Triple, ...]

    @property
    def gain(self) -> Interval:
        """The change in points: lowest and highest."""
        return Interval(
            self.after.points.low - self.before.points.low, self.after.points.high - self.before.points.high
        )

    @property
    def answers(self) -> tuple[Answer | None, Answer | None]:
        """The answers before and after."""
        return self.before.answer, self.after.answer


def difference(before: Sequence[Decided], after: Sequence[Decided]) -> tuple[Changed, ...]:
    """List the indicators whose points, verdict, answer or evidence changed.

    Blank nodes are equal if all statements about them are.
    """
    was = {one.indicator.id: one for one in before}
    found = []
    for now in after:
        old = was.get(now.indicator.id)
        if old is None:
            continue
        old_evidence, new_evidence = _triples(old.finding.evidence), _triples(now.finding.evidence)
        gone = tuple(triple for triple in old_evidence if triple not in set(new_evidence))
        new = tuple(triple for triple in new_evidence if triple not in set(old_evidence))
        same = (old.points, old.finding.verdict, old.answer) == (now.points, now.finding.verdict, now.answer)
        if gone or new or not same:
            found.append(Changed(now.indicator, old, now, gone, new))
    return tuple(found)


def _triples(evidence: Sequence[Quad]) -> tuple[Triple, ...]:
    """The sorted triples of the evidence, with canonical blank node labels (RDFC 1.0)."""
    quads = [Quad(quad.subject, quad.predicate, quad.object) for quad in evidence]
    if any(isinstance(term, BlankNode) for quad in quads for term in (quad.subject, quad.object)):
        dataset = Dataset(quads)
        dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
        quads = list(dataset)
    return tuple(sorted({quad.triple for quad in quads}, key=str))
