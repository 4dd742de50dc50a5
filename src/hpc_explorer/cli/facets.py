"""The command `facets`, and the explanation of queries without rows."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from hpc_explorer.cli.arguments import add_options, add_sources, open_session
from hpc_explorer.cli.exit_codes import DONE
from hpc_explorer.errors import DeadlineExceeded, InputError, ServerNotAllowed, StoreError, WrongParameter
from hpc_explorer.wording import noun_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hpc_explorer.app.query.facets import NamedFacet
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.query.facets.bins import Bin, Histogram
    from hpc_explorer.query.facets.click_plan import Facet
    from hpc_explorer.query.facets.options import ClassOption, PropertyOption, ValueOption
    from hpc_explorer.query.model.patterns import Element
    from hpc_explorer.query.model.query import QueryModel
    from hpc_explorer.rdf.terms import Literal, NamedNode, Variable
    from hpc_explorer.stores.base import Limits

    Option = ClassOption | PropertyOption | ValueOption

# The time limit for explaining an empty result, in seconds.
_LIMIT_SECONDS = 5.0


def describe_facets(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `facets`."""
    add_sources(parser)
    add_options(parser, "--infer", "--rules", "--own-schema", "--allow-service")
    text = parser.add_mutually_exclusive_group()
    text.add_argument("--file", metavar="F.rq", help="a file with the SPARQL text; - reads standard input")
    text.add_argument("--text", metavar="S", help="the SPARQL text itself (default: everything in the graph)")
    parser.add_argument("--focus", metavar="VAR", help="the variable to list facets of (default: the query's first)")
    add_options(parser, "--json")


def run_facets(arguments: argparse.Namespace) -> int:
    """Run `facets`."""
    from hpc_explorer.app.query.facets import facets_of
    from hpc_explorer.app.query.interruptible import answer
    from hpc_explorer.cli.saved_questions import read_query
    from hpc_explorer.query.facets.click_plan import Facet, State
    from hpc_explorer.query.model.query import QueryModel
    from hpc_explorer.query.sparql.reading import query_model
    from hpc_explorer.rdf.terms import Variable

    text = arguments.text if arguments.file is None else read_query(arguments.file)
    session = open_session(arguments)
    query = QueryModel() if text is None else query_model(text, session.prefixes)
    focus = Variable("thing") if text is None else _focus(query, arguments.focus)
    found: dict[Facet, NamedFacet] = {}

    def keep(part: NamedFacet) -> None:
        if part.result.state is not State.WAITING:
            found[part.result.facet] = part

    def ask(limits: Limits) -> None:
        facets_of(session, query, focus, keep, visible=[one for one in Facet if one is not Facet.ROWS], limits=limits)

    answer(session, ask, limits=arguments.limits, text=text or "")
    for part in found.values():
        if isinstance(part.result.error, ServerNotAllowed):
            raise part.result.error
    if arguments.json:
        print(_as_json(focus, found))
    else:
        print("\n".join(_lines(focus, found)))
    for part in found.values():
        if part.result.error is not None:
            print(f"hpc-explorer: {part.result.facet.value} not counted: {part.result.error}", file=sys.stderr)
    return DONE


def _focus(query: QueryModel, named: str | None) -> Variable:
    from hpc_explorer.query.building import main_variable
    from hpc_explorer.rdf.terms import Variable

    if named is None:
        main = main_variable(query)
        if main is None:
            raise WrongParameter("the query has no variable", "", "ask for one, such as ?thing")
        return main
    name = named.lstrip("?$")
    if name not in {one.value for one in query.variables}:
        known = ", ".join(f"?{one.value}" for one in query.variables) or "none"
        raise WrongParameter("the query has no such variable", named, f"it has {known}")
    return Variable(name)


# As text

_HEADINGS = {
    "classes": "classes",
    "properties": "properties it has",
    "incoming": "properties that lead to it",
    "values": "values",
}


def _lines(focus: Variable, found: Mapping[Facet, NamedFacet]) -> list[str]:
    from hpc_explorer.app.results.text_tables import table
    from hpc_explorer.query.facets.bins import Histogram
    from hpc_explorer.query.facets.options import Page
    from hpc_explorer.stores.base import Count

    lines = [f"?{focus.value}"]
    for part in found.values():
        value = part.result.value
        if isinstance(value, Count):
            lines[0] += f"  {value} {noun_for(value.value, 'row')} in the query"
        elif isinstance(value, Histogram):
            lines += ["", *_bar_lines(value)]
        elif isinstance(value, Page):
            partly = f", of the first {value.looked_at:,} looked at" if value.looked_at is not None else ""
            lines += ["", f"{_HEADINGS[part.result.facet.value]}: {value.total}{partly}"]
            rows = [(str(one.count), _name(one, part), _curie(one, part)) for one in value.options]
            lines += table(rows, right=frozenset({0}), indent="  ")
            if value.has_more:
                lines.append("  …")
    return lines


def _name(option: Option, part: NamedFacet) -> str:
    from hpc_explorer.rdf.literals import literal_text
    from hpc_explorer.rdf.terms import Literal

    term = _term(option)
    if isinstance(term, Literal):
        return literal_text(term)
    return part.refs[term].label if term in part.refs else str(term)


