"""The tour: an example on the sample graph in text and pictures, without a screen.

It uses the same operations as the window and checks that the exported file reads back to the same statements.
"""

from __future__ import annotations

from pathlib import Path

from hpc_explorer.app.explore.describing import describe_graph, describe_resource
from hpc_explorer.app.explore.finding import resolve, search
from hpc_explorer.app.export.exporting import export_lineage
from hpc_explorer.app.graph.render import scene_of
from hpc_explorer.app.lineage.tracing import find_path, trace_lineage
from hpc_explorer.app.query.run_query import run_query
from hpc_explorer.app.results.text_tables import table
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.export.drawing import write_picture
from hpc_explorer.cli import as_text
from hpc_explorer.cli.answers import answer_text
from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.query.table import Table
from hpc_explorer.rdf.terms import NamedNode, Resource

_SOURCE = "sample:xplacer"
_MODEL = "decisionTree.onnx"
_RAW_LOG_CLASS = "hpc:LogFile"

_WHO_ELSE = """\
SELECT ?model ?name WHERE {
  ?gpu a hpc:GPU ; hpc:name "Nvidia V100" .
  ?machine hpc:coprocessor ?gpu .
  ?model hpc:targetMachine ?machine ; a hpc:AIModel ; hpc:name ?name .
} ORDER BY ?name"""


def print_tour(folder: Path) -> int:
    """Print the tour and write its files into `folder`; returns the exit code.

    Raises:
        OutputNotWritable: the folder cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputNotWritable(
            "the folder cannot be made", f"{folder} ({error.strerror})", "choose another with -o"
        ) from None
    session = Session.new()
    open_sources(session, [_SOURCE])
    model = resolve(session, _MODEL)

    _chapter("1. What is in the graph", f"hpc-explorer info {_SOURCE}")
    summary = describe_graph(session)
    print(f"{summary.triples} triples; the classes with most instances:")
    print("\n".join(table([(str(item.count), item.label, item.curie) for item in summary.classes[:8]])))
    _picture(session, folder / "classes.svg", "classes")

    _chapter("2. Find the model", f"hpc-explorer show {_SOURCE} {_MODEL}")
    hits = search(session, "decision tree", limit=5).hits
    print("A search for “decision tree” finds: " + ", ".join(hit.ref.label for hit in hits))
    print()
    print(as_text.resource(session, describe_resource(session, model, values_per_property=6), ()))
    _picture(session, folder / "neighbours.png", "neighbours", model)

    _chapter("3. Where does it come from?", f"hpc-explorer lineage {_SOURCE} {_MODEL} --main-line")
    lineage = trace_lineage(session, model)
    print(as_text.lineage_tree(session, trace_lineage(session, model, only_main_line=True)))
    _picture(session, folder / "lineage.png", "lineage", model)
    _picture(session, folder / "lineage.svg", "lineage", model)

    raw = [resource for resource in lineage.nodes if _is_raw_log(session, resource)]
    if raw:
        log = raw[0]
        _chapter("4. The steps between the model and one raw log", f"hpc-explorer path {_SOURCE} {_MODEL} <LOG>")
        print(as_text.path(session, model, log, find_path(session, model, log)))
        _chapter(
            "5. What breaks if that log was wrong?", f"hpc-explorer lineage {_SOURCE} <LOG> --downstream --main-line"
        )
        touched = trace_lineage(session, log, downstream=True, only_main_line=True)
        print(as_text.lineage_tree(session, touched))

    _chapter("6. What else runs on such GPUs?", f"hpc-explorer query {_SOURCE} --file models-for-v100.rq")
    print(_WHO_ELSE)
    print()
    answer = run_query(session, _WHO_ELSE)
    print(answer_text(session, answer, "table"))

    _chapter("7. Hand it over", f"hpc-explorer lineage {_SOURCE} {_MODEL} --format jsonld")
    written = export_lineage(session, lineage, folder / "lineage.jsonld")
    print(f"wrote {written.triples:,} triples to {written.path}")
    print(written.read_back)
    print()
    print(f"The pictures are in {folder}/. Next: open the window with `hpc-explorer {_SOURCE}`.")
    session.close()
    return 0 if raw and isinstance(answer, Table) and answer.rows else 1


def _chapter(title: str, command: str) -> None:
    print(f"\n{title}\n{'─' * len(title)}\n$ {command}\n")


def _picture(session: Session, path: Path, view: str, focus: Resource | None = None) -> None:
    scene = scene_of(session, view, focus)
    print(f"\n[picture: {write_picture(scene, path)}]")


def _is_raw_log(session: Session, resource: Resource) -> bool:
    schema = session.schema()
    log = session.prefixes.resolve(_RAW_LOG_CLASS)
    types = describe_resource(session, resource).types
    return any(isinstance(ref.resource, NamedNode) and log in schema.superclasses(ref.resource) for ref in types)
