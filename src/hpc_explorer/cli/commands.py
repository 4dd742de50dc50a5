"""The commands with their arguments. Imports are local, so that a command loads only what it uses."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass

from hpc_explorer.cli.arguments import (
    add_options,
    add_sources,
    moment_of,
    open_session,
    positive,
    recorded_moment_of,
    resource_of,
    rule_set_of,
)
from hpc_explorer.cli.ask import describe_ask, describe_teach, run_ask, run_teach
from hpc_explorer.cli.collect import describe_collect, run_collect
from hpc_explorer.cli.edit import describe_edit, run_edit
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.cli.facets import describe_facets, run_facets
from hpc_explorer.cli.fair import describe_fair, run_fair
from hpc_explorer.cli.imports import describe_describe, describe_table, run_describe, run_table
from hpc_explorer.cli.journal import describe_journal, run_journal
from hpc_explorer.cli.lineage import (
    describe_compare,
    describe_impact,
    print_lineage_facts,
    run_compare,
    run_cost,
    run_impact,
)
from hpc_explorer.cli.monitor import describe_monitor, run_monitor
from hpc_explorer.cli.phases import describe_phases, run_phases
from hpc_explorer.cli.query import describe_query, describe_questions, run_query, run_questions
from hpc_explorer.cli.reproduce import describe_reproduce, run_reproduce
from hpc_explorer.cli.validate import describe_validate, run_validate
from hpc_explorer.cli.writing import (
    describe_export,
    describe_load,
    describe_render,
    describe_share,
    describe_tour,
    run_export,
    run_load,
    run_render,
    run_share,
    run_tour,
)
from hpc_explorer.errors import UnknownStatement, UsageError


def describe_login(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `login`."""
    parser.add_argument("address", metavar="ADDRESS", help="an http(s) or amqp(s) address of the server")
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--user", metavar="NAME", help="the user's name; the password is asked for (HTTP Basic)")
    kind.add_argument("--bearer", action="store_true", help="a token is asked for (HTTP Bearer)")


def run_login(arguments: argparse.Namespace) -> int:
    """Run `login`."""
    from hpc_explorer.stores.protocol.credentials import Credentials
    from hpc_explorer.stores.protocol.logins import remember_login

    secret = _read_secret("Token: " if arguments.bearer else "Password: ")
    credentials = Credentials(token=secret) if arguments.bearer else Credentials(arguments.user, secret)
    server = remember_login(arguments.address, credentials)
    if server.startswith("http://"):
        print(f"{server} is not encrypted: what is sent there can be read on the way", file=sys.stderr)
    print(f"the system's keyring remembers the {'token' if arguments.bearer else 'password'} for {server}")
    return DONE


def _read_secret(prompt: str) -> str:
    """Read a line without echo from a terminal, else from standard input."""
    if sys.stdin.isatty():
        from getpass import getpass

        return getpass(prompt)
    return sys.stdin.readline().rstrip("\r\n")


def describe_logout(parser: argparse.ArgumentParser) -> None:
    """Add the argument of `logout`."""
    parser.add_argument("address", metavar="ADDRESS", help="an http(s) or amqp(s) address of the server")


def run_logout(arguments: argparse.Namespace) -> int:
    """Run `logout`."""
    from hpc_explorer.stores.protocol.logins import forget_login

    if forget_login(arguments.address):
        print("forgotten")
        return DONE
    print("nothing was remembered for this server")
    return FOUND_WRONG


@dataclass(frozen=True)
class Command:
    """One command.

    Args:
        help: a line for the list of commands.
        describe: adds its arguments to a parser.
        run: runs it and returns the exit code.
    """

    help: str
    describe: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def _describe_info(parser: argparse.ArgumentParser) -> None:
    add_sources(parser)
    add_options(parser, "--infer", "--rules", "--own-schema")
    forms = parser.add_mutually_exclusive_group()
    add_options(forms, "--json")
    forms.add_argument("--void", action="store_true", help="the counts as a VoID description in Turtle")


