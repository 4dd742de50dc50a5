"""The commands that write files: `export`, `load`, `render` and `tour`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.cli.arguments import (
    add_copied_files,
    add_options,
    add_sources,
    limits_of,
    non_negative,
    open_session,
    positive,
    print_copied,
    resource_of,
    scale,
)
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.errors import UsageError

if TYPE_CHECKING:
    from hpc_explorer.app.export.exporting import Extent
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.rdf.syntax.jsonld_forms import Arrangement


def describe_export(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `export`."""
    add_sources(parser)
    add_options(parser, "--infer", "--rules", "--own-schema")
    parser.add_argument(
        "--resource", action="append", default=[], metavar="IRI", help="only this resource (may be repeated)"
    )
    parser.add_argument(
        "--class",
        dest="cls",
        action="append",
        default=[],
        metavar="CLASS",
        help="only the instances of this class and its subclasses (may be repeated)",
    )
    parser.add_argument(
        "--with-what-it-needs",
        action="store_true",
        help="include the names and classes of link targets",
    )
    parser.add_argument(
        "--depth",
        type=non_negative,
        metavar="N",
        help="include resources up to N links away, and names and classes of their link targets",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="OUT.jsonld, .ttl, .nt, .nq, .trig, .rdf, also .gz; .prov.json, .provn, .ndjson (default: JSON-LD here)",
    )
    parser.add_argument(
        "--as", dest="kind", choices=tuple(KINDS), metavar="KIND", help=f"one of {', '.join(KINDS)}; default: by OUT"
    )
    parser.add_argument(
        "--form",
        choices=("compacted", "framed", "expanded", "flattened"),
        help="the form of JSON-LD; framed without --frame uses a frame for --resource or --class",
    )
    parser.add_argument("--frame", metavar="F", help="a JSON-LD frame that shapes the JSON-LD output")
    parser.add_argument(
        "--context", metavar="C", help="a JSON-LD context to shorten by: a file, or an address known offline"
    )
    parser.add_argument("--mapping", metavar="M.yaml", help="croissant, schema-org: the mapping of the dataset's table")
    parser.add_argument("--crate-version", choices=("1.1", "1.2"), default="1.1", help="ro-crate: default 1.1")
    add_copied_files(parser)


KINDS: dict[str, str | None] = {
    "jsonld": "JSON-LD",
    "ttl": "Turtle",
    "nt": "N-Triples",
    "nq": "N-Quads",
    "trig": "TriG",
    "rdf": "RDF/XML",
    "ro-crate": None,
    "croissant": None,
    "schema-org": None,
    "prov-json": None,
    "prov-n": None,
    "run-crate": None,
    "openlineage": None,
    "mlflow": None,
}
"""The formats of `export --as`, with the names of RDF syntaxes."""


_ENDINGS = {".provn": "prov-n", ".prov.json": "prov-json", ".provjson": "prov-json", ".ndjson": "openlineage"}


def kind_of(output: str) -> str | None:
    """The provenance format of a file extension, or None."""
    return next((kind for ending, kind in _ENDINGS.items() if output.lower().endswith(ending)), None)


def run_export(arguments: argparse.Namespace) -> int:
    """Run `export`."""
    from hpc_explorer.app.export.exporting import Extent, export_document, export_graph, format_by_name

    if arguments.kind is None and arguments.output is not None:
        arguments.kind = kind_of(arguments.output)
    arrangement = _arrangement(arguments)
    _check_kind(arguments, arrangement)
    session = open_session(arguments)
    extent = Extent(
        tuple(resource_of(arguments, text) for text in arguments.resource),
        tuple(session.prefixes.resolve(text) for text in arguments.cls),
        _depth(arguments),
        arguments.infer,
    )
    if arguments.kind is not None and KINDS[arguments.kind] is None:
        return _hand_over(arguments, session, extent)
    format_name = KINDS.get(arguments.kind)
    _warn_of_loss(arguments, session, extent, format_name)
    if arguments.output is None:
        text, report = export_document(
            session,
            extent=extent,
            format=format_by_name(format_name or "JSON-LD"),
            arrangement=arrangement,
            limits=arguments.limits,
        )
        print(text)
        if report.taken:
            print(report.taken, file=sys.stderr)
        return DONE
    written = export_graph(
        session,
        Path(arguments.output),
        extent=extent,
        format_name=format_name,
        arrangement=arrangement,
        limits=arguments.limits,
    )
    print(f"wrote {written.triples:,} triples as {written.format} to {written.path}")
    if written.taken:
        print(f"with what it needs: {written.taken}")
    print(written.read_back)
    return DONE


