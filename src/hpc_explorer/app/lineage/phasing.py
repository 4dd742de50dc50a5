"""Fold a lineage by phase, workflow, stage and section, and read the numbers of its sections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.lineage.phase_viewing import phase_view
from hpc_explorer.app.lineage.phase_views import FoldedLineage, PhaseView, SectionSeries
from hpc_explorer.lineage.columns.sections import ColumnSections
from hpc_explorer.lineage.phases.divergence import first_divergence, should_fall
from hpc_explorer.lineage.phases.moment_sections import MomentSections
from hpc_explorer.lineage.phases.phases import SECTION_CLASSES, WORKFLOW_CLASSES, is_section, phases_of
from hpc_explorer.lineage.phases.section_facts import SectionFacts, SectionKind
from hpc_explorer.lineage.phases.sections import Fold, activities_in, folded, landmarks_of
from hpc_explorer.lineage.phases.store_sections import StoreSections
from hpc_explorer.lineage.time.as_of import Moment, read_times
from hpc_explorer.lineage.trace.backbone import backbone
from hpc_explorer.lineage.trace.trace import Lineage
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Resource, iri_text
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

PHASED_FROM = 60
"""Minimum resources of a lineage whose phases are shown by default."""


def section_facts(session: Session, *, moment: Moment | None = None, limits: Limits = NO_LIMITS) -> SectionFacts:
    """The source of facts about the sections of activities.

    Args:
        moment: restricts them to a moment; None: everything.
    """
    schema = session.schema(limits=limits)
    used = [cls for cls in session.usage(limits=limits).classes() if cls in schema.classes]
    sections = [cls for cls in used if not SECTION_CLASSES.isdisjoint({cls, *schema.superclasses(cls)})]
    general = {above for cls in sections for above in schema.superclasses(cls) if above != cls}
    general &= set(used)
    columns = session.columns
    by_store: SectionFacts
    if moment is not None:
        by_store = MomentSections(moment, general)
    else:
        by_store = StoreSections(session.with_columns(session.store), general)
    return by_store if columns is None else ColumnSections(columns, general, by_store, moment)


def phases_serve(session: Session, lineage: Lineage, *, limits: Limits = NO_LIMITS) -> bool:
    """Whether phases are useful for a lineage: it is large, or has workflows and stages."""
    if len(backbone(lineage).nodes) > PHASED_FROM:
        return True
    schema = session.schema(limits=limits)
    types = session.store.match_many(subjects=list(lineage.nodes), predicates=(RDF.type,), limits=limits)
    classes = {quad.object for quad in types if isinstance(quad.object, NamedNode)}
    return any(not SECTION_CLASSES.isdisjoint({cls, *schema.superclasses(cls)}) for cls in classes)


def fold_lineage(
    session: Session, lineage: Lineage, *, as_of: datetime | None = None, limits: Limits = NO_LIMITS
) -> FoldedLineage:
    """A lineage folded into its phases.

    Args:
        as_of: the moment it was traced for; also applies to its sections.
    """
    moment = None if as_of is None else Moment(session.store, session.lineage_vocabulary(limits=limits), as_of)
    schema = session.schema(limits=limits)
    placed = phases_of(session.store, lineage, schema.superclasses, limits=limits)
    refs = references(session, list(lineage.nodes), limits=limits)
    times = read_times(session.store, list(lineage.nodes), limits=limits)
    if as_of is not None:
        times = {one: known.by(as_of) for one, known in times.items()}
    classes: dict[Resource, dict[NamedNode, None]] = defaultdict(dict)
    for quad in session.store.match_many(subjects=list(lineage.nodes), predicates=(RDF.type,), limits=limits):
        if isinstance(quad.object, NamedNode) and isinstance(quad.subject, (NamedNode, BlankNode)):
            classes[quad.subject].update(dict.fromkeys((quad.object, *schema.superclasses(quad.object))))
    began = {resource: known.born for resource, known in times.items() if known.born is not None}
    folds = folded(
        lineage,
        placed,
        lambda edge: is_section(edge, classes),
        lambda resource: refs[resource].kind,
        began,
    )
    return FoldedLineage(
        lineage,
        placed,
        folds,
        refs,
        times,
        landmarks_of(lineage, placed),
        backbone(lineage).edges,
        lambda: section_facts(session, moment=moment),
        frozenset(one for one, its in classes.items() if not WORKFLOW_CLASSES.isdisjoint(its)),
        {fold.phase: tuple(_stages(fold)) for fold in folds},
        as_of,
    )


def _stages(phase: Fold) -> Iterable[NamedNode]:
    """The activities of a phase whose sections count: the parts of workflows, and single activities."""
    for top in activities_in(phase.inside):
        for one in [*activities_in(top.inside)] or [top]:
            if isinstance(one.resource, NamedNode):
                yield one.resource


def section_series(
    session: Session, view: PhaseView, key: str, kind: SectionKind | None = None, *, limits: Limits = NO_LIMITS
) -> SectionSeries | None:
    """The numbers of a visible group of sections, for a plot; None if there are none.

    Args:
        kind: which numbers; None: those of a loss, else the most frequent ones.
    """
    row = view.row(key)
    if row is None or row.sections is None:
        return None
    of = view.folded
    values = row.values
    if values is None:
        again = phase_view(session, of, view.is_open, limits=limits).row(key)
        values = again.values if again is not None else None
    names = {value.facts.kind: value.name for value in values or ()}
    if not names:
        return None
    chosen = kind or next((one for one, name in names.items() if should_fall(name)), next(iter(names)))
    series = of.facts.series(row.sections, chosen, limits=limits)
    name = names[chosen]
    whole = of.refs[row.sections.parent].label if row.sections.parent in of.refs else iri_text(row.sections.parent)
    return SectionSeries(
        f"{name} over {row.title} of {whole}",
        name,
        row.title,
        chosen,
        series.sections,
        series.numbers,
        first_divergence(series.numbers, should_fall=should_fall(name)),
        series.complete,
        tuple((other, one) for one, other in names.items() if one != chosen),
    )
