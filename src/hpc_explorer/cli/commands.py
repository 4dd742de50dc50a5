"""The commands: what each takes, and what it does. Nothing is imported that the command at hand does not need."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.cli.lineage_answers import (
    answer_as_of,
    describe_as_of,
    describe_compare,
    describe_impact,
    run_compare,
    run_cost,
    run_impact,
    takes_vocabulary,
    tell_lineage_facts,
)
from hpc_explorer.cli.logging_in import describe_login, describe_logout, run_login, run_logout
from hpc_explorer.cli.phases import describe_phases, run_phases
from hpc_explorer.errors import SourceNotFound, UnknownStatement, UsageError

if TYPE_CHECKING:
    from hpc_explorer.app.session import Session
    from hpc_explorer.rdf.terms import Resource
    from hpc_explorer.stores.base import Limits

_A_YEAR = 365 * 24 * 3600.0


@dataclass(frozen=True)
class Command:
    """One command.

    Args:
        help: one line for the list of commands.
        describe: adds its arguments to its parser.
        run: does it, and returns the exit code.
    """

    help: str
    describe: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


# What the commands share


def _open(arguments: argparse.Namespace) -> Session:
    from hpc_explorer.app.operations.opening import open_sources
    from hpc_explorer.app.session import Session

    infers = getattr(arguments, "infer", False)
    if hasattr(arguments, "infer") and arguments.own_schema and not infers:
        raise UsageError("--own-schema goes with --infer", "", "add --infer, or leave it out")
    limits = arguments.limits = _limits(arguments)
    session = arguments.session = Session.new()
    named = getattr(arguments, "vocabulary", None)
    session.vocabulary_file = None if named is None else Path(named)
    open_sources(
        session,
        arguments.sources,
        allow_remote_contexts=arguments.allow_remote_contexts,
        refresh=arguments.refresh,
        limits=limits,
    )
    if session.workspace is not None and session.workspace.edited_elsewhere:
        print(
            f"another program is editing this workspace; read as of its edit {session.workspace.revision}",
            file=sys.stderr,
        )
    if infers:
        from hpc_explorer.app.operations.inferring import infer

        infer(session, own_schema=arguments.own_schema, limits=limits)
    return session


def _limits(arguments: argparse.Namespace) -> Limits:
    """What `--timeout` allows, from now on."""
    from hpc_explorer.stores.base import NO_LIMITS, Limits

    return NO_LIMITS if arguments.timeout is None else Limits.seconds(arguments.timeout)


def _resolve(arguments: argparse.Namespace, text: str) -> Resource:
    from hpc_explorer.app.operations.finding import resolve

    return resolve(arguments.session, text, limits=arguments.limits)


def _takes_sources(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "sources", nargs="+", metavar="SOURCE", help="file, folder, workspace, sample:NAME or http(s) address"
    )
    _takes_remote_contexts(parser)
    _takes_timeout(parser)
    parser.add_argument(
        "--refresh", action="store_true", help="ask servers anew for what is kept of their earlier answers"
    )


def _takes_timeout(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--timeout", type=_seconds, metavar="SECONDS", help="give up after so long, with exit code 3 (default: never)"
    )


def _takes_remote_contexts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-remote-contexts",
        action="store_true",
        help="fetch JSON-LD contexts that are not known offline",
    )


def _takes_inference(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--infer",
        action="store_true",
        help="answer with what follows by RDFS and OWL 2 RL rules too, marked as inferred",
    )
    _takes_own_schema(parser)


def _takes_own_schema(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--own-schema",
        action="store_true",
        help="infer by what the sources themselves say of classes and properties, not by the shipped ontology",
    )


def _takes_json(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--json", action="store_true", help="machine-readable output")


# The commands


def _describe_info(parser: argparse.ArgumentParser) -> None:
    _takes_sources(parser)
    _takes_inference(parser)
    forms = parser.add_mutually_exclusive_group()
    _takes_json(forms)
    forms.add_argument("--void", action="store_true", help="the counts as a VoID description in Turtle")


def _run_info(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.operations.describing import describe_graph
    from hpc_explorer.cli import as_json, as_text

    session = _open(arguments)
    if arguments.void:
        from hpc_explorer.app.operations.exporting import void_document

        print(void_document(session))
        return DONE
    summary = describe_graph(session, limits=arguments.limits)
    print(as_json.summary(summary) if arguments.json else as_text.summary(summary))
    return DONE


def _describe_classes(parser: argparse.ArgumentParser) -> None:
    _takes_sources(parser)
    _takes_inference(parser)
    parser.add_argument("--root", metavar="CURIE", help="only this class and those below it")
    _takes_json(parser)


def _run_classes(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.operations.describing import class_tree
    from hpc_explorer.cli import as_json, as_text
    from hpc_explorer.rdf.terms import NamedNode

    session = _open(arguments)
    root = _resolve(arguments, arguments.root) if arguments.root else None
    if root is not None and not isinstance(root, NamedNode):
        raise UsageError("a class has an IRI", arguments.root, "give --root an IRI or prefixed name")
    tree = class_tree(session, root, limits=arguments.limits)
    print(as_json.classes(tree) if arguments.json else as_text.classes(tree))
    return DONE


def _describe_show(parser: argparse.ArgumentParser) -> None:
    _takes_sources(parser)
    _takes_inference(parser)
    parser.add_argument("iri", metavar="IRI", help="the resource")
    parser.add_argument(
        "--values", type=_positive, default=50, metavar="N", help="the most values of one property (default 50)"
    )
    _takes_json(parser)


def _run_show(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.operations.describing import describe_resource, properties_for
    from hpc_explorer.cli import as_json, as_text
    from hpc_explorer.rdf.terms import NamedNode

    session = _open(arguments)
    resource = _resolve(arguments, arguments.iri)
    view = describe_resource(session, resource, values_per_property=arguments.values, limits=arguments.limits)
    is_class = isinstance(resource, NamedNode) and resource in session.schema(limits=arguments.limits).classes
    fields = properties_for(session, resource, limits=arguments.limits) if is_class else ()  # type: ignore[arg-type]  # is_class says so
    print(as_json.resource(view, fields) if arguments.json else as_text.resource(session, view, fields))
    return DONE


def _describe_lineage(parser: argparse.ArgumentParser) -> None:
    _takes_sources(parser)
    _takes_inference(parser)
    parser.add_argument("iri", metavar="IRI", help="the resource to start from")
    parser.add_argument("--downstream", action="store_true", help="what came of it, instead of where it comes from")
    parser.add_argument("--depth", type=_positive, metavar="N", help="the most steps to go (default: to the ends)")
    parser.add_argument("--format", choices=("tree", "json", "dot", "jsonld"), default="tree")
    parser.add_argument(
        "--main-line",
        action="store_true",
        help="leave out people, programs, machines and plans, and links that a longer way says too",
    )
    parser.add_argument(
        "--cost",
        action="store_true",
        help="only count: the resources within --depth (default 1), and how many one more level would bring",
    )
    describe_phases(parser)
    describe_as_of(parser)
    takes_vocabulary(parser)


def _run_lineage(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.operations.exporting import lineage_document
    from hpc_explorer.app.operations.tracing import not_understood, states_in, trace_lineage
    from hpc_explorer.cli import as_json, as_text
    from hpc_explorer.lineage.trace import Stop

    session = _open(arguments)
    resource = _resolve(arguments, arguments.iri)
    moment = answer_as_of(arguments)
    if arguments.cost:
        return run_cost(arguments, session, resource, moment)
    lineage = trace_lineage(
        session,
        resource,
        downstream=arguments.downstream,
        depth=arguments.depth,
        only_main_line=arguments.main_line,
        as_of=moment,
        limits=arguments.limits,
    )
    if lineage.nodes[resource].stop is Stop.NOT_YET:
        print(f"{arguments.iri}: {Stop.NOT_YET.value}")
        return FOUND_WRONG
    if arguments.phases:
        return run_phases(arguments, session, lineage)
    match arguments.format:
        case "json":
            unknown = not_understood(session, lineage, limits=arguments.limits)
            states = None if moment is None else states_in(session, lineage, moment, limits=arguments.limits)
            print(as_json.lineage(session, lineage, unknown=unknown, states=states))
        case "dot":
            print(as_text.lineage_dot(session, lineage))
        case "jsonld":
            print(lineage_document(session, lineage, limits=arguments.limits))
        case _:
            print(as_text.lineage_tree(session, lineage))
            tell_lineage_facts(session, lineage, moment, arguments.limits)
    return DONE


def _describe_path(parser: argparse.ArgumentParser) -> None:
    _takes_sources(parser)
    _takes_inference(parser)
    parser.add_argument("start", metavar="FROM", help="what was derived")
    parser.add_argument("target", metavar="TO", help="what it was derived from")
    describe_as_of(parser)
    takes_vocabulary(parser)
    _takes_json(parser)


def _run_path(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.operations.tracing import find_path
    from hpc_explorer.cli import as_json, as_text

    session = _open(arguments)
    start, target = _resolve(arguments, arguments.start), _resolve(arguments, arguments.target)
    steps = find_path(session, start, target, as_of=answer_as_of(arguments), limits=arguments.limits)
    if arguments.json:
        print(as_json.path(session, start, target, steps))
    else:
        print(as_text.path(session, start, target, steps))
    return FOUND_WRONG if steps is None else DONE


def _describe_why(parser: argparse.ArgumentParser) -> None:
    _takes_sources(parser)
    parser.add_argument("subject", metavar="S", help="the triple's subject, as an IRI of other commands")
    parser.add_argument("predicate", metavar="P", help="its predicate; a is rdf:type")
    parser.add_argument("object", metavar="O", help="its object; a literal as in Turtle: '\"text\"@en', 12, true")
    _takes_own_schema(parser)
    _takes_json(parser)


def _run_why(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.operations.inferring import explain, infer, read_triple
    from hpc_explorer.cli import as_json, as_text

    session = _open(arguments)
    infer(session, own_schema=arguments.own_schema, limits=arguments.limits)
    triple = read_triple(session, arguments.subject, arguments.predicate, arguments.object)
    try:
        proof = explain(session, triple, limits=arguments.limits)
    except UnknownStatement:
        # That it does not hold is an answer.
        print(as_json.proof(None) if arguments.json else as_text.no_proof(session, triple))
        return FOUND_WRONG
    print(as_json.proof(proof) if arguments.json else as_text.proof(session, proof))
    return DONE


def _describe_query(parser: argparse.ArgumentParser) -> None:
    _takes_sources(parser)
    _takes_inference(parser)
    text = parser.add_mutually_exclusive_group(required=True)
    text.add_argument("--file", metavar="F.rq", help="a file with the SPARQL text; - reads standard input")
    text.add_argument("--text", metavar="S", help="the SPARQL text itself")
    parser.add_argument("--format", choices=("table", "csv", "json"), default="table")


def _run_query(arguments: argparse.Namespace) -> int:
    from hpc_explorer.cli.answers import answer_text
    from hpc_explorer.cli.interruptible import answer

    text = arguments.text if arguments.text is not None else _read_query(arguments.file)
    session = _open(arguments)
    print(answer_text(session, answer(session, text, limits=arguments.limits), arguments.format))
    return DONE


def _read_query(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise SourceNotFound("the query file cannot be read", f"{name} ({error.strerror})", "check the path") from None
    except UnicodeDecodeError:
        raise UsageError("the query file is not UTF-8 text", name, "save it as UTF-8") from None


def _describe_export(parser: argparse.ArgumentParser) -> None:
    _takes_sources(parser)
    _takes_inference(parser)
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


def _run_export(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.operations.exporting import export_document, export_graph

    session = _open(arguments)
    resources = [_resolve(arguments, text) for text in arguments.resource]
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


def _describe_load(parser: argparse.ArgumentParser) -> None:
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
        "--at-most", type=_positive, metavar="N", help="of an endpoint: no more triples than this (default 5,000,000)"
    )
    _takes_remote_contexts(parser)
    _takes_timeout(parser)


def _run_load(arguments: argparse.Namespace) -> int:
    from hpc_explorer.cli.loading import load, mirror_part

    load(
        Path(arguments.into),
        arguments.sources,
        arguments.remove,
        part=mirror_part(arguments.graph, arguments.cls, arguments.query),
        at_most=arguments.at_most,
        allow_remote_contexts=arguments.allow_remote_contexts,
        limits=_limits(arguments),
    )
    return DONE


def _describe_render(parser: argparse.ArgumentParser) -> None:
    _takes_sources(parser)
    parser.add_argument("--view", choices=("classes", "lineage", "neighbours"), required=True)
    parser.add_argument("--focus", metavar="IRI", help="what the picture is about (for classes: the topmost class)")
    parser.add_argument("-o", "--output", required=True, metavar="PICTURE.svg|png|pdf|graphml")
    parser.add_argument("--downstream", action="store_true", help="lineage: what came of it")
    parser.add_argument("--depth", type=_positive, metavar="N", help="lineage: the most steps to go")
    parser.add_argument("--theme", choices=("light", "dark", "print"), default="light")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--scale", type=_scale, default=2.0, metavar="X", help="pixels per unit in a PNG (default 2)")
    size.add_argument("--width", type=_positive, metavar="PIXELS", help="how wide a PNG is, in place of its scale")


def _run_render(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.operations.picturing import check_ending, scene_of, write_picture

    check_ending(Path(arguments.output))
    session = _open(arguments)
    focus = _resolve(arguments, arguments.focus) if arguments.focus else None
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


def _describe_tour(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", default="tour", metavar="DIR", help="where the pictures go (default ./tour)")


def _run_tour(arguments: argparse.Namespace) -> int:
    from hpc_explorer.cli.tour import tell

    return tell(Path(arguments.output))


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _A_YEAR:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return seconds


def _scale(text: str) -> float:
    try:
        scale = float(text)
    except ValueError:
        scale = 0.0
    if not 0.1 <= scale <= 16:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0.1 to 16")
    return scale


COMMANDS: dict[str, Command] = {
    "info": Command("triples, graphs, classes and predicates, with counts", _describe_info, _run_info),
    "classes": Command("the tree of classes, with counts of their instances", _describe_classes, _run_classes),
    "show": Command("one resource: its types, properties and incoming links", _describe_show, _run_show),
    "lineage": Command("where a resource comes from, or what came of it", _describe_lineage, _run_lineage),
    "path": Command("the steps by which one thing derives from another", _describe_path, _run_path),
    "impact": Command(
        "which models a dataset, file, script or machine reached, by project", describe_impact, run_impact
    ),
    "compare": Command(
        "what differs between two runs or models, the first difference first", describe_compare, run_compare
    ),
    "why": Command("why a triple holds: the rule and the premises, down to what is stated", _describe_why, _run_why),
    "query": Command("the answer of a SPARQL query", _describe_query, _run_query),
    "export": Command("write the graph, or some resources, as JSON-LD and more", _describe_export, _run_export),
    "load": Command("load sources into a workspace, where they stay ready", _describe_load, _run_load),
    "render": Command("draw classes, a lineage or a neighbourhood as PNG or SVG", _describe_render, _run_render),
    "login": Command("remember a password or token in the system's keyring", describe_login, run_login),
    "logout": Command("forget what is remembered for a server", describe_logout, run_logout),
    "tour": Command("the whole story on the sample graph, without a screen", _describe_tour, _run_tour),
}