def _warn_of_loss(arguments: argparse.Namespace, session: Session, extent: Extent, name: str | None) -> None:
    """Warn before writing that the names of graphs will be lost."""
    from hpc_explorer.app.export.exporting import format_by_name, graphs_without_names, loss_of_names
    from hpc_explorer.rdf.syntax.formats import JSON_LD
    from hpc_explorer.rdf.syntax.writing import format_of_output

    output = arguments.output
    format = format_by_name(name) if name else JSON_LD if output is None else format_of_output(Path(output))
    said = loss_of_names(graphs_without_names(session, extent, format, limits=arguments.limits), format)
    if said:
        print(said, file=sys.stderr)


def _check_kind(arguments: argparse.Namespace, arrangement: Arrangement | None) -> None:
    """Reject options that do not apply to the format.

    Raises:
        UsageError: an option does not apply.
    """
    is_rdf = KINDS.get(arguments.kind or "jsonld") is not None
    if not is_rdf and arrangement is not None:
        raise UsageError("--form, --frame and --context shape JSON-LD", f"--as {arguments.kind}", "leave them out")
    if arguments.mapping and arguments.kind not in ("croissant", "schema-org"):
        raise UsageError("--mapping requires --as croissant or schema-org", arguments.mapping, "leave it out")
    for option, given in (("--copy-files", arguments.copy_files), ("--list-files", arguments.list_files)):
        if given and arguments.kind != "ro-crate":
            raise UsageError(f"{option} requires --as ro-crate", "", "leave it out")


def _hand_over(arguments: argparse.Namespace, session: Session, extent: Extent) -> int:
    """Run `export --as` ro-crate, croissant or schema-org."""
    from hpc_explorer.annotate.tables.mapping_file import find_mapping
    from hpc_explorer.app.export.packages import Target, prepare, read_again, write

    target = Target(arguments.kind)
    if target.is_folder and arguments.output is None and not arguments.list_files:
        what = "a folder" if target is Target.MLFLOW else "a folder or a .zip file"
        raise UsageError(f"{target.title} is {what}", "", "name it with -o")
    prepared = prepare(
        session,
        target,
        extent,
        mapping=find_mapping(arguments.mapping) if arguments.mapping else None,
        crate_version=arguments.crate_version,
        copy_files=arguments.copy_files or arguments.list_files,
        limits=arguments.limits,
    )
    if arguments.list_files:
        print_copied(prepared.files or {}, prepared.refused)
        return DONE
    for lack in prepared.lacks:
        print(f"{'required' if lack.is_required else 'recommended'}: {lack.sentence}", file=sys.stderr)
    if arguments.output is None:
        read_again(prepared)
        print(prepared.text.removesuffix("\n"))
        for sentence in prepared.told if target.is_provenance else ():
            print(sentence, file=sys.stderr)
    else:
        print_copied(prepared.files or {}, prepared.refused, sys.stderr)
        found = write(prepared, Path(arguments.output), limits=arguments.limits)
        print(f"wrote {target.title} to {arguments.output}")
        for sentence in (*prepared.told, found):
            print(sentence)
    return DONE if prepared.is_valid else FOUND_WRONG


def _depth(arguments: argparse.Namespace) -> int | None:
    if arguments.depth is None and not arguments.with_what_it_needs:
        return None
    if not arguments.resource and not arguments.cls:
        raise UsageError(
            "--depth and --with-what-it-needs require --resource or --class", "", "name some, or leave it out"
        )
    return int(arguments.depth or 0)


def _arrangement(arguments: argparse.Namespace) -> Arrangement | None:
    """The requested form of JSON-LD, if any.

    Raises:
        UsageError: a frame with another form.
    """
    if arguments.form is None and arguments.frame is None and arguments.context is None:
        return None
    from hpc_explorer.rdf.syntax.jsonld_forms import Arrangement, Form, read_context, read_frame

    form = Form(arguments.form or ("framed" if arguments.frame else "compacted"))
    if arguments.frame and form is not Form.FRAMED:
        raise UsageError("--frame requires the framed form", f"--form {form.value}", "leave --form out, or --frame")
    frame = read_frame(Path(arguments.frame)) if arguments.frame else None
    if not arguments.context:
        return Arrangement(form, frame)
    if form is Form.EXPANDED:
        raise UsageError("the expanded form has no context", arguments.context, "leave --context out")
    return Arrangement(form, frame, read_context(arguments.context, allow_remote=arguments.allow_remote_contexts))


