"""The things a user does, one function each: open, load, describe, find, infer, trace, ask, draw, export.

Each takes the session and plain values, may run in any thread, respects `limits`, raises the named
errors of `hpc_explorer.errors`, and returns a plain value of `app.views` (or of the floor that made
it: a `Lineage`, a `Scene`). The window and the command line call nothing below these.
"""

from hpc_explorer.app.operations.asking import prepare_queries, run_query, servers_of_query
from hpc_explorer.app.operations.class_view import class_picture, class_scene
from hpc_explorer.app.operations.describing import (
    class_tree,
    describe_graph,
    describe_resource,
    instances_of,
    properties_for,
)
from hpc_explorer.app.operations.drawing import lineage_scene, neighbourhood_scene
from hpc_explorer.app.operations.expanding import (
    carried_over,
    classes_in,
    expand,
    filter_choices,
    neighbour_sets,
    refreshed,
    show_path,
    show_resources,
)
from hpc_explorer.app.operations.exporting import export_graph, export_lineage, lineage_document
from hpc_explorer.app.operations.finding import key_of, reference, references, resolve, resource_of_key, search
from hpc_explorer.app.operations.inferring import explain, infer, proof_steps, withdraw
from hpc_explorer.app.operations.loading import load_into
from hpc_explorer.app.operations.logging_in import forget_credentials, remember_credentials
from hpc_explorer.app.operations.looks import in_its_looks, recoloured, style_class
from hpc_explorer.app.operations.opening import close_source, close_workspace, open_sources, sample_names
from hpc_explorer.app.operations.phase_drawing import phase_scene
from hpc_explorer.app.operations.phase_viewing import phase_view
from hpc_explorer.app.operations.phasing import fold_lineage, phases_serve, section_series
from hpc_explorer.app.operations.section_plot import section_answer
from hpc_explorer.app.operations.sorting import sort_by_column
from hpc_explorer.app.operations.tracing import find_path, trace_lineage

__all__ = [
    "carried_over",
    "class_picture",
    "class_scene",
    "class_tree",
    "classes_in",
    "close_source",
    "close_workspace",
    "describe_graph",
    "describe_resource",
    "expand",
    "explain",
    "export_graph",
    "export_lineage",
    "filter_choices",
    "find_path",
    "fold_lineage",
    "forget_credentials",
    "in_its_looks",
    "infer",
    "instances_of",
    "key_of",
    "lineage_document",
    "lineage_scene",
    "load_into",
    "neighbour_sets",
    "neighbourhood_scene",
    "open_sources",
    "phase_scene",
    "phase_view",
    "phases_serve",
    "prepare_queries",
    "proof_steps",
    "properties_for",
    "recoloured",
    "reference",
    "references",
    "refreshed",
    "remember_credentials",
    "resolve",
    "resource_of_key",
    "run_query",
    "sample_names",
    "search",
    "section_answer",
    "section_series",
    "servers_of_query",
    "show_path",
    "show_resources",
    "sort_by_column",
    "style_class",
    "trace_lineage",
    "withdraw",
]
