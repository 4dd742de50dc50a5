"""The text output of commands."""

from __future__ import annotations

import math
import shutil
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.lineage.by_class import by_class
from hpc_explorer.app.results.text_tables import table
from hpc_explorer.app.views import (
    ClassNode,
    ContradictionView,
    GraphSummary,
    PropertyView,
    ResourceRef,
    ResourceView,
    TermCount,
)
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.scene import ORIGIN_WORDS
from hpc_explorer.lineage.facts.content import algorithms_of
from hpc_explorer.lineage.trace.trace import Direction, Lineage, LineageEdge, Stop
from hpc_explorer.lineage.trace.vocabulary import Relation
from hpc_explorer.ontology.explanation import Proof
from hpc_explorer.ontology.inference import InferenceReport
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.ontology.schema import DomainReason
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import DefaultGraph, GraphName, NamedNode, Resource, Triple, iri_text
from hpc_explorer.wording import counted

# The most classes and predicates that `info` lists; the JSON output has all.
_MOST_LISTED = 30

_WIDEST_CLASS = 56


def _width() -> int:
    return min(shutil.get_terminal_size((100, 24)).columns, 140)


def summary(view: GraphSummary, contradictions: Sequence[ContradictionView] = ()) -> str:
    """The output of `info`."""
    lines = [f"{view.triples} triples in {counted(len(view.sources), 'source')}", ""]
    lines += table(
        [(source.name, str(source.triples), source.format) for source in view.sources],
        right=frozenset({1}),
        indent="  ",
    )
    for source in view.sources:
        lines += [f"  {source.name}: {spelled} is read as {read_as}" for spelled, read_as in source.aliases]
        lines += [f"  {source.name}: {note}" for note in source.notes]
    if view.endpoint is not None:
        note = f" ({view.endpoint.counts_note})" if view.endpoint.counts_note else ""
        lines += ["", f"  counts of classes and predicates: {view.endpoint.counts.value}{note}"]
        lines += [f"  search: {view.endpoint.search}"]
        lines += [f"  {view.endpoint.default_graph}"] if view.endpoint.default_graph else []
    if view.inference is not None:
        rows = [(rule, f"{number:,}") for rule, number in view.inference.by_rule.items()]
        lines += [
            "",
            f"{view.inference.triples:,} more triples inferred",
            *table(rows, right=frozenset({1}), indent="  "),
        ]
        lines += _contradictions(view.inference, contradictions)
    own_graphs = {source.graph for source in view.sources} | {INFERRED}
    named = [(_graph(graph), str(number)) for graph, number in view.graphs if graph not in own_graphs]
    if named:
        lines += ["", f"{len(named)} named graphs", *table(named, right=frozenset({1}), indent="  ")]
    lines += ["", f"{len(view.classes)} classes in use, {view.defined_classes} defined here"]
    lines += _listed(view.classes)
    lines += ["", f"{len(view.predicates)} predicates in use, {view.defined_properties} properties defined here"]
    lines += _listed(view.predicates)
    return "\n".join(lines)


def _contradictions(report: InferenceReport, shown: Sequence[ContradictionView]) -> list[str]:
    """The contradictions, each as a sentence, its rule, and the proofs of its statements."""
    if not report.contradictions:
        return []
    more = "at least " if report.more_contradictions else ""
    lines = ["", f"{more}{counted(len(report.contradictions), 'contradiction')}"]
    for one in shown:
        lines += [f"  {one.sentence}  [{one.rule}]"]
        lines += [
            f"    {'  ' * step.depth}{step.subject.label} {step.predicate} {step.text}  [{step.reason}]"
            for step in one.steps
        ]
    left = len(report.contradictions) - len(shown)
    return [*lines, f"  and {more}{left:,} more"] if left else lines


def duration(time: timedelta) -> str:
    """A duration in its largest whole unit, rounded up: `3 h`."""
    seconds = time.total_seconds()
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds > 2 * size:
            return f"{math.ceil(seconds / size)} {unit}"
    return f"{max(math.ceil(seconds), 1)} s"


def _graph(graph: GraphName) -> str:
    return "(default graph)" if isinstance(graph, DefaultGraph) else iri_text(graph)


def _listed(items: Sequence[TermCount]) -> list[str]:
    rows = [(str(item.count), item.label, item.curie) for item in items[:_MOST_LISTED]]
    lines = table(rows, right=frozenset({0}), indent="  ")
    if len(items) > _MOST_LISTED:
        lines.append(f"  … and {len(items) - _MOST_LISTED} more (all with --json)")
    return lines


