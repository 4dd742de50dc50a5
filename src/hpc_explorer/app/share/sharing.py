"""Collect what a shared page shows of a resource, and write the page.

The page has the facts of the resource, its lineage as a picture that reacts to the mouse, how to make it again, how
FAIR it is if it is a dataset or a model, and the statements of its lineage as JSON-LD. It is one file and needs neither
a server nor the network.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from hpc_explorer.app.explore.describing import describe_resource
from hpc_explorer.app.explore.drawing import lineage_scene
from hpc_explorer.app.export.exporting import lineage_document
from hpc_explorer.app.fair.assessing import assess_resource, is_assessable
from hpc_explorer.app.fair.reporting import report_of_view
from hpc_explorer.app.lineage.recipe_answer import recipe_answer
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.share.page import SharedPage, page_html
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

MOST_DRAWN = 1_000
"""The most nodes in the picture. The nodes next to the cut say how many more there are."""
MOST_VALUES = 50
"""The most values of a property that the page lists; the number of all is given."""


def shared_page(
    session: Session, resource: Resource, *, downstream: bool = False, limits: Limits = NO_LIMITS
) -> SharedPage:
    """Everything that the page of a resource shows.

    Args:
        downstream: show what was derived from the resource, not where it comes from.

    Raises:
        UnknownResource: the graph says nothing about the resource.
    """
    view = describe_resource(session, resource, values_per_property=MOST_VALUES, limits=limits)
    lineage = trace_lineage(session, resource, downstream=downstream, limits=limits)
    scene = lineage_scene(session, lineage, most=MOST_DRAWN, limits=limits)
    fair = None
    if isinstance(resource, NamedNode) and is_assessable(session, resource, limits=limits):
        fair = report_of_view(assess_resource(session, resource, limits=limits))
    return SharedPage(
        view=view,
        scene=scene,
        layout=arrange(scene, lambda: limits.check("the picture")),
        traced=len(lineage.nodes),
        recipe=recipe_answer(session, resource, limits=limits),
        fair=fair,
        document=lineage_document(session, lineage, limits=limits),
        # The folder of a file on this computer is nobody else's concern.
        sources=tuple(Path(source.name).name or source.name for source in session.sources),
        when=datetime.now(UTC),
    )


def write_shared_page(
    session: Session, resource: Resource, path: Path, *, downstream: bool = False, limits: Limits = NO_LIMITS
) -> SharedPage:
    """Write the page of a resource to an HTML file.

    Raises:
        UsageError: the name of the file does not end in .html or .htm.
        OutputNotWritable: the file cannot be written; its former content stays.
        UnknownResource: the graph says nothing about the resource.
    """
    if path.suffix.lower() not in (".html", ".htm"):
        raise UsageError("the page is HTML", str(path), "choose a file name that ends in .html")
    page = shared_page(session, resource, downstream=downstream, limits=limits)
    content = page_html(page).encode("utf-8", "replace")
    limits.check("the page")
    with atomic_output(path) as stream:
        stream.write(content)
    return page
