"""The command `table`: convert a table to triples by a mapping."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.cli.arguments import add_options, limits_of
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.errors import UsageError

if TYPE_CHECKING:
    from hpc_explorer.annotate.tables.conversion import Reject


_SHOWN = 10


def describe_table(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `table`."""
    parser.add_argument(
        "action",
        choices=("convert", "import"),
        help="convert the table; or print a Tarql file as a mapping for it",
    )
    parser.add_argument("table", metavar="TABLE", type=Path, help=".csv, .tsv, .json, .jsonl, .parquet or .xlsx")
    parser.add_argument(
        "--mapping",
        metavar="M.yaml",
        help="what the columns mean, or a Tarql file (.sparql, .rq); those that ship: mapping:NAME"
        " (top500, xplacer, xplacer-kernel, xplacer-data, nsight-compute, nsight-systems, dataracebench)",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="OUT.ttl, .nt, .nq (streamed), .jsonld, …")
    parser.add_argument("--sheet", metavar="NAME", default="", help="the sheet of a workbook (default: the first)")
    parser.add_argument(
        "--rejects", type=Path, metavar="R.csv", help="a file for all rows and cells that could not be converted"
    )
    parser.add_argument("--suggest", action="store_true", help="print a suggested mapping from the headings and values")
    add_options(parser, "--timeout")


def run_table(arguments: argparse.Namespace) -> int:
    """Run `table`."""
    from hpc_explorer.app.imports.converting import (
        convert_table,
        imported_mapping,
        mapping_for,
        repeats_text,
        suggested_mapping,
    )
    from hpc_explorer.stores.base import CountKind

    if arguments.action == "import":
        if not arguments.mapping or arguments.output or arguments.suggest:
            raise UsageError("a Tarql file is needed", "", "give --mapping F.sparql alone; it prints the mapping")
        print(imported_mapping(arguments.mapping, arguments.table), end="")
        return DONE
    if arguments.suggest:
        if arguments.mapping or arguments.output or arguments.rejects:
            raise UsageError("--suggest allows no other options", "", "it only prints a mapping")
        print(suggested_mapping(arguments.table, sheet=arguments.sheet, limits=limits_of(arguments)), end="")
        return DONE
    if not arguments.mapping or not arguments.output:
        raise UsageError("a mapping and an output are needed", "", "give --mapping M.yaml and -o OUT, or --suggest")
    mapping = mapping_for(arguments.mapping, arguments.table)
    for remark in mapping.left:
        _warn(f"{arguments.mapping}: {remark}")
    report = convert_table(
        arguments.table,
        mapping.mapping,
        arguments.output,
        sheet=arguments.sheet,
        rejects=arguments.rejects,
        limits=limits_of(arguments),
    )
    skipped = f", {report.skipped:,} left out by the mapping" if report.skipped else ""
    count = report.repeat_count
    is_known = count.value and count.kind is CountKind.EXACT
    merged = f", merged into {report.converted - count.value:,}" if is_known else ""
    rows = f"{report.converted:,} of {report.rows:,} rows"
    print(f"wrote {report.statement_text} triples to {report.path}: {rows}{merged}{skipped}")
    if report.note:
        _warn(report.note)
    if report.unmentioned:
        first, more = report.unmentioned[:_SHOWN], len(report.unmentioned) - _SHOWN
        rest = f", and {more:,} more" if more > 0 else ""
        _warn(f"columns that the mapping does not mention: {', '.join(first)}{rest}")
    if repeated := repeats_text(report):
        _warn(f"{repeated}; if several rows may describe one thing, say `shared subjects: true`")
        for repeat in report.repeats[:_SHOWN]:
            values = "other values" if repeat.differs else "the same values"
            _warn(f"row {repeat.row:,} has the IRI of row {repeat.earlier:,}, and {values}: {repeat.iri}")
    for reject in report.rejects[:_SHOWN]:
        _warn(_line(reject))
    if report.reject_count > _SHOWN:
        where = f"all are in {arguments.rejects}" if arguments.rejects else "--rejects R.csv lists all"
        _warn(f"{report.reject_count - _SHOWN:,} more could not be converted: {where}")
    return FOUND_WRONG if report.found_wrong or mapping.left else DONE


def _line(reject: Reject) -> str:
    column = f", column {reject.column!r}" if reject.column else ""
    text = f": {reject.text!r}" if reject.text else ""
    left_out = " (the whole row is left out)" if reject.whole_row else ""
    return f"row {reject.row:,}{column}: {reject.reason}{text}{left_out}"


def _warn(text: str) -> None:
    print(f"hpc-explorer: {text}", file=sys.stderr)


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