def _run_info(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.explore.describing import describe_graph
    from hpc_explorer.app.explore.inference import contradictions
    from hpc_explorer.cli import as_json, as_text

    session = open_session(arguments)
    if arguments.void:
        from hpc_explorer.app.export.exporting import void_document

        print(void_document(session))
        return DONE
    summary = describe_graph(session, limits=arguments.limits)
    found = contradictions(session, limits=arguments.limits)
    print(as_json.summary(summary, found) if arguments.json else as_text.summary(summary, found))
    return DONE


def _describe_classes(parser: argparse.ArgumentParser) -> None:
    add_sources(parser)
    add_options(parser, "--infer", "--rules", "--own-schema")
    parser.add_argument("--root", metavar="CURIE", help="only this class and its subclasses")
    add_options(parser, "--json")


def _run_classes(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.explore.classes import class_tree
    from hpc_explorer.cli import as_json, as_text
    from hpc_explorer.rdf.terms import NamedNode

    session = open_session(arguments)
    root = resource_of(arguments, arguments.root) if arguments.root else None
    if root is not None and not isinstance(root, NamedNode):
        raise UsageError("not the IRI of a class", arguments.root, "give --root an IRI or prefixed name")
    tree = class_tree(session, root, limits=arguments.limits)
    print(as_json.classes(tree) if arguments.json else as_text.classes(tree))
    return DONE


def _describe_show(parser: argparse.ArgumentParser) -> None:
    add_sources(parser)
    add_options(parser, "--infer", "--rules", "--own-schema")
    parser.add_argument("iri", metavar="IRI", help="the resource")
    parser.add_argument(
        "--values", type=positive, default=50, metavar="N", help="the most values of one property (default 50)"
    )
    add_options(parser, "--json")


def _run_show(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.explore.describing import describe_resource, properties_for
    from hpc_explorer.cli import as_json, as_text
    from hpc_explorer.rdf.terms import NamedNode

    session = open_session(arguments)
    resource = resource_of(arguments, arguments.iri)
    view = describe_resource(session, resource, values_per_property=arguments.values, limits=arguments.limits)
    is_class = isinstance(resource, NamedNode) and resource in session.schema(limits=arguments.limits).classes
    fields = properties_for(session, resource, limits=arguments.limits) if is_class else ()  # type: ignore[arg-type]  # is_class says so
    print(as_json.resource(view, fields) if arguments.json else as_text.resource(session, view, fields))
    return DONE


def _describe_lineage(parser: argparse.ArgumentParser) -> None:
    add_sources(parser)
    add_options(parser, "--infer", "--rules", "--own-schema")
    parser.add_argument("iri", metavar="IRI", help="the resource to start from")
    parser.add_argument("--downstream", action="store_true", help="what was derived from it, instead of its origin")
    parser.add_argument("--depth", type=positive, metavar="N", help="the most steps (default: no limit)")
    parser.add_argument("--format", choices=("tree", "json", "dot", "jsonld"), default="tree")
    parser.add_argument(
        "--main-line",
        action="store_true",
        help="leave out people, programs, machines, plans and redundant links",
    )
    parser.add_argument(
        "--cost",
        action="store_true",
        help="only count the resources within --depth (default 1) and those of the next level",
    )
    describe_phases(parser)
    add_options(parser, "--match-content", "--as-of", "--recorded-by", "--vocabulary")


def _run_lineage(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.export.exporting import lineage_document
    from hpc_explorer.app.lineage.tracing import not_understood, states_in, trace_lineage
    from hpc_explorer.cli import as_json, as_text
    from hpc_explorer.lineage.trace.trace import Stop

    session = open_session(arguments)
    resource = resource_of(arguments, arguments.iri)
    moment, recorded_by = moment_of(arguments), recorded_moment_of(arguments)
    if recorded_by is not None and (arguments.cost or arguments.phases):
        option = "--cost" if arguments.cost else "--phases"
        raise UsageError("counts cannot be taken at an earlier time", f"{option} with --recorded-by", "leave one out")
    if arguments.cost:
        return run_cost(arguments, session, resource, moment)
    lineage = trace_lineage(
        session,
        resource,
        downstream=arguments.downstream,
        depth=arguments.depth,
        only_main_line=arguments.main_line,
        as_of=moment,
        recorded_by=recorded_by,
        match_content=arguments.match_content,
        limits=arguments.limits,
    )
    absent = lineage.nodes[resource].stop
    if absent in (Stop.NOT_YET, Stop.NOT_RECORDED):
        print(f"{arguments.iri}: {absent.value}")
        return FOUND_WRONG
    if arguments.phases:
        return run_phases(arguments, session, lineage)
    match arguments.format:
        case "json":
            unknown = not_understood(session, lineage, recorded_by=recorded_by, limits=arguments.limits)
            states = (
                None
                if moment is None
                else states_in(session, lineage, moment, recorded_by=recorded_by, limits=arguments.limits)
            )
            print(as_json.lineage(session, lineage, unknown=unknown, states=states))
        case "dot":
            print(as_text.lineage_dot(session, lineage))
        case "jsonld":
            print(lineage_document(session, lineage, limits=arguments.limits))
        case _:
            print(as_text.lineage_tree(session, lineage))
            print_lineage_facts(session, lineage, moment, recorded_by, arguments.limits)
    return DONE


def _describe_path(parser: argparse.ArgumentParser) -> None:
    add_sources(parser)
    add_options(parser, "--infer", "--rules", "--own-schema")
    parser.add_argument("start", metavar="FROM", help="what was derived")
    parser.add_argument("target", metavar="TO", help="what it was derived from")
    add_options(parser, "--match-content", "--as-of", "--recorded-by", "--vocabulary", "--json")


def _run_path(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.lineage.tracing import find_path
    from hpc_explorer.cli import as_json, as_text

    session = open_session(arguments)
    start, target = resource_of(arguments, arguments.start), resource_of(arguments, arguments.target)
    steps = find_path(
        session,
        start,
        target,
        as_of=moment_of(arguments),
        recorded_by=recorded_moment_of(arguments),
        match_content=arguments.match_content,
        limits=arguments.limits,
    )
    if arguments.json:
        print(as_json.path(session, start, target, steps))
    else:
        print(as_text.path(session, start, target, steps))
    return FOUND_WRONG if steps is None else DONE


def _describe_why(parser: argparse.ArgumentParser) -> None:
    add_sources(parser)
    parser.add_argument("subject", metavar="S", help="the triple's subject, as an IRI of other commands")
    parser.add_argument("predicate", metavar="P", help="its predicate; a is rdf:type")
    parser.add_argument("object", metavar="O", help="its object; a literal as in Turtle: '\"text\"@en', 12, true")
    add_options(parser, "--rules", "--own-schema", "--json")


def _run_why(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.explore.inference import explain, infer, read_triple
    from hpc_explorer.cli import as_json, as_text

    session = open_session(arguments)
    infer(session, rule_set_of(arguments), own_schema=arguments.own_schema, limits=arguments.limits)
    triple = read_triple(session, arguments.subject, arguments.predicate, arguments.object)
    try:
        proof = explain(session, triple, limits=arguments.limits)
    except UnknownStatement:
        # The absence of a proof is an answer, not an error.
        print(as_json.proof(None) if arguments.json else as_text.no_proof(session, triple))
        return FOUND_WRONG
    print(as_json.proof(proof) if arguments.json else as_text.proof(session, proof))
    return DONE


COMMANDS: dict[str, Command] = {
    "info": Command("triples, graphs, classes and predicates, with counts", _describe_info, _run_info),
    "classes": Command("the tree of classes, with counts of their instances", _describe_classes, _run_classes),
    "show": Command("one resource: its types, properties and incoming links", _describe_show, _run_show),
    "lineage": Command("where a resource comes from, or what was derived from it", _describe_lineage, _run_lineage),
    "path": Command("the steps by which one thing derives from another", _describe_path, _run_path),
    "impact": Command(
        "which models a dataset, file, script or machine reached, by project", describe_impact, run_impact
    ),
    "compare": Command(
        "what differs between two runs or models, the first difference first", describe_compare, run_compare
    ),
    "reproduce": Command(
        "how to make a model, artefact or run again, and what is missing", describe_reproduce, run_reproduce
    ),
    "why": Command("why a triple is in the graph: rules and premises, down to stated triples", _describe_why, _run_why),
    "questions": Command(
        "ready questions that apply to the graph, and their parameters", describe_questions, run_questions
    ),
    "ask": Command("ask a question or run a workflow in English", describe_ask, run_ask),
    "teach": Command("teach a name for a class or property, for `ask`", describe_teach, run_teach),
    "query": Command("run a SPARQL query or a ready question", describe_query, run_query),
    "facets": Command("classes, properties and values to refine a query by, with counts", describe_facets, run_facets),
    "export": Command("write the graph or some resources as JSON-LD or another format", describe_export, run_export),
    "load": Command("load sources into a workspace, which opens at once", describe_load, run_load),
    "collect": Command("turn recorded provenance into statements in a workspace", describe_collect, run_collect),
    "render": Command("draw classes, a lineage or a neighbourhood as PNG or SVG", describe_render, run_render),
    "share": Command("write a web page about a resource, to send to others", describe_share, run_share),
    "validate": Command(
        "validate the graph against SHACL shapes, with suggested fixes", describe_validate, run_validate
    ),
    "fair": Command("how FAIR a dataset or model is, and what to do next", describe_fair, run_fair),
    "table": Command("convert a table to triples, by a mapping", describe_table, run_table),
    "describe": Command("describe a model file as statements, without running it", describe_describe, run_describe),
    "monitor": Command(
        "performance models of runs, slow jobs, and anomalies of measurements", describe_monitor, run_monitor
    ),
    "edit": Command("add and remove statements of a workspace by file, journalled", describe_edit, run_edit),
    "journal": Command("list, undo, push and export the edits of a workspace", describe_journal, run_journal),
    "login": Command("remember a password or token in the system's keyring", describe_login, run_login),
    "logout": Command("remove the password or token of a server from the keyring", describe_logout, run_logout),
    "tour": Command("an example on the sample graph, without a screen", describe_tour, run_tour),
}
