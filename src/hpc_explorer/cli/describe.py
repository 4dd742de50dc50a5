"""The command `describe`: describe a model file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hpc_explorer.cli.arguments import add_options, limits_of
from hpc_explorer.cli.exit_codes import DONE


def describe_describe(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `describe`."""
    parser.add_argument(
        "model",
        metavar="MODEL",
        type=Path,
        help="an ONNX file, or a pickle or joblib file of a scikit-learn model; never run",
    )
    parser.add_argument("--iri", metavar="IRI", help="the IRI of the model (default: urn:sha256:… of its content)")
    trees = parser.add_mutually_exclusive_group()
    trees.add_argument(
        "--trees",
        action="store_true",
        default=None,
        help="describe the nodes of decision trees, even if there are many",
    )
    trees.add_argument("--no-trees", dest="trees", action="store_false", help="leave them out")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="OUT.jsonld, .ttl, .nq, …; without it, Turtle")
    add_options(parser, "--timeout")


def run_describe(arguments: argparse.Namespace) -> int:
    """Run `describe`."""
    from hpc_explorer.app.imports.models import described_model, write_model
    from hpc_explorer.rdf.namespaces import WELL_KNOWN, PrefixMap
    from hpc_explorer.rdf.syntax.formats import TURTLE
    from hpc_explorer.rdf.syntax.writing import write_quads
    from hpc_explorer.rdf.terms import Quad

    model = PrefixMap(WELL_KNOWN).resolve(arguments.iri) if arguments.iri else None
    report = described_model(arguments.model, model=model, trees=arguments.trees, limits=limits_of(arguments))
    if arguments.output is None:
        quads = (Quad(one.subject, one.predicate, one.object) for one in report.statements)
        write_quads(quads, sys.stdout.buffer, TURTLE, WELL_KNOWN)
    else:
        written = write_model(report, arguments.output)
        facts = report.facts
        algorithm = f", {facts.algorithm}" if facts.algorithm else ""
        framework = f" ({facts.framework})" if facts.framework else ""
        print(f"wrote {written:,} triples to {arguments.output}: {facts.format}{algorithm}{framework}")
    for remark in report.remarks:
        print(f"hpc-explorer: {remark}", file=sys.stderr)
    return DONE
