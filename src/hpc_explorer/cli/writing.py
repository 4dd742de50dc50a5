"""The commands that write files: `export`, `load`, `render` and `tour`."""

from __future__ import annotations

import argparse
from pathlib import Path

from hpc_explorer.cli.arguments import (
    limits_of,
    open_session,
    positive,
    resource_of,
    scale,
    takes_inference,
    takes_remote_contexts,
    takes_sources,
    takes_timeout,
)
from hpc_explorer.cli.exit_codes import DONE


def describe_export(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `export`."""
    takes_sources(parser)
    takes_inference(parser)
    parser.add_argument(
        "--resource", action="append", default=[], metavar="IRI", help="only this resource (may be repeated)"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="OUT.jsonld, .ttl, .nt, .nq, .trig, .rdf, also .gz (default: JSON-LD here)",
    )
    parser.add_argument("--frame", metavar="F", help="a JSON-LD frame that shapes the JSON-LD output")


def run_export(arguments: argparse.Namespace) -> int:
    """`export`."""
    from hpc_explorer.app.operations.exporting import export_document, export_graph

    session = open_session(arguments)
    resources = [resource_of(arguments, text) for text in arguments.resource]
    frame = Path(arguments.frame) if arguments.frame else None
    if arguments.output is None:
        print(
            export_document(
                session, resources=resources, frame=frame, inferred=arguments.infer, limits=arguments.limits
            )
        )
        return DONE
    written = export_graph(
        session,
        Path(arguments.output),
        resources=resources,
        frame=frame,
        inferred=arguments.infer,
        limits=arguments.limits,
    )
    print(f"wrote {written.triples:,} triples as {written.format} to {written.path}")
    return DONE


def describe_load(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `load`."""
    parser.add_argument(
        "sources",
        nargs="*",
        metavar="SOURCE",
        help="file, folder, sample:NAME, or an endpoint's address, to be copied; read anew if loaded",
    )
    parser.add_argument("--into", required=True, metavar="WORKSPACE", help="a folder; made if it is not there")
    parser.add_argument(
        "--remove", action="append", default=[], metavar="SOURCE", help="take this source out (may be repeated)"
    )
    parser.add_argument("--graph", metavar="IRI", help="of an endpoint: only what this graph states")
    parser.add_argument("--class", dest="cls", metavar="IRI", help="of an endpoint: only the instances of this class")
    parser.add_argument("--query", metavar="CONSTRUCT", help="of an endpoint: only what this query gives")
    parser.add_argument(
        "--at-most", type=positive, metavar="N", help="of an endpoint: no more triples than this (default 5,000,000)"
    )
    takes_remote_contexts(parser)
    takes_timeout(parser)


def run_load(arguments: argparse.Namespace) -> int:
    """`load`."""
    from hpc_explorer.cli.loading import load, mirror_part

    load(
        Path(arguments.into),
        arguments.sources,
        arguments.remove,
        part=mirror_part(arguments.graph, arguments.cls, arguments.query),
        at_most=arguments.at_most,
        allow_remote_contexts=arguments.allow_remote_contexts,
        limits=limits_of(arguments),
    )
    return DONE


def describe_render(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `render`."""
    takes_sources(parser)
    parser.add_argument("--view", choices=("classes", "lineage", "neighbours"), required=True)
    parser.add_argument("--focus", metavar="IRI", help="what the picture is about (for classes: the topmost class)")
    parser.add_argument("-o", "--output", required=True, metavar="PICTURE.svg|png|pdf|graphml")
    parser.add_argument("--downstream", action="store_true", help="lineage: what came of it")
    parser.add_argument("--depth", type=positive, metavar="N", help="lineage: the most steps to go")
    parser.add_argument("--theme", choices=("light", "dark", "print"), default="light")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--scale", type=scale, default=2.0, metavar="X", help="pixels per unit in a PNG (default 2)")
    size.add_argument("--width", type=positive, metavar="PIXELS", help="how wide a PNG is, in place of its scale")


def run_render(arguments: argparse.Namespace) -> int:
    """`render`."""
    from hpc_explorer.app.operations.picturing import check_ending, scene_of, write_picture

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


def describe_tour(parser: argparse.ArgumentParser) -> None:
    """Add the argument of `tour`."""
    parser.add_argument("-o", "--output", default="tour", metavar="DIR", help="where the pictures go (default ./tour)")


def run_tour(arguments: argparse.Namespace) -> int:
    """`tour`."""
    from hpc_explorer.cli.tour import tell

    return tell(Path(arguments.output))