def _curie(option: Option, part: NamedFacet) -> str:
    from hpc_explorer.rdf.terms import Literal

    term = _term(option)
    return "" if isinstance(term, Literal) or term not in part.refs else part.refs[term].curie


def _term(option: Option) -> NamedNode | Literal:
    from hpc_explorer.query.facets.options import ClassOption, PropertyOption

    match option:
        case ClassOption():
            return option.class_
        case PropertyOption():
            return option.property
        case _:
            return option.value


def _bar_lines(histogram: Histogram) -> list[str]:
    from hpc_explorer.app.results.text_tables import table

    unit = f" in {histogram.unit.symbol}" if histogram.unit is not None else ""
    lines = [f"{histogram.kind.value}{unit}: {histogram.total}"]
    largest = max(one.count for one in histogram.bins)
    rows = [
        (f"{one.count:,}", _spelled(one.least), "to", _spelled(one.most), "▪" * round(30 * one.count / largest))
        for one in histogram.bins
        if one.count
    ]
    lines += table(rows, right=frozenset({0, 1}), indent="  ")
    return [*lines, f"  {histogram.others} others"] if histogram.others.value else lines


def _spelled(value: object) -> str:
    from decimal import Decimal

    from hpc_explorer.rdf.terms import Literal

    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    return value.value if isinstance(value, Literal) else ""


# As JSON


def _as_json(focus: Variable, found: Mapping[Facet, NamedFacet]) -> str:
    from hpc_explorer.cli import as_json
    from hpc_explorer.query.facets.bins import Histogram
    from hpc_explorer.query.facets.options import Page
    from hpc_explorer.stores.base import Count

    told: dict[str, object] = {"focus": focus.value}
    for part in found.values():
        name, value = part.result.facet.value, part.result.value
        if isinstance(value, Count):
            told["rows"] = as_json.count(value)
        elif isinstance(value, Page):
            told[name] = {
                "total": as_json.count(value.total),
                "more": value.has_more,
                "looked_at": value.looked_at,
                "options": [_option(one, part) for one in value.options],
            }
        elif isinstance(value, Histogram):
            told[name] = {
                "kind": value.kind.value,
                "unit": value.unit.iri.value if value.unit is not None and value.unit.iri is not None else None,
                "total": as_json.count(value.total),
                "others": as_json.count(value.others),
                "bins": [_bin(one) for one in value.bins],
            }
        elif value is None:
            told[name] = None
    return as_json.dump(told)


def _option(option: Option, part: NamedFacet) -> dict[str, object]:
    from hpc_explorer.cli import as_json
    from hpc_explorer.rdf.terms import Literal

    term = _term(option)
    ref = None if isinstance(term, Literal) else part.refs.get(term)
    named = {} if ref is None else {"label": ref.label, "curie": ref.curie}
    return {"term": as_json.term(term), **named, "count": as_json.count(option.count)}


def _bin(one: Bin) -> dict[str, object]:
    import math

    high = one.high if math.isfinite(one.high) else None
    ends = {"least": _spelled(one.least) or None, "most": _spelled(one.most) or None}
    return {"low": one.low, "high": high, "count": one.count, **ends}


# Empty results


def explain_no_rows(session: Session, text: str, limits: Limits) -> None:
    """Print to standard error which conditions leave a SELECT query without rows, if found within a few seconds."""
    from hpc_explorer.app.query.facets import what_empties
    from hpc_explorer.app.query.interruptible import answer
    from hpc_explorer.query.model.query import Form
    from hpc_explorer.query.sparql.reading import query_model
    from hpc_explorer.stores.base import CountKind

    try:
        query = query_model(text, session.prefixes)
        if query.form is not Form.SELECT:
            return
        within = limits.within(_LIMIT_SECONDS)
        found = answer(
            session,
            lambda own: what_empties(session, query, seconds=_LIMIT_SECONDS, limits=own),
            limits=within,
            text=text,
        )
    except DeadlineExceeded:
        print(
            f"hpc-explorer: no rows: what empties the query was not found in {_LIMIT_SECONDS:g} seconds",
            file=sys.stderr,
        )
        return
    except (InputError, StoreError):
        # The empty result is correct; only its explanation is unavailable.
        return
    helping = [one for one in found if one.helps]
    for one in helping:
        what = " and ".join(_condition(element, session, query) for element in one.elements) or "the HAVING condition"
        rows = f"{one.count} {noun_for(one.count.value, 'row')}"
        print(f"hpc-explorer: no rows: without {what}: {rows}", file=sys.stderr)
    unknown = sum(one.count.kind is CountKind.UNKNOWN for one in found)
    if unknown:
        print(f"hpc-explorer: no rows: {unknown} conditions could not be tried in time", file=sys.stderr)
    elif found and not any(len(one.places) < 2 for one in helping):
        print("hpc-explorer: no rows: no single condition empties the query", file=sys.stderr)


def _condition(element: Element, session: Session, query: QueryModel) -> str:
    from hpc_explorer.query.model.patterns import Group
    from hpc_explorer.query.model.query import QueryModel
    from hpc_explorer.query.sparql.writing import sparql_text

    prefixes = tuple({**dict(session.prefixes), **dict(query.prefixes)}.items())
    written = sparql_text(QueryModel(where=Group((element,)), prefixes=prefixes))
    inside = written.partition("WHERE {")[2].rpartition("}")[0]
    return f"`{' '.join(inside.split()).removesuffix(' .')}`"