def classes(tree: Sequence[ClassNode]) -> str:
    """The output of `classes`: a tree that expands a class with several parents under the first."""
    rows: list[tuple[str, str, str]] = []
    unfolded: set[str] = set()
    work: list[tuple[ClassNode, str, str]] = [(node, "", "") for node in reversed(tree)]
    while work:
        node, branch, below = work.pop()
        again = node.ref.iri in unfolded and bool(node.children)
        same = "".join(f" = {other.label}" for other in node.equivalents)
        note = " (see above)" if again else ""
        rows.append((f"{branch}{node.ref.label}{same}{note}", str(node.instances), node.ref.curie))
        if not again:
            unfolded.add(node.ref.iri)
            for number, child in reversed(list(enumerate(node.children))):
                last = number == len(node.children) - 1
                work.append((child, f"{below}{'└─ ' if last else '├─ '}", f"{below}{'   ' if last else '│  '}"))
    number = len(unfolded)
    used = len({row[2] for row in rows if row[1] != "0"})
    lines = [f"{number:,} classes, {used:,} with instances", ""]
    counts = max((len(count) for _, count, _ in rows), default=0)
    # A few very long names must not push the prefixed names off the screen.
    names = min(max((len(name) for name, _, _ in rows), default=0), _WIDEST_CLASS)
    lines += [f"{count.rjust(counts)}  {name.ljust(names)}  {curie}" for name, count, curie in rows]
    return "\n".join(lines)


def resource(session: Session, view: ResourceView, fields: Sequence[tuple[TermCount, DomainReason]]) -> str:
    """The output of `show`."""
    lines = [view.ref.label, f"  {view.ref.iri}"]
    if view.types:
        stated = [ref for ref in view.types if ref not in view.inferred_types]
        for kinds, mark in ((stated, ""), (view.inferred_types, "inferred: ")):
            if kinds:
                lines.append(f"  {mark}" + ", ".join(f"{ref.label} ({ref.curie})" for ref in kinds))
    if view.description:
        lines += ["", *textwrap.wrap(view.description, _width() - 2, initial_indent="  ", subsequent_indent="  ")]
    if view.outgoing:
        lines += ["", "Properties", *_properties(view.outgoing, "  ")]
    if view.incoming:
        lines += ["", "Linked from", *_properties(view.incoming, "  ")]
    if fields:
        rows = [(item.label, item.curie, reason.value, str(item.count)) for item, reason in fields]
        lines += ["", "Properties of its instances (why, and how often used)"]
        lines += table(rows, right=frozenset({3}), indent="  ")
    graphs = {graph for one in (*view.outgoing, *view.incoming) for value in one.values for graph in value.graphs}
    if graphs - {INFERRED}:
        names = sorted(_source_name(session, graph) for graph in graphs - {INFERRED})
        lines += ["", f"Stated in {', '.join(names)}"]
    return "\n".join(lines)


def _properties(views: Iterable[PropertyView], indent: str) -> list[str]:
    listed = list(views)
    width = max((len(view.label) for view in listed), default=0)
    lines: list[str] = []
    for view in listed:
        head = f"{indent}{view.label.ljust(width)}  "
        for value in view.values:
            note = f"  ({value.detail})" if value.detail else ""
            inferred = "  [inferred]" if value.origin is Origin.INFERRED else ""
            where = f"  {value.target.curie}" if value.target is not None and not value.parts else ""
            text = value.text if len(value.text) <= 400 else value.text[:400] + " …"
            body = textwrap.wrap(f"{text}{note}{where}{inferred}", max(40, _width() - len(head))) or [""]
            lines += [head + body[0], *(" " * len(head) + line for line in body[1:])]
            lines += _properties(value.parts, " " * len(head))
            head = " " * len(head)
        beyond = view.total.value - len(view.values)
        if beyond > 0:
            lines.append(f"{head}… and {beyond:,} more of {view.total}")
    return lines


def lineage_tree(session: Session, lineage: Lineage) -> str:
    """The output of `lineage`: a tree that expands each resource once."""
    refs = references(session, list(lineage.nodes))
    upstream = lineage.direction is Direction.UPSTREAM
    origins = Counter(_origin(session, edge) for edge in lineage.edges)
    common = next(iter(origins)) if len(origins) == 1 else None
    start = refs[lineage.start]
    lines = [_named(start)]
    unfolded = {lineage.start}
    work: list[tuple[LineageEdge, str, bool]] = []

    def push(resource: Resource, indent: str) -> None:
        steps = sorted(
            lineage.next_of(resource), key=lambda edge: (_ORDER[edge.relation], refs[_far(edge, upstream)].label)
        )
        for number, edge in reversed(list(enumerate(steps))):
            work.append((edge, indent, number == len(steps) - 1))

    push(lineage.start, "")
    while work:
        edge, indent, last = work.pop()
        far = _far(edge, upstream)
        node = lineage.nodes[far]
        again = far in unfolded
        origin = "" if common is not None else f"  [{_origin(session, edge)}]"
        stop = f"  ■ {node.stop.value}" if node.stop is not None and not node.is_context else ""
        above = "  ↑ see above" if again and lineage.next_of(far) else ""
        words = edge.relation.value if upstream else edge.relation.forward
        lines.append(f"{indent}{'└─ ' if last else '├─ '}{words}: {_named(refs[far])}{above or stop}{origin}")
        if not again:
            unfolded.add(far)
            push(far, indent + ("   " if last else "│  "))
    return "\n".join([*lines, "", *_lineage_facts(lineage, refs, common)])


_ORDER = {relation: number for number, relation in enumerate(Relation)}


def _far(edge: LineageEdge, upstream: bool) -> Resource:
    return edge.cause if upstream else edge.effect


