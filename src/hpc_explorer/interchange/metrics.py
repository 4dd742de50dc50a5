"""The values of a metric over the steps of a run, as MLflow, Weights & Biases and TensorBoard log them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hpc_explorer.interchange.statements import Node, moment_of, part
from hpc_explorer.rdf.namespaces import DCTERMS, PROV, PROVML, SCHEMA
from hpc_explorer.rdf.terms import NamedNode, Quad


@dataclass(frozen=True)
class Point:
    """One value of a metric.

    Args:
        timestamp: seconds or milliseconds since 1970.
    """

    value: float
    timestamp: float | None
    step: int


def metric_statements(
    owner: NamedNode, key: str, points: Sequence[Point], of: NamedNode = PROV.wasGeneratedBy
) -> Iterator[Quad]:
    """The values of a metric: each is an evaluation. Several are parts of a series, which has the last one's value.

    Args:
        owner: the run that generated them, or the model that they are of.
        of: what links them to it.
    """
    if not points:
        return
    ordered = sorted(points, key=lambda point: (point.step, point.timestamp or 0))
    last = max(ordered, key=lambda point: (point.step, point.timestamp or 0, _comparable(point.value)))
    series = part(owner.value, "metric", key)
    # A series is no evaluation of its own, as then there would be one more than was logged.
    cls = PROVML.ModelEvaluation if len(ordered) == 1 else PROV.Collection
    yield from _point(Node(series, cls).link(of, owner), key, last)
    if len(ordered) == 1:
        return
    names: dict[NamedNode, int] = {}
    for point in ordered:
        iri = part(series.value, point.step, point.timestamp or 0)
        names[iri] = names.get(iri, 0) + 1
        if names[iri] > 1:
            iri = part(iri.value, names[iri])
        node = Node(iri, PROVML.ModelEvaluation).link(of, owner).link(DCTERMS.isPartOf, series)
        yield from _point(node, key, point)


def _point(node: Node, key: str, point: Point) -> Node:
    node.label(key).value(point.value).value(point.step, SCHEMA.position)
    return node.time(PROV.generatedAtTime, moment_of(point.timestamp))


def _comparable(value: float) -> float:
    return -math.inf if math.isnan(value) else value
