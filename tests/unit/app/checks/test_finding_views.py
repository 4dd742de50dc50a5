"""Findings as a person looks through them: sorted as people count, told apart, and said without repeating."""

from __future__ import annotations

from hpc_explorer.annotate.validation.findings import Finding, Severity
from hpc_explorer.app.checks.finding_views import FindingsBy, Located, difference_of, grouped
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.rdf.namespaces import HPC, SH
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.graphs import ex


def located(name: str, message: str, shape: NamedNode = HPC.ClusterShape) -> Located:
    node = ex(name.replace(" ", "-"))
    finding = Finding(
        node, None, None, message, Severity.WARNING, SH.DatatypeConstraintComponent, shape, node, HPC.computeNodeCount
    )
    return Located(finding, ResourceRef(node, name, node.value, name, "Cluster", "Cluster"), "Compute nodes")


COUNTED = [located(f"Cluster {n}", f"Compute nodes: “{n},000 nodes” is not a whole number") for n in (10, 0, 11, 1, 2)]


def test_names_are_sorted_as_people_count() -> None:
    names = [f"Cluster {n}" for n in (0, 1, 2, 10, 11)]
    assert [group.title for group in grouped(COUNTED, FindingsBy.RESOURCE)] == names
    [problem] = grouped(COUNTED, FindingsBy.PROBLEM)
    assert [one.ref.label for one in problem.findings] == names


def test_a_row_says_what_the_title_does_not() -> None:
    [problem] = grouped(COUNTED, FindingsBy.PROBLEM)
    assert problem.title == "Compute nodes: not the right kind of value"
    assert difference_of(problem.findings[3], problem) == "“10,000 nodes” is not a whole number"
    same = [located(name, "Compute nodes: missing: say how many it has") for name in "ab"]
    [alike] = grouped(same, FindingsBy.PROBLEM)
    assert {difference_of(one, alike) for one in alike.findings} == {""}
    other = located("c", "Of another field")
    assert difference_of(other, grouped([other], FindingsBy.PROBLEM)[0]) == "Of another field"


def test_problems_of_one_title_are_told_apart_by_their_shapes() -> None:
    message = "Compute nodes: missing: say how many it has"
    some = [located(name, message, shape) for shape in (HPC.ClusterShape, HPC.NodeShape) for name in ("a", "b")]
    groups = grouped(some, FindingsBy.PROBLEM)
    assert [group.title for group in groups] == [f"ClusterShape · {message}", f"NodeShape · {message}"]
    assert {difference_of(one, group) for group in groups for one in group.findings} == {""}