def _named(ref: ResourceRef) -> str:
    kind = f" ({ref.kind})" if ref.kind else ""
    return f"{ref.label}{kind}  {ref.curie}"


def _source_name(session: Session, graph: GraphName) -> str:
    """The name of the source of a graph, or the graph's name."""
    return next((source.name for source in session.sources if source.graph == graph), _graph(graph))


def _origin(session: Session, edge: LineageEdge) -> str:
    if edge.origin is Origin.INFERRED:
        return "inferred"
    graphs = sorted({_source_name(session, quad.graph_name) for quad in edge.evidence if quad.graph_name != INFERRED})
    if edge.origin is Origin.MATCHED:
        return f"{ORIGIN_WORDS[edge.origin.value]}: same {', '.join(algorithms_of(edge))} in {', '.join(graphs)}"
    return f"{edge.origin.value} in {', '.join(graphs)}"


def _lineage_facts(lineage: Lineage, refs: dict[Resource, ResourceRef], common: str | None) -> list[str]:
    upstream = lineage.direction is Direction.UPSTREAM
    if len(lineage.nodes) == 1:
        return [f"Nothing is recorded {'before' if upstream else 'after'} it."]
    facts = [f"{len(lineage.nodes) - 1:,} resources, {len(lineage.edges):,} links"]
    if common is not None:
        facts[0] += f", all {common}"
    ends = lineage.ends()
    if ends:
        kinds = by_class([refs[node.resource] for node in ends], unknown="resource")
        listed = ", ".join(f"{len(members):,} × {kind}" for kind, members in kinds)
        facts.append(f"{'Begins' if upstream else 'Ends'} at {listed}.")
    cut = sum(node.stop is Stop.DEPTH for node in lineage.nodes.values())
    if cut:
        facts.append(f"Cut off by --depth at {counted(cut, 'resource')}: there is more beyond.")
    return facts


def lineage_dot(session: Session, lineage: Lineage) -> str:
    """The output of `lineage --format dot`, for Graphviz: raw data on the left."""
    refs = references(session, list(lineage.nodes))
    lines = ["digraph lineage {", "  rankdir=LR;", '  node [shape=box, fontname="Inter, sans-serif"];']
    for resource in lineage.nodes:
        ref = refs[resource]
        label = ref.label + (f"\\n{ref.kind}" if ref.kind else "")
        lines.append(f'  "{_dot(ref.iri)}" [label="{_dot(label)}"];')
    for edge in lineage.edges:
        style = {"asserted": "solid", "inferred": "dashed", "matched": "dotted"}[edge.origin.value]
        lines.append(
            f'  "{_dot(iri_text(edge.cause))}" -> "{_dot(iri_text(edge.effect))}" '
            f'[label="{_dot(edge.relation.forward)}", style={style}];'
        )
    return "\n".join([*lines, "}"])


def _dot(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\\\\n", "\\n").replace('"', '\\"')


def path(session: Session, start: Resource, target: Resource, steps: Sequence[LineageEdge] | None) -> str:
    """The output of `path`: one line per resource."""
    resources = [start, target, *(edge.cause for edge in steps or ())]
    refs = references(session, resources)
    if steps is None:
        return f"{refs[start].label} does not derive from {refs[target].label}: no recorded chain leads there."
    lines = [_named(refs[start])]
    for number, edge in enumerate(steps):
        origin = f"  [{_origin(session, edge)}]"
        lines.append(f"{'   ' * number}└─ {edge.relation.value}: {_named(refs[edge.cause])}{origin}")
    lines += ["", counted(len(steps), "step")]
    return "\n".join(lines)


def proof(session: Session, root: Proof) -> str:
    """The output of `why`: a tree of statements, each with its rule or source."""
    lines: list[str] = []
    unfolded: set[Triple] = set()
    work: list[tuple[Proof, str, str]] = [(root, "", "")]
    while work:
        one, branch, below = work.pop()
        again = one.triple in unfolded and bool(one.premises)
        basis = f"inferred by {one.rule}" if one.rule is not None else _stated(session, one)
        lines.append(f"{branch}{_statement(session, one.triple)}  [{basis}]{'  ↑ see above' if again else ''}")
        if again:
            continue
        unfolded.add(one.triple)
        for number, premise in reversed(list(enumerate(one.premises))):
            last = number == len(one.premises) - 1
            work.append((premise, f"{below}{'└─ ' if last else '├─ '}", f"{below}{'   ' if last else '│  '}"))
    return "\n".join(lines)


def no_proof(session: Session, triple: Triple) -> str:
    """The output of `why` for a triple without a proof."""
    return f"{_statement(session, triple)} is not in the graph: it is neither stated nor inferred."


def _stated(session: Session, one: Proof) -> str:
    where = ", ".join(sorted(_source_name(session, graph) for graph in one.graphs))
    return f"shipped ontology, {where.rpartition(':')[2]}" if one.in_background else f"asserted in {where}"


def _statement(session: Session, triple: Triple) -> str:
    return " ".join(
        session.prefixes.short(term.value) if isinstance(term, NamedNode) else str(term)
        for term in (triple.subject, triple.predicate, triple.object)
    )