def describe_load(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `load`."""
    parser.add_argument(
        "sources",
        nargs="*",
        metavar="SOURCE",
        help="file, folder, sample:NAME or endpoint address to copy; replaced if already loaded",
    )
    parser.add_argument("--into", required=True, metavar="WORKSPACE", help="a folder; created if necessary")
    parser.add_argument(
        "--remove", action="append", default=[], metavar="SOURCE", help="remove this source (may be repeated)"
    )
    parser.add_argument("--graph", metavar="IRI", help="of an endpoint: only what this graph states")
    parser.add_argument("--class", dest="cls", metavar="IRI", help="of an endpoint: only the instances of this class")
    parser.add_argument("--query", metavar="CONSTRUCT", help="of an endpoint: only what this query gives")
    parser.add_argument(
        "--resource",
        action="append",
        default=[],
        metavar="IRI",
        help="of an endpoint: only its statements about this resource, to edit and push back (may be repeated)",
    )
    parser.add_argument(
        "--update-address", default="", metavar="URL", help="the endpoint's address for updates, if unusual"
    )
    parser.add_argument(
        "--at-most", type=positive, metavar="N", help="of an endpoint: the most triples to copy (default 5,000,000)"
    )
    add_options(parser, "--allow-remote-contexts", "--timeout")


def run_load(arguments: argparse.Namespace) -> int:
    """Run `load`."""
    from hpc_explorer.cli.load import load, mirror_part

    is_whole = load(
        Path(arguments.into),
        arguments.sources,
        arguments.remove,
        part=mirror_part(arguments.graph, arguments.cls, arguments.query, arguments.resource),
        update_address=arguments.update_address,
        at_most=arguments.at_most,
        allow_remote_contexts=arguments.allow_remote_contexts,
        limits=limits_of(arguments),
    )
    return DONE if is_whole else FOUND_WRONG


def describe_render(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `render`."""
    add_sources(parser)
    parser.add_argument("--view", choices=("classes", "lineage", "neighbours"), required=True)
    parser.add_argument("--focus", metavar="IRI", help="what the picture is about (for classes: the topmost class)")
    parser.add_argument("-o", "--output", required=True, metavar="PICTURE.svg|png|pdf|graphml")
    parser.add_argument("--downstream", action="store_true", help="lineage: what was derived from it")
    parser.add_argument("--depth", type=positive, metavar="N", help="lineage: the most steps")
    parser.add_argument("--theme", choices=("light", "dark", "print"), default="light")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--scale", type=scale, default=2.0, metavar="X", help="pixels per unit in a PNG (default 2)")
    size.add_argument("--width", type=positive, metavar="PIXELS", help="the width of a PNG, instead of --scale")


def run_render(arguments: argparse.Namespace) -> int:
    """Run `render`."""
    from hpc_explorer.app.graph.render import scene_of
    from hpc_explorer.canvas.export.drawing import check_ending, write_picture

    check_ending(Path(arguments.output))
    session = open_session(arguments)
    focus = resource_of(arguments, arguments.focus) if arguments.focus else None
    scene = scene_of(
        session,
        arguments.view,
        focus,
        downstream=arguments.downstream,
        depth=arguments.depth,
        limits=arguments.limits,
    )
    path = write_picture(
        scene,
        Path(arguments.output),
        theme=arguments.theme,
        scale=arguments.scale,
        width=arguments.width,
        limits=arguments.limits,
    )
    print(f"drew {len(scene.nodes):,} nodes and {len(scene.edges):,} links to {path}")
    return DONE


def describe_share(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `share`."""
    add_sources(parser)
    add_options(parser, "--infer", "--rules", "--own-schema")
    parser.add_argument("iri", metavar="IRI", help="the resource")
    parser.add_argument("-o", "--output", required=True, metavar="PAGE.html")
    parser.add_argument("--downstream", action="store_true", help="what was derived from it, instead of its origin")


def run_share(arguments: argparse.Namespace) -> int:
    """Run `share`."""
    from hpc_explorer.app.share.sharing import write_shared_page
    from hpc_explorer.wording import counted

    path = Path(arguments.output)
    session = open_session(arguments)
    resource = resource_of(arguments, arguments.iri)
    page = write_shared_page(session, resource, path, downstream=arguments.downstream, limits=arguments.limits)
    print(f"wrote {page.view.ref.label} with {counted(page.traced, 'resource')} of its lineage to {path}")
    return DONE


def describe_tour(parser: argparse.ArgumentParser) -> None:
    """Add the argument of `tour`."""
    parser.add_argument("-o", "--output", default="tour", metavar="DIR", help="where the pictures go (default ./tour)")


def run_tour(arguments: argparse.Namespace) -> int:
    """Run `tour`."""
    from hpc_explorer.cli.tour import print_tour

    return print_tour(Path(arguments.output))
